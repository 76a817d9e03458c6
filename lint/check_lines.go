package lint

import (
	"strings"
	"unicode"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// Checks of what a line consists of: characters, key and colon.

func invisibleCharacter(p *pass, l *line) {
	text := strings.TrimSuffix(l.Text, l.Comment)
	if !lex.CharsOf(text).HasAny(lex.Controls | lex.Foreign) {
		return // only to save time
	}
	if i := strings.IndexFunc(text, isInvisible); i >= 0 {
		r := []rune(text[i:])[0]
		f := p.report(l, i+1, quote(string(r)))
		f.Fix = l.rewrite(strings.Map(visible, text) + l.Comment)
	}
}

// isInvisible reports whether r is a blank or invisible character other than a space or tab. It
// leaves out the control characters from U+0080 on: they are the rest of a letter after a wrong
// conversion.
func isInvisible(r rune) bool {
	isRest := 0x80 <= r && r <= 0x9F
	return lex.IsBlank(r) && r != ' ' && r != '\t' && !isRest
}

// visible returns a space for an invisible character that is as wide as one, and -1 for any other
// invisible character.
func visible(r rune) rune {
	switch {
	case !isInvisible(r):
		return r
	case unicode.IsSpace(r):
		return ' '
	}
	return -1
}

// rewrite returns an edit that replaces the text of the line, or nil if the value would change.
func (l *line) rewrite(text string) *Edit {
	for changed := range robotstxt.Lines([]byte(text)) {
		if changed.Value == l.Value {
			return &Edit{Text: text}
		}
		break
	}
	return nil
}

func severalKeys(p *pass, l *line) {
	for i := range len(l.Value) {
		if l.Value[i] == ':' && endsWithKey(strings.TrimRight(l.Value[:i], " ")) {
			p.report(l, l.ValueColumn)
			return
		}
	}
}

// endsWithKey reports whether the last word of a text is a key. The word need not be apart from the
// text before it if the key is in its usual spelling, as in "/a/Disallow".
func endsWithKey(text string) bool {
	for _, key := range keys {
		start := len(text) - len(key.usual)
		if start < 0 || !strings.EqualFold(text[start:], key.usual) {
			continue
		}
		isApart := start == 0 || text[start-1] == ' '
		if isApart || text[start:] == key.usual {
			return true
		}
	}
	return false
}

func misspelledKey(p *pass, l *line) {
	if !l.isKnown() {
		if similar := similarKey(l.Key); similar != "" {
			p.report(l, l.KeyColumn, quote(similar+":"))
		}
		return
	}
	key := l.Kind.String()
	if strings.EqualFold(l.Key, key) {
		return
	}
	f := p.report(l, l.KeyColumn, quote(key+":"))
	if isWord(l.Key) {
		f.Fix = l.replace(l.KeyColumn, len(l.Key), key)
	}
}

// isWord reports whether a key consists of letters, spaces, hyphens and underscores. Other marks, as in
// "//Disallow", may be there on purpose.
func isWord(key string) bool {
	isOther := func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(" -_", r) }
	return !strings.ContainsFunc(key, isOther)
}

func missingColon(p *pass, l *line) {
	if !l.Colon {
		end := l.KeyColumn + len(l.Key)
		p.report(l, end).Fix = l.replace(end, 0, ":")
	}
}

func junkLine(p *pass, l *line) {
	if !section.IsRecord(l.Line) && strings.ContainsFunc(l.content(), unicode.IsLetter) {
		p.report(l, 1)
	}
}
