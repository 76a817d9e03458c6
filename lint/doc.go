// Package lint finds mistakes in robots.txt files.
//
// A robots.txt file cannot have syntax errors: crawlers skip lines that they do not
// understand. So the site's owner does not learn that a line has no effect, or not the effect
// that it seems to have. [Check] finds such lines:
//
//	for _, f := range lint.Check(data) {
//		fmt.Printf("robots.txt:%s\n", f)
//	}
//
// For a file with a crawl-delay in the wrong place, this prints
//
//	robots.txt:2:1: error: A crawl-delay does not end a group: ...
//
// If a line can be corrected without changing what the file means, the finding has an
// [Edit]. [Fix] applies all edits. [Codes] returns all kinds of findings; docs/lint.md in
// the repository shows an example of each.
//
// Lint reads a file as package robotstxt does, which follows RFC 9309. A finding about a
// particular crawler is based on the documentation of that crawler.
//
// All functions are safe for concurrent use.
package lint
