// Package summary sums up a robots.txt file in plain sentences.
package summary

import (
	"fmt"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/rules"
)

// File says who may fetch what, what the file says about AI, and how many sitemaps it names.
func File(file verdict.File) string {
	switch file.Access() {
	case robotstxt.FileUnavailable:
		return "There is no robots.txt file, so all crawlers may fetch everything."
	case robotstxt.FileUnreachable:
		return "The robots.txt file could not be read, so crawlers should fetch nothing."
	}
	sitemaps := "It names no sitemap."
	switch n := len(file.Sitemaps()); {
	case n == 1:
		sitemaps = "It names one sitemap."
	case n > 1:
		sitemaps = fmt.Sprintf("It names %d sitemaps.", n)
	}
	return access(file.File) + ". " + AI(file, "/") + " " + sitemaps
}

// maxRules limits the time for a file, in which thousands of groups can share thousands of rules: a
// group after this number of rules is not searched for URLs, and its rules are not counted. Real files
// have only a few thousand rules.
const maxRules = 20_000

// access says what crawlers may fetch: first those that the file names, then all others.
func access(file *robotstxt.File) string {
	others := "everything"
	var nothing, everything, some []string // the crawlers that the file names, by what they may fetch
	searched := 0
	for _, g := range file.Groups() {
		c := rules.Coverage{Undecided: true}
		if searched <= maxRules {
			searched += len(g.Rules())
		}
		if searched <= maxRules {
			c = rules.CoverageOf(g)
		}
		names := &some
		extent := "only what the rules allow"
		switch c.String() {
		case "all":
			names, extent = &everything, "everything"
		case "none":
			names, extent = &nothing, "nothing"
		case "some":
			extent = "everything except some URLs" + suchAs(c.DisallowedURL)
			if !g.Decide(ordinaryPage).Allowed {
				extent = "only some URLs" + suchAs(allowedURLs(g, c.AllowedURL)...)
			}
		}
		for _, token := range g.Tokens() {
			switch {
			case token == "*":
				others = extent
			case !known.IsWordForAll(token) && !strings.EqualFold(token, aipref.TrainingToken): // no crawler has these names
				*names = append(*names, lex.Printable(token))
			}
		}
	}
	var parts []string
	if len(nothing) > 0 && others != "nothing" {
		parts = append(parts, lex.List(nothing, mostNames)+" may fetch nothing")
	}
	if len(everything) > 0 && others != "everything" {
		parts = append(parts, lex.List(everything, mostNames)+" may fetch everything")
	}
	if len(some) > 0 {
		parts = append(parts, lex.List(some, mostNames)+" "+plural(some, "has rules of its own", "have rules of their own"))
	}
	obeying := ""
	if others != "everything" {
		obeying = " that obey *" // AdsBot-Google and some others do not
	}
	if len(parts) == 0 {
		return "All crawlers" + obeying + " may fetch " + others
	}
	return strings.Join(append(parts, "all other crawlers"+obeying+" may fetch "+others), "; ")
}

// ordinaryPage stands for a page that no rule names. The home page would not do: a site can allow it
// and disallow all others, with "Disallow: /" and "Allow: /$".
const ordinaryPage = "/07zqjx"

// allowedURLs returns the home page, if the group allows it, and one other allowed URL: known, or the
// path of a rule. It returns at least one URL.
func allowedURLs(g *robotstxt.Group, known string) []string {
	if !g.Decide("/").Allowed {
		return []string{known}
	}
	if known != "/" {
		return []string{"/", known}
	}
	for _, r := range g.Rules() {
		isPath := strings.HasPrefix(r.Pattern, "/") && !strings.ContainsAny(r.Pattern, "*$")
		if isPath && r.Pattern != "/" && g.Decide(r.Pattern).Allowed {
			return []string{"/", r.Pattern}
		}
	}
	return []string{"/"}
}

// suchAs names examples, except those that are too long for a sentence.
func suchAs(urls ...string) string {
	const longest = 80
	var shown []string
	for _, url := range urls {
		if len(url) <= longest {
			shown = append(shown, lex.Printable(url))
		}
	}
	if len(shown) == 0 {
		return ""
	}
	return ", such as " + lex.List(shown, mostNames)
}

// mostNames is how many names a sentence lists.
const mostNames = 3

func plural[T any](list []T, one, several string) string {
	if len(list) == 1 {
		return one
	}
	return several
}
