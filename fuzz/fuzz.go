// Package fuzz contains the fuzz targets for OSS-Fuzz. The input of a target is a slice
// of bytes: the first line is an agent, the second line a URL, and the rest robots.txt
// files, separated by NUL bytes. A target panics if two ways to compute the same result
// disagree.
//
// The fuzz tests of each package check more: they compare the package with simple, slow
// code that does the same. OSS-Fuzz cannot build those tests, because they are in external
// test packages.
package fuzz

import (
	"bytes"
	"fmt"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/internal/format"
	"github.com/robotstxt-go/robotstxt/lint"
	"github.com/robotstxt-go/robotstxt/rules"
)

// Join returns an input that consists of an agent, a URL and robots.txt files.
func Join(agent, url string, files ...[]byte) []byte {
	data := []byte(agent + "\n" + url + "\n")
	return append(data, bytes.Join(files, []byte{0})...)
}

// split returns the parts of an input. The robots.txt files are still joined by NUL bytes.
func split(data []byte) (agent, url string, files []byte) {
	first, data, _ := bytes.Cut(data, []byte{'\n'})
	second, files, _ := bytes.Cut(data, []byte{'\n'})
	return string(first), string(second), files
}

// check panics unless ok is true. OSS-Fuzz keeps an input that causes a panic.
func check(ok bool, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf(format, args...))
	}
}

// Decide checks that all functions that decide about a URL agree, and that the right rule
// decides.
func Decide(data []byte) int {
	agent, url, text := split(data)
	file := robotstxt.Parse(text)
	d := file.Decide(agent, url)
	group := file.Group(agent)
	check(file.Allowed(agent, url) == d.Allowed, "Allowed disagrees with Decide, which returns %v", d)
	check(group.Decide(url) == d, "Group.Decide returns %v, but File.Decide returns %v", group.Decide(url), d)
	check(aipref.For(file, agent, url).Access == d, "aipref.For disagrees with Decide, which returns %v", d)

	isRule := d.Reason == robotstxt.RuleMatched && d.Rule.Line == 0
	for _, r := range group.Rules() {
		isRule = isRule || r == d.Rule
	}
	check(isRule == (d.Reason == robotstxt.RuleMatched), "Decide returns %v, but the group has no such rule", d)
	if d.Reason == robotstxt.NoRuleMatched || d.Reason == robotstxt.RuleMatched && !d.Allowed {
		checkStrongest(group, url, d)
	}
	return 0
}

// checkStrongest panics if another rule of the group should have decided. The caller must
// not pass the decision of an allow rule. Such decisions are hard to check: an allow rule for
// /a/index.html also allows /a/, which its pattern does not match.
func checkStrongest(group *robotstxt.Group, url string, d robotstxt.Decision) {
	octets := robotstxt.NewPattern(d.Rule.Pattern).Octets()
	for _, r := range group.Rules() {
		p := robotstxt.NewPattern(r.Pattern)
		if p.Matches(url) {
			isWeaker := p.Octets() < octets || p.Octets() == octets && !r.Allow
			check(isWeaker, "Decide returns %v, but line %d (%v) also matches and should decide", d, r.Line, r)
		}
	}
}

// Lint checks that the lines of findings exist. It also checks that lint.Fix and format.Format
// change no decision, and that a second call changes nothing more.
func Lint(data []byte) int {
	agent, url, text := split(data)
	lines := 0
	for range robotstxt.Lines(text) {
		lines++
	}
	for _, f := range lint.Check(text) {
		check(1 <= f.Line && f.Line <= max(1, lines), "Check returns the finding %v for a file of %d lines", f, lines)
	}
	before := robotstxt.Parse(text).Decide(agent, url)
	for name, change := range map[string]func([]byte) ([]byte, error){"Fix": lint.Fix, "Format": format.Format} {
		changed, err := change(text)
		if err != nil {
			continue
		}
		after := robotstxt.Parse(changed).Decide(agent, url)
		check(after.Allowed == before.Allowed, "%s returns %q, which changes the decision from %v to %v", name, changed, before, after)
		again, err := change(changed)
		check(err == nil && bytes.Equal(again, changed), "%s returns %q; called again with this result, it returns %q (error %v)", name, changed, again, err)
	}
	return 0
}

// Diff checks that rules.Diff reports a change if two files decide differently about a URL.
func Diff(data []byte) int {
	agent, url, files := split(data)
	oldText, newText, _ := bytes.Cut(files, []byte{0})
	old, new := robotstxt.Parse(oldText), robotstxt.Parse(newText)
	changes := rules.Diff(old, new, rules.Options{Agents: []string{agent}})
	before, after := old.Decide(agent, url), new.Decide(agent, url)
	check(before.Allowed == after.Allowed || len(changes) > 0, "Diff returns no change, but the decisions are %v and %v", before, after)
	return 0
}
