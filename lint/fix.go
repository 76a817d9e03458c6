package lint

import (
	"cmp"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// ErrTooLarge is the error that [Fix] returns for a file that is, or would become, larger
// than crawlers read.
var ErrTooLarge = section.ErrTooLarge

// Fix applies the edits of all findings, and repeats this until no finding has an edit. Findings
// without an edit remain, because they need a person's judgment. Fix does not change other lines,
// but it converts a file in UTF-16 with a byte-order mark to UTF-8.
//
// The edits do not change what the file means to package robotstxt: for all agents and URLs, the
// decisions stay the same, and so do the sitemaps, the crawl-delays and the other records. Fix
// deletes a sitemap line only if the same sitemap is listed above it, and a rule only if the same
// rule is above it in the same group. So deleted rules make no difference to crawlers that do not
// know wildcards, either.
//
// Fix accepts any bytes. It returns [ErrTooLarge] if the file is, or would become, larger than
// crawlers read.
func Fix(data []byte) ([]byte, error) {
	if section.Size(data) > robotstxt.SizeLimit {
		return nil, ErrTooLarge
	}
	for {
		edits := editsOf(check(data))
		if len(edits) == 0 {
			return data, nil
		}
		data = applyEdits(data, edits)
		if len(data) > robotstxt.SizeLimit {
			return nil, ErrTooLarge
		}
	}
}

// editsOf returns one edit for each line that needs an edit, by line number. If several findings
// edit one line, editsOf returns an edit that deletes the line or, if there is none, the first edit.
func editsOf(findings []Finding) map[int]*Edit {
	edits := map[int]*Edit{}
	for _, f := range findings {
		if f.Fix != nil && (edits[f.Line] == nil || f.Fix.Delete) {
			edits[f.Line] = f.Fix
		}
	}
	return edits
}

// applyEdits returns the edited file, in UTF-8. New lines have the line ending of the line
// that they replace.
func applyEdits(data []byte, edits map[int]*Edit) []byte {
	var text []byte
	rest, isUTF8 := data, !lex.IsUTF16(data)
	for l := range robotstxt.Lines(data) {
		end := "\n"
		if isUTF8 {
			rest = rest[len(l.Text):]
			end = section.LineEnd(rest)
			rest = rest[len(end):]
		}
		switch e := edits[l.Number]; {
		case e == nil:
			text = append(text, l.Text+end...)
		case !e.Delete:
			text = append(text, strings.ReplaceAll(e.Text, "\n", cmp.Or(end, "\n"))+end...)
		}
	}
	return text
}
