package cli

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
)

func TestPaint(t *testing.T) {
	master, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer terminal.Close()
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
		{"a terminal", terminal, "xterm", "", true},
		{"a terminal in an output", &output{Writer: terminal}, "xterm", "", true},
		{"NO_COLOR", terminal, "xterm", "1", false},
		{"a terminal without colours", terminal, "dumb", "", false},
		{"a file", file, "xterm", "", false},
		{"not a file", io.Discard, "xterm", "", false},
	} {
		t.Setenv("TERM", c.term)
		t.Setenv("NO_COLOR", c.noColor)
		if got := Paint(c.to, Red, "text"); strings.HasPrefix(got, "\x1b[31mtext") != c.want || !c.want && got != "text" {
			t.Errorf("%s: %q", c.about, got)
		}
	}
}
