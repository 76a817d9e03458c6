package lint

import (
	"cmp"
	"errors"
	"math"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/reading"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// ErrTooLarge is the error that [Fix] returns for a file that is, or would become, larger than
// crawlers read.
var ErrTooLarge = errors.New("the file is larger than the 500 KiB that crawlers read, or would be after the change")

// Fix applies the edits of all findings except those with an ignored code, and repeats this until no
// finding has an edit. For all crawlers and URLs, the decisions of package robotstxt stay the same.
// Fix does not change other lines, and leaves a file in UTF-16 alone.
func Fix(data []byte, ignored ...string) ([]byte, error) {
	if reading.IsUTF16(data) {
		return data, nil
	}
	// The loop ends: an edit deletes text, or corrects a key or colon, and no edit undoes another.
	for {
		if len(data) > robotstxt.SizeLimit {
			return nil, ErrTooLarge
		}
		edits := map[int]*Edit{} // by line
		for _, f := range check(data, ignored, math.MaxInt) {
			if f.Fix != nil {
				edits[f.Line] = f.Fix
			}
		}
		if len(edits) == 0 {
			return data, nil
		}
		data = apply(data, edits)
	}
}

// apply returns a file in UTF-8 with the edits, whose keys are line numbers. New lines have the
// ending of the line that they replace.
func apply(data []byte, edits map[int]*Edit) []byte {
	var out []byte
	for l := range robotstxt.Lines(data) {
		end := section.LineEnd(data[len(l.Text):])
		data = data[len(l.Text)+len(end):]
		e, ok := edits[l.Number]
		if ok && e.Delete {
			continue
		}
		text := l.Text
		if ok {
			text = strings.ReplaceAll(e.Text, "\n", cmp.Or(end, "\n"))
		}
		out = append(out, text+end...)
	}
	return out
}

// replace returns an edit that replaces a part of the line.
func (l *line) replace(column, length int, text string) *Edit {
	return &Edit{Text: l.Text[:column-1] + text + l.Text[column-1+length:]}
}

// rewriteIfSameValue returns an edit that replaces the text of the line, or nil if that would change the
// value of the line.
func (l *line) rewriteIfSameValue(text string) *Edit {
	if firstLine(text).Value != l.Value {
		return nil
	}
	return &Edit{Text: text}
}

// firstLine returns the first line of a text, or an empty line if there is none.
func firstLine(text string) robotstxt.Line {
	for l := range robotstxt.Lines([]byte(text)) {
		return l
	}
	return robotstxt.Line{}
}
