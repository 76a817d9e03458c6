// Package robotstxt reads a site's robots.txt and answers one question: may this
// crawler fetch this URL, and which line says so?
//
//	file := robotstxt.Parse(body)
//	if file.Allowed("FooBot", "https://example.com/private/x") {
//		// fetch it
//	}
//	fmt.Println(file.Decide("FooBot", "https://example.com/private/x"))
//	// Disallowed: line 2 tells FooBot "Disallow: /private/".
//
// Parse never fails. Keep the File, and ask it as often as you like, from any number
// of goroutines. The agent is the crawler's name or its whole User-Agent header.
//
//   - [Location] returns the URL of the robots.txt for a page.
//   - [FromStatus] reads the response to a request for it. If no response came, use
//     [Unreachable], which disallows everything.
//   - [File.Group] returns what the file says to one crawler: its rules, its
//     crawl-delay, and other records. [File.Sitemaps] returns the sitemaps.
//   - Package robotshttp does all this for an http.Client, and package lint says what
//     is wrong in a file.
//
// The package implements the Robots Exclusion Protocol, RFC 9309. Where the RFC is
// silent, it follows Google's robots.txt specification, and where that is silent, what
// the site's owner evidently meant.
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
// A crawler obeys only one group. Its product token selects the group, in any case:
// FooBot obeys lines 3 and 4, and line 7 does not concern it. All groups for the same
// token are read as one. A token with suffixes, such as FooBot-Image, takes the group
// of FooBot if it has no group of its own. A crawler with neither takes the group of
// "*". If there is no such group either, everything is allowed.
//
// Only a rule ends a run of user-agent lines; blank lines and lines with other keys do
// not. A line with another key is a [Record], which never changes a decision.
// Everything else is skipped.
//
// # Matching
//
// A rule matches a URL if the URL's path and query start with the rule's pattern. In a
// pattern, "*" matches any run of characters, including none, and "$" at the end
// matches the end of the URL. Of the rules that match, the most specific one decides,
// wherever it is in the group: the one with the longest pattern in octets. If two are
// equally long, an allow wins. If no rule matches, the URL is allowed:
//
//	/private/press/1  allowed by line 4, which is longer than line 3
//	/private/x        disallowed by line 3
//	/                 allowed, because no rule of the group matches
//
// Patterns and URLs are compared in canonical form: escaped letters, digits and "-._~"
// are decoded, other escapes are in upper case, and whatever needs an escape gets
// one. So "/~a" equals "/%7Ea" and "/ツ" equals "/%E3%83%84", but "/a%2Fb" is not
// "/a/b". In a pattern, "%2A" and "%24" match an asterisk and a dollar sign. The case
// of paths matters.
//
// # Records
//
// A record belongs to the group it is in, or to the file if it comes before the first
// user-agent line. Unlike rules, records are not shared by a whole run of user-agent
// lines: a record between two of them is for those above it only. So in
//
//	User-agent: FooBot
//	Crawl-delay: 300
//	User-agent: *
//	Disallow: /x
//
// line 4 is for everybody, and line 2 only for FooBot.
//
// # Deviations
//
// In these cases the package goes beyond the letter of RFC 9309 or differs from
// Google's open-source matcher in C++. The folder testdata has a case for each row.
//
//	input                    RFC              C++             here, and why
//	MJ12bot, archive.org_bot letters, - and _ cut at the 1st  whole: such crawlers exist
//	                                          other character
//	User-agent: a, b         one token        the first       both: what was meant (erratum 8895)
//	agent FooBot-Image       exact token      exact token     falls back to FooBot, as Google documents
//	agent AdsBot-Google      obeys "*"        obeys "*"       does not, as Google documents
//	agent: a whole header    caller's task    caller's task   reduced to its token: a usual mistake
//	User agent, "Disallow",  no such key      what starts     keys count by their letters, and so do
//	Dissalow                                  with a key, or  listed misspellings: what was meant
//	                                          5 misspellings
//	Disallowed: /            another record   a disallow      another record: nobody knows its meaning
//	Disallow /x              skipped          a disallow      a disallow, if these two words are the line
//	                                                          and the key is known: prose is not a rule
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
// panics or loops. Parse takes time in proportion to the length of a file. Finding an
// agent's group takes time in proportion to the length of the agent. A match takes, at
// worst, time in proportion to the length of the URL times the number of rules that
// could match it; wildcards do not multiply that. Patterns, tokens and records are as
// the file has them: escape them before they reach a terminal or a web page.
//
// # Cost
//
// Parse reads a file once and allocates at most eight times for a typical file,
// however many lines it has. A File keeps the text of tokens, rules and records, 8
// bytes more for each rule, and nothing of comments and junk. [File.Size] returns the
// sum.
//
// Allowed tries all rules of a small group. If a hundred rules or more are together in
// a group and were asked 64 times, they get an index of about 30 bytes a rule. Then
// the time hardly depends on the number of rules. Allowed allocates nothing for an
// ordinary URL in canonical form.
//
// # What the package does not do
//
// The package does not fetch robots.txt files, cache them or wait between requests;
// package robotshttp does. It does not say what is wrong with a file; package lint
// does. It does not read robots meta tags or X-Robots-Tag headers, which are about
// indexing. And it is not access control: a robots.txt file asks, it does not enforce.
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
	table  table
}

// Parse reads a robots.txt file. It never fails: any bytes are a robots.txt file, and
// Parse skips lines that mean nothing. It keeps no reference to data. It reads at
// most [SizeLimit] bytes, in time proportional to their number.
func Parse(data []byte) *File {
	b, s := newBuilder(), newScanner(data)
	for s.next() {
		b.addLine(&s)
	}
	return &File{table: b.build()}
}

// FromStatus returns the File for a crawler whose request for robots.txt was
// answered with an HTTP status. It parses the body of a successful answer (2xx). A
// redirect that was not followed to its end (3xx) or a client error (4xx) means that
// the site has no file; see [Unavailable]. The exception is 429 (Too Many Requests):
// a server that asks for less traffic must not get more. It and every other status
// mean that the server failed; see [Unreachable]. The source is RFC 9309, section
// 2.3.1, and for 429 Google's documentation.
func FromStatus(status int, body []byte) *File {
	switch {
	case 200 <= status && status < 300:
		return Parse(body)
	case 300 <= status && status < 500 && status != 429:
		return Unavailable()
	}
	return Unreachable()
}

// Unavailable returns the File of a site without a robots.txt. It allows everything
// (RFC 9309, section 2.3.1.3).
func Unavailable() *File { return &File{access: FileUnavailable} }

// Unreachable returns the File of a site whose robots.txt could not be read because
// the server or the network failed: no answer, a broken one, or a server error. It
// disallows everything (RFC 9309, section 2.3.1.4).
func Unreachable() *File { return &File{access: FileUnreachable} }

// Access returns [FileUnavailable] or [FileUnreachable] if there was no file to read, and
// otherwise the empty Reason. No question about an agent or a URL is needed to find out.
func (f *File) Access() Reason { return f.access }

// Allowed reports whether the agent may fetch the URL. It returns the same as
// f.Decide(agent, url).Allowed; see there for what agent and url may be.
func (f *File) Allowed(agent, url string) bool {
	allowed, _, _ := f.decide(f.token(agent), url)
	return allowed
}

// Decide reports whether the agent may fetch the URL, and why.
//
// The agent is a product token ("FooBot"), a token with a version ("FooBot/1.2") or
// a whole User-Agent header; [ProductToken] finds the token in it. Its case does not
// matter. For an agent without a token, such as "*" or "", the group of "*" applies.
//
// Only the path and the query of the URL count, so "https://example.com/a?b",
// "//example.com/a?b" and "/a?b" are the same. The caller knows whether the file is
// the one for the URL; see [Covers]. No string is an error: without a path, it means
// "/".
func (f *File) Decide(agent, url string) Decision {
	return f.explain(f.token(agent), url)
}

// Group returns the group for a crawler that goes by several names: the group of the
// first agent that the file names, or else the group of "*". It reads agents as
// [File.Decide] does, and skips those without a token. The result is never nil. If no
// group applies, it has no tokens and allows everything, unless the file was
// unreachable.
func (f *File) Group(agents ...string) *Group {
	obeysStar, hasToken := false, false
	for _, agent := range agents {
		folded := lex.AppendFold(nil, ProductToken(agent))
		if tok := f.table.named(folded); len(tok) > 0 {
			return &Group{file: f, token: tok}
		}
		hasToken = hasToken || len(folded) > 0
		obeysStar = obeysStar || len(folded) > 0 && !ignoresStar(folded)
	}
	g := &Group{file: f}
	if obeysStar || !hasToken {
		g.token = f.table.tokenAt(f.table.star)
	}
	return g
}

// token returns the token whose group is for an agent.
func (f *File) token(agent string) token {
	var buf [64]byte
	folded := lex.AppendFold(buf[:0], ProductToken(agent))
	tok := f.table.named(folded)
	if len(tok) == 0 && !ignoresStar(folded) {
		return f.table.tokenAt(f.table.star)
	}
	return tok
}

// decide reports whether the group of a token may fetch the URL, and why. The rule is an
// entry, or 0 if none decided.
func (f *File) decide(tok token, url string) (allowed bool, reason Reason, rule int) {
	t := newTarget(url)
	switch {
	case t.plain == "/robots.txt": // RFC 9309, section 2.2.2
		return true, RobotsTxt, 0
	case f.access != "":
		return f.access == FileUnavailable, f.access, 0
	case len(tok) == 0:
		return true, NoGroup, 0
	}
	if rule = f.table.bestRule(tok, t); rule == 0 {
		return true, NoRuleMatched, 0
	}
	return f.table.entries[rule].has(allow), RuleMatched, rule
}

// explain returns what decide returns in public form.
func (f *File) explain(tok token, url string) (d Decision) {
	var rule int
	d.Allowed, d.Reason, rule = f.decide(tok, url)
	switch d.Reason {
	case RuleMatched:
		d.Rule = f.rule(rule)
		fallthrough
	case NoRuleMatched:
		d.Token = f.table.written(tok)
	}
	return d
}

func (f *File) rule(i int) Rule {
	t := &f.table
	return Rule{Line: t.number(i), Allow: t.entries[i].has(allow), Pattern: t.pattern(i)}
}

// Groups returns the groups of the file after merging: everything for one token is
// one group, and tokens that share all their rules share a Group. The groups are in
// the order in which the file first names them.
func (f *File) Groups() []*Group {
	var groups []*Group
	for _, tokens := range f.table.groups() {
		groups = append(groups, &Group{file: f, token: tokens[0], all: tokens})
	}
	return groups
}

// Records returns the records that belong to no group, in file order: lines before
// the first user-agent line with a key that the protocol does not know, and
// crawl-delay lines there (RFC 9309, section 2.2.4). [Group.Records] has the records
// of groups.
func (f *File) Records() []Record {
	return f.recordsOf(token{{}})
}

// recordsOf returns the records that belong to any of the tokens.
func (f *File) recordsOf(tokens ...token) (records []Record) {
	t := &f.table
	for _, i := range t.recordsOf(tokens...) {
		records = append(records, Record{t.number(i), t.at(i), t.at(i + 1)})
	}
	return records
}

// Sitemaps returns the values of the sitemap lines, as written and in file order,
// wherever in the file they are (RFC 9309, section 2.2.4).
func (f *File) Sitemaps() []string {
	var urls []string
	for i := range f.table.entries {
		if f.table.isSitemap(i) {
			urls = append(urls, f.table.at(i+1))
		}
	}
	return urls
}

// Size returns about how many bytes of memory the File takes. That includes the
// indexes that it may build later, and is within a third of the truth for files of more
// than a few kilobytes. A cache can use it to keep a limit.
func (f *File) Size() int { return f.table.size() }

// String returns the groups of the file, or why there are none to read, in one line for
// logs. Its form may change.
func (f *File) String() string { return cmp.Or(string(f.access), fmt.Sprint(f.Groups())) }

// A Group is what a file says to one crawler, or to several alike. [File.Group] and
// [File.Groups] return Groups. Like its File, a Group never changes and is safe for
// concurrent use. The zero Group has no tokens and allows everything.
type Group struct {
	file  *File
	token token   // the one it was found by; it has no mentions if no group applied
	all   []token // all its tokens if it comes from Groups
}

// parent returns the file that the Group is from, or an empty one for the zero Group.
func (g *Group) parent() *File {
	if g.file == nil {
		return new(File)
	}
	return g.file
}

// Allowed reports whether a crawler of the group may fetch the URL, as
// [File.Allowed] does.
func (g *Group) Allowed(url string) bool {
	return g.Decide(url).Allowed
}

// Decide reports whether a crawler of the group may fetch the URL, and why, as
// [File.Decide] does. The Token of the Decision is the one by which [File.Group]
// found the Group, or the first one for a Group from [File.Groups].
func (g *Group) Decide(url string) Decision { return g.parent().explain(g.token, url) }

// Tokens returns the product tokens of the group, including "*", as the file first
// wrote them and in file order. There are none if no group applied.
func (g *Group) Tokens() []string {
	all, t := g.all, &g.parent().table
	if all == nil {
		all = t.alike(g.token)
	}
	var written []string
	for _, tok := range all {
		written = append(written, t.written(tok))
	}
	return written
}

// Rules returns the rules of the group in file order.
func (g *Group) Rules() []Rule {
	var rules []Rule
	f := g.parent()
	t := &f.table
	for _, section := range t.sectionsOf(g.token) {
		start := t.number(int(section))
		for i, end := start, t.sectionEnd(start); i < end; i++ {
			if e := t.entries[i]; e.isRule() && !e.has(implied) {
				rules = append(slices.Grow(rules, end-i), f.rule(i))
			}
		}
	}
	return rules
}

// Records returns the records of the group in file order: lines with a key that the
// protocol does not know (RFC 9309, section 2.2.4), and crawl-delay lines. A Group
// from [File.Group] has the records for the token by which it was found, a Group from
// [File.Groups] has those for any of its tokens.
//
// Records of one key end a run of user-agent lines for records of that key, and for
// nothing else. So a record between two user-agent lines is for those above it, and a
// record below both is also for those above, unless they have one with that key.
func (g *Group) Records() []Record {
	if g.all == nil {
		return g.parent().recordsOf(g.token)
	}
	return g.file.recordsOf(g.all...)
}

// CrawlDelay returns the time that a crawler of the group should leave between two
// requests, and whether the file says so. It is the first valid crawl-delay of the
// group or, if there is none, the first one before any user-agent line. Valid is a
// decimal number of seconds such as "10" or "0.5". There is no upper limit except
// the longest Duration. A Group from [File.Groups] has the delay for its first token.
// RFC 9309 does not define this record, and no decision depends on it.
func (g *Group) CrawlDelay() (delay time.Duration, ok bool) {
	return g.parent().table.crawlDelay(g.token)
}

// String returns the tokens and the rules of the group in one line for logs. Its form
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

// A Record is a line outside the protocol, such as "Crawl-delay: 10".
type Record struct {
	Line       int    // counted from 1
	Key, Value string // as written, without the blanks around them
}

// Is reports whether the record has the named key. Like all keys of a robots.txt
// file, the two are compared by their ASCII letters alone, in any case, so
// Is("Content-Usage") is true for "content usage". A misspelling of Crawl-delay that
// Parse knows is that key.
func (r Record) Is(name string) bool { return recordKey(r.Key) == recordKey(name) }

// A Decision says whether a URL may be fetched, and why.
type Decision struct {
	Allowed bool
	Reason  Reason
	Rule    Rule   // the rule that decided, if Reason is RuleMatched
	Token   string // of the group that applied, as the file has it; empty if none did
}

// A Reason is the basis of a [Decision].
type Reason string

// The reasons.
const (
	RuleMatched     Reason = "rule matched"     // the most specific rule that matches
	NoRuleMatched   Reason = "no rule matched"  // a group applies, but none of its rules
	NoGroup         Reason = "no group"         // the file says nothing to this agent
	RobotsTxt       Reason = "robots.txt"       // the URL is /robots.txt itself
	FileUnavailable Reason = "file unavailable" // see Unavailable
	FileUnreachable Reason = "file unreachable" // see Unreachable
)

// String returns the decision as a sentence for the site's owner. Its wording may
// change.
func (d Decision) String() string {
	verdict, crawler := "Disallowed", d.Token
	if d.Allowed {
		verdict = "Allowed"
	}
	if crawler == "*" {
		crawler = "all other crawlers"
	}
	why := string(d.Reason)
	switch d.Reason {
	case RuleMatched:
		why = fmt.Sprintf("line %d tells %s %q", d.Rule.Line, crawler, d.Rule)
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
	}
	return verdict + ": " + why + "."
}
