// Package robotsbeam surveys the robots.txt files of a crawl with Apache Beam, on a cluster.
//
//	paths := beam.Create(s, "gs://crawl/robotstxt/*.warc.gz")
//	captures, shards := robotsbeam.ReadRobots(s, paths)
//	records := robotsbeam.Survey(s, survey.Questions{Agents: []string{"GPTBot"}}, captures)
//	summary := robotsbeam.Summarize(s, records, shards)
//
// Package survey and the command robotstxt scan produce the same records and the same
// summary.
package robotsbeam

import (
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/robotstxt-go/robotstxt/survey"
)

// Functions such as register.DoFn1x1 would let Beam call the DoFns without reflection. Here,
// that saves no measurable time, but adds 48 MB to a program.
func init() {
	beam.RegisterDoFn(reflect.TypeFor[surveyFn]())
	register.Combiner3[survey.Summary, survey.Record, survey.Summary](&addRecords{})
	register.Function2x1(merge)
	register.Function1x1(summaryOf)
}

// Survey answers the questions about each capture. The type of captures is
// PCollection<survey.Capture>; the type of the result is PCollection<survey.Record>.
func Survey(s beam.Scope, questions survey.Questions, captures beam.PCollection) beam.PCollection {
	return beam.ParDo(s.Scope("robotsbeam.Survey"), &surveyFn{questions}, captures)
}

type surveyFn struct {
	Questions survey.Questions
}

// ProcessElement returns the record of a capture.
func (f *surveyFn) ProcessElement(c survey.Capture) survey.Record { return f.Questions.Answer(c) }

// Summarize adds up the records from [Survey] and the shards from [ReadRobots]. It returns a
// PCollection<survey.Summary> with one element. All records must answer the same questions.
func Summarize(s beam.Scope, records, shards beam.PCollection) beam.PCollection {
	s = s.Scope("robotsbeam.Summarize")
	return beam.Combine(s, merge, beam.Flatten(s,
		beam.Combine(s, &addRecords{}, records), beam.ParDo(s, summaryOf, shards)))
}

// merge returns the sum of two summaries.
func merge(x, y survey.Summary) survey.Summary {
	var sum survey.Summary
	sum.Merge(&x)
	sum.Merge(&y)
	return sum
}

// addRecords is a combiner that adds records to a summary.
type addRecords struct{}

func (*addRecords) CreateAccumulator() survey.Summary { return survey.Summary{} }

func (*addRecords) AddInput(sum survey.Summary, r survey.Record) survey.Summary {
	sum.Add(&r)
	return sum
}

func (*addRecords) MergeAccumulators(x, y survey.Summary) survey.Summary { return merge(x, y) }

func (*addRecords) ExtractOutput(sum survey.Summary) survey.Summary { return sum }

// summaryOf returns a summary of the skipped records and the damage in a shard.
func summaryOf(s Shard) survey.Summary {
	sum := survey.Summary{Skipped: s.Skipped, Damaged: s.Damaged}
	if s.CutAt != nil {
		sum.CutAt = map[string]int64{s.Path: *s.CutAt}
	}
	return sum
}
