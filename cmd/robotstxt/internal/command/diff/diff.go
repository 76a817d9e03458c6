// Package diff is the command "robotstxt diff".
package diff

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/records"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/rules"
	"github.com/spf13/cobra"
)

// New returns the command.
func New() *cobra.Command {
	var d diffCommand
	cmd := &cobra.Command{
		Use:   "diff [flags] OLD NEW | --save FILE NEW",
		Short: "Show which verdicts change, for any URL and any crawler",
		Long: `The diff command compares two robots.txt files. OLD and NEW are files, URLs, or
"-" for standard input, which another program writes. The command reports
whether the verdict on any URL changes for any crawler, and shows an example URL
for each difference. Crawlers with the same differences are listed together.

Below the verdicts, the command shows other lines that appear, go or change,
such as Sitemap, Crawl-delay and Content-Signal. They change no verdict, so the
exit status stays 0; with --records, it is 1. New comments and another order of
the rules are not shown.

With --save FILE, name only the new file; FILE is the old one. The new file then
replaces FILE, so that the next run reports what has changed since. If FILE does
not exist, it is created, and the exit status is 0. FILE stays as it is, and the
exit status is 2, if the server fails, or refuses this tool, as bot walls do, or
if FILE or the new file is not a robots.txt file, but an HTML page, for example.

A URL without a path means the robots.txt of its site. If a site has no
robots.txt, everything is allowed. Rules that take too long to compare are
listed as undecided.

These lines stop a deployment that changes a verdict, unless somebody has looked
at the changes and set ROBOTS_REVIEWED to yes:

  if robotstxt diff https://www.example.com/ public/robots.txt; then
    echo "robots.txt: no verdict changes"
  elif [ $? -ne 1 ] || [ "$ROBOTS_REVIEWED" != yes ]; then
    exit 1
  fi` + cli.ExitHelp(map[int]string{
			cli.ExitOK:    "no verdict changes",
			cli.ExitNo:    "some verdicts change; with --records, other lines, too",
			cli.ExitError: "a file could not be read or was refused, or some rules are undecided",
		}),
		Example: `  robotstxt diff https://www.example.com/ robots.txt
  robotstxt diff --agent Googlebot old.txt new.txt
  robotstxt diff https://www.example.com/ https://staging.example.com/
  robotstxt diff --save last.txt https://www.example.com/
  git show HEAD:robots.txt | robotstxt diff - robots.txt`,
		Args: func(cmd *cobra.Command, args []string) error {
			if d.save != "" {
				return cli.Operands("file", 1)(cmd, args)
			}
			return twoFiles(cmd, args)
		},
		RunE: cli.WithStatus(d.run),
	}
	cli.AddAgentFlag(cmd, &d.agents, nil)
	cmd.Flags().BoolVar(&d.records, "records", false, "exit with status 1 also if only other lines change, such as Sitemap")
	cmd.Flags().StringVar(&d.save, "save", "", "compare with this `file`, and then replace it with the new file")
	cli.AddHeaderFlag(cmd, &d.loader.Header)
	cmd.Flags().BoolVar(&d.json, "json", false, "print one JSON object, in which no list is shortened")
	return cmd
}

func twoFiles(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return cli.UsageError(cmd, errors.New("only one file given"))
	}
	return cli.Operands("files", 2)(cmd, args)
}

// A diffCommand holds the flags of the diff command.
type diffCommand struct {
	agents  []string
	save    string
	records bool
	json    bool
	loader  cli.Loader
}

func (d *diffCommand) run(cmd *cobra.Command, names []string) (status int, err error) {
	if d.save != "" {
		names = []string{d.save, names[0]}
	}
	if err := d.validate(names); err != nil {
		return 0, err
	}
	tokens, err := d.tokens(cmd)
	if err != nil {
		return 0, err
	}
	old, err := d.loader.LoadFile(cmd, names[0], reply.NoFile)
	isFirst := d.save != "" && errors.Is(err, fs.ErrNotExist)
	if err != nil && !isFirst {
		return 0, err
	}
	new, err := d.loader.LoadFile(cmd, names[1], reply.NoFile)
	if err != nil {
		return 0, err
	}
	if isFirst {
		old = new
	}
	changes := verdict.Diff(old.File, new.File, rules.Options{Agents: tokens})
	lines, complete := records.Compare(old, new, tokens)
	out := cmd.OutOrStdout()
	if d.json {
		cli.PrintJSON(out, diffView{answers.Changes(changes), lines, !complete})
	} else {
		printChanges(out, changes)
		if len(changes) > 0 && len(lines) > 0 {
			fmt.Fprintln(out)
		}
		printRecords(out, lines, complete)
	}
	if d.save != "" && cli.WriteError(out) == nil { // changes that nobody has seen must be reported again
		err = save(d.save, new)
	}
	if isFirst && err == nil {
		cli.Complain(cmd, fmt.Errorf("%s is new; the next run compares with it", d.save))
	}
	status = diffStatus(changes)
	switch {
	case !d.records || status != cli.ExitOK:
	case !complete:
		status = cli.ExitError
	case len(lines) > 0:
		status = cli.ExitNo
	}
	return status, err
}

// save writes the robots.txt that was found to a file. If there was none, it writes a comment that says
// so; crawlers read both in the same way.
func save(name string, found reply.Reply) error {
	text := found.Body
	if found.State == reply.NoFile {
		text = fmt.Appendf(nil, "# %s: %s\n", found.View.URL, found.Meaning())
	}
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return os.WriteFile(name, text, 0o666)
	}
	return cli.Replace(name, text)
}

func (d *diffCommand) validate(names []string) error {
	switch {
	case d.save == "-" || cli.IsURL(d.save):
		return fmt.Errorf("--save %s: want the name of a file", d.save)
	case names[0] == "-" && names[1] == "-":
		return errors.New("the two files cannot both come from standard input")
	}
	return nil
}

// tokens returns the product tokens of the agents, without duplicates. For an agent without
// a token, it returns "*", which stands for the crawlers that no group names.
func (d *diffCommand) tokens(cmd *cobra.Command) (tokens []string, err error) {
	names, err := cli.AgentNames(cmd, d.agents)
	for _, agent := range names {
		token := robotstxt.ProductToken(agent)
		if token == "" {
			token = "*"
		}
		if !slices.Contains(tokens, token) {
			tokens = append(tokens, token)
		}
	}
	return tokens, err
}

func diffStatus(changes []verdict.Change) int {
	isUndecided := func(c verdict.Change) bool {
		return len(c.UndecidedOld) > 0 || len(c.UndecidedNew) > 0 || c.Incomplete
	}
	switch {
	case len(changes) == 0:
		return cli.ExitOK
	case slices.ContainsFunc(changes, isUndecided):
		return cli.ExitError
	}
	return cli.ExitNo
}

// Limits of the text output. Unrelated files can have thousands of differences.
const (
	maxChanges     = 20
	maxDifferences = 20 // per change
	maxAgents      = 10 // per change
	maxUndecided   = 5  // per change and file
)

func printChanges(w io.Writer, changes []verdict.Change) {
	shown, more := cli.Shorten(changes, maxChanges)
	for i, c := range shown {
		if i > 0 {
			fmt.Fprintln(w)
		}
		printChange(w, c)
	}
	if more > 0 {
		fmt.Fprintf(w, "\nand changes for %d more groups of crawlers (see --json)\n", more)
	}
}

// printChange prints a change as text, with its lists shortened.
func printChange(w io.Writer, c verdict.Change) {
	var agents, differences, undecidedOld, undecidedNew int
	c.Differences, differences = shortenDifferences(c.Differences)
	c.UndecidedOld, undecidedOld = cli.Shorten(c.UndecidedOld, maxUndecided)
	c.UndecidedNew, undecidedNew = cli.Shorten(c.UndecidedNew, maxUndecided)
	if c.Agents, agents = cli.Shorten(c.Agents, maxAgents); agents > 0 {
		c.Agents = append(slices.Clone(c.Agents), fmt.Sprintf("%d more", agents))
	}
	for i, agent := range c.Agents {
		if strings.EqualFold(agent, aipref.TrainingToken) {
			c.Agents = slices.Clone(c.Agents)
			c.Agents[i] = "the training of AI models (" + agent + ", provisional)"
		}
	}
	cli.PrintLines(w, c.String())
	lines, more := cli.Shorten(c.Notes(), maxDifferences)
	for _, line := range lines {
		cli.PrintLines(w, "  "+line+"\n")
	}
	if differences += more; differences > 0 {
		fmt.Fprintf(w, "  and %d more differences (see --json)\n", differences)
	}
	if undecided := undecidedOld + undecidedNew; undecided > 0 {
		fmt.Fprintf(w, "  and %d more undecided rules (see --json)\n", undecided)
	}
}

// shortenDifferences is like [cli.Shorten] with the limit maxDifferences, but one half of what it
// returns are URLs that the new file allows, and the other half URLs that it disallows. If there are
// too few of one kind, it returns more of the other.
func shortenDifferences(list []rules.Difference) (shown []rules.Difference, more int) {
	if _, more = cli.Shorten(list, maxDifferences); more == 0 {
		return list, 0
	}
	total := map[bool]int{} // total[true] counts the differences in which the new file allows the URLs
	for _, d := range list {
		total[d.New.Allowed]++
	}
	left := map[bool]int{}
	for allowed := range total {
		left[allowed] = max(maxDifferences/2, maxDifferences-total[!allowed])
	}
	for _, d := range list {
		if left[d.New.Allowed] > 0 {
			left[d.New.Allowed]--
			shown = append(shown, d)
		}
	}
	return shown, more
}

// printRecords prints the other lines that appear or go.
func printRecords(w io.Writer, changes []records.Change, complete bool) {
	if len(changes) == 0 && complete {
		return
	}
	fmt.Fprintln(w, "Other lines, which change no verdict")
	lines, more := cli.Shorten(records.Lines(changes, true), 20)
	for _, line := range lines {
		cli.PrintLines(w, "  "+line+"\n")
	}
	if more > 0 {
		fmt.Fprintf(w, "  and %d more (see --json)\n", more)
	}
	if !complete {
		fmt.Fprintln(w, "  incomplete: the files have too many lines of this kind, so there may be more")
	}
}

// A diffView is the JSON that diff prints.
type diffView struct {
	Changes           []answers.Change `json:"changes"`
	Records           []records.Change `json:"records"`
	RecordsIncomplete bool             `json:"records_incomplete,omitempty"`
}
