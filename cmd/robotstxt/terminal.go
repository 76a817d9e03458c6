package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
)

// The colours, as terminals know them (ECMA-48, section 8.3.117).
const (
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	faint  = "\x1b[2m"
	plain  = "\x1b[0m"
)

// isTerminal reports whether somebody is likely to watch what is written to w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// isColoured reports whether what is written to w may have colours: on a terminal
// only, and never if the environment has NO_COLOR (no-color.org).
func isColoured(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == ""
}

// paint puts s in a colour.
func paint(coloured bool, colour, s string) string {
	if !coloured {
		return s
	}
	return colour + s + plain
}

// flush ends writing to w and returns the error of the last writer to it, or that of
// flushing, which is the same if w could not be written to.
func flush(w *bufio.Writer, err error) error {
	if err != nil {
		return err
	}
	return w.Flush()
}

// printJSON writes v as a line of JSON.
func printJSON(w io.Writer, v any) error { return encodeJSON(w, "", v) }

// printLongJSON writes v as JSON for people to read, too.
func printLongJSON(w io.Writer, v any) error { return encodeJSON(w, "  ", v) }

func encodeJSON(w io.Writer, indent string, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}
