package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A Severity says how much a finding matters.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // a line does nothing, or not what it says
	Warning Severity = "warning" // crawlers disagree about what it means
	Info    Severity = "info"    // nothing is wrong, but the owner may want to know
)

// A Finding is one thing that is wrong, or worth knowing, about a file. Its code
// and its place are stable; the wording of Text and Advice may change.
type Finding struct {
	Line     int      // counted from 1, as robotstxt.Lines does
	Column   int      // in bytes of the line in UTF-8, counted from 1
	Code     string   // one of Codes
	Severity Severity // that of the code
	Text     string   // what happens, in a sentence
	Advice   string   // what to write instead, in a sentence
	More     int      // findings of the same code that are left out, if this is the last of them
}

// String returns the finding as "line:column: severity: text advice [code]".
func (f Finding) String() string {
	return fmt.Sprintf("%d:%d: %s: %s %s [%s]", f.Line, f.Column, f.Severity, f.Text, f.Advice, f.Code)
}

// perCode is how many findings of one code a file can have, unless the code has
// a limit of its own.
const perCode = 20

// Check returns what is wrong in a robots.txt file, in the order of lines and
// columns. Any bytes will do as data, which is not kept. What is no robots.txt
// file at all, such as an HTML page, is one finding. Of one code no more than 20
// are reported, and of those that only inform often just the first; the last then
// says how many More there are.
//
// Lines and columns count in the text as [robotstxt.Lines] gives it, that is after
// a file in UTF-16 has become UTF-8. A finding about the whole file is at the line
// where it shows.
//
// The time is proportional to the length of data, of which hardly more than
// [robotstxt.SizeLimit] is looked at.
func Check(data []byte) []Finding {
	c := newChecker(data)
	if c.isOtherFormat() {
		return c.sorted()
	}
	for _, check := range fileChecks {
		check(c)
	}
	for _, l := range c.lines {
		if l.Text == "" {
			continue
		}
		for _, check := range lineChecks {
			check(c, l)
		}
	}
	for i := range c.sections {
		for _, check := range sectionChecks {
			check(c, &c.sections[i])
		}
	}
	for _, g := range c.groups {
		for _, check := range groupChecks {
			check(c, g)
		}
	}
	return c.sorted()
}

// The checks, by what they look at.
var (
	fileChecks = []func(*checker){
		checkEncoding, checkSize, checkRepeatedTokens, checkStar, checkSignalsOfStar, checkExtensions,
	}
	lineChecks = []func(*checker, robotstxt.Line){
		checkLength, checkInvisible, checkKey, checkJunk, checkComment, checkValue,
	}
	valueChecks = []func(*checker, robotstxt.Line){
		checkUserAgent, checkPath, checkPathCharacters, checkWildcards, checkSitemap, checkCrawlDelay,
		checkLicense, checkContentUsage, checkContentSignal,
	}
	sectionChecks = []func(*checker, *section){
		checkBeforeGroups, checkJoins, checkEmptyGroup,
	}
	groupChecks = []func(*checker, *group){
		checkRivals, checkCrawlDelays, checkSignalConflicts,
	}
)

// A checker holds one file, cut up for the checks, and collects their findings.
type checker struct {
	data     []byte
	lines    []robotstxt.Line
	sections []section // the first is what stands before the first user-agent line
	groups   []*group
	findings []Finding
	count    map[string]int // of the findings of each code, and of those left out
}

func newChecker(data []byte) *checker {
	c := &checker{data: data, count: map[string]int{}}
	c.lines = slices.Collect(robotstxt.Lines(data))
	c.sections = cutSections(c.lines)
	c.groups = joinSections(c.sections)
	return c
}

// report adds a finding, whose severity, and advice if it has none, are those of
// its code.
func (c *checker) report(f Finding) {
	code := codeOf[f.Code]
	c.count[f.Code]++
	if c.count[f.Code] > cmp.Or(code.limit, perCode) {
		return
	}
	f.Severity = code.Severity
	f.Advice = cmp.Or(f.Advice, code.Advice)
	c.findings = append(c.findings, f)
}

// sorted returns the findings in order, with a word on those left out.
func (c *checker) sorted() []Finding {
	slices.SortStableFunc(c.findings, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column), strings.Compare(x.Code, y.Code))
	})
	for i := len(c.findings) - 1; i >= 0; i-- {
		f := &c.findings[i]
		f.More = max(0, c.count[f.Code]-cmp.Or(codeOf[f.Code].limit, perCode))
		switch {
		case f.More == 1:
			f.Text += " There is one more like this."
		case f.More > 1:
			f.Text += fmt.Sprintf(" There are %d more like this.", f.More)
		}
		c.count[f.Code] = 0 // the last has said it
	}
	return c.findings
}

// A section is a run of user-agent lines and all that follows up to the next run.
type section struct {
	lines  []robotstxt.Line
	agents []agent
	closed bool // the whole site is disallowed
	joined bool // by a line that may have been meant to end a group
}

// An agent is a product token on a user-agent line.
type agent struct {
	token, folded string
	line          int
}

// cutSections cuts a file where a user-agent line follows an allow or disallow
// line (RFC 9309, section 2.2.1).
func cutSections(lines []robotstxt.Line) []section {
	var sections []section
	start, inRun := 0, false
	flush := func(end int) {
		s := section{lines: lines[start:end], agents: agentsOf(lines[start:end])}
		s.closed = s.allDisallowed()
		sections = append(sections, s)
		start = end
	}
	for i, l := range lines {
		switch l.Kind {
		case robotstxt.UserAgentKind:
			if !inRun {
				flush(i)
			}
			inRun = true
		case robotstxt.AllowKind, robotstxt.DisallowKind:
			inRun = false
		}
	}
	flush(len(lines))
	return sections
}

func agentsOf(lines []robotstxt.Line) []agent {
	var agents []agent
	for _, l := range lines {
		if l.Kind != robotstxt.UserAgentKind {
			continue
		}
		for _, name := range lex.Names(l.Value) {
			if token := name[:lex.NameLen(name)]; token != "" {
				agents = append(agents, agent{token, lex.Fold(token), l.Number})
			}
		}
	}
	return agents
}

// names reports whether the section is for the token.
func (s *section) names(folded string) bool {
	return slices.ContainsFunc(s.agents, func(a agent) bool { return a.folded == folded })
}

// rules returns the section's allow and disallow lines that have a path.
func (s *section) rules() []robotstxt.Line {
	return slices.DeleteFunc(slices.Clone(s.lines), func(l robotstxt.Line) bool { return !isRule(l) || l.Value == "" })
}

// isRule reports whether a line is an allow or disallow line.
func isRule(l robotstxt.Line) bool {
	return l.Kind == robotstxt.AllowKind || l.Kind == robotstxt.DisallowKind
}

// allDisallowed reports whether the section closes the whole site.
func (s *section) allDisallowed() bool {
	closed := false
	for _, l := range s.rules() {
		if l.Kind == robotstxt.AllowKind {
			return false
		}
		closed = closed || matchesAll(l.Value)
	}
	return closed
}

// A group is the sections that are for exactly the same tokens. It need not be
// all that holds for one of them, but takes no more than linear time to find.
type group struct {
	sections []*section
}

func joinSections(sections []section) []*group {
	var groups []*group
	known := map[string]*group{}
	for i := range sections {
		s := &sections[i]
		key := keyOf(s.agents)
		if key == "" {
			continue
		}
		g := known[key]
		if g == nil {
			g = new(group)
			known[key] = g
			groups = append(groups, g)
		}
		g.sections = append(g.sections, s)
	}
	return groups
}

// keyOf returns what is the same for lists of the same tokens.
func keyOf(agents []agent) string {
	var tokens []string
	for _, a := range agents {
		tokens = append(tokens, a.folded)
	}
	slices.Sort(tokens)
	return strings.Join(slices.Compact(tokens), "\n")
}

// lines returns the lines of the group of some kinds, in file order.
func (g *group) lines(kinds ...robotstxt.Kind) []robotstxt.Line {
	var lines []robotstxt.Line
	for _, s := range g.sections {
		for _, l := range s.lines {
			if slices.Contains(kinds, l.Kind) {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// longestQuote is how much of a string a sentence has, in characters.
const longestQuote = 60

// quote makes a string of a file fit for a sentence.
func quote(s string) string { return quoteUpTo(longestQuote, s) }

// quoteWhole is quote for what is to be written, up to the length of any URL.
func quoteWhole(s string) string { return quoteUpTo(2083, s) }

func quoteUpTo(most int, s string) string {
	n := 0
	for i := range s {
		if n == most {
			return strconv.Quote(s[:i] + "…")
		}
		n++
	}
	return strconv.Quote(s)
}
