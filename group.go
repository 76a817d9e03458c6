package robotstxt

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A builder makes the table of a file. Parse reuses builders, because the slices of a used
// builder rarely have to grow.
type builder struct {
	text  []byte
	lines []line
	names []name // in file order

	section   int            // the index of the current section's header
	userAgent int            // the index of the user-agent line to which new names and records belong
	inRun     bool           // the section has no allow or disallow line yet, so another user-agent line joins it
	cost      int            // the number of rules in the section; a rule with wildcards counts as 1 + wildCost rules
	indexes   map[int]*index // one for each section with many rules; the key is the index of the section's header, as in the field section
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// build reads a file. It returns the file's table and, for each large section, an index
// that is still empty. After that, the builder is ready for another file.
func (b *builder) build(data []byte) (table, map[int]*index) {
	s := newScanner(data)
	b.startSection(&s)
	for s.next() {
		// A line of n octets adds at most 4*(n+1) octets to the text.
		if s.kind != NoKind && cap(b.text)-len(b.text) < 4*(s.line.end-s.line.start+1) {
			b.text = grow(b.text, 4*(len(s.data)-s.line.start+1))
		}
		b.addLine(&s)
	}
	b.startSection(&s)
	t := table{string(b.text), slices.Clone(b.lines), b.names}
	t.sortNames()
	t.names = slices.Clone(t.names)
	indexes := b.indexes
	*b = builder{text: b.text[:0], lines: b.lines[:0], names: b.names[:0]}
	return t, indexes
}

func (b *builder) addLine(s *scanner) {
	switch s.kind {
	case UserAgentKind:
		b.addUserAgent(s)
	case AllowKind, DisallowKind:
		b.inRun = false
		if s.value.start < s.value.end {
			b.addRule(s)
		}
	case SitemapKind:
		if s.value.start < s.value.end {
			b.add(s, uint32(s.number)|sitemap, s.bytes(s.value))
		}
	case CrawlDelayKind:
		b.addRecord(s, record|crawlDelay)
	case OtherKind:
		b.addRecord(s, record)
	}
}

// add adds a line that has the given text. Until the next call of add, each call of write adds
// to the text of this line.
func (b *builder) add(s *scanner, bits uint32, text []byte) {
	if len(b.lines) == cap(b.lines) {
		rest := s.data[s.line.start:]
		pages := len(rest) / len("allow:index.htm") // at most this many allow rules for index pages; each of these rules takes two elements of b.lines
		b.lines = grow(b.lines, 3+pages+bytes.Count(rest, []byte("\n"))+bytes.Count(rest, []byte("\r")))
	}
	b.lines = append(b.lines, line{uint32(len(b.text)), bits})
	b.write(append(b.text, text...))
}

// write extends b.text to text. The caller has appended to b.text, without exceeding its
// capacity, and text is the result. So the new octets are already in the array of b.text,
// and write only has to change the length. The assignment b.text = text would also store a
// pointer, and storing pointers is slow while the garbage collector runs.
func (b *builder) write(text []byte) { b.text = b.text[:len(text)] }

// grow returns a copy of s with room for n more elements. If append grew the slices step by
// step, Parse would allocate several times the memory that it needs.
func grow[E any](s []E, n int) []E { return append(make([]E, 0, len(s)+n), s...) }

// startSection ends the current section and starts the next.
func (b *builder) startSection(s *scanner) {
	if b.cost >= manyRules {
		if b.indexes == nil {
			b.indexes = map[int]*index{}
		}
		b.indexes[b.section] = &index{size: len(b.lines) - b.section}
	}
	b.section, b.userAgent, b.cost = len(b.lines), len(b.lines), 0
	b.add(s, uint32(b.section)|header|userAgent, nil)
}

// addUserAgent adds a user-agent line and the names on it. Even a line without names has an
// effect. After a rule, such a line starts a new section, so the rules below the line do not
// apply to the names above it. After a record, later records with the same key do not apply to
// the names above the line; see Group.Records.
func (b *builder) addUserAgent(s *scanner) {
	if !b.inRun {
		b.startSection(s)
		b.inRun = true
	} else if !b.lines[len(b.lines)-1].has(userAgent) {
		if b.lines[b.userAgent].has(hasRecords) {
			b.userAgent = len(b.lines)
		}
		b.add(s, uint32(b.section)|userAgent, nil)
	}
	for _, part := range lex.Names(s.bytes(s.value)) {
		if token := part[:lex.NameLen(part)]; len(token) > 0 {
			b.addName(s, token)
		}
	}
}

// addName adds a name to the current user-agent line.
func (b *builder) addName(s *scanner, token []byte) {
	if len(b.names) == cap(b.names) {
		rest := s.data[s.line.start:]
		b.names = grow(b.names, 1+len(rest)/len("seragent:a")+bytes.Count(rest, []byte(",")))
	}
	b.names = append(b.names, name{uint32(len(b.text)), uint32(b.userAgent)})
	if string(token) != "*" {
		b.write(lex.AppendFold(b.text, token))
	}
	b.write(append(append(append(b.text, '\n'), token...), '\n'))
}

func (b *builder) addRecord(s *scanner, flags uint32) {
	b.lines[b.userAgent].bits |= hasRecords
	b.add(s, uint32(s.number)|flags, s.bytes(s.key))
	b.write(append(append(b.text, ':'), s.bytes(s.value)...))
}

// addRule adds a rule with a non-empty value.
func (b *builder) addRule(s *scanner) {
	b.lines[b.section].bits |= hasRules
	bits, written, classes := uint32(s.number), s.bytes(s.value), s.classes
	if s.kind == AllowKind {
		bits |= allow
	}
	pattern := written
	if !isRooted(written) || classes&(illegalClass|percentClass) != 0 {
		pattern = appendPattern(b.text, written)[len(b.text):] // appendPattern uses the free space after b.text, to which add then copies the same pattern
		classes = classesOf(pattern)
	}
	b.add(s, bits|b.classBits(pattern, classes), pattern)
	if !bytes.Equal(pattern, written) {
		b.lines[len(b.lines)-1].bits |= rewritten
		b.write(append(append(b.text, '\n'), written...))
	}
	if s.kind != AllowKind {
		return
	}
	// An allow rule for an index page also allows the page's directory. For example, a rule
	// with the pattern "/a/index.html" is followed by an implied rule with the pattern "/a/$".
	directory := pattern[:bytes.LastIndexByte(pattern, '/')+1]
	if bytes.HasPrefix(pattern[len(directory):], []byte("index.htm")) {
		b.add(s, bits|implied|b.classBits(directory, classesOf(directory))|uint32(dollarClass)<<classShift, nil)
	}
}

// classBits returns the classes of a rule's pattern, as bits for line.bits. It also counts the
// rule in b.cost.
func (b *builder) classBits(pattern []byte, classes octetClass) uint32 {
	b.cost++
	if classes&starClass != 0 {
		b.cost += wildCost
	}
	return uint32(patternClassesOf(pattern, classes)) << classShift
}

// sortNames sorts the names by token, then in file order. If a line names a token more
// than once, sortNames keeps only the first of these names.
func (t *table) sortNames() {
	slices.SortFunc(t.names, func(m, n name) int {
		if x, y := t.text[m.start], t.text[n.start]; x != y { // the first bytes usually differ, and are quick to compare
			return int(x) - int(y)
		}
		return cmp.Or(strings.Compare(t.folded(m), t.folded(n)), cmp.Compare(m.start, n.start))
	})
	t.names = slices.CompactFunc(t.names, func(m, n name) bool {
		return m.line == n.line && t.folded(m) == t.folded(n)
	})
}

func (t *table) folded(n name) string {
	folded, _, _ := strings.Cut(t.text[n.start:], "\n")
	return folded
}

func (t *table) written(n name) string {
	_, text, _ := strings.Cut(t.text[n.start:], "\n")
	written, _, _ := strings.Cut(text, "\n")
	return written
}

// namesFor returns the names whose groups an agent obeys. For "FooBot-Image", it looks for
// the tokens foobot-image, foobot and "*", and returns the names of the first token that it
// finds. If the agent ignores the group of "*", namesFor does not look for "*".
func (t *table) namesFor(agent string) []name {
	var buf [64]byte
	token := lex.AppendFold(buf[:0], ProductToken(agent))
	obeysStar := !ignoresStar(token)
	for len(token) > 0 {
		// The names are sorted by token, but in t.text a line feed follows each token. A line
		// feed sorts before every octet that a token can contain, so it does not change the
		// order.
		key := append(token, '\n')
		first := sort.Search(len(t.names), func(i int) bool { return t.prefix(t.names[i], len(key)) >= string(key) })
		if names := t.namesAt(first, key); len(names) > 0 {
			return names
		}
		// No name equals the token, but a shorter name can equal a prefix of the token.
		// Such a name sorts before the token, and all names between the two start with
		// this prefix. Therefore t.names[first-1], the last name before the token, starts with
		// the prefix, too. So try only prefixes that the token and t.names[first-1] share.
		common := 0
		if first > 0 {
			prev := t.text[t.names[first-1].start:]
			for prev[common] == key[common] {
				common++
			}
		}
		token = token[:max(0, bytes.LastIndexByte(token[:common+1], '-'))]
	}
	if !obeysStar {
		return nil
	}
	return t.namesAt(0, []byte("\n"))
}

// prefix returns the octets of t.text from the start of a name: size octets, or fewer if t.text
// ends before that.
func (t *table) prefix(n name, size int) string {
	return t.text[n.start:min(int(n.start)+size, len(t.text))]
}

// namesAt returns the names of a token: t.names[first] and the names after it that belong to
// the same token. The key is the folded token and a line feed. If t.names[first] belongs to
// another token, or does not exist, namesAt returns no names.
func (t *table) namesAt(first int, key []byte) []name {
	end := first
	for end < len(t.names) && t.prefix(t.names[end], len(key)) == string(key) {
		end++
	}
	return t.names[first:end]
}

// tokens groups the names of the file by token: each list contains all names with the same token.
// The lists are in the order in which the tokens first occur in the file.
func (t *table) tokens() (tokens [][]name) {
	for i := 0; i < len(t.names); i += len(tokens[len(tokens)-1]) {
		tokens = append(tokens, t.namesAt(i, []byte(t.folded(t.names[i])+"\n")))
	}
	slices.SortFunc(tokens, func(a, b []name) int { return cmp.Compare(a[0].start, b[0].start) })
	return tokens
}

// contents returns a key for the token with these names. Tokens whose keys are equal share
// a Group. The key lists the token's user-agent lines that have records, and the token's
// sections that have rules. If the token has neither records nor rules, the key is the
// token's first section.
func (t *table) contents(names []name) string {
	var key []byte
	for _, n := range names {
		if t.lines[n.line].has(hasRecords) {
			key = append(strconv.AppendUint(key, uint64(n.line), 10), " record "...)
		}
	}
	for section := range t.sections(names) {
		if t.lines[section].has(hasRules) {
			key = append(strconv.AppendInt(key, int64(section), 10), " rule "...)
		}
	}
	if len(key) == 0 {
		return strconv.Itoa(t.lines[names[0].line].number())
	}
	return string(key)
}

// preamble returns the names with which recordsOf finds the records above the first user-agent
// line. These records are in section 0, so the list contains one name, on the header of
// section 0. This header is line 0. The table of a zero File has no lines, so the list is empty.
func (t *table) preamble() []name { return make([]name, min(1, len(t.lines))) }

// recordsOf returns the indexes of the records that apply to any of the names. The comment
// on Group.Records says which records apply to a name. The result contains only records
// that have the given flag: every record has the flag "record", and only crawl-delays have
// the flag "crawlDelay".
func (t *table) recordsOf(names []name, flag uint32) (records []int) {
	// Skip sections without records. The headers of all other sections have the flag
	// hasRecords.
	names = slices.DeleteFunc(slices.Clone(names), func(n name) bool { return !t.lines[t.lines[n.line].number()].has(hasRecords) })
	// For each key, runs has the indexes of two records with this key: last is the latest
	// one, and since is the latest one above userAgentLine. An invalid crawl-delay does not
	// count. The next record with the key applies only to names below since.
	runs := map[string]struct{ last, since int }{}
	for section := range t.sections(names) {
		userAgentLine, namedLine := section, -1 // the latest user-agent line, and the latest user-agent line with one of the names
		for i, l := range t.section(section) {
			if l.has(userAgent) {
				userAgentLine = i
				if len(names) > 0 && int(names[0].line) == i {
					namedLine, names = i, names[1:]
				}
			}
			if !l.has(record) || !l.has(flag) {
				continue
			}
			key, value := t.record(i)
			if key = recordKey(key); l.has(crawlDelay) {
				key = CrawlDelayKind.String() // a misspelled Crawl-delay counts as the same key
			}
			r := runs[key]
			if r.last < userAgentLine {
				r.since = r.last
			}
			if namedLine >= r.since {
				records = append(records, i)
			}
			if _, valid := lex.Seconds(value); valid || !l.has(crawlDelay) {
				r.last = i
			}
			runs[key] = r
		}
	}
	return records
}

func (t *table) record(i int) (key, value string) {
	key, value, _ = strings.Cut(t.at(i), ":")
	return key, value
}

// recordKey returns the ASCII letters of a record's key in lower case, so that "Visit-time"
// and "visit time" are the same key. For a key without ASCII letters, it returns the folded key.
func recordKey(key string) string { return cmp.Or(lex.Letters(key), lex.Fold(key)) }

// ignoresStar reports whether Google documents that an agent ignores the rules for "*".
// The argument is the agent's folded token.
func ignoresStar(agent []byte) bool {
	for _, special := range [...]string{"adsbot-google", "apis-google", "mediapartners-google"} {
		if suffix, ok := bytes.CutPrefix(agent, []byte(special)); ok && (len(suffix) == 0 || suffix[0] == '-') {
			return true
		}
	}
	return false
}
