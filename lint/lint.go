package lint

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// Check returns the findings about a robots.txt file, ordered by line and column. It accepts
// any bytes and does not retain data. For a file in another format, such as an HTML page, it
// returns only one finding.
//
// Often, many lines have the same mistake. For some codes, Check returns only the first
// finding of each severity. The text of this finding lists the other lines. In all cases, Check
// returns at most 10,000 findings with the same code and severity. The text of the last one
// lists the lines of the findings that are left out. If you show findings to people, show each
// text only once, in the order of [Codes].
//
// Lines and columns refer to the text that [robotstxt.Lines] returns, which is always in
// UTF-8. A finding about the whole file has a line, too, such as line 1 for a wrong encoding.
//
// A comment in the file can silence codes. A comment on a line of its own silences them in the
// whole file. At the end of another line, it silences them only on that line.
//
//	# robotstxt-lint: ignore duplicate-rule, star-rules-dropped
//
// Check takes time proportional to the length of data. It finds nothing after the first
// [robotstxt.SizeLimit] bytes, except that the file is too large.
func Check(data []byte) []Finding { return merged(check(data)) }

// check returns all findings, including those that Check merges.
func check(data []byte) []Finding {
	c := &checker{silent: silenced{}}
	if section.IsUnmarkedUTF16(data) {
		c.report(place{1, 1}, "utf-16-unmarked")
		return c.findings
	}
	if bytes.Contains(data[:min(len(data), len("# {\\rtf"))], []byte(`{\rtf`)) {
		c.report(place{1, 1}, "not-robots-txt/RTF")
		return c.findings
	}
	// A file that starts with "<" is probably a web page. Pages can be large, and c.read stores all
	// lines, so otherFormat, which stores only one line, examines such a file first.
	isPage := bytes.HasPrefix(lex.TrimLeft(data), []byte("<"))
	if !isPage {
		c.read(data)
	}
	if isPage || len(c.sections) == 1 {
		if l, isOther := otherFormat(data); isOther {
			refuses := slices.ContainsFunc(refusals, func(text string) bool { return bytes.Contains(data[:min(len(data), 4096)], []byte(text)) })
			c.report(atStart(&l), "not-robots-txt"+map[bool]string{refuses: "/refused", strings.Contains(l.Text, ">User-agent:"): "/before"}[true], quote(content(&l)))
			return c.finish()
		}
	}
	if isPage {
		c.read(data)
		if above := len(c.sections[0].Lines); above >= 3 && len(c.sections) > 1 && !bytes.HasPrefix(lex.TrimLeft(data), []byte("<!--")) && !strings.Contains(c.lines[above].Text, "<") {
			c.report(atStart(c.lines[slices.IndexFunc(c.lines, func(l *line) bool { return !isBlank(l) })]), "not-robots-txt/above", above+1)
			return c.finish()
		}
	}
	for _, check := range fileChecks {
		check(c)
	}
	for _, l := range c.lines {
		if isPlain(l) {
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

func (c *checker) read(data []byte) {
	c.file = newFile(data)
	for _, l := range c.lines {
		if strings.Contains(l.Comment, "robotstxt-lint:") {
			c.silence(l)
		}
	}
}

var (
	fileChecks = []func(*checker){
		checkEncoding, checkSize, checkNames, checkBeforeGroups, checkRepeatedTokens, checkEmptyGroup,
		checkStar, checkNamedGroups, checkAssets, checkDead, checkDelays, checkSitemaps, checkRecords, checkSignals,
	}
	lineChecks    = []func(*checker, *line){checkInvisible, checkKey, checkComment, checkValue}
	sectionChecks = []func(*checker, *sect){checkJoins, checkEmptyRules, checkBlankLines}
)

// refusals are texts at the start of error pages with which servers refuse a request.
var refusals = []string{"<TITLE>Access Denied", "<title>Access Denied", "403 Forbidden", "Request Rejected", "Request unsuccessful"}

// startsPage reports whether text is the start of an HTML or XML document.
var startsPage = regexp.MustCompile(`(?i)^<(html|!doctype|\?xml)\b`).MatchString

// otherFormat reports whether data is in a format other than robots.txt. If so, it returns the
// first line that is neither blank nor a comment.
func otherFormat(data []byte) (first line, isOther bool) {
	isRules, isGroup, isPage := false, false, false
	for l := range robotstxt.Lines(data) {
		if first.Number == 0 && content(&l) != "" {
			first, isPage = l, startsPage(content(&l))
		}
		isRules = isRules || isKnown(&l)
		isGroup = isGroup || l.Kind == robotstxt.UserAgentKind || !isPage && section.RecordKey(l.Key) != ""
		// A page counts as a robots.txt file only if a rule with a path follows a user-agent
		// line: the scripts of a page can contain keys, but rarely such rules.
		if isGroup && (!isPage || section.IsRule(&l) && strings.HasPrefix(l.Value, "/")) {
			return line{}, false
		}
	}
	if first.Number == 0 || isRules && content(&first)[0] != '<' || content(&first)[0] == '/' || isAbsolute(content(&first)) {
		return line{}, false
	}
	return first, true
}
