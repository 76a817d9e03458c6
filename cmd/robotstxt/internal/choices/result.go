package choices

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/reading"
	"github.com/robotstxt-go/robotstxt/internal/section"
	"github.com/robotstxt-go/robotstxt/lint"
	"github.com/robotstxt-go/robotstxt/rules"
)

// A Result is a changed file, and what the change does.
type Result struct {
	Text      []byte
	Unchanged bool // Text is the file as given

	// Closed are the crawlers that the new group closes the site to, because "no" was chosen for
	// their main purpose.
	Closed []crawlers.Crawler

	// Changes are all changes of verdicts, for the crawlers that a file names, for all well-known
	// crawlers and for all others. Only crawlers in Closed lose access. Only crawlers that lines of
	// Apply had closed the site to gain access.
	Changes []rules.Change

	// StillOpen are URLs that a crawler in Closed may still fetch, because the file has allow rules
	// for the crawler. StillClosed are crawlers whose main purpose is wanted but that may not fetch
	// the home page.
	StillOpen, StillClosed []Verdict

	// Contradictions are preferences of the file that state the opposite of a choice. They are found
	// only if the choices are also stated as preferences.
	Contradictions []Contradiction

	// AlsoUsed are crawlers that are not closed although they also serve a purpose that is not wanted,
	// because that is not their main purpose.
	AlsoUsed []crawlers.Crawler

	// Undecided is true if rules are too complex to prove what changes.
	Undecided bool
}

// A Verdict is a decision about a path for a crawler.
type Verdict struct {
	Crawler  crawlers.Crawler
	Path     string
	Decision robotstxt.Decision
}

// A Contradiction is a line that states the opposite of a choice.
type Contradiction struct {
	Purpose crawlers.Purpose
	Line    int
	Allows  bool     // the line allows the purpose, which is not wanted; otherwise, it refuses it
	Agents  []string // the crawlers that the line is for
	Path    string   // the pattern of the line; empty if it has none
}

// Apply adds rules to a file so that it says what is chosen. It changes no other line, except that
// it removes the lines that it added earlier. It adds a group above those of the file. With preferences, it
// also adds records of Content-Usage and Content-Signal to all groups that do not close the site, because
// groups do not inherit.
//
// Crawlers whose main purpose is not wanted get a rule that disallows everything. No group that Apply
// adds allows a crawler anything that it could not fetch before. A crawler whose main purpose is wanted
// keeps its rules: Apply does not open what the file closes.
//
// Apply returns an error if the file is in UTF-16 or too large, or if somebody else has changed
// the lines that Apply added earlier.
func Apply(data []byte, c Choices, preferences bool) (Result, error) {
	if reading.IsUTF16(data) {
		return Result{}, errors.New("the file is in UTF-16; save it in UTF-8 first")
	}
	if section.Size(data) > robotstxt.SizeLimit {
		return Result{}, lint.ErrTooLarge
	}
	text := bytes.TrimPrefix(data, byteOrderMark)
	mark := data[:len(data)-len(text)]
	clean, blocks := cut(text)
	for _, b := range blocks {
		if !b.isOurs {
			return Result{}, fmt.Errorf("lines %d to %d are not as robotstxt ai --set wrote them: move your own lines out of this block, and delete the rest of it", b.first, b.last)
		}
	}
	r := Result{Closed: c.closed()}
	for _, crawler := range ai() {
		if !c.closes(crawler) && slices.ContainsFunc(crawler.Purposes, c.refuses) {
			r.AlsoUsed = append(r.AlsoUsed, crawler)
		}
	}
	r.Text = slices.Concat(mark, c.edit(clean, preferences))
	r.Unchanged = bytes.Equal(r.Text, data)
	if section.Size(r.Text) > robotstxt.SizeLimit {
		return Result{}, lint.ErrTooLarge
	}
	r.prove(robotstxt.Parse(data), c)
	if preferences && len(c.records()) > 0 {
		r.Contradictions = c.contradictions(r.Text)
	}
	return r, nil
}

var byteOrderMark = []byte("\ufeff") // in UTF-8

// prove compares the file before and after the change, and sets the fields of r that say what
// the change does.
func (r *Result) prove(before *robotstxt.File, c Choices) {
	after := robotstxt.Parse(r.Text)
	agents := []string{"*"}
	for _, file := range []*robotstxt.File{before, after} {
		for _, g := range file.Groups() {
			agents = append(agents, g.Tokens()...)
		}
	}
	for _, crawler := range crawlers.All() {
		agents = append(agents, crawler.Token)
	}
	if !r.Unchanged {
		r.Changes = rules.Diff(before, after, rules.Options{Agents: distinct(agents), Names: crawlers.Names})
	}
	for _, change := range r.Changes {
		r.Undecided = r.Undecided || change.Incomplete || len(change.UndecidedOld)+len(change.UndecidedNew) > 0
	}
	for _, crawler := range r.Closed {
		g := groupOf(after, crawler)
		coverage := rules.CoverageOf(g)
		r.Undecided = r.Undecided || coverage.Undecided
		if url := coverage.AllowedURL; url != "" {
			r.StillOpen = append(r.StillOpen, Verdict{crawler, url, g.Decide(url)})
		}
	}
	for _, crawler := range ai() {
		if d := groupOf(after, crawler).Decide("/"); c[crawler.Purposes[0]] && !d.Allowed {
			r.StillClosed = append(r.StillClosed, Verdict{crawler, "/", d})
		}
	}
}

// contradictions returns the lines in the groups of a file that state the opposite of a choice.
func (c Choices) contradictions(text []byte) (list []Contradiction) {
	for _, s := range section.Cut(text) {
		if len(s.Agents) == 0 {
			continue
		}
		for _, l := range s.Lines {
			signal, ok := aipref.ReadSignal(robotstxt.Record{Line: l.Number, Key: l.Key, Value: l.Value})
			if !ok {
				continue
			}
			for _, purpose := range c.contradicted(signal) {
				list = append(list, Contradiction{purpose, l.Number, !c[purpose], agentsOf(s), signal.Path})
			}
		}
	}
	return list
}

// contradicted returns the purposes for which a signal states the opposite of a choice.
func (c Choices) contradicted(s aipref.Signal) (list []crawlers.Purpose) {
	stated := s.Preferences()
	for _, p := range []struct {
		purpose crawlers.Purpose
		value   aipref.Value
	}{{crawlers.Training, stated.Training.Value}, {crawlers.Search, stated.Search.Value}, {crawlers.Input, stated.AIInput.Value}} {
		wanted, ok := c[p.purpose]
		if ok && p.value != aipref.Unknown && wanted != (p.value == aipref.Allow) {
			list = append(list, p.purpose)
		}
	}
	return list
}

func agentsOf(s section.Section) (tokens []string) {
	for _, a := range s.Agents {
		tokens = append(tokens, a.Token)
	}
	return tokens
}

// distinct returns tokens without duplicates, regardless of case.
func distinct(tokens []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(tokens, func(token string) bool {
		name := lex.Fold(token)
		isRepeated := seen[name]
		seen[name] = true
		return isRepeated
	})
}
