package sites

import (
	"net/url"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/records"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/summary"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/lint"
)

// A row is what is known about a site. Unless it is known what crawlers read, the fields for crawlers are nil.
// There are findings only of a file.
type row struct {
	Site       string      `json:"site"` // the URL without its path, as in https://www.example.com
	URL        string      `json:"url"`  // of the robots.txt
	State      reply.State `json:"state"`
	Status     int         `json:"status"`      // the HTTP status; 0 if there was no response
	RedirectTo string      `json:"redirect_to"` // the site that the robots.txt came from, if it is another one
	Note       string      `json:"note"`        // what else the user must know, such as the reason for a failure, or how others read a line that decides
	Bytes      int         `json:"bytes"`
	TooLong    bool        `json:"too_long"` // see reply.View

	Googlebot *access  `json:"googlebot"`
	Bingbot   *access  `json:"bingbot"`
	AI        *aiCount `json:"ai"`

	Errors   int       `json:"errors"` // the findings of lint, by their severity
	Warnings int       `json:"warnings"`
	Infos    int       `json:"infos"`
	Findings []finding `json:"findings"` // the worst first

	Change  change           `json:"change"`  // compared with the last run; empty without --out
	Before  reply.State      `json:"before"`  // the state at the last run; empty if there was none
	Changes []answers.Change `json:"changes"` // the verdicts that have changed
	Records []records.Change `json:"records"` // other lines that have changed
}

// A finding counts the findings of lint with a code.
type finding struct {
	Code  string `json:"code"`
	Count int    `json:"count"`
}

// An access says how much a crawler may fetch.
type access struct {
	Home bool   `json:"home"` // the home page
	Site extent `json:"site"` // all URLs
}

// An extent says how much of a site a crawler may fetch: "open" for everything, "part", "closed" for
// nothing, or "" if the rules are too complex.
type extent string

// An aiCount counts AI crawlers by what they may fetch.
type aiCount struct {
	Open    int    `json:"open"`
	Part    int    `json:"part"`
	Closed  int    `json:"closed"`
	Summary string `json:"summary"` // a sentence about the home page
}

// A change says whether anything has changed since the last run.
type change string

const (
	changeFirst change = "first"   // there is nothing to compare with
	changeNone  change = "same"    // also if the site could not be read at the last run
	changeSome  change = "changed" // the state, a verdict, or another line that crawlers read
)

func (r *row) isChange() bool { return r.Change == changeSome }

// isNewFailure reports whether the site could not be read, and it was not known that it cannot.
func (r *row) isNewFailure() bool { return !r.isRead() && r.Change != changeNone }

// isRead reports whether the site has a robots.txt that was read, or none.
func (r *row) isRead() bool { return r.State == reply.IsFile || r.State == reply.NoFile }

// newRow returns the row for a site, without the change.
func newRow(location string, found reply.Reply) *row {
	r := &row{Site: siteOf(location), URL: location, State: found.State, Status: found.Status, Note: found.Why,
		Findings: []finding{}, Changes: []answers.Change{}, Records: []records.Change{}}
	if found.View != nil {
		r.Bytes, r.TooLong = found.View.Bytes, found.View.TooLong
	}
	if found.FinalURL != "" && siteOf(found.FinalURL) != r.Site {
		r.RedirectTo = siteOf(found.FinalURL)
	}
	switch {
	case found.IsUnknown():
		return r
	case r.State == reply.IsFile:
		r.judge(found.Body)
		r.Note = strings.Join(found.File.Caveats(questions.Agents, "/"), "; ")
	default: // crawlers read no rules
		everything := &access{true, "open"}
		r.Googlebot, r.Bingbot, r.AI = everything, everything, &aiCount{Open: len(aiCrawlers)}
	}
	if r.State == reply.NoFile {
		r.Note = "" // the state says it
	}
	r.AI.Summary = summary.AI(found.File, "/")
	return r
}

// siteOf returns a URL without its path.
func siteOf(location string) string {
	u, err := url.Parse(location)
	if err != nil {
		return location
	}
	return u.Scheme + "://" + u.Host
}

// judge sets what crawlers may fetch, and counts findings.
func (r *row) judge(body []byte) {
	record := questions.Answer(survey.Capture{URL: r.URL, Body: body, Fetched: time.Now()})
	r.Googlebot, r.Bingbot, r.AI = accessOf(record.Agents[0]), accessOf(record.Agents[1]), new(aiCount)
	for _, a := range record.Agents[2:] {
		switch accessOf(a).Site {
		case "open":
			r.AI.Open++
		case "closed":
			r.AI.Closed++
		default:
			r.AI.Part++
		}
	}
	counts := map[lint.Severity]*int{lint.Error: &r.Errors, lint.Warning: &r.Warnings, lint.Info: &r.Infos}
	for _, severity := range answers.Severities() {
		for _, f := range record.Findings {
			if severities[f.Name] == severity {
				*counts[severity] += f.Count
				r.Findings = append(r.Findings, finding{f.Name, f.Count})
			}
		}
	}
}

func accessOf(a survey.AgentRecord) *access {
	extents := map[string]extent{"all": "open", "some": "part", "none": "closed"}
	return &access{a.Allowed, extents[a.Coverage]}
}

// aiCrawlers are the AI crawlers of the table.
var aiCrawlers = func() (tokens []string) {
	ai, _ := crawlers.Set("@ai")
	for _, c := range ai {
		tokens = append(tokens, c.Token)
	}
	return tokens
}()

// questions are about Googlebot, Bingbot and the AI crawlers, in this order.
var questions = survey.Questions{Agents: append([]string{"Googlebot", "bingbot"}, aiCrawlers...)}

// severities has the severity of each code of lint.
var severities = func() map[string]lint.Severity {
	m := map[string]lint.Severity{}
	for _, c := range lint.Codes() {
		m[c.Name] = c.Severity
	}
	return m
}()
