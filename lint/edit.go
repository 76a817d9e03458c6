package lint

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// An Edit corrects a line without changing what the file means to package
// robotstxt: every decision, record and sitemap stays the same. An Edit corrects
// everything in its line that it can, so several findings may have the same one.
// If one of them deletes the line, that one wins. A comment behind a deleted line
// stays, as its new text.
type Edit struct {
	Line   int    // counted from 1, as in the Finding
	Delete bool   // whether the line goes, with its end
	Text   string // the new line, or several separated by "\n"; empty if Delete
}

// ErrTooLarge is what [Fix] and [Format] return for a file whose end crawlers do not
// read, or would not read afterwards.
var ErrTooLarge = errors.New("the file is, or would be, larger than the 500 KiB that crawlers read")

// Fix applies the edits of all findings, until [Check] returns no finding with an
// edit. All other lines stay as they are. A file in UTF-16 becomes UTF-8.
//
// No decision of package robotstxt changes for any agent and URL, and no record.
// Sitemaps stay the same, except that each is listed once. Findings without an edit
// need a person's judgment, and stay.
//
// Fix takes any bytes, but returns [ErrTooLarge] instead of losing the
// end of a file.
func Fix(data []byte) ([]byte, error) {
	if textSize(data) > robotstxt.SizeLimit {
		return nil, ErrTooLarge
	}
	for {
		edits := editsOf(Check(data))
		if len(edits) == 0 {
			return data, nil
		}
		data = applyEdits(data, edits)
		if len(data) > robotstxt.SizeLimit {
			return nil, ErrTooLarge
		}
	}
}

// editsOf returns the edit of each line that has one. If one finding deletes a line
// and another corrects it, the line is deleted.
func editsOf(findings []Finding) map[int]*Edit {
	edits := map[int]*Edit{}
	for _, f := range findings {
		if f.Fix != nil && (edits[f.Line] == nil || f.Fix.deletes()) {
			edits[f.Line] = f.Fix
		}
	}
	return edits
}

// applyEdits returns the file with the edits, in UTF-8. New lines end as the line
// that they replace.
func applyEdits(data []byte, edits map[int]*Edit) []byte {
	var text []byte
	rest, isUTF8 := data, !isUTF16(data)
	for l := range robotstxt.Lines(data) {
		end := "\n"
		if isUTF8 {
			rest = rest[len(l.Text):]
			end = lineEnd(rest)
			rest = rest[len(end):]
		}
		switch e := edits[l.Number]; {
		case e == nil:
			text = append(text, l.Text+end...)
		case !e.Delete:
			newEnd := end
			if newEnd == "" {
				newEnd = "\n"
			}
			text = append(text, strings.ReplaceAll(e.Text, "\n", newEnd)+end...)
		}
	}
	return text
}

// lineEnd returns the end of a line that rest starts with.
func lineEnd(rest []byte) string {
	switch {
	case len(rest) > 1 && rest[0] == '\r' && rest[1] == '\n':
		return "\r\n"
	case len(rest) > 0:
		return string(rest[:1])
	}
	return ""
}

// deletion returns the edit that deletes a line. A comment behind it stays.
func deletion(l *line) *Edit {
	return &Edit{Line: l.Number, Delete: l.Comment == "", Text: l.Comment}
}

// deletes reports whether nothing but a comment is left of the line.
func (e *Edit) deletes() bool { return e != nil && (e.Delete || strings.HasPrefix(e.Text, "#")) }

// correction returns the edit that corrects what can be corrected in a line, or nil
// if there is nothing.
func (c *checker) correction(l *line) *Edit {
	text := c.corrected(l)
	if text == l.Text || startsUTF16(text) && l.Number == 1 {
		return nil
	}
	return &Edit{Line: l.Number, Text: text}
}

// corrected returns a line of the protocol with its key in the usual spelling, a
// colon, no invisible characters, and a better value.
func (c *checker) corrected(l *line) string {
	keyEnd, valueEnd := l.KeyColumn-1+len(l.Key), l.ValueColumn-1+len(l.Value)
	before, gap := visible(l.Text[:l.KeyColumn-1]), visible(l.Text[keyEnd:l.ValueColumn-1])
	after := visible(strings.TrimSuffix(l.Text[valueEnd:], l.Comment)) + l.Comment
	if l.Comment == "" {
		after = ""
	}
	if !l.Colon {
		gap = ": "
	}
	key := l.Key
	if isKnown(l.Kind) && !strings.EqualFold(key, l.Kind.String()) {
		key = l.Kind.String()
	}
	values := c.correctedValues(l)
	for i, value := range values {
		values[i] = before + key + gap + value
	}
	values[0] += after
	return strings.Join(values, "\n")
}

// visible returns s without invisible characters other than plain white space.
func visible(s string) string {
	if !lex.CharsOf(s).HasAny(invisibleChars) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isHidden(r) {
			return -1
		}
		return r
	}, s)
}

// correctedValues returns the values of the lines that replace a line.
func (c *checker) correctedValues(l *line) []string {
	if _, key := keyIn(l); key != "" || placeholderIn(l) != "" {
		return []string{l.Value} // the owner has to say what it should be
	}
	switch {
	case l.Kind == robotstxt.UserAgentKind:
		return correctedNames(l.Value)
	case isRule(l):
		return []string{c.correctedPath(l)}
	}
	return []string{l.Value}
}

// correctedNames returns the names on a user-agent line without versions and stars.
func correctedNames(value string) []string {
	if strings.Contains(value, "[") || strings.Trim(value, ", \t") == "" {
		return []string{value}
	}
	var names []string
	for _, name := range lex.Names(value) {
		token, rest := cutName(name)
		if isVersionOrStar(token, rest) {
			name = token
		}
		if name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return []string{value}
	}
	return names
}

// correctedPath returns the path of a rule as every crawler understands it.
func (c *checker) correctedPath(l *line) string {
	path := l.Value
	if path == "" || l.chars.HasAny(invisibleChars) && strings.ContainsFunc(path, isHidden) || regexpIn(l) != "" || isURL(path) {
		return path
	}
	if lacksSlash(path) && slashBelongs(path) {
		path = "/" + path
	}
	if hasSpace(path) && !hasSeveralPaths(path) {
		path = strings.NewReplacer(" ", "%20", "\t", "%09").Replace(path)
	}
	if l.chars.HasAny(lex.Foreign) && utf8.ValidString(path) {
		path = escaped(path)
	}
	if c.starIsIdle(l) {
		path = withoutStar(path)
	}
	return path
}

// starIsIdle reports whether a star at the end of a rule can go: all rules for its
// crawlers are of one kind, so their lengths do not matter.
func (c *checker) starIsIdle(l *line) bool {
	s := c.sectionOf(l)
	if len(s.agents) == 0 || withoutStar(l.Value) == l.Value {
		return false
	}
	for _, a := range s.agents {
		if k := c.rulesOf[a.folded]; k.allow && k.disallow {
			return false
		}
	}
	return true
}

// withoutStar returns a path without the stars at its end, unless it would mean
// something else then.
func withoutStar(path string) string {
	short := strings.TrimRight(path, "*")
	if short == "" || short[len(short)-1] == '$' {
		return path
	}
	return short
}

// keepSomeRules takes the edits back that would leave a section without an allow or
// disallow line, because such a line ends a run of user-agent lines.
func (c *checker) keepSomeRules() {
	deleted := map[int]bool{}
	for _, f := range c.findings {
		if f.Fix.deletes() {
			deleted[f.Line] = true
		}
	}
	if len(deleted) == 0 {
		return
	}
	kept := map[int]bool{}
	for i := range c.sections {
		var first int
		for _, l := range c.sections[i].lines {
			if isRule(l) && !deleted[l.Number] {
				first = 0
				break
			}
			if isRule(l) && first == 0 {
				first = l.Number
			}
		}
		kept[first] = true
	}
	for i := range c.findings {
		if f := &c.findings[i]; f.Fix.deletes() && kept[f.Line] {
			f.Fix = nil
		}
	}
}
