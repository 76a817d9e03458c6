package robotstxt

import (
	"iter"
	"strings"
)

// A table is what a File keeps of the file it was parsed from. All text is in one
// string, and a line knows where in it its own text starts.
//
// A section is a run of user-agent lines with the rules and records that follow, up to
// the next run. It is known by the index of its header, which is its first line. Section
// 0 is what comes before any user-agent line. The header of that section, and a last one
// after all lines, are not in the file.
type table struct {
	text  string
	lines []line
	names []name // by token, then in file order
}

// A line is a rule, a sitemap, a record, or a user-agent line together with those that
// follow it at once. Its text ends where the text of the next line starts.
type line struct {
	start uint32
	bits  uint32 // the line's number, its flags, and the classes of a rule's pattern
}

const (
	header     uint32 = 1 << (iota + 19) // a user-agent line that starts a section
	userAgent                            // the text is the tokens; see name
	sitemap                              // the text is the value
	record                               // the text is the key, a colon and the value
	crawlDelay                           // a record with this key
	allow                                // an allow rule
	indexPage                            // an allow rule that also allows a directory; see directory
	rewritten                            // the text of the rule is not the pattern as written; see rule

	numberMask = 1<<19 - 1 // SizeLimit bytes have fewer lines
	classShift = 27
	classMask  = uint32(patternClasses) << classShift
)

func (l line) has(flags uint32) bool { return l.bits&flags != 0 }

func (l line) isRule() bool { return !l.has(userAgent | sitemap | record) }

func (l line) number() int { return int(l.bits & numberMask) }

func (l line) classes() octetClass { return octetClass(l.bits >> classShift) }

// A name is a product token on a user-agent line. Its text is the token in folded form,
// a line feed, the token as written, and a line feed. "*" becomes the empty token.
type name struct {
	start uint32 // of its text
	line  uint32
}

// at returns the text of line i.
func (t *table) at(i int) string { return t.text[t.lines[i].start:t.lines[i+1].start] }

// rule returns rule i: the form that paths are compared with, which is the pattern in one
// spelling and without a "$" at its end; the length of the canonical pattern; and the
// pattern as written.
//
// The text is the canonical pattern. If the file has another one, it follows after a line
// feed. If the canonical pattern has escapes with another spelling, that spelling takes
// its place, with line feeds for the octets that are no longer there.
func (t *table) rule(i int) (form string, octets int, written string) {
	form = t.at(i)
	octets, written = len(form), form
	if t.lines[i].has(rewritten) {
		form, written, _ = strings.Cut(form, "\n")
		padded := len(written)
		written = strings.TrimLeft(written, "\n")
		octets = len(form) + padded - len(written)
	}
	if t.lines[i].classes()&dollarClass != 0 {
		form = form[:len(form)-1]
	}
	return form, octets, written
}

// sections returns the sections of the names of a token, each with the index of the
// first name that it has.
func (t *table) sections(names []name) iter.Seq2[int, uint32] {
	return func(yield func(int, uint32) bool) {
		prev := -1
		for i, n := range names {
			section := int(n.line)
			for section > prev && !t.lines[section].has(header) {
				section--
			}
			if section > prev && !yield(i, uint32(section)) {
				return
			}
			prev = int(n.line)
		}
	}
}

// from returns line i and those after it in its section. There are none in a table of
// nothing.
func (t *table) from(i uint32) iter.Seq2[int, line] {
	return func(yield func(int, line) bool) {
		first := int(i)
		for i := first; i < len(t.lines) && (i == first || !t.lines[i].has(header)) && yield(i, t.lines[i]); i++ {
		}
	}
}
