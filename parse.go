package robotstxt

import (
	"bytes"
	"cmp"
	"io"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// SizeLimit is the number of bytes at the start of a robots.txt file that count (RFC
// 9309, section 2.5). The rest is ignored. A line that crosses the limit is ignored, too,
// because half a rule is not what the site wrote. A file in UTF-16 is measured in UTF-8,
// without its byte-order mark.
const SizeLimit = 500 << 10

// ReadBody reads as much of a robots.txt file as [Parse] needs. Do not use an
// [io.LimitReader] with [SizeLimit] instead: it could cut "Disallow: /private" to
// "Disallow: /", and could lose half of a file in UTF-16.
//
// If ReadBody returns an error, the file is incomplete, and a crawler should treat it as
// [Unreachable], because the missing part may contain rules.
func ReadBody(r io.Reader) ([]byte, error) {
	const most = SizeLimit + 1 // the additional byte tells Parse whether a line crosses the limit
	body, err := io.ReadAll(io.LimitReader(r, most))
	if err != nil || len(body) < most || !lex.IsUTF16(body) {
		return body, err
	}
	// A text is at most twice as long in UTF-16 as in UTF-8, and the byte-order mark takes two
	// bytes.
	rest, err := io.ReadAll(io.LimitReader(r, 2+2*most-most))
	return append(body, rest...), err
}

// A Kind classifies a line by its key.
type Kind uint8

// The kinds of lines. Only the ASCII letters of a key count, regardless of case, so
// "User-Agent", "user agent" and "USER_AGENT" are the same key. A common misspelling such
// as "Dissallow" counts as the key that was meant.
const (
	NoKind         Kind = iota // blank, a comment, or junk
	UserAgentKind              // User-agent
	AllowKind                  // Allow
	DisallowKind               // Disallow
	SitemapKind                // Sitemap
	CrawlDelayKind             // Crawl-delay
	OtherKind                  // any other key before a colon
)

var kindNames = [...]string{"", "User-agent", "Allow", "Disallow", "Sitemap", "Crawl-delay", "other"}

// String returns the usual spelling of the key, "other" for OtherKind and the
// empty string for NoKind.
func (k Kind) String() string { return kindNames[min(int(k), len(kindNames)-1)] }

// keys maps each known key and common misspelling to its kind. It contains only the
// ASCII letters of a key, in lower case, such as "useragent" for "User-agent".
var keys = map[string]Kind{
	"useragent": UserAgentKind, "useragents": UserAgentKind, "usersagent": UserAgentKind,
	"usegagent": UserAgentKind, "seragent": UserAgentKind, "useragnet": UserAgentKind,

	"allow": AllowKind, "sitemap": SitemapKind, "sitemaps": SitemapKind,

	"disallow": DisallowKind, "dissallow": DisallowKind, "dissalow": DisallowKind, "disalow": DisallowKind,
	"diasllow": DisallowKind, "disallaw": DisallowKind, "desallow": DisallowKind, "dssalow": DisallowKind,
	"dsallow": DisallowKind, "diallow": DisallowKind, "disallows": DisallowKind, "disllow": DisallowKind,

	"crawldelay": CrawlDelayKind, "clawldelay": CrawlDelayKind, "crawdelay": CrawlDelayKind, "crawldeley": CrawlDelayKind,
}

// secondLetters has an element for each letter with which a key can start: secondLetters[0]
// is for "a". The bits of the element say which letters can come second: bit 0 is for "a".
var secondLetters = func() (bits [26]uint32) {
	for key := range keys {
		bits[key[0]-'a'] |= 1 << (key[1] - 'a')
	}
	return bits
}()

// A Line is one line of a robots.txt file. Columns count bytes from 1. A column is 0 if the
// line does not have that part.
type Line struct {
	Number int    // counted from 1; a CR, an LF and a CRLF each end one line
	Text   string // the whole line without its end
	Kind   Kind

	Key       string // as written, without the blanks around it
	KeyColumn int

	Value       string // without the blanks around it, and without the comment
	ValueColumn int

	Comment       string // from the first '#' to the end of the line
	CommentColumn int

	Colon bool // a colon follows the key, as it should
}

// Lines returns all lines of a robots.txt file in order, including blank lines,
// comments and junk. It reads them as [Parse] does: UTF-16 is transcoded, and
// nothing after [SizeLimit] counts. Lines is for tools that show or check a file.
// It takes any bytes and keeps no reference to data.
func Lines(data []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		s := newScanner(data)
		for text := string(s.data); s.next(); {
			if !yield(s.describe(text[s.line.start:s.line.end])) {
				return
			}
		}
	}
}

// describe returns the current line as a Line. The parameter text is the text of the line.
func (s *scanner) describe(text string) Line {
	l := Line{Number: s.number, Text: text, Kind: s.kind}
	if i := strings.IndexByte(text, '#'); i >= 0 {
		l.Comment, l.CommentColumn = text[i:], i+1
	}
	if s.kind == NoKind {
		return l
	}
	start := s.line.start
	l.Key, l.KeyColumn = text[s.key.start-start:s.key.end-start], s.key.start-start+1
	l.Value, l.ValueColumn = text[s.value.start-start:s.value.end-start], s.value.start-start+1
	l.Colon = s.colon
	return l
}

// A scanner reads a file line by line.
type scanner struct {
	data      []byte
	truncated bool   // the last line of data continues beyond the size limit
	pos       int    // where the next line starts
	ends      [2]int // the next CR and the next LF, as lineEnd last found them; the end of data if there is none

	// The current line.
	number  int
	line    span // without the line ending
	kind    Kind
	key     span
	value   span
	classes octetClass // the classes of the octets of value
	colon   bool
}

// A span is a part of a scanner's data. A slice would contain a pointer, which takes longer
// to store during a garbage collection.
type span struct{ start, end int }

func (s *scanner) bytes(p span) []byte { return s.data[p.start:p.end] }

// trimmed returns the span of a part of s.data, without the blanks at both ends.
func (s *scanner) trimmed(part []byte) span {
	part = lex.Trim(part)
	start := cap(s.data) - cap(part)
	return span{start, start + len(part)}
}

func newScanner(data []byte) scanner {
	data = lex.UTF8(data, SizeLimit)
	truncated := len(data) > SizeLimit && data[SizeLimit] != '\n' && data[SizeLimit] != '\r'
	return scanner{data: data[:min(len(data), SizeLimit)], truncated: truncated}
}

// next reads the next line and reports whether there is one.
func (s *scanner) next() bool {
	start := s.pos
	if start >= len(s.data) {
		return false
	}
	end := start
	if c := s.data[start]; c == '\n' || c == '\r' {
		s.kind = NoKind
	} else if kind, size := usualKey(s.data[start:]); kind != NoKind {
		s.kind, s.key, s.colon = kind, span{start, start + size - 1}, true
		end = s.readValue(start + size)
	} else {
		end = s.lineEnd()
		s.split(s.data[start:end])
	}
	if end == len(s.data) && s.truncated {
		return false
	}
	s.line = span{start, end}
	s.pos = end + 1
	if s.pos < len(s.data) && s.data[end] == '\r' && s.data[s.pos] == '\n' {
		s.pos++
	}
	s.number++
	return true
}

// usualKey recognizes the most common keys, if they are spelled in the usual way. It returns the
// kind of the key, and the length of the key including the colon. If the line starts with
// anything else, or is shorter than "User-agent:", usualKey returns NoKind and 0.
func usualKey(line []byte) (kind Kind, size int) {
	switch {
	case len(line) < len("User-agent:"):
	case string(line[:9]) == "Disallow:":
		return DisallowKind, 9
	case string(line[:6]) == "Allow:":
		return AllowKind, 6
	case string(line[:11]) == "User-agent:" || string(line[:11]) == "User-Agent:":
		return UserAgentKind, 11
	case string(line[:8]) == "Sitemap:":
		return SitemapKind, 8
	}
	return NoKind, 0
}

// readValue reads the value that begins at start. It sets s.value, and sets s.classes to the
// classes of the value's octets. It returns where the line ends.
func (s *scanner) readValue(start int) (end int) {
	if start < len(s.data) && s.data[start] == ' ' {
		start++
	}
	end = len(s.data)
	classes := octetClass(0)
	classOf := &classOf // keeps the address of the table in a register
	for i, c := range s.data[start:] {
		class := classOf[c]
		if class&endClass != 0 {
			end = start + i
			break
		}
		classes |= class
	}
	s.value, s.classes = span{start, end}, classes
	if classes&blankClass != 0 {
		s.value = s.trimmed(s.bytes(s.value))
		s.classes = classesOf(s.bytes(s.value))
	}
	if end < len(s.data) && s.data[end] == '#' {
		end = s.lineEnd()
	}
	return end
}

// lineEnd returns where the line at pos ends. It keeps the positions of the next CR and the
// next LF for later calls. Otherwise, in a file without LFs, each call would search the rest
// of the file for an LF.
func (s *scanner) lineEnd() int {
	for i, c := range []byte("\r\n") {
		if s.ends[i] <= s.pos {
			s.ends[i] = len(s.data)
			if n := bytes.IndexByte(s.data[s.pos:], c); n >= 0 {
				s.ends[i] = s.pos + n
			}
		}
	}
	return min(s.ends[0], s.ends[1])
}

// split finds the key and the value of a line in which usualKey has found no key. After a
// known key, the colon can be missing if the value is one word, as in "Disallow /a".
func (s *scanner) split(line []byte) {
	s.kind = NoKind
	for len(line) > 0 && (line[0] <= ' ' || line[0] == 0x7F) {
		line = line[1:]
	}
	// The key of a record starts with a letter of any alphabet. A known key may follow other
	// characters, as in "-Disallow: /a".
	if len(line) == 0 || !isLetter(line[0]) && line[0] < utf8.RuneSelf && !startsKey(line) {
		return
	}
	line, _, _ = bytes.Cut(line, []byte("#"))
	key, value, colon := bytes.Cut(line, []byte(":"))
	if !colon {
		if !startsKey(line) {
			return
		}
		line = lex.Trim(line)
		key = line[:max(0, bytes.IndexAny(line, " \t"))]
		value = bytes.TrimLeft(line[len(key):], " \t")
		if len(key) == 0 || bytes.ContainsAny(value, " \t") {
			return
		}
	}
	s.key, s.value, s.colon = s.trimmed(key), s.trimmed(value), colon
	kind := kindOf(s.bytes(s.key))
	if kind != OtherKind || colon && isKey(s.bytes(s.key)) {
		s.kind, s.classes = kind, classesOf(s.bytes(s.value))
	}
}

func isLetter(c byte) bool { return (c|0x20)-'a' < 26 }

// startsKey reports whether a known key starts with the first two letters of a line. It skips
// all other characters.
func startsKey(line []byte) bool {
	first := byte(26)
	for _, c := range line {
		switch letter := (c | 0x20) - 'a'; {
		case letter >= 26:
		case first < 26:
			return secondLetters[first]>>letter&1 != 0
		case secondLetters[letter] == 0:
			return false
		default:
			first = letter
		}
	}
	return false
}

// kindOf returns the kind of a key. It ignores all characters except ASCII letters.
func kindOf(key []byte) Kind {
	var buf [64]byte
	if !startsKey(key) {
		return OtherKind
	}
	return cmp.Or(keys[string(lex.AppendLetters(buf[:0], key))], OtherKind)
}

// isKey reports whether text can be the key of a record.
func isKey(text []byte) bool {
	const longest = 40
	first, size := utf8.DecodeRune(text)
	return len(text) <= longest && unicode.IsLetter(first) && !bytes.ContainsFunc(text[size:], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" -_.", r)
	})
}

// An octetClass is a set of bits, one for each special property of an octet in a value or a
// path. For several octets, the bits are combined with |.
type octetClass uint8

const (
	percentClass  octetClass = 1 << iota // "%"
	starClass                            // "*"
	dollarClass                          // "$"
	questionClass                        // "?"
	illegalClass                         // not allowed in a path or query, so it must be escaped
	blankClass                           // every octet except visible ASCII; a value without such octets needs no trimming
	endClass                             // ends a value: CR, LF and "#"

	patternClasses = percentClass | starClass | dollarClass | questionClass // the classes that can affect what a canonical pattern matches
)

func classesOf[S []byte | string](s S) octetClass { return lex.Union(&classOf, s) }

var classOf = func() (classes [256]octetClass) {
	for c := range classes {
		if !lex.IsLegal(byte(c)) {
			classes[c] = illegalClass
		}
		if !lex.IsGraphic(byte(c)) {
			classes[c] |= blankClass
		}
	}
	classes['%'], classes['*'], classes['$'], classes['?'] = percentClass, starClass, dollarClass, questionClass
	for _, c := range []byte("\r\n#") {
		classes[c] |= endClass
	}
	return classes
}()
