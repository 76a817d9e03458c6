// Package verdict says whether a crawler may fetch a URL, and all that a person must know about this answer. All
// commands, their JSON and the page of package web print this value, so they say the same.
//
// To add a note, add a code to the list below and a line to [Group.Decide]. The note is a caveat unless [IsCaveat]
// lists the code. To add a caveat about a line or a name, which lint reports, too, see package internal/reading.
// [Verdict.Why] has the words for each Reason, and package reply those for each answer of a server.
package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/reading"
)

// The codes of notes, beside those of package reading.
const (
	FollowedGroup   = "followed-group"   // the crawler's operator documents that it obeys the group of another name
	ShortenedName   = "shortened-name"   // whether the crawler reads the group of a shorter name is not documented
	IndexPage       = "index-page"       // an allow rule for an index page also allows its folder
	OtherForm       = "other-form"       // servers may answer the URL with a page that is disallowed
	NotRobotsTxt    = "not-robots-txt"   // what was read is no robots.txt
	PolicyToken     = "policy-token"     // the group is for no crawler, but says how pages may be used
	IgnoresStar     = "ignores-star"     // the crawler does not obey the group for "*"
	MisspelledAgent = "misspelled-agent" // the name of the crawler is probably misspelled
	NearMiss        = "near-miss"        // a rule misses the URL by one thing
	SearchResults   = "search-results"   // disallow does not remove a page from search results
)

// IsCaveat reports whether a note says that other crawlers may read the file differently, or that a server may
// answer with another page.
func IsCaveat(n reading.Note) bool {
	return !slices.Contains([]string{FollowedGroup, IgnoresStar, MisspelledAgent, NearMiss, SearchResults}, n.Code)
}

// A File is a robots.txt file, with how others read its lines.
type File struct {
	*robotstxt.File
	Format    string // what it is if it is not a robots.txt file, such as "an HTML page"; otherwise empty
	Fetched   bool   // whether a server sent it
	Why       string // what the server answered if there is no file to read, and what crawlers make of that
	IsUnknown bool   // whether nobody knows what crawlers get, because the server refuses the file to this tool
	readings  readings
	near      map[string]nearRules // by the token of the group; nil if there is no file
}

// Parse reads a robots.txt file.
func Parse(data []byte) File {
	return File{File: robotstxt.Parse(data), Format: formatOf(data), readings: newReadings(data), near: map[string]nearRules{}}
}

// A Group is what a file says to one crawler.
type Group struct {
	*robotstxt.Group
	file  File
	agent string         // the name of the crawler
	about []reading.Note // about the agent and the name that the group was found by
}

// Group returns what the file says to a crawler. The agent is a name or a User-Agent header. If the crawler is
// well known, and the file does not name it, Group looks for the names that the crawler follows.
func (f File) Group(agent string) Group {
	names := crawlers.Names(agent)
	g := Group{f.File.Group(names...), f, robotstxt.ProductToken(names[0]), nil}
	token := g.Group.Decide("/").Token
	if n := nameNote(names, g.agent, token); n.Text != "" {
		g.about = append(g.about, n)
	}
	if n := Misspelling(g.agent); n.Text != "" && lex.Fold(token) != lex.Fold(g.agent) {
		g.about = append(g.about, n)
	}
	return g
}

// Misspelling returns a note if a name probably misspells that of a well-known crawler.
func Misspelling(agent string) (n reading.Note) {
	if meant := known.MisspelledAgent(agent); meant != "" {
		n = note(MisspelledAgent, "no known crawler has the name %q (did you mean %s?)", agent, meant)
	}
	return n
}

// nameNote says how sure it is that a crawler obeys the group for a token of the file: not if the group was found
// by shortening the name, unless the operator documents this, as Google does for Googlebot-Image and Googlebot.
func nameNote(names []string, agent, token string) (n reading.Note) {
	isToken := func(name string) bool { return strings.EqualFold(name, token) }
	crawler, _ := crawlers.Lookup(token)
	switch {
	case token == "" || token == "*" || lex.Fold(token) == lex.Fold(agent):
	case slices.ContainsFunc(names, isToken):
		n = note(FollowedGroup, "by the group %s, which its operator documents", token)
	case crawler.Operator != "Google": // a token that starts with Googlebot- is Google's, too
		n = note(ShortenedName, "by the group %s; whether %s reads it is not documented", token, agent)
	}
	return n
}

// A Verdict is a decision, and what must be said with it.
type Verdict struct {
	robotstxt.Decision
	Notes []reading.Note
	file  File
}

// Decide returns the verdict about a URL for a crawler.
func (f File) Decide(agent, url string) Verdict { return f.Group(agent).Decide(url) }

// Allowed reports whether a crawler may fetch a URL.
func (f File) Allowed(agent, url string) bool { return f.Group(agent).Allowed(url) }

// Decide returns the verdict about a URL.
func (g Group) Decide(url string) Verdict {
	v := Verdict{Decision: g.Group.Decide(url), file: g.file}
	f := &g.file.readings
	v.add(note(NotRobotsTxt, "%s", g.file.FormatNote()))
	switch v.Reason {
	case robotstxt.RuleMatched, robotstxt.NoRuleMatched:
		v.add(g.about...)
		v.add(f.rules[v.Rule.Line], f.ofName(v.Decision), indexNote(v.Rule, url), f.file)
	case robotstxt.NoGroup:
		v.add(g.about...)
		v.add(f.file)
		if f.hasStar && known.IgnoresStar(g.agent) {
			v.add(note(IgnoresStar, "%s does not obey the group of *", g.agent))
		}
	}
	if v.Allowed {
		v.add(g.formNote(url))
	}
	return v
}

// Explain is like Decide, but also says what a person may not expect: which rule misses the URL by one thing,
// and that a search engine may show a disallowed URL. It takes more time.
func (g Group) Explain(url string) Verdict {
	v := g.Decide(url)
	crawler, _ := crawlers.Lookup(g.agent)
	switch {
	case v.Reason == robotstxt.NoRuleMatched && v.Note(OtherForm) == "":
		v.add(g.nearMiss(v.Token, url))
	case v.Reason == robotstxt.RuleMatched && !v.Allowed && slices.Contains(crawler.Purposes, crawlers.Search):
		v.add(note(SearchResults, "a disallowed page can still appear in search results, without its text; to remove it, allow it and answer with noindex"))
	}
	return v
}

func note(code, format string, args ...any) reading.Note {
	return reading.Note{Code: code, Text: fmt.Sprintf(format, args...)}
}

// add adds the notes that have a text.
func (v *Verdict) add(notes ...reading.Note) {
	for _, n := range notes {
		if n.Text != "" {
			v.Notes = append(v.Notes, n)
		}
	}
}

// Note returns the text of the note with a code, or "".
func (v Verdict) Note(code string) string {
	for _, n := range v.Notes {
		if n.Code == code {
			return n.Text
		}
	}
	return ""
}

// Caveats returns the notes for which IsCaveat is true.
func (v Verdict) Caveats() (notes []reading.Note) {
	for _, n := range v.Notes {
		if IsCaveat(n) {
			notes = append(notes, n)
		}
	}
	return notes
}

// Caveats returns the caveats of the verdicts about a URL for some crawlers: at most three texts. It leaves out notes
// with the given codes.
func (f File) Caveats(agents []string, url string, without ...string) (texts []string) {
	for _, agent := range agents {
		for _, n := range f.Decide(agent, url).Caveats() {
			if !slices.Contains(without, n.Code) && !slices.Contains(texts, n.Text) {
				texts = append(texts, n.Text)
			}
		}
	}
	return texts[:min(len(texts), 3)]
}

// Unknown is the outcome of a verdict that depends on a file that the server refuses to this tool.
const Unknown = "unknown"

// Outcome returns "allowed", "disallowed" or Unknown.
func (v Verdict) Outcome() string {
	switch {
	case v.file.IsUnknown && v.Reason == robotstxt.FileUnavailable:
		return Unknown
	case v.Allowed:
		return "allowed"
	}
	return "disallowed"
}

// Why returns the reason in a few words, with the notes. It leaves out two notes, each of which a command prints
// once: MisspelledAgent and SearchResults. All characters of the result can be printed.
func (v Verdict) Why() string {
	isNamed := v.Note(FollowedGroup) != "" || v.Note(ShortenedName) != "" // these notes name the group
	if v.Token != "" && !isNamed {
		return v.why(lex.Printable("group " + v.Token))
	}
	return v.why()
}

// WhyForAll is like Why, but does not name the group, so that the crawlers of several groups can share it.
func (v Verdict) WhyForAll() string { return v.why() }

func (v Verdict) why(about ...string) string {
	for _, n := range v.Notes {
		if n.Code != MisspelledAgent && n.Code != SearchResults {
			about = append(about, lex.Printable(n.Text))
		}
	}
	notes := strings.Join(about, "; ")
	inParentheses := ""
	if notes != "" {
		inParentheses = " (" + notes + ")"
	}
	switch v.Reason {
	case robotstxt.RuleMatched:
		return fmt.Sprintf("line %d: %s%s", v.Rule.Line, lex.Printable(v.Rule.String()), inParentheses)
	case robotstxt.NoRuleMatched:
		return "no rule matches" + inParentheses
	case robotstxt.NoGroup:
		return cmp.Or(notes, "no group for this agent")
	case robotstxt.RobotsTxt:
		return "robots.txt itself is always allowed"
	}
	return cmp.Or(lex.Printable(v.file.Why), string(v.Reason)) // a version of a file in Git is no reply
}

// String returns the verdict and its notes in sentences.
func (v Verdict) String() string {
	text := v.Decision.String()
	for _, n := range v.Notes {
		text += " " + strings.ToUpper(n.Text[:1]) + n.Text[1:] + "."
	}
	return text
}

// formNote returns a note if the group disallows another form of a URL; see [robotstxt.Forms]. For
// /x/../private/, the note is
//
//	servers may answer it with /private/, which line 2 disallows, so careful crawlers do not fetch it
func (g Group) formNote(url string) (n reading.Note) {
	const site = "http://host" // makes a URL of a path, whose first segment would be read as a host
	if strings.HasPrefix(url, "//") {
		url = site + url
	}
	for _, form := range robotstxt.Forms(url)[1:] {
		if d := g.Group.Decide(form); !d.Allowed {
			form = lex.Printable(strings.TrimPrefix(form, site))
			return note(OtherForm, "servers may answer it with %s, which line %d disallows, so careful crawlers do not fetch it", form, d.Rule.Line)
		}
	}
	return n
}
