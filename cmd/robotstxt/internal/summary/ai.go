package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// AI says which of the well-known AI crawlers may fetch a page, to which of them the file refuses or permits
// training models on it, and how others read the lines that decide. It leaves out retired crawlers.
func AI(file verdict.File, page string) string {
	all := tellAll(file.File, page)
	text := all.access(lex.Printable(page)) + "; " + all.training(file.File, page)
	isPolicy := func(t told) bool { return t.Training.Mechanism == aipref.TrainingGroup }
	if i := slices.IndexFunc(all, isPolicy); i >= 0 {
		text += fmt.Sprintf("; line %d is in the group for %s, which is provisional", all[i].Training.Line, aipref.TrainingToken)
	}
	var agents []string
	for _, t := range all {
		agents = append(agents, t.Token)
	}
	if caveats := file.Caveats(agents, page, verdict.ShortenedName); len(caveats) > 0 {
		text += ". But " + lex.Printable(strings.Join(caveats, "; "))
	}
	return text + "."
}

// A told crawler is an AI crawler with what the file tells it about the page.
type told struct {
	crawlers.Crawler
	aipref.Answer
}

func (t told) purpose() crawlers.Purpose { return answers.Purposes(t.Crawler)[0] }

type toldList []told

// tellAll returns all AI crawlers, sorted by main purpose, and then in the order of the file.
func tellAll(file *robotstxt.File, page string) (all toldList) {
	var tokens []string
	for _, g := range file.Groups() {
		tokens = append(tokens, g.Tokens()...)
	}
	ai, _ := crawlers.Set("@ai")
	for _, c := range ai {
		all = append(all, told{c, aipref.For(file, crawlers.Names(c.Token), page)})
	}
	slices.SortStableFunc(all, func(x, y told) int {
		return cmp.Or(
			slices.Index(answers.MainPurposes, x.purpose())-slices.Index(answers.MainPurposes, y.purpose()),
			slices.Index(tokens, x.Access.Token)-slices.Index(tokens, y.Access.Token),
		)
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
		return fmt.Sprintf("Of %d AI crawlers, only %s may fetch %s", len(all), may.names(), page)
	}
	return fmt.Sprintf("Of %d AI crawlers, all except %s may fetch %s", len(all), mayNot.names(), page)
}

// training says to which of the crawlers the file refuses or permits training models on the page. If it says
// this to all crawlers, the exceptions are those that may fetch the page, and have a group that says nothing.
func (all toldList) training(file *robotstxt.File, page string) string {
	said := map[aipref.Value]toldList{}
	for _, t := range all {
		if value := t.Training.Value; value != aipref.Unknown || t.Access.Allowed {
			said[value] = append(said[value], t)
		}
	}
	refused, permitted, silent := said[aipref.Disallow], said[aipref.Allow], said[aipref.Unknown]
	everyone := "all AI crawlers"
	if len(refused) > 0 && len(permitted) > 0 {
		everyone = "all other AI crawlers"
	}
	if len(silent) > 0 {
		everyone += " but " + silent.names() + ", whose " + plural(silent, "group doesn't", "groups don't") + " say it"
	}
	toAll := aipref.For(file, []string{"*"}, page).Training.Value
	var parts []string
	add := func(verb string, value aipref.Value, list toldList) {
		switch {
		case len(list) == 0:
		case value == toAll:
			parts = append(parts, verb+" training to "+everyone)
		default:
			parts = append(parts, verb+" training to "+list.names())
		}
	}
	add("refuses", aipref.Disallow, refused)
	add("permits", aipref.Allow, permitted)
	if len(parts) == 0 {
		return unheard(file, page)
	}
	return "the file " + strings.Join(parts, ", and ")
}

// unheard names a line with a preference about training that reaches no AI crawler, if there is one: it is in the
// group of other crawlers, or above all groups.
func unheard(file *robotstxt.File, page string) string {
	records := file.Records()
	for _, g := range file.Groups() {
		if records = append(records, g.Records()...); len(records) > maxRules {
			break
		}
	}
	for _, r := range records {
		s, _ := aipref.ReadSignal(r)
		isForPage := s.Path == "" || robotstxt.NewPattern(s.Path).Matches(page)
		if isForPage && s.Preferences().Training.Value != aipref.Unknown {
			return fmt.Sprintf("line %d is about training, but reaches no AI crawler", r.Line)
		}
	}
	return "no line that crawlers read is about training"
}

// names contains at most three names. Crawlers without a purpose are for training. For example:
//
//	GPTBot, CCBot and PerplexityBot (purpose: search index)
//	GPTBot, CCBot, ClaudeBot and 17 others (purposes: training 15, search index 5)
func (list toldList) names() string {
	var names, counts []string
	count := map[crawlers.Purpose]int{}
	for _, t := range list {
		name := t.Token
		if len(list) <= mostNames && t.purpose() != crawlers.Training {
			name += " (purpose: " + string(t.purpose()) + ")"
		}
		names = append(names, name)
		count[t.purpose()]++
	}
	if len(list) <= mostNames {
		return lex.List(names, mostNames)
	}
	for _, p := range answers.MainPurposes {
		if count[p] > 0 {
			counts = append(counts, fmt.Sprintf("%s %d", p, count[p]))
		}
	}
	others := fmt.Sprintf("%d %s", len(list)-mostNames, plural(list[mostNames:], "other", "others"))
	text := lex.List(append(names[:mostNames], others), mostNames+1)
	if count[crawlers.Training] < len(list) {
		text += " (purposes: " + strings.Join(counts, ", ") + ")"
	}
	return text
}
