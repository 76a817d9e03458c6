package choices

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/rules"
)

// Proof says in sentences what the change does: who loses access, who gets it back, for whom all stays as it was, and where the
// file does not say what is chosen.
func (r Result) Proof() []string {
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	var lost, gained []string
	for _, change := range r.Changes {
		agents := change.Agents
		if change.Others {
			agents = append(slices.Clone(agents), "any other crawler")
		}
		if slices.ContainsFunc(change.Differences, func(d rules.Difference) bool { return !d.New.Allowed }) {
			lost = append(lost, agents...)
		}
		if slices.ContainsFunc(change.Differences, func(d rules.Difference) bool { return d.New.Allowed }) {
			gained = append(gained, agents...)
		}
	}
	switch {
	case r.Unchanged:
		say("Nothing changes: the file stays as it is.")
	case len(lost) == 0:
		say("No crawler loses access.")
	case len(lost) == 1:
		say("%s loses access.", lost[0])
	default:
		say("%d crawlers lose access: %s.", len(lost), strings.Join(lost, ", "))
	}
	if len(gained) == 1 {
		say("%s gets access back.", gained[0])
	} else if len(gained) > 1 {
		say("%d crawlers get access back: %s.", len(gained), strings.Join(gained, ", "))
	}
	search, _ := crawlers.Set("@search")
	losing, kept := in(search, lost), len(search)-len(in(search, append(slices.Clone(lost), gained...)))
	switch {
	case r.Undecided && r.Unchanged:
		say("Some rules are too complex to say what they allow.")
	case r.Undecided:
		say("Some rules are too complex to compare, so other verdicts may change, too.")
	case r.Unchanged:
	case len(lost)+len(gained) == 0:
		say("All crawlers, among them %d search crawlers, may fetch the same URLs as before.", kept)
	default:
		say("All other crawlers, among them %d search crawlers, may fetch the same URLs as before.", kept)
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
		say("%s", x)
	}
	if len(r.Without) > 0 {
		say("The preferences are only in the group of \"*\", so not for the crawlers with another group: %s.", strings.Join(r.Without, ", "))
	}
	if ignoring := tokens(slices.DeleteFunc(slices.Clone(r.Closed), func(c crawlers.Crawler) bool { return c.Claim != crawlers.MayIgnore })); ignoring != "" {
		say("Their operators say that these may ignore robots.txt: %s.", ignoring)
	}
	if used := tokens(r.AlsoUsed); used != "" {
		say("These are not closed, because what you refuse is not their main purpose: %s.", used)
	}
	return lines
}

// String returns a sentence about the contradiction.
func (x Contradiction) String() string {
	who, pages, not, after := " for "+strings.Join(x.Agents, ", "), "pages", "not ", ""
	if slices.Contains(x.Agents, "*") {
		who = ""
		if x.Path == "" {
			after = " The stricter preference holds."
		}
	}
	if x.Path != "" {
		pages = "pages that match " + lex.Printable(x.Path)
	}
	if x.Allows {
		not = ""
	}
	return fmt.Sprintf("Line %d still states%s that %s are %sfor this purpose: %s.%s", x.Line, who, pages, not, x.Purpose, after)
}

// in returns the crawlers of a list that are among tokens.
func in(list []crawlers.Crawler, tokens []string) []crawlers.Crawler {
	folded := map[string]bool{}
	for _, token := range tokens {
		folded[lex.Fold(token)] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(c crawlers.Crawler) bool { return !folded[lex.Fold(c.Token)] })
}

func tokens(list []crawlers.Crawler) string {
	var names []string
	for _, c := range list {
		names = append(names, c.Token)
	}
	return strings.Join(names, ", ")
}
