package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt/internal/casefile"
	"github.com/robotstxt-go/robotstxt/internal/wire"
	"github.com/robotstxt-go/robotstxt/testdata"
)

// A topic contains the cases of one file in testdata. The command export writes each topic to
// a JSON file. README.md explains the keys.
type topic struct {
	Topic  string     `json:"topic"` // such as "rfc9309/2.1-groups"
	Level  string     `json:"level"`
	Shows  string     `json:"shows"`
	Source string     `json:"source"`
	Cases  []caseData `json:"cases"`
}

// caseData is a test case. Most cases consist of a robots.txt file and the expected results.
// Cases with Locations or Covers need no robots.txt file.
type caseData struct {
	ID          string         `json:"id"` // file and line in testdata, such as "rfc9309/2.1-groups.txt:5"
	Note        string         `json:"note,omitempty"`
	Robots      *wire.Octets   `json:"robots,omitempty"`
	Status      *int           `json:"status,omitempty"` // status of the response; omitted if it is 200
	Questions   []question     `json:"questions,omitempty"`
	Sitemaps    *[]wire.Octets `json:"sitemaps,omitempty"`
	CrawlDelays []crawlDelay   `json:"crawl_delays,omitempty"`
	Locations   []location     `json:"locations,omitempty"`
	Covers      []coverage     `json:"covers,omitempty"`
}

// A question asks whether a crawler may fetch a URL.
type question struct {
	ID      string      `json:"id"`
	Agent   wire.Octets `json:"agent"`
	URL     wire.Octets `json:"url"`
	Verdict string      `json:"verdict"`        // "allow", "disallow" or "either"
	Ours    string      `json:"ours,omitempty"` // the verdict of this library if Verdict is "either"
	Line    int         `json:"line,omitempty"` // line of the rule that decides; 0 if no rule does
}

type crawlDelay struct {
	Agent   wire.Octets `json:"agent"`
	Seconds *float64    `json:"seconds"` // null if there is no crawl-delay
}

type location struct {
	URL      wire.Octets `json:"url"`
	Location *string     `json:"location"` // null if the URL has no robots.txt
}

type coverage struct {
	RobotsURL wire.Octets `json:"robots_url"`
	URL       wire.Octets `json:"url"`
	Covers    bool        `json:"covers"`
}

// A level contains the topics whose answers come from the same source: RFC 9309, Google, or only
// this library. The files of these topics are in one folder of testdata.
type level struct{ folder, name string }

// levels lists all levels in the order of the output.
var levels = []level{{"rfc9309", "rfc"}, {"google", "google"}, {"ours", "ours"}}

// readTopics returns the topics in the folder dir or, if it is empty, those of this repository. It omits topics
// that concern only this module.
func readTopics(dir string) ([]topic, error) {
	var folders fs.FS = testdata.Cases
	if dir != "" {
		folders = os.DirFS(dir)
	}
	cases, err := casefile.ReadProtocol(folders, ".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cmp.Or(dir, "testdata"), err)
	}
	var topics []topic
	for _, c := range cases {
		name := c.Folder() + "/" + strings.TrimSuffix(path.Base(c.File), ".txt")
		data := convert(c)
		if len(data) == 0 {
			continue
		}
		if len(topics) == 0 || topics[len(topics)-1].Topic != name {
			topics = append(topics, topic{Topic: name, Level: levelOf(c.Folder()), Shows: c.Sentence, Source: c.Source})
		}
		t := &topics[len(topics)-1]
		t.Cases = append(t.Cases, data...)
	}
	return topics, nil
}

func levelOf(folder string) string {
	i := slices.IndexFunc(levels, func(l level) bool { return l.folder == folder })
	return levels[i].name
}

// convert converts a case to the format of the suite. Sections that concern only this module are
// left out. If no section remains, convert returns nil. If the case has a "status" section,
// each row of that section becomes a case of the suite.
func convert(c casefile.Case) []caseData {
	if s, ok := c.Section("status"); ok {
		return statusCases(c, s)
	}
	d := caseData{ID: placeOf(c, c.Line), Note: c.Note}
	if c.HasRobots {
		robots := wire.Octets(c.Robots)
		d.Robots = &robots
	}
	something := false
	for _, s := range c.Sections {
		something = d.add(c, s) || something
	}
	if !something {
		return nil
	}
	return []caseData{d}
}

// placeOf returns the folder, file and number of a line in testdata, such as "rfc9309/2.1-groups.txt:5".
func placeOf(c casefile.Case, line int) string {
	return fmt.Sprintf("%s/%s:%d", c.Folder(), path.Base(c.File), line)
}

// add adds the rows of a section to the case. It returns false if only the tests of this module
// use the section, because the suite leaves out such sections.
func (d *caseData) add(c casefile.Case, s casefile.Section) bool {
	switch s.Name {
	case "want":
		for _, row := range s.Rows {
			d.Questions = append(d.Questions, questionOf(c, row))
		}
	case "sitemaps":
		list := []wire.Octets{}
		for _, row := range s.Rows {
			list = append(list, wire.Octets(row.Fields[0]))
		}
		d.Sitemaps = &list
	case "crawl-delay":
		for _, row := range s.Rows {
			d.CrawlDelays = append(d.CrawlDelays, crawlDelayOf(row))
		}
	case "locations":
		for _, row := range s.Rows {
			d.Locations = append(d.Locations, locationOf(row))
		}
	case "covers":
		for _, row := range s.Rows {
			d.Covers = append(d.Covers, coverage{wire.Octets(row.Fields[1]), wire.Octets(row.Fields[2]), row.Fields[0] == "yes"})
		}
	default:
		return false
	}
	return true
}

func questionOf(c casefile.Case, row casefile.Row) question {
	line, _ := strconv.Atoi(row.Fields[3]) // Atoi returns 0 for "-"
	q := question{
		ID:      placeOf(c, row.Line),
		Agent:   wire.Octets(row.Fields[1]),
		URL:     wire.Octets(absolute(row.Fields[2])),
		Verdict: row.Fields[0],
		Line:    line,
	}
	if row.Either {
		q.Verdict, q.Ours = "either", row.Fields[0]
	}
	return q
}

func crawlDelayOf(row casefile.Row) crawlDelay {
	d := crawlDelay{Agent: wire.Octets(row.Fields[0])}
	if delay, err := time.ParseDuration(row.Fields[1]); err == nil {
		seconds := delay.Seconds()
		d.Seconds = &seconds
	}
	return d
}

func locationOf(row casefile.Row) location {
	l := location{URL: wire.Octets(row.Fields[0])}
	if row.Fields[1] != "error" {
		l.Location = &row.Fields[1]
	}
	return l
}

// statusRobots is the body of every response in a "status" section.
const statusRobots = "User-agent: *\nDisallow: /x\n"

// statusCases returns a case for each row of a "status" section. Each case asks about /x,
// which statusRobots disallows.
func statusCases(c casefile.Case, s casefile.Section) []caseData {
	var list []caseData
	for _, row := range s.Rows {
		robots := wire.Octets(statusRobots)
		d := caseData{ID: placeOf(c, row.Line), Note: c.Note, Robots: &robots}
		q := question{ID: d.ID, Agent: "foobot", URL: wire.Octets(absolute("/x")), Verdict: row.Fields[1]}
		if row.Fields[2] == "RuleMatched" {
			q.Line = 2
		}
		if row.Either {
			q.Verdict, q.Ours = "either", row.Fields[1]
		}
		if status, _ := strconv.Atoi(row.Fields[0]); status != 200 {
			d.Status = &status
		}
		d.Questions = []question{q}
		list = append(list, d)
	}
	return list
}

// absolute turns a path into an absolute URL, because other implementations expect absolute URLs.
// It returns any other string unchanged.
func absolute(url string) string {
	if strings.HasPrefix(url, "/") && !strings.HasPrefix(url, "//") {
		return "https://www.example.com" + url
	}
	return url
}

// choose returns the topics of the named levels that have questions.
func choose(topics []topic, names []string) ([]topic, error) {
	for _, name := range names {
		if !slices.ContainsFunc(levels, func(l level) bool { return l.name == name }) {
			return nil, fmt.Errorf("unknown level %q: the levels are rfc, google and ours", name)
		}
	}
	var chosen []topic
	for _, t := range topics {
		hasQuestions := slices.ContainsFunc(t.Cases, func(c caseData) bool { return len(c.Questions) > 0 })
		if slices.Contains(names, t.Level) && hasQuestions {
			chosen = append(chosen, t)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no questions are left: levels %q", names)
	}
	return chosen, nil
}
