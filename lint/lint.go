package lint

import (
	"bytes"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// Check returns what is wrong in a robots.txt file, ordered by line and column. Check
// accepts any bytes and does not keep them. A file that is not a robots.txt file at all,
// such as an HTML page, has only one finding.
//
// The same mistake is often on many lines. For some codes, Check then returns one finding,
// which names the other lines. For the other codes, it returns at most 10,000 findings, and
// the last one names the remaining lines. To show findings to people, show equal texts once,
// and start with the codes that come first in [Codes].
//
// Lines and columns refer to the text that [robotstxt.Lines] returns, which is always in
// UTF-8. A finding about the whole file is on the line where the problem shows.
//
// A comment in the file can silence codes. If it is alone on its line, it applies to the
// whole file, otherwise only to that line.
//
//	# robotstxt-lint: ignore duplicate-rule, star-rules-dropped
//
// Check takes time proportional to the length of data, and reads little more than
// [robotstxt.SizeLimit] bytes.
func Check(data []byte) []Finding { return merged(check(data)) }

// check returns all findings, including those that Check merges.
func check(data []byte) []Finding {
	c := &checker{silent: silenced{}}
	if section.IsUnmarkedUTF16(data) {
		c.report(place{1, 1}, "utf-16-unmarked")
		return c.findings
	}
	isPage := bytes.HasPrefix(lex.TrimLeft(data), []byte("<")) // web pages can be large: read one only if necessary
	if !isPage {
		c.read(data)
	}
	if isPage || len(c.sections) == 1 {
		if l, isOther := otherFormat(data); isOther {
			c.report(atContent(&l), "not-robots-txt", quote(content(&l)))
			return c.finish()
		}
	}
	if isPage {
		c.read(data)
	}
	for _, check := range fileChecks {
		check(c)
	}
	for _, l := range c.lines {
		if isPlain(l) {
			continue // like most lines
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

// read builds the model of the file.
func (c *checker) read(data []byte) {
	c.file = newFile(data)
	for _, l := range c.lines {
		if strings.Contains(l.Comment, "robotstxt-lint:") {
			c.silence(l)
		}
	}
}

// The checks of the whole file, of each line, and of each section.
var (
	fileChecks = []func(*checker){
		checkEncoding, checkSize, checkNames, checkBeforeGroups, checkRepeatedTokens, checkEmptyGroup,
		checkStar, checkNamedGroups, checkAssets, checkDead, checkDelays, checkSitemaps, checkRecords, checkSignals,
	}
	lineChecks    = []func(*checker, *line){checkInvisible, checkKey, checkComment, checkValue}
	sectionChecks = []func(*checker, *sect){checkJoins, checkEmptyRules, checkBlankLines, checkManyRules, checkUnfetched}
)

// otherFormat returns the first visible line if the file is not a robots.txt file.
func otherFormat(data []byte) (first line, isOther bool) {
	isRules := false
	for l := range robotstxt.Lines(data) {
		if l.Kind == robotstxt.UserAgentKind || l.Kind == robotstxt.OtherKind && section.RecordKey(l.Key) != "" {
			return line{}, false
		}
		isRules = isRules || isKnown(&l)
		if first.Number == 0 && content(&l) != "" {
			first = l
		}
	}
	if first.Number == 0 || isRules && content(&first)[0] != '<' || content(&first)[0] == '/' {
		return line{}, false
	}
	return first, true
}
