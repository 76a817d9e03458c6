package robotstxt

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// SizeLimit is the number of bytes of a robots.txt file that are read. What
// follows is ignored, and so is a line that crosses the limit, because half a
// rule is not what the site wrote (RFC 9309, section 2.5). A file in UTF-16 is
// measured in UTF-8, without its byte-order mark.
const SizeLimit = 500 << 10

// A Kind says what the key of a line makes of it.
type Kind uint8

// The kinds of lines. Keys are told apart by their ASCII letters alone, in any
// case, so "User-Agent", "user agent" and "USER_AGENT" are one key; common
// misspellings such as "Dissallow" count as the key that was meant.
const (
	NoKind         Kind = iota // blank, a comment, or no line of the protocol
	UserAgentKind              // User-agent
	AllowKind                  // Allow
	DisallowKind               // Disallow
	SitemapKind                // Sitemap
	CrawlDelayKind             // Crawl-delay
	OtherKind                  // any other key before a colon
)

// String returns the usual spelling of the key, "other" for OtherKind and the
// empty string for NoKind.
func (k Kind) String() string {
	switch k {
	case UserAgentKind:
		return "User-agent"
	case AllowKind:
		return "Allow"
	case DisallowKind:
		return "Disallow"
	case SitemapKind:
		return "Sitemap"
	case CrawlDelayKind:
		return "Crawl-delay"
	case OtherKind:
		return "other"
	}
	return ""
}

// A Line is one line of a robots.txt file. Columns count bytes from 1 and are 0
// for what the line does not have.
type Line struct {
	Number int    // counted from 1; a CR, an LF and a CRLF each end one line
	Text   string // the whole line without its end
	Kind   Kind

	Key       string // as written, without the space around it
	KeyColumn int

	Value       string // without the space around it, and without the comment
	ValueColumn int

	Comment       string // from the first '#' on
	CommentColumn int

	Colon bool // the key is followed by a colon, as it ought to be
}

// Lines returns the lines of a robots.txt file one after the other, blank ones,
// comments and junk among them, as [Parse] reads them: transcoded if they are
// UTF-16, and no further than [SizeLimit]. It is for tools that show or check a
// file; Parse has already drawn the conclusions. Any bytes will do as data, and
// data is not kept.
func Lines(data []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		s := newScanner(data)
		for s.next() {
			if !yield(describe(s.number, s.line)) {
				return
			}
		}
	}
}

// describe is split for the public: it adds where the parts stand.
func describe(number int, line []byte) Line {
	text := string(line)
	l := Line{Number: number, Text: text}
	if i := strings.IndexByte(text, '#'); i >= 0 {
		l.Comment, l.CommentColumn = text[i:], i+1
	}
	kind, key, value, colon := split(line)
	l.Kind = kind
	if kind == NoKind {
		return l
	}
	// Both parts are slices of line, so their capacities tell their offsets.
	column := func(part []byte) int { return cap(line) - cap(part) + 1 }
	key = trim(key)
	l.KeyColumn, l.ValueColumn = column(key), column(value)
	l.Key = text[l.KeyColumn-1:][:len(key)]
	l.Value = text[l.ValueColumn-1:][:len(value)]
	l.Colon = colon
	return l
}

// A scanner cuts a file into lines.
type scanner struct {
	data   []byte
	pos    int // where the next line starts
	lf, cr int // the next line ends of each sort, from pos on

	line   []byte // the current line, without its end
	number int    // and its number
}

func newScanner(data []byte) scanner {
	data = truncate(transcode(data))
	return scanner{data: data, lf: -1, cr: -1}
}

// next moves on to the next line and reports whether there is one.
func (s *scanner) next() bool {
	if s.pos >= len(s.data) {
		return false
	}
	if s.lf < s.pos {
		s.lf = indexFrom(s.data, s.pos, '\n')
	}
	if s.cr < s.pos {
		s.cr = indexFrom(s.data, s.pos, '\r')
	}
	end := min(s.lf, s.cr)
	s.line = s.data[s.pos:end]
	s.number++
	s.pos = end + 1
	if s.cr+1 == s.lf && end == s.cr {
		s.pos++
	}
	return true
}

// indexFrom returns the index of the first c in data[from:], counted from the
// start of data, or the length of data if there is none.
func indexFrom(data []byte, from int, c byte) int {
	if i := bytes.IndexByte(data[from:], c); i >= 0 {
		return from + i
	}
	return len(data)
}

// truncate cuts data at the last line that lies within SizeLimit.
func truncate(data []byte) []byte {
	if len(data) <= SizeLimit {
		return data
	}
	next := data[SizeLimit]
	data = data[:SizeLimit]
	if next == '\n' || next == '\r' {
		return data
	}
	return data[:max(bytes.LastIndexByte(data, '\n'), bytes.LastIndexByte(data, '\r'))+1]
}

// transcode turns UTF-16 with a byte-order mark into UTF-8, as far as anyone
// will read it, and returns all other data as it is (RFC 9309, section 2.2.2).
func transcode(data []byte) []byte {
	if len(data) < 2 {
		return data
	}
	var hi, lo int
	switch {
	case data[0] == 0xFE && data[1] == 0xFF:
		hi, lo = 0, 1
	case data[0] == 0xFF && data[1] == 0xFE:
		hi, lo = 1, 0
	default:
		return data
	}
	unit := func(i int) rune {
		if i+1 >= len(data) {
			return utf8.RuneError
		}
		return rune(data[i+hi])<<8 | rune(data[i+lo])
	}
	out := make([]byte, 0, min(len(data)*3/2, SizeLimit+utf8.UTFMax))
	for i := 2; i < len(data) && len(out) <= SizeLimit; i += 2 {
		r := unit(i)
		if utf16.IsSurrogate(r) {
			r = utf16.DecodeRune(r, unit(i+2))
			if r != utf8.RuneError {
				i += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// split takes a line apart. The value is trimmed, the key is not. A line of two
// words whose first is a known key counts as if a colon parted them.
func split(line []byte) (kind Kind, key, value []byte, colon bool) {
	if i := bytes.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
	}
	if i := bytes.IndexByte(line, ':'); i >= 0 {
		key = line[:i]
		return kindOf(key), key, trim(line[i+1:]), true
	}
	line = trim(line)
	i := bytes.IndexAny(line, " \t")
	if i < 0 {
		return NoKind, nil, nil, false
	}
	kind, key, value = kindOf(line[:i]), line[:i], trim(line[i:])
	if kind == OtherKind || bytes.ContainsAny(bytes.Trim(line[i:], " \t"), " \t") {
		return NoKind, nil, nil, false
	}
	return kind, key, value, false
}

// kindOf reads a key by its ASCII letters alone.
func kindOf(key []byte) Kind {
	switch string(key) { // as nearly everybody writes them
	case "User-agent", "User-Agent":
		return UserAgentKind
	case "Allow":
		return AllowKind
	case "Disallow":
		return DisallowKind
	case "Sitemap":
		return SitemapKind
	}
	var letters [len("useragents") + 1]byte // one more than the longest key
	n := 0
	for _, c := range key {
		if c |= 0x20; 'a' <= c && c <= 'z' && n < len(letters) {
			letters[n] = c
			n++
		}
	}
	switch string(letters[:n]) {
	case "useragent", "useragents", "usersagent", "usegagent", "seragent", "useragnet":
		return UserAgentKind
	case "allow":
		return AllowKind
	case "disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw", "desallow",
		"dssalow", "dsallow", "diallow", "disallows", "disllow":
		return DisallowKind
	case "sitemap", "sitemaps":
		return SitemapKind
	case "crawldelay", "clawldelay", "crawdelay", "crawldeley":
		return CrawlDelayKind
	}
	return OtherKind
}

// trim drops white space, control and format characters from both ends.
func trim(b []byte) []byte {
	for len(b) > 0 {
		n := 1
		if c := b[0]; c >= utf8.RuneSelf {
			var r rune
			if r, n = utf8.DecodeRune(b); !isSpace(r) {
				break
			}
		} else if !asciiSpace(c) {
			break
		}
		b = b[n:]
	}
	for len(b) > 0 {
		n := 1
		if c := b[len(b)-1]; c >= utf8.RuneSelf {
			var r rune
			if r, n = utf8.DecodeLastRune(b); !isSpace(r) {
				break
			}
		} else if !asciiSpace(c) {
			break
		}
		b = b[:len(b)-n]
	}
	return b
}

// asciiSpace is isSpace for a byte below utf8.RuneSelf.
func asciiSpace(c byte) bool { return c <= ' ' || c == 0x7F }

// isSpace reports whether r is a blank to the eye: white space, a control or a
// format character such as a byte-order mark or a zero-width space.
func isSpace(r rune) bool {
	return unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf)
}
