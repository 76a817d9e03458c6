package robotstxt

import (
	"iter"
	"strings"
)

// A table holds the contents of a parsed file. All text is in one string, and each line
// has the offset at which its text starts.
//
// A section starts at a user-agent line, its header, and ends before the next user-agent
// line that follows a rule. The number of a section is the index of its header. Section 0
// is the part of the file above the first user-agent line. The header of section 0 is not a
// line of the file. After the last line of the file, the table has one more header, which
// ends the last section.
type table struct {
	text  string
	lines []line
	names []name // sorted by token, then in file order
}

// A line is a rule, a sitemap or a record. Several user-agent lines in a row are a single line. Its
// text ends where the text of the next line starts.
type line struct {
	start uint32
	bits  uint32 // the number of the line, its flags, and the classes of a rule's pattern
}

const (
	header     uint32 = 1 << (iota + 19) // a user-agent line that starts a section
	userAgent                            // one or more user-agent lines; the text contains all names on them (see name)
	sitemap                              // a sitemap line; the text is its value
	record                               // a record; the text is its key, a colon and its value
	crawlDelay                           // a record with the key Crawl-delay
	allow                                // an allow rule
	implied                              // an allow rule for a directory; addRule adds it after an allow rule for the directory's index page
	rewritten                            // a rule whose canonical pattern differs from the written one; the text is both, separated by a line feed

	// A user-agent line is neither an allow rule nor a crawl-delay. So the bits of allow and
	// crawlDelay have another meaning on user-agent lines.
	hasRules   = allow      // the line is the header of a section with rules
	hasRecords = crawlDelay // records belong to the line; see builder.userAgent
	numberMask = 1<<19 - 1  // enough for every line number, because a file of SizeLimit bytes has fewer lines
	classShift = 27
	classMask  = uint32(patternClasses) << classShift
)

func (l line) has(flags uint32) bool { return l.bits&flags != 0 }

func (l line) isRule() bool { return !l.has(userAgent | sitemap | record) }

// number returns the line number in the file. For a user-agent line, it returns the section's
// number instead: the index of the section's header.
func (l line) number() int { return int(l.bits & numberMask) }

func (l line) classes() octetClass { return octetClass(l.bits >> classShift) }

// A name is a product token on a user-agent line. Its text consists of two lines: the token
// in folded form, and the token as written. Each of the two ends with a line feed. For "*",
// the first line is empty.
type name struct {
	start uint32 // where the text of the name starts in table.text
	line  uint32 // the index of its user-agent line; user-agent lines of a section without a record between them share the index of the first one
}

// at returns the text of line i.
func (t *table) at(i int) string { return t.text[t.lines[i].start:t.lines[i+1].start] }

// rule returns the pattern of rule i in canonical form and as written. For example, the
// allow rule "/a/index.html" has an implied rule with the pattern "/a/$". For this implied
// rule, canonical is "/a/", without the "$", and written is "/a/index.html".
func (t *table) rule(i int) (canonical, written string) {
	if t.lines[i].has(implied) {
		page, written := t.rule(i - 1)
		return page[:strings.LastIndexByte(page, '/')+1], written
	}
	canonical = t.at(i)
	written = canonical
	if t.lines[i].has(rewritten) {
		canonical, written, _ = strings.Cut(canonical, "\n")
	}
	return canonical, written
}

// sections returns the index of the header of each section that contains one of the names.
// The names must be in file order.
func (t *table) sections(names []name) iter.Seq[int] {
	return func(yield func(int) bool) {
		prev := -1
		for _, n := range names {
			section := t.lines[n.line].number()
			if section != prev && !yield(section) {
				return
			}
			prev = section
		}
	}
}

// section returns the lines of a section and their indexes. The first line is the header.
func (t *table) section(first int) iter.Seq2[int, line] {
	return func(yield func(int, line) bool) {
		for i := first; yield(i, t.lines[i]) && !t.lines[i+1].has(header); i++ {
		}
	}
}
