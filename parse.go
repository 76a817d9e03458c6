package robotstxt

import (
	"bytes"
	"io"
	"iter"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// SizeLimit is the number of bytes at the start of a robots.txt file that count (RFC
// 9309, section 2.5). The rest is ignored. A line that crosses the limit is ignored, too,
// because half a rule is not what the site wrote. A file in UTF-16 is measured in UTF-8,
// without its byte-order mark.
const SizeLimit = 500 << 10

// Parse reads a robots.txt file. It never fails: any bytes are a robots.txt file, and
// Parse skips lines that mean nothing. It keeps no reference to data. It reads at
// most [SizeLimit] bytes, in time proportional to their number.
func Parse(data []byte) *File {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	return b.build(data)
}

// ReadBody reads as much of a robots.txt file as [Parse] needs. It does not decompress: a body
// that is still compressed has no rules, so everything would be allowed. Do not use an
// [io.LimitReader] with [SizeLimit] instead: it could cut "Disallow: /private" to
// "Disallow: /", and could lose half of a file in UTF-16.
//
// If ReadBody returns an error, the body is incomplete. If the status of the response is
// 2xx, a crawler should then use [Unreachable], because the missing part may contain rules.
// For other statuses, [FromStatus] does not need the body.
func ReadBody(r io.Reader) ([]byte, error) {
	const most = SizeLimit + 1 // the additional byte tells Parse whether a line crosses the limit
	body, err := io.ReadAll(io.LimitReader(r, most))
	if err != nil || len(body) < most || !lex.IsUTF16(body) {
		return body, err
	}
	// A text is at most twice as long in UTF-16 as in UTF-8, and the byte-order mark takes two
	// bytes.
	const mostUTF16 = 2 + 2*most
	rest, err := io.ReadAll(io.LimitReader(r, mostUTF16-most))
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

// A Line is one line of a robots.txt file. Columns count bytes from 1. A line of NoKind has no
// key and no value, and their columns are 0. For an empty value, ValueColumn is the place
// where it would start. CommentColumn is 0 if there is no comment.
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

// NotRobotsTxt looks for a sign that data is not a robots.txt file but an HTML page, for example:
// a login, or the challenge of a server that suspects a bot. [Parse] finds no rules there, so
// everything is allowed, which is rarely what the site wants. If there is a sign, ok is true, and
// line is the number of the first line with text, counted from 1 as in [Line].
//
// A file without text other than comments is a robots.txt file. If the text starts with "<", the
// sign is that no allow or disallow line follows a user-agent line: scripts can contain all other
// keys. In other files, the sign is that no line has one of the keys User-agent, Allow, Disallow,
// Sitemap and Crawl-delay. NotRobotsTxt takes any bytes, reads them as Parse does, and takes time
// in proportion to their number.
func NotRobotsTxt(data []byte) (line int, ok bool) {
	s := newScanner(data)
	isPage, inGroup := false, false
	for s.next() {
		if line == 0 {
			text, _, _ := bytes.Cut(s.bytes(s.line), []byte("#"))
			text = lex.TrimLeft(text)
			if len(text) == 0 {
				continue
			}
			line, isPage = s.number, text[0] == '<'
		}
		isRule := s.kind == AllowKind || s.kind == DisallowKind
		isKnown := s.kind != NoKind && s.kind != OtherKind
		if isPage && isRule && inGroup || !isPage && isKnown {
			return 0, false
		}
		inGroup = inGroup || s.kind == UserAgentKind
	}
	if line == 0 && s.truncated && s.pos < len(s.data) && s.data[s.pos] != '#' {
		line = s.number + 1 // a page of one line that crosses the size limit
	}
	return line, line > 0
}

// describe returns the current line as a Line. The parameter text is the text of the line.
func (s *scanner) describe(text string) Line {
	l := Line{Number: s.number, Text: text, Kind: s.kind}
	if i := strings.IndexByte(text, '#'); i >= 0 {
		l.Comment, l.CommentColumn = text[i:], i+1
	}
	if s.kind != NoKind {
		start := s.line.start
		l.Key, l.KeyColumn = text[s.key.start-start:s.key.end-start], int(s.key.start-start)+1
		l.Value, l.ValueColumn = text[s.value.start-start:s.value.end-start], int(s.value.start-start)+1
		l.Colon = s.colon
	}
	return l
}

// A scanner reads a file line by line.
type scanner struct {
	data      []byte
	truncated bool // the last line of data continues beyond the size limit
	pos       int  // where the next line starts
	cr, lf    int  // the next CR and the next LF; see lineEnd

	// The current line.
	number  int
	line    span // without the line ending
	kind    Kind
	key     span
	value   span
	classes octetClass // the classes of the octets of value
	colon   bool
}

// A span is a part of a text or of another slice: the elements from index start to index end,
// without the last.
type span struct{ start, end uint32 }

func (s span) isEmpty() bool { return s.start == s.end }

func newSpan(start, end int) span { return span{uint32(start), uint32(end)} }

func (s *scanner) bytes(p span) []byte { return s.data[p.start:p.end] }

// trimmed returns the span of s.data[start:end] without the blanks at both ends.
func (s *scanner) trimmed(start, end int) span {
	start = end - len(lex.TrimLeft(s.data[start:end]))
	return newSpan(start, start+len(lex.TrimRight(s.data[start:end])))
}

func newScanner(data []byte) scanner {
	data = lex.UTF8(data, SizeLimit)
	truncated := len(data) > SizeLimit && data[SizeLimit] != '\n' && data[SizeLimit] != '\r'
	return scanner{data: data[:min(len(data), SizeLimit)], truncated: truncated, cr: -1, lf: -1}
}

// next reads the next line and reports whether there is one.
func (s *scanner) next() bool {
	start := s.pos
	if start >= len(s.data) {
		return false
	}
	end := start
	s.kind = NoKind
	switch s.data[start] {
	case '\n', '\r':
	case '#':
		end = s.lineEnd()
	default:
		if kind, size := usualKey(s.data[start:]); kind != NoKind {
			s.kind, s.key, s.colon = kind, newSpan(start, start+size-len(":")), true
			end = s.readValue(start + size)
		} else {
			end = s.lineEnd()
			s.split(start, end)
		}
	}
	if end == len(s.data) && s.truncated {
		return false
	}
	s.line = newSpan(start, end)
	s.number++
	s.pos = end + 1
	if s.pos < len(s.data) && s.data[end] == '\r' && s.data[s.pos] == '\n' {
		s.pos++
	}
	return true
}

// usualKey recognizes the most common keys in their usual spelling. The parameter rest is the
// file from the start of a line. The result size is the length of the key including the colon.
// If the line starts with anything else, or if fewer bytes are left in the file than
// "User-agent:" has, usualKey returns NoKind and 0.
func usualKey(rest []byte) (kind Kind, size int) {
	const disallow, allow, userAgent, sitemap = len("Disallow:"), len("Allow:"), len("User-agent:"), len("Sitemap:")
	switch {
	case len(rest) < userAgent:
	case string(rest[:disallow]) == "Disallow:":
		return DisallowKind, disallow
	case string(rest[:allow]) == "Allow:":
		return AllowKind, allow
	case string(rest[:userAgent]) == "User-agent:" || string(rest[:userAgent]) == "User-Agent:":
		return UserAgentKind, userAgent
	case string(rest[:sitemap]) == "Sitemap:":
		return SitemapKind, sitemap
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
	table := &classTable // a local pointer keeps the address of the table in a register
	for i, c := range s.data[start:] {
		class := table[c]
		if class&endClass != 0 {
			end = start + i
			break
		}
		classes |= class
	}
	s.value, s.classes = newSpan(start, end), classes
	if classes&notGraphicClass != 0 {
		s.value = s.trimmed(start, end)
		s.classes = classesOf(s.bytes(s.value))
	}
	if end < len(s.data) && s.data[end] == '#' {
		end = s.lineEnd()
	}
	return end
}

// lineEnd returns where the line at pos ends. It remembers the next CR and the next LF.
// Otherwise, in a file that has only CRs, each line would make it search the rest of the file for
// an LF.
func (s *scanner) lineEnd() int {
	if s.lf < s.pos {
		s.lf = s.find('\n')
	}
	if s.cr < s.pos {
		s.cr = s.find('\r')
	}
	return min(s.cr, s.lf)
}

// find returns the index of the first c in s.data[s.pos:], or len(s.data) if there is none.
func (s *scanner) find(c byte) int {
	if i := bytes.IndexByte(s.data[s.pos:], c); i >= 0 {
		return s.pos + i
	}
	return len(s.data)
}

// split finds the kind, the key and the value of a line in which usualKey has found no key.
// The line is s.data[start:end]. After a known key, the colon can be missing if the value is one
// word, as in "Disallow /a".
func (s *scanner) split(start, end int) {
	line := lex.TrimLeft(s.data[start:end])
	if !canHaveKey(line) { // most junk
		return
	}
	start = end - len(line)
	if i := bytes.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
		end = start + i
	}
	keyLen, valueStart := bytes.IndexByte(line, ':'), 0
	colon := keyLen >= 0
	if colon {
		valueStart = keyLen + len(":")
	} else {
		keyLen = keyLenWithoutColon(line)
		if keyLen < 0 {
			return
		}
		valueStart = keyLen
	}
	kind := kindOf(line[:keyLen])
	if kind == OtherKind && (!colon || !isKey(lex.Trim(line[:keyLen]))) {
		return
	}
	s.kind, s.colon = kind, colon
	s.key = s.trimmed(start, start+keyLen)
	s.value = s.trimmed(start+valueStart, end)
	s.classes = classesOf(s.bytes(s.value))
}

// canHaveKey reports whether a line without blanks at its start can have a key. This is a quick
// test, which few lines of an HTML page pass.
func canHaveKey(line []byte) bool { return startsKey(line) || startsRecord(line) }

// startsRecord reports whether a colon follows on characters that the key of a record can have.
// It leaves all characters outside ASCII to isKey.
func startsRecord(line []byte) bool {
	for _, c := range line {
		if endsKey[c] {
			return c == ':'
		}
	}
	return false
}

// endsKey marks the visible ASCII characters that no key of a record contains; see isKey.
var endsKey = func() (ends [256]bool) {
	for c := range byte(utf8.RuneSelf) {
		ends[c] = lex.IsGraphic(c) && !isLetter(c) && c-'0' >= 10 && strings.IndexByte("-_.", c) < 0
	}
	return ends
}()

// keyLenWithoutColon returns the length of the first of two words, or -1 if the line has not
// exactly two words.
func keyLenWithoutColon(line []byte) int {
	line = lex.TrimRight(line)
	keyLen := wordLen(line)
	value := bytes.TrimLeft(line[keyLen:], " \t")
	if len(value) == 0 || wordLen(value) < len(value) {
		return -1
	}
	return keyLen
}

// wordLen returns the length of the text before the first space or tab.
func wordLen(text []byte) int {
	for i, c := range text {
		if c == ' ' || c == '\t' {
			return i
		}
	}
	return len(text)
}

// isLetter reports whether c is an ASCII letter. The difference is at least 26 also for bytes
// below 'a', because bytes wrap around.
func isLetter(c byte) bool { return (c|0x20)-'a' < 26 }

// startsKey reports whether the first three letters of a line are those of a known key. The list
// has the first letters of all spellings in kindOf; TestSimilarKeys compares the two.
func startsKey(line []byte) bool {
	var buf [3]byte
	switch string(appendLetters(buf[:0], line)) {
	case "all", "cla", "cra", "des", "dia", "dis", "dsa", "dss", "ser", "sit", "use":
		return true
	}
	return false
}

// appendLetters appends the ASCII letters of a text in lower case to dst, until dst is full.
func appendLetters(dst, text []byte) []byte {
	for _, c := range text {
		if isLetter(c) {
			dst = append(dst, c|0x20)
			if len(dst) == cap(dst) {
				break
			}
		}
	}
	return dst
}

// kindOf returns the kind of a key. It ignores all characters except ASCII letters.
func kindOf(key []byte) Kind {
	var buf [11]byte // one more than the letters of the longest known key, "crawldelay"
	switch string(appendLetters(buf[:0], key)) {
	case "useragent",
		"useragents", "usersagent", "usegagent", "seragent", "useragnet": // misspelled
		return UserAgentKind
	case "allow",
		"allowed":
		return AllowKind
	case "disallow",
		"dissallow", "dissalow", "disalow", "diasllow", "disallaw", "desallow", "dssalow",
		"dsallow", "diallow", "disallows", "disllow", "disallowed":
		return DisallowKind
	case "sitemap",
		"sitemaps":
		return SitemapKind
	case "crawldelay",
		"clawldelay", "crawdelay", "crawldeley":
		return CrawlDelayKind
	}
	return OtherKind
}

// isKey reports whether text can be the key of a record: a letter, and then letters, digits,
// spaces and some punctuation.
func isKey(text []byte) bool {
	const longest = 40
	if len(text) > longest {
		return false
	}
	if first, _ := utf8.DecodeRune(text); !unicode.IsLetter(first) {
		return false
	}
	for _, r := range string(text) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" -_.", r) {
			return false
		}
	}
	return true
}

// A builder turns the lines of a file into a File. Parse reuses builders, because the slices of
// a used builder rarely have to grow.
type builder struct {
	patterns []byte
	text     []byte
	sitemaps []byte
	agents   []agent
	sections []section
	rules    []rule
	records  []record
	indexes  map[int]*index

	canJoin    bool // the section has no allow or disallow line yet, so another user-agent line joins it
	afterAgent bool // no record came since the last user-agent line
	weight     int  // the number of rules in the section; a rule with wildcards counts as 1 + wildWeight rules
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// build returns the File for a robots.txt file. After that, the builder is ready for
// another file.
func (b *builder) build(data []byte) *File {
	s := newScanner(data)
	for s.next() {
		b.addLine(&s)
	}
	b.endSection()
	// One allocation holds all three strings.
	patterns, text := len(b.patterns), len(b.text)
	b.patterns = append(append(b.patterns, b.text...), b.sitemaps...)
	all := string(b.patterns)
	f := &File{
		patterns: all[:patterns],
		text:     all[patterns:][:text],
		sitemaps: all[patterns+text:],
		agents:   clone(b.agents),
		sections: clone(b.sections),
		rules:    clone(b.rules),
		records:  clone(b.records),
		indexes:  b.indexes,
	}
	*b = builder{
		patterns: b.patterns[:0],
		text:     b.text[:0],
		sitemaps: b.sitemaps[:0],
		agents:   b.agents[:0],
		sections: b.sections[:0],
		rules:    b.rules[:0],
		records:  b.records[:0],
	}
	return f
}

// clone returns a copy of s, or nil if s is empty. [slices.Clone] would keep the array of an
// empty slice.
func clone[E any](s []E) []E {
	if len(s) == 0 {
		return nil
	}
	c := make([]E, len(s))
	copy(c, s)
	return c
}

func (b *builder) addLine(s *scanner) {
	switch s.kind {
	case UserAgentKind:
		b.addUserAgent(s.bytes(s.value))
	case AllowKind, DisallowKind:
		b.canJoin = false
		if !s.value.isEmpty() && len(b.sections) > 0 { // rules above the first user-agent line are ignored
			b.addRule(s)
		}
	case SitemapKind:
		if !s.value.isEmpty() {
			b.sitemaps = append(append(b.sitemaps, s.bytes(s.value)...), '\n')
		}
	case CrawlDelayKind, OtherKind:
		b.records = append(b.records, record{
			line:         uint32(s.number),
			key:          b.add(s.bytes(s.key)),
			value:        b.add(s.bytes(s.value)),
			isCrawlDelay: s.kind == CrawlDelayKind,
			afterAgent:   b.afterAgent,
		})
		b.afterAgent = false
	}
}

// add appends a text to the text of the file.
func (b *builder) add(text []byte) span {
	start := len(b.text)
	b.text = append(b.text, text...)
	return newSpan(start, len(b.text))
}

// addUserAgent adds a user-agent line. Even a line without a usable token has an effect: after a
// rule, it starts a new section; after a record, see [Group.Records]. The package internal/section
// has the same rule, and its test FuzzCut compares the two.
func (b *builder) addUserAgent(value []byte) {
	if !b.canJoin {
		b.endSection()
		b.sections = append(b.sections, section{uint32(len(b.rules)), uint32(len(b.records))})
		b.canJoin = true
	}
	b.afterAgent = true
	if n := lex.TokenLen(value); n > 0 && n == len(value) || string(value) == "*" { // one token, as on most lines
		b.addAgent(value, false)
		return
	}
	for _, name := range lex.Names(value) {
		if token, standsAlone := lex.NameToken(name); len(token) > 0 {
			b.addAgent(token, standsAlone)
		}
	}
}

func (b *builder) addAgent(token []byte, standsAlone bool) {
	var buf [64]byte
	b.agents = append(b.agents, agent{
		stem:        stemOf(lex.AppendFold(buf[:0], token)),
		token:       b.add(token),
		section:     uint32(len(b.sections) - 1),
		firstRecord: uint32(len(b.records)),
		standsAlone: standsAlone,
	})
}

// endSection ends the current section, if there is one. If the section has many rules, it gets an
// index.
func (b *builder) endSection() {
	if b.weight >= manyRules {
		if b.indexes == nil {
			b.indexes = map[int]*index{}
		}
		b.indexes[len(b.sections)-1] = new(index)
	}
	b.weight = 0
}

// addRule adds an allow or disallow line that has a value.
func (b *builder) addRule(s *scanner) {
	bits := uint32(s.number) << lineShift
	if s.kind == AllowKind {
		bits |= allowBit
	}
	value := s.bytes(s.value)
	pattern, classes := value, s.classes
	if !isRooted(value) || classes&(illegalClass|percentClass) != 0 {
		var buf [256]byte
		pattern = appendPattern(buf[:0], value)
		classes = classesOf(pattern)
		if !bytes.Equal(pattern, value) {
			b.patterns = append(b.patterns, value...)
			b.rules = append(b.rules, rule{uint32(len(b.patterns)), bits | asWrittenBit})
		}
	}
	b.addPattern(bits, pattern, classes)
	if s.kind != AllowKind {
		return
	}
	// An allow rule for /a/index.html also allows /a/, as if "Allow: /a/$" were on the same line.
	folder := pattern[:bytes.LastIndexByte(pattern, '/')+1]
	if bytes.HasPrefix(pattern[len(folder):], []byte("index.htm")) {
		var buf [256]byte
		page := append(append(buf[:0], folder...), '$')
		b.addPattern(bits, page, classesOf(page))
	}
}

// addPattern adds a rule for a pattern in canonical form. The parameter bits has the line of the rule
// and whether it allows, and classes has the classes of all octets in the pattern.
func (b *builder) addPattern(bits uint32, pattern []byte, classes octetClass) {
	b.weight++
	if classes&starClass != 0 {
		b.weight += wildWeight
	}
	if classes&relevant != 0 {
		bits |= uint32(relevantClasses(pattern, classes))
	}
	b.patterns = append(b.patterns, pattern...)
	b.rules = append(b.rules, rule{uint32(len(b.patterns)), bits})
}

// An octetClass is a set of bits, one for each special property of an octet in a value or a
// path. For several octets, the bits are combined with |.
type octetClass uint8

const (
	percentClass    octetClass = 1 << iota // "%"
	starClass                              // "*"
	dollarClass                            // "$"
	questionClass                          // "?"
	illegalClass                           // not allowed in a path or query, so it must be escaped
	notGraphicClass                        // every octet except visible ASCII; a value without such octets needs no trimming
	endClass                               // ends a value: CR, LF and "#"

	relevant = percentClass | starClass | dollarClass | questionClass // the classes that can affect what a canonical pattern matches
)

func classesOf[S []byte | string](s S) octetClass { return lex.Union(&classTable, s) }

var classTable = func() (classes [256]octetClass) {
	for c := range classes {
		if !lex.IsLegal(byte(c)) {
			classes[c] = illegalClass
		}
		if !lex.IsGraphic(byte(c)) {
			classes[c] |= notGraphicClass
		}
	}
	classes['%'], classes['*'], classes['$'], classes['?'] = percentClass, starClass, dollarClass, questionClass
	for _, c := range []byte("\r\n#") {
		classes[c] |= endClass
	}
	return classes
}()
