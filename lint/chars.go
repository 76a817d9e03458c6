package lint

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A line is a line of the file with the set of the characters of its value. Most
// lines have only ordinary characters, so most checks need not look at the value.
type line struct {
	robotstxt.Line
	chars   charSet
	section int // the index of the section that it is in
}

// readLines returns the lines of a file.
func readLines(data []byte) []*line {
	read := make([]line, 0, bytes.Count(data[:min(len(data), robotstxt.SizeLimit)], []byte("\n"))+1)
	for l := range robotstxt.Lines(data) {
		read = append(read, line{Line: l, chars: charsOf(l.Value)})
	}
	lines := make([]*line, len(read))
	for i := range read {
		lines[i] = &read[i]
	}
	return lines
}

// canonicalPath returns the canonical form of the path of a rule.
func (l *line) canonicalPath() string {
	if canonicalChars.hasAll(l.chars) && (l.Value[0] == '/' || l.Value[0] == '*') {
		return l.Value
	}
	return robotstxt.NewPattern(l.Value).Canonical()
}

// A mark is a string to look for, with its characters.
type mark struct {
	text  string
	chars charSet
}

// marks returns marks for some texts.
func marks(texts ...string) (all []mark) {
	for _, text := range texts {
		all = append(all, mark{text, charsOf(text)})
	}
	return all
}

// firstFold returns the first of some marks that is in the value in lower case, or
// nothing.
func (l *line) firstFold(marks []mark) string {
	lower := ""
	for i := range marks {
		if !l.mayHave(marks[i].chars) {
			continue
		}
		if lower == "" {
			lower = strings.ToLower(l.Value)
		}
		if strings.Contains(lower, marks[i].text) {
			return marks[i].text
		}
	}
	return ""
}

// mayHave reports whether the value in lower case may have all of some characters.
func (l *line) mayHave(chars charSet) bool {
	return l.chars.hasAll(chars) || l.chars.hasAny(foreignChars) // some become ASCII letters
}

// A charSet is a set of characters. The two cases of an ASCII letter are one member,
// and so are all digits, all control characters except the tab, and all bytes of
// characters outside ASCII.
type charSet uint64

func charsOf(s string) (set charSet) {
	for i := range len(s) {
		set |= memberOf[s[i]]
	}
	return set
}

// hasAny reports whether a member of the other set is in the set.
func (set charSet) hasAny(other charSet) bool { return set&other != 0 }

// hasAll reports whether all members of the other set are in the set.
func (set charSet) hasAll(other charSet) bool { return other&^set == 0 }

// memberOf has the set of each byte.
var memberOf = func() (members [256]charSet) {
	const digit, control, foreign = 1 << 61, 1 << 62, 1 << 63
	next := charSet(1)
	for c := range members {
		switch b := byte(c); {
		case b >= utf8.RuneSelf:
			members[c] = foreign
		case '0' <= b && b <= '9':
			members[c] = digit
		case 'a' <= b && b <= 'z':
			members[c] = members[b-'a'+'A']
		case lex.IsGraphic(b) || b == ' ' || b == '\t':
			members[c] = next
			next <<= 1
		default:
			members[c] = control
		}
	}
	return members
}()

var (
	colonChars     = charsOf(":")
	openingChars   = charsOf("{<[")
	yourChars      = charsOf("your")
	spaceChars     = charsOf(" \t")
	foreignChars   = charsOf("\x80")
	invisibleChars = charsOf("\x00\x80") // and all other characters outside ASCII
	canonicalChars = func() (set charSet) {
		for c := range byte(utf8.RuneSelf) {
			if lex.IsLegal(c) && c != '%' {
				set |= memberOf[c]
			}
		}
		return set
	}()
)
