package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/reading"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// A decideAnswer contains the verdicts for all agents and URLs. It lists each decision only once,
// even if the decision applies to many URLs. The columns refer to decisions by their indexes.
type decideAnswer struct {
	Agents    []agent    `json:"agents"`
	Decisions []decision `json:"decisions"`
	Columns   []column   `json:"columns"`

	// BeforeDecisions are the decisions of the old version of the file.
	BeforeDecisions []decision `json:"beforeDecisions"`

	// Notes are sentences about names in Request.Agents that name no crawler, or probably misspell one.
	Notes []string `json:"notes"`

	MoreNamed bool `json:"moreNamed"` // whether the file names crawlers that are not among Agents
}

// An agent is a crawler that the verdicts are for.
type agent struct {
	Agent string `json:"agent"` // a string in Request.Agents, or the crawler that a header or a set in Request.Agents names
	Token string `json:"token"` // the product token in Agent; empty if there is none
	Group string `json:"group"` // the token of the group that applies; empty if none does
}

// A decision is an answer of the matcher, with a sentence that explains it.
type decision struct {
	answers.Verdict
	Why   string `json:"why"`
	Doubt bool   `json:"doubt"` // whether the sentence says more than the table: a caveat, or a rule that misses the URL by one thing
}

// A column contains the verdicts that agents share, in the order of the URLs. The same line decides for all of
// these agents, and the same notes are said to them.
type column struct {
	Title    string  `json:"title"` // names the agents
	Agents   []agent `json:"agents"`
	Note     string  `json:"note"`     // says if it is not documented that the crawler reads the group; otherwise empty
	Lines    []span  `json:"lines"`    // the lines of the groups that apply
	Verdicts []int   `json:"verdicts"` // indexes into Decisions
	Before   []int   `json:"before"`   // indexes into BeforeDecisions; null if there is no old version
}

// A span is a range of lines: the numbers of its first and last line.
type span [2]int

func decide(req Request) decideAnswer {
	file, old := req.file(), parseBefore(req.Before)
	sections := section.Cut([]byte(req.Text))
	decisions, before := newDecisionList(), newDecisionList()
	if len(req.Agents) == 0 {
		req.Agents = defaultAgents(file.File)
	}
	names, notes := agentsOf(req.Agents)
	answer := decideAnswer{Columns: []column{}}
	for _, name := range names {
		group := file.Group(name)
		home := group.Decide("/")
		if text := home.Note(verdict.MisspelledAgent); text != "" {
			notes = append(notes, strings.ToUpper(text[:1])+text[1:]+".")
		}
		a := agent{name, robotstxt.ProductToken(name), home.Token}
		c := column{
			Agents:   []agent{a},
			Note:     home.Note(verdict.ShortenedName),
			Lines:    groupLines(group.Group, sections),
			Verdicts: decisions.verdicts(group, req.URLs),
		}
		if req.Before != nil {
			c.Before = before.verdicts(old.Group(name), req.URLs)
		}
		answer.Agents = append(answer.Agents, a)
		i := slices.IndexFunc(answer.Columns, func(other column) bool {
			return other.Note == c.Note && decisions.areSame(other.Verdicts, c.Verdicts) && before.areSame(other.Before, c.Before)
		})
		if i < 0 {
			answer.Columns = append(answer.Columns, c)
		} else {
			answer.Columns[i].join(c)
		}
	}
	for i := range answer.Columns {
		c := &answer.Columns[i]
		c.Title = titleOf(c.Agents)
		if slices.ContainsFunc(c.Agents, func(a agent) bool { return a.Group != c.Agents[0].Group }) {
			c.Verdicts = decisions.renamed(c.Verdicts, c.Title)
		}
	}
	answer.MoreNamed = slices.ContainsFunc(namedTokens(file.File), func(token string) bool {
		return !slices.ContainsFunc(answer.Agents, func(a agent) bool { return strings.EqualFold(cmp.Or(a.Token, "*"), token) })
	})
	answer.Decisions, answer.BeforeDecisions, answer.Notes = decisions.answers(), before.answers(), notes
	return answer
}

// join adds the agent of a column with the same verdicts.
func (c *column) join(other column) {
	a := other.Agents[0]
	if !slices.ContainsFunc(c.Agents, func(b agent) bool { return a.Group == b.Group }) {
		c.Lines = append(c.Lines, other.Lines...)
	}
	c.Agents = append(c.Agents, a)
}

// titleOf names agents, such as "any other crawler, Googlebot" or "66 AI crawlers".
func titleOf(agents []agent) string {
	const most = 4
	var parts, names []string
	kind := "AI crawlers"
	for _, a := range agents {
		if a.Token == "" {
			parts = []string{"any other crawler"}
			continue
		}
		names = append(names, a.Token)
		if c, _ := crawlers.Lookup(a.Token); !c.AI {
			kind = "crawlers"
		}
	}
	if len(names) > most {
		names = []string{fmt.Sprintf("%d %s", len(names), kind)}
	}
	return strings.Join(append(parts, names...), ", ")
}

// A decisionList is a list of decisions about a file without duplicates.
type decisionList struct {
	list  []verdict.Verdict
	same  []int // for each decision, the index of the first that is the same, perhaps for another group
	index map[decisionKey]int
}

type decisionKey struct {
	robotstxt.Decision
	notes string
}

func newDecisionList() decisionList { return decisionList{index: map[decisionKey]int{}} }

// verdicts returns, for each URL, the index of its decision in l.list. It adds new decisions to
// the list.
func (l *decisionList) verdicts(group verdict.Group, urls []string) []int {
	verdicts := make([]int, len(urls))
	for i, url := range urls {
		verdicts[i] = l.add(group.Explain(url))
	}
	return verdicts
}

// add returns the index of a decision. If one of the agents is a search engine, the decision says what that means
// for search results. It does not say that an agent is misspelled, which decide says once.
func (l *decisionList) add(v verdict.Verdict) int {
	v.Notes = withoutNote(v.Notes, verdict.MisspelledAgent)
	key := decisionKey{v.Decision, fmt.Sprint(withoutNote(v.Notes, verdict.SearchResults))}
	i, ok := l.index[key]
	if !ok {
		i = len(l.list)
		l.list = append(l.list, v)
		l.index[key] = i
		key.Token = ""
		if _, ok := l.index[key]; !ok {
			l.index[key] = i
		}
		l.same = append(l.same, l.index[key])
	}
	if v.Note(verdict.SearchResults) != "" {
		l.list[i].Notes, l.list[l.same[i]].Notes = v.Notes, v.Notes
	}
	return i
}

func withoutNote(notes []reading.Note, code string) []reading.Note {
	return slices.DeleteFunc(slices.Clone(notes), func(n reading.Note) bool { return n.Code == code })
}

// areSame reports whether two lists of indexes are of the same decisions, perhaps for other groups.
func (l *decisionList) areSame(a, b []int) bool {
	return slices.EqualFunc(a, b, func(i, j int) bool { return l.same[i] == l.same[j] })
}

// renamed returns the indexes of the same decisions for other crawlers than those of one group.
func (l *decisionList) renamed(verdicts []int, title string) []int {
	indexes := make([]int, len(verdicts))
	for i, k := range verdicts {
		v := l.list[k]
		v.Notes = l.list[l.same[k]].Notes
		if v.Token != "" {
			v.Token = title
		}
		indexes[i] = l.add(v)
	}
	return indexes
}

func (l *decisionList) answers() []decision {
	list := []decision{}
	for _, v := range l.list {
		list = append(list, decision{answers.NewVerdict(v), v.String(), len(v.Caveats()) > 0 || v.Note(verdict.NearMiss) != ""})
	}
	return list
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
