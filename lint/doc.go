// Package lint finds what is wrong in a robots.txt file, line by line.
//
// A robots.txt file cannot have syntax errors: crawlers skip what they do not understand.
// So nobody tells the site's owner that a line does nothing, or not what it seems to do.
// [Check] does:
//
//	for _, f := range lint.Check(data) {
//		fmt.Printf("robots.txt:%s\n", f)
//	}
//
// For a file with a crawl-delay in the wrong place, this prints
//
//	robots.txt:2:1: error: A crawl-delay does not end a group: ...
//
// A finding that can be corrected without changing what the file means has an [Edit],
// and [Fix] applies all edits. [Codes] returns all kinds of findings; docs/lint.md in
// the repository shows them, with an example of each.
//
// Package robotstxt, which follows RFC 9309, decides what a line means. Findings about
// particular crawlers rest on their documentation.
//
// All functions may be called by several goroutines at once.
package lint
