package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jimsmart/grobotstxt"
)

// TestMain runs the tests or, if the first argument is "as-peer", the peer of TestRows, which refuses
// files of more than 64 KiB.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "as-peer" {
		for s := bufio.NewScanner(os.Stdin); s.Scan(); {
			allowed, refused := 0, ""
			for i, name := range os.Args[4:] {
				data, err := os.ReadFile(name)
				switch {
				case len(data) > 64<<10:
					refused += fmt.Sprint(" ", i+1)
				case err == nil && grobotstxt.AgentAllowed(string(data), os.Args[2], os.Args[3]):
					allowed++
				}
			}
			fmt.Printf("%d%s\n", allowed, refused)
		}
		return
	}
	os.Exit(m.Run())
}

// Every measurement works. The peer refuses the first file.
func TestRows(t *testing.T) {
	files := [][]byte{append(rulesFile(10, 1), "# "+strings.Repeat("x", 64<<10)...)}
	for rules := range 9 {
		files = append(files, rulesFile(10+rules, rules))
	}
	m := meter{rounds: 1}
	peers := []peer{{"itself", []string{os.Args[0], "as-peer"}}}
	if parsed, _, err := parsedByAll(agent, "/", files, peers); err != nil || len(parsed) != 9 || &parsed[0][0] != &files[1][0] {
		t.Errorf("%d files are parsed by all, error %v; want all except the first", len(parsed), err)
	}
	rows, err := fileRows(m, files, peers)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(rows[0].peers, "itself ") {
		t.Errorf("no speed of the peer in %q", rows[0].peers)
	}
	const leftOut = "; without 1 that itself refuses"
	if strings.HasSuffix(rows[0].what, leftOut) || !strings.HasSuffix(rows[1].what, leftOut) {
		t.Errorf("rows %q and %q, want only the second to end with %q", rows[0].what, rows[1].what, leftOut)
	}
	for _, r := range append(rows, matchRows(m)...) {
		for i, cell := range r.cells() {
			if cell == "" {
				t.Errorf("%s: no %s", r.what, header.cells()[i])
			}
		}
	}
}

func TestNoCorpus(t *testing.T) {
	if files, err := readCorpus(t.TempDir()); err == nil {
		t.Errorf("%d files in an empty folder, want an error", len(files))
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
		if _, _, _, err := (peer{"it", []string{command}}).start(agent, "/", nil); err == nil {
			t.Errorf("no error for a peer with the command %q", command)
		}
	}
}

// TestRefusedFiles tests the first line of a peer's output.
func TestRefusedFiles(t *testing.T) {
	for line, want := range map[string][]int{"0": nil, "2": nil, "1 3 2": {2, 1}, " 1  3 ": {2}} {
		if got, err := refusedFiles(line, 3); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", line, got, err, want)
		}
	}
	for _, line := range []string{"x", "-1", "4", "1 0", "1 4", "1 x"} {
		if got, err := refusedFiles(line, 3); err == nil {
			t.Errorf("%q: %v, want an error", line, got)
		}
	}
}
