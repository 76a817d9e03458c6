package survey

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/lint"
)

// format is the version of the form and meaning of records and summaries. It changes whenever
// these change.
const format = 3

// A made says what a summary was made with. Summaries that were made with different things must not
// be added up.
type made struct {
	Format    int       `json:"format"`
	Lint      string    `json:"lint"` // lint.Version; empty if Questions.NoLint is set
	Questions Questions `json:"questions"`
}

func (q Questions) made() made {
	m := made{Format: format, Questions: q}
	if !q.NoLint {
		m.Lint = lint.Version()
	}
	return m
}

// difference returns the first difference between two ways to make a summary: what is true of m, and
// what is true of o, as in "--no-lint" and "lint". If there is none, the results are empty.
func (m made) difference(o made) (ofM, ofO string) {
	q, p := m.Questions, o.Questions
	switch {
	case m.Format != o.Format:
		return fmt.Sprintf("format %d", m.Format), fmt.Sprintf("format %d", o.Format)
	case !slices.Equal(q.Agents, p.Agents):
		return differentNames("--agent", q.Agents, p.Agents)
	case !slices.Equal(q.Paths, p.Paths):
		return differentNames("--path", q.Paths, p.Paths)
	case q.NoLint != p.NoLint:
		return differentFlag("--no-lint", q.NoLint)
	case q.Rules != p.Rules:
		return differentFlag("--rules", q.Rules)
	case q.Verify != p.Verify:
		return differentFlag("--verify", q.Verify)
	case m.Lint != o.Lint:
		return "version " + m.Lint + " of lint", "version " + o.Lint + " of lint"
	}
	return "", ""
}

// MadeWith compares what the summary was made with and what a summary of today would be made with:
// the questions, and the program's format and findings. If they differ, the result says how, as in
// "--no-lint, not with lint". Otherwise it is empty.
func (s *Summary) MadeWith(q Questions) (difference string) {
	before, now := s.Made.difference(q.made())
	if before == "" {
		return ""
	}
	return before + ", not with " + now
}

func differentFlag(flag string, isSet bool) (first, second string) {
	if isSet {
		return flag, "no " + flag
	}
	return "no " + flag, flag
}

// differentNames returns the difference between two lists of values of a flag. If they differ only
// in their order, it returns both.
func differentNames(flag string, a, b []string) (first, second string) {
	for _, name := range a {
		if !slices.Contains(b, name) {
			return flag + " " + name, "no " + flag + " " + name
		}
	}
	for _, name := range b {
		if !slices.Contains(a, name) {
			return "no " + flag + " " + name, flag + " " + name
		}
	}
	return flag + " " + strings.Join(a, ", "), flag + " " + strings.Join(b, ", ")
}
