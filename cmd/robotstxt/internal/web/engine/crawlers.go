package engine

import (
	"strings"

	"github.com/robotstxt-go/robotstxt"
	known "github.com/robotstxt-go/robotstxt/internal/crawlers"
)

type crawlersAnswer struct {
	Named    []string  `json:"named"` // the tokens in user-agent lines of the file
	Crawlers []crawler `json:"crawlers"`
}

// A crawler is a well-known crawler that the page suggests.
type crawler struct {
	Token string `json:"token"`
	About string `json:"about"` // the operator and the purposes
	AI    bool   `json:"ai"`    // true for AI crawlers, except retired crawlers
}

// namedTokens returns the tokens of a file's groups, in the order of the groups.
func namedTokens(file *robotstxt.File) []string {
	tokens := []string{}
	for _, group := range file.Groups() {
		tokens = append(tokens, group.Tokens()...)
	}
	return tokens
}

// crawlers returns well-known crawlers: first the crawlers of search engines, then the AI
// crawlers, then all others.
func crawlers() []crawler {
	var lists [3][]crawler
	for _, c := range known.All() {
		i := 2
		switch {
		case c.AI:
			i = 1
		case len(c.Purposes) > 0 && c.Purposes[0] == known.Search:
			i = 0
		}
		lists[i] = append(lists[i], crawler{c.Token, c.Operator + ", " + purposeOf(c.Purposes, c.Status), c.AI && c.Status != known.Retired})
	}
	return append(append(lists[0], lists[1]...), lists[2]...)
}

// purposeOf joins a crawler's purposes and status, as in "search index, retired". It leaves out
// the status "documented".
func purposeOf[P, S ~string](purposes []P, status S) string {
	var words []string
	for _, purpose := range purposes {
		words = append(words, string(purpose))
	}
	if string(status) != string(known.Documented) {
		words = append(words, string(status))
	}
	return strings.Join(words, ", ")
}
