package page

import (
	"slices"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/robotstag"
)

// A Use says whether a crawler may use a page in some way.
type Use struct {
	Answer Answer `json:"answer"`
	Why    string `json:"why"`

	Shared string `json:"-"` // like Why, but for several crawlers: it names the group of none
}

// An Answer is the answer of a Use.
type Answer string

// The answers.
const (
	Yes        Answer = "yes"
	No         Answer = "no"
	NoLonger   Answer = "no longer" // since the time in unavailable_after
	CannotTell Answer = "cannot be told"
)

func newUse(answer Answer, why string) *Use { return &Use{answer, why, why} }

// Uses are what one crawler may do with a page.
type Uses struct {
	Verdict verdict.Verdict // the zero Verdict if there is no robots.txt to ask
	robotstag.Directives

	Fetch *Use
	Index *Use // whether search results may show the page; nil for a crawler that is not for search
	Train *Use // whether models may be trained with the page; nil for a crawler that is not for training

	// IsHidden is true if a crawler for search never sees noindex or unavailable_after, because a rule disallows the
	// page.
	IsHidden bool
}

// Uses returns what a crawler may do with a page at a time. The file is the robots.txt of the page's site, or nil.
func (p *Page) Uses(agent string, file *verdict.File, now time.Time) (u Uses) {
	u.Directives = p.Tags.For(agent)
	u.Fetch = newUse(CannotTell, "no robots.txt was checked")
	training := p.AI.Training
	if file != nil {
		u.Verdict = file.Group(agent).Explain(p.URL)
		u.Fetch = fetchUse(u.Verdict)
		inFile := aipref.For(file.File, crawlers.Names(agent), p.URL).Preferences
		training = inFile.Combine(p.AI).Training
	}
	if isFor(agent, crawlers.Search) {
		u.Index = p.indexUse(agent, u, now)
		u.IsHidden = u.Index.Answer == CannotTell && u.Verdict.Reason == robotstxt.RuleMatched && u.saysNoIndex()
	}
	if isFor(agent, crawlers.Training) {
		u.Train = p.trainUse(agent, u, training)
	}
	return u
}

// isFor reports whether an agent may fetch pages for a purpose. Nobody knows the purposes of crawlers that are not well
// known.
func isFor(agent string, purpose crawlers.Purpose) bool {
	c, _ := crawlers.Lookup(known.Token(agent))
	return len(c.Purposes) == 0 || slices.Contains(c.Purposes, purpose)
}

func fetchUse(v verdict.Verdict) *Use {
	u := &Use{No, v.Why(), v.WhyForAll()}
	switch {
	case v.Outcome() == verdict.Unknown:
		u.Answer = CannotTell
	case v.Allowed:
		u.Answer = Yes
	}
	return u
}

func (u Uses) saysNoIndex() bool { return u.Has("noindex") || !u.UnavailableAfter.IsZero() }

func (p *Page) indexUse(agent string, u Uses, now time.Time) *Use {
	noIndex := p.said(agent, "noindex", "none")
	until := p.said(agent, "unavailable_after")
	isFetched := u.Verdict.Reason == "" || u.Fetch.Answer == Yes
	switch {
	case !isFetched && u.Fetch.Answer == CannotTell:
		return newUse(CannotTell, "nobody knows whether the page may be fetched")
	case !isFetched && u.saysNoIndex():
		return newUse(CannotTell, "the page may not be fetched, so crawlers never see its "+strings.Join(append(noIndex, until...), ", "))
	case !isFetched:
		return newUse(CannotTell, "the page may not be fetched, but search results can still show its address")
	case u.Has("noindex"):
		return newUse(No, strings.Join(noIndex, ", "))
	case !u.MayIndex(now):
		return newUse(NoLonger, strings.Join(until, ", "))
	case u.saysNoIndex():
		return newUse(Yes, "only until "+strings.Join(until, ", "))
	}
	return newUse(Yes, "nothing says noindex")
}

func (p *Page) trainUse(agent string, u Uses, training aipref.Preference) *Use {
	noAI := p.said(agent, "noai")
	switch {
	case u.Fetch.Answer == No:
		return u.Fetch
	case len(noAI) > 0:
		return newUse(No, strings.Join(noAI, ", "))
	case training.Value == aipref.Disallow:
		return newUse(No, training.String())
	case u.Fetch.Answer == CannotTell && u.Verdict.Reason != "":
		return newUse(CannotTell, "nobody knows whether the page may be fetched")
	case training.Value == aipref.Allow:
		return newUse(Yes, training.String())
	}
	return newUse(Yes, "nothing is said about training")
}

// maxSaid limits how many directives a reason names. Only hostile pages have more that say the same.
const maxSaid = 5

// said returns the directives for an agent that have one of the names, with their places.
func (p *Page) said(agent string, names ...string) (list []string) {
	for d := range p.Tags.All() {
		if len(list) == maxSaid {
			return append(list, "and others")
		}
		if slices.Contains(names, d.Name) && d.AppliesTo(agent) && len(alone(d).Unknown) == 0 {
			list = append(list, p.Where(d))
		}
	}
	return list
}
