package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A peer is a program, in any language, that uses another robots.txt library. The
// package documentation describes its arguments, input and output.
type peer struct {
	name    string
	command []string
}

// peerFlag collects the values of the flag -peer.
type peerFlag []peer

func (p *peerFlag) String() string { return "" }

func (p *peerFlag) Set(value string) error {
	name, command, ok := strings.Cut(value, "=")
	if fields := strings.Fields(command); ok && len(fields) > 0 {
		*p = append(*p, peer{name, fields})
		return nil
	}
	return fmt.Errorf("%q is not of the form NAME=COMMAND", value)
}

// start starts the program, which reads the files. Each call of pass makes the program parse all
// files again, and decide for each file whether the agent may fetch the URL. A call of stop ends
// the program.
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
			return fmt.Errorf("the peer %s ended without an answer", p.name)
		}
		return nil
	}
	stop = func() {
		in.Close()
		command.Wait()
	}
	if err := ask(); err != nil { // the first answer shows that the program has read the files
		stop()
		return nil, nil, err
	}
	return func() {
		if err := ask(); err != nil {
			panic(err)
		}
	}, stop, nil
}
