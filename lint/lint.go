package lint

import (
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// Check returns what is wrong in a robots.txt file, in the order of lines and columns.
// Check takes any bytes, and does not keep them. For a file that is not a robots.txt file
// at all, such as an HTML page, there is only one finding.
//
// Often a mistake is on many lines. To show a file to people, show equal texts once and
// name the lines of the others, and start with the codes that come first in [Codes]. Of
// one code, no more than 10,000 findings are returned; the last then says how many are
// left out.
//
// Lines and columns count in the text as [robotstxt.Lines] returns it, so a file in
// UTF-16 has become UTF-8. A finding about the whole file is at the line where it shows.
//
// A comment in the file can silence codes: on a line of its own for the whole file, after
// something else for that line.
//
//	# robotstxt-lint: ignore duplicate-rule, star-rules-dropped
//
// The time is proportional to the length of data, of which hardly more than
// [robotstxt.SizeLimit] is looked at.
func Check(data []byte) []Finding { return merged(check(data)) }

// check returns all findings.
func check(data []byte) []Finding {
	c := &checker{silent: silenced{}}
	if section.IsUnmarkedUTF16(data) {
		c.report(place{1, 1}, "utf-16-unmarked")
		return c.findings
	}
	c.file = newFile(data)
	for _, l := range c.lines {
		c.silent.add(l)
	}
	if l := c.otherFormat(); l != nil {
		c.report(atContent(l), "not-robots-txt", quote(content(l)))
		return c.findings
	}
	for _, check := range fileChecks {
		check(c)
	}
	for _, l := range c.lines {
		for _, check := range lineChecks {
			check(c, l)
		}
	}
	for _, s := range c.sections {
		for _, check := range sectionChecks {
			check(c, s)
		}
	}
	return c.finish()
}

// The checks, by what they look at.
var (
	fileChecks = []func(*checker){
		checkEncoding, checkSize, checkIgnores, checkNames, checkBeforeGroups, checkRepeatedTokens, checkEmptyGroup,
		checkStar, checkNamedGroups, checkAssets, checkDollars, checkDead, checkDelays, checkSitemaps, checkRecords, checkSignals,
	}
	lineChecks    = []func(*checker, *line){checkInvisible, checkKey, checkComment, checkValue}
	sectionChecks = []func(*checker, *sect){checkJoins, checkEmptyRules, checkBlankLines, checkManyRules, checkUnfetched}
)

// otherFormat returns the first visible line if the file is not a robots.txt file, or nil.
func (f *file) otherFormat() (first *line) {
	if len(f.sections) > 1 {
		return nil
	}
	isRules := false
	for _, l := range f.lines {
		if l.Kind == robotstxt.OtherKind && section.RecordKey(l.Key) != "" {
			return nil
		}
		isRules = isRules || isKnown(l)
		if first == nil && content(l) != "" {
			first = l
		}
	}
	if first == nil || isRules && content(first)[0] != '<' || content(first)[0] == '/' {
		return nil
	}
	return first
}
