// Package records compares the lines of two robots.txt files that change no verdict.
package records

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A Change lists the records that appear, go or change for some crawlers: crawl-delays, and lines
// with keys that the protocol does not define, such as Content-Signal. They change no verdict.
type Change struct {
	Agents []string    `json:"agents"` // empty for sitemaps, and for records above all groups
	Keys   []KeyChange `json:"keys"`
}

// A KeyChange lists the records with one key that only one of the files has.
type KeyChange struct {
	Key string   `json:"key"` // as the new file has it, if it has it
	Old []Record `json:"old"`
	New []Record `json:"new"`
}

// A Record is the value of a record, with the number of its line.
type Record struct {
	Line  int    `json:"line"`
	Value string `json:"value"`
}

// maxCompared is the number of records after which the comparison stops. In hostile files, thousands of
// crawlers each have thousands of records.
const maxCompared = robotstxt.SizeLimit

// Compare compares the records of two files, for the crawlers with the given tokens. If there
// are none, it compares the records for all crawlers that a file names. The result complete is false
// if the files have too many records.
func Compare(old, new reply.Reply, tokens []string) (changes []Change, complete bool) {
	changes = []Change{}       // not nil, which would be null in JSON
	places := map[string]int{} // where the change with some keys is in changes
	compared := 0
	compare := func(old, new []robotstxt.Record, agents []string) {
		compared += len(old) + len(new)
		keys := compareRecords(old, new)
		if len(keys) == 0 {
			return
		}
		id := fmt.Sprintf("%#v", keys)
		place, ok := places[id]
		if !ok {
			place = len(changes)
			places[id] = place
			changes = append(changes, Change{[]string{}, keys})
		}
		changes[place].Agents = append(changes[place].Agents, agents...)
	}
	compare(fileRecords(old), fileRecords(new), nil)
	if len(tokens) == 0 {
		tokens = allTokens(old.File.File, new.File.File)
	}
	for _, token := range tokens {
		if compared > maxCompared {
			return changes, false
		}
		compare(old.File.Group(token).Records(), new.File.Group(token).Records(), []string{token})
	}
	return changes, true
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

// compareRecords returns a change for each key that has other values in the new records. The order
// of records does not matter, nor does how often one is repeated.
func compareRecords(old, new []robotstxt.Record) (changes []KeyChange) {
	index := map[string]int{} // where the change of a key is in changes
	changeOf := func(r robotstxt.Record) *KeyChange {
		i, ok := index[keyOf(r)]
		if !ok {
			i = len(changes)
			index[keyOf(r)] = i
			changes = append(changes, KeyChange{Key: r.Key, Old: []Record{}, New: []Record{}})
		}
		return &changes[i]
	}
	for _, r := range missingFrom(old, new) {
		c := changeOf(r)
		c.New = append(c.New, Record{r.Line, r.Value})
	}
	for _, r := range missingFrom(new, old) {
		c := changeOf(r)
		c.Old = append(c.Old, Record{r.Line, r.Value})
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

// Lines returns a line of text for each record that appears or goes. If one record has replaced another, they
// share a line. The numbers of lines are left out unless numbers is true: different sites have the same change.
func Lines(changes []Change, numbers bool) (lines []string) {
	for _, c := range changes {
		about := ""
		if len(c.Agents) > 0 {
			about = ", for " + Crawlers(c.Agents)
		}
		for _, key := range c.Keys {
			for _, line := range key.lines(numbers) {
				lines = append(lines, line+about)
			}
		}
	}
	return lines
}

// maxValue is the width of values in the text output, in columns.
const maxValue = 200

func (k KeyChange) lines(numbers bool) (lines []string) {
	value := func(r Record) string { return cli.Printable(cli.FirstColumns(r.Value, maxValue)) }
	line := func(r Record, text string) {
		if numbers {
			text += fmt.Sprintf("  (line %d)", r.Line)
		}
		lines = append(lines, text)
	}
	key := cli.Printable(k.Key)
	if len(k.Old) == 1 && len(k.New) == 1 {
		line(k.New[0], fmt.Sprintf("now   %s: %s, was %s", key, value(k.New[0]), value(k.Old[0])))
		return lines
	}
	for _, r := range k.New {
		line(r, fmt.Sprintf("new   %s: %s", key, value(r)))
	}
	for _, r := range k.Old {
		lines = append(lines, fmt.Sprintf("gone  %s: %s", key, value(r)))
	}
	return lines
}

// Crawlers returns the names of crawlers as text, such as "FooBot, and crawlers that no group names". The latter are
// the agent "*".
func Crawlers(agents []string) string {
	const others = "crawlers that no group names"
	names := slices.DeleteFunc(slices.Clone(agents), func(name string) bool { return name == "*" })
	shown, more := cli.Shorten(names, 10)
	text := cli.Printable(strings.Join(shown, ", "))
	if more > 0 {
		text += fmt.Sprintf(", %d more", more)
	}
	switch {
	case len(names) == len(agents):
		return text
	case len(names) == 0:
		return others
	}
	return text + ", and " + others
}
