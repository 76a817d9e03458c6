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
	Warning Severity = "warning" // crawlers read the line differently, or it may not do what is meant
	Info    Severity = "info"    // nothing is wrong, but the owner may want to know
)

// A Finding is one thing that is wrong, or worth knowing, about a file. Its code
// and its place are stable; the wording of Text and Advice may change.
type Finding struct {
	Line     int      // counted from 1, as robotstxt.Lines does
	Column   int      // in bytes of the line in UTF-8, counted from 1
	Code     string   // one of Codes
	Severity Severity // of the code
	Text     string   // what happens, in a sentence
	Advice   string   // what to write instead, in a sentence
	Fix      *Edit    // corrects the line without changing what the file means, or nil
	More     int      // findings of the same code that are left out, if this is the last of them
}

// String returns the finding as "line:column: severity: text advice [code]".
func (f Finding) String() string {
	return fmt.Sprintf("%d:%d: %s: %s %s [%s]", f.Line, f.Column, f.Severity, f.Text, f.Advice, f.Code)
}

// mostPerCode is how many findings of one code a file can have. It keeps what Check
// returns for a hostile file in proportion to the file.
const mostPerCode = 10000

// Check returns what is wrong in a robots.txt file, in the order of lines and
// columns. Check takes any bytes, and does not keep them. For a file that is not a
// robots.txt file at all, such as an HTML page, there is only one finding.
//
// Often a mistake is on many lines. To show a file to people, show the first
// finding of each code and name the lines of the others. Of one code, no more than
// 10,000 are reported; the last then says how many More there are.
//
// Lines and columns count in the text as [robotstxt.Lines] returns it, so a file in
// UTF-16 has become UTF-8. A finding about the whole file is at the line where it
// shows.
//
// A comment in the file can silence codes: on a line of its own for the whole file,
// behind something else for that line.
//
//	# robotstxt-lint: ignore trailing-star, duplicate-rule
//
// The time is proportional to the length of data, of which hardly more than
// [robotstxt.SizeLimit] is looked at.
func Check(data []byte) []Finding { return check(nil, data) }

// CheckParsed is [Check] for a caller that has parsed the file already: file is the
// result of [robotstxt.Parse] for data.
func CheckParsed(file *robotstxt.File, data []byte) []Finding { return check(file, data) }

// check runs all checks and sorts their findings. The file is nil if it is not parsed
// yet.
func check(file *robotstxt.File, data []byte) []Finding {
	c := &checker{data: data, file: file}
	if c.isPage() {
		return c.findings
	}
	c.lines = readLines(data)
	c.ignored = readIgnored(c.lines)
	if !c.isOtherFormat() {
		c.cut()
		c.runChecks()
		c.keepSomeRules()
	}
	c.limit()
	return c.findings
}

func (c *checker) runChecks() {
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
	checkDead(c) // last, because it leaves out what others have found
}

// The checks, by what they look at.
var (
	fileChecks = []func(*checker){
		checkEncoding, checkSize, checkIgnores, checkRepeatedTokens, checkStar, checkDroppedRules,
		checkSitemaps, checkSignalsOfStar, checkExtensions,
	}
	lineChecks = []func(*checker, *line){
		checkLength, checkInvisible, checkKey, checkJunk, checkComment, checkValue,
	}
	ruleChecks  = []func(*checker, *line){checkPath, checkPathCharacters, checkWildcards}
	valueChecks = [...][]func(*checker, *line){ // by the kind of the line
		robotstxt.UserAgentKind:  {checkUserAgent},
		robotstxt.AllowKind:      ruleChecks,
		robotstxt.DisallowKind:   ruleChecks,
		robotstxt.SitemapKind:    {checkSitemap},
		robotstxt.CrawlDelayKind: {checkCrawlDelay},
		robotstxt.OtherKind:      {checkLicense, checkCleanParam, checkContentUsage, checkContentSignal},
	}
	sectionChecks = []func(*checker, *section){
		checkBeforeGroups, checkJoins, checkEmptyGroup, checkEmptyRules, checkManyRules, checkGoogleDelay,
	}
	groupChecks = []func(*checker, *group){
		checkRivals, checkCrawlDelays, checkSignalConflicts,
	}
)

// A checker holds one file, cut up for the checks, and collects their findings.
type checker struct {
	data      []byte
	file      *robotstxt.File // nil until needed
	lines     []*line
	sections  []section // the first is what comes before the first user-agent line
	groups    []*group
	rulesOf   map[string]tokenRules // for all tokens, folded
	ignored   ignored
	idle      map[int]bool // lines with rules that do nothing
	hasDollar bool         // a "$" has been reported
	sitemaps  int          // compared with the rules
	usages    int          // Content-Usage lines that are compared with the rules
	findings  []Finding
}

// tokenRules says how many rules there are for a token, and of which kinds.
type tokenRules struct {
	count           int
	allow, disallow bool
	last            *section // with the token
}

// add adds the rules of a section, which may name the token twice.
func (r tokenRules) add(s *section) tokenRules {
	if r.last == s {
		return r
	}
	return tokenRules{r.count + len(s.rules), r.allow || s.allow, r.disallow || s.disallow, s}
}

// cut cuts the file up.
func (c *checker) cut() {
	if c.file == nil {
		c.file = robotstxt.Parse(c.data)
	}
	c.rulesOf, c.idle = map[string]tokenRules{}, map[int]bool{}
	c.cutSections()
	c.groups = joinSections(c.sections)
	for i := range c.sections {
		s := &c.sections[i]
		for _, a := range s.agents {
			c.rulesOf[a.folded] = c.rulesOf[a.folded].add(s)
		}
	}
}

// sectionOf returns the section that a line is in.
func (c *checker) sectionOf(l *line) *section { return &c.sections[l.section] }

// report adds a finding, unless the file asks to ignore it. Its severity, and its
// advice if it has none, are those of its code.
func (c *checker) report(f Finding) {
	if c.ignored.has(f) {
		return
	}
	code := codeOf[f.Code]
	f.Severity = code.Severity
	f.Advice = cmp.Or(f.Advice, code.Advice)
	c.findings = append(c.findings, f)
}

// limit puts the findings in order and leaves out those beyond mostPerCode.
func (c *checker) limit() {
	slices.SortStableFunc(c.findings, func(x, y Finding) int {
		if x.Line != y.Line {
			return x.Line - y.Line
		}
		return cmp.Or(cmp.Compare(x.Column, y.Column), strings.Compare(x.Code, y.Code))
	})
	if len(c.findings) <= mostPerCode {
		return
	}
	count, last := map[string]int{}, map[string]int{}
	kept := c.findings[:0]
	for _, f := range c.findings {
		count[f.Code]++
		if count[f.Code] <= mostPerCode {
			last[f.Code] = len(kept)
			kept = append(kept, f)
		}
	}
	for code, i := range last {
		kept[i].More = max(0, count[code]-mostPerCode)
	}
	c.findings = kept
}

// A section is a run of user-agent lines and everything up to the next run.
type section struct {
	lines   []*line
	agents  []agent
	rules   []*line // allow and disallow lines that have a path
	records []*line // lines of a kind that is not part of the protocol, and crawl-delays

	allow, disallow bool // there are such rules
	pathless        bool // there is a disallow line without a path

	closed bool   // the whole site is disallowed
	says   string // the result of summary; empty until needed
}

// An agent is a product token on a user-agent line.
type agent struct {
	token, folded string
	line          int
}

// cutSections cuts a file where a user-agent line follows an allow or disallow
// line (RFC 9309, section 2.2.1).
func (c *checker) cutSections() {
	count := 0
	for _, l := range c.lines {
		if isRule(l) {
			count++
		}
	}
	rules := make([]*line, 0, count)
	start, inRun := 0, false
	flush := func(end int) {
		s := newSection(c.lines[start:end], len(c.sections), rules[len(rules):])
		rules = rules[:len(rules)+len(s.rules)]
		c.sections = append(c.sections, s)
		start = end
	}
	for i, l := range c.lines {
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
	flush(len(c.lines))
}

// newSection returns the section that has the index. There is room for its rules.
func newSection(lines []*line, index int, room []*line) section {
	s := section{lines: lines, rules: room}
	for _, l := range lines {
		l.section = index
		switch {
		case l.Kind == robotstxt.UserAgentKind:
			s.agents = appendAgents(s.agents, l)
		case isRule(l) && l.Value != "":
			s.addRule(l)
		case l.Kind == robotstxt.DisallowKind:
			s.pathless = true
		case l.Kind == robotstxt.CrawlDelayKind, l.Kind == robotstxt.OtherKind:
			s.records = append(s.records, l)
		}
	}
	s.rules = slices.Clip(s.rules)
	s.closed = s.closed && !s.allow
	return s
}

// addRule adds a rule, which has a path.
func (s *section) addRule(l *line) {
	s.rules = append(s.rules, l)
	s.closed = s.closed || matchesAll(l.Value)
	s.allow = s.allow || l.Kind == robotstxt.AllowKind
	s.disallow = s.disallow || l.Kind == robotstxt.DisallowKind
}

// appendAgents appends the product tokens on a user-agent line.
func appendAgents(agents []agent, l *line) []agent {
	if l.Value != "" && lex.NameLen(l.Value) == len(l.Value) { // one token, as on most lines
		return append(agents, agent{l.Value, lex.Fold(l.Value), l.Number})
	}
	for _, name := range lex.Names(l.Value) {
		if token := name[:lex.NameLen(name)]; token != "" {
			agents = append(agents, agent{token, lex.Fold(token), l.Number})
		}
	}
	return agents
}

// names reports whether the section is for the token.
func (s *section) names(folded string) bool {
	return slices.ContainsFunc(s.agents, func(a agent) bool { return a.folded == folded })
}

// splits reports whether a user-agent line follows one of some records, which are
// then only for the user-agent lines above them.
func (s *section) splits(isRecord func(*line) bool) bool {
	if !slices.ContainsFunc(s.records, isRecord) {
		return false
	}
	found := false
	for _, l := range s.lines {
		if found && l.Kind == robotstxt.UserAgentKind {
			return true
		}
		found = found || isRecord(l)
	}
	return false
}

// splits reports whether one of the sections does.
func (g *group) splits(isRecord func(*line) bool) bool {
	return slices.ContainsFunc(g.sections, func(s *section) bool { return s.splits(isRecord) })
}

// isRule reports whether a line is an allow or disallow line.
func isRule(l *line) bool {
	return l.Kind == robotstxt.AllowKind || l.Kind == robotstxt.DisallowKind
}

// A group is the sections that are for exactly the same tokens. There may be other
// sections for one of the tokens; to find these would take more than linear time.
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

// keyOf returns a string that is the same for lists of the same tokens.
func keyOf(agents []agent) string {
	if len(agents) == 1 {
		return agents[0].folded
	}
	var tokens []string
	for _, a := range agents {
		tokens = append(tokens, a.folded)
	}
	slices.Sort(tokens)
	return strings.Join(slices.Compact(tokens), "\n")
}

// records returns the records of the group of a kind, in file order.
func (g *group) records(kind robotstxt.Kind) (records []*line) {
	for _, s := range g.sections {
		for _, l := range s.records {
			if l.Kind == kind {
				records = append(records, l)
			}
		}
	}
	return records
}

// longestQuote is how much of a string a sentence quotes, in characters.
const longestQuote = 60

// quote makes a string of a file fit for a sentence.
func quote(s string) string { return quoteUpTo(longestQuote, s) }

// quoteWhole is quote for text to write, with room for any usual URL.
func quoteWhole(s string) string { return quoteUpTo(2083, s) }

func quoteUpTo(most int, s string) string {
	n := 0
	for i := range s {
		if n == most {
			return escapeQuoted(s[:i] + "…")
		}
		n++
	}
	return escapeQuoted(s)
}

// escapeQuoted quotes a string and escapes what cannot be seen. Backslashes stay as
// they are, because people compare the sentence with the file.
func escapeQuoted(s string) string { return strings.ReplaceAll(strconv.Quote(s), `\\`, `\`) }
