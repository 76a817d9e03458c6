package engine

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt/rules"
)

// A compareAnswer describes how the verdicts change from the old version of a file to the new
// one. The comparison covers all URLs and all crawlers, not only those that the user entered.
type compareAnswer struct {
	Changes []change `json:"changes"`
}

// A change lists the differences for one crawler, or for several crawlers to which the same
// differences apply.
type change struct {
	Agents      []string     `json:"agents"`
	Others      bool         `json:"others"` // whether the differences also apply to crawlers that neither version names
	Differences []difference `json:"differences"`
	Undecided   []note       `json:"undecided"` // notes on the rules that could not be compared
}

// A difference is a URL whose verdict changes, with the old and the new decision.
type difference struct {
	URL    string   `json:"url"`
	Before decision `json:"before"`
	After  decision `json:"after"`
}

func compare(req Request) compareAnswer {
	changes := []change{}
	for _, c := range rules.Diff(parseBefore(req.Before), req.file(), rules.Options{}) {
		changes = append(changes, change{notNil(c.Agents), c.Others, differences(c), undecided(c)})
	}
	return compareAnswer{changes}
}

func differences(c rules.Change) []difference {
	list := []difference{}
	for _, d := range c.Differences {
		list = append(list, difference{d.URLs[0], newDecision(d.Old), newDecision(d.New)})
	}
	return list
}

func undecided(c rules.Change) []note {
	notes := []note{}
	for _, r := range c.UndecidedOld {
		notes = append(notes, note{Text: fmt.Sprintf("Line %d of the old version, %q, is too complex to compare.", r.Line, r)})
	}
	for _, r := range c.UndecidedNew {
		notes = append(notes, note{r.Line, fmt.Sprintf("Line %d, %q, is too complex to compare.", r.Line, r)})
	}
	if c.Incomplete {
		notes = append(notes, note{Text: "Not all rules were compared, because the versions are too large."})
	}
	return notes
}
