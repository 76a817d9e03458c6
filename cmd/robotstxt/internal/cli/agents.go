package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/spf13/cobra"
)

// AddAgentFlag adds the flag --agent, which means the same in all commands.
func AddAgentFlag(cmd *cobra.Command, agents *[]string, byDefault []string) {
	cmd.Flags().StringArrayVar(agents, "agent", byDefault, "crawler: a `name`, a User-Agent header, @ai, @search or @all; may be repeated")
	cmd.RegisterFlagCompletionFunc("agent", completeAgent)
}

// AgentNames returns the values of a flag without duplicates. It replaces a set, such as @ai, with
// the names of the crawlers in the set. For each other value, it calls noteAgent.
func AgentNames(cmd *cobra.Command, values []string) (names []string, err error) {
	for _, value := range values {
		if !strings.HasPrefix(value, "@") {
			noteAgent(cmd, value)
			names = append(names, value)
			continue
		}
		set, ok := crawlers.Set(value)
		if !ok {
			return nil, fmt.Errorf("%q is not a set of crawlers (want @ai, @search or @all)", value)
		}
		for _, c := range set {
			names = append(names, c.Token)
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(names, func(name string) bool {
		repeated := seen[name]
		seen[name] = true
		return repeated
	}), nil
}

// noteAgent prints a note if an agent is neither "*" nor a product token. The note says
// which name the command uses instead.
func noteAgent(cmd *cobra.Command, agent string) {
	switch token := robotstxt.ProductToken(agent); {
	case agent == "*" || agent == token:
	case token == "":
		Complain(cmd, fmt.Errorf("the agent %q does not name a crawler and is read as \"*\"", agent))
	default:
		Complain(cmd, fmt.Errorf("the agent %q is read as %q", agent, token))
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

// AnyOther is shown instead of "*".
const AnyOther = "any other"
