// Package engine answers questions about robots.txt files for the page of package web. The page
// itself knows nothing about such files.
//
// Requests and answers are JSON objects. The member "op" of a request is the name of an
// operation. This table lists the operations, the other members of their requests, and the
// members of their answers. A "?" marks an optional member.
//
//	list      text, site                     urls, notes
//	witnesses text                           urls, notes
//	decide    text, before?, urls, agents    agents, decisions, columns, beforeDecisions, notes, moreNamed
//	review    text, url                      findings, counts, summary, ai
//	compare   text, before                   changes
//	choose    text, choices, preferences     text, proof
//	crawlers  text                           named, crawlers
//
// The types of this package describe the members. All operations except list also take the
// member access. If a request cannot be answered, the only member of the answer is "error".
//
// Lines and columns are counted from 1. Lines have the numbers that robotstxt.Lines gives them.
// Columns are in UTF-16 code units, as in JavaScript.
package engine

import (
	"encoding/json"
	"fmt"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
)

// A Request is a question from the page.
type Request struct {
	Op          string   `json:"op"`
	Text        string   `json:"text"` // the robots.txt file or, for the operation "list", the pasted text
	Access      Access   `json:"access"`
	Before      *string  `json:"before"`      // the old version of the file, if there is one
	URLs        []string `json:"urls"`        // need not be valid, because robotstxt.File.Decide accepts any string
	Agents      []string `json:"agents"`      // product tokens, whole User-Agent headers, or sets such as @ai; if there are none, the file decides (see defaultAgents)
	Choices     string   `json:"choices"`     // only for the operation "choose": choices such as training=no,search=yes
	Preferences bool     `json:"preferences"` // only for the operation "choose": whether to state the choices as preferences, too
	Site        string   `json:"site"`        // only for the operation "list": the URL of the robots.txt file; may be empty, or the name of a file
	URL         string   `json:"url"`         // only for the operation "review": the answer says what each AI crawler may do with this URL
}

// Access says whether there is a robots.txt file and, if not, why not.
type Access string

// The values of Access.
const (
	HasFile     Access = ""            // there is a file; Request.Text contains it
	Unavailable Access = "unavailable" // the site has no file, so everything is allowed
	Unreachable Access = "unreachable" // the site failed, so everything is disallowed
	Unknown     Access = "unknown"     // the file is not known, so the page asks for no verdicts
)

// Answer returns the answer to a request. The request and the answer are JSON. If the request
// has no member "text", Answer uses the parameter text instead, so that the caller need not spend
// time on quoting a large text. If the request cannot be answered, the only member of the answer
// is "error". Answer never panics, and is safe for concurrent use.
func Answer(request []byte, text string) []byte {
	req := Request{Text: text}
	if err := json.Unmarshal(request, &req); err != nil {
		return failure(fmt.Errorf("the engine does not understand the request: %w", err))
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
		return list(req), nil
	case "witnesses":
		return witnesses(req.file().File), nil
	case "decide":
		return decide(req), nil
	case "review":
		return review(req), nil
	case "compare":
		return compare(req), nil
	case "choose":
		return choose(req)
	case "crawlers":
		return crawlersAnswer{namedTokens(req.file().File), suggestedCrawlers()}, nil
	}
	return nil, fmt.Errorf("there is no operation %q", req.Op)
}

func failure(err error) []byte {
	data, _ := json.Marshal(map[string]string{"error": err.Error()}) // marshaling strings cannot fail
	return data
}

// file returns the file that req.Text contains. But if there is no file because the site is
// Unavailable, file returns a file that allows everything. If the site is Unreachable, it
// returns a file that disallows everything.
func (req Request) file() verdict.File {
	switch req.Access {
	case Unavailable:
		return verdict.File{File: robotstxt.Unavailable()}
	case Unreachable:
		return verdict.File{File: robotstxt.Unreachable()}
	}
	return verdict.Parse([]byte(req.Text))
}

// parseBefore parses the old version of a file. If before is nil, it returns an empty file.
func parseBefore(before *string) verdict.File {
	if before == nil {
		return verdict.Parse(nil)
	}
	return verdict.Parse([]byte(*before))
}
