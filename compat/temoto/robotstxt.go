// Package robotstxt replaces github.com/temoto/robotstxt v1.1.2: it has the same API, but
// decides as RFC 9309 requires. To use it, change the import path, or add a replace line to
// go.mod, which also affects dependencies. New code should use
// github.com/robotstxt-go/robotstxt, which can do more and is easier to learn.
//
// All differences are intended; the page
// https://github.com/robotstxt-go/robotstxt/blob/main/docs/deviations.md lists them. Two can
// break a build or a comparison of results: there is no variable WhitespaceChars, and the
// field Group.Agent, which is always empty in v1.1.2, has the token of the group.
package robotstxt

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	engine "github.com/robotstxt-go/robotstxt"
)

// RobotsData is a parsed robots.txt file. It is safe for concurrent use. The zero
// RobotsData allows everything.
type RobotsData struct {
	Host     string   // the value of the last Host line
	Sitemaps []string // the values of the sitemap lines, in file order

	file *engine.File
}

// FromBytes parses a robots.txt file. The error is always nil.
func FromBytes(body []byte) (r *RobotsData, err error) {
	r = newRobotsData(engine.Parse(body))
	for line := range engine.Lines(body) {
		record := engine.Record{Key: line.Key, Value: line.Value}
		if line.Kind == engine.OtherKind && record.Is("Host") {
			r.Host = record.Value
		}
	}
	return r, nil
}

// FromString is like FromBytes, but takes a string.
func FromString(body string) (r *RobotsData, err error) { return FromBytes([]byte(body)) }

// FromResponse reads and parses the response to a request for robots.txt, like
// FromStatusAndBytes. It does not close the body. It returns an error only if the status is
// 2xx and the body cannot be read to its end, because the missing part may contain rules.
func FromResponse(res *http.Response) (*RobotsData, error) {
	if !successful(res.StatusCode) {
		return FromStatusAndBytes(res.StatusCode, nil)
	}
	body, err := engine.ReadBody(res.Body)
	if err != nil {
		return nil, err
	}
	return FromStatusAndBytes(res.StatusCode, body)
}

// FromStatusAndBytes parses the body if the HTTP status is 2xx. Status 3xx or 4xx, except
// 429, means that the site has no robots.txt, so everything is allowed. Every other status
// means that the server failed, so everything is disallowed. The error is always nil.
func FromStatusAndBytes(statusCode int, body []byte) (*RobotsData, error) {
	if successful(statusCode) {
		return FromBytes(body)
	}
	return newRobotsData(engine.FromStatus(statusCode, nil)), nil
}

// FromStatusAndString is like FromStatusAndBytes, but takes a string.
func FromStatusAndString(statusCode int, body string) (*RobotsData, error) {
	return FromStatusAndBytes(statusCode, []byte(body))
}

func newRobotsData(file *engine.File) *RobotsData {
	return &RobotsData{Sitemaps: file.Sitemaps(), file: file}
}

func successful(statusCode int) bool { return 200 <= statusCode && statusCode < 300 }

// TestAgent reports whether an agent may fetch a path. FindGroup explains the
// possible agents, and Group.Test the possible paths.
func (r *RobotsData) TestAgent(path, agent string) bool { return r.FindGroup(agent).Test(path) }

// FindGroup returns the group for an agent, which is a product token or a whole User-Agent
// header. The result is never nil. If no group applies to the agent, the result allows
// everything, unless the server failed.
func (r *RobotsData) FindGroup(agent string) *Group {
	file := r.file
	if file == nil {
		file = new(engine.File)
	}
	group := file.Group(agent)
	delay, _ := group.CrawlDelay()
	return &Group{Agent: group.Decide("/").Token, CrawlDelay: delay, group: *group}
}

// A Group holds the rules for one agent. The zero Group allows everything.
type Group struct {
	Agent      string        // the token of the group as written in the file; empty if there is no group
	CrawlDelay time.Duration // zero if the file has no crawl-delay for the agent

	group engine.Group
}

// Test reports whether the group's agent may fetch a path. The path should be escaped and
// include the query, as in the result of [net/url.URL.RequestURI]. A string that starts with a
// slash is a path, even "//x". In an absolute URL, only the path and the query count.
func (g *Group) Test(path string) bool {
	if strings.HasPrefix(path, "//") {
		path = "//host" + path
	}
	return g.group.Allowed(path)
}

// A ParseError is never returned. It exists so that code for v1.1.2 still compiles.
type ParseError struct {
	Errs []error
}

// Error returns the texts of all errors.
func (e ParseError) Error() string { return fmt.Sprint("parse errors: ", e.Errs) }
