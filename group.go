package robotstxt

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A builder collects the lines of a file. It is reused, so its slices have room for the
// next file.
type builder struct {
	text  []byte
	lines []line
	names []name // in file order

	section uint32 // the current one
	inRun   bool   // a user-agent line would belong to it
	rules   uint32 // of the section
	cost    uint32 // of trying them; see manyRules
	indexes map[uint32]*lazyIndex
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// build reads a file, and returns its table and an index for each large section. It
// leaves the builder empty.
func (b *builder) build(data []byte) (table, map[uint32]*lazyIndex) {
	s := newScanner(data)
	b.startSection(&s)
	for s.next() {
		b.addLine(&s)
	}
	b.startSection(&s)
	b.sortNames()
	t, indexes := table{string(b.text), slices.Clone(b.lines), slices.Clone(b.names)}, b.indexes
	*b = builder{text: b.text[:0], lines: b.lines[:0], names: b.names[:0]}
	return t, indexes
}

// addLine takes the scanner's current line.
func (b *builder) addLine(s *scanner) {
	switch s.kind {
	case UserAgentKind:
		b.addUserAgent(s)
	case AllowKind, DisallowKind:
		b.inRun = false
		isNamed := len(b.names) > 0 && b.names[len(b.names)-1].line >= b.section
		if isNamed && s.value.start < s.value.end {
			b.addRule(s)
		}
	case SitemapKind:
		if s.value.start < s.value.end {
			b.add(s, sitemap, s.bytes(s.value))
		}
	case CrawlDelayKind:
		b.addRecord(s, record|crawlDelay)
	case OtherKind:
		b.addRecord(s, record)
	}
}

// add adds a line with a text, which may grow.
func (b *builder) add(s *scanner, flags uint32, text []byte) {
	b.reserve(s, len(text))
	b.lines = append(b.lines, line{uint32(len(b.text)), uint32(s.number) | flags})
	b.write(append(b.text, text...))
}

// write makes text, which has been appended to b.text in its room, part of it. It does not
// store the pointer again, which takes time while the garbage collector runs.
func (b *builder) write(text []byte) { b.text = b.text[:len(text)] }

// reserve makes room for a line and n octets of text. What it allocates depends on what
// is still to come of the file, and it is enough for all of that, or of most files. With
// append alone, Parse would allocate several times what it needs.
func (b *builder) reserve(s *scanner, n int) {
	rest := s.data[s.line.start:]
	if len(b.lines) == cap(b.lines) {
		b.lines = grow(b.lines, 3+lineEnds(rest))
	}
	switch n += len(b.text); {
	case n <= cap(b.text):
	case n <= len(s.data): // most files
		b.text = grow(b.text, len(s.data)-len(b.text))
	default: // no text has more than four times the octets of its line
		b.text = grow(b.text, 4*len(rest))
	}
}

// grow returns a slice with room for n more elements, and for no others.
func grow[E any](s []E, n int) []E { return append(make([]E, 0, len(s)+n), s...) }

func lineEnds(text []byte) int {
	return bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r"))
}

// startSection starts a section, and ends the one before.
func (b *builder) startSection(s *scanner) {
	if b.cost >= manyRules {
		if b.indexes == nil {
			b.indexes = map[uint32]*lazyIndex{}
		}
		b.indexes[b.section] = &lazyIndex{rules: b.rules}
	}
	b.section, b.rules, b.cost = uint32(len(b.lines)), 0, 0
	b.add(s, header|userAgent, nil)
}

// addUserAgent adds the names of a user-agent line. Without any, it still separates
// records.
func (b *builder) addUserAgent(s *scanner) {
	if !b.inRun {
		b.startSection(s)
		b.inRun = true
	} else if !b.lines[len(b.lines)-1].has(userAgent) {
		b.add(s, userAgent, nil)
	}
	for _, part := range lex.Names(s.bytes(s.value)) {
		if token := part[:lex.NameLen(part)]; len(token) > 0 {
			b.addName(s, token)
		}
	}
}

// addName adds a name to the current line.
func (b *builder) addName(s *scanner, token []byte) {
	if len(b.names) == cap(b.names) { // as in reserve
		rest := s.data[s.line.start:]
		lines := min(lineEnds(rest), len(rest)/len("seragent:a\n"))
		b.names = grow(b.names, 1+lines+bytes.Count(rest, []byte(",")))
	}
	b.reserve(s, 2*(len(token)+len("\n")))
	b.names = append(b.names, name{uint32(len(b.text)), uint32(len(b.lines) - 1)})
	text := b.text
	if string(token) != "*" {
		text = lex.AppendFold(text, token)
	}
	b.write(append(append(append(text, '\n'), token...), '\n'))
}

func (b *builder) addRecord(s *scanner, flags uint32) {
	key, value := s.bytes(s.key), s.bytes(s.value)
	b.add(s, flags, key)
	b.reserve(s, len(":")+len(value))
	b.write(append(append(b.text, ':'), value...))
}

// addRule adds a rule. Its value is not empty.
func (b *builder) addRule(s *scanner) {
	written, start, classes := s.bytes(s.value), len(b.text), s.classes
	isCanonical := isRooted(written) && classes&(illegalClass|percentClass) == 0
	if isCanonical {
		b.add(s, 0, written)
	} else {
		b.add(s, 0, nil)
		b.reserve(s, len("/")+len("%XX")*len(written)+len("\n")+len(written))
		b.write(appendPattern(b.text, written))
		classes = classesOf(b.text[start:])
	}
	pattern, flags := b.text[start:], uint32(0)
	b.rules, b.cost = b.rules+1, b.cost+1
	if s.kind == AllowKind {
		flags = allow
		if isIndexPage(pattern) {
			flags |= indexPage
			b.rules, b.cost = b.rules+1, b.cost+1
		}
	}
	classes = patternClassesOf(pattern, classes)
	if classes&starClass != 0 {
		b.cost += wildCost
	}
	if classes&percentClass != 0 && flags&indexPage == 0 { // or its directory would be hard to find
		spelled := appendSpelling(pattern[:0], pattern, classes&questionClass != 0)
		for i := len(spelled); i < len(pattern); i++ {
			pattern[i] = '\n'
		}
		classes &^= percentClass
	}
	if !isCanonical && !bytes.Equal(pattern, written) {
		flags |= rewritten
		b.write(append(append(b.text, '\n'), written...))
	}
	b.lines[len(b.lines)-1].bits |= flags | uint32(classes)<<classShift
}

// sortNames sorts the names by token, then in file order. Of several with one token in
// one line it keeps the first.
func (b *builder) sortNames() {
	token := func(n name) []byte {
		folded, _, _ := bytes.Cut(b.text[n.start:], []byte("\n"))
		return folded
	}
	slices.SortFunc(b.names, func(m, n name) int {
		if x, y := b.text[m.start], b.text[n.start]; x != y { // saves most calls
			return int(x) - int(y)
		}
		return cmp.Or(bytes.Compare(token(m), token(n)), cmp.Compare(m.start, n.start))
	})
	b.names = slices.CompactFunc(b.names, func(m, n name) bool {
		return m.line == n.line && bytes.Equal(token(m), token(n))
	})
}

// prefix returns the first octets of the text of a name.
func (t *table) prefix(n name, size int) string {
	return t.text[n.start:min(int(n.start)+size, len(t.text))]
}

// written returns the token of a name as the file has it.
func (t *table) written(n name) string {
	return strings.SplitN(t.text[n.start:], "\n", 3)[1]
}

// namesFor returns the names that select the group of an agent: those of its token or,
// if there are none, of the token without its last "-suffix", and so on, or of "*".
func (t *table) namesFor(agent string) []name {
	var buf [64]byte
	token, obeysStar := lex.AppendFold(buf[:0], ProductToken(agent)), true
	for len(token) > 0 {
		// In the text, a line feed follows the token. It sorts before all octets of tokens,
		// so to compare that much of the text of a name is to compare its token.
		key := append(token, '\n')
		i := sort.Search(len(t.names), func(i int) bool { return t.prefix(t.names[i], len(key)) >= string(key) })
		if i < len(t.names) && t.prefix(t.names[i], len(key)) == string(key) {
			return t.namesAt(i, len(key))
		}
		obeysStar = obeysStar && !ignoresStar(token)
		// No name sorts between the one before i and the token. So a token that this token
		// starts with is no longer than what the two have in common.
		common := 0
		if i > 0 {
			prev := t.text[t.names[i-1].start:]
			for common < len(token)-1 && prev[common] == token[common] {
				common++
			}
		}
		token = token[:max(0, bytes.LastIndexByte(token[:common+1], '-'))]
	}
	if obeysStar && len(t.names) > 0 && t.prefix(t.names[0], 1) == "\n" {
		return t.namesAt(0, 1)
	}
	return nil
}

// namesAt returns the names with the token of names[i], which has a text of that size
// with its line feed.
func (t *table) namesAt(i, size int) []name {
	end := i + 1
	for end < len(t.names) && t.prefix(t.names[end], size) == t.prefix(t.names[i], size) {
		end++
	}
	return t.names[i:end]
}

// tokens returns the names of each token, in the order in which the file has them.
func (t *table) tokens() (tokens [][]name) {
	for i := 0; i < len(t.names); i += len(tokens[len(tokens)-1]) {
		size := strings.IndexByte(t.text[t.names[i].start:], '\n') + 1
		tokens = append(tokens, t.namesAt(i, size))
	}
	slices.SortFunc(tokens, func(a, b []name) int { return cmp.Compare(a[0].start, b[0].start) })
	return tokens
}

// A place is what a name on a user-agent line shares with others: the next record after
// it in its section, or 0, and where the section ends, or 0 if it has no rules.
type place struct{ record, rules uint32 }

// places returns the place of each line.
func (t *table) places() []place {
	places, end := make([]place, len(t.lines)), uint32(0)
	for i := len(t.lines) - 2; i >= 0; i-- {
		switch next := t.lines[i+1]; {
		case next.has(header):
			end = uint32(i + 1)
			continue
		case next.has(record):
			places[i] = place{uint32(i + 1), places[i+1].rules}
		case next.isRule():
			places[i] = place{places[i+1].record, end}
		default:
			places[i] = places[i+1]
		}
	}
	return places
}

// contents returns the same string for all tokens, given by their names, that share all
// rules and records. Sections without any do not count, unless a token has no others.
func (t *table) contents(names []name, places []place) string {
	var records, rules []uint32
	for _, n := range names {
		if p := places[n.line]; p.record != 0 {
			records = append(records, p.record)
		}
		if p := places[n.line]; p.rules != 0 {
			rules = append(rules, p.rules)
		}
	}
	for _, first := range t.sections(names) {
		if len(records)+len(rules) == 0 {
			return fmt.Sprint(first)
		}
	}
	return fmt.Sprint(slices.Compact(records), slices.Compact(rules))
}

// bestRule returns the rank of the rule that decides about a target for the names, or 0.
func (t *table) bestRule(indexes map[uint32]*lazyIndex, names []name, target target) (best rank) {
	for _, section := range t.sections(names) {
		if x := indexes[section].forPath(t, section, target.path); x != nil {
			best = x.bestOf(target, best)
		} else {
			best = t.bestOf(section, target, best)
		}
	}
	return best
}

// preamble returns a name that stands for the lines before the first user-agent line. The
// zero table has none.
func (t *table) preamble() []name { return make([]name, min(1, len(t.lines))) }

// recordsOf returns the records that belong to the names of a token, as indexes of lines.
// A record belongs to the names of its run that are above it. But if a user-agent line
// follows a record, later records with the same key are only for names below the
// record. A crawl-delay that is not valid changes nothing for others.
func (t *table) recordsOf(names []name) (records []int) {
	earlier := map[string]int{} // the first record of each key after the latest name, if that is above
	for next := range t.sections(names) {
		latest, userAgentLine := 0, 0 // so far: of the names, and of all
		for i, l := range t.from(names[next].line) {
			if next < len(names) && int(names[next].line) == i {
				latest = i
				next++
			}
			if l.has(userAgent) {
				userAgentLine = i
			}
			if !l.has(record) {
				continue
			}
			key, value := t.record(i)
			if key = recordKey(key); l.has(crawlDelay) {
				key = CrawlDelayKind.String() // however it is spelled
			}
			first, ok := earlier[key]
			ok = ok && first > latest
			if ok && first < userAgentLine {
				continue
			}
			records = append(records, i)
			if _, valid := lex.Seconds(value); !ok && (valid || !l.has(crawlDelay)) {
				earlier[key] = i
			}
		}
	}
	return records
}

// record returns the key and the value of a record.
func (t *table) record(i int) (key, value string) {
	key, value, _ = strings.Cut(t.at(i), ":")
	return key, value
}

// recordKey returns the form in which keys that the protocol does not know are compared:
// their ASCII letters or, if there are none, the folded key.
func recordKey(key string) string { return cmp.Or(lex.Letters(key), lex.Fold(key)) }

// size estimates the bytes of memory that the table takes, with its indexes.
func (t *table) size(indexes map[uint32]*lazyIndex) int {
	const file, line, name, indexed = 150, 8, 8, 28
	n := file + len(t.text) + line*len(t.lines) + name*len(t.names)
	for _, x := range indexes {
		n += indexed * int(x.rules)
	}
	return n
}

// ignoresStar reports whether Google documents that an agent, given by its folded
// token, does not obey the rules for "*".
func ignoresStar(agent []byte) bool {
	for _, special := range [...]string{"adsbot-google", "apis-google", "mediapartners-google"} {
		if suffix, ok := bytes.CutPrefix(agent, []byte(special)); ok && (len(suffix) == 0 || suffix[0] == '-') {
			return true
		}
	}
	return false
}
