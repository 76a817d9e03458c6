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
// A check is a function and a row of the table in table.go. Suppose that paths with a semicolon were
// a mistake.
//
//  1. Write the function into the file for what it looks at: check_file.go, check_groups.go,
//     check_agents.go, check_lines.go, check_paths.go or check_records.go. It reports lines, and
//     passes what the advice needs from the file, in quotation marks:
//
//     func semicolonInPath(p *pass, l *line) {
//     if i := strings.Index(l.Value, ";"); i >= 0 {
//     p.report(l, l.ValueColumn+i, quote(l.Value[:i]))
//     }
//     }
//
//  2. Add a row with one fixed text, one advice and an example. The order of the table matters: only
//     the first finding of a line counts, so a check need not know the graver mistakes of its lines.
//     The check is a func(*pass); onLines and onAgents make one from a function for lines of some
//     kinds or for names:
//
//     {Code{Name: "semicolon-in-path", Severity: Warning,
//     Text:    `Crawlers do not agree on what a ";" in a path means.`,
//     Advice:  "Write only %[1]v.",
//     Example: "User-agent: *\nDisallow: /a;b\n"},
//     onLines(semicolonInPath, allow, disallow)},
//
//  3. Add two cases to testdata: a file with the mistake, and a similar one without it, with the code
//     below "-- silent --". TestCodes fails without them.
//
//  4. Run go test ./lint -update, which writes docs/lint.md, and read the difference.
//
// The advice must be right for every file. If you find one for which the check is wrong, first ask
// whether you can drop the check or make it simpler. A condition for that one file is the last resort.
//
// Set the Fix of a finding only if package robotstxt makes the same decisions afterwards, and if no
// author could have meant anything else; FuzzFix tests the first part. If the check compares lines or
// rules with each other, count this with mayCompare, and add a file to TestHostile.
package lint
