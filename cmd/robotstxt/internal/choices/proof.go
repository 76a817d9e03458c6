package choices

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// Proof says in sentences what the change does: who loses what, who answers as before, and where the
// file does not say what is chosen.
func (r Result) Proof() []string {
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	var lost, named []string // the crawlers that lose access, and their tokens folded
	for _, change := range r.Changes {
		if len(change.Differences) > 0 {
			lost = append(lost, change.Agents...)
		}
	}
	for _, token := range lost {
		named = append(named, lex.Fold(token))
	}
	who := "All other crawlers"
	switch len(lost) {
	case 0:
		who = "All crawlers"
		say("No crawler loses access.")
	case 1:
		say("%s loses access.", lost[0])
	default:
		say("%d crawlers lose access: %s.", len(lost), strings.Join(lost, ", "))
	}
	search, _ := crawlers.Set("@search")
	isLost := func(c crawlers.Crawler) bool { return slices.Contains(named, lex.Fold(c.Token)) }
	losing := slices.DeleteFunc(slices.Clone(search), func(c crawlers.Crawler) bool { return !isLost(c) })
	if r.Undecided {
		say("Some rules are too complex to compare, so other verdicts may change, too.")
	} else {
		say("%s, among them %d search crawlers, may fetch the same URLs as before.", who, len(search)-len(losing))
	}
	isMainlySearch := func(c crawlers.Crawler) bool { return c.Purposes[0] == crawlers.Search }
	if also := tokens(slices.DeleteFunc(losing, isMainlySearch)); also != "" {
		say("Of the crawlers that lose access, these also build a search index: %s.", also)
	}
	for _, v := range r.StillOpen {
		say("%s may still fetch %s, because of line %d.", v.Crawler.Token, lex.Printable(v.Path), v.Decision.Rule.Line)
	}
	closed := slices.Clone(r.StillClosed)
	slices.SortStableFunc(closed, func(a, b Verdict) int { return a.Decision.Rule.Line - b.Decision.Rule.Line })
	for len(closed) > 0 {
		line := closed[0].Decision.Rule.Line
		var names []string
		for len(closed) > 0 && closed[0].Decision.Rule.Line == line {
			names = append(names, closed[0].Crawler.Token)
			closed = closed[1:]
		}
		say("%s still may not fetch /, because of line %d. Choices open nothing that the file closes.", strings.Join(names, ", "), line)
	}
	for _, x := range r.Contradictions {
		say("Line %d still states that pages are not for this purpose: %s. The stricter preference holds.", x.Line, x.Purpose)
	}
	if ignoring := tokens(slices.DeleteFunc(slices.Clone(r.Closed), func(c crawlers.Crawler) bool { return c.Claim != crawlers.MayIgnore })); ignoring != "" {
		say("Their operators say that these may ignore robots.txt: %s.", ignoring)
	}
	if used := tokens(r.AlsoUsed); used != "" {
		say("These are not closed, because what you refuse is not their main purpose: %s.", used)
	}
	return lines
}

func tokens(list []crawlers.Crawler) string {
	var names []string
	for _, c := range list {
		names = append(names, c.Token)
	}
	return strings.Join(names, ", ")
}
