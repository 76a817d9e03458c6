// Package rules compares robots.txt files and analyzes their rules for all possible URLs:
// [Diff] finds the URLs whose verdict differs between two files, [DeadRules] the rules that
// decide no URL, and [CoverageOf] how much the crawlers of a group may fetch.
//
// # Differences
//
// [Diff] finds out whether an edit of a file changes the verdict about any URL for any
// crawler. It returns an example URL for each pair of rules that cause a change:
//
//	old := robotstxt.Parse(deployed)
//	new := robotstxt.Parse(edited)
//	for _, change := range rules.Diff(old, new, rules.Options{}) {
//		fmt.Print(change)
//	}
//
// If the edit adds the line "Disallow: /*?" and removes the line "Disallow: /private/",
// this prints
//
//	Crawlers that no group names
//	  now allowed     /private/  by no rule                (was disallowed by line 3: Disallow: /private/)
//	  now disallowed  /x?        by line 7: Disallow: /*?  (was allowed by no rule)
//
// Each line shows a URL, the rule that decides now, and the rule that decided before. If
// the edit changes no verdict, for example because it only adds a comment, this prints
// nothing.
//
// # Dead rules
//
// A rule is dead if it decides no URL, because stronger rules match every URL that it
// matches. For example, in the group
//
//	Disallow: /shop   # 2
//	Allow: /shop*     # 3: one octet longer
//
// line 2 is dead. [DeadRules] returns the dead rules of a group, and the rules that decide
// instead.
//
// # Coverage
//
// [CoverageOf] returns whether the crawlers of a group may fetch all URLs, some, or none.
// It gives an example of an allowed URL and of a disallowed URL.
//
// # Exact, or undecided
//
// The answers are exact. Every URL in a result has been checked with
// [robotstxt.Group.Decide], and if a result has no URL, no such URL exists. The searches
// take into account everything that package robotstxt does: the longest pattern wins;
// patterns have wildcards and escapes; an index page allows its directory; /robots.txt is
// always allowed; some crawlers fall back to another group, and some ignore the group for
// "*".
//
// Some searches would take very long. So every search has a budget, which limits time and
// memory whatever the files contain. If the search for a rule exceeds its budget, the rule
// is reported as undecided. Real files hardly ever contain such rules.
//
// All functions are safe for concurrent use. Patterns and tokens in results are spelled as
// in the file; the String methods escape characters that cannot be printed.
package rules
