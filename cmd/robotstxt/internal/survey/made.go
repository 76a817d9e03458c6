package survey

import (
	"slices"

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

// difference returns the first thing in which two ways to make a summary differ, such as "--agent", or "".
func (m made) difference(o made) string {
	q, p := m.Questions, o.Questions
	switch {
	case m.Format != o.Format:
		return "the format"
	case !slices.Equal(q.Agents, p.Agents):
		return "--agent"
	case !slices.Equal(q.Paths, p.Paths):
		return "--path"
	case q.NoLint != p.NoLint:
		return "--no-lint"
	case q.Rules != p.Rules:
		return "--rules"
	case m.Lint != o.Lint:
		return "the version of lint"
	}
	return ""
}

// MadeWith returns in what the way in which the summary was made differs from that of a summary of today, such as
// "--agent", or "".
func (s *Summary) MadeWith(q Questions) (difference string) { return s.Made.difference(q.made()) }
