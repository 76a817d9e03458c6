package main

import (
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/wire"
)

// answer returns this library's answer to a question.
func answer(q wire.Question) wire.Answer {
	d := robotstxt.FromStatus(q.StatusOr200(), []byte(q.Robots)).Decide(string(q.Agent), string(q.URL))
	return wire.Answer{Verdict: wire.Verdict(d.Allowed)}
}
