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
//	robots.txt:2:1: error: Most crawlers do not know this key, and ignore the line. ...
//
// [Fix] makes the few corrections that do not need a person's judgment. [Codes] returns everything
// that Check can find; docs/lint.md in the repository shows an example of each.
//
// Lint reads a file as package robotstxt does, which follows RFC 9309. What it says about a
// particular crawler is what the crawler's operator documents.
//
// All functions are safe for concurrent use.
//
// # How to add a check
//
// A check is a function and a row of the table in table.go. Suppose that a semicolon in a path were a
// mistake. The function belongs into the file for what it looks at: check_file.go, check_groups.go,
// check_agents.go, check_lines.go, check_paths.go or check_records.go. model.go has what a check can
// read, and pass.go how it reports lines and passes what the advice needs from the file:
//
//	func semicolonInPath(p *pass, l *line) {
//		if i := strings.Index(l.Value, ";"); i >= 0 {
//			p.report(l, l.ValueColumn+i, quote(l.Value[:i]))
//		}
//	}
//
// The row has one fixed text, one advice and an example:
//
//	{Code{Name: "semicolon-in-path", Severity: Warning,
//		Text:    `Crawlers do not agree on what a ";" in a path means.`,
//		Advice:  "Write only %[1]v.",
//		Example: "User-agent: *\nDisallow: /a;b\n"},
//		onLines(semicolonInPath, allow, disallow)},
//
// A check is a func(*pass). For a function like the one above, onLines makes one that calls it for each
// line of some kinds; onAgents does so for each name on a user-agent line.
//
// Only the first finding of a line counts, so put the row among those of its severity before the
// checks whose advice would be wrong for its lines. The check need not know the graver mistakes above.
//
// Run the check on real files first. If few have the mistake, leave the check out. If you find a file
// for which it is wrong, ask whether you can drop the check or make it simpler. A condition for that one
// file is the last resort.
//
// Then add two cases to the file in testdata that is named after the file of the check, as README.md
// there shows: a file that has the mistake, and a similar one that has not. TestCodes fails without
// them. "go test ./lint ./cmd/robotstxt ./cmd/robotstxt/internal/survey -update" writes docs/lint.md, the
// output of the command, which often does not change, and the version of lint in summaries. Read the differences.
//
// Set the Fix of a finding only if package robotstxt makes the same decisions afterwards, and if the
// author of the line could not have meant anything else; FuzzFix tests the first part. If the check
// compares lines or rules with each other, count the comparisons with spend, and add a file to TestHostile.
package lint
