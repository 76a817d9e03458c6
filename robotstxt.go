// Package robotstxt reads robots.txt files. It says whether a crawler may fetch a URL,
// and which line of the file decides.
//
//	file := robotstxt.FromStatus(status, body) // from the response for robots.txt
//	if file.Allowed("FooBot", "https://example.com/private/x") {
//		// fetch it
//	}
//	fmt.Println(file.Decide("FooBot", "https://example.com/private/x"))
//	// for example: Disallowed: line 2 tells FooBot "Disallow: /private/".
//
// Keep the File, and ask it as often as you like, from any number of goroutines. The first
// argument is the crawler's name or its whole User-Agent header. A crawler that has many URLs
// of a site should keep its Group instead:
//
//	group := file.Group("FooBot")
//	if group.Allowed("https://example.com/private/x") {
//		// fetch it
//	}
//
// These are the other parts of the package:
//
//   - [Location] returns the URL of the robots.txt for a page. [Forms] returns other URLs that
//     servers answer with the same page.
//   - [ReadBody] reads the body of the response, and [FromStatus] makes a File of the
//     response. If no response came, use [Unreachable], which disallows everything. For a
//     text without a response, use [Parse].
//   - A [Group] has what the file says to one crawler: its rules, its crawl-delay, and
//     other records. [File.Sitemaps] returns the sitemaps.
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
// obeys the group for "*". Without a group for "*", it may fetch everything. AdsBot-Google,
// APIs-Google and Mediapartners-Google never obey the group for "*", as Google documents.
//
// A user-agent line can name several crawlers, separated by commas. A name with more words, as
// in "User-agent: Google Bot", is cut at the first blank. Because the rest is lost, the line is
// for the crawler Google only, and not for longer names such as Google-Extended.
//
// Consecutive user-agent lines share the rules below them. Only an allow or disallow line
// separates user-agent lines; blank lines and lines with other keys do not. Rules before the
// first user-agent line are ignored.
//
// # Matching
//
// A rule matches a URL if the URL's path and query start with the rule's pattern. In a
// pattern, "*" matches any run of characters, including none, and "$" at the end matches
// the end of the URL. Of the rules that match, the one with the longest pattern decides,
// wherever it is in the group. If two are equally long, an allow rule wins. If no rule
// matches, the URL is allowed. For FooBot:
//
//	/private/press/1  allowed by line 4, whose pattern is longer than the pattern of line 3
//	/private/x        disallowed by line 3
//	/                 allowed, because no rule of the group matches
//
// A rule without a pattern matches nothing, so a group with only "Disallow:" allows
// everything. "Disallow: private" means "Disallow: /private". "Allow: /a/index.html" also
// allows the page /a/.
//
// Case matters in paths. Letters, digits, "-", ".", "_" and "~" equal their escapes, and so
// do characters that must be escaped: "/~a" equals "/%7Ea", and "/ツ" equals "/%E3%83%84".
// Any other escape differs from its character, so "%2F" is not a slash. There are two
// exceptions. In a pattern, "%2A" and "%24" match an asterisk and a dollar sign. And if the
// pattern has a "?", then "%3A" and "%2F" in the query equal ":" and "/". The length of a
// pattern counts the octets of its canonical form; see [Pattern.Canonical].
//
// Dot segments are not resolved: /x/../private/ does not match /private/, though servers
// treat them alike. [Forms] lists such spellings, so that you can ask about each.
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
// allocations. A File keeps the text of its tokens, rules, records and sitemaps, 8 more bytes
// for each rule, and about 25 more for each token and record. If there are 100 or more rules
// below the same user-agent lines, they get an index (about 40 bytes a rule) after 64 decisions.
// From then on, the time of a decision hardly depends on the number of rules. A rule with a
// wildcard counts as eight.
package robotstxt

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A File is a parsed robots.txt file. It never changes, and any number of
// goroutines may use it at once. The zero File is an empty file, which allows
// everything. A crawler should not use a File for more than 24 hours, unless the
// file cannot be fetched again (RFC 9309, section 2.4).
type File struct {
	access Reason // FileUnavailable, FileUnreachable, or empty if there was a file to read

	patterns string // of all rules, one after the other
	text     string // of all agents and records
	sitemaps string // the values, with a newline after each
	agents   []agent
	sections []section
	rules    []rule
	records  []record
	indexes  map[int]*index // for the sections with many rules, by their indexes in sections
}

// An agent is a product token on a user-agent line.
type agent struct {
	stem        uint32 // see stemOf
	token       span   // as written, in the text
	section     uint32 // an index into File.sections
	firstRecord uint32 // an index into File.records; the records from here to the end of the section are below the agent
	standsAlone bool   // more words follow the token, as in "Google Favicon", so the line is for no longer name
}

// A section is one or more user-agent lines and the lines that belong to them. It ends before
// the next user-agent line that follows an allow or disallow line. The agents of a section share
// its rules. In this section, BarBot's firstRecord is 1, the index of the Host line:
//
//	User-agent: FooBot  # firstRecord: 0
//	Crawl-delay: 10     # record 0, afterAgent
//	User-agent: BarBot  # firstRecord: 1
//	Host: example.com   # record 1, afterAgent
//	Visit-time: 0-6     # record 2
//
// The rules and the records of a section end where those of the next section start.
type section struct {
	firstRule   uint32 // an index into File.rules
	firstRecord uint32 // an index into File.records
}

// A rule is a pattern from an allow or disallow line. Most lines have one rule: a pattern that
// is in canonical form as written. Other lines have several rules, in this order:
//
//   - the pattern as written, which matches nothing
//   - the pattern in canonical form
//   - if the line allows an index page: the pattern that allows the page's folder
//
// Large crawlers keep millions of files, so a rule has only 8 bytes.
type rule struct {
	end  uint32 // where the pattern ends in File.patterns; it starts where the pattern of the previous rule ends
	bits uint32 // the number of the line, shifted left by lineShift; allowBit and asWrittenBit; the classes of the pattern
}

const (
	allowBit     = 1 << 8 // the classes are below this bit
	asWrittenBit = 1 << 9
	lineShift    = 10 // a file has fewer than 1<<20 lines
)

func (r rule) line() int           { return int(r.bits >> lineShift) }
func (r rule) allow() bool         { return r.bits&allowBit != 0 }
func (r rule) isAsWritten() bool   { return r.bits&asWrittenBit != 0 }
func (r rule) classes() octetClass { return octetClass(r.bits) } // see relevantClasses

// A record is a crawl-delay line, or a line with a key that the protocol does not define.
type record struct {
	key, value   span // in the text
	line         uint32
	isCrawlDelay bool
	afterAgent   bool // a user-agent line is between the previous record of the file and this one
}

// at returns a part of the File's text.
func (f *File) at(s span) string { return f.text[s.start:s.end] }

// pattern returns the pattern of a rule. Its parameter is an index into f.rules.
func (f *File) pattern(rule int) string {
	return f.patterns[f.patternStart(rule):f.rules[rule].end]
}

// patternStart returns where the pattern of a rule starts in f.patterns.
func (f *File) patternStart(rule int) uint32 {
	if rule == 0 {
		return 0
	}
	return f.rules[rule-1].end
}

// endOf returns where the rules and the records of a section end: where those of the next section
// start.
func (f *File) endOf(s int) section {
	if s+1 < len(f.sections) {
		return f.sections[s+1]
	}
	return section{uint32(len(f.rules)), uint32(len(f.records))}
}

// rulesOf returns the rules of a section, as indexes into f.rules: from start to end, without
// the last.
func (f *File) rulesOf(s int) (start, end int) {
	return int(f.sections[s].firstRule), int(f.endOf(s).firstRule)
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
// Otherwise it returns "". A crawler can use it to decide when to fetch the file again: soon,
// if Access returns FileUnreachable.
func (f *File) Access() Reason { return f.access }

// Allowed reports whether the agent may fetch the URL. See [File.Decide] for what agent and
// url can be.
func (f *File) Allowed(agent, url string) bool {
	var buf [32]int // on the stack; few tokens have more groups
	allowed, _, _ := f.decide(f.find(buf[:0], agent), url)
	return allowed
}

// Decide reports whether the agent may fetch the URL, and why. It names one rule, the one that
// decides. Other rules may match, too; [Group.Rules] has all rules of the group.
//
// The agent is a product token ("FooBot"), a token with a version ("FooBot/1.2") or a whole
// User-Agent header. [ProductToken] describes where a header has its token. Case does not
// matter. For an agent without a token, such as "*" or "", the group of "*" applies.
//
// Only the path and the query of the URL count, so "https://example.com/a?b",
// "//example.com/a?b", "example.com/a?b" and "/a?b" are the same. The caller has to make sure
// that the file is the one for the URL; see [Covers]. The URL may be any string. If it has no
// path, the path is "/".
//
// Three mistakes go unnoticed:
//
//   - A path without a leading slash: in "private/x", "private" is the host, and the path
//     is "/x".
//   - Swapped arguments: Decide then says whether "*" may fetch "/", which is usually true.
//     The methods of a [Group] take only a URL.
//   - Dot segments: "/a/../private/" matches the pattern "/a/", but servers answer with the
//     page "/private/". Ask about each of the URL's [Forms], as package robotshttp does.
func (f *File) Decide(agent, url string) Decision {
	var buf [32]int
	return f.explain(f.find(buf[:0], agent), url)
}

// decide reports whether the URL is allowed, and why. The parameter agents is the result of
// File.find. The result best is the rule that decides, or none.
func (f *File) decide(agents []int, url string) (allowed bool, reason Reason, best int) {
	t := newTarget(url)
	switch {
	case t.plain == "/robots.txt": // RFC 9309, section 2.2.2
		return true, RobotsTxt, none
	case f.access != "":
		return f.access == FileUnavailable, f.access, none
	case len(agents) == 0:
		return true, NoGroup, none
	}
	best = none
	for s := range f.sectionsOf(agents) {
		best = f.bestOf(s, t, best)
	}
	if best == none {
		return true, NoRuleMatched, none
	}
	return f.rules[best].allow(), RuleMatched, best
}

// explain is like decide but returns a Decision.
func (f *File) explain(agents []int, url string) (d Decision) {
	var best int
	d.Allowed, d.Reason, best = f.decide(agents, url)
	if best != none {
		d.Rule = f.publicRule(best)
	}
	if d.Reason == RuleMatched || d.Reason == NoRuleMatched {
		d.Token = f.tokenOf(agents)
	}
	return d
}

// publicRule returns a rule with its pattern as written, which is the first one of its line.
func (f *File) publicRule(rule int) Rule {
	r := f.rules[rule]
	for rule > 0 && f.rules[rule-1].line() == r.line() {
		rule--
	}
	return Rule{Line: r.line(), Allow: r.allow(), Pattern: f.pattern(rule)}
}

func (f *File) publicRecord(r *record) Record {
	return Record{Line: int(r.line), Key: f.at(r.key), Value: f.at(r.value)}
}

// Records returns the records above the first user-agent line, which belong to no group, in
// file order: crawl-delay lines, and lines with a key that the protocol does not define
// (RFC 9309, section 2.2.4). [Group.Records] returns the records of groups.
func (f *File) Records() (records []Record) {
	for _, r := range f.recordsOfFile() {
		records = append(records, f.publicRecord(&r))
	}
	return records
}

// recordsOfFile returns the records that belong to no group.
func (f *File) recordsOfFile() []record {
	if len(f.sections) == 0 {
		return f.records
	}
	return f.records[:f.sections[0].firstRecord]
}

// Sitemaps returns the values of all sitemap lines, as written and in file order. Sitemap
// lines belong to no group (RFC 9309, section 2.2.4).
func (f *File) Sitemaps() (urls []string) {
	for url := range strings.Lines(f.sitemaps) {
		urls = append(urls, strings.TrimSuffix(url, "\n"))
	}
	return urls
}

// Size estimates how many bytes of memory the File takes. The estimate includes indexes
// that are built later. A cache can use Size to limit its memory.
func (f *File) Size() int {
	const file, agentOrRecord, other, indexedRule = 220, 28, 8, 40
	n := file + len(f.patterns) + len(f.text) + len(f.sitemaps) + agentOrRecord*(len(f.agents)+len(f.records)) + other*(len(f.sections)+len(f.rules))
	for s := range f.indexes {
		start, end := f.rulesOf(s)
		n += indexedRule * (end - start)
	}
	return n
}

// String returns the groups of the file in one line for logs. If there was no file to read,
// it returns the reason instead. The format may change.
func (f *File) String() string { return cmp.Or(string(f.access), fmt.Sprint(f.Groups())) }

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

// recordKey returns the ASCII letters of a record's key in lower case, so that "Visit-time"
// and "visit time" are the same key. For a key without ASCII letters, it returns the folded key.
func recordKey(key string) string { return cmp.Or(lex.Letters(key), lex.Fold(key)) }

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
	verdict := "Disallowed"
	if d.Allowed {
		verdict = "Allowed"
	}
	var why string
	switch d.Reason {
	case RuleMatched:
		why = fmt.Sprintf("line %d tells %s %q", d.Rule.Line, d.Token, d.Rule)
		if d.Token == "*" {
			why = fmt.Sprintf("line %d, for crawlers without a group of their own, says %q", d.Rule.Line, d.Rule)
		}
	case NoRuleMatched:
		why = fmt.Sprintf("no rule of the %q group matches", d.Token)
	case NoGroup:
		why = "the file has no rules for this crawler"
	case RobotsTxt:
		why = "robots.txt itself may always be fetched"
	case FileUnavailable:
		why = "the site has no robots.txt"
	case FileUnreachable:
		why = "the site's robots.txt could not be read"
	default:
		why = string(d.Reason)
	}
	return verdict + ": " + why + "."
}
