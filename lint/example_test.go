package lint_test

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt/lint"
)

func ExampleCheck() {
	data := []byte(`User-agent: FooBot
Crawl-delay: 10

User-agent: *
Disallow: /
`)
	for _, f := range lint.Check(data) {
		if f.Severity == lint.Error {
			fmt.Printf("line %d, %s\n%s\n%s\n", f.Line, f.Code, f.Text, f.Advice)
		}
	}
	// Output:
	// line 2, crawl-delay-joins-groups
	// A crawl-delay does not end a group: lines 1 to 4 belong to one group, so the rules below also keep "FooBot" from fetching anything.
	// In lines 1 to 4, add below each Crawl-delay line the rules that the crawlers above it should obey, or "Disallow:" if they may fetch everything.
}

// Fix corrects what it can without changing what the file means.
func ExampleFix() {
	data := []byte("Useragent: FooBot\nDisalow: /ツ/\n")
	text, err := lint.Fix(data)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(string(text))
	// Output:
	// User-agent: FooBot
	// Disallow: /%E3%83%84/
}

func ExampleCodes() {
	for _, c := range lint.Codes() {
		if c.Name == "missing-colon" {
			fmt.Printf("%s: %s\n", c.Severity, c.Meaning)
		}
	}
	// Output: warning: The colon after the key is missing, so only some crawlers read the line. In a user-agent line, this is an error if the group disallows anything. If the line closes the site, and the next group does the same, this is an info.
}
