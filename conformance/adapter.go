package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/robotstxt-go/robotstxt/internal/wire"
)

// An adapter runs a process that answers each question with one line. The method ask starts the
// process if it is not running.
type adapter struct {
	command []string
	timeout time.Duration // time limit for an answer
	stderr  io.Writer

	process *exec.Cmd // nil while the process is not running
	in      io.WriteCloser
	lines   chan []byte // the lines that the process writes; closed after the last line
	done    chan struct{}
}

func (a *adapter) start() error {
	process := exec.Command(a.command[0], a.command[1:]...)
	process.Stderr = a.stderr
	process.WaitDelay = time.Second // otherwise Wait could block while a child of the process keeps a pipe open
	in, err := process.StdinPipe()
	if err != nil {
		return err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return err
	}
	a.process, a.in, a.lines, a.done = process, in, make(chan []byte), make(chan struct{})
	go readLines(out, a.lines, a.done)
	return nil
}

// readLines sends the text from out to the channel lines, line by line. It stops at the end of
// the text, at a line that is too long, or when the channel done is closed.
func readLines(out io.Reader, lines chan<- []byte, done <-chan struct{}) {
	defer close(lines)
	s := bufio.NewScanner(out)
	s.Buffer(nil, wire.MaxLine)
	for s.Scan() {
		select {
		case lines <- append([]byte(nil), s.Bytes()...):
		case <-done:
			return
		}
	}
}

// stop closes the input of the process. If the process does not end within a second, stop
// kills it.
func (a *adapter) stop() {
	if a.process == nil {
		return
	}
	a.in.Close()
	select {
	case <-a.lines:
	case <-time.After(time.Second):
	}
	a.kill()
}

// kill ends the process at once.
func (a *adapter) kill() {
	a.in.Close()
	close(a.done)
	a.process.Process.Kill()
	a.process.Wait() // ignore the status of the killed process
	a.process = nil
}

// ask sends a question and returns the answer. If no process is running, ask starts one. If there
// is an error, ask ends the process.
func (a *adapter) ask(q wire.Question) (wire.Answer, error) {
	if a.process == nil {
		if err := a.start(); err != nil {
			return wire.Answer{}, err
		}
	}
	answer, err := a.exchange(q)
	if err != nil {
		a.kill()
	}
	return answer, err
}

// exchange sends a question to the running process and returns the answer.
func (a *adapter) exchange(q wire.Question) (wire.Answer, error) {
	line, err := wire.Marshal(q)
	if err != nil {
		return wire.Answer{}, err
	}
	go func(in io.Writer) {
		in.Write(append(line, '\n')) // no need to check the error: if the write fails, there is no answer, and exchange reports that
	}(a.in)
	select {
	case text, ok := <-a.lines:
		if !ok {
			return wire.Answer{}, errors.New("the adapter ended")
		}
		return readAnswer(text, q.ID)
	case <-time.After(a.timeout):
		return wire.Answer{}, fmt.Errorf("no answer within %v", a.timeout)
	}
}

// readAnswer parses the answer to the question with the given ID.
func readAnswer(text []byte, id string) (wire.Answer, error) {
	var answer wire.Answer
	if err := json.Unmarshal(text, &answer); err != nil {
		return answer, fmt.Errorf("the adapter wrote %.100q, which is not an answer: %w", text, err)
	}
	isVerdict := answer.Verdict == "allow" || answer.Verdict == "disallow"
	switch {
	case answer.ID != id:
		return answer, fmt.Errorf("the adapter answered question %q instead of %q", answer.ID, id)
	case !isVerdict && answer.Skip == "" && answer.Error == "":
		return answer, fmt.Errorf("the adapter wrote %.100q, which has no valid verdict", text)
	}
	return answer, nil
}
