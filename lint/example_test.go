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
	// The crawl-delay line does not end the group of line 1, and line 4 belongs to it, so "FooBot" is shut out of the whole site as well.
	// Give the crawlers above their own rule, such as "Disallow:" if everything is allowed.
}

func ExampleFormat() {
	data := []byte(`useragent:FooBot
Disalow:/private/  # not public
Sitemap: https://example.com/sitemap.xml
User-agent: *
Disallow: /tmp/
User-agent: foobot
Disallow: /old/
`)
	text, err := lint.Format(data)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(string(text))
	// Output:
	// User-agent: FooBot
	// Disallow: /private/ # not public
	// Disallow: /old/
	//
	// User-agent: *
	// Disallow: /tmp/
	//
	// Sitemap: https://example.com/sitemap.xml
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
		if c.Name == "url-as-path" {
			fmt.Printf("%s: %s\n", c.Severity, c.Meaning)
		}
	}
	// Output: error: The value is a whole URL, and no path starts like that.
}
