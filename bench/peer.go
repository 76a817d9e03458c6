package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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
// the program. The result refused has the indexes of the files that the library does not parse.
func (p peer) start(agent, url string, files [][]byte) (pass, stop func(), refused []int, err error) {
	folder, err := os.MkdirTemp("", "robotstxt-bench")
	if err != nil {
		return nil, nil, nil, err
	}
	defer os.RemoveAll(folder)
	args := append(p.command[1:len(p.command):len(p.command)], agent, url)
	for i, data := range files {
		args = append(args, filepath.Join(folder, fmt.Sprint(i)))
		if err := os.WriteFile(args[len(args)-1], data, 0o600); err != nil {
			return nil, nil, nil, err
		}
	}
	command := exec.Command(p.command[0], args...)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, nil, nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, nil, nil, err
	}
	if err := command.Start(); err != nil {
		return nil, nil, nil, err
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
		return nil, nil, nil, err
	}
	refused, err = refusedFiles(answers.Text(), len(files))
	if err != nil {
		stop()
		return nil, nil, nil, fmt.Errorf("the peer %s: %w", p.name, err)
	}
	return func() {
		if err := ask(); err != nil {
			panic(err)
		}
	}, stop, refused, nil
}

// refusedFiles returns the indexes of the refused files that a line of a peer's output names. In the
// line "88 3 17", 88 is the number of files that allow the URL, and files 3 and 17 were refused.
func refusedFiles(line string, files int) (refused []int, err error) {
	for i, field := range strings.Fields(line) {
		least := 1 // files are numbered from 1
		if i == 0 {
			least = 0 // but perhaps none allows the URL
		}
		n, err := strconv.Atoi(field)
		if err != nil || n < least || n > files {
			return nil, fmt.Errorf("%q is not a count of allowing files and the numbers of refused files", line)
		}
		if i > 0 {
			refused = append(refused, n-1)
		}
	}
	return refused, nil
}

// parsedByAll returns the files that all peers parse. It also says how many it leaves out, for the
// name of a row; the text is empty if it leaves out none.
func parsedByAll(agent, url string, files [][]byte, peers []peer) (parsed [][]byte, leftOut string, err error) {
	isRefused := make([]bool, len(files))
	var parts []string
	for _, p := range peers {
		_, stop, refused, err := p.start(agent, url, files)
		if err != nil {
			return nil, "", err
		}
		stop()
		if len(refused) > 0 {
			parts = append(parts, fmt.Sprintf("; without %d that %s refuses", len(refused), p.name))
		}
		for _, i := range refused {
			isRefused[i] = true
		}
	}
	for i, data := range files {
		if !isRefused[i] {
			parsed = append(parsed, data)
		}
	}
	return parsed, strings.Join(parts, ""), nil
}
