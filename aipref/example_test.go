package aipref_test

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
)

func ExampleFor() {
	file := robotstxt.Parse([]byte(`
License: https://example.com/license.xml

User-agent: *
Disallow: /private/
Content-Usage: train-ai=n
Content-Usage: /press/ train-ai=y
Content-Signal: search=yes, ai-input=no
`))
	fmt.Println(aipref.For(file, "FooBot", "https://example.com/blog/"))
	fmt.Println()
	press := aipref.For(file, "FooBot", "https://example.com/press/")
	if press.Access.Allowed && press.Training.Value == aipref.Allow {
		fmt.Println("the press pages may train models:", press.Training)
	}
	// Output:
	// Allowed: no rule of the "*" group matches.
	// Training: disallowed by line 6 (Content-Usage).
	// Search: allowed by line 8 (Content-Signal).
	// AI input: disallowed by line 8 (Content-Signal).
	// License: "https://example.com/license.xml" (line 2).
	//
	// the press pages may train models: allowed by line 7 (Content-Usage)
}

func ExampleParseHeader() {
	file := robotstxt.Parse([]byte("User-agent: *\nContent-Usage: train-ai=y, ai-use=n\n"))
	header := []string{"train-ai=n"} // response.Header.Values("Content-Usage")
	answer := aipref.For(file, "FooBot", "https://example.com/")
	fmt.Println(answer.Combine(aipref.ParseHeader(header)))
	// Output:
	// Training: disallowed by the Content-Usage header.
	// Search: nothing is said.
	// AI input: disallowed by line 2 (Content-Usage).
}

func ExamplePreferences_InSearch() {
	file := robotstxt.Parse([]byte("User-agent: *\nContent-Usage: train-ai=n, search=y\n"))
	answer := aipref.For(file, "FooBot", "https://example.com/")
	fmt.Println("training a chat model:", answer.Training)
	fmt.Println("training a model that ranks search results:", answer.InSearch().Training)
	// Output:
	// training a chat model: disallowed by line 2 (Content-Usage)
	// training a model that ranks search results: allowed by line 2 (Content-Usage)
}

func ExampleAgents() {
	for _, agent := range aipref.Agents() {
		if agent.Operator == "Anthropic" {
			fmt.Println(agent, agent.Purposes)
		}
	}
	// Output:
	// ClaudeBot [training]
	// Claude-SearchBot [search index]
	// Claude-User [user-triggered fetch]
	// anthropic-ai (retired) []
	// Claude-Web (retired) []
}

func ExampleParseSignalHeader() {
	header := []string{"search=yes, ai-train=no"} // response.Header.Values("Content-Signal")
	fmt.Println(aipref.ParseSignalHeader(header))
	// Output:
	// Training: disallowed by the Content-Signal header.
	// Search: allowed by the Content-Signal header.
	// AI input: nothing is said.
}
