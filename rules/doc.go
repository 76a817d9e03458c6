// Package rules finds out what the rules of a robots.txt file mean for all URLs, not only
// for those that somebody thought of.
//
// # Differences
//
// [Diff] compares two files. It answers whether any URL gets another verdict, for any
// crawler, and shows a URL for each reason:
//
//	old := robotstxt.Parse(deployed)
//	new := robotstxt.Parse(edited)
//	for _, change := range rules.Diff(old, new, rules.Options{}) {
//		fmt.Print(change)
//	}
//
// If the edit adds the line "Disallow: /*?" and drops the line "Disallow: /private/",
// this prints
//
//	Crawlers that no group names
//	  now allowed     /private/  by no rule                (was disallowed by line 3: Disallow: /private/)
//	  now disallowed  /x?        by line 7: Disallow: /*?  (was allowed by no rule)
//
// There is one difference for each pair of rules (one decides in the old file, the other in
// the new one), not one for each URL. If nothing is printed, there is no difference for any
// URL: comments, order and spelling of lines, duplicate rules and rules that do nothing may
// change freely.
//
// # Dead rules
//
// A rule is dead if it decides no URL, because stronger rules match every URL that it
// matches. In the group
//
//	Disallow: /shop   # 2
//	Allow: /shop*     # 3: one octet longer
//
// line 2 does nothing. [Dead] finds such rules and the rules that take their place.
//
// # Coverage
//
// [Coverage] finds out whether a group may fetch all URLs, some, or none, with a URL
// that may be fetched and one that may not.
//
// # Exact, or undecided
//
// The answers are exact. Every URL is checked with [robotstxt.Group.Decide] before it is
// shown, and "no URL" means that there is none. All of the matching in package robotstxt is
// taken into account: the longest pattern wins, wildcards, escapes, index pages that allow
// their directory, /robots.txt itself, crawlers that fall back to another group and those
// that ignore the group for "*".
//
// Some of these questions take very long to answer. So every search has a budget, which
// limits time and memory whatever the files contain. A rule that would exceed it is
// reported as undecided. In real files this is very rare.
//
// All functions may be called by several goroutines at once. Patterns and tokens are
// as the file has them; the String methods escape what cannot be printed.
package rules
