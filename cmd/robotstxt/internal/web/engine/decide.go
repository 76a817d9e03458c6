package engine

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// A decideAnswer contains the verdicts for all agents and URLs. It lists each decision only once,
// even if the decision applies to many URLs. The columns refer to decisions by their indexes.
type decideAnswer struct {
	Decisions []decision `json:"decisions"`
	Columns   []column   `json:"columns"`

	// BeforeDecisions are the decisions of the old version of the file.
	BeforeDecisions []decision `json:"beforeDecisions"`

	// Notes are sentences about strings in Request.Agents that have no column.
	Notes []string `json:"notes"`
}

// A decision is an answer of the matcher, with a sentence that explains it.
type decision struct {
	answers.Verdict
	Why string `json:"why"`
}

// A column contains the verdicts for one agent, in the order of the URLs.
type column struct {
	Agent    string `json:"agent"`    // a string in Request.Agents, or the crawler that a header or a set in Request.Agents names
	Token    string `json:"token"`    // the product token in Agent; empty if there is none
	Group    string `json:"group"`    // the token of the group that applies; empty if none does
	Note     string `json:"note"`     // says if it is not documented that the crawler reads the group; otherwise empty
	Lines    []span `json:"lines"`    // the lines of the group that applies
	Verdicts []int  `json:"verdicts"` // indexes into Decisions
	Before   []int  `json:"before"`   // indexes into BeforeDecisions; null if there is no old version
}

// A span is a range of lines: the numbers of its first and last line.
type span [2]int

func decide(req Request) decideAnswer {
	file, old := req.file(), parseBefore(req.Before)
	sections := section.Cut([]byte(req.Text))
	decisions, before := decisionList{index: map[decisionKey]int{}}, decisionList{index: map[decisionKey]int{}}
	if len(req.Agents) == 0 {
		req.Agents = defaultAgents(file.File)
	}
	agents, notes := agentsOf(req.Agents)
	columns := make([]column, len(agents))
	for i, agent := range agents {
		group := file.Group(agent)
		home := group.Decide("/")
		columns[i] = column{
			Agent:    agent,
			Token:    robotstxt.ProductToken(agent),
			Group:    home.Token,
			Note:     home.Note(verdict.ShortenedName),
			Lines:    groupLines(group.Group, sections),
			Verdicts: decisions.verdicts(group, req.URLs),
		}
		if req.Before != nil {
			columns[i].Before = before.verdicts(old.Group(agent), req.URLs)
		}
	}
	return decideAnswer{notNil(decisions.list), columns, notNil(before.list), notes}
}

// A decisionList is a list of decisions about a file without duplicates.
type decisionList struct {
	list  []decision
	index map[decisionKey]int
}

type decisionKey struct {
	robotstxt.Decision
	notes string
}

// verdicts returns, for each URL, the index of its decision in l.list. It adds new decisions to
// the list.
func (l *decisionList) verdicts(group verdict.Group, urls []string) []int {
	verdicts := make([]int, len(urls))
	for i, url := range urls {
		verdicts[i] = l.add(group.Explain(url))
	}
	return verdicts
}

func (l *decisionList) add(v verdict.Verdict) int {
	key := decisionKey{v.Decision, fmt.Sprint(v.Notes)}
	i, ok := l.index[key]
	if ok {
		return i
	}
	i = len(l.list)
	l.index[key] = i
	l.list = append(l.list, decision{answers.NewVerdict(v), v.String()})
	return i
}

// groupLines returns the lines of a group: its user-agent lines, rules and records.
func groupLines(group *robotstxt.Group, sections []section.Section) []span {
	tokens := make(map[string]bool)
	for _, token := range group.Tokens() {
		tokens[lex.Fold(token)] = true
	}
	var numbers []int
	for _, s := range sections {
		for _, agent := range s.Agents {
			if tokens[agent.Folded] {
				numbers = append(numbers, agent.Line)
			}
		}
	}
	for _, rule := range group.Rules() {
		numbers = append(numbers, rule.Line)
	}
	for _, record := range group.Records() {
		numbers = append(numbers, record.Line)
	}
	return spans(numbers)
}

// notNil returns s, or an empty slice if s is nil. The page expects arrays, but a nil slice
// would be null in JSON.
func notNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
