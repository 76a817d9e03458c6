package robotstxt

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A Group contains the rules and records of a file that apply to a crawler. Several crawlers
// can have the same Group. [File.Group] and [File.Groups] return Groups. Like its File, a
// Group never changes and is safe for concurrent use. The zero Group has no tokens and allows
// everything.
type Group struct {
	file   *File
	agents []int    // all agents of the file with one token of the group, as indexes into file.agents; empty if the file has no group for the crawler
	tokens []string // all tokens of the group; nil in the results of File.Group, for which Tokens looks them up
	lookup *lookup  // which the results of File.Groups share; otherwise nil
}

// A lookup saves time for calls for each group of a file. Each group can have all records of the file.
type lookup struct {
	hidden    []int // the result of File.hiddenBy
	nextDelay []int // the result of File.nextDelays
}

// Group returns the group for a crawler that can have several names. It is the group of
// the first agent that the file names or, if the file names none of them, the group of
// "*". Group reads each agent as [File.Decide] does, and skips agents without a token. The
// result is never nil. If no group applies, the result has no tokens and allows
// everything, unless the file was unreachable.
func (f *File) Group(agents ...string) *Group {
	g := &Group{file: f}
	agents = slices.DeleteFunc(slices.Clone(agents), func(agent string) bool { return ProductToken(agent) == "" })
	if len(agents) == 0 {
		agents = []string{"*"}
	}
	for _, agent := range agents {
		if found := f.find(nil, agent); len(found) > 0 {
			g.agents = found // perhaps the group of "*", which a later agent can replace
			if f.tokenOf(found) != "*" {
				break
			}
		}
	}
	return g
}

// Groups returns the groups of the file, in the order in which the file first names them. A
// Group has all rules and records for its tokens, wherever they are in the file. Tokens
// share a Group if they have the same rules and records, on the same lines of the file.
// Tokens with neither rules nor records share a Group if they first occur on consecutive
// user-agent lines.
//
// Groups takes time in proportion to the length of the file. To go through all tokens of a
// file, use Groups: a call of [File.Group] for each token would go through all of them again.
// But the groups together can have many more rules than the file: in a hostile file of 80 KB,
// thousands of names have the same thousands of rules, and each has a record of its own.
func (f *File) Groups() (groups []*Group) {
	shared := &lookup{f.hiddenBy(), f.nextDelays()}
	byContents := map[string]*Group{}
	for _, agents := range f.agentsByToken() {
		contents := f.contentsOf(agents)
		g := byContents[contents]
		if g == nil {
			g = &Group{file: f, agents: agents, lookup: shared}
			byContents[contents] = g
			groups = append(groups, g)
		}
		g.tokens = append(g.tokens, f.tokenOf(agents))
	}
	return groups
}

// agentsByToken returns the agents of each token, in the order in which the tokens first occur.
func (f *File) agentsByToken() (lists [][]int) {
	indexes := map[string]int{}
	for i := range f.agents {
		folded := lex.Fold(f.at(f.agents[i].token))
		index, known := indexes[folded]
		if !known {
			index = len(lists)
			indexes[folded] = index
			lists = append(lists, nil)
		}
		lists[index] = f.appendAgent(lists[index], i)
	}
	return lists
}

// contentsOf returns a text that names the rules and records of the group for a token with these
// agents, such as "rules 2, records 7, " for the rules of section 2 and the records from record
// 7 to the end of a section. Tokens with the same contents share a Group. For a group with
// neither rules nor records, the text names the section of the first agent.
func (f *File) contentsOf(agents []int) string {
	var contents []byte
	previous := -1
	for _, i := range agents {
		a := &f.agents[i]
		section := int(a.section)
		if start, end := f.rulesOf(section); section != previous && start < end {
			contents = fmt.Appendf(contents, "rules %d, ", section)
		}
		if a.firstRecord < f.endOf(section).firstRecord {
			contents = fmt.Appendf(contents, "records %d, ", a.firstRecord)
		}
		previous = section
	}
	if len(contents) == 0 {
		return fmt.Sprintf("nothing in %d", f.agents[agents[0]].section)
	}
	return string(contents)
}

// find returns the agents whose groups a crawler obeys, as indexes into f.agents. All of them
// have the same token: for "FooBot-Image", it is foobot-image or, if the file does not have this
// token, foobot or, if the file has neither, "*". The parameter userAgent is the agent of
// [File.Decide]. The result uses the space of buf, which can be on the caller's stack.
func (f *File) find(buf []int, userAgent string) []int {
	list := buf[:0]
	var tokenBuf [64]byte
	token := lex.AppendFold(tokenBuf[:0], ProductToken(userAgent))
	stem := stemOf(token)
	longest := 0 // the length of the token of the agents in list, 0 for "*"
	for i := f.candidate(0, stem); i < len(f.agents); i = f.candidate(i+1, stem) {
		a := &f.agents[i]
		n, ok := obeys(token, f.at(a.token))
		if !ok || n < longest || a.standsAlone && n < len(token) {
			continue
		}
		if n > longest {
			longest, list = n, list[:0]
		}
		list = f.appendAgent(list, i)
	}
	if longest == 0 && ignoresStar(token) {
		return nil
	}
	return list
}

// obeys reports whether a crawler obeys the groups for a token of the file, if the file has no
// longer token for it. The crawler's own token, which is in folded form, must be the same, or
// continue with a hyphen. The result n is how much of the crawler's token is the token of the
// file: 0 for "*".
func obeys(crawler []byte, token string) (n int, ok bool) {
	if token == "*" {
		return 0, true
	}
	n, ok = foldedPrefix(crawler, token)
	return n, ok && (n == len(crawler) || crawler[n] == '-')
}

// foldedPrefix reports whether a folded text starts with the folded form of prefix, and returns
// the length of that form.
func foldedPrefix(folded []byte, prefix string) (n int, ok bool) {
	for i := range len(prefix) {
		c := prefix[i]
		if c >= utf8.RuneSelf { // outside ASCII, the length can change
			var buf [64]byte
			p := lex.AppendFold(buf[:0], prefix)
			return len(p), bytes.HasPrefix(folded, p)
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if i == len(folded) || folded[i] != c {
			return 0, false
		}
	}
	return len(prefix), true
}

// candidate returns the index of the first agent, from index i on, that has the given stem or
// is "*". For most agents, this quick test makes the comparison of tokens unnecessary.
func (f *File) candidate(i int, stem uint32) int {
	agents := f.agents // the loop is faster with a local variable
	for i < len(agents) && agents[i].stem != stem && agents[i].stem != 0 {
		i++
	}
	return i
}

// stemOf returns the first four octets of a token in folded form, or those before its first
// hyphen, as a number. The stem of "*" is 0. A crawler obeys only groups for "*" and for tokens
// with its stem.
func stemOf(folded []byte) (stem uint32) {
	if string(folded) == "*" {
		return 0
	}
	for i := 0; i < len(folded) && i < 4 && folded[i] != '-'; i++ {
		stem = stem<<8 | uint32(folded[i])
	}
	return stem
}

// appendAgent appends an agent to a list of agents with the same token. It leaves the agent out
// if the last agent of the list has the same rules and records, as in "User-agent: a, a".
func (f *File) appendAgent(list []int, i int) []int {
	if len(list) > 0 {
		a, last := &f.agents[i], &f.agents[list[len(list)-1]]
		if a.section == last.section && a.firstRecord == last.firstRecord {
			return list
		}
	}
	return append(list, i)
}

// tokenOf returns the token of a list of agents as first written.
func (f *File) tokenOf(agents []int) string { return f.at(f.agents[agents[0]].token) }

// sectionsOf returns the sections that contain any of the agents, as indexes into f.sections.
func (f *File) sectionsOf(agents []int) iter.Seq[int] {
	return func(yield func(int) bool) {
		previous := -1
		for _, i := range agents {
			section := int(f.agents[i].section)
			if section != previous && !yield(section) {
				return
			}
			previous = section
		}
	}
}

var emptyFile File

// parent returns the Group's file. For the zero Group, it returns an empty file.
func (g *Group) parent() *File { return cmp.Or(g.file, &emptyFile) }

// Allowed reports whether a crawler of the group may fetch the URL. See [File.Allowed].
func (g *Group) Allowed(url string) bool {
	allowed, _, _ := g.parent().decide(g.agents, url)
	return allowed
}

// Decide reports whether a crawler of the group may fetch the URL, and why. See
// [File.Decide]. If the Group is from [File.Group], the Token of the Decision is the
// user-agent token that applies to the crawler. If the Group is from [File.Groups], the
// Token is the first token of the group.
func (g *Group) Decide(url string) Decision { return g.parent().explain(g.agents, url) }

// Tokens returns the product tokens of the group, in file order and as first written in the
// file. The tokens of a group for "*" include "*". The result is empty if [File.Group] found
// no group that applies. For a Group from File.Group, Tokens goes through all groups of the
// file.
func (g *Group) Tokens() []string {
	if g.tokens == nil && len(g.agents) > 0 {
		token := lex.Fold(g.file.tokenOf(g.agents))
		for _, other := range g.file.Groups() {
			if slices.ContainsFunc(other.tokens, func(t string) bool { return lex.Fold(t) == token }) {
				return other.tokens
			}
		}
	}
	return slices.Clone(g.tokens)
}

// Rules returns the rules of the group in file order.
func (g *Group) Rules() (rules []Rule) {
	f := g.parent()
	for s := range f.sectionsOf(g.agents) {
		start, end := f.rulesOf(s)
		rules = slices.Grow(rules, end-start)
		for i := start; i < end; i++ {
			if i > start && f.rules[i].line() == f.rules[i-1].line() {
				continue // only the first rule of a line is as written
			}
			rules = append(rules, f.publicRule(i))
		}
	}
	return rules
}

// Records returns the records of the group in file order: crawl-delay lines, and lines with
// a key that the protocol does not define (RFC 9309, section 2.2.4).
//
// A record applies to all user-agent lines above it in its group, with one exception: if a
// user-agent line is between two records with the same key, the second record applies only to
// user-agent lines below the first record. An invalid crawl-delay as the first record makes
// no exception. For example:
//
//	User-agent: FooBot  # 1
//	Crawl-delay: 300    # 2: for FooBot
//	User-agent: BarBot  # 3
//	Crawl-delay: 10     # 4: for BarBot only, because of line 2
//	Host: example.com   # 5: for both
//	Disallow: /x        # 6: for both
//
// FooBot has a crawl-delay of 300, and BarBot has a crawl-delay of 10. Without line 4, BarBot
// would have none, because line 2 is above BarBot's line.
func (g *Group) Records() (records []Record) {
	f := g.parent()
	var hidden []int
	if g.lookup != nil {
		hidden = g.lookup.hidden
	} else {
		hidden = f.hiddenBy()
	}
	for n := range g.agents {
		start, end := f.recordsBelow(g.agents, n)
		for i := start; i < end; i++ {
			if hidden[i] < start {
				records = append(records, f.publicRecord(&f.records[i]))
			}
		}
	}
	return records
}

// recordsBelow returns the indexes of the first record below agent n of a list, and of the first
// record below the next agent of the list or after the end of the section.
func (f *File) recordsBelow(agents []int, n int) (start, end int) {
	a := &f.agents[agents[n]]
	last := f.endOf(int(a.section)).firstRecord
	if n+1 < len(agents) {
		last = min(last, f.agents[agents[n+1]].firstRecord)
	}
	return int(a.firstRecord), int(last)
}

// hiddenBy returns, for each record of the file, the index of another record, or -1: the last one
// with the same key that has a user-agent line between itself and the record. The record does not
// apply to agents above that other record. In the example of [Group.Records], the record on line 4
// is hidden by the record on line 2, and the other records by none.
func (f *File) hiddenBy() []int {
	hidden := make([]int, len(f.records))
	last := map[string]int{} // the last record of each key above the last user-agent line
	var pending []int        // the records since then
	for i := range f.records {
		r := &f.records[i]
		if r.afterAgent {
			for _, j := range pending {
				last[f.keyOf(&f.records[j])] = j
			}
			pending = pending[:0]
		}
		hidden[i] = -1
		if j, ok := last[f.keyOf(r)]; ok {
			hidden[i] = j
		}
		if f.isValid(r) {
			pending = append(pending, i)
		}
	}
	return hidden
}

// keyOf returns the key of a record in the form in which keys are compared.
func (f *File) keyOf(r *record) string {
	if r.isCrawlDelay {
		return "crawldelay" // also if it is misspelled
	}
	return recordKey(f.at(r.key))
}

// isValid reports whether a record is not a crawl-delay with an invalid value.
func (f *File) isValid(r *record) bool {
	_, ok := lex.Seconds(f.at(r.value))
	return ok || !r.isCrawlDelay
}

// CrawlDelay returns the time that a crawler of the group should leave between two
// requests, and whether the file states one. The first valid crawl-delay in the group
// counts. If the group has none, the first valid one above all user-agent lines counts. A
// valid crawl-delay is a decimal number of seconds, such as "10" or "0.5". Numbers that are
// too large for a Duration mean the longest Duration. RFC 9309 does not define crawl-delay,
// and no decision depends on it.
func (g *Group) CrawlDelay() (delay time.Duration, ok bool) {
	f := g.parent()
	for n := range g.agents {
		if delay, ok = g.firstDelay(f.recordsBelow(g.agents, n)); ok {
			return delay, true
		}
	}
	return g.firstDelay(0, len(f.recordsOfFile()))
}

// firstDelay returns the first valid crawl-delay in the file's records from start to end, without the
// last.
func (g *Group) firstDelay(start, end int) (delay time.Duration, ok bool) {
	f := g.parent()
	if g.lookup != nil {
		start = g.lookup.nextDelay[start]
	}
	for i := start; i < end; i++ {
		if r := &f.records[i]; r.isCrawlDelay {
			if delay, ok = lex.Seconds(f.at(r.value)); ok {
				return delay, true
			}
		}
	}
	return 0, false
}

// nextDelays returns, for each record of the file, the index of the first valid crawl-delay from this
// record on. If there is none, and for the end of the records, the index is the number of records.
func (f *File) nextDelays() []int {
	next := make([]int, len(f.records)+1)
	last := len(f.records)
	next[last] = last
	for i := last - 1; i >= 0; i-- {
		if r := &f.records[i]; r.isCrawlDelay && f.isValid(r) {
			last = i
		}
		next[i] = last
	}
	return next
}

// String returns the tokens and the rules of the group in one line for logs. It takes as long
// as [Group.Tokens]. The format may change.
func (g *Group) String() string { return fmt.Sprintf("%q: %q", g.Tokens(), g.Rules()) }

// ProductToken returns the product token of a crawler's User-Agent header, or of a
// part of one: "FooBot" for "FooBot", for "FooBot/1.2" and for "Mozilla/5.0
// (compatible; FooBot/1.2; +https://example.com/bot)". It returns the empty string
// if the header has no token. It takes any string.
//
// The token ends before the first character that is white space, a control character, a
// format character, or one of /*()[]{}<>,;:"\=?@. RFC 9309, section 2.2.1, allows only
// letters, "-" and "_", but crawlers such as MJ12bot and archive.org_bot use other
// characters, too.
//
// If a header starts with Mozilla, the name of the crawler comes later. The result is
// the token at the first of these places that has one:
//
//   - after "compatible;"
//   - just before the first "+http", if that is in a comment, as in
//     "(Applebot/0.1; +http://…)"
//   - just before the comment, if the comment starts with the first "+http", as in
//     "FooBot/1.0 (+https://…)"
//
// The header of a browser has no such place, so its token is Mozilla. Some crawlers send such
// headers, too: for "Mozilla/5.0 (Linux) Mobile Safari/537.36; Bytespider", the result is Mozilla.
// ProductToken has no list of names; crawlers.FromUserAgent finds well-known ones in such headers.
//
// User-agent lines of a file are read in the same way.
func ProductToken(userAgent string) string {
	token, _ := lex.Token(lex.Trim(userAgent))
	return token
}

// ignoresStar reports whether Google documents that an agent ignores the rules for "*".
// The argument is the agent's folded token.
func ignoresStar(agent []byte) bool {
	for _, special := range [...]string{"adsbot-google", "apis-google", "mediapartners-google"} {
		if suffix, ok := bytes.CutPrefix(agent, []byte(special)); ok && (len(suffix) == 0 || suffix[0] == '-') {
			return true
		}
	}
	return false
}
