package rules

import "github.com/robotstxt-go/robotstxt"

// A Coverage describes which URLs the crawlers of a group may fetch.
type Coverage struct {
	AllowedURL    string // an allowed URL other than /robots.txt; empty if none was found
	DisallowedURL string // a disallowed URL; empty if none was found
	Undecided     bool   // a search stopped early to save time, so an empty field does not prove that there is no such URL
}

// String returns how much may be fetched: "all", "some", "none" or "undecided".
func (c Coverage) String() string {
	switch {
	case c.AllowedURL != "" && c.DisallowedURL != "":
		return "some"
	case c.Undecided:
		return "undecided"
	case c.DisallowedURL == "":
		return "all"
	}
	return "none"
}

// CoverageOf reports whether the crawlers of a group may fetch all URLs, some, or none
// except /robots.txt. The result has examples of an allowed and a disallowed URL.
func CoverageOf(g *robotstxt.Group) Coverage {
	f := newFinder(newRuleset(g))
	allowed, sure := f.findVerdict(true)
	disallowed, alsoSure := f.findVerdict(false)
	return Coverage{allowed, disallowed, !sure || !alsoSure}
}

// findVerdict returns a URL with the given verdict, or "" if it finds none. If the budget
// was exceeded before it found one, sure is false, because such a URL may exist.
func (f *finder) findVerdict(allow bool) (url string, sure bool) {
	sure = true
	live := f.sides[0].live
	for i := range live {
		p := live[len(live)-1-i] // start with the last pattern, which matches every target: its search is the cheapest
		if p.rule.Allow != allow {
			continue
		}
		switch target, end := f.find(p); end {
		case found:
			return urlOf(target), true
		case unclear:
			sure = false
		}
	}
	return "", sure
}
