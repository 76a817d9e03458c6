// Package ai is the command "robotstxt ai".
package ai

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/choices"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/summary"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/spf13/cobra"
)

// New returns the command.
func New() *cobra.Command {
	var c aiCommand
	cmd := &cobra.Command{
		Use:   "ai [flags] FILE|URL|- [PATH|URL]",
		Short: "Report what a robots.txt file lets AI crawlers do",
		Long: `The ai command reports which of the well-known AI crawlers may fetch a page. It
also reports what the robots.txt file says about using the page to train models,
for search, and as input to a model. The answer "-" means that the file says
nothing. Crawlers with the same answer are listed together, with the numbers of
the lines that decide.

First, name the robots.txt file. "-" is standard input, which another program
writes, and for a URL without a path, the site's robots.txt is fetched. Then
name the page. Without a page, the answers are about the home page.

Some names, such as Google-Extended, Applebot-Extended and YandexAdditional,
occur only in robots.txt files. No crawler uses these names, so the answer is
about pages that other crawlers of the operator fetch. A name marked
(undocumented) is in many files, but no operator has a page about it. A name
marked (retired) is no longer used. "Any other" stands for the crawlers that are
neither listed nor named in the file.

Content-Usage has no effect on a page that the crawler may not fetch.

A user-agent line can contain the name of a company or product, such as
"Claude". The command prints a note about the line, because no operator
documents that its crawlers read such a name. If the file has no group for a
crawler, the command leaves out the last part of the crawler's name, after a
hyphen, and looks for a group again. Google's crawlers do the same. So a group
for "Meta" can apply to meta-externalagent; a note says so.

With --set, the command prints the file with your choices: training=no closes
the site to the AI crawlers that mainly collect pages for training. The other
choices are search, input (to a model that answers a question) and user (fetches
that a person triggers). The value yes keeps such crawlers as they are; no rule
is written that allows a crawler more than before. Search crawlers that are not
for AI, such as Googlebot and bingbot, are never closed. The new group is above
all others, because some readers take only the first group with a name. All
other lines of the file stay as they are, and with new choices, the lines of old
ones are replaced. If somebody has changed these, the command only names them.
Otherwise, it says who loses access or gets it back, and proves that all other
verdicts stay the same; without --write, it says so on standard error.` + cli.ExitHelp(map[int]string{
			cli.ExitOK:    "the answers were printed; with --set, the file says what was chosen",
			cli.ExitNo:    "with --set, lines that the command does not change say something else",
			cli.ExitError: "a file could not be read or written, or some rules are undecided",
		}),
		Example: `  robotstxt ai robots.txt
  robotstxt ai --agent GPTBot https://www.example.com/ /press/
  robotstxt ai --json - < robots.txt
  robotstxt ai --set training=no,search=yes robots.txt > new.txt
  robotstxt ai --set training=no --preferences --write robots.txt`,
		Args: cli.Operands("file", 2),
		RunE: cli.WithStatus(c.run),
	}
	cli.AddAgentFlag(cmd, &c.agents, nil)
	cmd.Flags().BoolVar(&c.json, "json", false, "print one JSON object")
	cmd.Flags().StringArrayVar(&c.set, "set", nil, "print the file with these `choices`, such as training=no,search=yes; may be repeated")
	cmd.Flags().BoolVar(&c.preferences, "preferences", false, "with --set, also state the preferences in Content-Usage and Content-Signal")
	cmd.Flags().BoolVar(&c.write, "write", false, "with --set, replace the file instead of printing it")
	cmd.RegisterFlagCompletionFunc("set", cobra.FixedCompletions([]string{"training=no", "search=no", "input=no", "user=no"}, cobra.ShellCompDirectiveNoFileComp))
	cli.Exclusive(cmd, "set", "json")
	cli.Exclusive(cmd, "set", "agent")
	return cmd
}

// An aiCommand holds the flags of the ai command.
type aiCommand struct {
	agents                   []string
	set                      []string
	json, preferences, write bool
}

func (c *aiCommand) run(cmd *cobra.Command, args []string) (status int, err error) {
	switch {
	case cmd.Flags().Changed("set"):
		return c.runSet(cmd, args)
	case c.preferences || c.write:
		return 0, cli.UsageError(cmd, errors.New("--preferences and --write have no effect without --set"))
	}
	page := "/"
	if len(args) == 2 {
		page = reply.Redacted(args[1])
	}
	if err := cli.ValidatePage(page); err != nil {
		return 0, err
	}
	found, err := new(cli.Loader).LoadFile(cmd, args[0], reply.NoFile, reply.Other)
	if err != nil {
		return 0, err
	}
	names, err := cli.AgentNames(cmd, c.agents)
	if err != nil {
		return 0, err
	}
	agents := aiAgents()
	if len(names) > 0 {
		agents = nil
	}
	for _, name := range names {
		agents = append(agents, findAgent(name))
	}
	view := aiView{found.View, found.Body, found.File, page, agents, cli.ColumnsOf(cmd.OutOrStdout())}
	if c.json {
		return cli.ExitOK, view.printJSON(cmd.OutOrStdout())
	}
	view.print(cmd.OutOrStdout(), len(names) == 0)
	return cli.ExitOK, nil
}

// runSet prints or writes the file with the choices.
func (c *aiCommand) runSet(cmd *cobra.Command, args []string) (status int, err error) {
	name := args[0]
	switch {
	case len(args) > 1:
		return 0, cli.UsageError(cmd, fmt.Errorf("unexpected argument %q: --set is about the whole site", args[1]))
	case c.write && (name == "-" || cli.IsURL(name)):
		return 0, errors.New("--write is for files, not for URLs or standard input")
	}
	chosen, err := choices.Parse(strings.Join(c.set, ","))
	if err != nil {
		return 0, fmt.Errorf("--set: %w", err)
	}
	var found reply.Reply
	if cli.IsURL(name) {
		found, err = new(cli.Loader).LoadFile(cmd, name)
	} else {
		var data []byte
		data, err = cli.ReadInput(cmd, name) // reads every byte
		found = reply.Read(data)
	}
	if err == nil && found.State == reply.Other {
		err = fmt.Errorf("%s: %s", cli.DisplayName(name), found.Why)
	}
	if err != nil {
		return 0, err
	}
	data := found.Body
	result, err := choices.Apply(data, chosen, c.preferences)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", cli.DisplayName(name), err)
	}
	about := cmd.ErrOrStderr()
	if c.write {
		about = cmd.OutOrStdout()
		if !bytes.Equal(data, result.Text) {
			err = cli.Replace(name, result.Text)
		}
	} else {
		_, err = cmd.OutOrStdout().Write(result.Text)
	}
	if err != nil {
		return 0, err
	}
	for _, sentence := range result.Proof() {
		cli.PrintLines(about, sentence+"\n")
	}
	switch {
	case result.Undecided:
		status = cli.ExitError
	case len(result.StillOpen)+len(result.StillClosed)+len(result.Contradictions) > 0:
		status = cli.ExitNo
	}
	return status, nil
}

// aiAgents returns the well-known agents, then "*" for all others.
func aiAgents() []crawlers.Crawler {
	agents := slices.DeleteFunc(crawlers.All(), func(c crawlers.Crawler) bool { return !c.AI })
	return append(agents, answers.AnyOther())
}

// findAgent returns the well-known agent with this name, or a placeholder if there is none.
func findAgent(name string) crawlers.Crawler {
	token := cmp.Or(robotstxt.ProductToken(name), "*")
	for _, a := range aiAgents() {
		if strings.EqualFold(a.Token, token) {
			return a
		}
	}
	return crawlers.Crawler{Token: token, Operator: "-", Purposes: []crawlers.Purpose{answers.Unlisted}}
}

// An aiView contains everything that the ai command prints about a file.
type aiView struct {
	reply   *reply.View
	data    []byte
	file    verdict.File
	page    string
	agents  []crawlers.Crawler
	columns int // the width of the output
}

// print prints each answer once, followed by the agents that share it. If the view is about all AI
// crawlers, it starts with a sentence that sums the answers up.
func (v aiView) print(w io.Writer, all bool) {
	var verdicts []string
	agentsOf := map[string][]aiAgent{}
	for _, agent := range v.agents {
		verdict, lines := v.answerText(aipref.For(v.file.File, crawlers.Names(agent.Token), v.page))
		if agentsOf[verdict] == nil {
			verdicts = append(verdicts, verdict)
		}
		agentsOf[verdict] = append(agentsOf[verdict], aiAgent{agent, lines})
	}
	var b strings.Builder
	if all {
		b.WriteString(cli.WrapText(v.columns, summary.AI(v.file, v.page)))
	} else {
		fmt.Fprintf(&b, "page: %s\n", cli.Printable(v.page))
	}
	for _, verdict := range verdicts {
		b.WriteString("\n" + verdict)
		v.writeAgents(&b, writeCommonLines(&b, agentsOf[verdict]))
	}
	v.writeNotes(&b)
	io.WriteString(w, b.String())
}

// An aiAgent is an agent, and the numbers of the lines that say what the agent may do with the
// page.
type aiAgent struct {
	crawlers.Crawler
	lines []int
}

// answerText returns an answer as text, and the numbers of the lines that determine the
// answer.
func (v aiView) answerText(a aipref.Answer) (verdict string, lines []int) {
	cells := []string{"fetch: " + yesNo(a.Access.Allowed)}
	lines = append(lines, a.Access.Rule.Line)
	add := func(name string, p aipref.Preference) {
		value := "-"
		if p.Value != aipref.Unknown {
			value = yesNo(p.Value == aipref.Allow)
		}
		cells = append(cells, cli.Printable(name)+": "+value)
		lines = append(lines, p.Line)
	}
	add("training", a.Training)
	add("search", a.Search)
	add("input", a.AIInput)
	if a.Use.Level != "" {
		cells = append(cells, "use: "+a.Use.Level)
		lines = append(lines, a.Use.Line)
	}
	for _, key := range slices.Sorted(maps.Keys(a.Other)) {
		add(key, a.Other[key])
	}
	slices.Sort(lines)
	lines = slices.DeleteFunc(slices.Compact(lines), func(line int) bool { return line == 0 })
	return cli.Wrap(v.columns, cells, "   ", ""), lines
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// purposeColumn is the width of the column of purposes, including the blanks on both sides.
const purposeColumn = 24

// writeAgents writes agents, grouped by main purpose.
func (v aiView) writeAgents(b *strings.Builder, agents []aiAgent) {
	for _, purpose := range answers.MainPurposes {
		var names []string
		for _, a := range agents {
			if answers.Purposes(a.Crawler)[0] == purpose {
				names = append(names, a.String())
			}
		}
		if len(names) > 0 {
			text := cli.Wrap(v.columns, names, ", ", strings.Repeat(" ", purposeColumn))
			fmt.Fprintf(b, "  %-*s%s", purposeColumn-2, purpose, text[purposeColumn:])
		}
	}
}

// nameWithStatus returns the token of an agent. If the agent is undocumented or retired, it adds
// the status: "GrokBot (undocumented)".
func nameWithStatus(agent crawlers.Crawler) string {
	if agent.Status == crawlers.Documented || agent.Status == "" {
		return agent.Token
	}
	return agent.Token + " (" + string(agent.Status) + ")"
}

// If all agents have the same line numbers, writeCommonLines writes these numbers once, and
// returns the agents without line numbers. If not, it writes nothing, and returns the agents
// unchanged.
func writeCommonLines(b *strings.Builder, agents []aiAgent) []aiAgent {
	first := agents[0]
	if slices.ContainsFunc(agents, func(a aiAgent) bool { return !slices.Equal(a.lines, first.lines) }) {
		return agents
	}
	if len(first.lines) > 0 {
		fmt.Fprintf(b, "  %-*s%s\n", purposeColumn-2, "lines", joinInts(first.lines))
	}
	var bare []aiAgent
	for _, a := range agents {
		bare = append(bare, aiAgent{Crawler: a.Crawler})
	}
	return bare
}

// String returns the agent with its line numbers, such as "FooBot (3, 7)".
func (a aiAgent) String() string {
	name := strings.Replace(nameWithStatus(a.Crawler), "*", answers.AnyOther().Operator, 1)
	if len(a.lines) == 0 {
		return name
	}
	return name + " (" + joinInts(a.lines) + ")"
}

func joinInts(numbers []int) string {
	var texts []string
	for _, n := range numbers {
		texts = append(texts, strconv.Itoa(n))
	}
	return strings.Join(texts, ", ")
}

// maxAgents is the number of agents that are listed for a note.
const maxAgents = 5

// writeNotes writes the notes about the verdicts, and notes about doubtful names, ignored signals, and licenses.
func (v aiView) writeNotes(b *strings.Builder) {
	var notes []string
	agentsOf := map[string][]string{} // by note
	for _, agent := range v.agents {
		for _, note := range v.file.Decide(agent.Token, v.page).Notes {
			if note.Code == verdict.MisspelledAgent {
				continue // already printed
			}
			if agentsOf[note.Text] == nil {
				notes = append(notes, note.Text)
			}
			agentsOf[note.Text] = append(agentsOf[note.Text], agent.Token)
		}
	}
	for i, note := range notes {
		names, more := cli.Shorten(agentsOf[note], maxAgents)
		if more > 0 {
			names = append(slices.Clone(names), fmt.Sprintf("%d more", more))
		}
		notes[i] = cli.Printable(strings.Join(names, ", ")) + ": " + cli.Printable(note)
	}
	for _, note := range answers.AINotes(v.file.File, v.data) {
		notes = append(notes, fmt.Sprintf("line %d: %s", note.Line, note.Text))
	}
	if len(notes) > 0 {
		b.WriteByte('\n')
	}
	for _, note := range notes {
		b.WriteString(cli.WrapText(v.columns, note))
	}
}

// The JSON output of the ai command.
type (
	aiJSON struct {
		Reply       *reply.View            `json:"reply,omitempty"`
		Page        string                 `json:"page"`
		Summary     string                 `json:"summary"`
		Agents      []answers.AI           `json:"agents"`
		FileSignals []aiSignalJSON         `json:"file_signals"`
		Licenses    []aiLicenseJSON        `json:"licenses"`
		Doubtful    []answers.DoubtfulName `json:"doubtful_names"`
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

func (v aiView) printJSON(w io.Writer) error {
	// Make the slices, because a nil slice would be null in JSON.
	out := aiJSON{Reply: v.reply, Page: v.page, Summary: summary.AI(v.file, v.page), FileSignals: []aiSignalJSON{}, Licenses: []aiLicenseJSON{}, Doubtful: answers.DoubtfulNames(v.data)}
	for _, agent := range v.agents {
		out.Agents = append(out.Agents, answers.NewAI(v.file, agent, v.page))
	}
	a := aipref.For(v.file.File, []string{"*"}, v.page)
	for _, s := range a.FileSignals {
		out.FileSignals = append(out.FileSignals, aiSignalJSON(s))
	}
	for _, l := range a.Licenses() {
		out.Licenses = append(out.Licenses, aiLicenseJSON(l))
	}
	return cli.PrintLongJSON(w, out)
}
