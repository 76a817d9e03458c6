package engine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/choices"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/summary"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/crawlers"
)

// An aiAnswer says what a file says about AI and a URL.
type aiAnswer struct {
	Summary string         `json:"summary"`
	Rows    []aiRow        `json:"rows"`  // for any other crawler, then for the well-known AI crawlers except retired ones
	Notes   []answers.Note `json:"notes"` // about lines that the rows do not contain
}

// An aiRow describes what a crawler may do with a URL, according to the file.
type aiRow struct {
	answers.AI
	IsCommon bool `json:"isCommon"` // whether most well-known AI crawlers get the same answers
}

func newAIAnswer(file verdict.File, text []byte, url string) aiAnswer {
	rows := []aiRow{{AI: answers.NewAI(file, answers.AnyOther(), url)}}
	ai, _ := crawlers.Set("@ai")
	for _, agent := range ai {
		rows = append(rows, aiRow{AI: answers.NewAI(file, agent, url)})
	}
	markCommon(rows[1:])
	return aiAnswer{summary.AI(file, url), rows, answers.AINotes(file.File, text)}
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
	text := fmt.Sprint(row.Allowed, row.Training.Value, row.Search.Value, row.Input.Value, row.Use.Level, row.Notes)
	for _, name := range slices.Sorted(maps.Keys(row.Other)) {
		text += name + row.Other[name].Value
	}
	return text
}

// A chooseAnswer contains a file with the choices, and sentences that explain what they change. If the
// choices are not possible, the file is the old one, and a sentence gives the reason.
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
