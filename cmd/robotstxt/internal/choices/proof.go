package choices

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/rules"
)

// Proof explains the change in sentences: which crawlers lose access, which get it back, and for which
// nothing changes. It also names the preferences that the new file does not state as chosen.
func (r Result) Proof() []string {
	lost, gained := r.affected()
	return slices.Concat(r.changedAccess(lost, gained), r.sameAccess(lost, gained), r.notAsChosen(), r.notCovered())
}

// affected returns the crawlers that lose access to some URLs, and those that get it back.
func (r Result) affected() (lost, gained []string) {
	isLoss := func(d rules.Difference) bool { return !d.New.Allowed }
	isGain := func(d rules.Difference) bool { return d.New.Allowed }
	for _, change := range r.Changes {
		agents := change.Agents
		if change.Others {
			agents = append(slices.Clone(agents), "any other crawler")
		}
		if slices.ContainsFunc(change.Differences, isLoss) {
			lost = append(lost, agents...)
		}
		if slices.ContainsFunc(change.Differences, isGain) {
			gained = append(gained, agents...)
		}
	}
	return lost, gained
}

// changedAccess names the crawlers that lose access, and those that get it back.
func (r Result) changedAccess(lost, gained []string) (lines []string) {
	switch {
	case r.Unchanged:
		lines = append(lines, "Nothing changes: the file stays as it is.")
	case len(lost) == 0:
		lines = append(lines, "No crawler loses access.")
	case len(lost) == 1:
		lines = append(lines, lost[0]+" loses access.")
	default:
		lines = append(lines, fmt.Sprintf("%d crawlers lose access: %s.", len(lost), strings.Join(lost, ", ")))
	}
	switch {
	case len(gained) == 1:
		lines = append(lines, gained[0]+" gets access back.")
	case len(gained) > 1:
		lines = append(lines, fmt.Sprintf("%d crawlers get access back: %s.", len(gained), strings.Join(gained, ", ")))
	}
	return lines
}

// sameAccess names the crawlers for which nothing changes, and those that lose access and also build a
// search index.
func (r Result) sameAccess(lost, gained []string) (lines []string) {
	search, _ := crawlers.Set("@search")
	losing, kept := in(search, lost), len(search)-len(in(search, slices.Concat(lost, gained)))
	switch {
	case r.Undecided && r.Unchanged:
		lines = append(lines, "Some rules are too complex to say what they allow.")
	case r.Undecided:
		lines = append(lines, "Some rules are too complex to compare, so other verdicts may change, too.")
	case r.Unchanged:
	case len(lost)+len(gained) == 0:
		lines = append(lines, fmt.Sprintf("All crawlers, among them %d search crawlers, may fetch the same URLs as before.", kept))
	default:
		lines = append(lines, fmt.Sprintf("All other crawlers, among them %d search crawlers, may fetch the same URLs as before.", kept))
	}
	isMainlySearch := func(c crawlers.Crawler) bool { return c.Purposes[0] == crawlers.Search }
	if also := tokens(slices.DeleteFunc(losing, isMainlySearch)); also != "" {
		lines = append(lines, "Of the crawlers that lose access, these also build a search index: "+also+".")
	}
	return lines
}

// notAsChosen names the preferences that the new file does not state as chosen.
func (r Result) notAsChosen() (lines []string) {
	for _, v := range r.StillOpen {
		lines = append(lines, fmt.Sprintf("%s may still fetch %s, because of line %d of the new file.", v.Crawler.Token, lex.Printable(v.Path), v.Decision.Rule.Line))
	}
	if len(r.StillOpen) > 0 {
		lines = append(lines, "To close the site to such a crawler, delete its name below the new group. If no name is left above its rules, delete these, too.")
	}
	closedBy := map[int][]crawlers.Crawler{} // by the number of the line
	for _, v := range r.StillClosed {
		line := v.Decision.Rule.Line
		closedBy[line] = append(closedBy[line], v.Crawler)
	}
	for _, line := range slices.Sorted(maps.Keys(closedBy)) {
		lines = append(lines, fmt.Sprintf("%s still may not fetch /, because of line %d of the new file. Choices open nothing that the file closes.", tokens(closedBy[line]), line))
	}
	for _, x := range r.Contradictions {
		lines = append(lines, x.String())
	}
	return lines
}

// notCovered names the crawlers for which the choices may have no effect.
func (r Result) notCovered() (lines []string) {
	obeys := func(c crawlers.Crawler) bool { return c.Claim != crawlers.MayIgnore }
	if ignoring := tokens(slices.DeleteFunc(slices.Clone(r.Closed), obeys)); ignoring != "" {
		lines = append(lines, "Their operators say that these may ignore robots.txt: "+ignoring+".")
	}
	if used := tokens(r.AlsoUsed); used != "" {
		lines = append(lines, "These are not closed, because what you refuse is not their main purpose: "+used+".")
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
	return fmt.Sprintf("Line %d of the new file still states%s that %s are %sfor this purpose: %s.%s", x.Line, who, pages, not, x.Purpose, after)
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
