// Package choices turns choices about AI, such as "training: no", into rules of a robots.txt file,
// and proves what they change.
package choices

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
	"github.com/robotstxt-go/robotstxt/lint"
	"github.com/robotstxt-go/robotstxt/rules"
)

// Choices say for purposes of AI crawlers whether they are wanted. A purpose without a choice stays
// as it is.
type Choices map[crawlers.Purpose]bool

// A purpose is a purpose that can be chosen.
type purpose struct {
	name          string
	purpose       crawlers.Purpose
	usage, signal string // the keys of Content-Usage and Content-Signal; empty if there are none
}

var purposes = []purpose{
	{"training", crawlers.Training, "train-ai", "ai-train"},
	{"search", crawlers.Search, "search", "search"},
	{"input", crawlers.Input, "ai-use", "ai-input"},
	{"user", crawlers.User, "", ""},
}

// Parse parses a list such as "training=no,search=yes". It returns an error if the list has two values
// for a purpose.
func Parse(list string) (Choices, error) {
	c := Choices{}
	for item := range strings.SplitSeq(list, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(item), "=")
		i := slices.IndexFunc(purposes, func(p purpose) bool { return p.name == name })
		if i < 0 || value != "yes" && value != "no" {
			return nil, fmt.Errorf("%q is not a choice such as training=no (the names are training, search, input and user, the values yes and no)", item)
		}
		if _, ok := c[purposes[i].purpose]; ok {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		c[purposes[i].purpose] = value == "yes"
	}
	return c, nil
}

// String returns the choices as Parse reads them.
func (c Choices) String() string {
	var items []string
	for _, p := range purposes {
		if wanted, ok := c[p.purpose]; ok {
			_, yes := yesNo(wanted)
			items = append(items, p.name+"="+yes)
		}
	}
	return strings.Join(items, ",")
}

// yesNo returns a choice as a value of Content-Usage and as one of Content-Signal.
func yesNo(wanted bool) (y, yes string) {
	if wanted {
		return "y", "yes"
	}
	return "n", "no"
}

// A Result is a changed file, and what the change does.
type Result struct {
	Text      []byte
	Unchanged bool // Text is the file as given

	// Closed are the crawlers that the new group closes the site to, because "no" was chosen for
	// their main purpose.
	Closed []crawlers.Crawler

	// Changes are all changes of verdicts, for the crawlers that a file names, for all well-known
	// crawlers and for all others. Only crawlers in Closed lose access. Only crawlers that lines of
	// Apply had closed the site to gain access.
	Changes []rules.Change

	// StillOpen are URLs that a crawler in Closed may still fetch, because the file has allow rules
	// for the crawler. StillClosed are crawlers whose main purpose is wanted but that may not fetch
	// the home page.
	StillOpen, StillClosed []Verdict

	// Contradictions are preferences of the file that state the opposite of a choice. They are found
	// only if the choices are also stated as preferences.
	Contradictions []Contradiction

	// Without are the crawlers that the preferences do not reach, because the file has another group
	// for them.
	Without []string

	// AlsoUsed are crawlers that are not closed although they also serve a purpose that is not wanted,
	// because that is not their main purpose.
	AlsoUsed []crawlers.Crawler

	// Undecided is true if rules are too complex to prove what changes.
	Undecided bool
}

// A Verdict is a decision about a path for a crawler.
type Verdict struct {
	Crawler  crawlers.Crawler
	Path     string
	Decision robotstxt.Decision
}

// A Contradiction is a line that states the opposite of a choice.
type Contradiction struct {
	Purpose crawlers.Purpose
	Line    int
	Allows  bool     // the line allows the purpose, which is not wanted; otherwise, it refuses it
	Agents  []string // the crawlers that the line is for
	Path    string   // the pattern of the line; empty if it has none
}

// The lines around the lines that Apply adds.
const (
	firstLine = "# robotstxt ai --set "
	lastLine  = "# robotstxt ai --set: end"
)

// Apply adds rules to a file so that it says what is chosen. It changes no other line, except that
// it removes the lines that it added earlier. With preferences, it also adds records of Content-Usage
// and Content-Signal to the group of "*".
//
// Crawlers whose main purpose is not wanted get a group that disallows everything. No group that Apply
// adds allows a crawler anything that it could not fetch before. A crawler whose main purpose is wanted
// keeps its rules: Apply does not open what the file closes.
//
// Apply returns an error if the file is in UTF-16 or too large, or if somebody else has added lines between
// those that Apply added earlier.
func Apply(data []byte, c Choices, preferences bool) (Result, error) {
	if lex.IsUTF16(data) || section.IsUnmarkedUTF16(data) {
		return Result{}, errors.New("the file is in UTF-16; save it in UTF-8 first")
	}
	if section.Size(data) > robotstxt.SizeLimit {
		return Result{}, lint.ErrTooLarge
	}
	clean, blocks := cut(data)
	for _, b := range blocks {
		if line := b.foreign(clean); line > 0 {
			return Result{}, fmt.Errorf("line %d is not what robotstxt ai --set would write: if it is yours, move it out of the block, otherwise delete it", line)
		}
	}
	r := Result{Closed: c.closed()}
	for _, crawler := range ai() {
		if !c.closes(crawler) && slices.ContainsFunc(crawler.Purposes, c.refuses) {
			r.AlsoUsed = append(r.AlsoUsed, crawler)
		}
	}
	r.Text = c.edit(clean, preferences)
	r.Unchanged = bytes.Equal(r.Text, data)
	if section.Size(r.Text) > robotstxt.SizeLimit {
		return Result{}, lint.ErrTooLarge
	}
	r.prove(robotstxt.Parse(data), c)
	if preferences && len(c.records()) > 0 {
		r.Contradictions = c.contradictions(r.Text)
		r.Without = c.notReached(clean)
	}
	return r, nil
}

// edit returns a file with the lines for the choices. The file must not have such lines yet.
func (c Choices) edit(clean []byte, preferences bool) []byte {
	var records []string
	if preferences {
		records = c.records()
	}
	e := editor{file: robotstxt.Parse(clean), sections: section.Cut(clean), lineEnd: lineEnd(clean)}
	return e.edit(clean, c, c.closed(), records)
}

// closed returns the crawlers whose main purpose is not wanted.
func (c Choices) closed() []crawlers.Crawler {
	return slices.DeleteFunc(ai(), func(crawler crawlers.Crawler) bool { return !c.closes(crawler) })
}

func (c Choices) closes(crawler crawlers.Crawler) bool { return c.refuses(crawler.Purposes[0]) }

// ai returns the AI crawlers that are in use and whose purpose is documented.
func ai() []crawlers.Crawler {
	set, _ := crawlers.Set("@ai")
	return slices.DeleteFunc(set, func(c crawlers.Crawler) bool { return len(c.Purposes) == 0 })
}

func (c Choices) refuses(p crawlers.Purpose) bool {
	wanted, ok := c[p]
	return ok && !wanted
}

// records returns the records that state the preferences.
func (c Choices) records() []string {
	var usage, signal []string
	for _, p := range purposes {
		if wanted, ok := c[p.purpose]; ok && p.usage != "" {
			y, yes := yesNo(wanted)
			usage = append(usage, p.usage+"="+y)
			signal = append(signal, p.signal+"="+yes)
		}
	}
	if usage == nil {
		return nil
	}
	return []string{"Content-Usage: " + strings.Join(usage, ", "), "Content-Signal: " + strings.Join(signal, ", ")}
}

// contradictions returns the lines in the groups of a file that state the opposite of a choice.
func (c Choices) contradictions(text []byte) (list []Contradiction) {
	for _, s := range section.Cut(text) {
		if len(s.Agents) == 0 {
			continue
		}
		for _, l := range s.Lines {
			signal, ok := aipref.ReadSignal(robotstxt.Record{Line: l.Number, Key: l.Key, Value: l.Value})
			if !ok {
				continue
			}
			for _, purpose := range c.contradicted(signal) {
				list = append(list, Contradiction{purpose, l.Number, !c[purpose], agentsOf(s), signal.Path})
			}
		}
	}
	return list
}

// contradicted returns the purposes for which a signal states the opposite of a choice.
func (c Choices) contradicted(s aipref.Signal) (list []crawlers.Purpose) {
	var stated aipref.Preferences
	switch {
	case s.Mechanism == aipref.ContentUsage:
		stated = aipref.ParseUsageHeader([]string{s.Value})
	case s.Mechanism == aipref.ContentSignal:
		stated = aipref.ParseSignalHeader([]string{s.Value})
	case s.Mechanism == aipref.AllowAITraining && s.Path != "":
		stated.Training.Value = aipref.Allow
	case s.Mechanism == aipref.DisallowAITraining && s.Path != "":
		stated.Training.Value = aipref.Disallow
	}
	for _, p := range []struct {
		purpose crawlers.Purpose
		value   aipref.Value
	}{{crawlers.Training, stated.Training.Value}, {crawlers.Search, stated.Search.Value}, {crawlers.Input, stated.AIInput.Value}} {
		wanted, ok := c[p.purpose]
		if ok && p.value != aipref.Unknown && wanted != (p.value == aipref.Allow) {
			list = append(list, p.purpose)
		}
	}
	return list
}

// notReached returns the crawlers that preferences in the group of "*" do not reach, because the file
// names them in another group. It leaves out crawlers that the choices close the site to.
func (c Choices) notReached(clean []byte) []string {
	sections := section.Cut(clean)
	reached := []string{} // folded
	for _, crawler := range c.closed() {
		reached = append(reached, lex.Fold(crawler.Token))
	}
	if star := starSection(sections); star != nil {
		for _, a := range star.Agents {
			reached = append(reached, a.Folded)
		}
	}
	var list []string
	for _, s := range sections {
		list = append(list, agentsOf(s)...)
	}
	return distinct(slices.DeleteFunc(list, func(token string) bool {
		return token == "*" || slices.Contains(reached, lex.Fold(token))
	}))
}

func agentsOf(s section.Section) (tokens []string) {
	for _, a := range s.Agents {
		tokens = append(tokens, a.Token)
	}
	return tokens
}

// A block consists of the lines of a file from firstLine to lastLine.
type block struct {
	choices Choices  // from the first line
	number  int      // the number of the first line
	lines   []string // with their ends
}

// cut returns a file without its blocks, and the blocks. A first line without choices or without a last
// line does not start a block.
func cut(data []byte) (clean []byte, blocks []block) {
	lines := splitLines(data)
	for i := 0; i < len(lines); i++ {
		if b, ok := blockAt(lines, i); ok {
			blocks = append(blocks, b)
			i += len(b.lines) - 1
			continue
		}
		clean = append(clean, lines[i]...)
	}
	return clean, blocks
}

// blockAt returns the block that starts with the line of an index.
func blockAt(lines []string, first int) (block, bool) {
	list, ok := strings.CutPrefix(withoutEnd(lines[first]), firstLine)
	if !ok {
		return block{}, false
	}
	c, err := Parse(list)
	if err != nil {
		return block{}, false
	}
	for i, line := range lines[first+1:] {
		switch {
		case withoutEnd(line) == lastLine:
			return block{c, first + 1, lines[first : first+i+2]}, true
		case strings.HasPrefix(line, firstLine):
			return block{}, false
		}
	}
	return block{}, false
}

// foreign returns the number of the first line of the block that Apply would not write for the choices of
// the block, or 0 if there is none. Blank lines do not count.
func (b block) foreign(clean []byte) int {
	ours := []string{"Disallow:"}                  // above the groups, if the file was without rules at its end
	_, written := cut(b.choices.edit(clean, true)) // with preferences, there are more lines
	for _, w := range written {
		ours = append(ours, w.lines[1:len(w.lines)-1]...)
	}
	if records := b.choices.records(); len(records) > 0 { // if the file was without a group of "*"
		ours = append(append(append(ours, "User-agent: *"), records...), "Disallow:")
	}
	for i, line := range b.lines[1 : len(b.lines)-1] {
		if strings.TrimSpace(line) == "" {
			continue
		}
		at := slices.IndexFunc(ours, func(o string) bool { return withoutEnd(o) == withoutEnd(line) })
		if at < 0 {
			return b.number + 1 + i
		}
		ours = ours[at+1:]
	}
	return 0
}

func withoutEnd(line string) string { return strings.TrimRight(line, "\r\n") }

// splitLines returns the lines of a file with their ends: CR, LF or CRLF.
func splitLines(data []byte) (lines []string) {
	text := string(data)
	for text != "" {
		end := strings.IndexAny(text, "\r\n")
		if end < 0 {
			return append(lines, text)
		}
		end += len(section.LineEnd([]byte(text[end:min(len(text), end+2)])))
		lines, text = append(lines, text[:end]), text[end:]
	}
	return lines
}

// lineEnd returns the end of the first line of a file.
func lineEnd(data []byte) string {
	for _, line := range splitLines(data) {
		if end := line[len(strings.TrimRight(line, "\r\n")):]; end != "" {
			return end
		}
	}
	return "\n"
}

// An editor adds lines to a file.
type editor struct {
	file     *robotstxt.File
	sections []section.Section
	lineEnd  string
}

// edit returns the text with the groups and records that it needs.
func (e *editor) edit(text []byte, c Choices, closed []crawlers.Crawler, records []string) []byte {
	var groups []string
	if len(closed) > 0 {
		groups = append(groups, userAgents(closed)...)
		groups = append(groups, "Disallow: /")
	}
	for _, crawler := range e.dependents(closed) {
		groups = append(groups, userAgents([]crawlers.Crawler{crawler})...)
		groups = append(groups, e.repeat(crawler.Token)...)
	}
	if star := starSection(e.sections); len(records) > 0 && star != nil {
		text = e.insert(text, lastRule(star), c, records)
	} else if len(records) > 0 {
		groups = append(append(append(groups, "User-agent: *"), records...), "Disallow:")
	}
	if len(groups) == 0 {
		return text
	}
	if last := e.sections[len(e.sections)-1]; len(e.sections) > 1 && !slices.ContainsFunc(last.Lines, isRule) {
		groups = append([]string{"Disallow:"}, groups...) // otherwise, the groups would also be for the crawlers in the last lines
	}
	return e.insert(text, len(splitLines(text)), c, groups)
}

// insert inserts lines after a number of lines of a text, with firstLine and lastLine around them.
func (e *editor) insert(text []byte, after int, c Choices, lines []string) []byte {
	old := splitLines(text)
	block := firstLine + c.String() + e.lineEnd + strings.Join(lines, e.lineEnd) + e.lineEnd + lastLine + e.lineEnd
	if after > 0 && !strings.HasSuffix(old[after-1], "\n") && !strings.HasSuffix(old[after-1], "\r") {
		block = e.lineEnd + block
	}
	return []byte(strings.Join(slices.Insert(old, after, block), ""))
}

func userAgents(list []crawlers.Crawler) (lines []string) {
	for _, c := range list {
		lines = append(lines, "User-agent: "+c.Token)
	}
	return lines
}

func isRule(l robotstxt.Line) bool { return section.IsRule(&l) }

// dependents returns the well-known crawlers that are not closed and would fall back to a
// closed group. For example, Diffbot-User would fall back to Diffbot. So each needs a group that
// repeats its rules.
func (e *editor) dependents(closed []crawlers.Crawler) (list []crawlers.Crawler) {
	isClosed := map[string]bool{}
	for _, c := range closed {
		isClosed[lex.Fold(c.Token)] = true
	}
	for _, c := range crawlers.All() {
		name := lex.Fold(c.Token)
		if isClosed[name] || lex.Fold(e.file.Decide(c.Token, "/x").Token) == name {
			continue
		}
		for i := strings.LastIndexByte(name, '-'); i > 0; i = strings.LastIndexByte(name, '-') {
			if name = name[:i]; isClosed[name] {
				list = append(list, c)
				break
			}
		}
	}
	return list
}

// repeat returns the records and rules of the group that applies to a token, as lines.
func (e *editor) repeat(token string) (lines []string) {
	g := e.file.Group(token)
	for _, r := range g.Records() {
		lines = append(lines, r.Key+": "+r.Value)
	}
	for _, r := range g.Rules() {
		key := "Disallow: "
		if r.Allow {
			key = "Allow: "
		}
		lines = append(lines, key+r.Pattern)
	}
	if len(g.Rules()) == 0 {
		lines = append(lines, "Disallow:")
	}
	return lines
}

// starSection returns the last section for "*", or nil if there is none.
func starSection(sections []section.Section) *section.Section {
	for _, s := range slices.Backward(sections) {
		if slices.ContainsFunc(s.Agents, func(a section.Agent) bool { return a.Token == "*" }) {
			return &s
		}
	}
	return nil
}

// lastRule returns the number of the last rule of a section or, if it has none, of its last
// user-agent line.
func lastRule(s *section.Section) int {
	last := s.Last
	for _, l := range s.Lines {
		if isRule(l) {
			last = l.Number
		}
	}
	return last
}

// prove compares the file before and after the change, and sets the fields of r that say what
// the change does.
func (r *Result) prove(before *robotstxt.File, c Choices) {
	after := robotstxt.Parse(r.Text)
	agents := []string{"*"}
	for _, file := range []*robotstxt.File{before, after} {
		for _, g := range file.Groups() {
			agents = append(agents, g.Tokens()...)
		}
	}
	for _, crawler := range crawlers.All() {
		agents = append(agents, crawler.Token)
	}
	if !r.Unchanged {
		r.Changes = rules.Diff(before, after, rules.Options{Agents: distinct(agents)})
	}
	for _, change := range r.Changes {
		r.Undecided = r.Undecided || change.Incomplete || len(change.UndecidedOld)+len(change.UndecidedNew) > 0
	}
	for _, crawler := range r.Closed {
		coverage := rules.CoverageOf(after.Group(crawler.Token))
		r.Undecided = r.Undecided || coverage.Undecided
		if url := coverage.AllowedURL; url != "" {
			r.StillOpen = append(r.StillOpen, Verdict{crawler, url, after.Decide(crawler.Token, url)})
		}
	}
	for _, crawler := range ai() {
		if c[crawler.Purposes[0]] && !after.Allowed(crawler.Token, "/") {
			r.StillClosed = append(r.StillClosed, Verdict{crawler, "/", after.Decide(crawler.Token, "/")})
		}
	}
}

// distinct returns tokens without duplicates, regardless of case.
func distinct(tokens []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(tokens, func(token string) bool {
		name := lex.Fold(token)
		isRepeated := seen[name]
		seen[name] = true
		return isRepeated
	})
}
