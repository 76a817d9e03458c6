package rules

import "github.com/robotstxt-go/robotstxt"

// An Access describes which URLs a group may fetch.
type Access struct {
	Allowed    string // a URL that may be fetched, other than /robots.txt; empty if there is none
	Disallowed string // a URL that may not be fetched; empty if there is none
	Undecided  bool   // the budget was exceeded, so an empty URL proves nothing
}

// String returns how much may be fetched: "all", "some", "none" or "undecided".
func (a Access) String() string {
	switch {
	case a.Allowed != "" && a.Disallowed != "":
		return "some"
	case a.Undecided:
		return "undecided"
	case a.Disallowed == "":
		return "all"
	}
	return "none"
}

// Coverage finds out whether a group may fetch all URLs, none except /robots.txt,
// or some.
func Coverage(g *robotstxt.Group) Access {
	f := newFinder(newRuleset(g))
	var a Access
	var sure, alsoSure bool
	a.Allowed, sure = f.findVerdict(true)
	a.Disallowed, alsoSure = f.findVerdict(false)
	a.Undecided = !sure || !alsoSure
	return a
}

// findVerdict looks for a URL with the verdict. If it finds none, the URL is
// empty; sure then reports whether there is none.
func (f *finder) findVerdict(allow bool) (url string, sure bool) {
	sure = true
	live := f.sides[0].live
	for i := range live {
		p := live[len(live)-1-i] // the pattern for "no rule" is the last, and the cheapest to search
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
