// Package robotstxt reads a site's robots.txt and answers one question: may this
// crawler fetch this URL, and which line says so? It implements the Robots
// Exclusion Protocol, RFC 9309; where the RFC is silent it follows Google's
// robots.txt specification, and where that is silent, what the site's owner
// evidently meant.
//
//	file := robotstxt.Parse(body)
//	if file.Allowed("FooBot", "https://example.com/private/x") {
//		// fetch it
//	}
//
// # Groups and rules
//
// A robots.txt file is made of groups. One or more user-agent lines say which
// crawlers a group is for, and the allow and disallow lines below are its rules:
//
//	User-agent: FooBot     # 1: for FooBot
//	User-agent: BarBot     # 2: and for BarBot
//	Disallow: /private/    # 3
//	Allow: /private/press  # 4
//
//	User-agent: *          # 6: for all crawlers that no group names
//	Disallow: /            # 7
//
// A crawler obeys one group only. It is found by the crawler's product token, in
// any case: FooBot obeys lines 3 and 4, and line 7 is none of its concern. All
// groups for the same token are read as one. A token with suffixes, such as
// FooBot-Image, takes the group of FooBot if it has none of its own, and a crawler
// without either takes that of "*". Without that, too, everything is allowed.
//
// Any other line between the user-agent lines, or before the rules, ends nothing.
// What is no line of the protocol is a [Record], which never changes a decision,
// or is skipped.
//
// # Matching
//
// A rule matches a URL if its pattern is the beginning of the URL's path and
// query. In a pattern "*" stands for any run of characters, also none, and "$" at
// the end for the end of the URL. Of the rules that match, the most specific one
// decides, which is that with the longest pattern in octets, wherever it stands; of
// equals, an allow. If none matches, the URL is allowed:
//
//	/private/press/1  allowed by line 4, which is longer than line 3
//	/private/x        disallowed by line 3
//	/                 allowed, since no rule of the group matches
//
// Patterns and URLs are compared in canonical form: an escaped letter, digit or one
// of "-._~" is the character itself, other escapes are in capitals, and what
// needs an escape gets one. So "/~a" equals "/%7Ea" and "/ツ" equals
// "/%E3%83%84", but "/a%2Fb" is not "/a/b". A "%2A" or "%24" in a pattern is an
// asterisk or a dollar sign of the URL. The case of paths matters.
//
// # Deviations
//
// Here the package goes beyond the letter of RFC 9309 or differs from Google's
// open-source matcher in C++. Each row has a case in the folder testdata.
//
//	input                    RFC              C++             here, and why
//	MJ12bot, archive.org_bot letters, - and _ cut at the 1st  whole: such crawlers exist
//	                                          other character
//	User-agent: a, b         one token        the first       both: what was meant (erratum 8895)
//	agent FooBot-Image       exact token      exact token     falls back to FooBot, as Google documents
//	agent AdsBot-Google      obeys "*"        obeys "*"       does not, as Google documents
//	agent header, whole      caller's task    caller's task   reduced to its token: the usual mistake
//	User agent, "Disallow",  no such key      what starts     keys count by their letters, and so do
//	Dissalow                                  with a key, or  listed misspellings: what was meant
//	                                          5 misspellings
//	Disallowed: /            another record   a disallow      another record: nobody knows its meaning
//	Disallow /x              no line          a disallow      a disallow, if these two words are the line
//	                                                          and the key is known: prose is no rule
//	/x and a no-break space  in the pattern   in the pattern  trimmed: nobody sees it
//	Disallow: fish           no pattern       never matches   /fish, as Google documented in 2012
//	/%7Ea, URL /~a           equal            differ          equal: the RFC
//	/a%24, URL /a$           equal            differ          equal: the RFC
//	?u=%3A, URL ?u=:         equal (figure 4) differ          equal in patterns with a "?"
//	octets of a pattern      not said in      as written, 3   of the canonical form: equal patterns, equal
//	                         which form       for one >=0x80  rank
//	Allow: /a/index.html     the page         and /a/         and /a/: it is the same page
//	URL /robots.txt          allowed          by the rules    allowed: the RFC
//	line over 16,663 bytes   a line           cut             a line: half a rule is not what was written
//	line across SizeLimit    not said         no limit        ignored, for the same reason
//	UTF-16 with its mark     may be read      not read        read: browsers show it as text
//	status 429               no file          not its task    unreachable, as Google documents
//
// # Bad input
//
// A robots.txt file comes from a stranger. Every function takes any bytes, and none
// panics or loops. Parse takes time in proportion to the length of a file. A match
// takes, at worst, time in proportion to the length of the URL times the number of
// rules that could match it; wildcards do not multiply that. Patterns, tokens and
// records are as the file has them: escape them before they reach a terminal or a
// web page.
//
// # Cost
//
// Parse reads a file once and allocates less than ten times for most, however many
// lines they have. A File keeps the text of tokens, rules and records, 16 bytes more
// for each rule and about 6 for each record, and nothing of comments and junk.
//
// Allowed looks at all rules of a group. A group of a hundred rules or more that has
// been asked 64 times gets an index, of about 30 bytes a rule, with which the time
// hardly depends on the number of rules. Allowed allocates nothing if the URL is in
// canonical form.
//
// On a machine with two cores (AMD EPYC, Go 1.26.8) the command
//
//	cd bench && go run . -corpus DIR
//
// printed, with 1,189 real files of 8.5 MB in DIR: Parse 930 MB/s; the files kept
// 0.65 of their size on the heap; Allowed took 97 ns with 10 rules, 182 ns with
// 5,640, 145 ns with 24,000, and 875 ns with 3,129 of which 2,599 have wildcards.
//
// # What it does not do
//
// The package does not fetch robots.txt files, keep them or wait between
// requests; package robotshttp does. It does not say what is wrong with a file; package
// lint does. It does not judge by robots meta tags or X-Robots-Tag headers, which
// speak about indexing, and it is no access control: a robots.txt file asks, it does
// not enforce.
package robotstxt

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// A File is a parsed robots.txt file. It never changes, and any number of
// goroutines may use it at once. The zero File is an empty one, which allows
// everything.
type File struct {
	access   Reason // FileUnavailable, FileUnreachable, or empty if there was a file to read
	text     string // all that is kept of the file's text
	rules    []rule
	respelt  []respelling // by start
	records  []string     // in parts, as readRecords reads them
	sections []section    // the first is the file's own, the others stand by group
	groups   []group
	tokens   []token // by group
	index    tokenIndex
	indexes  *indexes // nil if all groups are small
}

// Parse reads a robots.txt file. It never fails: any bytes are a robots.txt
// file, in which the lines that say nothing are skipped. It keeps no reference
// to data. Its time is proportional to the length of data, of which no more than
// [SizeLimit] is read.
func Parse(data []byte) *File {
	s := newScanner(data)
	var b builder
	b.init(len(s.data))
	for {
		kind, path := s.plainRule()
		if kind == NoKind && !s.next() {
			return b.build()
		}
		b.read = s.pos
		if kind != NoKind {
			if b.endRun() {
				b.addPlain(uint32(s.number), kind, path)
			}
			continue
		}
		if s.content == 0 {
			continue
		}
		if kind, key, value, _ := split(s.line[:s.content]); kind != NoKind {
			b.add(uint32(s.number), kind, key, value)
		}
	}
}

// FromStatus returns the File that holds for a crawler whose request for
// robots.txt was answered with an HTTP status. The body of a successful answer
// (2xx) is parsed. A redirect that was not followed to its end (3xx) and a client
// error (4xx) mean that the site has no file, see [Unavailable], but for 429 (Too
// Many Requests): a server that asks for less traffic must not get more. That one
// and everything else is a failure of the server, see [Unreachable]. The source
// is RFC 9309, section 2.3.1, and, for 429, Google's documentation.
func FromStatus(status int, body []byte) *File {
	switch {
	case 200 <= status && status < 300:
		return Parse(body)
	case 300 <= status && status < 500 && status != 429:
		return Unavailable()
	}
	return Unreachable()
}

// Unavailable returns the File of a site that has no robots.txt. Everything is
// allowed (RFC 9309, section 2.3.1.3).
func Unavailable() *File { return &File{access: FileUnavailable} }

// Unreachable returns the File of a site whose robots.txt could not be had
// because the server or the network failed: no answer, a broken one, a server
// error. Everything is disallowed (RFC 9309, section 2.3.1.4).
func Unreachable() *File { return &File{access: FileUnreachable} }

// Allowed reports whether the agent may fetch the URL. It is the same as
// f.Decide(agent, url).Allowed; see there for what agent and url may be.
func (f *File) Allowed(agent, url string) bool {
	g := f.group(agent)
	return g.Allowed(url)
}

// Decide reports whether the agent may fetch the URL, and why.
//
// The agent is a product token ("FooBot"), one with a version ("FooBot/1.2") or
// a whole User-Agent header; [ProductToken] finds the token in it. Its case does
// not matter. An agent without a token, such as "*" or "", is one that the file
// does not name.
//
// Of the URL only path and query count, so "https://example.com/a?b",
// "//example.com/a?b" and "/a?b" are the same. Whether the file covers the URL is
// for the caller to know, see [Covers]. No string is an error: one without a path
// means "/".
func (f *File) Decide(agent, url string) Decision {
	g := f.group(agent)
	return g.Decide(url)
}

// Group returns what applies to a crawler that goes by several names: the group
// of the first of the agents that the file names, or else that of "*". Agents
// are read as by [File.Decide]; those without a token are passed over. The result
// is never nil. If no group applies, it has no tokens and allows everything, but
// for a file that was unreachable.
func (f *File) Group(agents ...string) *Group {
	g := &Group{file: f}
	named, starless := 0, 0
	for _, agent := range agents {
		folded := appendFolded(nil, ProductToken(agent))
		if g.token, g.found = f.findNamed(folded); g.found {
			return g
		}
		if len(folded) > 0 {
			named++
		}
		if ignoresStar(folded) {
			starless++
		}
	}
	if named == 0 || starless < named {
		g.token, g.found = f.findStar()
	}
	return g
}

// group is Group for one agent, without an allocation.
func (f *File) group(agent string) Group {
	var buf [64]byte
	folded := appendFolded(buf[:0], ProductToken(agent))
	tok, ok := f.findNamed(folded)
	if !ok && !ignoresStar(folded) {
		tok, ok = f.findStar()
	}
	return Group{file: f, token: tok, found: ok}
}

// Groups returns the groups of the file after merging: all that stands under one
// token is one group, and tokens that share all their rules and records share
// the Group. They are in the order in which their first tokens first appear.
func (f *File) Groups() []*Group {
	groups := make([]*Group, len(f.groups))
	for i, g := range f.groups {
		groups[i] = &Group{file: f, token: f.tokens[g.tokens], found: true}
	}
	return groups
}

// Records returns the records that belong to no group, in file order: lines with
// a colon and a key that the protocol does not know, and crawl-delay lines, before
// the first user-agent line (RFC 9309, section 2.2.4). Those of groups are in
// [Group.Records].
func (f *File) Records() []Record {
	return f.recordsOf(f.sections[:min(1, len(f.sections))])
}

// Sitemaps returns the values of the sitemap lines, as written and in file
// order, wherever in the file they stand.
func (f *File) Sitemaps() []string {
	var urls []string
	for kind, r := range f.readRecords(0, math.MaxInt) {
		if kind == SitemapKind {
			urls = append(urls, r.Value)
		}
	}
	return urls
}

// recordsOf returns the records of sections in file order.
func (f *File) recordsOf(sections []section) []Record {
	var records []Record
	for _, s := range sections {
		for kind, r := range f.readRecords(int(s.records), int(s.recordsEnd)) {
			if kind != SitemapKind {
				records = append(records, r)
			}
		}
	}
	return records
}

// A Group is what a file says to one crawler, or to several alike. It comes from
// [File.Group] or [File.Groups]; the zero Group is of no use. Like its File it
// never changes and is safe for concurrent use.
type Group struct {
	file  *File
	token token // by which it was found
	found bool
}

// Allowed reports whether a crawler of the group may fetch the URL, as
// [File.Allowed] does.
func (g *Group) Allowed(url string) bool {
	reason, r := g.decide(url)
	return reason.allows(r)
}

// Decide reports whether a crawler of the group may fetch the URL, and why, as
// [File.Decide] does. The Token of the Decision is the one by which [File.Group]
// found the Group, or its first if it comes from [File.Groups].
func (g *Group) Decide(url string) Decision {
	reason, r := g.decide(url)
	d := Decision{Allowed: reason.allows(r), Reason: reason}
	switch reason {
	case RuleMatched:
		d.Rule = g.file.rule(r)
		fallthrough
	case NoRuleMatched:
		d.Token = g.file.text[g.token.start:][:g.token.size]
	}
	return d
}

// decide returns why the URL may be fetched or not, and the rule if it is one.
func (g *Group) decide(url string) (Reason, *rule) {
	target := newTarget(url)
	switch {
	case target == "/robots.txt": // implicitly allowed: RFC 9309, section 2.2.2
		return RobotsTxt, nil
	case g.file.access != "":
		return g.file.access, nil
	case !g.found:
		return NoGroup, nil
	}
	if r := g.file.best(&g.file.groups[g.token.group], target); r != nil {
		return RuleMatched, r
	}
	return NoRuleMatched, nil
}

func (g *Group) sections() []section {
	if !g.found {
		return nil
	}
	group := g.file.groups[g.token.group]
	return g.file.sections[group.sections:group.sectionsEnd]
}

// Tokens returns the product tokens of the group as the file first wrote them,
// "*" among them, in file order. There are none if no group applied.
func (g *Group) Tokens() []string {
	if !g.found {
		return nil
	}
	var tokens []string
	group := g.file.groups[g.token.group]
	for _, t := range g.file.tokens[group.tokens:group.tokensEnd] {
		tokens = append(tokens, g.file.text[t.start:][:t.size])
	}
	return tokens
}

// Rules returns the rules of the group in file order.
func (g *Group) Rules() []Rule {
	var rules []Rule
	for _, s := range g.sections() {
		for i := s.rules; i < s.rulesEnd; i++ {
			if r := &g.file.rules[i]; !r.has(implied) {
				rules = append(rules, g.file.rule(r))
			}
		}
	}
	return rules
}

// Records returns the records of the group in file order: lines with a colon and
// a key that the protocol does not know (RFC 9309, section 2.2.4), and
// crawl-delay lines.
func (g *Group) Records() []Record {
	return g.file.recordsOf(g.sections())
}

// CrawlDelay returns the time that the group asks crawlers to leave between two
// requests, if it does. That is the value of its first valid crawl-delay line, a
// number of seconds such as "10" or "0.5". It has no upper bound but that of a
// Duration. RFC 9309 does not know this record, and no decision depends on it.
func (g *Group) CrawlDelay() (delay time.Duration, ok bool) {
	for _, s := range g.sections() {
		for kind, r := range g.file.readRecords(int(s.records), int(s.recordsEnd)) {
			if kind != CrawlDelayKind {
				continue
			}
			if delay, ok = parseSeconds(r.Value); ok {
				return delay, true
			}
		}
	}
	return 0, false
}

// parseSeconds reads a plain decimal number of seconds.
func parseSeconds(s string) (d time.Duration, ok bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	if whole+fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return 0, false
	}
	d, err := time.ParseDuration(s + "s")
	if err != nil { // too large, since it is a number
		d = math.MaxInt64
	}
	return d, true
}

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

func (f *File) rule(r *rule) Rule {
	return Rule{Line: int(r.line & lineMask), Allow: r.has(allow), Pattern: f.pattern(r)}
}

// A Record is a line outside the protocol, such as "Crawl-delay: 10".
type Record struct {
	Line       int    // counted from 1
	Key, Value string // as written, without the space around them
}

// A Decision says whether a URL may be fetched, and why.
type Decision struct {
	Allowed bool
	Reason  Reason
	Rule    Rule   // the one that decided, if Reason is RuleMatched
	Token   string // of the group that applied, as the file has it; empty if none did
}

// A Reason says what a [Decision] rests on.
type Reason string

// The reasons.
const (
	RuleMatched     Reason = "rule matched"     // the most specific rule that matches
	NoRuleMatched   Reason = "no rule matched"  // a group applies, but none of its rules
	NoGroup         Reason = "no group"         // the file says nothing to this agent
	RobotsTxt       Reason = "robots.txt"       // it is /robots.txt itself that is asked for
	FileUnavailable Reason = "file unavailable" // see Unavailable
	FileUnreachable Reason = "file unreachable" // see Unreachable
)

// allows reports whether the reason, with its rule, is one to allow.
func (reason Reason) allows(r *rule) bool {
	if reason == RuleMatched {
		return r.has(allow)
	}
	return reason != FileUnreachable
}

// String returns the decision as a sentence for the site's owner. Its wording
// may change.
func (d Decision) String() string {
	verdict, crawler := "Disallowed", d.Token
	if d.Allowed {
		verdict = "Allowed"
	}
	if crawler == "*" {
		crawler = "all other crawlers"
	}
	switch d.Reason {
	case RuleMatched:
		return fmt.Sprintf("%s: line %d tells %s %q.", verdict, d.Rule.Line, crawler, d.Rule)
	case NoRuleMatched:
		return fmt.Sprintf("%s: none of the rules for %s matches.", verdict, crawler)
	case NoGroup:
		return verdict + ": the file has no rules for this crawler."
	case RobotsTxt:
		return verdict + ": robots.txt itself may always be fetched."
	case FileUnavailable:
		return verdict + ": the site has no robots.txt."
	case FileUnreachable:
		return verdict + ": the site's robots.txt could not be read."
	}
	return verdict + "."
}
