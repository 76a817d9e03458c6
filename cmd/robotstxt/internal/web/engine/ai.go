package engine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/choices"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/summary"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/known"
)

// An aiAnswer says what a file says about AI and a URL.
type aiAnswer struct {
	Summary string  `json:"summary"`
	Rows    []aiRow `json:"rows"`  // for any other crawler, then for the well-known AI crawlers except retired ones
	Notes   []note  `json:"notes"` // about licenses, and about signals above the first user-agent line
}

// An aiRow describes what a crawler may do with a URL, according to the file.
type aiRow struct {
	Agent    string            `json:"agent"`
	Operator string            `json:"operator"`
	Purpose  string            `json:"purpose"`
	Caveat   crawlers.Claim    `json:"caveat"`   // crawlers.MayIgnore if the crawler ignores robots.txt, always or in some cases; otherwise empty
	IsCommon bool              `json:"isCommon"` // whether most well-known AI crawlers get the same answers
	Note     string            `json:"note"`     // says if it is unknown whether the crawler reads the group that decides; otherwise empty
	Access   decision          `json:"access"`
	Training preference        `json:"training"`
	Search   preference        `json:"search"`
	Input    preference        `json:"input"`
	Other    []namedPreference `json:"other"`
}

type preference struct {
	Value string `json:"value"` // "allow", "disallow" or "unknown"
	Line  int    `json:"line"`
	Why   string `json:"why"`
}

// A namedPreference is one of the preferences in the column "Other" of the page.
type namedPreference struct {
	Name string `json:"name"`
	preference
}

type note struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

func newAIAnswer(file *robotstxt.File, url string) aiAnswer {
	rows := []aiRow{newAIRow(file, crawlers.Crawler{Token: "*", Operator: "any other crawler", Status: crawlers.Documented}, url)}
	ai, _ := crawlers.Set("@ai")
	for _, agent := range ai {
		rows = append(rows, newAIRow(file, agent, url))
	}
	markCommon(rows[1:])
	return aiAnswer{summary.AI(file, url), rows, aiNotes(file)}
}

// markCommon sets IsCommon in the rows with the most frequent answers.
func markCommon(rows []aiRow) {
	count, most := map[string]int{}, ""
	for _, row := range rows {
		key := row.answers()
		if count[key]++; count[key] > count[most] {
			most = key
		}
	}
	for i := range rows {
		rows[i].IsCommon = rows[i].answers() == most
	}
}

// answers returns the answers of a row, without the lines that they come from, but with the note.
func (row aiRow) answers() string {
	text := fmt.Sprint(row.Access.Allowed, row.Training.Value, row.Search.Value, row.Input.Value, row.Note)
	for _, p := range row.Other {
		text += p.Name + p.Value
	}
	return text
}

func newAIRow(file *robotstxt.File, agent crawlers.Crawler, url string) aiRow {
	a := aipref.For(file, agent.Token, url)
	row := aiRow{
		Agent:    agent.Token,
		Operator: agent.Operator,
		Purpose:  purposeOf(agent),
		Note:     known.FallbackNote(agent.Token, a.Access.Token),
		Access:   newDecision(a.Access),
		Training: newPreference(a.Training),
		Search:   newPreference(a.Search),
		Input:    newPreference(a.AIInput),
		Other:    []namedPreference{},
	}
	if agent.Claim == crawlers.MayIgnore {
		row.Caveat = agent.Claim
	}
	if a.Use.Level != "" {
		row.Other = append(row.Other, namedPreference{"use", preference{Value: a.Use.Level, Line: a.Use.Line}})
	}
	for _, name := range slices.Sorted(maps.Keys(a.Other)) {
		row.Other = append(row.Other, namedPreference{name, newPreference(a.Other[name])})
	}
	return row
}

func newPreference(p aipref.Preference) preference {
	return preference{p.Value.String(), p.Line, p.String()}
}

// aiNotes returns a note for each signal above the first user-agent line, and for each license.
// The rows about crawlers do not contain these lines.
func aiNotes(file *robotstxt.File) []note {
	notes := []note{}
	a := aipref.For(file, "*", "/")
	for _, s := range a.FileSignals {
		notes = append(notes, note{s.Line, s.String() + " is above the first user-agent line, so it applies to no crawler."})
	}
	for _, l := range a.Licenses() {
		notes = append(notes, note{l.Line, "The license of the site is at " + l.URL})
	}
	return notes
}

// A chooseAnswer is a file that says what was chosen, and what the choices change, in sentences. If that is
// not possible, the file is the same, and a sentence says why.
type chooseAnswer struct {
	Text  string   `json:"text"`
	Proof []string `json:"proof"`
}

func choose(req Request) (chooseAnswer, error) {
	c, err := choices.Parse(req.Choices)
	if err != nil {
		return chooseAnswer{}, err
	}
	result, err := choices.Apply([]byte(req.Text), c, req.Preferences)
	if err != nil {
		return chooseAnswer{req.Text, []string{"Nothing is changed: " + err.Error() + "."}}, nil
	}
	return chooseAnswer{string(result.Text), result.Proof()}, nil
}
