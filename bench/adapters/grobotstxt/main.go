// Command grobotstxt lets the conformance tests ask github.com/jimsmart/grobotstxt, a
// Go port of Google's C++ parser.
package main

import (
	"log"
	"os"

	"github.com/jimsmart/grobotstxt"
	"github.com/robotstxt-go/robotstxt/internal/wire"
)

func main() {
	if err := wire.Serve(os.Stdin, os.Stdout, answer); err != nil {
		log.Fatal(err)
	}
}

// answer returns the library's answer to a question. It skips questions with a status other
// than 200, because the library has no parameter for the status.
func answer(q wire.Question) wire.Answer {
	if q.StatusOr200() != 200 {
		return wire.Answer{Skip: "takes no status"}
	}
	m := grobotstxt.NewRobotsMatcher()
	allowed := m.AgentAllowed(string(q.Robots), string(q.Agent), string(q.URL))
	return wire.Answer{Verdict: wire.Verdict(allowed)}
}
