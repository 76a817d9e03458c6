// Package crawlers contains a table of well-known crawlers: who runs them, for what purpose,
// what their operators say about robots.txt, and when somebody last checked this.
package crawlers

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A Purpose is a reason why a crawler fetches pages, according to its operator.
type Purpose string

// The purposes.
const (
	Training Purpose = "training"             // to train models, or to build data sets for training
	Search   Purpose = "search index"         // to build an index for search results or answers
	Input    Purpose = "model input"          // to give pages to a model that is answering a question ("grounding")
	User     Purpose = "user-triggered fetch" // because a person asks for the page
	Other    Purpose = "other"                // for a purpose that is not in this list, or that the operator does not state
)

// A Claim is an operator's statement on whether its crawler obeys robots.txt.
type Claim string

// The claims.
const (
	Heeds     Claim = "heeds robots.txt"      // the crawler obeys robots.txt
	MayIgnore Claim = "may ignore robots.txt" // the crawler ignores robots.txt, always or in some cases, such as when a user asks for a page
	NoClaim   Claim = "no statement found"
)

// A Status says whether a crawler is documented, undocumented or retired.
type Status string

// The statuses.
const (
	Documented   Status = "documented"   // the operator has a page about the crawler
	Undocumented Status = "undocumented" // many files name the crawler, but no operator's page was found
	Retired      Status = "retired"      // the operator no longer uses the crawler
)

// An Answer is the operator's answer to a question about its crawler.
type Answer string

// The answers. The zero value means that no answer was found.
const (
	Yes Answer = "yes"
	No  Answer = "no"
)

// A Crawler is a well-known crawler, or a product token such as Google-Extended: no crawler
// fetches pages under this name, but the rules for the token control how pages are used.
type Crawler struct {
	Token    string // the product token that names the crawler in robots.txt
	Operator string
	Purposes []Purpose // the main purpose first; empty if the crawler is not documented
	Claim    Claim
	Status   Status

	AI          bool   // whether AI models use the pages, for training or for answers
	ControlOnly bool   // whether the token only controls how pages are used, and no crawler fetches pages under this name
	IgnoresStar bool   // whether the crawler ignores the group for "*"
	CrawlDelay  Answer // whether the crawler reads Crawl-delay
	MostDelay   int    // the longest crawl-delay that the crawler accepts, in seconds; 0 if undocumented

	Since      string   // the date on which the crawler was retired, such as 2010-10-01 or 2010; empty if unknown
	Successors []string // the tokens that replaced the token of a retired crawler
	Inherited  bool     // whether a successor that the file does not name obeys the group for this token

	Source   string // the URL of the page that this entry is based on
	Checked  string // the day on which the entry was last compared with its source, as YYYY-MM-DD
	IPRanges string // the URL of the operator's list of IP ranges in JSON; empty if none is known
}

// ByPerson reports whether the crawler fetches pages mainly because a person asks for them.
func (c Crawler) ByPerson() bool { return len(c.Purposes) > 0 && c.Purposes[0] == User }

// All returns all crawlers, sorted by operator. The caller may change the returned slice,
// but not the slices inside its elements.
func All() []Crawler { return slices.Clone(table) }

// Find returns the crawler with the token, regardless of case, and reports whether there is one.
func Find(token string) (Crawler, bool) {
	var buf [64]byte
	i, ok := byToken[string(lex.AppendFold(buf[:0], token))]
	if !ok {
		return Crawler{}, false
	}
	return table[i], true
}

// Known returns the crawler with the token, regardless of case. If there is none, it returns the zero
// Crawler.
func Known(token string) Crawler {
	c, _ := Find(token)
	return c
}

var byToken = func() map[string]int {
	m := make(map[string]int, len(table))
	for i, c := range table {
		m[lex.Fold(c.Token)] = i
	}
	return m
}()

// sets maps the name of each set to a function that reports whether a crawler is in the set.
var sets = map[string]func(Crawler) bool{
	"@ai":     func(c Crawler) bool { return c.AI },
	"@search": func(c Crawler) bool { return slices.Contains(c.Purposes, Search) },
	"@all":    func(Crawler) bool { return true },
}

// Set returns the crawlers of a set that are still in use, in the order of [All]. The sets
// are "@ai" (AI is true), "@search" (the purposes include Search) and "@all". Set returns
// false for other names.
func Set(name string) ([]Crawler, bool) {
	isIn, ok := sets[name]
	if !ok {
		return nil, false
	}
	out := slices.DeleteFunc(All(), func(c Crawler) bool { return c.Status == Retired || !isIn(c) })
	return out, true
}

// IgnoresStar reports whether the crawler with the given token ignores the group for "*". If the
// token is unknown, it counts as the token without its last suffix: AdsBot-Google-Foo counts as
// AdsBot-Google.
func IgnoresStar(token string) bool {
	if c, ok := Find(token); ok {
		return c.IgnoresStar
	}
	i := strings.LastIndexByte(token, '-')
	return i >= 0 && IgnoresStar(token[:i])
}

// Starless returns the tokens of the crawlers that ignore the group for "*". It leaves out a token
// that only adds a suffix to another of these tokens: it returns AdsBot-Google, but not
// AdsBot-Google-Mobile.
func Starless() (tokens []string) {
	for _, c := range table {
		if i := strings.LastIndexByte(c.Token, '-'); c.IgnoresStar && !(i >= 0 && IgnoresStar(c.Token[:i])) {
			tokens = append(tokens, c.Token)
		}
	}
	return tokens
}

// ReadsPages reports whether the crawler reads pages for a search index or for an AI model. Crawlers
// for images, news, advertisements, link previews and statistics do not, and neither do those that
// fetch a page because a person asks for it.
func (c Crawler) ReadsPages() bool {
	isReading := func(p Purpose) bool { return p == Training || p == Search || p == Input }
	isPartOfGooglebot := strings.HasPrefix(c.Token, "Googlebot-")
	return slices.ContainsFunc(c.Purposes, isReading) && !isPartOfGooglebot
}

// Meant returns the tokens that an author may mean by a name that is not a token itself: Claude-User
// and ClaudeBot for "Claude", and the crawlers of OpenAI for "OpenAI". It leaves out undocumented and
// retired tokens. The result is empty if there are none.
func Meant(name string) (tokens []string) {
	if _, ok := Find(name); ok {
		return nil
	}
	for _, c := range table {
		rest, ok := cutPrefixFold(c.Token, name)
		isProduct := ok && (strings.HasPrefix(rest, "-") || strings.EqualFold(rest, "bot"))
		if c.Status == Documented && (isProduct || strings.EqualFold(c.Operator, name)) {
			tokens = append(tokens, c.Token)
		}
	}
	return tokens
}

// cutPrefixFold is strings.CutPrefix regardless of case.
func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
