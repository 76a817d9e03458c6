package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A peer is a program that reads robots.txt files with another library, in any
// language. It is started with an agent, a URL and the names of files as arguments, and
// reads the files. For each line on standard input it then parses each file, asks for
// the URL, and writes a line with the number of files that allow it.
type peer struct {
	name    string
	command []string
}

// peerFlag collects the peers of a flag, each as NAME=COMMAND.
type peerFlag []peer

func (p *peerFlag) String() string { return "" }

func (p *peerFlag) Set(value string) error {
	name, command, ok := strings.Cut(value, "=")
	if fields := strings.Fields(command); ok && len(fields) > 0 {
		*p = append(*p, peer{name, fields})
		return nil
	}
	return fmt.Errorf("want NAME=COMMAND")
}

// start starts the program with the files. Pass makes it ask each file once, and stop
// ends it.
func (p peer) start(agent, url string, files [][]byte) (pass, stop func(), err error) {
	folder, err := os.MkdirTemp("", "robotstxt-bench")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(folder)
	args := append(p.command[1:len(p.command):len(p.command)], agent, url)
	for i, data := range files {
		args = append(args, filepath.Join(folder, fmt.Sprint(i)))
		if err := os.WriteFile(args[len(args)-1], data, 0o600); err != nil {
			return nil, nil, err
		}
	}
	command := exec.Command(p.command[0], args...)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := command.Start(); err != nil {
		return nil, nil, err
	}
	answers := bufio.NewScanner(out)
	ask := func() error {
		fmt.Fprintln(in)
		if !answers.Scan() {
			return fmt.Errorf("%s ended without an answer", p.name)
		}
		return nil
	}
	stop = func() {
		in.Close()
		command.Wait()
	}
	if err := ask(); err != nil { // it has read the files once it answers
		stop()
		return nil, nil, err
	}
	return func() {
		if err := ask(); err != nil {
			panic(err)
		}
	}, stop, nil
}
