// Package engine answers the questions of the page in JSON. It decides everything
// that the page shows about robots.txt files; the page itself only asks and draws.
//
// A request is an object with the name of an operation, "op", and the members that the
// operation needs. These are the operations, with the members of the request and of the
// answer:
//
//	list     text                           urls
//	decide   text, before?, urls, agents    decisions, columns, beforeDecisions
//	review   text, url                      findings, counts, ai, notes
//	compare  text, before                   changes
//	crawlers text                           named, crawlers
//
// The types of this package describe the members. An answer to a request that
// cannot be understood has the single member "error".
//
// Lines are counted from 1, as robotstxt.Lines counts them. Columns are in UTF-16 code
// units, as in JavaScript, and counted from 1, too.
package engine

import (
	"encoding/json"
	"fmt"

	"github.com/robotstxt-go/robotstxt"
)

// A Request is a question from the page.
type Request struct {
	Op     string   `json:"op"`
	Text   string   `json:"text"`   // the robots.txt file or, for list, what was pasted
	Access Access   `json:"access"` // why there is no file, if there is none
	Before *string  `json:"before"` // the old version of the file, if there is one
	URLs   []string `json:"urls"`   // any strings, see robotstxt.File.Decide
	Agents []string `json:"agents"` // product tokens or whole User-Agent headers
	URL    string   `json:"url"`    // the page that the review asks about AI for
}

// Access is what crawlers may fetch from a site whose robots.txt file was not fetched.
type Access string

// The kinds of access.
const (
	HasFile     Access = ""            // there is a file: the text
	Unavailable Access = "unavailable" // there is none, so everything is allowed
	Unreachable Access = "unreachable" // the site failed, so everything is disallowed
	Unknown     Access = "unknown"     // nobody knows; the page asks for no verdicts
)

// Answer answers a request in JSON. Its text may be left out there and given separately,
// which saves the time of quoting it. Whatever the request and the robots.txt file in
// it, Answer fails only by returning an object with the member "error". It may be called
// from several goroutines at once.
func Answer(request []byte, text string) []byte {
	req := Request{Text: text}
	if err := json.Unmarshal(request, &req); err != nil {
		return failure(fmt.Errorf("the request is not what the engine expects: %w", err))
	}
	result, err := answer(req)
	if err != nil {
		return failure(err)
	}
	data, err := json.Marshal(result)
	if err != nil {
		return failure(err)
	}
	return data
}

func answer(req Request) (any, error) {
	switch req.Op {
	case "list":
		return listAnswer{listURLs(req.Text)}, nil
	case "decide":
		return decide(req), nil
	case "review":
		return review(req), nil
	case "compare":
		return compare(req), nil
	case "crawlers":
		return crawlersAnswer{namedTokens(req.file()), crawlers()}, nil
	}
	return nil, fmt.Errorf("there is no operation %q", req.Op)
}

func failure(err error) []byte {
	data, _ := json.Marshal(map[string]string{"error": err.Error()}) // strings always have JSON
	return data
}

// file returns the file or, if there is none, one that decides as its absence does.
func (req Request) file() *robotstxt.File {
	switch req.Access {
	case Unavailable:
		return robotstxt.Unavailable()
	case Unreachable:
		return robotstxt.Unreachable()
	}
	return robotstxt.Parse([]byte(req.Text))
}

// parseBefore parses the old version of a file; without one it is empty.
func parseBefore(before *string) *robotstxt.File {
	if before == nil {
		return robotstxt.Parse(nil)
	}
	return robotstxt.Parse([]byte(*before))
}
