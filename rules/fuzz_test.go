package rules_test

import (
	"slices"
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/rules"
)

// seeds are files with most of the features that the package handles.
var seeds = []string{
	"",
	"User-agent: *\nDisallow: /\nAllow: /a",
	"User-agent: a\nUser-agent: b-c\nDisallow: /*?\nAllow: /a/index.html\nUser-agent: *\nDisallow: /a*b$\nDisallow: /a*$",
	"User-agent: adsbot\nDisallow: /*/a*/b\nUser-agent: adsbot-google-x\nAllow: */\nDisallow: /robots.txt$",
	"User-agent: *\nDisallow: /*?*%3Aa/\nAllow: /?%2f\nDisallow: %%2F\nAllow: /%24$\nDisallow: /*$*%2A",
	"User-agent: *\nDisallow: */a\nAllow: /a***\nAllow: /*/a*\nDisallow: /%e3%83\nDisallow: /%zz%%41",
}

// FuzzDiff tests that Diff reports a difference if two files give different verdicts about
// a URL.
func FuzzDiff(f *testing.F) {
	for i, seed := range seeds {
		f.Add(seed, seeds[(i+1)%len(seeds)], "b-c", "/a/b?c:%2F")
		f.Add(seed, "", "AdsBot-Google", "/a?$/%3A")
	}
	f.Fuzz(func(t *testing.T, oldData, newData, agent, url string) {
		old, new := robotstxt.Parse([]byte(oldData)), robotstxt.Parse([]byte(newData))
		before, after := old.Decide(agent, url), new.Decide(agent, url)
		for _, agents := range [][]string{nil, {agent}} {
			known := before.Allowed == after.Allowed
			for _, c := range rules.Diff(old, new, rules.Options{Agents: agents}) {
				known = known || c.Incomplete || slices.Contains(c.UndecidedOld, before.Rule) || slices.Contains(c.UndecidedNew, after.Rule)
				checkCrawlers(t, old, new, c)
				for _, d := range c.Differences {
					known = known || d.Old.Rule == before.Rule && d.New.Rule == after.Rule
				}
			}
			if !known {
				t.Errorf("agent %s, URL %q: Diff reports no difference between\n%v\n%v", agent, url, before, after)
			}
		}
		if closed.Allowed(agent, "/") {
			return // a crawler that ignores "*"; see TestNames
		}
		names := func(agent string) []string { return []string{agent, "a", "b-c"} }
		before, after = old.Group(names(agent)...).Decide(url), new.Group(names(agent)...).Decide(url)
		isSame := before.Allowed == after.Allowed
		for _, c := range rules.Diff(old, new, rules.Options{Agents: []string{agent}, Names: names}) {
			isSame = isSame || c.Incomplete || slices.Contains(c.UndecidedOld, before.Rule) || slices.Contains(c.UndecidedNew, after.Rule)
			for _, d := range c.Differences {
				isSame = isSame || d.Old.Rule == before.Rule && d.New.Rule == after.Rule
			}
		}
		if !isSame {
			t.Errorf("names %q, URL %q: Diff reports no difference between\n%v\n%v", names(agent), url, before, after)
		}
	})
}

var closed = robotstxt.Parse([]byte("User-agent: *\nDisallow: /\n"))

// FuzzDead tests that no decision changes if the dead rules of a group are deleted.
func FuzzDead(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed, "b-c", "/a/b?c:%2F")
	}
	f.Fuzz(func(t *testing.T, data, agent, url string) {
		g := robotstxt.Parse([]byte(data)).Group(agent)
		dead, undecided := rules.DeadRules(g)
		all := robotstxt.Parse(withoutRules([]byte(data), nil)).Group(agent)
		left := robotstxt.Parse(withoutRules([]byte(data), dead)).Group(agent)
		before, after := all.Decide(url), left.Decide(url)
		if before.Rule != after.Rule || before.Allowed != after.Allowed {
			t.Errorf("without the dead rules %v, the decision about %q is %v instead of %v", dead, url, after, before)
		}
		if again, more := rules.DeadRules(left); len(again) > 0 && len(undecided)+len(more) == 0 {
			t.Errorf("without the dead rules %v, %v are also dead", dead, again)
		}
		for _, r := range g.Rules() {
			isDead := slices.ContainsFunc(dead, func(d rules.DeadRule) bool { return d.Rule == r })
			if url, ok := rules.Decided(g, r.Line); ok == isDead && !slices.Contains(undecided, r) {
				t.Errorf("rule %v: reported by DeadRules: %v; a search finds a URL (%q) that it decides: %v", r, isDead, url, ok)
			} else if ok && g.Decide(url).Rule != r {
				t.Errorf("rule %v: a search says that it decides %q, Decide that it does not", r, url)
			}
		}
		checkAccess(t, g, url)
	})
}

// checkAccess compares the coverage of a group with its decision about a URL.
func checkAccess(t *testing.T, g *robotstxt.Group, url string) {
	t.Helper()
	a := rules.CoverageOf(g)
	d := g.Decide(url)
	if !a.Undecided && d.Reason != robotstxt.RobotsTxt && (d.Allowed && a.AllowedURL == "" || !d.Allowed && a.DisallowedURL == "") {
		t.Errorf("coverage %+v, but the decision about %q is: %v", a, url, d)
	}
	if a.AllowedURL != "" && !g.Allowed(a.AllowedURL) || a.DisallowedURL != "" && g.Allowed(a.DisallowedURL) {
		t.Errorf("coverage %+v: Decide gives one of the URLs the opposite verdict", a)
	}
}

// FuzzPattern compares the code that matches patterns in searches with robotstxt.Pattern.
func FuzzPattern(f *testing.F) {
	for _, pattern := range []string{"/a", "/*?a:b", "*aab*$", "/$*a$", "%2A*%24", "?%3a*/b%2f"} {
		f.Add(pattern, "/x?a:b%2Faaab")
	}
	f.Add("*aabaaac", "/aabaaabaaac") // after "aabaaa", a search has to continue after "aa", not after "aab"
	f.Fuzz(func(t *testing.T, pattern, target string) {
		if pattern == "" || !rules.IsTarget(target) {
			return
		}
		url := rules.URLOf(target)
		if got, want := rules.Matches(pattern, target), robotstxt.NewPattern(pattern).Matches(url); got != want {
			t.Errorf("pattern %q, target %q: search says %v; URL %q: Pattern.Matches says %v", pattern, target, got, url, want)
		}
	})
}
