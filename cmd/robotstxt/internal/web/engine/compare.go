package engine

import (
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/rules"
)

// A compareAnswer describes how the verdicts change from the old version of a file to the new
// one. The comparison covers all URLs and all crawlers, not only those that the user entered.
type compareAnswer struct {
	Changes []answers.Change `json:"changes"`
}

func compare(req Request) compareAnswer {
	return compareAnswer{answers.Changes(rules.Diff(parseBefore(req.Before).File, req.file().File, rules.Options{Follows: known.Follows()}))}
}
