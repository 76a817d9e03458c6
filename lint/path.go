package lint

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// checkPath looks at what a path starts with.
func checkPath(c *checker, l *line) {
	if strings.HasPrefix(l.Value, "/") {
		return
	}
	f := Finding{Line: l.Number, Column: l.ValueColumn}
	switch {
	case l.Value == "" && l.Kind == robotstxt.AllowKind:
		f.Column, f.Code, f.Text = l.KeyColumn, "empty-allow", "The line has no path, so it is not a rule, and crawlers ignore it."
	case l.Value == "":
		return
	case isURL(l.Value):
		f.Code, f.Text = "url-as-path", "No path starts like this URL, so the line matches nothing."
		f.Advice = urlAdvice(l)
	case lacksSlash(l.Value):
		f.Code = "path-without-slash"
		f.Text = `The path does not start with "/": some crawlers read ` + quote("/"+l.Value) + ", some ignore the line."
		f.Advice = slashAdvice(l)
		if slashBelongs(l.Value) {
			f.Fix = c.correction(l)
		}
	default:
		return
	}
	c.report(f)
}

// isURL reports whether a path is a whole URL.
func isURL(path string) bool {
	path = strings.ToLower(path[:min(len(path), len("https://"))])
	return strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://")
}

// lacksSlash reports whether a path should start with a "/".
func lacksSlash(path string) bool { return path != "" && !strings.ContainsAny(path[:1], "/*^") }

// slashBelongs reports whether a path that lacks a "/" most likely lacks nothing
// else.
func slashBelongs(path string) bool {
	return !strings.ContainsAny(path[:1], "\"'?&.=$#[({<\\") && !startsWithHost(path) && !strings.Contains(path, "://")
}

// startsWithHost reports whether a path may start with the name of a host.
func startsWithHost(path string) bool {
	first, _, _ := strings.Cut(strings.TrimRight(path, "*$"), "/")
	return strings.Count(first, ".") > 1 && strings.Trim(first, hostCharacters) == "" && first[0] != '.'
}

// ownHost ends advice about a line with a host. Without it, somebody might close
// one site for the sake of another.
const ownHost = "; a robots.txt file is for its own host only, so drop the line if it is about another."

func urlAdvice(l *line) string {
	u, err := url.Parse(l.Value)
	if err != nil || strings.Trim(u.Path, "/*") == "" {
		return "Write the path alone" + ownHost
	}
	u.Scheme, u.Host, u.User = "", "", nil
	return "Write " + quoteWhole(l.Kind.String()+": "+u.String()) + ownHost
}

// hostCharacters are the characters of ordinary hosts.
const hostCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."

func slashAdvice(l *line) string {
	switch {
	case strings.ContainsAny(l.Value[:1], "\"'"):
		return "Write the path without quotation marks."
	case startsWithHost(l.Value), strings.Contains(l.Value, "://"):
		return "Write the path alone, without the host" + ownHost
	case strings.ContainsAny(l.Value[:1], "?&.="):
		return "Write " + quoteWhole(l.Kind.String()+": /*"+l.Value) + ", if it may be anywhere in a URL."
	}
	return "Write " + quoteWhole(l.Kind.String()+": /"+l.Value) + "."
}

// checkPathCharacters finds characters that URLs do not have.
func checkPathCharacters(c *checker, l *line) {
	if l.chars.HasAny(oddPathChars) {
		checkSpace(c, l)
		checkForeign(c, l)
		checkEscapes(c, l)
	}
}

// oddPathChars has what the checks below look for.
var oddPathChars = spaceChars | lex.Foreign | lex.CharsOf("%")

func hasSpace(path string) bool { return strings.ContainsAny(path, " \t") }

// hasSeveralPaths reports whether another path follows a space.
func hasSeveralPaths(path string) bool {
	next := strings.TrimLeft(path[max(0, strings.IndexAny(path, " \t")):], " \t,;")
	return hasSpace(path) && strings.HasPrefix(next, "/") && !strings.HasPrefix(next, "//")
}

func checkSpace(c *checker, l *line) {
	if !hasSpace(l.Value) {
		return
	}
	f := Finding{Line: l.Number, Column: l.ValueColumn + strings.IndexAny(l.Value, " \t"), Code: "space-in-path",
		Text: "The path has a space: some crawlers escape it, some never match it.", Fix: c.correction(l)}
	if hasSeveralPaths(l.Value) {
		f.Code, f.Fix = "several-paths", nil
		f.Text = "All of " + quote(l.Value) + " is one path, spaces included, so the line does not match what it should."
		f.Advice = "Write a line for each path."
	}
	c.report(f)
}

func checkForeign(c *checker, l *line) {
	if !l.chars.HasAny(lex.Foreign) {
		return
	}
	i := strings.IndexFunc(l.Value, func(r rune) bool { return r >= utf8.RuneSelf && !lex.IsBlank(r) })
	if i < 0 {
		return
	}
	f := Finding{Line: l.Number, Column: l.ValueColumn + i, Code: "non-ascii-in-path",
		Text:   "The path has characters outside ASCII: some crawlers escape them, some never match them.",
		Advice: "Write " + quoteWhole(l.Kind.String()+": "+escaped(l.Value)) + "."}
	if !utf8.ValidString(l.Value) {
		f.Text = "The path has bytes that are not UTF-8, so crawlers may not find the characters that are meant."
		f.Advice = "Save the file as UTF-8."
	} else if c.correctedPath(l) != l.Value {
		f.Fix = c.correction(l)
	}
	c.report(f)
}

// checkEscapes finds a "%" that does not start an escape.
func checkEscapes(c *checker, l *line) {
	for i := range len(l.Value) {
		if l.Value[i] == '%' && !isEscape(l.Value[i:]) {
			c.report(Finding{Line: l.Number, Column: l.ValueColumn + i, Code: "bad-escape",
				Text: quote(l.Value[i:min(len(l.Value), i+len("%XX"))]) + ` is not an escape, which is a "%" with two hexadecimal digits.`})
			return
		}
	}
}

// isEscape reports whether s starts with a percent-encoded byte.
func isEscape(s string) bool {
	const hex = "0123456789abcdefABCDEF"
	return len(s) >= len("%XX") && strings.IndexByte(hex, s[1]) >= 0 && strings.IndexByte(hex, s[2]) >= 0
}

// escaped returns s with the bytes outside ASCII percent-encoded.
func escaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			fmt.Fprintf(&b, "%%%02X", s[i])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// checkWildcards finds special characters that mean nothing, or something else
// than they seem to.
func checkWildcards(c *checker, l *line) {
	f := Finding{Line: l.Number}
	if found := regexpIn(l); found != "" {
		f.Column, f.Code = l.ValueColumn+strings.Index(l.Value, found), "regexp-in-path"
		f.Text = "Paths are not regular expressions, and crawlers look for " + quote(found) + " itself."
		if strings.Contains(found, "*") {
			f.Text = "Paths are not regular expressions: in " + quote(found) + `, only the "*" is special.`
		}
		c.report(f)
		return
	}
	if !l.chars.HasAny(wildcardChars) {
		return
	}
	if i := strings.Index(l.Value, "$"); i >= 0 && i < len(l.Value)-1 && !c.hasDollar {
		c.hasDollar = true // once is enough: most of these are meant
		f.Column, f.Code = l.ValueColumn+i, "dollar-not-at-end"
		f.Text = `A "$" ends a path only if it is the last character. This one is part of the path.`
		c.report(f)
	}
	if i := strings.Index(l.Value, "**"); i >= 0 {
		f.Column, f.Code, f.Text = l.ValueColumn+i, "double-star", "Two stars in a row match the same as one."
	} else if i := len(l.Value) - 1; i > 0 && l.Value[i] == '*' {
		f.Column, f.Code, f.Text = l.ValueColumn+i, "trailing-star", "The path matches the same without the star at its end."
	} else {
		return
	}
	if c.starIsIdle(l) {
		f.Fix = c.correction(l)
	}
	c.report(f)
}

// regexpIn returns a part of the path that only a regular expression would have.
func regexpIn(l *line) string {
	if !l.chars.HasAny(regexpChars) {
		return ""
	}
	if strings.HasPrefix(l.Value, "^") {
		return "^"
	}
	for _, m := range regexpMarks.marks {
		if l.chars.HasAll(m.chars) && strings.Contains(l.Value, m.text) {
			return m.text
		}
	}
	if strings.HasPrefix(l.Value, ".*") {
		return ".*"
	}
	return ""
}

var wildcardChars = lex.CharsOf("*$")

// regexpChars has a character of each of the parts that regexpIn looks for.
var regexpChars = lex.CharsOf(`\([)|^+*`)

// regexpMarks are in regular expressions, and hardly ever in paths.
var regexpMarks = newMarks(
	`\.`, `\/`, `\?`, `\d`, `\w`, `\s`, `\-`, `\*`, `(.*`, `(.+`, `(?:`, `.*)`, `[^`, `[0-9`, `[a-z`, `[A-Z`, `[\`, `|/`, `/.+`, `/.*`, `)?`, `)*`, `)+`,
)

// A rival is a rule compared with the others of its group.
type rival struct {
	*line
	form string // the same for rules that match the same
	size int    // in octets, which decide

	first int // the index of the first rival with the form
	best  int // the index of the rival that decides; only the first rival knows it
}

// checkRivals finds rules that do nothing because another rule with the same matches
// is longer, or allows them (RFC 9309, section 2.2.2). [checkDead] finds the others.
func checkRivals(c *checker, g *group) {
	size := 0
	for _, s := range g.sections {
		size += len(s.rules)
	}
	rivals := make([]rival, 0, size)
	first := make(map[string]int, size) // by form
	for _, s := range g.sections {
		for _, l := range s.rules {
			r := newRival(l)
			i := len(rivals)
			if j, known := first[r.form]; known {
				r.first = j
			} else {
				r.first, r.best = i, i
				first[r.form] = i
			}
			rivals = append(rivals, r)
			if best := &rivals[r.first].best; r.beats(&rivals[*best]) {
				*best = i
			}
		}
	}
	for i := range rivals {
		r := &rivals[i]
		if best := rivals[r.first].best; best != i {
			c.reportRival(r, &rivals[best])
		}
		c.checkRobotsTxt(r)
	}
}

func newRival(l *line) rival {
	canonical := l.canonicalPath()
	return rival{line: l, form: formOf(canonical), size: len(canonical)}
}

// beats reports whether r decides where both match. Of equals the first does.
func (r *rival) beats(other *rival) bool {
	return r.size > other.size || r.size == other.size && r.Kind == robotstxt.AllowKind && other.Kind != robotstxt.AllowKind
}

// reportRival says that best decides wherever r matches.
func (c *checker) reportRival(r, best *rival) {
	f := Finding{Line: r.Number, Column: r.KeyColumn}
	switch n, agree := best.Number, best.Kind == r.Kind; {
	case agree && r.form == "/":
		// crawlers with one name in several versions
	case !agree && best.size != r.size:
		return
	case agree:
		f.Code, f.Text, f.Fix = "duplicate-rule", fmt.Sprintf("Line %d says the same.", n), deletion(r.line)
	default:
		f.Code, f.Text = "allow-and-disallow", fmt.Sprintf("The line does nothing, because line %d allows the same path.", n)
	}
	c.idle[r.Number] = true
	if f.Code != "" {
		c.report(f)
	}
}

func (c *checker) checkRobotsTxt(r *rival) {
	if r.Kind == robotstxt.DisallowKind && (r.form == "/robots.txt" || r.form == "/robots.txt$") {
		c.report(Finding{Line: r.Number, Column: r.KeyColumn, Code: "robots-txt-disallowed",
			Text: "The line does nothing, because robots.txt itself can always be fetched."})
	}
}

// matchesAll reports whether a path matches every URL.
func matchesAll(path string) bool {
	for i := range len(path) {
		if c := path[i]; c != '/' && c != '*' && c != '$' {
			return false
		}
	}
	return path != "" && strings.TrimLeft(formOf(robotstxt.NewPattern(path).Canonical()), "*") == "/"
}

// formOf returns a string that is the same for canonical paths that match the same, as
// far as escapes (RFC 9309, section 2.2.2) and stars go.
func formOf(canonical string) string {
	if !strings.Contains(canonical, "*") {
		return canonical
	}
	form := canonical
	for strings.Contains(form, "**") {
		form = strings.ReplaceAll(form, "**", "*")
	}
	open, ok := strings.CutSuffix(strings.TrimSuffix(form, "$"), "*")
	if !ok {
		return form
	}
	if literal, ok := strings.CutSuffix(open, "$"); ok {
		open = literal + "%24" // a "$" would become special
	}
	return cmp.Or(open, "/")
}
