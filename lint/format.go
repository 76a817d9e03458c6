package lint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// ErrTooLarge is what [Format] returns for a file of which crawlers do not read
// the end, or would not.
var ErrTooLarge = errors.New("the file is, or would be, larger than the 500 KiB that crawlers read")

// Format writes a robots.txt file anew in a normal form, for people to read and
// for crawlers with few leniencies:
//
//   - keys in their usual spelling, followed by a colon and a space;
//   - one crawler in a user-agent line, and all user-agent lines of a group above
//     its rules and records;
//   - groups for the same crawlers joined at the place of the first;
//   - a blank line between groups and none within;
//   - sitemaps at the end;
//   - lines ending in LF, in UTF-8 without a byte-order mark.
//
// No decision changes, and neither does anything else that package robotstxt
// knows of a group but its line numbers: the order of rules and records stays. So
// groups that share only some of their crawlers are not joined, and lines that do
// nothing are kept; [Check] finds those. Comments stay with the lines that they
// stand above or behind. To format what Format has written changes nothing.
//
// Any bytes will do as data, but Format returns [ErrTooLarge] rather than a file
// that has lost rules at its end.
func Format(data []byte) ([]byte, error) {
	if textSize(data) > robotstxt.SizeLimit {
		return nil, ErrTooLarge
	}
	f := formatter{blocks: []*block{{}}, last: map[string]*block{}}
	for l := range robotstxt.Lines(data) {
		f.add(l)
	}
	f.closeBlock()
	text := f.text()
	if len(text) > robotstxt.SizeLimit {
		return nil, ErrTooLarge
	}
	return text, nil
}

// textSize returns the size of a file in UTF-8, which counts for the limit.
func textSize(data []byte) int {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte("\xFE\xFF")):
		order = binary.BigEndian
	case bytes.HasPrefix(data, []byte("\xFF\xFE")):
		order = binary.LittleEndian
	default:
		return len(data)
	}
	var units []uint16
	for rest := data[2:]; len(rest) >= 2; rest = rest[2:] {
		units = append(units, order.Uint16(rest))
	}
	return len(string(utf16.Decode(units))) + len(data)%2*utf8.RuneLen(utf8.RuneError)
}

// A formatter sorts the lines of a file.
type formatter struct {
	header   []string // comments above everything
	blocks   []*block // the first is what stands before the first user-agent line
	sitemaps []entry
	above    []string // comments whose line has not come yet
	inRun    bool
	last     map[string]*block // the last one for each token
}

// A block is a run of user-agent lines with what belongs to it.
type block struct {
	agents []entry
	body   []entry
	tokens map[string]*block // by folded token, the block that had it before
}

// An entry is a line with its comments.
type entry struct {
	above   []string // whole lines, empty ones for blank lines between comments
	text    string
	comment string // behind the text
}

// add takes the next line.
func (f *formatter) add(l robotstxt.Line) {
	switch l.Kind {
	case robotstxt.NoKind:
		f.addComment(l)
	case robotstxt.SitemapKind:
		f.addSitemap(l)
	case robotstxt.UserAgentKind:
		f.addUserAgent(l)
	default:
		if isRule(l) {
			f.inRun = false
		}
		b := f.blocks[len(f.blocks)-1]
		b.body = append(b.body, f.entry(l, l.Value))
	}
}

// addComment takes a line that is none of the protocol: a comment, a blank line,
// or one that nobody can read.
func (f *formatter) addComment(l robotstxt.Line) {
	text := lex.Trim(l.Text)
	isFirst := len(f.above) == 0 || f.above[len(f.above)-1] == ""
	if text != "" || !isFirst {
		f.above = append(f.above, text)
	}
}

// entry makes an entry of a line, which gets the comments above it.
func (f *formatter) entry(l robotstxt.Line, value string) entry {
	key := l.Kind.String()
	if l.Kind == robotstxt.OtherKind {
		key = l.Key
		if name := extensions[lex.Letters(key)].name; strings.EqualFold(key, name) {
			key = name
		}
	}
	e := entry{above: f.above, text: key + ":", comment: lex.TrimRight(l.Comment)}
	if value != "" {
		e.text += " " + value
	}
	f.above = nil
	return e
}

// addSitemap takes a sitemap out of the group that it stands in. Comments parted
// from it by a blank line are not about the sitemap.
func (f *formatter) addSitemap(l robotstxt.Line) {
	i := len(f.above)
	for i > 0 && f.above[i-1] != "" {
		i--
	}
	others := f.above[:i]
	f.above = slices.Clone(f.above[i:])
	f.sitemaps = append(f.sitemaps, f.entry(l, l.Value))
	if len(f.blocks) == 1 && len(f.blocks[0].body) == 0 {
		f.header = append(f.header, others...)
	} else {
		f.above = others
	}
}

// addUserAgent takes a user-agent line. Names that the run has already are left
// out.
func (f *formatter) addUserAgent(l robotstxt.Line) {
	if !f.inRun {
		f.closeBlock()
		f.blocks = append(f.blocks, &block{tokens: map[string]*block{}})
		f.inRun = true
	}
	b := f.blocks[len(f.blocks)-1]
	for _, name := range agentNames(l.Value) {
		e := f.entry(l, name)
		l.Comment = ""
		if token := lex.Fold(name[:lex.NameLen(name)]); token != "" {
			if _, known := b.tokens[token]; known {
				f.above = e.comments()
				continue
			}
			b.tokens[token] = f.last[token]
			f.last[token] = b
		}
		b.agents = append(b.agents, e)
	}
}

// agentNames returns the names on a user-agent line without empty ones, but at
// least one.
func agentNames(value string) []string {
	var names []string
	for _, name := range lex.Names(value) {
		if name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		names = append(names, value)
	}
	return names
}

// comments returns all comments of an entry that is left out.
func (e entry) comments() []string {
	if e.comment == "" {
		return e.above
	}
	return append(e.above, e.comment)
}

// closeBlock joins the current block with an earlier one for the same tokens, if
// no block between is for one of them: the order of what holds for a token stays.
func (f *formatter) closeBlock() {
	b := f.blocks[len(f.blocks)-1]
	earlier := b.before()
	if earlier == nil {
		return
	}
	var comments []string
	for _, e := range b.agents {
		comments = append(comments, e.comments()...)
	}
	if len(b.body) > 0 {
		b.body[0].above = append(comments, b.body[0].above...)
	} else {
		f.above = append(comments, f.above...)
	}
	earlier.body = append(earlier.body, b.body...)
	for token := range b.tokens {
		f.last[token] = earlier
	}
	f.blocks = f.blocks[:len(f.blocks)-1]
}

// before returns the block that was the last for each of the tokens and is for no
// others, or nil.
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

// text puts the file together.
func (f *formatter) text() []byte {
	var text []byte
	text = appendPart(text, []entry{{above: f.header}})
	for _, b := range f.blocks {
		text = appendPart(text, append(b.agents, b.body...))
	}
	text = appendPart(text, f.sitemaps)
	text = appendPart(text, []entry{{above: f.above}})
	if bytes.HasPrefix(text, []byte("\xFE\xFF")) || bytes.HasPrefix(text, []byte("\xFF\xFE")) {
		return slices.Concat([]byte{'\n'}, text) // it must not be taken for UTF-16
	}
	return text
}

// appendPart appends lines that belong together, after a blank line.
func appendPart(text []byte, entries []entry) []byte {
	var lines []string
	for i, e := range entries {
		for _, line := range e.above {
			if line != "" || i == 0 {
				lines = append(lines, line)
			}
		}
		if e.text != "" {
			lines = append(lines, strings.TrimSpace(e.text+" "+e.comment))
		}
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return text
	}
	if len(text) > 0 {
		text = append(text, '\n')
	}
	return append(append(text, strings.Join(lines, "\n")...), '\n')
}
