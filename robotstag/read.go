package robotstag

import (
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A cursor reads the value of a line piece by piece. Commas and semicolons separate pieces.
type cursor struct {
	*line
	text       string // the value, with spaces for blanks and quotes outside ASCII
	token      string // the crawler to which the next directives apply
	member     bool   // the token applies to one list member only, as in "FooBot;noindex"
	first      bool   // the piece is the first in a list member
	unread     bool   // no part of the piece has been read
	start, end int    // bounds of the rest of the piece, without blanks and quotes around it
	pieceEnd   int
}

func isSeparator(c byte) bool { return c == ',' || c == ';' }
func isBlank(c byte) bool     { return c < utf8.RuneSelf && !lex.IsGraphic(c) }
func isMargin(c byte) bool    { return isBlank(c) || c == '"' || c == '\'' }
func isSign(c byte) bool      { return c == ':' || c == '=' }
func endsWord(c byte) bool    { return isBlank(c) || isSign(c) }

// plain replaces blanks and quotes outside ASCII with one space for each of their bytes, so
// that all other bytes keep their positions.
func plain(s string) string {
	if !lex.CharsOf(s).HasAny(lex.Foreign) {
		return s
	}
	text := []byte(s)
	for i, r := range s {
		if lex.IsBlank(r) || strings.ContainsRune("“”‘’", r) {
			copy(text[i:], "    "[:utf8.RuneLen(r)])
		}
	}
	return string(text)
}

// find returns the index in text of the first byte of a class between start and end, or end
// if there is none.
func find(text string, start, end int, class func(byte) bool) int {
	for start < end && !class(text[start]) {
		start++
	}
	return start
}

// trimmed returns the bounds of text[start:end] without blanks and quotes around it.
func trimmed(text string, start, end int) (int, int) {
	for start < end && isMargin(text[start]) {
		start++
	}
	for start < end && isMargin(text[end-1]) {
		end--
	}
	return start, end
}

// nextPiece moves to the next piece. It returns false if there is none.
func (c *cursor) nextPiece() bool {
	next := c.pieceEnd + 1
	if next >= len(c.text) {
		return false
	}
	c.first, c.unread = next == 0 || c.text[next-1] == ',', true
	if c.first && c.member {
		c.member, c.token = false, ""
	}
	c.pieceEnd = find(c.text, next, len(c.text), isSeparator)
	c.start, c.end = trimmed(c.text, next, c.pieceEnd)
	return true
}

// next reads a directive or a name at the start of the rest of the piece. It returns false
// for a name. A directive without a value ends at a blank, and every other directive at the
// end of the piece.
func (c *cursor) next() (d Directive, ok bool) {
	wordEnd := find(c.text, c.start, c.end, endsWord)
	rest, _ := trimmed(c.text, wordEnd, c.end)
	if c.text[rest:c.end] == "=?1" { // "?1" means true in a structured field
		rest = c.end
	}
	_, wordEnd = trimmed(c.text, c.start, wordEnd)
	word := c.value[c.start:wordEnd]
	d.kind = kindOf(word)
	if d.kind == unknown && c.readName(word, rest) {
		return d, false
	}
	d.Token, d.Source, d.Number, d.Offset = c.token, c.source, c.number, c.offset
	if c.source != Meta {
		d.Offset = c.start
	}
	start, end, next := c.start, c.end, c.end
	hasSign := rest < c.end && isSign(c.text[rest])
	switch {
	case hasSign != (d.kind >= maxSnippet):
		d.kind = unknown
	case hasSign:
		if d.kind == unavailableAfter {
			c.readDate(rest + 1)
		}
		from, to := trimmed(c.text, rest+1, c.end)
		d.Value, end, next = c.value[from:to], c.end, c.end
	case d.kind != unknown:
		end, next = wordEnd, rest
	}
	d.Name, d.Text = names[d.kind], c.value[start:end]
	c.start, c.unread = next, false
	return d, true
}

// readName reports whether word, at the start of a piece of a header, is a crawler's name,
// as in "FooBot: noindex" and "FooBot;noindex". If so, the next directives apply to that
// crawler.
func (c *cursor) readName(word string, rest int) bool {
	token, ok := crawler(word)
	if !ok || c.source == Meta || c.member || !c.unread {
		return false
	}
	isMember := rest == c.end && c.first && strings.HasPrefix(c.text[c.pieceEnd:], ";")
	after, _ := trimmed(c.text, min(rest+1, c.end), c.end)
	isPrefix := rest < c.end && c.text[rest] == ':' && (after == c.end || isLetter(c.text[after])) // "revisit-after: 7 days" names no crawler
	if isMember || isPrefix {
		c.token, c.member, c.start, c.unread = token, isMember, after, false
	}
	return isMember || isPrefix
}

// crawler returns the product token in s, if s can be a crawler's name: a token, perhaps
// with a version. The token is empty if s names all crawlers.
func crawler(s string) (token string, ok bool) {
	n := lex.NameLen(s)
	if n == 0 || n < len(s) && s[n] != '/' || find(s, n, len(s), isBlank) < len(s) {
		return "", false
	}
	if s[:n] == "*" || strings.EqualFold(s[:n], "robots") {
		return "", true
	}
	return s[:n], true
}

// readDate extends the piece if the date at start goes on after a comma, as in "Friday,
// 25-Jun-27". It adds up to three further pieces, each of which starts with a digit.
func (c *cursor) readDate(start int) {
	for end, more := c.pieceEnd, 3; more > 0 && strings.HasPrefix(c.text[end:], ","); more-- {
		next := find(c.text, end+1, len(c.text), isSeparator)
		digit, to := trimmed(c.text, end+1, next)
		if digit == to || !isDigit(c.text[digit]) {
			return
		}
		end = next
		from, to := trimmed(c.text, start, to)
		if _, ok := parseDate(c.text[from:to]); ok {
			c.pieceEnd, c.end = end, to
		}
	}
}
