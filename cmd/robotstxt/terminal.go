package main

import (
	"encoding/json"
	"io"
	"os"

	"github.com/fatih/color"
	"golang.org/x/term"
)

// An output is where a command prints its answer. It remembers the first error, so
// that only run has to look for one.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.Writer.Write(p)
	o.err = err
	return n, err
}

// isTerminal reports whether somebody is likely to watch what is written to w.
func isTerminal(w io.Writer) bool {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// paint returns s in a colour if w is a terminal that has colours and the user
// wants them (no-color.org).
func paint(w io.Writer, colour color.Attribute, s string) string {
	c := color.New(colour)
	c.DisableColor()
	if isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		c.EnableColor()
	}
	return c.Sprint(s)
}

// printJSON writes v as a line of JSON.
func printJSON(w io.Writer, v any) error { return encodeJSON(w, "", v) }

// printLongJSON writes v as JSON that people can read, too.
func printLongJSON(w io.Writer, v any) error { return encodeJSON(w, "  ", v) }

func encodeJSON(w io.Writer, indent string, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}
