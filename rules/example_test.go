package rules_test

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/rules"
)

func ExampleDiff() {
	old := robotstxt.Parse([]byte(`User-agent: *
Disallow: /private/
Disallow: /tmp/
`))
	new := robotstxt.Parse([]byte(`User-agent: *
Disallow: /tmp/   # kept
Disallow: /*?
`))
	for _, change := range rules.Diff(old, new, rules.Options{}) {
		fmt.Print(change)
	}
	// Output:
	// Crawlers that no group names
	//   now allowed     /private/  by no rule                (was disallowed by line 2: Disallow: /private/)
	//   now disallowed  /x?        by line 3: Disallow: /*?  (was allowed by no rule)
}

// A crawler that loses its group obeys the group for "*", if there is one.
func ExampleDiff_group() {
	old := robotstxt.Parse([]byte(`User-agent: FooBot
Disallow: /shop/

User-agent: *
Disallow: /
`))
	new := robotstxt.Parse([]byte(`User-agent: *
Disallow: /
`))
	for _, change := range rules.Diff(old, new, rules.Options{}) {
		fmt.Println(change.Agents)
		for _, d := range change.Differences {
			fmt.Println(d)
		}
	}
	// Output:
	// [FooBot]
	// now disallowed / by line 2: Disallow: / (was allowed by no rule)
}

func ExampleDeadRules() {
	group := robotstxt.Parse([]byte(`User-agent: *
Disallow: /shop
Allow: /shop*
`)).Group()
	dead, undecided := rules.DeadRules(group)
	for _, d := range dead {
		fmt.Printf("line %d: %v\n", d.Rule.Line, d)
	}
	fmt.Println(len(undecided), "undecided")
	// Output:
	// line 2: The rule does nothing: line 3, "Allow: /shop*", overrides it for every URL.
	// 0 undecided
}

func ExampleCoverageOf() {
	group := robotstxt.Parse([]byte(`User-agent: *
Disallow: /
Allow: /press/
`)).Group()
	coverage := rules.CoverageOf(group)
	fmt.Println(coverage, coverage.AllowedURL, coverage.DisallowedURL)
	// Output: some /press/ /
}
