// Package lint finds mistakes in robots.txt files.
//
// Crawlers skip what they do not understand in a robots.txt file, so its owner does not learn that
// a line has no effect, or not the effect that it seems to have. [Check] finds such lines:
//
//	for _, f := range lint.Check(data) {
//		fmt.Printf("robots.txt:%s\n", f)
//	}
//
// For a file with a misspelled key, this prints
//
//	robots.txt:2:1: error: The key is misspelled: most crawlers ignore the line. ...
//
// [Fix] makes the few corrections that do not need a person's judgment. [Codes] returns everything
// that Check can find; docs/lint.md in the repository shows an example of each.
//
// Lint reads a file as package robotstxt does, which follows RFC 9309. What it says about a
// particular crawler is what the crawler's operator documents.
//
// All functions are safe for concurrent use.
package lint
