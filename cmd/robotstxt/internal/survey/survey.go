// Package survey turns the robots.txt captures of a crawl into records, for statistics. A
// capture is the answer to one request.
//
//	questions := survey.Questions{Agents: []string{"GPTBot", "CCBot"}}
//	record := questions.Answer(survey.Capture{URL: url, Status: 200, Body: body, Fetched: now})
//
// A [Job] does this for all captures in files, such as the archives of a crawl, and adds the records
// up. As JSON, each record has all of the fields below.
//
//	url              as fetched, or the name of a file
//	location         URL of the robots.txt that applies to the URL; empty if there is none
//	place            "site" if the URL is the same as its location; "other" if it differs, as
//	                 for the target of a redirect; "unknown" if it has no location, as for the
//	                 name of a file
//	archive          the name of the WARC file; empty if there is none
//	offset           where the gzip member or zstd frame with the capture starts in the archive,
//	                 in bytes; in a plain archive, where the capture starts
//	inner            where the capture starts in the decompressed member or frame, in bytes; in
//	                 a plain archive, 0
//	fetched          time in UTC (RFC 3339), or null
//	status           HTTP status, or 0 if unknown
//	access           the meaning of the status: "file", "redirect", "not_modified" (status
//	                 304), "unavailable" (everything is allowed) or "unreachable" (everything
//	                 is disallowed)
//	redirect         the target of a redirect as a complete URL; otherwise empty
//	bytes            size of the body, at most BodyLimit
//	sha256           SHA-256 hash of the first BodyLimit bytes of the body, in hexadecimal
//	truncated        whether the end of the body is missing
//	content          if the access is "file": "robots.txt", "html", "other", "empty", or
//	                 "undecoded" if the body could not be decoded; otherwise empty
//	encoding         "ascii", "utf-8", "utf-16" or "other"; empty if the access is not "file"
//	                 or the content is "undecoded"
//	byte_order_mark  whether the file starts with a byte-order mark
//	groups           number of groups; groups for the same crawlers count as one
//	rules            number of allow and disallow lines
//	tokens           product tokens that the file names, as written, at most 100
//	more_tokens      how many more tokens the file names
//	sitemaps         URLs in the sitemap lines, as written, in file order
//	agents           one object for each agent in the questions, in the same order; an empty
//	                 list if the content is "undecoded":
//	  agent          as in the questions
//	  token          name of the group that applies, as written; empty if none applies
//	  coverage       how many URLs the agent may fetch: "all", "none", "some" or "undecided"
//	  allowed        whether the agent may fetch "/"
//	  line           line number of the rule that allows or disallows "/"; 0 if no rule does
//	  crawl_delay    in seconds, or null
//	  ai_training    whether the site wants "/" to be used for AI training: "allow",
//	                 "disallow" or "unknown" (see package aipref)
//	  ai_search      the same for search
//	  ai_input       the same for AI input
//	  paths          one object for each path in the questions, with path, allowed and line
//	keys             those keys of the file that package robotstxt knows, sorted: one object for
//	                 each, with its name and the number of its lines
//	unknown_keys     the other keys, in lower case, with their counts; empty if the content is
//	                 not "robots.txt"
//	content_signal   the labels of Content-Signal lines, such as "ai-train=no", with their counts
//	content_usage    the labels of Content-Usage lines, such as "train-ai=n", with their counts
//	findings         the codes of lint's findings, with their counts; empty if NoLint is set
//
// In the record of a redirect or a 304, everything is allowed, as for a site without a
// robots.txt. The real rules are in another capture: the target of the redirect, or the
// capture before the 304. So compute percentages only from records for which [Record.Counts]
// returns true, as a [Summary] does. Such a record has the access "file" and the content
// "robots.txt". Its place is not "other", and it is not truncated.
package survey

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/lint"
	"github.com/robotstxt-go/robotstxt/rules"
)

// A Capture is the answer to a request for a robots.txt.
type Capture struct {
	URL       string
	Status    int       // the HTTP status; 0 means unknown, and has the same effect as 200
	Body      []byte    // the decoded body, at most BodyLimit bytes; you can reuse the slice after Questions.Answer has returned
	Fetched   time.Time // zero if unknown
	Truncated bool      // the end of the body is missing
	Undecoded bool      // the body could not be decoded, so Body is missing
	Redirect  string    // the target of a redirect, as a complete URL

	Archive       string // the WARC file with the capture
	Offset, Inner int64  // where the capture is in the archive; see the package documentation
}

// Questions are the questions that a survey asks about each capture. They are safe for
// concurrent use.
type Questions struct {
	Agents []string `json:"agents"`          // product tokens or User-Agent headers; "*" means an agent that no file names
	Paths  []string `json:"paths,omitempty"` // paths to ask about for each agent, besides "/"
	NoLint bool     `json:"no_lint"`         // leave out the findings of package lint; finding them takes most of the time
	Verify bool     `json:"verify"`          // used by [Job.Run]: compare captures with the digests in archives
}

// A Place says whether a URL is the location of a robots.txt; see [robotstxt.Location].
type Place string

// The values of Place.
const (
	Site         Place = "site"    // the URL is the location of a robots.txt
	OtherURL     Place = "other"   // the URL is another one, such as the target of a redirect
	UnknownPlace Place = "unknown" // robotstxt.Location returns an error for the URL
)

// An Access is the meaning of an HTTP status for a crawler (RFC 9309, section 2.3.1).
type Access string

// The meanings of statuses.
const (
	File        Access = "file"
	Redirected  Access = "redirect"
	NotModified Access = "not_modified"
	Unavailable Access = "unavailable"
	Unreachable Access = "unreachable"
)

// A Content is the kind of text in a file.
type Content string

// The kinds of text.
const (
	RobotsTxt    Content = "robots.txt"
	HTML         Content = "html"
	OtherContent Content = "other"
	Empty        Content = "empty"
	Undecoded    Content = "undecoded" // unknown, because the body could not be decoded
)

// An Encoding is the character encoding of a file.
type Encoding string

// The encodings.
const (
	ASCII         Encoding = "ascii"
	UTF8          Encoding = "utf-8"
	UTF16         Encoding = "utf-16"
	OtherEncoding Encoding = "other"
)

// A Coverage says how much of a site an agent may fetch.
type Coverage string

// The values of Coverage.
const (
	All       Coverage = "all"
	None      Coverage = "none"
	Some      Coverage = "some"
	Undecided Coverage = "undecided" // the search for the answer would take too long
)

// A Record contains the answers to the Questions about one capture. The package documentation describes the
// fields.
type Record struct {
	URL           string        `json:"url"`
	Location      string        `json:"location"`
	Place         Place         `json:"place"`
	Archive       string        `json:"archive"`
	Offset        int64         `json:"offset"`
	Inner         int64         `json:"inner"`
	Fetched       *time.Time    `json:"fetched"`
	Status        int           `json:"status"`
	Access        Access        `json:"access"`
	Redirect      string        `json:"redirect"`
	Bytes         int           `json:"bytes"`
	SHA256        string        `json:"sha256"`
	Truncated     bool          `json:"truncated"`
	Content       Content       `json:"content"`
	Encoding      Encoding      `json:"encoding"`
	ByteOrderMark bool          `json:"byte_order_mark"`
	Groups        int           `json:"groups"`
	Rules         int           `json:"rules"`
	Tokens        []string      `json:"tokens"`
	MoreTokens    int           `json:"more_tokens"`
	Sitemaps      []string      `json:"sitemaps"`
	Agents        []AgentRecord `json:"agents"`
	Keys          []Count       `json:"keys"`
	UnknownKeys   []Count       `json:"unknown_keys"`
	ContentSignal []Count       `json:"content_signal"`
	ContentUsage  []Count       `json:"content_usage"`
	Findings      []Count       `json:"findings"`
}

// An AgentRecord contains the answers about one agent.
type AgentRecord struct {
	Agent      string       `json:"agent"`
	Token      string       `json:"token"`
	Coverage   Coverage     `json:"coverage"`
	Allowed    bool         `json:"allowed"`
	Line       int          `json:"line"`
	CrawlDelay *float64     `json:"crawl_delay"`
	AITraining string       `json:"ai_training"`
	AISearch   string       `json:"ai_search"`
	AIInput    string       `json:"ai_input"`
	Paths      []PathRecord `json:"paths"`
}

// A PathRecord contains the verdict about one path.
type PathRecord struct {
	Path    string `json:"path"`
	Allowed bool   `json:"allowed"`
	Line    int    `json:"line"`
}

// A Count says how often a name, such as a key or a code, occurs in a file.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// maxTokens is the largest number of tokens in a Record.
const maxTokens = 100

// Answer returns the record of a capture, with the answers to the questions.
func (q Questions) Answer(c Capture) Record {
	r := q.answer(c)
	sum := sha256.Sum256(c.Body)
	r.SHA256 = hex.EncodeToString(sum[:])
	return r
}

// answer is like Answer, but leaves out the hash of the body.
func (q Questions) answer(c Capture) Record {
	r := Record{
		URL: c.URL, Status: c.Status, Redirect: c.Redirect, Archive: c.Archive, Offset: c.Offset, Inner: c.Inner,
		Bytes: len(c.Body), Truncated: c.Truncated,
		Tokens: []string{}, Agents: []AgentRecord{}, Keys: []Count{}, UnknownKeys: []Count{},
		ContentSignal: []Count{}, ContentUsage: []Count{}, Findings: []Count{},
	}
	r.Location, r.Place = place(c.URL)
	if !c.Fetched.IsZero() {
		utc := c.Fetched.UTC()
		r.Fetched = &utc
	}
	file := robotstxt.FromStatus(cmp.Or(c.Status, 200), c.Body)
	r.Access = access(c.Status, file)
	r.Sitemaps = append([]string{}, file.Sitemaps()...)
	if r.Access == File && c.Undecoded {
		r.Content = Undecoded
		return r
	}
	hasPreferences := false
	if r.Access == File {
		r.Encoding, r.ByteOrderMark = encoding(c.Body)
		r.addGroups(file.Groups())
		r.Findings = q.findings(c.Body)
		hasPreferences = r.readLines(c.Body) || strings.EqualFold(file.Decide(aipref.TrainingToken, "/").Token, aipref.TrainingToken)
	}
	r.Agents = make([]AgentRecord, len(q.Agents))
	for i, agent := range q.Agents {
		r.Agents[i] = q.answerAbout(file, agent, hasPreferences, r.Agents[:i])
	}
	return r
}

// addGroups adds the number of groups, and their tokens, to the record.
func (r *Record) addGroups(groups []*robotstxt.Group) {
	r.Groups = len(groups)
	for _, g := range groups {
		tokens := g.Tokens()
		n := min(len(tokens), maxTokens-len(r.Tokens))
		r.Tokens = append(r.Tokens, tokens[:n]...)
		r.MoreTokens += len(tokens) - n
	}
}

// place returns the location of the robots.txt that governs a URL. It also says whether the
// URL is that location. If the URL has no location, the result is "" and UnknownPlace.
func place(url string) (location string, place Place) {
	location, err := robotstxt.Location(url)
	switch {
	case err != nil:
		return "", UnknownPlace
	case url == location || robotstxt.Covers(url, location):
		return location, Site
	}
	return location, OtherURL
}

func access(status int, file *robotstxt.File) Access {
	switch {
	case status == 304:
		return NotModified
	case status/100 == 3:
		return Redirected
	case file.Access() == robotstxt.FileUnavailable:
		return Unavailable
	case file.Access() == robotstxt.FileUnreachable:
		return Unreachable
	}
	return File
}

func encoding(body []byte) (name Encoding, byteOrderMark bool) {
	switch {
	case isASCII(body):
		return ASCII, false
	case bytes.HasPrefix(body, []byte("\xfe\xff")), bytes.HasPrefix(body, []byte("\xff\xfe")):
		return UTF16, true
	case utf8.Valid(body):
		return UTF8, bytes.HasPrefix(body, []byte("\ufeff"))
	}
	return OtherEncoding, false
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

// readLines determines the kind of text in a file, and counts its rules, keys and labels. The
// result hasPreferences reports whether the file may contain records with preferences for AI. These are
// lines of [robotstxt.OtherKind], so without such lines, hasPreferences is false. It is also false for
// HTML.
func (r *Record) readLines(body []byte) (hasPreferences bool) {
	_, isOther := robotstxt.NotRobotsTxt(body)
	if isOther && bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n\ufeff"), []byte("<")) {
		r.Content = HTML // a page has no lines to count, and splitting a large page into lines takes long
		return false
	}
	var known [robotstxt.OtherKind + 1]int
	unknown, signals, usages := map[string]int{}, map[string]int{}, map[string]int{}
	start := "" // the first text that is not a comment
	for l := range robotstxt.Lines(body) {
		if start == "" {
			start = textOf(l)
		}
		if isOther && strings.HasPrefix(start, "<") {
			r.Content = HTML
			return false
		}
		known[l.Kind]++
		if l.Kind != robotstxt.OtherKind {
			continue
		}
		key := keyName(l.Key)
		switch key {
		case "":
			continue
		case "content-signal":
			addLabels(signals, l.Value)
		case "content-usage":
			addLabels(usages, l.Value)
		}
		unknown[key]++
	}
	for _, kind := range knownKinds {
		if n := known[kind]; n > 0 {
			r.Keys = append(r.Keys, Count{kind.String(), n})
		}
	}
	switch {
	case isOther:
		r.Content = OtherContent
	case start != "":
		r.Content = RobotsTxt
		r.UnknownKeys = counts(unknown)
		r.ContentSignal, r.ContentUsage = counts(signals), counts(usages)
		r.Rules = known[robotstxt.AllowKind] + known[robotstxt.DisallowKind]
	default:
		r.Content = Empty
	}
	return known[robotstxt.OtherKind] > 0
}

// knownKinds contains the kinds of lines whose keys are known. It is sorted by key.
var knownKinds = [...]robotstxt.Kind{
	robotstxt.AllowKind, robotstxt.CrawlDelayKind, robotstxt.DisallowKind, robotstxt.SitemapKind, robotstxt.UserAgentKind,
}

// textOf returns a line without leading blanks and without its comment.
func textOf(l robotstxt.Line) string {
	return strings.TrimLeft(strings.TrimSuffix(l.Text, l.Comment), " \t\ufeff")
}

// addLabels counts the labels in the value of a Content-Signal or Content-Usage line, such as
// "ai-train=no". It ignores a path before the labels. Text that cannot be a label counts as
// "other". After 100 different labels, each new label counts as "other", too.
func addLabels(labels map[string]int, value string) {
	const mostLabels, longest = 100, 40
	if strings.HasPrefix(value, "/") || strings.HasPrefix(value, "*") {
		_, value, _ = strings.Cut(value, " ")
	}
	for label := range strings.SplitSeq(value, ",") {
		name, is, _ := strings.Cut(strings.ToLower(label), "=")
		name, is = strings.TrimSpace(name), strings.TrimSpace(is)
		label := name + "=" + is
		if keyName(name) == "" || keyName(is) == "" || len(label) > longest || labels[label] == 0 && len(labels) >= mostLabels {
			label = "other"
		}
		labels[label]++
	}
}

// keyName returns a key in lower case. It returns "" if the key has more than 30 bytes or
// contains characters other than ASCII letters, "-" and "_".
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

// counts turns a map into a list, sorted by name.
func counts(m map[string]int) []Count {
	if len(m) == 0 {
		return []Count{}
	}
	all := make([]Count, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		all = append(all, Count{name, m[name]})
	}
	return all
}

// findings counts the findings of package lint by code.
func (q Questions) findings(body []byte) []Count {
	codes := map[string]int{}
	if !q.NoLint {
		for _, f := range lint.Check(body) {
			codes[f.Code]++
		}
	}
	return counts(codes)
}

// answerAbout answers the questions about an agent. If the same group applies to one of the
// earlier agents, answerAbout copies the answers about that agent.
func (q Questions) answerAbout(file *robotstxt.File, agent string, hasPreferences bool, earlier []AgentRecord) AgentRecord {
	names := crawlers.Names(agent)
	group := file.Group(names...)
	decision := group.Decide("/")
	for _, a := range earlier {
		if a.Token == decision.Token {
			a.Agent = agent
			return a
		}
	}
	a := AgentRecord{
		Agent: agent, Token: decision.Token, Coverage: coverage(group),
		Allowed: decision.Allowed, Line: decision.Rule.Line, Paths: make([]PathRecord, len(q.Paths)),
	}
	if delay, ok := group.CrawlDelay(); ok {
		seconds := delay.Seconds()
		a.CrawlDelay = &seconds
	}
	var preferences aipref.Preferences
	if hasPreferences {
		preferences = aipref.For(file, names, "/").Preferences
	}
	a.AITraining = preferences.Training.Value.String()
	a.AISearch = preferences.Search.Value.String()
	a.AIInput = preferences.AIInput.Value.String()
	for i, path := range q.Paths {
		d := group.Decide(path)
		a.Paths[i] = PathRecord{path, d.Allowed, d.Rule.Line}
	}
	return a
}

// coverage returns how much of a site the agents of a group may fetch. It first tries two quick
// tests. If all rules agree with the verdict about "/", the result is usually All or None. If
// some rules disagree, coverage tries their patterns as URLs: if one of these URLs gets the
// other verdict, the result is Some. If neither test gives a result, coverage starts the slow
// search in package rules.
func coverage(g *robotstxt.Group) Coverage {
	const enough = 32
	root := g.Decide("/")
	others := slices.DeleteFunc(g.Rules(), func(r robotstxt.Rule) bool { return r.Allow == root.Allowed })
	switch {
	case len(others) > 0:
	case root.Allowed:
		return All
	case root.Rule.Pattern == "/":
		return None
	}
	for _, r := range others[:min(len(others), enough)] {
		if d := g.Decide(r.Pattern); d.Allowed != root.Allowed && d.Reason != robotstxt.RobotsTxt {
			return Some
		}
	}
	return Coverage(rules.CoverageOf(g).String())
}
