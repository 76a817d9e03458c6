package rules

import (
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// urlOf returns a URL that package robotstxt converts to the given target. Usually, the
// target itself is such a URL. But the package would read two slashes at the start of the
// target as the start of a host, and it could read a literal "%" as an escape.
func urlOf(target string) string {
	if !strings.HasPrefix(target, "//") && !strings.Contains(target, "%") {
		return target
	}
	var b strings.Builder
	if strings.HasPrefix(target, "//") {
		b.WriteString("https://example.com")
	}
	for i := 0; i < len(target); i++ {
		b.WriteByte(target[i])
		if target[i] == '%' && isFalseEscape(target[i:]) {
			const hex = "0123456789ABCDEF"
			i++ // escape the octet after "%": for "%41", write "%34" instead of "4"
			b.Write([]byte{'%', hex[target[i]>>4], hex[target[i]&15]})
		}
	}
	return b.String()
}

// isFalseEscape reports whether s, a part of a canonical target, starts with text that looks like
// an escape but is not one. In a canonical target, letters and digits are never escaped, and real
// escapes are in upper case. So "%41" and "%2f" are a literal "%" and two more characters.
func isFalseEscape(s string) bool {
	c, ok := lex.Unescape(s)
	return ok && (lex.IsUnreserved(c) || strings.ToUpper(s[:3]) != s[:3])
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// example returns a target that the pattern probably matches. It replaces wildcards between
// punctuation marks with "x", and removes all other wildcards.
func (p *pattern) example() string {
	target := make([]byte, 0, len(p.form)+1)
	if !strings.HasPrefix(p.form, "/") && !strings.HasPrefix(p.form, "*/") {
		target = append(target, '/')
	}
	for i := range len(p.form) {
		n := len(target)
		switch {
		case p.form[i] != '*':
			target = append(target, p.form[i])
		case n > 0 && !isAlphanumeric(target[n-1]) && !isAlphanumeric(p.form[i+1]):
			target = append(target, 'x')
		}
	}
	return string(target)
}
