package diff

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A recordsChange lists the records that appear, go or change for some crawlers: crawl-delays, and lines
// with keys that the protocol does not define, such as Content-Signal. They change no verdict.
type recordsChange struct {
	Agents []string    `json:"agents"` // empty for sitemaps, and for records above all groups
	Keys   []keyChange `json:"keys"`
}

// A keyChange lists the records with one key that only one of the files has.
type keyChange struct {
	Key string   `json:"key"` // as the new file has it, if it has it
	Old []record `json:"old"`
	New []record `json:"new"`
}

type record struct {
	Line  int    `json:"line"`
	Value string `json:"value"`
}

// maxCompared is the number of records after which the comparison stops. In hostile files, thousands of
// crawlers each have thousands of records.
const maxCompared = robotstxt.SizeLimit

// changedRecords compares the records of two files, for the crawlers with the given tokens. If there
// are none, it compares the records for all crawlers that a file names. The result complete is false
// if the files have too many records.
func changedRecords(old, new reply.Reply, tokens []string) (changes []recordsChange, complete bool) {
	changes = []recordsChange{} // not nil, which would be null in JSON
	compared := 0
	compare := func(old, new []robotstxt.Record, agents []string) {
		compared += len(old) + len(new)
		if keys := compareRecords(old, new); len(keys) > 0 {
			changes = append(changes, recordsChange{append([]string{}, agents...), keys})
		}
	}
	compare(fileRecords(old), fileRecords(new), nil)
	oldGroups, newGroups := groupsByToken(old.File.File), groupsByToken(new.File.File)
	if len(tokens) == 0 {
		tokens = allTokens(old.File.File, new.File.File)
	}
	type pair struct{ old, new *robotstxt.Group }
	var pairs []pair
	agents := map[pair][]string{}
	for _, token := range tokens {
		p := pair{groupOf(old.File, oldGroups, token), groupOf(new.File, newGroups, token)}
		if agents[p] == nil {
			pairs = append(pairs, p)
		}
		agents[p] = append(agents[p], token)
	}
	for _, p := range pairs {
		if compared > maxCompared {
			return changes, false
		}
		compare(groupRecords(p.old), groupRecords(p.new), agents[p])
	}
	return changes, true
}

// groupsByToken returns the groups of a file by their tokens in lower case.
func groupsByToken(file *robotstxt.File) map[string]*robotstxt.Group {
	groups := map[string]*robotstxt.Group{}
	for _, g := range file.Groups() {
		for _, token := range g.Tokens() {
			groups[lex.Fold(token)] = g
		}
	}
	return groups
}

// groupOf returns the group that applies to the crawler with a token, or nil. The parameter groups is the
// result of groupsByToken.
func groupOf(file verdict.File, groups map[string]*robotstxt.Group, token string) *robotstxt.Group {
	return groups[lex.Fold(file.Decide(token, "/").Token)]
}

// allTokens returns the tokens of two files, each once.
func allTokens(old, new *robotstxt.File) (tokens []string) {
	seen := map[string]bool{}
	for _, g := range slices.Concat(old.Groups(), new.Groups()) {
		for _, token := range g.Tokens() {
			if !seen[lex.Fold(token)] {
				seen[lex.Fold(token)] = true
				tokens = append(tokens, token)
			}
		}
	}
	return tokens
}

// fileRecords returns the sitemaps of a file and its records above all groups.
func fileRecords(r reply.Reply) (records []robotstxt.Record) {
	for line := range robotstxt.Lines(r.Body) {
		if line.Kind == robotstxt.SitemapKind {
			records = append(records, robotstxt.Record{Line: line.Number, Key: "Sitemap", Value: line.Value})
		}
	}
	return append(records, r.File.Records()...)
}

func groupRecords(g *robotstxt.Group) []robotstxt.Record {
	if g == nil {
		return nil
	}
	return g.Records()
}

// compareRecords returns a change for each key that has other values in the new records. The order
// of records does not matter, nor does how often one is repeated.
func compareRecords(old, new []robotstxt.Record) (changes []keyChange) {
	index := map[string]int{} // where the change of a key is in changes
	changeOf := func(r robotstxt.Record) *keyChange {
		i, ok := index[keyOf(r)]
		if !ok {
			i = len(changes)
			index[keyOf(r)] = i
			changes = append(changes, keyChange{Key: r.Key, Old: []record{}, New: []record{}})
		}
		return &changes[i]
	}
	for _, r := range missingFrom(old, new) {
		c := changeOf(r)
		c.New = append(c.New, record{r.Line, r.Value})
	}
	for _, r := range missingFrom(new, old) {
		c := changeOf(r)
		c.Old = append(c.Old, record{r.Line, r.Value})
	}
	return changes
}

// missingFrom returns the records of b that a does not have, each once.
func missingFrom(a, b []robotstxt.Record) (missing []robotstxt.Record) {
	type content struct{ key, value string }
	seen := map[content]bool{}
	for _, r := range a {
		seen[content{keyOf(r), r.Value}] = true
	}
	for _, r := range b {
		if c := (content{keyOf(r), r.Value}); !seen[c] {
			seen[c] = true
			missing = append(missing, r)
		}
	}
	return missing
}

// keyOf returns the key of a record without differences of spelling.
func keyOf(r robotstxt.Record) string {
	if r.Is("Crawl-delay") {
		return "crawl-delay"
	}
	return lex.Fold(r.Key)
}

// maxRecords limits the text output.
const maxRecords = 20

// printRecords prints a line for each record that appears or goes. If one record has replaced another,
// they share a line.
func printRecords(w io.Writer, changes []recordsChange, complete bool) {
	if len(changes) == 0 && complete {
		return
	}
	fmt.Fprintln(w, "Other lines, which change no verdict")
	printed, more := 0, 0
	for _, c := range changes {
		about := c.crawlers()
		for _, key := range c.Keys {
			lines := key.lines()
			shown := lines[:min(len(lines), maxRecords-printed)]
			for _, line := range shown {
				cli.PrintLines(w, "  "+line+about+"\n")
			}
			printed += len(shown)
			more += len(lines) - len(shown)
		}
	}
	if more > 0 {
		fmt.Fprintf(w, "  and %d more (see --json)\n", more)
	}
	if !complete {
		fmt.Fprintln(w, "  incomplete: the files have too many lines of this kind, so there may be more")
	}
}

// maxValue is the width of values in the text output, in columns.
const maxValue = 200

func (k keyChange) lines() (lines []string) {
	text := func(r record) string { return cli.Printable(k.Key + ": " + cli.FirstColumns(r.Value, maxValue)) }
	if len(k.Old) == 1 && len(k.New) == 1 {
		return []string{fmt.Sprintf("now   %s  (line %d; was %s)", text(k.New[0]), k.New[0].Line, cli.Printable(cli.FirstColumns(k.Old[0].Value, maxValue)))}
	}
	for _, r := range k.New {
		lines = append(lines, fmt.Sprintf("new   %s  (line %d)", text(r), r.Line))
	}
	for _, r := range k.Old {
		lines = append(lines, "gone  "+text(r))
	}
	return lines
}

// crawlers returns the crawlers that the records are for, such as ", for FooBot".
func (c recordsChange) crawlers() string {
	const others = "crawlers that no group names"
	names := slices.DeleteFunc(slices.Clone(c.Agents), func(name string) bool { return name == "*" })
	shown, more := cli.Shorten(names, maxAgents)
	text := ", for " + cli.Printable(strings.Join(shown, ", "))
	if more > 0 {
		text += fmt.Sprintf(", %d more", more)
	}
	switch {
	case len(c.Agents) == 0:
		return ""
	case len(names) == len(c.Agents):
		return text
	case len(names) == 0:
		return ", for " + others
	}
	return text + ", and " + others
}
