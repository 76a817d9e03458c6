package robotstag

import (
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A cursor reads the value of a line piece by piece. Commas and semicolons separate pieces.
type cursor struct {
	*line
	text       string // the value, with spaces in place of blanks and quotes outside ASCII; see plain
	token      string // the crawler to which the next directives apply
	untilComma bool   // whether token applies only up to the next comma, as in "FooBot;noindex"
	first      bool   // the piece is the first one of the value, or comes after a comma
	unread     bool   // nothing has been read from the piece yet
	start, end int    // text[start:end] is the unread part of the piece, without the blanks and quotes around it
	pieceEnd   int    // the index of the separator after the piece, or len(text); -1 before the first piece
}

func isSeparator(c byte) bool { return c == ',' || c == ';' }
func isBlank(c byte) bool     { return c < utf8.RuneSelf && !lex.IsGraphic(c) }
func isMargin(c byte) bool    { return isBlank(c) || c == '"' || c == '\'' }
func isSign(c byte) bool      { return c == ':' || c == '=' }
func endsWord(c byte) bool    { return isBlank(c) || isSign(c) }

// plain replaces blanks and quotes outside ASCII with spaces, one space for each byte. So all
// other characters keep their positions.
func plain(s string) string {
	if !lex.CharsOf(s).HasAny(lex.NonASCII) {
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

// find returns the index in text of the first byte between start and end for which class returns
// true. If there is no such byte, find returns end.
func find(text string, start, end int, class func(byte) bool) int {
	for start < end && !class(text[start]) {
		start++
	}
	return start
}

// trimmed moves start and end inward past blanks and quotes, and returns them.
func trimmed(text string, start, end int) (int, int) {
	for start < end && isMargin(text[start]) {
		start++
	}
	for start < end && isMargin(text[end-1]) {
		end--
	}
	return start, end
}

// nextPiece moves to the next piece, or returns false if there is no next piece.
func (c *cursor) nextPiece() bool {
	next := c.pieceEnd + 1
	if next >= len(c.text) {
		return false
	}
	c.first, c.unread = next == 0 || c.text[next-1] == ',', true
	if c.first && c.untilComma {
		c.untilComma, c.token = false, ""
	}
	c.pieceEnd = find(c.text, next, len(c.text), isSeparator)
	c.start, c.end = trimmed(c.text, next, c.pieceEnd)
	return true
}

// next reads and returns the next directive of the piece. If the piece starts with the name of a
// crawler, next reads only the name, and returns false. A known directive without a value ends
// at a blank, so another directive can follow. Any other directive extends to the end of the
// piece.
func (c *cursor) next() (d Directive, ok bool) {
	wordEnd := find(c.text, c.start, c.end, endsWord)
	rest, _ := trimmed(c.text, wordEnd, c.end)
	if c.text[rest:c.end] == "=?1" { // in a structured field, "?1" means true
		rest = c.end
	}
	_, wordEnd = trimmed(c.text, c.start, wordEnd)
	word := c.value[c.start:wordEnd]
	name, hasValue := lookUp(word)
	if name == "" && c.readName(word, rest) {
		return d, false
	}
	d.Token, d.Source, d.Number, d.Offset = c.token, c.source, c.number, c.offset
	if c.source != Meta {
		d.Offset = c.start
	}
	start, end, next := c.start, c.end, c.end
	hasSign := rest < c.end && isSign(c.text[rest])
	switch {
	case hasSign != hasValue:
		name = ""
	case hasSign:
		if name == "unavailable_after" {
			c.readDate(rest + 1)
		}
		from, to := trimmed(c.text, rest+1, c.end)
		d.Value, end, next = c.value[from:to], c.end, c.end
	case name != "":
		end, next = wordEnd, rest
	}
	d.Name, d.Text = name, c.value[start:end]
	c.start, c.unread = next, false
	return d, true
}

// readName reports whether word is a crawler's name, as in "FooBot: noindex" and
// "FooBot;noindex". If so, it makes the next directives apply to that crawler. In a header,
// the first word of a piece can be a crawler's name. In a meta element, no word is a crawler's
// name. The parameter rest is the index of the text after the word.
func (c *cursor) readName(word string, rest int) bool {
	token, ok := crawler(word)
	if !ok || c.source == Meta || c.untilComma || !c.unread {
		return false
	}
	beforeSemicolon := rest == c.end && c.first && strings.HasPrefix(c.text[c.pieceEnd:], ";")
	after, _ := trimmed(c.text, min(rest+1, c.end), c.end)
	beforeColon := rest < c.end && c.text[rest] == ':' && (after == c.end || isLetter(c.text[after])) // "revisit-after: 7 days" names no crawler
	if beforeSemicolon || beforeColon {
		c.token, c.untilComma, c.start, c.unread = token, beforeSemicolon, after, false
	}
	return beforeSemicolon || beforeColon
}

// crawler returns the product token in s, or an empty token if s names all crawlers. It
// reports false if s cannot be a crawler's name. A version or a star can follow the token, as on
// user-agent lines of robots.txt: "FooBot/1.0" and "FooBot*" name FooBot. A colon cannot, because
// "twitter:card" is the name of a meta element that is not for crawlers.
func crawler(s string) (token string, ok bool) {
	token, _ = lex.NameToken(s)
	rest := s[len(token):]
	hasSuffix := strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "*")
	if token == "" || rest != "" && !hasSuffix || find(rest, 0, len(rest), isBlank) < len(rest) {
		return "", false
	}
	if token == "*" || strings.EqualFold(token, "robots") {
		return "", true
	}
	return token, true
}

// readDate looks for the end of a date that begins at the index start. A comma usually ends a
// piece, but it can also be part of a date, as in "Friday, 25-Jun-27". So readDate tries to add
// the next pieces to the current piece: one, two or three, as long as each begins with a digit.
// The current piece is extended by the largest number of pieces that makes the text a date.
// If no number does, the current piece stays as it is.
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
