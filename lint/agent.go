package lint

import (
	"fmt"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// checkUserAgent looks at the names on a user-agent line.
func checkUserAgent(c *checker, l *line) {
	if strings.Trim(l.Value, ", \t") == "" {
		c.report(Finding{Line: l.Number, Column: l.ValueColumn, Code: "empty-user-agent",
			Text: "The line names no crawler."})
		return
	}
	if i := strings.Index(l.Value, "["); i >= 0 && !strings.Contains(l.Value, "(") {
		checkFlags(c, l, i)
		return
	}
	names := 0
	for offset, name := range lex.Names(l.Value) {
		if name != "" {
			checkToken(c, l, l.ValueColumn+offset, name)
			names++
		}
	}
	if names > 1 {
		c.report(Finding{Line: l.Number, Column: l.ValueColumn, Code: "several-tokens", Fix: c.correction(l),
			Text: "The line names several crawlers, and some crawlers expect one name per line."})
	}
}

// checkFlags finds what is left of an Apache rewrite rule, such as [NC,OR].
func checkFlags(c *checker, l *line, at int) {
	name := lex.Trim(l.Value[:at])
	advice := `Write the crawler's name alone.`
	if token, rest := cutName(name); token != "" && rest == "" {
		advice = "Write " + quoteWhole("User-agent: "+token) + "."
	}
	c.report(Finding{Line: l.Number, Column: l.ValueColumn + at, Code: "token-with-space", Advice: advice,
		Text: quote(l.Value[at:]) + " is not part of a crawler's name; it may be left from an .htaccess file."})
}

// cutName cuts a name on a user-agent line into its token and the rest.
func cutName(name string) (token, rest string) {
	n := lex.NameLen(name)
	return name[:n], name[n:]
}

// isVersionOrStar reports whether the rest of a name is a version or starts with a
// star, which means nothing to crawlers.
func isVersionOrStar(token, rest string) bool {
	return token != "" && token != "*" && !strings.EqualFold(token, "Mozilla") && rest != "" && (rest[0] == '/' || rest[0] == '*')
}

// checkToken looks at one of the names on a line.
func checkToken(c *checker, l *line, column int, name string) {
	token, rest := cutName(name)
	f := Finding{Line: l.Number, Column: column + len(token)}
	f.Code, f.Text, f.Advice = tokenProblem(token, rest)
	switch {
	case f.Code != "":
		if isVersionOrStar(token, rest) {
			f.Fix = c.correction(l)
		}
		c.report(f)
	case token == "" || token == "*":
	case checkKnownName(c, l, column, token):
	default:
		checkTokenCharacters(c, l, column, token)
	}
}

// tokenProblem returns what is wrong with a token and what follows it, or nothing.
func tokenProblem(token, rest string) (code, text, advice string) {
	if rest == "" && !strings.EqualFold(token, "Mozilla") {
		return "", "", ""
	}
	const counts = " counts for most crawlers, and "
	only, write := "Only "+quote(token), "Write "+quoteWhole("User-agent: "+token)+"."
	switch {
	case strings.EqualFold(token, "Mozilla"):
		return "user-agent-header", only + " counts, and no crawler has that name.", tokenAdvice(token + rest)
	case token == "":
		return "unusable-token", quote(rest) + " cannot be a crawler's name, so the line is for nobody.", tokenAdvice(strings.TrimLeft(rest, "*/ \"'<[({"))
	case token == "*":
		return "unusable-token", only + " counts, so this is for all crawlers, not only for those named after it.", tokenAdvice(lex.Trim(rest))
	case strings.EqualFold(token, "Sogou"):
		return "", "", "" // its documentation has names of several words
	case rest[0] == '/':
		return "token-with-version", only + counts + "some crawlers do not find their name if a version follows.", write
	case rest[0] == '*':
		return "token-with-star", only + counts + "a star is not a wildcard here.", write
	}
	if strings.EqualFold(lex.Trim(rest), "Slurp") {
		advice = `Write "User-agent: Slurp".`
	}
	return "token-with-space", only + counts + "they ignore what follows.", advice
}

// tokenAdvice proposes the name that is in a header.
func tokenAdvice(header string) string {
	token := robotstxt.ProductToken(header)
	switch {
	case token != "" && strings.Trim(token, ".-_*") == "":
		return `Write "User-agent: *" for all crawlers.`
	case token == "", strings.EqualFold(token, "Mozilla"), strings.EqualFold(token, "MSIE"):
		return `Write the crawler's name, such as "User-agent: FooBot", or "User-agent: *" for all crawlers.`
	}
	return fmt.Sprintf("Write %s, if that is meant.", quoteWhole("User-agent: "+token))
}

// checkTokenCharacters finds names with characters that hardly any crawler has in
// its name. The RFC's grammar does not even allow digits and dots (RFC 9309, section
// 2.2.1), but MJ12bot and archive.org_bot are well known.
func checkTokenCharacters(c *checker, l *line, column int, token string) {
	foreign := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r))
	}
	i := strings.IndexFunc(token, foreign)
	if i < 0 {
		return
	}
	f := Finding{Line: l.Number, Column: column + i, Code: "token-characters",
		Text: "Names have only letters, digits, \"-\", \"_\" and \".\", so many crawlers do not read all of " + quote(token) + "."}
	if i > 2 {
		f.Advice = "Write " + quoteWhole("User-agent: "+token[:i]) + ", if that is the crawler's name."
	}
	c.report(f)
}
