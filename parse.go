package robotstxt

import (
	"bytes"
	"iter"
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
			if !yield(s.describe()) {
				return
			}
		}
	}
}

// describe adds to split, for the public, where the parts stand.
func (s *scanner) describe() Line {
	l := Line{Number: s.number, Text: string(s.line)}
	content := s.line[:s.content]
	if len(content) < len(s.line) {
		l.Comment, l.CommentColumn = l.Text[len(content):], len(content)+1
	}
	kind, key, value, colon := split(content)
	l.Kind = kind
	if kind == NoKind {
		return l
	}
	key = trim(key)
	start := bytes.Index(content, key)
	end := start + len(key)
	if colon {
		end = bytes.IndexByte(content, ':') + 1
	}
	l.Key, l.KeyColumn, l.Colon = l.Text[start:][:len(key)], start+1, colon
	start = end + bytes.Index(content[end:], value)
	l.Value, l.ValueColumn = l.Text[start:][:len(value)], start+1
	return l
}

// A scanner cuts a file into lines.
type scanner struct {
	data         []byte
	cut          bool // data goes on behind its end, in the same line
	pos          int  // where the next line starts
	lf, cr, hash int  // the next of each, from pos on, or the end of data

	line    []byte // the current line, without its end
	content int    // its length without the comment
	number  int
}

func newScanner(data []byte) scanner {
	data = transcode(data)
	data = data[:len(data):len(data)] // what lies behind is not ours to touch
	s := scanner{data: data, lf: -1, cr: -1, hash: -1}
	if len(data) > SizeLimit {
		s.data = data[:SizeLimit]
		s.cut = data[SizeLimit] != '\n' && data[SizeLimit] != '\r'
	}
	return s
}

// next moves on to the next line and reports whether there is one.
func (s *scanner) next() bool {
	start := s.pos
	if start >= len(s.data) {
		return false
	}
	rest := s.data[start:]
	if s.lf < start {
		s.lf = start + indexOrEnd(rest, '\n')
	}
	if s.cr < start || s.hash < start {
		s.findAgain()
	}
	end := min(s.lf, s.cr)
	if end == len(s.data) && s.cut {
		return false
	}
	s.line = rest[:end-start]
	s.content = min(s.hash, end) - start
	s.number++
	s.pos = end + 1
	if s.lf == s.pos && s.cr == end {
		s.pos++ // a CRLF is one end
	}
	return true
}

// findAgain looks for the next CR and the next '#', if they have been passed.
func (s *scanner) findAgain() {
	rest := s.data[s.pos:]
	if s.cr < s.pos {
		s.cr = s.pos + indexOrEnd(rest, '\r')
	}
	if s.hash < s.pos {
		s.hash = s.pos + indexOrEnd(rest, '#')
	}
}

// plainRule moves on to the next line if it is a rule as most are, written in the
// usual way and with a path that is canonical, and returns it. If the next line is
// another, the kind is NoKind.
func (s *scanner) plainRule() (kind Kind, path []byte) {
	rest := s.data[min(s.pos, len(s.data)):]
	key := 0
	switch {
	case len(rest) >= 11 && string(rest[:11]) == "Disallow: /":
		kind, key = DisallowKind, 10
	case len(rest) >= 8 && string(rest[:8]) == "Allow: /":
		kind, key = AllowKind, 7
	default:
		return NoKind, nil
	}
	path = rest[key:]
	size := plainLen(path)
	if size == len(path) {
		return NoKind, nil
	}
	end := size + 1
	if path[size] == '\r' && end < len(path) && path[end] == '\n' {
		end++
	} else if path[size] != '\n' {
		return NoKind, nil
	}
	s.pos += key + end
	s.number++
	return kind, path[:size]
}

// indexOrEnd returns the index of the first c in b, or the length of b.
func indexOrEnd(b []byte, c byte) int {
	if i := bytes.IndexByte(b, c); i >= 0 {
		return i
	}
	return len(b)
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

// split takes a line without its comment apart. The value is trimmed, the key is
// not. A line of two words whose first is a known key counts as if a colon parted
// them.
func split(line []byte) (kind Kind, key, value []byte, colon bool) {
	if kind, n := usualKey(line); n > 0 {
		return kind, line[:n-1], trim(line[n:]), true
	}
	for len(line) >= 8 && string(line[:8]) == "        " { // HTML is indented far
		line = line[8:]
	}
	indent := 0
	for indent < len(line) && line[indent] <= ' ' {
		indent++
	}
	line = line[indent:]
	if i := bytes.IndexByte(line, ':'); i >= 0 {
		key = line[:i]
		return kindOf(key), key, trim(line[i+1:]), true
	}
	if len(line) < len("allow /") || !startsKey(line) {
		return NoKind, nil, nil, false
	}
	key, value = cutWord(trim(line))
	if len(value) == 0 {
		return NoKind, nil, nil, false
	}
	if kind = kindOf(key); kind == OtherKind {
		return NoKind, nil, nil, false
	}
	if _, third := cutWord(bytes.TrimLeft(value, " \t")); len(third) > 0 {
		return NoKind, nil, nil, false
	}
	return kind, key, trim(value), false
}

// usualKey is kindOf for a line that starts with a key and colon as nearly
// everybody writes them. It returns their length, or 0 if they are not usual.
func usualKey(line []byte) (kind Kind, n int) {
	switch {
	case len(line) >= 9 && string(line[:9]) == "Disallow:":
		return DisallowKind, 9
	case len(line) >= 6 && string(line[:6]) == "Allow:":
		return AllowKind, 6
	case len(line) >= 11 && (string(line[:11]) == "User-agent:" || string(line[:11]) == "User-Agent:"):
		return UserAgentKind, 11
	}
	return NoKind, 0
}

// cutWord cuts s at its first space or tab.
func cutWord(s []byte) (word, rest []byte) {
	for i, c := range s {
		if c == ' ' || c == '\t' {
			return s[:i], s[i:]
		}
	}
	return s, nil
}

// seconds has, for each letter that keys in kindOf start with, a bit for each that
// comes next.
var seconds = func() (bits [26]uint32) {
	for _, start := range [...]string{"us", "se", "al", "di", "ds", "de", "si", "cr", "cl"} {
		bits[start[0]-'a'] |= 1 << (start[1] - 'a')
	}
	return bits
}()

// startsKey reports whether the first two letters of a line are those of a known key,
// which few lines of junk can say of theirs.
func startsKey(line []byte) bool {
	first := byte(26)
	for _, c := range line {
		letter := (c | 0x20) - 'a'
		switch {
		case letter >= 26:
		case first < 26:
			return seconds[first]>>letter&1 != 0
		case seconds[letter] == 0:
			return false
		default:
			first = letter
		}
	}
	return false
}

// kindOf reads a key by its ASCII letters alone.
func kindOf(key []byte) Kind {
	if len(key) < len("allow") || !startsKey(key) {
		return OtherKind
	}
	var letters [len("useragents")]byte // room for the longest
	n := 0
	for _, c := range key {
		if c |= 0x20; 'a' <= c && c <= 'z' {
			if n == len(letters) {
				return OtherKind
			}
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
	if len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	if len(b) > 0 && isGraphic(b[0]) && isGraphic(b[len(b)-1]) {
		return b
	}
	return trimMore(b)
}

func trimMore(b []byte) []byte {
	start, end := 0, len(b)
	for start < end && b[start] <= ' ' {
		start++
	}
	for start < end && b[end-1] <= ' ' {
		end--
	}
	b = b[start:end]
	if len(b) == 0 || isGraphic(b[0]) && isGraphic(b[len(b)-1]) {
		return b
	}
	return bytes.TrimFunc(b, isSpace)
}

// isGraphic reports whether c is an ASCII character that can be seen.
func isGraphic(c byte) bool { return ' ' < c && c < 0x7F }

// isSpace reports whether r is a blank to the eye: white space, a control or a
// format character such as a byte-order mark or a zero-width space.
func isSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return !isGraphic(byte(r))
	}
	return unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf)
}
