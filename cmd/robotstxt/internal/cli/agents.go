package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/spf13/cobra"
)

// AddAgentFlag adds the flag --agent, which means the same in all commands.
func AddAgentFlag(cmd *cobra.Command, agents *[]string, byDefault []string) {
	cmd.Flags().StringArrayVar(agents, "agent", byDefault, "crawler: a `name`, several with commas, a User-Agent header, @ai, @search or @all; may be repeated")
	cmd.RegisterFlagCompletionFunc("agent", completeAgent)
}

// AgentNames returns the names in the values of a flag, with each crawler once. It replaces a set, such as @ai, with
// the names of the crawlers in the set. For each other name, it calls noteAgent.
func AgentNames(cmd *cobra.Command, values []string) (names []string, err error) {
	values = splitNames(values)
	names, unknown := answers.Agents(values)
	if len(unknown) > 0 {
		return nil, fmt.Errorf("%q is not a set of crawlers (want @ai, @search or @all)", unknown[0])
	}
	for _, value := range values {
		if slices.Contains(names, known.Agent(value)) {
			noteAgent(cmd, value)
		}
	}
	return names, nil
}

// splitNames splits values at commas, except those with a parenthesis: they are User-Agent headers.
func splitNames(values []string) (names []string) {
	for _, value := range values {
		if strings.Contains(value, "(") {
			names = append(names, value)
			continue
		}
		for name := range strings.SplitSeq(value, ",") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

// noteAgent prints a note if an agent is neither "*" nor a product token, or if it misspells the name of a
// well-known crawler. The note says which name the command uses instead, or which may be meant.
func noteAgent(cmd *cobra.Command, agent string) {
	token := known.Token(agent)
	switch {
	case agent == "*" || strings.EqualFold(agent, token):
	case token == "":
		Complain(cmd, fmt.Errorf("the agent %q does not name a crawler and is read as \"*\"", agent))
	default:
		Complain(cmd, fmt.Errorf("the agent %q is read as %q", agent, token))
	}
	if n := verdict.Misspelling(token); n.Text != "" {
		Complain(cmd, errors.New(n.Text))
	}
}

// completeAgent returns the names of all well-known crawlers, and of sets such as @ai, for
// shell completion.
func completeAgent(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
	for _, c := range crawlers.All() {
		names = append(names, cobra.CompletionWithDesc(c.Token, c.Operator))
	}
	return append(names, "@ai", "@search", "@all"), cobra.ShellCompDirectiveNoFileComp
}

// GroupName names crawlers that are told the same: as a set, perhaps with exceptions, or by their names, at most as
// many as mostNames. Agents contains no crawler twice.
func GroupName(agents []string, mostNames int) string {
	for _, set := range []struct{ name, text string }{{"@ai", "all AI crawlers"}, {"@search", "all search engines"}} {
		known, _ := crawlers.Set(set.name)
		var missing []string
		for _, c := range known {
			if !slices.ContainsFunc(agents, func(a string) bool { return strings.EqualFold(a, c.Token) }) {
				missing = append(missing, c.Token)
			}
		}
		switch {
		case len(agents)+len(missing) != len(known): // others are among them
		case len(missing) == 0:
			return set.text
		case len(missing) <= len(agents)/2:
			return set.text + " except " + strings.Join(missing, ", ")
		}
	}
	shown, more := Shorten(agents, mostNames)
	var names []string
	for _, agent := range shown {
		if agent == "*" {
			agent = answers.AnyOther().Operator
		}
		names = append(names, Printable(agent))
	}
	if more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
