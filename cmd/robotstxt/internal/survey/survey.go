// Package survey turns the robots.txt captures of a crawl into records, for statistics. A
// capture is the answer to one request.
//
//	questions := survey.Questions{Agents: []string{"GPTBot", "CCBot"}}
//	record := questions.Answer(survey.Capture{URL: url, Status: 200, Body: body, Fetched: now})
//
// A [Job] does this for all captures in files, such as the archives of a crawl, and adds the records
// up. docs/json.md describes the fields of records and summaries.
package survey

import (
	"bytes"
	"cmp"
	"crypto/sha256"
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
	Elsewhere bool      // the body is in another archive, so Body is missing
	Redirect  string    // the target of a redirect, as a complete URL

	Archive       string // the file with the capture
	Offset, Inner int64  // where the capture is in the archive; see docs/json.md
	PayloadDigest string // as the archive has it
}

// Questions are the questions that a survey asks about each capture. They are safe for
// concurrent use.
type Questions struct {
	Agents []string `json:"agents"`          // product tokens or User-Agent headers; "*" means an agent that no file names
	Paths  []string `json:"paths,omitempty"` // paths to ask about for each agent, besides "/"
	NoLint bool     `json:"no_lint"`         // leave out the findings of package lint; finding them takes most of the time
	Rules  bool     `json:"rules"`           // list the rules of each file
}

// Values of Record.Place, Record.Access and Record.Content; docs/json.md describes them.
const (
	site, otherURL, unknownPlace = "site", "other", "unknown"

	isFile, redirected, notModified = "file", "redirect", "not_modified"
	unavailable, unreachable        = "unavailable", "unreachable"

	robotsTxt, html, otherContent = "robots.txt", "html", "other"
	empty, undecoded, elsewhere   = "empty", "undecoded", "elsewhere"
)

// A Record contains the answers to the Questions about one capture. docs/json.md describes the fields.
type Record struct {
	URL           string        `json:"url"`
	Location      string        `json:"location"`
	Class         string        `json:"class"`
	Place         string        `json:"place"`
	Archive       string        `json:"archive"`
	Offset        int64         `json:"offset"`
	Inner         int64         `json:"inner"`
	Fetched       *time.Time    `json:"fetched"`
	Status        int           `json:"status"`
	Access        string        `json:"access"`
	Redirect      string        `json:"redirect"`
	Bytes         int           `json:"bytes"`
	SHA256        string        `json:"sha256"`
	PayloadDigest string        `json:"payload_digest"`
	Truncated     bool          `json:"truncated"`
	Content       string        `json:"content"`
	Encoding      string        `json:"encoding"`
	ByteOrderMark bool          `json:"byte_order_mark"`
	Groups        int           `json:"groups"`
	Rules         int           `json:"rules"`
	UnreadAgents  int           `json:"unread_agents"`
	Tokens        []string      `json:"tokens"`
	MoreTokens    int           `json:"more_tokens"`
	RuleList      []RuleRecord  `json:"rule_list"`
	MoreRules     int           `json:"more_rules"`
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
	By         string       `json:"by"`
	Coverage   string       `json:"coverage"`
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

// A RuleRecord says how many groups of a file have a rule.
type RuleRecord struct {
	Type   string `json:"type"` // "allow" or "disallow"
	Path   string `json:"path"` // the path pattern, as written
	Groups int    `json:"groups"`
}

// A Count says how often a name, such as a key or a code, occurs in a file.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// The largest numbers of tokens and of rules in a Record. One file in 200 has more rules.
const (
	maxTokens = 100
	maxRules  = 1000
)

// Answer returns the record of a capture, with the answers to the questions.
func (q Questions) Answer(c Capture) Record {
	sum := sha256.Sum256(c.Body)
	r := Record{
		URL: c.URL, Status: c.Status, Redirect: c.Redirect, Archive: c.Archive, Offset: c.Offset, Inner: c.Inner,
		Bytes: len(c.Body), SHA256: hex.EncodeToString(sum[:]), PayloadDigest: c.PayloadDigest, Truncated: c.Truncated,
		Tokens: []string{}, RuleList: []RuleRecord{}, Agents: []AgentRecord{}, Keys: []Count{}, UnknownKeys: []Count{},
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
	switch {
	case r.Access != isFile:
		r.addAgents(q, file, false)
	case c.Undecoded:
		r.Content = undecoded
	case c.Elsewhere:
		r.Content = elsewhere
	default:
		r.Encoding, r.ByteOrderMark = encoding(c.Body)
		r.addGroups(file.Groups(), q.Rules)
		r.UnreadAgents = unreadAgents(c.Body)
		hasPreferences := r.readLines(c.Body) || strings.EqualFold(file.Decide(aipref.TrainingToken, "/").Token, aipref.TrainingToken)
		r.addAgents(q, file, hasPreferences)
	}
	r.classify()
	if slices.Contains(linted, r.Class) {
		r.Findings = q.findings(c.Body)
	}
	return r
}

// linted are the classes with findings. A part of a file would have findings that the file has not.
var linted = []string{FileClass, html, otherContent, empty}

// addAgents adds the answers about the agents of the questions.
func (r *Record) addAgents(q Questions, file *robotstxt.File, hasPreferences bool) {
	r.Agents = make([]AgentRecord, len(q.Agents))
	for i, agent := range q.Agents {
		r.Agents[i] = q.answerAbout(file, agent, hasPreferences, r.Agents[:i])
	}
}

// addGroups adds the number of groups and their tokens to the record, and their rules if it should list them.
func (r *Record) addGroups(groups []*robotstxt.Group, listRules bool) {
	r.Groups = len(groups)
	for _, g := range groups {
		tokens := g.Tokens()
		n := min(len(tokens), maxTokens-len(r.Tokens))
		r.Tokens = append(r.Tokens, tokens[:n]...)
		r.MoreTokens += len(tokens) - n
	}
	if listRules {
		r.addRules(groups)
	}
}

// addRules lists the rules of the groups. A group that has a rule twice counts once.
func (r *Record) addRules(groups []*robotstxt.Group) {
	index := map[RuleRecord]int{} // the places of rules in all, by type and path
	var all []RuleRecord
	var last []int // the last group that has the rule
	for n, g := range groups {
		for _, rule := range g.Rules() {
			key := RuleRecord{Type: "disallow", Path: rule.Pattern}
			if rule.Allow {
				key.Type = "allow"
			}
			i, ok := index[key]
			if !ok {
				i = len(all)
				index[key], all, last = i, append(all, key), append(last, -1)
			}
			if last[i] != n {
				last[i] = n
				all[i].Groups++
			}
		}
	}
	n := min(len(all), maxRules)
	r.RuleList = append(r.RuleList, all[:n]...)
	r.MoreRules = len(all) - n
}

// unreadAgents returns the number of user-agent lines after the first 500 KiB, which crawlers need not read
// (RFC 9309, section 2.5).
func unreadAgents(body []byte) (n int) {
	if len(body) <= robotstxt.SizeLimit {
		return 0
	}
	start := 1 + bytes.LastIndexAny(body[:robotstxt.SizeLimit+1], "\r\n") // of the first line that ends after the limit
	for l := range robotstxt.Lines(body[start:]) {
		if l.Kind == robotstxt.UserAgentKind {
			n++
		}
	}
	return n
}

// place returns the location of the robots.txt that governs a URL. It also says whether the
// URL is that location. If the URL has no location, the result is "" and unknownPlace.
func place(url string) (location, place string) {
	location, err := robotstxt.Location(url)
	switch {
	case err != nil:
		return "", unknownPlace
	case url == location || robotstxt.Covers(url, location):
		return location, site
	}
	return location, otherURL
}

func access(status int, file *robotstxt.File) string {
	switch {
	case status == 304:
		return notModified
	case status/100 == 3:
		return redirected
	case file.Access() == robotstxt.FileUnavailable:
		return unavailable
	case file.Access() == robotstxt.FileUnreachable:
		return unreachable
	}
	return isFile
}

func encoding(body []byte) (name string, byteOrderMark bool) {
	isSpecial := func(c byte) bool { return c >= utf8.RuneSelf }
	switch {
	case !slices.ContainsFunc(body, isSpecial):
		return "ascii", false
	case bytes.HasPrefix(body, []byte("\xfe\xff")), bytes.HasPrefix(body, []byte("\xff\xfe")):
		return "utf-16", true
	case utf8.Valid(body):
		return "utf-8", bytes.HasPrefix(body, []byte("\ufeff"))
	}
	return "other", false
}

// readLines determines the kind of text in a file, and counts its rules, keys and labels. The
// result hasPreferences reports whether the file may contain records with preferences for AI. These are
// lines of [robotstxt.OtherKind], so without such lines, hasPreferences is false. It is also false for
// HTML.
func (r *Record) readLines(body []byte) (hasPreferences bool) {
	_, isOther := robotstxt.NotRobotsTxt(body)
	if isOther && bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n\ufeff"), []byte("<")) {
		r.Content = html // a page has no lines to count, and splitting a large page into lines takes long
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
			r.Content = html
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
		r.Content = otherContent
	case start != "":
		r.Content = robotsTxt
		r.UnknownKeys = counts(unknown)
		r.ContentSignal, r.ContentUsage = counts(signals), counts(usages)
		r.Rules = known[robotstxt.AllowKind] + known[robotstxt.DisallowKind]
	default:
		r.Content = empty
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
	by := namedBy(decision.Token, names)
	for _, a := range earlier {
		if a.Token == decision.Token {
			a.Agent, a.By = agent, by
			return a
		}
	}
	a := AgentRecord{
		Agent: agent, Token: decision.Token, By: by, Coverage: rules.CoverageOf(group).String(),
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

// namedBy says how the token of a group names an agent: as "name", "follows", "shorter" or "*". The names are
// those of [crawlers.Names].
func namedBy(token string, names []string) string {
	follows := func(name string) bool { return strings.EqualFold(name, token) }
	switch {
	case token == "" || token == "*":
		return token
	case strings.EqualFold(token, robotstxt.ProductToken(names[0])):
		return "name"
	case slices.ContainsFunc(names[1:], follows):
		return "follows"
	}
	return "shorter"
}
