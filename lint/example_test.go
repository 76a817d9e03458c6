package lint_test

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt/lint"
)

func ExampleCheck() {
	data := []byte(`User-agent: FooBot
Crawl-delay: 10

User-agent: BarBot
Disallow: /
`)
	for _, f := range lint.Check(data) {
		fmt.Printf("line %d, %s\n%s\n%s\n", f.Line, f.Code, f.Text, f.Advice)
	}
	// Output:
	// line 2, joined-groups
	// This line does not end a group, so the rules below also apply to the crawlers above.
	// Below this line, write the rules for the crawlers above, or "Disallow:" if they may fetch everything.
}

// Fix corrects what it can without changing a decision.
func ExampleFix() {
	text, err := lint.Fix([]byte("Useragent: FooBot\nDissallow /private/\n"))
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(string(text))
	// Output:
	// User-agent: FooBot
	// Disallow: /private/
}
