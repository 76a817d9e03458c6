package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// AI says which of the well-known AI crawlers may fetch a page, to which of them the file refuses or permits
// training models on it, and how others read the lines that decide. It leaves out retired crawlers.
func AI(file verdict.File, page string) string {
	all := askAll(file.File, page)
	text := all.access(lex.Printable(page)) + "; " + all.training(file.File, page)
	for _, t := range all {
		if t.Training.Mechanism == aipref.TrainingGroup {
			text += fmt.Sprintf("; line %d is in the group for %s, which is provisional", t.Training.Line, aipref.TrainingToken)
			break
		}
	}
	text += "."
	if caveats := all.caveats(file, page); len(caveats) > 0 {
		text += " But " + strings.Join(caveats, "; ") + "."
	}
	return text
}

// A told crawler is an AI crawler with what the file tells it about the page.
type told struct {
	crawlers.Crawler
	aipref.Answer
}

type toldList []told

// askAll returns all AI crawlers: first those that collect pages for training, then those for search, and so
// on. Among these, crawlers that the file names come first, in the order of the file.
func askAll(file *robotstxt.File, page string) (all toldList) {
	order := map[string]int{} // by token in folded form
	for _, g := range file.Groups() {
		for _, token := range g.Tokens() {
			order[lex.Fold(token)] = len(order) + 1
		}
	}
	last := len(order) + 1
	place := func(t told) int { return cmp.Or(order[lex.Fold(t.Access.Token)], last) }
	ai, _ := crawlers.Set("@ai")
	for _, c := range ai {
		all = append(all, told{c, aipref.For(file, crawlers.Names(c.Token), page)})
	}
	slices.SortStableFunc(all, func(x, y told) int {
		return cmp.Or(cmp.Compare(x.purpose(), y.purpose()), cmp.Compare(place(x), place(y)))
	})
	return all
}

// access says which of the crawlers may fetch the page.
func (all toldList) access(page string) string {
	var may, mayNot toldList
	for _, t := range all {
		if t.Access.Allowed {
			may = append(may, t)
		} else {
			mayNot = append(mayNot, t)
		}
	}
	switch {
	case len(mayNot) == 0:
		return fmt.Sprintf("All %d AI crawlers may fetch %s", len(all), page)
	case len(may) == 0:
		return fmt.Sprintf("None of the %d AI crawlers may fetch %s", len(all), page)
	case len(may) < len(mayNot):
		return fmt.Sprintf("Of %d AI crawlers, only %s may fetch %s", len(all), may.names(all), page)
	}
	return fmt.Sprintf("Of %d AI crawlers, all except %s may fetch %s", len(all), mayNot.names(all), page)
}

// caveats returns how others read the lines that decide about the page: at most three texts.
func (all toldList) caveats(file verdict.File, page string) (texts []string) {
	for _, t := range all {
		for _, n := range file.Decide(t.Token, page).Caveats() {
			text := lex.Printable(n.Text)
			if n.Code != verdict.ShortenedName && !slices.Contains(texts, text) { // that note is about one crawler
				texts = append(texts, text)
			}
		}
	}
	return texts[:min(len(texts), 3)]
}

// training says to which of the crawlers the file refuses or permits training models on the page. A crawler
// that may not fetch the page is not missed among those to which the file refuses it.
func (all toldList) training(file *robotstxt.File, page string) string {
	var refused, permitted, silent toldList
	for _, t := range all {
		switch {
		case t.Training.Value == aipref.Disallow:
			refused = append(refused, t)
		case t.Training.Value == aipref.Allow:
			permitted = append(permitted, t)
		case t.Access.Allowed:
			silent = append(silent, t)
		}
	}
	everyone := aipref.For(file, []string{"*"}, page).Training.Value
	switch {
	case len(refused)+len(permitted) == 0:
		return unreached(file, page)
	case everyone == aipref.Disallow && len(refused) > 0:
		return "the file " + all.toAll("refuses", "permits", permitted, silent)
	case everyone == aipref.Allow && len(permitted) > 0:
		return "the file " + all.toAll("permits", "refuses", refused, silent)
	case len(permitted) == 0:
		return "the file refuses training to " + refused.names(all)
	case len(refused) == 0:
		return "the file permits training to " + permitted.names(all)
	}
	return "the file refuses training to " + refused.names(all) + ", and permits it to " + permitted.names(all)
}

// toAll says that the file refuses or permits training to all crawlers, with two kinds of exceptions: those
// for which it says the opposite, and those to which it says nothing.
func (all toldList) toAll(verb, opposite string, others, silent toldList) string {
	text := verb + " training"
	switch {
	case len(others) > 0:
		text = opposite + " training to " + others.names(all) + ", and " + verb + " it to all other AI crawlers"
	case len(silent) > 0:
		text += " to all AI crawlers"
	}
	switch len(silent) {
	case 0:
		return text
	case 1:
		return text + " but " + silent.names(all) + ", whose group doesn't say it"
	}
	return text + " but " + silent.names(all) + ", whose groups don't say it"
}

// unreached explains why no AI crawler gets a preference about training: the file states none, or only
// where no AI crawler reads it.
func unreached(file *robotstxt.File, page string) string {
	for _, r := range file.Records() {
		if text := aboutTraining(r, page); text != "" {
			return text + " nobody: it is above the first user-agent line"
		}
	}
	searched := 0
	for _, g := range file.Groups() {
		records := g.Records()
		if searched += len(records); searched > maxRules {
			break
		}
		for _, r := range records {
			if text := aboutTraining(r, page); text != "" {
				return text + " none of them: its group is for " + lex.Printable(list(g.Tokens()))
			}
		}
	}
	return "nothing is said about training"
}

// aboutTraining returns the start of a sentence about a record that states a preference about training for
// the page, such as "line 2 refuses training, but to". For other records, it returns "".
func aboutTraining(r robotstxt.Record, page string) string {
	s, _ := aipref.ReadSignal(r)
	isForPage := s.Path == "" || robotstxt.NewPattern(s.Path).Matches(page)
	switch value := s.Preferences().Training.Value; {
	case isForPage && value == aipref.Disallow:
		return fmt.Sprintf("line %d refuses training, but to", r.Line)
	case isForPage && value == aipref.Allow:
		return fmt.Sprintf("line %d permits training, but to", r.Line)
	}
	return ""
}

// purposes are the main purposes of crawlers, as words after "for".
var purposes = []struct {
	purpose crawlers.Purpose
	words   string
}{
	{crawlers.Training, "training"},
	{crawlers.Search, "search"},
	{crawlers.Input, "input to a model"},
	{crawlers.User, "user fetches"},
	{crawlers.Other, "other purposes"},
	{"", "unknown purposes"},
}

// purpose returns the index in purposes of the crawler's main purpose.
func (t told) purpose() int {
	for i, p := range purposes {
		if len(t.Purposes) > 0 && t.Purposes[0] == p.purpose {
			return i
		}
	}
	return len(purposes) - 1
}

// names lists some of all crawlers. It contains at most three names, and counts longer lists by purpose. For
// example:
//
//	GPTBot, CCBot and PerplexityBot (search)
//	GPTBot, CCBot, ClaudeBot and 17 others (all 15 for training and 5 for search)
func (some toldList) names(all toldList) string {
	const most = 3
	var names []string
	for _, t := range some {
		name := t.Token
		if i := t.purpose(); purposes[i].purpose != crawlers.Training {
			name += " (" + purposes[i].words + ")"
		}
		names = append(names, name)
	}
	if len(names) <= most {
		return and(names)
	}
	return fmt.Sprintf("%s and %d %s (%s)", strings.Join(names[:most], ", "), len(names)-most, plural(names[most:], "other", "others"), some.counts(all))
}

// counts counts some of all crawlers by purpose.
func (some toldList) counts(all toldList) string {
	var counts []string
	for i, p := range purposes {
		isFor := func(list toldList) (n int) {
			for _, t := range list {
				if t.purpose() == i {
					n++
				}
			}
			return n
		}
		switch n := isFor(some); {
		case n == 0:
		case n > 1 && n == isFor(all):
			counts = append(counts, fmt.Sprintf("all %d for %s", n, p.words))
		default:
			counts = append(counts, fmt.Sprintf("%d for %s", n, p.words))
		}
	}
	return and(counts)
}
