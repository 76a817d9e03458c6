package lint

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/reading"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// Checks of what a line consists of: characters, key and colon.

func invisibleCharacter(p *pass, l *line) {
	text := strings.TrimSuffix(l.Text, l.Comment)
	if !lex.CharsOf(text).HasAny(lex.Controls | lex.NonASCII) {
		return // only to save time
	}
	if i := strings.IndexFunc(text, isInvisible); i >= 0 {
		r := []rune(text[i:])[0]
		f := p.report(l, i+1, quote(string(r)))
		f.Fix = l.rewriteIfSameValue(strings.Map(replaceInvisible, text) + l.Comment)
	}
}

// isInvisible reports whether r is a blank or invisible character other than a space or tab. It
// leaves out C1 control characters: text that was decoded with the wrong charset has them inside
// letters.
func isInvisible(r rune) bool {
	isC1 := 0x80 <= r && r <= 0x9F
	return lex.IsBlank(r) && r != ' ' && r != '\t' && !isC1
}

// replaceInvisible returns a space for an invisible character that is as wide as one, -1 for any other
// invisible character, and r for a visible one.
func replaceInvisible(r rune) rune {
	switch {
	case !isInvisible(r):
		return r
	case unicode.IsSpace(r):
		return ' '
	}
	return -1
}

func escapedLineBreak(p *pass, l *line) {
	before, after, ok := strings.Cut(l.Value, `\n`)
	if next := firstLine(after).Kind; ok && (after == "" || next != none && next != other) {
		p.report(l, l.ValueColumn+len(before))
	}
}

// quotes are pairs of quotation marks.
var quotes = [][2]string{{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"”", "”"}, {"„", "“"}, {"‘", "’"}, {"’", "’"}, {"«", "»"}}

func quotedValue(p *pass, l *line) {
	for _, pair := range quotes {
		inside, isStart := strings.CutPrefix(l.Value, pair[0])
		inside, isEnd := strings.CutSuffix(inside, pair[1])
		if isStart && isEnd && inside != "" {
			p.report(l, l.ValueColumn, quote(inside))
			return
		}
	}
}

// secondKey matches a key in a value, as in "/a disallow: /b". If it is spelled in the usual way, no space
// has to be before it, as in "/aDisallow: /b". A space is somewhere in such a value.
var secondKey = regexp.MustCompile(`(^| )(?i:User-agent|Disallow|Allow|Sitemap|Crawl-delay) *:|(User-agent|Disallow|Allow|Sitemap|Crawl-delay) *:`)

func severalKeys(p *pass, l *line) {
	if secondKey.MatchString(l.Value) {
		p.report(l, l.ValueColumn)
	}
}

func misspelledKey(p *pass, l *line) {
	key := ""
	switch {
	case reading.IsMisspelled(l.Line):
		key = l.Kind.String()
	case !l.isKnown():
		key = similarKey(l.Key)
	}
	if key == "" || strings.EqualFold(l.Key, key) {
		return
	}
	advice := quote(key + ":")
	if strings.ContainsAny(l.Key, dashes) {
		advice += " with the hyphen of the keyboard, not with a dash"
	}
	f := p.report(l, l.KeyColumn, advice)
	if l.isKnown() && isWord(l.Key) {
		f.Fix = l.replace(l.KeyColumn, len(l.Key), key)
	}
}

// dashes look like the hyphen of User-agent. Word processors put them in its place.
const dashes = "‐‑‒–—−"

// isWord reports whether a key consists of letters, spaces, hyphens, dashes and underscores. Other marks,
// as in "//Disallow", may be there on purpose.
func isWord(key string) bool {
	isOther := func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(" -_"+dashes, r) }
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
