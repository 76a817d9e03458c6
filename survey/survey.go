// Package survey makes one flat record of each robots.txt capture of a crawl, for
// statistics over many of them.
//
//	questions := survey.Questions{Agents: []string{"GPTBot", "CCBot"}}
//	record := questions.Record(survey.Capture{URL: url, Status: 200, Body: body, Fetched: now})
//
// A record depends on nothing except the capture and the questions. As JSON it has
// the fields below. All of them are always present, so that tools find the same
// columns in every line. The names are stable; new fields may be added.
//
//	url              as it was fetched, or the name of a file
//	location         the robots.txt that covers the URL; empty if the URL has none
//	place            "site": the URL is its location; "other": it is not, as after a redirect;
//	                 "unknown": the URL has no location, as a file on a disk
//	fetched          time in UTC (RFC 3339), or null
//	status           of HTTP, or 0 if unknown
//	access           what the status means: "file", "redirect", "unavailable" (everything is
//	                 allowed) or "unreachable" (everything is disallowed)
//	bytes            size of the body
//	truncated        the body is only a part
//	content          of a file: "robots.txt", "html", "other" or "empty"; otherwise empty
//	encoding         of a file: "ascii", "utf-8", "utf-16" or "other"; otherwise empty
//	byte_order_mark  the file starts with one
//	groups           number of groups after merging
//	rules            number of allow and disallow lines
//	sitemaps         as written, in file order
//	agents           one for each agent that was asked about, in the order asked:
//	  agent          as asked
//	  token          of its group, as written; empty if no group applies
//	  coverage       of the URLs that it may fetch: "all", "none" or "some"
//	  allowed        whether it may fetch "/"
//	  line           of the rule that decides about "/", or 0
//	  crawl_delay    in seconds, or null
//	  ai_training    preference for "/": "allow", "disallow" or "unknown"; see package aipref
//	  ai_search      likewise
//	  ai_input       likewise
//	  paths          one for each path that was asked about: path, allowed, line
//	keys             of the protocol, with their number of lines, by name: name, count
//	unknown_keys     other keys in lower case, likewise; only of robots.txt content
//	findings         codes of package lint, likewise; empty if it was not asked for
//
// A redirect gets the verdicts of a site without a file. The rules that really hold
// are where the redirect leads, which is another capture.
//
// A [Summary] adds records up.
package survey

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/lint"
	"github.com/robotstxt-go/robotstxt/rules"
)

// A Capture is the answer to a request for a robots.txt.
type Capture struct {
	URL       string
	Status    int       // of HTTP; 0 if unknown, and then Body is taken for a file
	Body      []byte    // decoded; it is not kept
	Fetched   time.Time // zero if unknown
	Truncated bool      // Body is only a part
}

// Questions are what a survey asks about each capture. They may be used by several
// goroutines at once.
type Questions struct {
	Agents []string // product tokens or User-Agent headers; "*" is one that no file names
	Paths  []string // what each agent may fetch, besides "/"
	NoLint bool     // leave out the findings, which take longer than the rest
}

// A Record is what a survey knows about one capture. The package documentation
// describes the fields.
type Record struct {
	URL           string     `json:"url"`
	Location      string     `json:"location"`
	Place         string     `json:"place"`
	Fetched       *time.Time `json:"fetched"`
	Status        int        `json:"status"`
	Access        string     `json:"access"`
	Bytes         int        `json:"bytes"`
	Truncated     bool       `json:"truncated"`
	Content       string     `json:"content"`
	Encoding      string     `json:"encoding"`
	ByteOrderMark bool       `json:"byte_order_mark"`
	Groups        int        `json:"groups"`
	Rules         int        `json:"rules"`
	Sitemaps      []string   `json:"sitemaps"`
	Agents        []Agent    `json:"agents"`
	Keys          []Count    `json:"keys"`
	UnknownKeys   []Count    `json:"unknown_keys"`
	Findings      []Count    `json:"findings"`
}

// An Agent is what a file says to one agent.
type Agent struct {
	Agent      string   `json:"agent"`
	Token      string   `json:"token"`
	Coverage   string   `json:"coverage"`
	Allowed    bool     `json:"allowed"`
	Line       int      `json:"line"`
	CrawlDelay *float64 `json:"crawl_delay"`
	AITraining string   `json:"ai_training"`
	AISearch   string   `json:"ai_search"`
	AIInput    string   `json:"ai_input"`
	Paths      []Path   `json:"paths"`
}

// A Path is a verdict about a path.
type Path struct {
	Path    string `json:"path"`
	Allowed bool   `json:"allowed"`
	Line    int    `json:"line"`
}

// A Count is how often something is in a file.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Record answers the questions for a capture.
func (q Questions) Record(c Capture) Record {
	r := Record{
		URL: c.URL, Status: c.Status, Bytes: len(c.Body), Truncated: c.Truncated,
		Keys: []Count{}, UnknownKeys: []Count{}, Findings: []Count{},
	}
	r.Location, r.Place = place(c.URL)
	if !c.Fetched.IsZero() {
		utc := c.Fetched.UTC()
		r.Fetched = &utc
	}
	file := robotstxt.FromStatus(cmp.Or(c.Status, 200), c.Body)
	r.Access = access(c.Status)
	if r.Access == "file" {
		r.Encoding, r.ByteOrderMark = encoding(c.Body)
		r.Groups = len(file.Groups())
		q.readLines(&r, file, c.Body)
	}
	r.Sitemaps = append([]string{}, file.Sitemaps()...)
	r.Agents = make([]Agent, len(q.Agents))
	for i, agent := range q.Agents {
		r.Agents[i] = q.agent(file, agent, r.Agents[:i])
	}
	return r
}

// place returns the location of a URL and what the URL is to it.
func place(url string) (location, place string) {
	location, err := robotstxt.Location(url)
	switch {
	case err != nil:
		return "", "unknown"
	case url == location || robotstxt.Covers(url, location):
		return location, "site"
	}
	return location, "other"
}

// access returns what a status means (RFC 9309, section 2.3.1).
func access(status int) string {
	switch {
	case status == 0, status/100 == 2:
		return "file"
	case status/100 == 3:
		return "redirect"
	}
	if robotstxt.FromStatus(status, nil).Access() == robotstxt.FileUnavailable {
		return "unavailable"
	}
	return "unreachable"
}

// encoding returns the encoding of a file.
func encoding(body []byte) (name string, byteOrderMark bool) {
	switch {
	case isASCII(body):
		return "ascii", false
	case bytes.HasPrefix(body, []byte("\xfe\xff")), bytes.HasPrefix(body, []byte("\xff\xfe")):
		return "utf-16", true
	case utf8.Valid(body):
		return "utf-8", bytes.HasPrefix(body, []byte("\ufeff"))
	}
	return "other", false
}

// isASCII reports whether all bytes are below 0x80.
func isASCII(b []byte) bool {
	const eight = 8
	for ; len(b) >= eight; b = b[eight:] {
		if binary.LittleEndian.Uint64(b)&0x8080808080808080 != 0 {
			return false
		}
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// readLines adds what the lines of a file show: its content, keys and findings.
func (q Questions) readLines(r *Record, file *robotstxt.File, body []byte) {
	r.Findings = q.findings(file, body)
	var known [robotstxt.OtherKind + 1]int
	unknown := map[string]int{}
	start := "" // of what the file says
	for l := range robotstxt.Lines(body) {
		if start == "" {
			start = textOf(l)
		}
		if strings.HasPrefix(start, "<") && r.Groups == 0 {
			r.Content = "html"
			return
		}
		known[l.Kind]++
		if l.Kind != robotstxt.OtherKind {
			continue
		}
		if key := keyName(l.Key); key != "" {
			unknown[key]++
		}
	}
	for _, kind := range knownKinds {
		if n := known[kind]; n > 0 {
			r.Keys = append(r.Keys, Count{kind.String(), n})
		}
	}
	switch {
	case len(r.Keys) > 0:
		r.Content = "robots.txt"
		r.UnknownKeys = counts(unknown)
		r.Rules = known[robotstxt.AllowKind] + known[robotstxt.DisallowKind]
	case start == "":
		r.Content = "empty"
	default:
		r.Content = "other"
	}
}

// knownKinds are the kinds of lines with a key of the protocol, by its name.
var knownKinds = [...]robotstxt.Kind{
	robotstxt.AllowKind, robotstxt.CrawlDelayKind, robotstxt.DisallowKind, robotstxt.SitemapKind, robotstxt.UserAgentKind,
}

// textOf returns a line without the blanks at its start and without its comment.
func textOf(l robotstxt.Line) string {
	return strings.TrimLeft(strings.TrimSuffix(l.Text, l.Comment), " \t\ufeff")
}

// keyName returns a key in lower case, or nothing if it is not a word.
func keyName(key string) string {
	const longest = 30
	if len(key) > longest {
		return ""
	}
	key = strings.ToLower(key)
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyz-_") != "" {
		return ""
	}
	return key
}

// counts returns what was counted, by name.
func counts(m map[string]int) []Count {
	all := make([]Count, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		all = append(all, Count{name, m[name]})
	}
	return all
}

// findings counts the findings of package lint by code.
func (q Questions) findings(file *robotstxt.File, body []byte) []Count {
	codes := map[string]int{}
	if !q.NoLint {
		for _, f := range lint.CheckParsed(file, body) {
			codes[f.Code] += 1 + f.More
		}
	}
	return counts(codes)
}

// agent returns what a file says to an agent. Agents of one group are told the
// same, so that the answer for one of those before will do.
func (q Questions) agent(file *robotstxt.File, agent string, before []Agent) Agent {
	decision := file.Decide(agent, "/")
	for _, a := range before {
		if a.Token == decision.Token {
			a.Agent = agent
			return a
		}
	}
	group := file.Group(agent)
	a := Agent{
		Agent: agent, Token: decision.Token, Coverage: coverage(group),
		Allowed: decision.Allowed, Line: decision.Rule.Line, Paths: make([]Path, len(q.Paths)),
	}
	if delay, ok := group.CrawlDelay(); ok {
		seconds := delay.Seconds()
		a.CrawlDelay = &seconds
	}
	var preferences aipref.Preferences
	if a.Token != "" { // or there is no record for the agent
		preferences = aipref.For(file, agent, "/").Preferences
	}
	a.AITraining = preferences.Training.Value.String()
	a.AISearch = preferences.Search.Value.String()
	a.AIInput = preferences.AIInput.Value.String()
	for i, path := range q.Paths {
		d := group.Decide(path)
		a.Paths[i] = Path{path, d.Allowed, d.Rule.Line}
	}
	return a
}

// coverage returns how many URLs a group may fetch. For most groups the rules with
// another verdict than "/" show it: there is none, or the path of one of the first
// has its verdict.
func coverage(g *robotstxt.Group) string {
	const enough = 32
	root := g.Decide("/")
	others := slices.DeleteFunc(g.Rules(), func(r robotstxt.Rule) bool { return r.Allow == root.Allowed })
	switch {
	case len(others) > 0:
	case root.Allowed:
		return "all"
	case root.Rule.Pattern == "/":
		return "none"
	}
	for _, r := range others[:min(len(others), enough)] {
		if d := g.Decide(r.Pattern); d.Allowed != root.Allowed && d.Reason != robotstxt.RobotsTxt {
			return "some"
		}
	}
	return rules.Coverage(g).String()
}
