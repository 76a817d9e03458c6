// Package crawlers contains a table of well-known crawlers: who runs them, for what purpose, what
// their operators say about robots.txt, and when somebody last compared this with the operator's
// page.
//
// For example, this prints the AI crawlers that a file shuts out of a page, and those of them that may
// ignore the file:
//
//	ai, _ := crawlers.Set("@ai")
//	for _, c := range ai {
//		if !file.Allowed(c.Token, page) { // file is a *robotstxt.File
//			fmt.Println(c.Token, "of", c.Operator, c.Claim == crawlers.MayIgnore)
//		}
//	}
//
// The table contains what operators say. Nobody checked whether their crawlers do so. To verify that
// a request comes from a crawler, compare its address with the crawler's IPRanges: everybody can
// send the crawler's User-Agent header.
//
// A release that only adds crawlers, or that follows a change of a source, is a patch release. The
// types that are strings, such as [Purpose], can get more values in the same way.
//
// All functions are safe for concurrent use. The caller may change their results.
package crawlers

import (
	"slices"
	"time"

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
	// Token is the product token that names the crawler in robots.txt.
	Token string
	// Operator is the company that runs the crawler. For an undocumented crawler, it is the
	// company that others name.
	Operator string
	// Purposes are the reasons why the crawler fetches pages, the main one first. It is empty if
	// the crawler is not documented.
	Purposes []Purpose
	Claim    Claim
	Status   Status

	AI          bool // whether AI models use the pages, for training or for answers
	ControlOnly bool // whether the token only controls how pages are used, and no crawler fetches pages under this name
	IgnoresStar bool // whether the crawler ignores the group for "*"

	CrawlDelay    Answer        // whether the crawler reads Crawl-delay
	MaxCrawlDelay time.Duration // the longest crawl-delay that the crawler accepts; 0 if undocumented

	// RetiredOn is the date on which the crawler was retired, as far as it is known: 2010-10-01,
	// 2010-10 or 2010. It is empty if the date is unknown or the crawler is not retired.
	RetiredOn string
	// Successors are the tokens that replaced the token of a retired crawler.
	Successors []string
	// Follows are other tokens, in order: if a file does not name the crawler, the crawler obeys the
	// group for the first of them that the file names. See [Names].
	Follows []string

	// Source is the URL of the page that this entry is based on: the operator's own page, or a
	// public list that describes the crawler.
	Source string
	// Checked is the day on which somebody last compared the entry with its source, at midnight
	// UTC. The source was often a stored copy of the page. If the day of the copy was known,
	// Checked is that day.
	Checked time.Time
	// IPRanges is the URL of the operator's list of IP ranges in JSON. It is empty if none is known.
	IPRanges string
}

func (c Crawler) clone() Crawler {
	c.Purposes = slices.Clone(c.Purposes)
	c.Successors = slices.Clone(c.Successors)
	c.Follows = slices.Clone(c.Follows)
	return c
}

// All returns all crawlers, sorted by operator.
func All() []Crawler {
	all := slices.Clone(table)
	for i, c := range all {
		all[i] = c.clone()
	}
	return all
}

// Lookup returns the crawler with the token, regardless of case, and reports whether there is one.
func Lookup(token string) (Crawler, bool) {
	if i, ok := lookup(token); ok {
		return table[i].clone(), true
	}
	return Crawler{}, false
}

// lookup returns the index of the crawler with the token.
func lookup(token string) (i int, ok bool) {
	var buf [64]byte
	i, ok = byToken[string(lex.AppendFold(buf[:0], token))]
	return i, ok
}

// Names returns the names under which to look for a crawler's group: its token, and the tokens that it
// follows. For a crawler that is not in the table, it returns userAgent. It takes a token or a
// User-Agent header, and finds the crawler as [FromUserAgent] does.
//
// RFC 9309 knows only the crawler's own token, and so does [robotstxt.File.Decide]. To judge a
// well-known crawler as its operator documents it, pass the names to [robotstxt.File.Group]:
//
//	file.Group(crawlers.Names("Applebot")...) // the group for Applebot, or for Googlebot, or for "*"
func Names(userAgent string) []string {
	i, ok := fromUserAgent(userAgent)
	if !ok {
		return []string{userAgent}
	}
	return append([]string{table[i].Token}, table[i].Follows...)
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

// Set returns the crawlers of a set, without retired ones, in the order of [All]. The sets are
// "@ai" (AI is true), "@search" (the purposes include Search) and "@all". Set returns false for
// other names.
func Set(name string) ([]Crawler, bool) {
	isIn, ok := sets[name]
	if !ok {
		return nil, false
	}
	out := slices.DeleteFunc(All(), func(c Crawler) bool { return c.Status == Retired || !isIn(c) })
	return out, true
}
