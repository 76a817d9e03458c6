package lint

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// isPage reports whether the file is an HTML page, after a finding that says so. It
// does not keep the lines, as isOtherFormat does, which would find all pages and more:
// pages are large.
func (c *checker) isPage() bool {
	if text := lex.TrimLeft(c.data); len(text) == 0 || text[0] != '<' {
		return false
	}
	var first line // that says something
	for read := range robotstxt.Lines(c.data) {
		l := line{Line: read}
		if l.Kind == robotstxt.UserAgentKind || isExtension(&l) || ignoredCodes(l.Comment) != nil {
			return false
		}
		if first.Number == 0 && content(&l) != "" {
			first = l
		}
	}
	if first.Number == 0 {
		return false // the text is beyond the limit
	}
	c.reportOtherFormat(&first)
	return true
}

// isOtherFormat reports whether the file is not a robots.txt file, after a finding
// that says so.
func (c *checker) isOtherFormat() bool {
	first, start := (*line)(nil), "" // the first line that says something
	rules := 0
	for _, l := range c.lines {
		if l.Kind == robotstxt.UserAgentKind || isExtension(l) {
			return false
		}
		if isKnown(l.Kind) {
			rules++
		}
		if start == "" {
			first, start = l, content(l)
		}
	}
	if start == "" || rules > 0 && start[0] != '<' || start[0] == '/' {
		return false
	}
	c.reportOtherFormat(first)
	return true
}

func (c *checker) reportOtherFormat(first *line) {
	c.report(Finding{Line: first.Number, Column: contentColumn(first), Code: "not-robots-txt",
		Text: "This is not a robots.txt file: it starts with " + quote(content(first)) + ". To crawlers, it allows everything."})
}

// content returns what a line says, without its comment.
func content(l *line) string {
	text, _, _ := strings.Cut(l.Text, "#")
	return lex.Trim(text)
}

func contentColumn(l *line) int {
	return len(l.Text) - len(lex.TrimLeft(l.Text)) + 1
}

// checkEncoding looks at how the file starts.
func checkEncoding(c *checker) {
	switch {
	case bytes.HasPrefix(c.data, []byte("\xFE\xFF")), bytes.HasPrefix(c.data, []byte("\xFF\xFE")):
		f := Finding{Line: 1, Column: 1, Code: "utf-16", Text: "The file is in UTF-16, and many crawlers read nothing of it."}
		if len(c.lines) > 0 && !startsUTF16(c.lines[0].Text) {
			f.Fix = &Edit{Line: 1, Text: c.lines[0].Text} // to write any line is to write UTF-8
		}
		c.report(f)
	case bytes.HasPrefix(c.data, []byte("\uFEFF")) && len(c.lines) > 0:
		c.report(Finding{Line: 1, Column: 1, Code: "byte-order-mark", Fix: c.withoutMark("\uFEFF"),
			Text: "The file starts with a byte-order mark, which some crawlers read as a part of the first line."})
	case bytes.HasPrefix(c.data, []byte(brokenMark)) && len(c.lines) > 0:
		c.checkBrokenMark()
	}
}

// brokenMark is a byte-order mark in UTF-8 that was read as Latin-1 and written as
// UTF-8 again.
const brokenMark = "\u00EF\u00BB\u00BF"

func (c *checker) checkBrokenMark() {
	f := Finding{Line: 1, Column: 1, Code: "broken-byte-order-mark", Fix: c.withoutMark(brokenMark)}
	switch l := c.lines[0]; {
	case isKnown(l.Kind):
		f.Text = fmt.Sprintf("The file starts with %q, the remains of a byte-order mark, so most crawlers do not read the first line.", brokenMark)
	case l.Kind == robotstxt.NoKind && (content(l) == brokenMark || !isKey(content(l))):
		f.Text = fmt.Sprintf("The file starts with %q, the remains of a byte-order mark.", brokenMark)
	default:
		return
	}
	c.report(f)
}

// isKey reports whether text could be a line of the protocol without the mark in
// front of it.
func isKey(text string) bool {
	for l := range robotstxt.Lines([]byte(strings.TrimPrefix(text, brokenMark))) {
		return l.Kind != robotstxt.NoKind
	}
	return false
}

// withoutMark returns the edit that takes a mark off the start of the file.
func (c *checker) withoutMark(mark string) *Edit {
	l := c.lines[0]
	if l.Kind != robotstxt.NoKind {
		return c.correction(l)
	}
	text := strings.TrimPrefix(l.Text, mark)
	if startsUTF16(text) || strings.HasPrefix(text, mark) {
		return nil
	}
	return &Edit{Line: 1, Text: text}
}

func isUTF16(data []byte) bool { return startsUTF16(string(data[:min(2, len(data))])) }

// startsUTF16 reports whether a file that starts with text is in UTF-16.
func startsUTF16(text string) bool {
	return strings.HasPrefix(text, "\xFE\xFF") || strings.HasPrefix(text, "\xFF\xFE")
}

// checkSize finds files that crawlers do not read to the end.
func checkSize(c *checker) {
	if textSize(c.data) <= robotstxt.SizeLimit {
		return
	}
	// The file may be even larger than data: some callers read no more of it.
	number, text := 1, "Crawlers may read nothing, because the first line is longer than the limit of 512,000 bytes (500 KiB)."
	if len(c.lines) > 0 {
		number = c.lines[len(c.lines)-1].Number
		text = "Crawlers may read no further than this line, because the limit is 512,000 bytes (500 KiB)."
	}
	c.report(Finding{Line: number, Column: 1, Code: "file-too-large", Text: text})
}

// checkLength finds lines that are longer than any usual URL.
func checkLength(c *checker, l *line) {
	const most = 2083
	if len(l.Text) > most && content(l) != "" {
		c.report(Finding{Line: l.Number, Column: most + 1, Code: "line-too-long",
			Text: fmt.Sprintf("The line has %s bytes, and some crawlers read no more than %s.", count(len(l.Text)), count(most))})
	}
}

// count writes a number with commas.
func count(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// isHidden reports whether a character cannot be seen and is not plain white space.
func isHidden(r rune) bool { return lex.IsBlank(r) && !strings.ContainsRune(" \t\v\f", r) }

// checkInvisible finds characters that cannot be seen, except plain white space and
// a byte-order mark at the start of the file.
func checkInvisible(c *checker, l *line) {
	if l.Kind == robotstxt.NoKind {
		return
	}
	text := strings.TrimSuffix(l.Text, l.Comment)
	if !lex.CharsOf(text).HasAny(invisibleChars) {
		return
	}
	skip := 0
	if l.Number == 1 {
		skip = len(text) - len(strings.TrimPrefix(text, "\uFEFF"))
	}
	i := strings.IndexFunc(text[skip:], isHidden)
	if i < 0 {
		return
	}
	r, _ := utf8.DecodeRuneInString(text[skip+i:])
	f := Finding{Line: l.Number, Column: skip + i + 1, Code: "invisible-character",
		Text: fmt.Sprintf("The line has the invisible character %U, which some crawlers read as a part of the key or the value.", r)}
	inKey := l.Kind == robotstxt.OtherKind && strings.ContainsFunc(l.Key, isHidden)
	if !inKey && !strings.ContainsFunc(l.Value, isHidden) {
		f.Fix = c.correction(l)
	}
	c.report(f)
}

// checkKey looks at how the key is spelt, and at whether anybody reads it.
func checkKey(c *checker, l *line) {
	switch {
	case l.Kind == robotstxt.NoKind:
	case l.Kind != robotstxt.OtherKind:
		checkKnownKey(c, l)
	case isExtension(l):
		checkDeadKey(c, l)
	case checkOddKey(c, l):
	case isJunk(l):
		reportJunk(c, l)
	default:
		checkUnknownKey(c, l)
	}
}

func checkKnownKey(c *checker, l *line) {
	usual := l.Kind.String()
	if !strings.EqualFold(l.Key, usual) && !(l.Number == 1 && strings.HasPrefix(l.Key, brokenMark)) {
		c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "variant-key",
			Text:   fmt.Sprintf("The key is spelt %s, and some crawlers do not understand that.", quote(l.Key)),
			Advice: fmt.Sprintf("Write %q.", usual+":"), Fix: c.correction(l)})
	}
	if !l.Colon {
		c.report(Finding{Line: l.Number, Column: l.KeyColumn + len(l.Key), Code: "missing-colon",
			Text:   "The colon is missing, and only some crawlers read the line anyway.",
			Advice: fmt.Sprintf("Write %q.", usual+":"), Fix: c.correction(l)})
	}
}

// checkJunk looks at lines that are not even a key with a value.
func checkJunk(c *checker, l *line) {
	if l.Kind == robotstxt.NoKind && content(l) != "" && !(l.Number == 1 && content(l) == brokenMark) && !checkOddKey(c, l) {
		reportJunk(c, l)
	}
}

// reportJunk reports a line that crawlers skip, with a guess at its meaning.
func reportJunk(c *checker, l *line) {
	text := content(l)
	f := Finding{Line: l.Number, Column: contentColumn(l), Code: "junk-line", Advice: `Put a "#" in front of it, if it is a comment.`}
	f.Text = "Crawlers skip the line, which is neither a comment nor a key with a value: " + quote(text) + "."
	switch word, _, _ := strings.Cut(text, " "); {
	case isAbsolute(text):
		f.Advice = "Write " + quoteWhole("Sitemap: "+text) + ", if it is a sitemap."
	case strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") && !strings.Contains(text, " "):
		f.Advice = "Write " + quoteWhole("Disallow: "+text) + ", if it is a path."
	case isKnown(kindOf(word)):
		f.Advice = fmt.Sprintf("Write %q before the value.", kindOf(word).String()+":")
	case looksLikeComment(text):
		if l.Kind == robotstxt.NoKind && !startsUTF16(l.Text) {
			f.Fix = &Edit{Line: l.Number, Text: "# " + strings.TrimLeft(l.Text, " \t\uFEFF")}
		}
	}
	c.report(f)
}

// looksLikeComment reports whether a line that crawlers skip is a comment, and not a
// mistyped rule: it is prose, or starts with a character that no key has.
func looksLikeComment(text string) bool {
	return strings.ContainsAny(text[:1], "-=*<>!;_~+|") || strings.HasPrefix(text, "//") || len(strings.Fields(text)) > 3
}

// isJunk reports whether the text before the colon cannot be a key.
func isJunk(l *line) bool {
	const longest = 40
	odd := func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.Mn, unicode.Nd) && !strings.ContainsRune("-_. ", r)
	}
	_, isURL := strings.CutPrefix(l.Value, "//")
	return l.Key == "" || len(l.Key) > longest || isURL || strings.ContainsFunc(l.Key, odd)
}

// checkOddKey reports whether a line has a known key with letters or a colon that
// only look right, after a finding that says so.
func checkOddKey(c *checker, l *line) bool {
	key, rest := cutLookAlikeColon(content(l))
	plain := strings.Map(latin, key)
	if !isKnown(kindOf(plain)) && extensions[lex.Letters(plain)].text == "" {
		return false
	}
	code, text := "look-alike-letter", "Crawlers do not read the line, because its key has letters that are not Latin: "
	switch {
	case strings.HasPrefix(rest, "："):
		code, text = "full-width-colon", `Crawlers do not read the line, because its colon is not a plain ":": `
	case plain == key:
		return false
	}
	c.report(Finding{Line: l.Number, Column: contentColumn(l), Code: code, Text: text + quote(content(l)) + "."})
	return true
}

// cutLookAlikeColon cuts a line before the first character that looks like a
// colon.
func cutLookAlikeColon(text string) (key, rest string) {
	for _, colon := range []string{"：", "﹕", "︓", "ː", "꞉"} {
		text = strings.ReplaceAll(text, colon, "：")
	}
	if i := strings.IndexAny(text, "：:"); i >= 0 {
		return lex.Trim(text[:i]), text[i:]
	}
	return text, ""
}

// latin returns the ASCII letter that r looks like, or r.
func latin(r rune) rune {
	if 'Ａ' <= r && r <= 'Ｚ' || 'ａ' <= r && r <= 'ｚ' { // full-width
		return r - 'Ａ' + 'A'
	}
	const (
		others = "АВЕЗКМНОРСТХУаеорсухѕіјԁԝɡΑΒΕΖΗΙΚΜΝΟΡΤΥΧαιοντυρıⅼ"
		latins = "ABE3KMHOPCTXYaeopcyxsijdwgABEZHIKMNOPTYXaiovturil"
	)
	if i := strings.IndexRune(others, r); i >= 0 {
		return rune(latins[utf8.RuneCountInString(others[:i])])
	}
	return r
}

// kindOf returns the kind of a line with the key.
func kindOf(key string) robotstxt.Kind {
	for l := range robotstxt.Lines([]byte(key + ":")) {
		return l.Kind
	}
	return robotstxt.NoKind
}

func isKnown(k robotstxt.Kind) bool { return k != robotstxt.NoKind && k != robotstxt.OtherKind }

// checkUnknownKey finds keys that no crawler is known to read.
func checkUnknownKey(c *checker, l *line) {
	f := Finding{Line: l.Number, Column: l.KeyColumn, Code: "unknown-key",
		Text: "No crawler is known to read the key " + quote(l.Key) + "."}
	meant, ok := nearestKey(lex.Letters(l.Key))
	if strings.Contains(lex.Letters(l.Key), "sitemap") && isAbsolute(l.Value) {
		meant, ok = robotstxt.SitemapKind.String(), true
	}
	if ok {
		f.Code, f.Text = "misspelt-key", "Crawlers do not know the key "+quote(l.Key)+", so they ignore the line."
		f.Advice = fmt.Sprintf("Write %q, if that is meant.", meant+":")
	}
	c.report(f)
}

// nearestKey returns the key that a misspelling is closest to.
func nearestKey(key string) (meant string, ok bool) {
	const longest = 16 // no key is near to a longer one
	if len(key) > longest {
		return "", false
	}
	for _, name := range []string{"Content-Signal", "Content-Usage", "Clean-param", "License"} {
		if distance(key, lex.Letters(name)) <= 1 {
			return name, true
		}
	}
	for k := robotstxt.UserAgentKind; k <= robotstxt.CrawlDelayKind; k++ {
		if want := lex.Letters(k.String()); distance(key, want) <= min(2, len(want)/4) {
			return k.String(), true
		}
	}
	return "", false
}

// distance returns how many letters must be added, left out or replaced to turn a
// into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// checkComment finds a "#" that cuts a value, but not one that clearly starts a
// comment.
func checkComment(c *checker, l *line) {
	glued := strings.TrimLeft(l.Comment, "#") // empty, or white space and more, in a comment
	if glued == "" || strings.ContainsAny(glued[:1], " \t") {
		return
	}
	if l.Value == "" || l.CommentColumn != l.ValueColumn+len(l.Value) || l.Kind == robotstxt.UserAgentKind || l.Kind == robotstxt.CrawlDelayKind {
		return
	}
	f := Finding{Line: l.Number, Column: l.CommentColumn, Code: "glued-comment",
		Text: fmt.Sprintf("The %q starts a comment, so the value is only %s.", "#", quote(l.Value))}
	if l.Kind == robotstxt.SitemapKind {
		f.Advice = `Drop the "#" and what follows.`
	}
	c.report(f)
}

// checkValue looks at the value, unless somebody forgot to fill it in.
func checkValue(c *checker, l *line) {
	if l.Kind == robotstxt.NoKind || l.Kind == robotstxt.OtherKind && isJunk(l) {
		return
	}
	if i, key := keyIn(l); key != "" {
		f := Finding{Line: l.Number, Column: l.ValueColumn + i, Code: "several-keys",
			Text: "Crawlers read the " + quote(key+":") + " as a part of the value, because a line has only one key."}
		if i == 0 {
			f.Advice = "Drop one of the two keys."
		}
		c.report(f)
		return
	}
	if found := placeholderIn(l); found != "" {
		c.report(Finding{Line: l.Number, Column: l.ValueColumn, Code: "placeholder",
			Text:   "The value has " + quote(found) + ", which looks like a placeholder that was left in.",
			Advice: "Write the real value, or drop the line."})
		return
	}
	for _, check := range valueChecks[l.Kind] {
		check(c, l)
	}
}

// keyIn returns the first key in the value of a line of the protocol, and where it
// is. Paths may have words with a colon, but no space next to them.
func keyIn(l *line) (at int, key string) {
	if !isKnown(l.Kind) || !l.chars.HasAny(colonChars) {
		return 0, ""
	}
	isSpace := func(s string) bool { return s == " " || s == "\t" }
	for i := range len(l.Value) {
		if l.Value[i] != ':' {
			continue
		}
		for _, key := range keysByLength {
			at := i - len(key)
			if at < 0 || !strings.EqualFold(l.Value[at:i], key) {
				continue
			}
			if at == 0 || isSpace(l.Value[at-1:at]) || i+1 < len(l.Value) && isSpace(l.Value[i+1:i+2]) {
				return at, key
			}
		}
	}
	return 0, ""
}

// keysByLength has "Disallow" before the "Allow" in it.
var keysByLength = []string{"Crawl-delay", "User-agent", "Disallow", "Sitemap", "Allow"}

// Placeholders, by what most lines have nothing of.
var (
	bracketed = newMarks("{{", "${", "<%", "{%", "[your", "<your", "{your", "[domain", "<domain", "{domain", "[site", "<site")
	your      = newMarks("your") // in all of yours
	yours     = newMarks(
		"yourdomain.", "your-domain.", "your_domain.", "your.domain", "yoursite.", "your-site.", "your_site.", "yourwebsite.", "your-website.",
		"yourdomainname", "your-domain-name", "yoursitename", "your-site-name", "yourstore.", "your-store.", "yourshop.", "your-shop.", "yourblog.")
	mine = newMarks("mydomain.", "mywebsite.", "my-website.", "domain.tld")
)

// placeholderIn returns the part of the value that a template or an example left.
func placeholderIn(l *line) string {
	if mark := l.placeholder(); mark == "{{" && l.Value[0] == '/' {
		return "" // some sites keep crawlers away from their own broken links
	} else if mark != "" {
		return mark
	}
	if l.Kind == robotstxt.SitemapKind && l.firstFold(&exampleHosts) != "" {
		return exampleHost(strings.ToLower(l.Value))
	}
	return ""
}

// placeholder returns the first placeholder in the value, or nothing.
func (l *line) placeholder() (mark string) {
	if l.chars.HasAny(openingChars) {
		mark = l.firstFold(&bracketed)
	}
	if mark == "" && l.firstFold(&your) != "" {
		mark = l.firstFold(&yours)
	}
	if mark == "" {
		mark = l.firstFold(&mine)
	}
	return mark
}

// exampleHost returns the host of a URL in lower case if it is only an example.
func exampleHost(sitemap string) string {
	u, err := url.Parse(sitemap)
	if err != nil {
		return ""
	}
	host := strings.TrimPrefix(u.Hostname(), "www.")
	if !slices.ContainsFunc(exampleHosts.marks, func(m mark) bool { return m.text == host }) {
		return ""
	}
	return host
}

var exampleHosts = newMarks("example.com", "example.org", "example.net", "example", "localhost", "127.0.0.1")

// isAbsolute reports whether s is one absolute URL of the web.
func isAbsolute(s string) bool {
	if rest, ok := strings.CutPrefix(s, "https://"); ok && rest != "" && rest[0] != '/' && plainURLChars.HasAll(lex.CharsOf(rest)) {
		return true // as most are
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "ftp") && u.Host != "" && !strings.ContainsAny(s, " \t")
}
