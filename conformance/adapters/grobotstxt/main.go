// Command grobotstxt is the adapter of github.com/jimsmart/grobotstxt, a Go
// port of Google's C++ parser.
package main

import (
	"log"
	"os"

	"github.com/jimsmart/grobotstxt"
	"github.com/robotstxt-go/robotstxt/conformance/internal/wire"
)

func main() {
	if err := wire.Serve(os.Stdin, os.Stdout, answer); err != nil {
		log.Fatal(err)
	}
}

// answer answers a question. The library cannot take the status into account.
func answer(q wire.Question) wire.Answer {
	if q.StatusOr200() != 200 {
		return wire.Answer{Skip: "takes no status"}
	}
	m := grobotstxt.NewRobotsMatcher()
	allowed := m.AgentAllowed(string(q.Robots), string(q.Agent), string(q.URL))
	line := m.MatchingLine()
	return wire.Answer{Verdict: wire.Verdict(allowed), Line: &line}
}
