package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/spf13/cobra"
)

func newAICommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ai [flags] FILE|URL|-",
		Short: "Say what a robots.txt file lets AI crawlers do",
		Long: `Ai says which of the well-known AI crawlers may fetch the home page of a site,
and what its robots.txt file says about the use of that page: for training
models, for search, and as input of a model. Each answer has the line that it
comes from; "-" means that nothing is said.

Google-Extended, Applebot-Extended and webzio-extended fetch nothing
themselves: their rows are about pages that other crawlers of the operator have
fetched. Content-Usage means nothing for a page that may not be fetched.

The last row is for the crawlers that are not listed and that the file does not
name. "-" instead of a file is standard input, and of a URL without a path the
site's robots.txt is fetched.`,
		Example: `  robotstxt ai robots.txt
  robotstxt ai https://www.example.com/
  robotstxt ai --json - < robots.txt`,
		Args: operands("file", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := readRobots(cmd, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return printAIJSON(cmd.OutOrStdout(), robotstxt.Parse(data))
			}
			return printAITable(cmd.OutOrStdout(), robotstxt.Parse(data))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// aiAgents returns the rows of the table: the well-known agents, then "*" for all
// others.
func aiAgents() []aipref.Agent {
	return append(aipref.Agents(), aipref.Agent{Token: "*", Operator: "any other", Purpose: "-"})
}

func printAITable(w io.Writer, file *robotstxt.File) error {
	var table strings.Builder
	tw := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "agent\toperator\tpurpose\tfetch /\ttraining\tsearch\tinput\tother")
	for _, agent := range aiAgents() {
		a := aipref.For(file, agent.Token, "/")
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", agent.Token, agent.Operator, agent.Purpose,
			accessCell(a.Access), preferenceCell(a.Training), preferenceCell(a.Search), preferenceCell(a.AIInput), otherCell(a.Preferences))
	}
	tw.Flush() // to memory, which takes it all
	printFileNotes(&table, aipref.For(file, "*", "/"))
	_, err := io.WriteString(w, table.String())
	return err
}

// printFileNotes prints what the file says to everybody, under the table.
func printFileNotes(b *strings.Builder, a aipref.Answer) {
	for _, s := range a.FileSignals {
		fmt.Fprintf(b, "line %d, %s: for no crawler, above the first user-agent line\n", s.Line, printable(s.String()))
	}
	for _, l := range a.Licenses() {
		fmt.Fprintf(b, "line %d, License: %s\n", l.Line, printable(l.URL))
	}
}

func accessCell(d robotstxt.Decision) string {
	return verdictCell(d.Allowed, d.Rule.Line)
}

func preferenceCell(p aipref.Preference) string {
	if p.Value == aipref.Unknown {
		return "-"
	}
	return verdictCell(p.Value == aipref.Allow, p.Line)
}

func verdictCell(yes bool, line int) string {
	verdict := "no"
	if yes {
		verdict = "yes"
	}
	if line == 0 {
		return verdict
	}
	return fmt.Sprintf("%s (line %d)", verdict, line)
}

func otherCell(p aipref.Preferences) string {
	var cells []string
	if p.Use.Level != "" {
		cells = append(cells, fmt.Sprintf("use: %s (line %d)", p.Use.Level, p.Use.Line))
	}
	for _, key := range slices.Sorted(maps.Keys(p.Other)) {
		cells = append(cells, printable(key)+": "+preferenceCell(p.Other[key]))
	}
	if len(cells) == 0 {
		return "-"
	}
	return strings.Join(cells, ", ")
}

// The JSON output of the ai command.
type (
	aiJSON struct {
		Agents      []aiAgentJSON   `json:"agents"`
		FileSignals []aiSignalJSON  `json:"fileSignals"`
		Licenses    []aiLicenseJSON `json:"licenses"`
	}
	aiAgentJSON struct {
		Agent    string                      `json:"agent"`
		Operator string                      `json:"operator"`
		Purpose  aipref.Purpose              `json:"purpose"`
		Source   string                      `json:"source"`
		Allowed  bool                        `json:"allowed"`
		Reason   robotstxt.Reason            `json:"reason"`
		Line     int                         `json:"line"`
		Rule     string                      `json:"rule"`
		Training aiPreferenceJSON            `json:"training"`
		Search   aiPreferenceJSON            `json:"search"`
		Input    aiPreferenceJSON            `json:"input"`
		Use      aiUseJSON                   `json:"use"`
		Other    map[string]aiPreferenceJSON `json:"other"`
	}
	aiPreferenceJSON struct {
		Value     string           `json:"value"`
		Mechanism aipref.Mechanism `json:"mechanism"`
		Line      int              `json:"line"`
	}
	aiUseJSON struct {
		Level string `json:"level"`
		Line  int    `json:"line"`
	}
	aiSignalJSON struct {
		Line      int              `json:"line"`
		Mechanism aipref.Mechanism `json:"mechanism"`
		Path      string           `json:"path"`
		Value     string           `json:"value"`
	}
	aiLicenseJSON struct {
		Line int    `json:"line"`
		URL  string `json:"url"`
	}
)

func printAIJSON(w io.Writer, file *robotstxt.File) error {
	// Lists are not null where there is nothing in them.
	out := aiJSON{FileSignals: []aiSignalJSON{}, Licenses: []aiLicenseJSON{}}
	for _, agent := range aiAgents() {
		out.Agents = append(out.Agents, agentJSON(agent, aipref.For(file, agent.Token, "/")))
	}
	a := aipref.For(file, "*", "/")
	for _, s := range a.FileSignals {
		out.FileSignals = append(out.FileSignals, aiSignalJSON(s))
	}
	for _, l := range a.Licenses() {
		out.Licenses = append(out.Licenses, aiLicenseJSON(l))
	}
	return printLongJSON(w, out)
}

func agentJSON(agent aipref.Agent, a aipref.Answer) aiAgentJSON {
	out := aiAgentJSON{
		Agent:    agent.Token,
		Operator: agent.Operator,
		Purpose:  agent.Purpose,
		Source:   agent.Source,
		Allowed:  a.Access.Allowed,
		Reason:   a.Access.Reason,
		Line:     a.Access.Rule.Line,
		Training: preferenceJSON(a.Training),
		Search:   preferenceJSON(a.Search),
		Input:    preferenceJSON(a.AIInput),
		Use:      aiUseJSON(a.Use),
		Other:    map[string]aiPreferenceJSON{},
	}
	if a.Access.Reason == robotstxt.RuleMatched {
		out.Rule = a.Access.Rule.String()
	}
	for key, p := range a.Other {
		out.Other[key] = preferenceJSON(p)
	}
	return out
}

func preferenceJSON(p aipref.Preference) aiPreferenceJSON {
	return aiPreferenceJSON{p.Value.String(), p.Mechanism, p.Line}
}
