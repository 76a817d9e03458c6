// Package engine answers the questions that the page of package web asks, in JSON. It
// decides everything that the page shows about robots.txt files. The page itself only asks
// and draws.
//
// A request is an object with the name of an operation, "op", and the members that the
// operation needs. These are the operations, with the members of the request and of the
// answer; "?" marks an optional member:
//
//	list     text                           urls
//	decide   text, before?, urls, agents    decisions, columns, beforeDecisions
//	review   text, url                      findings, counts, ai, notes
//	compare  text, before                   changes
//	crawlers text                           named, crawlers
//
// The types of this package describe the members. All operations except list also take the
// member access. An answer to a request that cannot be understood has the single member
// "error".
//
// Lines are counted from 1, as robotstxt.Lines counts them. Columns are in UTF-16 code
// units, as in JavaScript, and are also counted from 1.
package engine

import (
	"encoding/json"
	"fmt"

	"github.com/robotstxt-go/robotstxt"
)

// A Request is a question from the page.
type Request struct {
	Op     string   `json:"op"`
	Text   string   `json:"text"`   // the robots.txt file or, for the operation "list", the pasted text
	Access Access   `json:"access"` // whether there is a file and, if not, why
	Before *string  `json:"before"` // the old version of the file, if there is one
	URLs   []string `json:"urls"`   // may be any strings, because robotstxt.File.Decide accepts any string
	Agents []string `json:"agents"` // product tokens or whole User-Agent headers
	URL    string   `json:"url"`    // only for the operation "review": the page that the table about AI is for
}

// Access says whether there is a robots.txt file and, if not, what crawlers may fetch.
type Access string

// The values of Access.
const (
	HasFile     Access = ""            // Request.Text is the file
	Unavailable Access = "unavailable" // the site has no file, so everything is allowed
	Unreachable Access = "unreachable" // the site failed, so everything is disallowed
	Unknown     Access = "unknown"     // the file is not known, so the page asks for no verdicts
)

// Answer returns the answer to a request, both in JSON. Instead of the member "text", a caller
// can pass the argument text, which saves the time of quoting it. If the request cannot be
// answered, the answer has only the member "error". Answer never panics, and is safe for
// concurrent use.
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
	data, _ := json.Marshal(map[string]string{"error": err.Error()}) // marshaling strings cannot fail
	return data
}

// file returns the robots.txt file of the request. If there is none, it returns one that
// allows or disallows everything, as Access says.
func (req Request) file() *robotstxt.File {
	switch req.Access {
	case Unavailable:
		return robotstxt.Unavailable()
	case Unreachable:
		return robotstxt.Unreachable()
	}
	return robotstxt.Parse([]byte(req.Text))
}

// parseBefore parses the old version of a file, or an empty file if before is nil.
func parseBefore(before *string) *robotstxt.File {
	if before == nil {
		return robotstxt.Parse(nil)
	}
	return robotstxt.Parse([]byte(*before))
}
