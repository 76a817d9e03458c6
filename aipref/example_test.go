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
	blog := aipref.For(file, []string{"FooBot"}, "https://example.com/blog/")
	fmt.Println("the page:", blog.Access)
	fmt.Println("training:", blog.Training)
	fmt.Println("search:", blog.Search)
	fmt.Println("licenses:", blog.Licenses())
	press := aipref.For(file, []string{"FooBot"}, "https://example.com/press/")
	if press.Access.Allowed && press.Training.Value == aipref.Allow {
		fmt.Println("the press pages may train models:", press.Training)
	}
	// Output:
	// the page: Allowed: no rule of the "*" group matches.
	// training: disallowed by line 6 (Content-Usage)
	// search: allowed by line 8 (Content-Signal)
	// licenses: [{2 https://example.com/license.xml}]
	// the press pages may train models: allowed by line 7 (Content-Usage)
}

func ExampleParseUsageHeader() {
	file := robotstxt.Parse([]byte("User-agent: *\nContent-Usage: train-ai=y, ai-use=n\n"))
	header := []string{"train-ai=n"} // response.Header.Values("Content-Usage")
	answer := aipref.For(file, []string{"FooBot"}, "https://example.com/")
	both := answer.Combine(aipref.ParseUsageHeader(header))
	fmt.Println("training:", both.Training)
	fmt.Println("input:", both.AIInput)
	// Output:
	// training: disallowed by the Content-Usage header
	// input: disallowed by line 2 (Content-Usage)
}

func ExampleParseSignalHeader() {
	header := []string{"search=yes, ai-train=no"} // response.Header.Values("Content-Signal")
	preferences := aipref.ParseSignalHeader(header)
	fmt.Println("training:", preferences.Training)
	fmt.Println("input:", preferences.AIInput)
	// Output:
	// training: disallowed by the Content-Signal header
	// input: nothing is said
}
