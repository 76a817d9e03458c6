package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/crawlers"
)

type crawlersAnswer struct {
	Named    []string  `json:"named"` // the tokens in user-agent lines of the file
	Crawlers []crawler `json:"crawlers"`
}

// A crawler is a well-known crawler that the page suggests.
type crawler struct {
	Token string `json:"token"`
	About string `json:"about"` // the operator and the purposes
}

// agentsOf returns the agents that get a column. It replaces sets such as @ai with their crawlers. For
// each name that it leaves out because it names no crawler, it returns a note. If no agent is left, it
// returns "*".
func agentsOf(names []string) (agents, notes []string) {
	notes = []string{}
	isNameless := func(name string) bool {
		return name != "*" && !strings.HasPrefix(name, "@") && robotstxt.ProductToken(name) == ""
	}
	for _, name := range names {
		if isNameless(name) {
			notes = append(notes, fmt.Sprintf("%q does not name a crawler.", name))
		}
	}
	agents, unknown := answers.Agents(slices.DeleteFunc(slices.Clone(names), isNameless))
	for _, name := range unknown {
		notes = append(notes, name+" is not a set of crawlers. The sets are @ai, @search and @all.")
	}
	if len(agents) == 0 {
		agents = append(agents, "*")
	}
	return agents, notes
}

// defaultAgents returns the agents that get a column if the user has chosen none: "*", and then the crawlers that
// the file names, or well-known crawlers if there are few.
func defaultAgents(file *robotstxt.File) []string {
	const fewest, most = 3, 8
	agents := []string{}
	add := func(name string, limit int) {
		isSame := func(agent string) bool { return strings.EqualFold(agent, name) }
		if len(agents) < limit && name != "*" && !slices.ContainsFunc(agents, isSame) {
			agents = append(agents, name)
		}
	}
	for _, token := range namedTokens(file) {
		add(token, most)
	}
	for _, name := range []string{"Googlebot", "bingbot", "GPTBot"} {
		add(name, fewest)
	}
	return append([]string{"*"}, agents...)
}

// namedTokens returns the crawlers that a file's groups name, in the order of the groups.
func namedTokens(file *robotstxt.File) []string {
	tokens := []string{}
	for _, group := range file.Groups() {
		tokens = append(tokens, group.Tokens()...)
	}
	return slices.DeleteFunc(tokens, func(token string) bool { return strings.EqualFold(token, aipref.TrainingToken) })
}

// suggestedCrawlers returns the well-known crawlers. It leaves out the status "documented".
func suggestedCrawlers() (list []crawler) {
	for _, c := range crawlers.All() {
		about := []string{c.Operator}
		for _, purpose := range c.Purposes {
			about = append(about, string(purpose))
		}
		if c.Status != crawlers.Documented {
			about = append(about, string(c.Status))
		}
		list = append(list, crawler{c.Token, strings.Join(about, ", ")})
	}
	return list
}
