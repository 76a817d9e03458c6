// Package format writes a robots.txt file in a normal form.
package format

import (
	"errors"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// ErrUTF16 is the error for a file in UTF-16 without a byte-order mark.
var ErrUTF16 = errors.New("the file is in UTF-16 without a byte-order mark; save it as UTF-8")

// Format returns a robots.txt file in a normal form, for people and for strict crawlers:
//
//   - keys are in their usual spelling, followed by a colon and a space;
//   - each user-agent line names one crawler;
//   - groups for the same crawlers become one group, in the place of the first;
//   - a blank line separates groups, and no group contains a blank line;
//   - sitemaps are at the end;
//   - the text is UTF-8 without a byte-order mark, and all lines end in the same way as the first line.
//
// Decisions, rules, records and sitemaps stay the same, except for their line numbers. A
// record between two user-agent lines stays there, because it applies only to the crawlers
// above it. Format does not join groups that share only some of their crawlers. It keeps
// lines without effect, and does not change lines that package robotstxt does not understand.
// A comment moves together with its line, or with the line below it. Formatting the result again
// changes nothing.
//
// Format accepts any bytes. It returns [section.ErrTooLarge] if the file or the result is
// larger than [robotstxt.SizeLimit]. It returns [ErrUTF16] if the file or the result looks
// like UTF-16 without a byte-order mark.
func Format(data []byte) ([]byte, error) {
	switch {
	case section.IsUnmarkedUTF16(data):
		return nil, ErrUTF16
	case section.Size(data) > robotstxt.SizeLimit:
		return nil, section.ErrTooLarge
	}
	f := formatter{last: map[string]*block{}}
	for _, s := range section.Cut(data) {
		f.current = &block{tokens: map[string]*block{}}
		f.blocks = append(f.blocks, f.current)
		for _, l := range s.Lines {
			f.add(l)
		}
		f.closeBlock()
	}
	text := f.text(lineEnd(lex.UTF8(data, len(data))))
	switch {
	case len(text) > robotstxt.SizeLimit:
		return nil, section.ErrTooLarge
	case section.IsUnmarkedUTF16(text): // changing the line endings can make a tiny file look like UTF-16
		return nil, ErrUTF16
	}
	return text, nil
}

// lineEnd returns the line ending of the first line, or LF if there is none.
func lineEnd(text []byte) string {
	if i := slices.IndexFunc(text, func(c byte) bool { return c == '\r' || c == '\n' }); i >= 0 {
		return section.LineEnd(text[i:])
	}
	return "\n"
}

// A formatter collects the lines of a file in their new order.
type formatter struct {
	header   []string // comments at the top of the file
	blocks   []*block // the first block contains the lines above the first user-agent line
	current  *block
	sitemaps []entry
	above    []string          // the comments that will go above the next line
	last     map[string]*block // for each folded token: the last block that names the token
}

// A block is a section of the formatted file.
type block struct {
	lines  []entry
	tokens map[string]*block // for each folded token in this block: the last earlier block that names the token, or nil
	mixed  bool              // whether a user-agent line follows a record in the block
}

// An entry is a line with its comments.
type entry struct {
	above   []string // comments above the line; "" stands for a blank line between comments
	text    string   // the line without its comment
	comment string   // the comment on the line
	isAgent bool
}

func (f *formatter) add(l robotstxt.Line) {
	switch l.Kind {
	case robotstxt.NoKind:
		text := strings.TrimLeft(l.Text, "\uFEFF")
		if trimmed := lex.Trim(text); trimmed == "" || trimmed[0] == '#' {
			text = trimmed
		}
		isFirst := len(f.above) == 0 || f.above[len(f.above)-1] == ""
		if text != "" || !isFirst {
			f.above = append(f.above, text)
		}
	case robotstxt.SitemapKind:
		f.addSitemap(l)
	case robotstxt.UserAgentKind:
		f.addUserAgent(l)
	default:
		f.current.lines = append(f.current.lines, f.entry(l, l.Value))
	}
}

// entry returns the entry for a line and the comments above it. In the entry, the given value
// replaces the value of the line. But if the line is prose with a colon, entry keeps its text.
func (f *formatter) entry(l robotstxt.Line, value string) entry {
	key := l.Kind.String()
	if l.Kind == robotstxt.OtherKind || section.IsCommentedOut(&l) {
		key = l.Key
		if name := section.RecordKey(key); strings.EqualFold(key, name) {
			key = name
		}
	}
	e := entry{above: f.above, text: key + ":", comment: lex.TrimRight(l.Comment), isAgent: l.Kind == robotstxt.UserAgentKind}
	if value != "" {
		e.text += " " + value
	}
	if l.Kind == robotstxt.OtherKind && !section.IsRecord(&l) {
		e.text, e.comment = l.Text, ""
	}
	f.above = nil
	return e
}

// addSitemap moves a sitemap out of its group. The comments directly above the sitemap move, too,
// but not those above a blank line.
func (f *formatter) addSitemap(l robotstxt.Line) {
	i := len(f.above)
	for i > 0 && f.above[i-1] != "" {
		i--
	}
	others := f.above[:i]
	f.above = slices.Clone(f.above[i:])
	f.sitemaps = append(f.sitemaps, f.entry(l, l.Value))
	if len(f.current.lines) == 0 {
		f.header = append(f.header, others...)
	} else {
		f.above = others
	}
}

// addUserAgent adds a user-agent line for each name on the line l. If l has no names, addUserAgent
// adds one line with the value of l.
func (f *formatter) addUserAgent(l robotstxt.Line) {
	b := f.current
	var names []string
	for _, name := range lex.Names(l.Value) {
		if name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		names = append(names, l.Value)
	}
	for _, name := range names {
		e := f.entry(l, name)
		l.Comment = ""
		if token := lex.Fold(name[:lex.NameLen(name)]); token != "" && f.last[token] != b {
			b.tokens[token] = f.last[token]
			f.last[token] = b
		}
		b.mixed = b.mixed || len(b.lines) > 0 && !b.lines[len(b.lines)-1].isAgent
		b.lines = append(b.lines, e)
	}
}

// closeBlock merges the current block into an earlier block for the same tokens, if there is one.
// It does not merge if a block between the two names any of the tokens, because the lines for each
// token must stay in order. It does not merge mixed blocks, because some of their records apply
// only to some of their tokens.
func (f *formatter) closeBlock() {
	b := f.current
	earlier := b.before()
	if earlier == nil || earlier.mixed || b.mixed {
		return
	}
	var comments []string
	body := b.lines
	for ; len(body) > 0 && body[0].isAgent; body = body[1:] {
		comments = append(comments, body[0].above...)
		if body[0].comment != "" {
			comments = append(comments, body[0].comment)
		}
	}
	if len(body) > 0 {
		body[0].above = append(comments, body[0].above...)
	} else {
		f.above = append(comments, f.above...)
	}
	earlier.lines = append(earlier.lines, body...)
	for token := range b.tokens {
		f.last[token] = earlier
	}
	f.blocks = f.blocks[:len(f.blocks)-1]
}

// The method before looks for the last block above b that names any of b's tokens. If this
// block has exactly the same tokens as b, before returns the block. In all other cases, before
// returns nil.
func (b *block) before() *block {
	var before *block
	for _, earlier := range b.tokens {
		if earlier == nil || before != nil && before != earlier || len(earlier.tokens) != len(b.tokens) {
			return nil
		}
		before = earlier
	}
	return before
}

func (f *formatter) text(end string) []byte {
	parts := [][]entry{{{above: f.header}}}
	for _, b := range f.blocks {
		parts = append(parts, b.lines)
	}
	var text []string
	for _, part := range append(parts, f.sitemaps, []entry{{above: f.above}}) {
		lines := linesOf(part)
		if len(lines) > 0 && len(text) > 0 {
			text = append(text, "")
		}
		text = append(text, lines...)
	}
	if len(text) == 0 {
		return nil
	}
	if lex.IsUTF16([]byte(text[0])) {
		text = append([]string{""}, text...) // otherwise the file would be read as UTF-16
	}
	return []byte(strings.Join(text, end) + end)
}

// linesOf returns the lines of a part of the file, such as a block or the sitemaps. A part of
// nothing but comments has one entry, whose text is empty.
func linesOf(entries []entry) (lines []string) {
	for i, e := range entries {
		for _, line := range e.above {
			if line != "" || i == 0 {
				lines = append(lines, line)
			}
		}
		if e.comment != "" {
			e.text += " " + e.comment
		}
		lines = append(lines, e.text)
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
