package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/robotstxt-go/robotstxt/internal/wire"
)

// A result sums up the answers to the questions of a topic.
type result struct {
	topic    topic
	failures []failure

	passed, failed, skipped int

	open   int // answers to open questions, for which both verdicts are right
	agreed int // answers counted in open whose verdict is also the verdict of this library
}

// A failure is a question with a wrong answer.
type failure struct {
	question question
	status   *int // status of the response; nil means 200
	got      string
}

// ask asks the adapter all questions of the topics, and returns a result for each topic.
func ask(a *adapter, topics []topic) ([]result, error) {
	var results []result
	for _, t := range topics {
		r := result{topic: t}
		for _, c := range t.Cases {
			for _, q := range c.Questions {
				answer, err := a.ask(wireQuestion(c, q))
				if err != nil {
					return nil, fmt.Errorf("%s: %w", q.ID, err)
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

func wireQuestion(c caseData, q question) wire.Question {
	return wire.Question{ID: q.ID, Robots: *c.Robots, Status: c.Status, Agent: q.Agent, URL: q.URL}
}

func (r *result) fail(status *int, q question, got string) {
	r.failed++
	r.failures = append(r.failures, failure{q, status, got})
}

// count adds an answer to the result. Both verdicts are right for an open question, so the answer to
// such a question never fails. Instead, count checks whether the answer agrees with this library.
func (r *result) count(status *int, q question, a wire.Answer) {
	ours := q.Verdict
	if q.Verdict == "either" {
		ours = q.Ours
	}
	agrees := a.Error == "" && a.Verdict == ours
	switch {
	case a.Skip != "":
		r.skipped++
	case q.Verdict == "either":
		r.open++
		if agrees {
			r.agreed++
		}
	case agrees:
		r.passed++
	case a.Error != "":
		r.fail(status, q, fmt.Sprintf("error %q", a.Error))
	default:
		r.fail(status, q, a.Verdict)
	}
}

// total returns the sum of the results at a level, or at all levels if level is "".
func total(level string, results []result) result {
	var sum result
	for _, r := range results {
		if level == "" || r.topic.Level == level {
			sum.passed += r.passed
			sum.failed += r.failed
			sum.skipped += r.skipped
			sum.agreed += r.agreed
			sum.open += r.open
		}
	}
	return sum
}

// printFailures prints the failures by topic. Each topic starts with its source and a sentence
// about what it shows.
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

// countTopics returns how many topics of a level have no wrong answer, and how many topics the
// level has. A topic without any right or wrong answer does not count: all its questions were
// skipped, or are open.
func countTopics(level string, results []result) (passed, all int) {
	for _, r := range results {
		if r.topic.Level == level && r.passed+r.failed > 0 {
			all++
			if r.failed == 0 {
				passed++
			}
		}
	}
	return passed, all
}

// printTable prints a table of the results by level and, unless brief is true, by topic.
func printTable(w io.Writer, results []result, brief bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "level\ttopic\tpassed\tfailed\tskipped\topen like robotstxt")
	for _, l := range levels {
		for _, r := range results {
			if r.topic.Level == l.name && !brief {
				printRow(t, l.name, r.topic.Topic, r)
			}
		}
		if passed, all := countTopics(l.name, results); all > 0 {
			printRow(t, l.name, fmt.Sprintf("%d of %d topics passed", passed, all), total(l.name, results))
		}
	}
	t.Flush()
}

func printRow(w io.Writer, level, name string, r result) {
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\n", level, name, r.passed, r.failed, r.skipped, share(r.agreed, r.open))
}

// share returns a phrase such as "3 of 4", or "-" if the second number is 0.
func share(n, all int) string {
	if all == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", n, all)
}
