package engine

import (
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/rules"
)

// A compareAnswer describes how the verdicts change from the old version of a file to the new
// one. The comparison covers all URLs and all crawlers, not only those that the user entered.
type compareAnswer struct {
	Changes []answers.Change `json:"changes"`
}

func compare(req Request) compareAnswer {
	return compareAnswer{answers.Changes(verdict.Diff(parseBefore(req.Before), req.file(), rules.Options{}))}
}
