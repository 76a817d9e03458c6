// Package show is the command "robotstxt show".
package show

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/summary"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/internal/reading"
	"github.com/robotstxt-go/robotstxt/internal/section"
	"github.com/robotstxt-go/robotstxt/rules"
	"github.com/spf13/cobra"
)

// New returns the command.
func New() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [flags] FILE|URL|-",
		Short: "Print groups, rules and records as crawlers understand them",
		Long: `The show command prints a robots.txt file as crawlers understand it: first a few
sentences that sum it up, then the groups with their rules and records, the
records outside any group, and the sitemaps, all with line numbers. It also
prints the lines that no crawler obeys: rules before the first group, and the
lines of groups whose names no crawler can have.

For each group, show reports whether its crawlers may fetch all URLs, only
/robots.txt, or some URLs. In the last case, it prints an example of a URL that
they may fetch, and an example of a URL that they may not fetch.

If several groups are for the same crawler, they are shown as one group. Rules
that several groups share are repeated for each group. If the output becomes too
long, the remaining groups are shown with a note instead of their rules and
records. "-" is standard input, which another program writes.` + cli.ExitHelp(map[int]string{
			cli.ExitOK:    "the file was read",
			cli.ExitError: "the file could not be read",
		}),
		Example: `  robotstxt show robots.txt
  robotstxt show https://www.example.com/
  robotstxt show --json - < robots.txt`,
		Args: cli.Operands("file", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			found, err := new(cli.Loader).LoadFile(cmd, args[0], reply.NoFile, reply.Other)
			if err != nil {
				return err
			}
			view := newView(found)
			if asJSON {
				return cli.PrintJSON(cmd.OutOrStdout(), view)
			}
			view.print(cmd.OutOrStdout())
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// A fileView is what the command "robotstxt show" prints about a file.
type fileView struct {
	Reply    *reply.View    `json:"reply,omitempty"`
	Summary  string         `json:"summary"`
	Groups   []groupView    `json:"groups"`
	Records  []recordView   `json:"records"`
	Sitemaps []sitemapView  `json:"sitemaps"`
	Ignored  []ignoredView  `json:"ignored"`
	Notes    []reading.Note `json:"notes,omitempty"` // how other crawlers read the whole file
}

type groupView struct {
	Tokens     []string       `json:"tokens"`
	Notes      []reading.Note `json:"notes,omitempty"` // how other crawlers read the user-agent lines
	Coverage   *coverage      `json:"coverage,omitempty"`
	Rules      []answers.Rule `json:"rules"`
	Records    []recordView   `json:"records"`
	CrawlDelay *float64       `json:"crawl_delay,omitempty"`
	LeftOut    bool           `json:"left_out,omitempty"`
}

// A coverage describes which URLs the crawlers of a group may fetch.
type coverage struct {
	URLs       string `json:"urls"`
	Allowed    string `json:"allowed,omitempty"`
	Disallowed string `json:"disallowed,omitempty"`
}

type recordView struct {
	Line  int    `json:"line"`
	Key   string `json:"key"`
	Value string `json:"value"`
}

type sitemapView struct {
	Line int    `json:"line"`
	URL  string `json:"url"`
}

// An ignoredView is a line that has a key but applies to no crawler. Reason says why.
type ignoredView struct {
	Line   int    `json:"line"`
	Key    string `json:"key"`
	Value  string `json:"value"`
	Reason string `json:"reason"`
}

// The reasons why lines are ignored.
const (
	beforeGroups = "before the first group"
	unusableName = "under a name that no crawler can have"
)

// maxShown returns how many bytes of rules and records are shown for a file of a given size. After
// that, further groups are shown without their rules and records. Real files stay far below the limit.
// But in a hostile file, thousands of groups can share thousands of rules, and each group repeats the
// rules.
func maxShown(size int) int { return 1_000_000 + 4*size }

// maxSearched limits the time that newView takes: after groups with this number of rules in total,
// newView no longer computes coverage, and shows "undecided". Real files have only a few thousand
// rules.
const maxSearched = 20_000

func newView(found reply.Reply) fileView {
	file, data := found.File, found.Body
	view := fileView{Reply: found.View, Summary: summary.File(file), Groups: []groupView{}, Records: recordViews(file.Records()), Sitemaps: []sitemapView{}, Ignored: ignoredViews(data)}
	shown, searched := 0, 0
	for _, g := range file.Groups() {
		group := newGroupView(g, file, shown < maxShown(len(data)))
		if searched += len(group.Rules); !group.LeftOut {
			group.Coverage = newCoverage(g, searched <= maxSearched)
		}
		shown += group.size()
		view.Groups = append(view.Groups, group)
	}
	if note := file.OfFile(); note.Text != "" {
		view.Notes = append(view.Notes, note)
	}
	for l := range robotstxt.Lines(data) {
		if l.Kind == robotstxt.SitemapKind && l.Value != "" {
			view.Sitemaps = append(view.Sitemaps, sitemapView{l.Number, l.Value})
		}
	}
	return view
}

// newGroupView returns the view of a group. If whole is false, the view contains only the tokens.
func newGroupView(g *robotstxt.Group, file verdict.File, whole bool) groupView {
	group := groupView{Tokens: g.Tokens(), Rules: []answers.Rule{}, Records: []recordView{}, LeftOut: !whole}
	if !whole {
		return group
	}
	group.Rules = answers.Rules(g.Rules())
	for i := range group.Rules {
		if note := file.OfRule(group.Rules[i].Line); note.Text != "" {
			group.Rules[i].Notes = append(group.Rules[i].Notes, note)
		}
	}
	group.Notes = file.OfTokens(group.Tokens)
	group.Records = recordViews(g.Records())
	if delay, ok := g.CrawlDelay(); ok {
		seconds := delay.Seconds()
		group.CrawlDelay = &seconds
	}
	return group
}

// newCoverage returns the coverage of a group. If search is false, it does not search for URLs,
// and the coverage is undecided.
func newCoverage(g *robotstxt.Group, search bool) *coverage {
	c := rules.Coverage{Undecided: true}
	if search {
		c = rules.CoverageOf(g)
	}
	return &coverage{c.String(), c.AllowedURL, c.DisallowedURL}
}

// ignoredViews returns the lines that apply to no crawler: the rules above the first user-agent
// line, and the lines of groups whose names no crawler can have. It leaves out sitemaps, because
// sitemaps belong to no group.
func ignoredViews(data []byte) []ignoredView {
	ignored := []ignoredView{}
	for i, s := range section.Cut(data) {
		reason := unusableName
		if i == 0 {
			reason = beforeGroups
		}
		for _, l := range s.Lines {
			isFileRecord := i == 0 && (l.Kind == robotstxt.OtherKind || l.Kind == robotstxt.CrawlDelayKind) // above the first user-agent line, rules have no effect, but records do
			if len(s.Agents) == 0 && l.Kind != robotstxt.NoKind && l.Kind != robotstxt.SitemapKind && !isFileRecord {
				ignored = append(ignored, ignoredView{l.Number, l.Key, l.Value, reason})
			}
		}
	}
	return ignored
}

// size estimates how many bytes of output the group takes, without its tokens.
func (g groupView) size() int {
	const overhead = 30 // bytes for the rest of a rule or record, such as the line number
	n := 0
	if g.Coverage != nil {
		n += len(g.Coverage.Allowed) + len(g.Coverage.Disallowed)
	}
	for _, r := range g.Rules {
		n += len(r.Pattern) + overhead
		for _, note := range r.Notes {
			n += len(note.Text) + overhead
		}
	}
	for _, r := range g.Records {
		n += len(r.Key) + len(r.Value) + overhead
	}
	return n
}

func recordViews(records []robotstxt.Record) []recordView {
	views := []recordView{}
	for _, r := range records {
		l := robotstxt.Line{Kind: robotstxt.OtherKind, Key: r.Key, Value: r.Value}
		if section.IsRecord(&l) { // otherwise, the line is text that happens to contain a colon
			views = append(views, recordView(r))
		}
	}
	return views
}

// A shownLine is a line of the output: the number of a line in the robots.txt file, and the text
// to print for that line.
type shownLine struct {
	number int
	text   string
}

func (v fileView) print(w io.Writer) {
	io.WriteString(w, cli.WrapText(cli.ColumnsOf(w), v.Summary)+"\n")
	for _, note := range v.Notes {
		fmt.Fprintf(w, "%s\n\n", note.Text)
	}
	var text strings.Builder
	for _, g := range v.Groups {
		lines := recordLines(g.Records)
		for _, r := range g.Rules {
			text := robotstxt.Rule{Line: r.Line, Allow: r.Allow, Pattern: r.Pattern}.String()
			for _, note := range r.Notes {
				text = cli.Printable(text) + "  (" + note.Text + ")"
			}
			lines = append(lines, shownLine{r.Line, text})
		}
		notes := []string{g.note()}
		for _, note := range g.Notes {
			notes = append(notes, note.Text)
		}
		addPart(&text, "User-agent: "+strings.Join(g.Tokens, ", "), notes, lines)
	}
	if !slices.ContainsFunc(v.Groups, func(g groupView) bool { return slices.Contains(g.Tokens, "*") }) {
		addPart(&text, "All other crawlers", []string{"no group: everything is allowed"}, nil)
	}
	if len(v.Records) > 0 {
		addPart(&text, "Records outside any group", nil, recordLines(v.Records))
	}
	if len(v.Sitemaps) > 0 {
		var lines []shownLine
		for _, s := range v.Sitemaps {
			lines = append(lines, shownLine{s.Line, s.URL})
		}
		addPart(&text, "Sitemaps", nil, lines)
	}
	for _, reason := range []string{beforeGroups, unusableName} {
		if lines := ignoredLines(v.Ignored, reason); len(lines) > 0 {
			addPart(&text, "Ignored ("+reason+")", nil, lines)
		}
	}
	io.WriteString(w, text.String())
}

// note returns a note for the group's heading: which URLs the crawlers may fetch, or why this is
// not known.
func (g groupView) note() string {
	switch {
	case g.LeftOut:
		return "rules and records not shown: the output would be too large"
	case len(g.Rules) == 0:
		return "no rules: everything is allowed"
	}
	switch g.Coverage.URLs {
	case "all":
		return "everything is allowed"
	case "none":
		return "nothing is allowed"
	case "some":
		return fmt.Sprintf("some URLs are allowed, such as %s, and some are not, such as %s", g.Coverage.Allowed, g.Coverage.Disallowed)
	}
	return "too many rules to work out how much is allowed"
}

func recordLines(records []recordView) (lines []shownLine) {
	for _, r := range records {
		lines = append(lines, shownLine{r.Line, r.Key + ": " + r.Value})
	}
	return lines
}

func ignoredLines(ignored []ignoredView, reason string) (lines []shownLine) {
	for _, u := range ignored {
		if u.Reason == reason {
			lines = append(lines, shownLine{u.Line, u.Key + ": " + u.Value})
		}
	}
	return lines
}

// addPart adds a heading, the notes, and the lines, sorted by number.
func addPart(text *strings.Builder, heading string, notes []string, lines []shownLine) {
	if text.Len() > 0 {
		text.WriteByte('\n')
	}
	fmt.Fprintln(text, cli.Printable(heading))
	for _, note := range notes {
		fmt.Fprintf(text, "         (%s)\n", note)
	}
	slices.SortStableFunc(lines, func(x, y shownLine) int { return cmp.Compare(x.number, y.number) })
	for _, l := range lines {
		fmt.Fprintf(text, "%7d  %s\n", l.number, cli.Printable(l.text))
	}
}
