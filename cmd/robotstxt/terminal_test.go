package main

import (
	"io"
	"os"
	"testing"
)

// TestIsColoured takes the null device for a terminal, as isTerminal does.
func TestIsColoured(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct {
		about         string
		to            io.Writer
		term, noColor string
		want          bool
	}{
		{"a terminal", null, "xterm", "", true},
		{"NO_COLOR", null, "xterm", "1", false},
		{"a terminal without colours", null, "dumb", "", false},
		{"a file", file, "xterm", "", false},
		{"no file", io.Discard, "xterm", "", false},
	} {
		t.Setenv("TERM", c.term)
		t.Setenv("NO_COLOR", c.noColor)
		if got := isColoured(c.to); got != c.want {
			t.Errorf("%s: %v", c.about, got)
		}
	}
}
