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

// An adapter is a process that answers each question with one line.
type adapter struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	lines   *bufio.Scanner // the lines of out
	timeout time.Duration  // time limit for an answer
}

func startAdapter(command []string, timeout time.Duration, stderr io.Writer) (*adapter, error) {
	process := exec.Command(command[0], command[1:]...)
	process.Stderr = stderr
	process.WaitDelay = time.Second // otherwise Wait could block while a child of the process keeps a pipe open
	in, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, wire.MaxLine)
	return &adapter{process, in, out, lines, timeout}, nil
}

// ask sends a question and returns the answer. After an error, no more questions can be asked.
func (a *adapter) ask(q wire.Question) (wire.Answer, error) {
	line, err := wire.Marshal(q)
	if err != nil {
		return wire.Answer{}, err
	}
	timer := time.AfterFunc(a.timeout, a.kill)
	_, err = a.in.Write(append(line, '\n'))
	ok := err == nil && a.lines.Scan()
	switch inTime := timer.Stop(); {
	case !inTime:
		return wire.Answer{}, fmt.Errorf("no answer within %v", a.timeout)
	case !ok:
		return wire.Answer{}, errors.New("the adapter ended")
	}
	return readAnswer(a.lines.Bytes(), q.ID)
}

// stop closes the input of the process, and kills it if it does not end within a second.
func (a *adapter) stop() {
	a.in.Close()
	timer := time.AfterFunc(time.Second, a.kill)
	defer timer.Stop()
	a.process.Wait() // ignore the status: all questions have been asked
}

// kill ends the process at once. It also ends the reading of its output, which a child of the process can keep open.
func (a *adapter) kill() {
	a.process.Process.Kill()
	a.out.Close()
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
