// Command temoto lets the conformance tests ask github.com/temoto/robotstxt.
package main

import (
	"log"
	"net/url"
	"os"

	"github.com/robotstxt-go/robotstxt/internal/wire"
	"github.com/temoto/robotstxt"
)

func main() {
	if err := wire.Serve(os.Stdin, os.Stdout, answer); err != nil {
		log.Fatal(err)
	}
}

// answer returns the library's answer to a question. The library takes the path and query of a
// URL, not the whole URL.
func answer(q wire.Question) wire.Answer {
	u, err := url.Parse(string(q.URL))
	if err != nil {
		return wire.Answer{Error: err.Error()}
	}
	data, err := robotstxt.FromStatusAndBytes(q.StatusOr200(), []byte(q.Robots))
	if err != nil {
		return wire.Answer{Error: err.Error()}
	}
	return wire.Answer{Verdict: wire.Verdict(data.TestAgent(u.RequestURI(), string(q.Agent)))}
}
