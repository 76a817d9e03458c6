package lint

import (
	"bytes"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
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
func Check(data []byte) []Finding {
	c := &checker{}
	if section.IsUnmarkedUTF16(data) {
		c.report(place{1, 1}, "utf-16-unmarked")
		return c.findings
	}
	isPage := bytes.HasPrefix(lex.TrimLeft(data), []byte("<")) // most are, and large
	if !isPage {
		c.file = newFile(data)
	}
	if isPage || len(c.sections) == 1 {
		if l, isOther := otherFormat(data); isOther {
			c.reportOther(&l, data)
			return c.findings
		}
	}
	if isPage {
		c.file = newFile(data)
	}
	for _, l := range c.lines {
		c.ignored.add(l)
	}
	for _, check := range fileChecks {
		check(c)
	}
	for _, l := range c.lines {
		if l.Text == "" {
			continue
		}
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

// reportOther reports that the file starts with something else than a robots.txt file.
func (c *checker) reportOther(first *line, data []byte) {
	if bytes.Contains(data, []byte("robotstxt-lint:")) {
		for l := range robotstxt.Lines(data) {
			c.ignored.add(&l)
		}
	}
	c.report(atContent(first), "not-robots-txt", quote(content(first)))
}

// The checks, by what they look at.
var (
	fileChecks = []func(*checker){
		checkEncoding, checkSize, checkIgnores, checkNames, checkBeforeGroups, checkRepeatedTokens, checkEmptyGroup,
		checkStar, checkNamedGroups, checkBlankLine, checkAssets, checkAllows, checkOnce, checkDead, checkDelays,
		checkSitemaps, checkExtensions, checkUnfetched, checkSignals,
	}
	lineChecks    = []func(*checker, *line){checkLength, checkInvisible, checkKey, checkComment, checkValue}
	sectionChecks = []func(*checker, *sect){checkJoins, checkEmptyRules, checkYandexLimits, checkIgnoredDelays}
)

// otherFormat returns the first line that says something if the file is not a robots.txt
// file.
func otherFormat(data []byte) (first line, isOther bool) {
	rules := 0
	for l := range robotstxt.Lines(data) {
		if l.Kind == robotstxt.UserAgentKind || l.Kind == robotstxt.OtherKind && section.RecordKey(l.Key) != "" {
			return line{}, false
		}
		if isKnown(&l) {
			rules++
		}
		if first.Number == 0 && content(&l) != "" {
			first = l
		}
	}
	if first.Number == 0 {
		return line{}, false
	}
	start := lex.Trim(first.Text)[0]
	return first, rules == 0 && start != '/' || start == '<'
}
