package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// An output is the standard output of a command. It stores the first error of Write. The function
// run reports this error.
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

// WriteError returns the first error of writing to w, if w is an output.
func WriteError(w io.Writer) error {
	if o, ok := w.(*output); ok {
		return o.err
	}
	return nil
}

// fileOf returns the file that w writes to, or false if w does not write to a file.
func fileOf(w io.Writer) (f *os.File, ok bool) {
	if o, isOutput := w.(*output); isOutput {
		w = o.Writer
	}
	f, ok = w.(*os.File)
	return f, ok
}

func IsTerminal(w io.Writer) bool {
	f, ok := fileOf(w)
	return ok && term.IsTerminal(int(f.Fd()))
}

// The width of text, in columns.
const (
	DefaultColumns = 80 // if the width is unknown
	MinColumns     = 60 // even if the terminal is narrower
)

// ColumnsOf returns the width of the terminal w or, if w is not a terminal, the width in the
// environment variable COLUMNS. If that is missing, it returns DefaultColumns. The result is at
// least MinColumns.
func ColumnsOf(w io.Writer) int {
	if f, ok := fileOf(w); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return max(width, MinColumns)
		}
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		return max(width, MinColumns)
	}
	return DefaultColumns
}

// NewProgress returns a progress bar on w that counts to a number. It is invisible unless w is a terminal.
func NewProgress(w io.Writer, most int) *progressbar.ProgressBar {
	return progressbar.NewOptions(most, progressbar.OptionSetWriter(w), progressbar.OptionSetVisibility(IsTerminal(w)),
		progressbar.OptionShowCount(), progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish())
}

// A style is the number of a color or a way to print (ECMA-48, SGR).
type Style int

const (
	Faint  Style = 2
	Red    Style = 31
	Yellow Style = 33
	Cyan   Style = 36
)

// Paint returns s in a style if w is a terminal with colors. Otherwise, or if NO_COLOR is set
// (no-color.org), it returns s unchanged.
func Paint(w io.Writer, in Style, s string) string {
	if !IsTerminal(w) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return s
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", in, s)
}

// Visible escapes control characters and everything else in s that a terminal cannot show, and the
// start of a workflow command, "##[". It keeps line feeds and tabs.
func Visible(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == '\n' || r == '\t' || strconv.IsPrint(r) && (r != utf8.RuneError || size > 1) {
			b.WriteString(s[:size])
		} else {
			b.WriteString(strings.Trim(strconv.Quote(s[:size]), `"`))
		}
		s = s[size:]
	}
	return lex.NoCommand(b.String())
}

// Printable quotes a string if it could confuse a terminal or break a line of output.
func Printable(s string) string { return lex.Printable(s) }

// Wrap joins parts with separator. It breaks lines between parts, so that no line is wider
// than the given number of columns, and starts each line with indent. It never splits a part, even
// if the part is wider than a line.
func Wrap(columns int, parts []string, separator, indent string) string {
	var b strings.Builder
	width := 0 // of the current line
	for i, part := range parts {
		w := uniseg.StringWidth(part)
		switch {
		case i == 0:
			b.WriteString(indent)
			width = len(indent)
		case width+len(separator)+w+len(separator) > columns:
			b.WriteString(strings.TrimRight(separator, " ") + "\n" + indent)
			width = len(indent)
		default:
			b.WriteString(separator)
			width += len(separator)
		}
		b.WriteString(part)
		width += w
	}
	b.WriteByte('\n')
	return b.String()
}

// WrapText breaks text into lines that are not wider than the given number of columns.
func WrapText(columns int, text string) string { return Wrap(columns, strings.Fields(text), " ", "") }

// PrintLines prints lines of text. On a terminal, it wraps lines that are too wide between words.
func PrintLines(w io.Writer, text string) {
	columns := ColumnsOf(w)
	for line := range strings.Lines(text) {
		if IsTerminal(w) && uniseg.StringWidth(line) > columns {
			start := line[:len(line)-len(strings.TrimLeft(line, " "))]
			const indent = "    "
			line = start + Wrap(columns, strings.Fields(line), " ", indent)[len(indent):]
		}
		io.WriteString(w, line)
	}
}

// FirstColumns shortens s, unless it has fewer than width columns: for "abcdef" and a width of 4, it
// returns "abc…".
func FirstColumns(s string, width int) string {
	end := 0
	for used := 0; end < len(s); {
		_, size := utf8.DecodeRuneInString(s[end:])
		if used += uniseg.StringWidth(s[end : end+size]); used > width-1 {
			return s[:end] + "…"
		}
		end += size
	}
	return s
}

// LastColumns is like FirstColumns, but keeps the end of s: "…def".
func LastColumns(s string, width int) string {
	start := len(s)
	for used := 0; start > 0; {
		_, size := utf8.DecodeLastRuneInString(s[:start])
		if used += uniseg.StringWidth(s[start-size : start]); used > width-1 {
			return "…" + s[start:]
		}
		start -= size
	}
	return s
}

// OneRow returns s as one row for a terminal: tabs and line feeds become spaces.
func OneRow(s string) string {
	return strings.NewReplacer("\t", " ", "\n", " ").Replace(Visible(s))
}

// Shorten keeps the first items of a list, up to a limit, and returns the number of items left out.
// But it never leaves out just one item, because "and 1 more" would take as much room.
func Shorten[T any](list []T, limit int) (shown []T, more int) {
	if len(list) <= limit+1 {
		return list, 0
	}
	return list[:limit], len(list) - limit
}

// Plural returns a number with a noun, such as "2 errors".
func Plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
