// Package robotstxt reads robots.txt files. It says whether a crawler may fetch a URL,
// and which line of the file decides.
//
//	file := robotstxt.Parse(body)
//	if file.Allowed("FooBot", "https://example.com/private/x") {
//		// fetch it
//	}
//	fmt.Println(file.Decide("FooBot", "https://example.com/private/x"))
//	// Disallowed: line 2 tells FooBot "Disallow: /private/".
//
// Parse never fails. Keep the File, and ask it as often as you like, from any number of
// goroutines. The first argument is the crawler's name or its whole User-Agent header.
//
//   - [Location] returns the URL of the robots.txt for a page.
//   - [FromStatus] reads the response to a request for the robots.txt. If no response came,
//     use [Unreachable], which disallows everything.
//   - [File.Group] returns what the file says to one crawler: its rules, its
//     crawl-delay, and other records. [File.Sitemaps] returns the sitemaps.
//   - Package robotshttp does all this for an http.Client, and package lint says what
//     is wrong in a file.
//
// The package implements the Robots Exclusion Protocol, RFC 9309. Where the RFC is
// silent, the package follows Google's robots.txt specification. Where both are silent,
// the package does what the site's owner evidently meant. This document lists all
// deviations from the letter of the RFC and from Google's open-source matcher in C++, each
// with its reason and a test:
// https://github.com/robotstxt-go/robotstxt/blob/main/docs/deviations.md
//
// # What the package does not do
//
// The package does not fetch robots.txt files, cache them or wait between requests; package
// robotshttp does. It does not say what is wrong with a file; package lint does. It does
// not read robots meta tags or X-Robots-Tag headers, which are about indexing; package
// robotstag does. And robots.txt is not access control, because crawlers can ignore it.
//
// # Groups and rules
//
// A robots.txt file consists of groups. One or more user-agent lines name the crawlers
// that a group is for, and the allow and disallow lines below them are its rules:
//
//	User-agent: FooBot     # 1: for FooBot
//	User-agent: BarBot     # 2: and for BarBot
//	Disallow: /private/    # 3
//	Allow: /private/press  # 4
//
//	User-agent: *          # 6: for all crawlers that no group names
//	Disallow: /            # 7
//
// A crawler obeys only one group. Its product token selects the group, regardless of case:
// FooBot obeys lines 3 and 4, and line 7 does not concern it. All groups for the same token
// are read as one. A crawler whose token has suffixes, such as FooBot-Image, obeys the
// group for FooBot if no group names FooBot-Image. If no group names FooBot either, it
// obeys the group for "*". Without a group for "*", it may fetch everything.
//
// Consecutive user-agent lines share the rules below them. Only an allow or disallow line
// separates user-agent lines; blank lines and lines with other keys do not.
//
// # Matching
//
// A rule matches a URL if the URL's path and query start with the rule's pattern. In a
// pattern, "*" matches any run of characters, including none, and "$" at the end matches
// the end of the URL. Of the rules that match, the one with the longest pattern in octets
// decides, wherever it is in the group. If two are equally long, an allow rule wins. If no
// rule matches, the URL is allowed. For FooBot:
//
//	/private/press/1  allowed by line 4, whose pattern is longer than the pattern of line 3
//	/private/x        disallowed by line 3
//	/                 allowed, because no rule of the group matches
//
// Case matters in paths. Letters, digits, "-", ".", "_" and "~" equal their escapes, and so
// do characters that must be escaped: "/~a" equals "/%7Ea", and "/ツ" equals "/%E3%83%84".
// Any other escape differs from its character, so "%2F" is not a slash. There are two
// exceptions. In a pattern, "%2A" and "%24" match an asterisk and a dollar sign. And if the
// pattern has a "?", then "%3A" and "%2F" in the query equal ":" and "/".
//
// A URL is compared as it is. Servers resolve dot segments, and answer a request for
// /x/../private/ with the page /private/: resolve the URLs that you send, or let package
// robotshttp check them.
//
// # Records
//
// A line with another key, such as Crawl-delay, is a [Record]. It never changes a
// decision. It belongs to the group it is in, or to the file if it comes before the first
// user-agent line; see [Group.Records].
//
// # Cost
//
// Parse takes time in proportion to the length of the file, and makes only a few
// allocations. A File keeps the text of its tokens, rules, records and sitemaps, and 8
// more bytes for each. A group of a hundred rules or more gets an index (about 30 bytes a
// rule) after 64 decisions. From then on, the time of a decision hardly depends on the
// number of rules.
package robotstxt

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A File is a parsed robots.txt file. It never changes, and any number of
// goroutines may use it at once. The zero File is an empty file, which allows
// everything.
type File struct {
	access Reason // FileUnavailable, FileUnreachable, or empty if there was a file to read
	table
	indexes map[int]*index // by section, for large sections only
}

// Parse reads a robots.txt file. It never fails: any bytes are a robots.txt file, and
// Parse skips lines that mean nothing. It keeps no reference to data. It reads at
// most [SizeLimit] bytes, in time proportional to their number.
func Parse(data []byte) *File {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	f := new(File)
	f.table, f.indexes = b.build(data)
	return f
}

// FromStatus returns the File for an HTTP response to a request for robots.txt. If the
// status is 2xx, it parses the body. Status 4xx, or a redirect (3xx) that was not
// followed to its end, means that the site has no file; see [Unavailable]. The exception
// is 429 (Too Many Requests): a server that asks for less traffic must not get more.
// Status 429 and every other status mean that the server failed; see [Unreachable]. The
// source is RFC 9309, section 2.3.1, and for 429 Google's documentation.
func FromStatus(status int, body []byte) *File {
	switch {
	case 200 <= status && status < 300:
		return Parse(body)
	case 300 <= status && status < 500 && status != 429:
		return Unavailable()
	}
	return Unreachable()
}

// Unavailable returns a File that allows everything, for a site without a robots.txt
// (RFC 9309, section 2.3.1.3).
func Unavailable() *File { return &File{access: FileUnavailable} }

// Unreachable returns a File that disallows everything, for a site whose robots.txt could
// not be read because the server or the network failed (RFC 9309, section 2.3.1.4).
func Unreachable() *File { return &File{access: FileUnreachable} }

// Access returns [FileUnavailable] or [FileUnreachable] if there was no file to read.
// Otherwise it returns "".
func (f *File) Access() Reason { return f.access }

// Allowed reports whether the agent may fetch the URL. See [File.Decide] for what agent and
// url can be.
func (f *File) Allowed(agent, url string) bool {
	allowed, _, _ := f.decide(f.namesFor(agent), url)
	return allowed
}

// Decide reports whether the agent may fetch the URL, and why.
//
// The agent is a product token ("FooBot"), a token with a version ("FooBot/1.2") or a whole
// User-Agent header. [ProductToken] describes where a header has its token. Case does not
// matter. For an agent without a token, such as "*" or "", the group of "*" applies.
//
// Only the path and the query of the URL count, so "https://example.com/a?b",
// "//example.com/a?b" and "/a?b" are the same. The caller has to make sure that the file is
// the one for the URL; see [Covers]. The URL may be any string. If it has no path, the path
// is "/".
func (f *File) Decide(agent, url string) Decision {
	return f.explain(f.namesFor(agent), url)
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
		if names := f.namesFor(agent); len(names) > 0 {
			g.names = names
			if f.written(names[0]) != "*" {
				break
			}
		}
	}
	return g
}

// decide reports whether the URL is allowed, and why. The parameter names contains every occurrence,
// on user-agent lines, of the token whose group applies. It is empty if no group applies. The result best is the rank of the
// rule that decides, or 0 if no rule decides.
func (f *File) decide(names []name, url string) (allowed bool, reason Reason, best rank) {
	t := newTarget(url)
	switch {
	case t.path == "/robots.txt": // RFC 9309, section 2.2.2
		return true, RobotsTxt, 0
	case f.access != "":
		return f.access == FileUnavailable, f.access, 0
	case len(names) == 0:
		return true, NoGroup, 0
	}
	for section := range f.sections(names) {
		best = f.indexes[section].bestOf(&f.table, section, t, best)
	}
	if best == 0 {
		return true, NoRuleMatched, 0
	}
	return best.allows(), RuleMatched, best
}

// explain is like decide but returns a Decision.
func (f *File) explain(names []name, url string) (d Decision) {
	var best rank
	d.Allowed, d.Reason, best = f.decide(names, url)
	if best != 0 {
		d.Rule = f.ruleAt(best.rule())
	}
	if d.Reason == RuleMatched || d.Reason == NoRuleMatched {
		d.Token = f.written(names[0])
	}
	return d
}

func (f *File) ruleAt(i int) Rule {
	_, written := f.rule(i)
	return Rule{Line: f.lines[i].number(), Allow: f.lines[i].has(allow), Pattern: written}
}

// Groups returns the groups of the file, in the order in which the file first names them. A
// Group has all rules and records for its tokens, wherever they are in the file. Tokens
// share a Group if they have the same rules and records, on the same lines of the file.
// Tokens with neither rules nor records share a Group if they first occur on consecutive
// user-agent lines.
func (f *File) Groups() (groups []*Group) {
	known := map[string]*Group{}
	for _, names := range f.tokens() {
		contents := f.contents(names)
		g := known[contents]
		if g == nil {
			g = &Group{file: f, names: names}
			known[contents] = g
			groups = append(groups, g)
		}
		g.tokens = append(g.tokens, f.written(names[0]))
	}
	return groups
}

// Records returns the records above the first user-agent line, which belong to no group, in
// file order: crawl-delay lines, and lines with a key that the protocol does not define
// (RFC 9309, section 2.2.4). [Group.Records] returns the records of groups.
func (f *File) Records() []Record { return (&Group{file: f, names: f.preamble()}).Records() }

// Sitemaps returns the values of all sitemap lines, as written and in file order. Sitemap
// lines belong to no group (RFC 9309, section 2.2.4).
func (f *File) Sitemaps() (urls []string) {
	for i, l := range f.lines {
		if l.has(sitemap) {
			urls = append(urls, f.at(i))
		}
	}
	return urls
}

// Size estimates how many bytes of memory the File takes. The estimate includes indexes
// that are built later. A cache can use Size to limit its memory.
func (f *File) Size() int {
	const file, line, name, indexed = 150, 8, 8, 28
	n := file + len(f.text) + line*len(f.lines) + name*len(f.names)
	if len(f.indexes) > 0 {
		n += indexed * len(f.lines)
	}
	return n
}

// String returns the groups of the file in one line for logs. If there was no file to read,
// it returns the reason instead. The format may change.
func (f *File) String() string { return cmp.Or(string(f.access), fmt.Sprint(f.Groups())) }

// A Group contains the rules and records of a file that apply to a crawler. Several crawlers
// can have the same Group. [File.Group] and [File.Groups] return Groups. Like its File, a
// Group never changes and is safe for concurrent use. The zero Group has no tokens and allows
// everything.
type Group struct {
	file   *File
	names  []name   // all names of one token of the group; empty if the file has no group for the crawler
	tokens []string // all tokens of the group; nil in the results of File.Group, for which Tokens looks them up
}

var emptyFile File

// parent returns the Group's file. For the zero Group, it returns an empty file.
func (g *Group) parent() *File { return cmp.Or(g.file, &emptyFile) }

// Allowed reports whether a crawler of the group may fetch the URL. See [File.Allowed].
func (g *Group) Allowed(url string) bool { return g.Decide(url).Allowed }

// Decide reports whether a crawler of the group may fetch the URL, and why. See
// [File.Decide]. If the Group is from [File.Group], the Token of the Decision is the
// user-agent token that applies to the crawler. If the Group is from [File.Groups], the
// Token is the first token of the group.
func (g *Group) Decide(url string) Decision { return g.parent().explain(g.names, url) }

// Tokens returns the product tokens of the group, in file order and as first written in the
// file. The tokens of a group for "*" include "*". The result is empty if [File.Group] found
// no group that applies.
func (g *Group) Tokens() []string {
	if g.tokens == nil && len(g.names) > 0 {
		token := g.file.written(g.names[0])
		for _, other := range g.file.Groups() {
			if slices.Contains(other.tokens, token) {
				return other.tokens
			}
		}
	}
	return slices.Clone(g.tokens)
}

// Rules returns the rules of the group in file order.
func (g *Group) Rules() (rules []Rule) {
	f := g.parent()
	for section := range f.sections(g.names) {
		if x := f.indexes[section]; x != nil {
			rules = slices.Grow(rules, x.size)
		}
		for i, l := range f.section(section) {
			if l.isRule() && !l.has(implied) {
				rules = append(rules, f.ruleAt(i))
			}
		}
	}
	return rules
}

// Records returns the records of the group in file order: crawl-delay lines, and lines with
// a key that the protocol does not define (RFC 9309, section 2.2.4).
//
// A record applies to all user-agent lines above it in its group, with one exception: if a
// user-agent line stands between two records with the same key, the second record applies
// only to user-agent lines below the first record. For example:
//
//	User-agent: FooBot  # 1
//	Crawl-delay: 300    # 2: for FooBot
//	User-agent: BarBot  # 3
//	Crawl-delay: 10     # 4: for BarBot only, because of line 2
//	Host: example.com   # 5: for both
//	Disallow: /x        # 6: for both
//
// FooBot has a crawl-delay of 300, and BarBot has a crawl-delay of 10. Without line 4, BarBot
// would have none, because line 2 is above BarBot's line. If the first of two crawl-delays is
// invalid, the exception does not apply.
func (g *Group) Records() (records []Record) {
	f := g.parent()
	for _, i := range f.recordsOf(g.names, record) {
		key, value := f.record(i)
		records = append(records, Record{f.lines[i].number(), key, value})
	}
	return records
}

// CrawlDelay returns the time that a crawler of the group should leave between two
// requests, and whether the file states one. The first valid crawl-delay in the group
// counts. If the group has none, the first valid one above all user-agent lines counts. A
// valid crawl-delay is a decimal number of seconds, such as "10" or "0.5". Numbers that are
// too large for a Duration mean the longest Duration. RFC 9309 does not define crawl-delay,
// and no decision depends on it.
func (g *Group) CrawlDelay() (delay time.Duration, ok bool) {
	f := g.parent()
	for _, i := range slices.Concat(f.recordsOf(g.names, crawlDelay), f.recordsOf(f.preamble(), crawlDelay)) {
		if _, value := f.record(i); !ok {
			delay, ok = lex.Seconds(value)
		}
	}
	return delay, ok
}

// String returns the tokens and the rules of the group in one line for logs. The format
// may change.
func (g *Group) String() string { return fmt.Sprintf("%q: %q", g.Tokens(), g.Rules()) }

// A Rule is an allow or disallow line.
type Rule struct {
	Line    int // counted from 1
	Allow   bool
	Pattern string // as written
}

// String returns the rule as a line of a robots.txt file.
func (r Rule) String() string {
	if r.Allow {
		return "Allow: " + r.Pattern
	}
	return "Disallow: " + r.Pattern
}

// A Record is a crawl-delay line, or a line with a key that Parse does not know, such as
// "Host: example.com".
type Record struct {
	Line       int    // counted from 1
	Key, Value string // as written, without the blanks around them
}

// Is reports whether the record has the given key. Is compares only the ASCII letters of the
// two keys, regardless of case, so Is("Content-Usage") is true for the key "content usage".
// If the keys have no ASCII letters, Is compares the whole keys. Is("Crawl-delay") is also
// true for those misspellings of Crawl-delay that Parse accepts.
func (r Record) Is(name string) bool {
	kind := kindOf([]byte(r.Key))
	return kind == kindOf([]byte(name)) && (kind != OtherKind || recordKey(r.Key) == recordKey(name))
}

// A Decision says whether a URL may be fetched, and why.
type Decision struct {
	Allowed bool
	Reason  Reason
	Rule    Rule   // the rule that decided, if Reason is RuleMatched
	Token   string // the user-agent token whose group applied, as written; empty if no group did
}

// A Reason says what a [Decision] is based on.
type Reason string

// The reasons.
const (
	RuleMatched     Reason = "rule matched"     // one or more rules match, and the most specific one decided
	NoRuleMatched   Reason = "no rule matched"  // a group applies, but none of its rules matches
	NoGroup         Reason = "no group"         // no group applies to the agent
	RobotsTxt       Reason = "robots.txt"       // the URL is /robots.txt itself
	FileUnavailable Reason = "file unavailable" // see Unavailable
	FileUnreachable Reason = "file unreachable" // see Unreachable
)

// String returns the decision as a sentence for the site's owner. The wording may
// change.
func (d Decision) String() string {
	verdict, crawler := "Disallowed", d.Token
	if d.Allowed {
		verdict = "Allowed"
	}
	if crawler == "*" {
		crawler = "all other crawlers"
	}
	why := map[Reason]string{
		RuleMatched:     fmt.Sprintf("line %d tells %s %q", d.Rule.Line, crawler, d.Rule),
		NoRuleMatched:   fmt.Sprintf("no rule of the %q group matches", d.Token),
		NoGroup:         "the file has no rules for this crawler",
		RobotsTxt:       "robots.txt itself may always be fetched",
		FileUnavailable: "the site has no robots.txt",
		FileUnreachable: "the site's robots.txt could not be read",
	}
	return verdict + ": " + cmp.Or(why[d.Reason], string(d.Reason)) + "."
}
