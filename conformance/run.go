package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/robotstxt-go/robotstxt/conformance/internal/wire"
)

// A result is what came of the questions of a topic.
type result struct {
	topic    topic
	failures []failure

	passed, failed, skipped int
	agreed, open            int // of the questions where either verdict is right
	rightLines, lines       int // of the answers that name a line
}

// A failure is a wrong answer, or none.
type failure struct {
	question question
	status   *int // of the response, if it is not 200
	got      string
}

// maxBroken is the number of questions in a row that an adapter may leave without an
// answer.
const maxBroken = 3

// ask asks the adapter all questions of the topics.
func ask(a *adapter, topics []topic) ([]result, error) {
	var results []result
	broken := 0
	for _, t := range topics {
		r := result{topic: t}
		for _, c := range t.Cases {
			for _, q := range c.Questions {
				answer, err := a.ask(wire.Question{ID: q.ID, Robots: *c.Robots, Status: c.Status, Agent: q.Agent, URL: q.URL})
				if broken++; err == nil {
					broken = 0
				} else if answer.Error = err.Error(); broken == maxBroken {
					return nil, fmt.Errorf("%d questions in a row without an answer: %w", broken, err)
				}
				r.count(c.Status, q, answer)
			}
		}
		results = append(results, r)
	}
	if sum := total("", results); sum.passed+sum.failed+sum.open == 0 {
		return nil, errors.New("the adapter skipped all questions")
	}
	return results, nil
}

// count counts an answer.
func (r *result) count(status *int, q question, a wire.Answer) {
	ours := q.Verdict
	if q.Verdict == "either" {
		ours = q.Ours
	}
	switch {
	case a.Skip != "":
		r.skipped++
		return
	case q.Verdict == "either":
		r.open++
		if a.Verdict == ours {
			r.agreed++
		}
	case a.Error == "" && a.Verdict == ours:
		r.passed++
	default:
		got := a.Verdict
		if a.Error != "" {
			got = fmt.Sprintf("error %q", a.Error)
		}
		r.failed++
		r.failures = append(r.failures, failure{q, status, got})
	}
	if a.Line != nil && a.Verdict == ours {
		r.lines++
		if *a.Line == q.Line {
			r.rightLines++
		}
	}
}

// total returns the sum of the results at a level, or of all for "".
func total(level string, results []result) result {
	var sum result
	for _, r := range results {
		if level == "" || r.topic.Level == level {
			sum.passed += r.passed
			sum.failed += r.failed
			sum.skipped += r.skipped
			sum.agreed += r.agreed
			sum.open += r.open
			sum.rightLines += r.rightLines
			sum.lines += r.lines
		}
	}
	return sum
}

// printFailures prints the failures of each topic below its source.
func printFailures(w io.Writer, results []result) {
	for _, r := range results {
		if r.failed == 0 {
			continue
		}
		fmt.Fprintf(w, "%s: %s\n%s\n", r.topic.Topic, r.topic.Source, r.topic.Shows)
		for _, f := range r.failures {
			fmt.Fprintf(w, "  %v\n", f)
		}
		fmt.Fprintln(w)
	}
}

func (f failure) String() string {
	status, by := "", "no rule"
	if f.status != nil {
		status = fmt.Sprintf("status %d, ", *f.status)
	}
	if f.question.Line > 0 {
		by = fmt.Sprintf("line %d", f.question.Line)
	}
	q := f.question
	return fmt.Sprintf("%s: %sagent %q, URL %q: got %s, want %s (%s)", q.ID, status, q.Agent, q.URL, f.got, q.Verdict, by)
}

// printTable prints the results by level and topic.
func printTable(w io.Writer, results []result, brief bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "level\ttopic\tpassed\tfailed\tskipped\topen, as ours\tline as ours")
	for _, l := range levels {
		topics := 0
		for _, r := range results {
			if r.topic.Level != l.level {
				continue
			}
			if topics++; !brief {
				printRow(t, l.level, r.topic.Topic, r)
			}
		}
		if topics > 0 {
			printRow(t, l.level, fmt.Sprintf("all %d topics", topics), total(l.level, results))
		}
	}
	t.Flush()
}

func printRow(w io.Writer, level, name string, r result) {
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\t%s\n", level, name, r.passed, r.failed, r.skipped, share(r.agreed, r.open), share(r.rightLines, r.lines))
}

// share returns "n of all", or "-" if there are none.
func share(n, all int) string {
	if all == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", n, all)
}
