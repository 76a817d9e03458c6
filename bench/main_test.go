package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jimsmart/grobotstxt"
)

// TestMain runs the tests or, if the first argument is "as-peer", the peer of TestRows.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "as-peer" {
		for s := bufio.NewScanner(os.Stdin); s.Scan(); {
			allowed := 0
			for _, name := range os.Args[4:] {
				data, err := os.ReadFile(name)
				if err == nil && grobotstxt.AgentAllowed(string(data), os.Args[2], os.Args[3]) {
					allowed++
				}
			}
			fmt.Println(allowed)
		}
		return
	}
	os.Exit(m.Run())
}

// Every measurement works, with generated files.
func TestRows(t *testing.T) {
	files, err := readCorpus("")
	if err != nil {
		t.Fatal(err)
	}
	m := meter{rounds: 1}
	rows, err := fileRows(m, files[:50], []peer{{"itself", []string{os.Args[0], "as-peer"}}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(rows[0].peers, "itself ") {
		t.Errorf("no speed of the peer in %q", rows[0].peers)
	}
	for _, r := range append(rows, matchRows(m)...) {
		for i, cell := range r.cells() {
			if cell == "" {
				t.Errorf("%s: no %s", r.what, header.cells()[i])
			}
		}
	}
}

func TestPeerErrors(t *testing.T) {
	var peers peerFlag
	for _, value := range []string{"", "name", "name=", "name= "} {
		if peers.Set(value) == nil {
			t.Errorf("no error for %q", value)
		}
	}
	for _, command := range []string{"false", "no-such-command"} {
		if _, _, err := (peer{"it", []string{command}}).start(agent, "/", nil); err == nil {
			t.Errorf("no error for a peer with the command %q", command)
		}
	}
}
