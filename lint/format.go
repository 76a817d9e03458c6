package lint

import (
	"bytes"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// Format writes a robots.txt file in a normal form, for people to read and for
// crawlers that are strict:
//
//   - keys in their usual spelling, followed by a colon and a space;
//   - one crawler per user-agent line;
//   - groups for the same crawlers joined at the place of the first;
//   - a blank line between groups and none within them;
//   - sitemaps at the end;
//   - lines that end in LF, in UTF-8 without a byte-order mark.
//
// No decision changes, and neither do the rules, records and sitemaps, except their
// line numbers. A record between two user-agent lines stays there, because it is
// only for those above it. Groups that share only some of their crawlers are not
// joined. Lines that do nothing are kept; [Check] finds those. Comments stay with
// the line below or before them. Formatting the result again changes nothing.
//
// Format takes any bytes, but returns [ErrTooLarge] instead of losing the
// end of a file.
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

// textSize returns the size of a file in UTF-8, to which the limit applies.
func textSize(data []byte) int { return len(lex.UTF8(data, 2*len(data))) }

// A formatter sorts the lines of a file.
type formatter struct {
	header   []string // comments above everything
	blocks   []*block // the first is what comes before the first user-agent line
	sitemaps []entry
	above    []string // comments whose line has not come yet
	inRun    bool
	last     map[string]*block // the last one for each token
}

// A block is a run of user-agent lines with what belongs to it.
type block struct {
	lines   []entry
	tokens  map[string]*block // by folded token, the block that had it before
	records bool              // there are records
	mixed   bool              // a user-agent line follows a record
}

// An entry is a line with its comments.
type entry struct {
	above   []string // whole lines, empty ones for blank lines between comments
	text    string
	comment string // behind the text
	isAgent bool   // it is a user-agent line
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
		b := f.blocks[len(f.blocks)-1]
		if l.Kind == robotstxt.AllowKind || l.Kind == robotstxt.DisallowKind {
			f.inRun = false
		} else {
			b.records = true
		}
		b.lines = append(b.lines, f.entry(l, l.Value))
	}
}

// addComment takes a line that is not part of the protocol: a comment, a blank line
// or junk.
func (f *formatter) addComment(l robotstxt.Line) {
	text := lex.Trim(l.Text)
	isFirst := len(f.above) == 0 || f.above[len(f.above)-1] == ""
	if text != "" || !isFirst {
		f.above = append(f.above, text)
	}
}

// entry makes an entry from a line, with the comments above it.
func (f *formatter) entry(l robotstxt.Line, value string) entry {
	key := l.Kind.String()
	if l.Kind == robotstxt.OtherKind {
		key = l.Key
		if name := extensions[lex.Letters(key)].name; strings.EqualFold(key, name) {
			key = name
		}
	}
	e := entry{above: f.above, text: key + ":", comment: lex.TrimRight(l.Comment), isAgent: l.Kind == robotstxt.UserAgentKind}
	if value != "" {
		e.text += " " + value
	}
	f.above = nil
	return e
}

// addSitemap takes a sitemap out of the group that it is in. Comments separated
// from it by a blank line are not about the sitemap.
func (f *formatter) addSitemap(l robotstxt.Line) {
	i := len(f.above)
	for i > 0 && f.above[i-1] != "" {
		i--
	}
	others := f.above[:i]
	f.above = slices.Clone(f.above[i:])
	f.sitemaps = append(f.sitemaps, f.entry(l, l.Value))
	if len(f.blocks) == 1 && len(f.blocks[0].lines) == 0 {
		f.header = append(f.header, others...)
	} else {
		f.above = others
	}
}

// addUserAgent takes a user-agent line. It leaves out names that the run already
// has, unless a record separates them: the next record may be for the second only.
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
			if _, known := b.tokens[token]; known && !b.records {
				f.above = e.comments()
				continue
			}
			if f.last[token] != b {
				b.tokens[token] = f.last[token]
				f.last[token] = b
			}
		}
		b.mixed = b.mixed || b.records
		b.lines = append(b.lines, e)
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
// no block between them is for one of these: the order of lines for a token stays.
// It does not join blocks where a record is not for all tokens.
func (f *formatter) closeBlock() {
	b := f.blocks[len(f.blocks)-1]
	earlier := b.before()
	if earlier == nil || earlier.mixed || b.mixed {
		return
	}
	var comments []string
	body := b.lines
	for ; len(body) > 0 && body[0].isAgent; body = body[1:] {
		comments = append(comments, body[0].comments()...)
	}
	if len(body) > 0 {
		body[0].above = append(comments, body[0].above...)
	} else {
		f.above = append(comments, f.above...)
	}
	earlier.lines = append(earlier.lines, body...)
	earlier.records = earlier.records || b.records
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
		text = appendPart(text, b.lines)
	}
	text = appendPart(text, f.sitemaps)
	text = appendPart(text, []entry{{above: f.above}})
	if bytes.HasPrefix(text, []byte("\xFE\xFF")) || bytes.HasPrefix(text, []byte("\xFF\xFE")) {
		return slices.Concat([]byte{'\n'}, text) // or it would be read as UTF-16
	}
	return text
}

// appendPart appends lines that belong together, with a blank line above them.
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
