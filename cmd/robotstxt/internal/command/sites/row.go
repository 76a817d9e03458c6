package sites

import (
	"net/url"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/summary"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/lint"
)

// A row is what is known about a site. Unless it is known what crawlers get, a file or none, the fields for
// crawlers are nil, and there are no findings.
type row struct {
	Site       string      `json:"site"` // the URL without its path, as in https://www.example.com
	URL        string      `json:"url"`  // of the robots.txt
	State      reply.State `json:"state"`
	Status     int         `json:"status"`      // the HTTP status; 0 if there was no response
	RedirectTo string      `json:"redirect_to"` // the site that the robots.txt came from, if it is another one
	Note       string      `json:"note"`        // what else the user must know, such as the reason for a failure, or how others read a line that decides
	Bytes      int         `json:"bytes"`

	Googlebot *access  `json:"googlebot"`
	Bingbot   *access  `json:"bingbot"`
	AI        *aiCount `json:"ai"`

	Errors   int `json:"errors"` // the findings of lint, by their severity
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`

	Change  change           `json:"change"`  // compared with the file of the last run; empty without --out
	Changes []answers.Change `json:"changes"` // the verdicts that have changed
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

// A change compares a file with the file of the last run.
type change string

const (
	changeFirst    change = "first"    // there is nothing to compare with
	changeSame     change = "same"     // no verdict changes
	changeVerdicts change = "changed"  // some verdicts change
	changeAppeared change = "appeared" // there was no file
	changeVanished change = "vanished" // there is no file any more
	changeUnknown  change = "unknown"  // the file could not be read, so the old one is kept
)

func (r *row) isChange() bool {
	return r.Change == changeVerdicts || r.Change == changeAppeared || r.Change == changeVanished
}

// isUnknown reports whether it is not known what crawlers read.
func (r *row) isUnknown() bool { return r.State != reply.IsFile && r.State != reply.NoFile }

// newRow returns the row for a site, without the change.
func newRow(location string, found reply.Reply, err error) *row {
	r := &row{Site: siteOf(location), URL: location, Status: found.Status, Changes: []answers.Change{}}
	if found.View != nil {
		r.Bytes = found.View.Bytes
	}
	if found.FinalURL != "" && siteOf(found.FinalURL) != r.Site {
		r.RedirectTo = siteOf(found.FinalURL)
	}
	r.State, r.Note = found.State, found.Why
	switch {
	case err != nil:
		r.State, r.Note = reply.Dead, err.Error()
	case r.State == reply.NoFile:
		r.Note = ""
		r.judge(survey.Capture{URL: location, Status: found.Status})
	case r.State == reply.IsFile:
		r.judge(survey.Capture{URL: location, Body: found.Body})
		r.Note = strings.Join(found.File.Caveats(questions.Agents, "/"), "; ")
	}
	if r.AI != nil {
		r.AI.Summary = summary.AI(found.File, "/")
	}
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
func (r *row) judge(c survey.Capture) {
	c.Fetched = time.Now()
	record := questions.Answer(c)
	r.AI = new(aiCount)
	if r.State == reply.NoFile {
		everything := &access{true, "open"}
		r.Googlebot, r.Bingbot, r.AI.Open = everything, everything, len(aiCrawlers)
		return
	}
	r.Googlebot, r.Bingbot = accessOf(record.Agents[0]), accessOf(record.Agents[1])
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
	for _, f := range record.Findings {
		switch severities[f.Name] {
		case lint.Error:
			r.Errors += f.Count
		case lint.Warning:
			r.Warnings += f.Count
		default:
			r.Infos += f.Count
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
