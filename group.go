package robotstxt

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A table is everything that is kept of a file. It never changes, except that the
// indexes of its sections are built on demand.
type table struct {
	text     string // of rules, records and tokens
	rules    []rule
	records  []record
	sections []section    // the first is what comes before any user-agent line
	indexes  []*lazyIndex // of sections with many rules
	mentions []mention    // by token, then in file order
}

// A section is a run of user-agent lines with the rules and records that follow, up
// to the next run.
type section struct {
	rules, rulesEnd     uint32 // in table.rules
	records, recordsEnd uint32 // in table.records
	index               uint32 // in table.indexes, plus one; 0 for a section of few rules
}

func (s *section) isEmpty() bool { return s.rules == s.rulesEnd && s.records == s.recordsEnd }

// A mention is a product token on a user-agent line: its text, its section, and its
// stretch of user-agent lines in that section. A record between two user-agent lines
// ends a stretch. Rules are for the tokens of all stretches; for records see recordsAt.
type mention struct {
	start, folded, end uint32 // as first written, and right after it in folded form
	section, stretch   uint32
}

func (m *mention) written(text string) string { return text[m.start:m.folded] }

// A token is all mentions of a product token, in file order. It has none if the file
// does not name the token.
type token []mention

// A record is a crawl-delay line, a sitemap or a line with another key. Its key and
// its value are next to each other in the text.
type record struct {
	kind            Kind
	line            uint32
	stretch         uint32 // the last one of its section so far
	key, value, end uint32 // where they start in the text
}

// A builder collects the lines of a file. It is reused, so it has room for the next
// file, and a table gets copies of exact size.
type builder struct {
	text     []byte
	rules    []rule
	records  []record
	sections []section
	indexes  []*lazyIndex
	mentions []mention // in file order
	pooled   *builder  // gets the slices back

	inRun    bool // a user-agent line would go on with the current run
	recorded bool // the current stretch has been ended by a record
	isNamed  bool // the current section is for some token; if not, its rules are nobody's
	stretch  uint32
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// newBuilder returns an empty builder. It is a copy of the one in the pool: on the
// stack, its slices can change without write barriers.
func newBuilder() builder {
	b := builders.Get().(*builder)
	return builder{
		text: b.text[:0], rules: b.rules[:0], records: b.records[:0],
		sections: append(b.sections[:0], section{}), mentions: b.mentions[:0], pooled: b,
	}
}

// add takes the scanner's current line.
func (b *builder) add(s *scanner) {
	switch s.kind {
	case UserAgentKind:
		b.addUserAgent(s.bytes(s.value))
	case AllowKind, DisallowKind:
		b.inRun = false
		if value := s.bytes(s.value); b.isNamed && len(value) > 0 {
			b.addRule(uint32(s.number), s.kind, value, s.classes)
		}
	case SitemapKind:
		if value := s.bytes(s.value); len(value) > 0 {
			b.addRecord(uint32(s.number), s.kind, nil, value)
		}
	case CrawlDelayKind, OtherKind:
		b.addRecord(uint32(s.number), s.kind, s.bytes(s.key), s.bytes(s.value))
		b.recorded = true
	}
}

func (b *builder) addRule(line uint32, kind Kind, pattern []byte, classes octetClass) {
	if kind == AllowKind {
		line |= allow
		if text, r, ok := appendDirectory(b.text, pattern, classes); ok {
			r.line |= line
			b.text, b.rules = text, append(b.rules, r)
		}
	}
	text, r := appendRule(b.text, pattern, pattern, classes)
	r.line |= line
	b.text, b.rules = text, append(b.rules, r)
}

func (b *builder) addRecord(line uint32, kind Kind, key, value []byte) {
	r := record{kind: kind, line: line, stretch: b.stretch, key: uint32(len(b.text))}
	b.text = append(b.text, key...)
	r.value = uint32(len(b.text))
	b.text = append(b.text, value...)
	r.end = uint32(len(b.text))
	b.records = append(b.records, r)
}

// addUserAgent starts a section, or goes on with a run of user-agent lines.
func (b *builder) addUserAgent(value []byte) {
	if !b.inRun {
		b.closeSection()
		b.sections = append(b.sections, section{rules: uint32(len(b.rules)), records: uint32(len(b.records))})
		b.inRun, b.recorded, b.isNamed, b.stretch = true, false, false, 0
	} else if b.recorded {
		b.stretch++
		b.recorded = false
	}
	if size := lex.NameLen(value); size == len(value) { // one token, as on most lines
		b.addName(value)
		return
	}
	for _, part := range lex.Names(value) {
		b.addName(part[:lex.NameLen(part)])
	}
}

// addName adds tok, if not empty, to the current section.
func (b *builder) addName(tok []byte) {
	if len(tok) == 0 {
		return
	}
	b.isNamed = true
	m := mention{section: uint32(len(b.sections) - 1), stretch: b.stretch}
	m.start = uint32(len(b.text))
	b.text = append(b.text, tok...)
	m.folded = uint32(len(b.text))
	b.text = lex.AppendFold(b.text, tok)
	m.end = uint32(len(b.text))
	if i := len(b.mentions) - 1; i >= 0 {
		last := b.mentions[i]
		if m.section == last.section && m.stretch == last.stretch && bytes.Equal(b.text[m.folded:], b.text[last.folded:last.end]) {
			b.text = b.text[:m.start] // the same token again, as in "a, a, a"
			return
		}
	}
	b.mentions = append(b.mentions, m)
}

func (b *builder) closeSection() {
	s := &b.sections[len(b.sections)-1]
	s.rulesEnd, s.recordsEnd = uint32(len(b.rules)), uint32(len(b.records))
	if isLarge(b.rules[s.rules:]) {
		b.indexes = append(b.indexes, new(lazyIndex))
		s.index = uint32(len(b.indexes))
	}
}

// build returns the table, and gives the builder's slices back.
func (b *builder) build() table {
	b.closeSection()
	t := table{
		text: string(b.text), rules: slices.Clone(b.rules),
		records: slices.Clone(b.records), sections: slices.Clone(b.sections), indexes: b.indexes,
	}
	t.joinMentions(b.mentions)
	b.indexes = nil // or the pool would keep them
	*b.pooled = *b
	builders.Put(b.pooled)
	return t
}

// size estimates the bytes of memory that the table takes, with all its indexes.
func (t *table) size() int {
	const table, rule, record, section, mention, indexed = 200, 16, 24, 20, 20, 48
	n := table + len(t.text) + rule*len(t.rules) + record*len(t.records) + section*len(t.sections) + mention*len(t.mentions)
	for i := range t.sections {
		if t.sections[i].index > 0 {
			n += indexed * len(t.rulesIn(uint32(i)))
		}
	}
	return n
}

// joinMentions sorts the mentions, so that those of a token are together. They get
// the text of its first mention.
func (t *table) joinMentions(mentions []mention) {
	slices.SortFunc(mentions, func(m, n mention) int {
		if a, b := t.text[m.folded], t.text[n.folded]; a != b { // which saves most calls
			return int(a) - int(b)
		}
		if c := strings.Compare(t.text[m.folded:m.end], t.text[n.folded:n.end]); c != 0 {
			return c
		}
		return cmp.Compare(m.start, n.start)
	})
	t.mentions = slices.Clone(mentions)
	for i := 1; i < len(mentions); i++ {
		m, before := &t.mentions[i], &t.mentions[i-1]
		if t.text[m.folded:m.end] == t.text[before.folded:before.end] {
			m.start, m.folded, m.end = before.start, before.folded, before.end
		}
	}
}

// sectionsOf returns the sections of a token in file order, without the empty ones
// unless all are empty. So tokens with the same rules have the same sections.
func (t *table) sectionsOf(tok token) []uint32 {
	var sections []uint32
	for _, m := range tok {
		if !t.sections[m.section].isEmpty() {
			sections = append(sections, m.section)
		}
	}
	if len(sections) == 0 && len(tok) > 0 {
		return []uint32{tok[0].section}
	}
	return slices.Compact(sections) // a run may mention a token twice
}

// rulesIn returns the rules of a section.
func (t *table) rulesIn(section uint32) []rule {
	s := &t.sections[section]
	return t.rules[s.rules:s.rulesEnd]
}

// named returns the token by which the file names an agent, whose own token is given
// in folded form: that token, or what remains of it without one "-suffix" or more.
func (t *table) named(agent []byte) token {
	for len(agent) > 0 {
		tok, before := t.find(agent)
		if len(tok) > 0 {
			return tok
		}
		// No token sorts between before and agent. So a token that agent starts with
		// is no longer than what these two have in common.
		same := 0
		for same < len(before) && before[same] == agent[same] {
			same++
		}
		agent = agent[:max(0, bytes.LastIndexByte(agent[:same+1], '-'))]
	}
	return nil
}

// find returns the token with the folded form. If there is none, it also returns the
// folded form of the token that sorts before it.
func (t *table) find(folded []byte) (tok token, before string) {
	start := sort.Search(len(t.mentions), func(i int) bool { return t.folded(i) >= string(folded) })
	end := start
	if start < len(t.mentions) && t.folded(start) == string(folded) {
		for end < len(t.mentions) && t.mentions[end].start == t.mentions[start].start {
			end++
		}
	} else if start > 0 {
		before = t.folded(start - 1)
	}
	return t.mentions[start:end], before
}

// folded returns the folded form of the token of a mention.
func (t *table) folded(i int) string { return t.text[t.mentions[i].folded:t.mentions[i].end] }

// groups returns all tokens, in lists of those with the same sections. The lists and
// the tokens in them are in the order in which the file first mentions them.
func (t *table) groups() (groups [][]token) {
	mentions := slices.Clone(t.mentions)
	slices.SortFunc(mentions, func(m, n mention) int { return cmp.Compare(m.start, n.start) })
	bySections := map[string]int{}
	for _, m := range slices.CompactFunc(mentions, func(m, n mention) bool { return m.start == n.start }) {
		tok, _ := t.find([]byte(t.text[m.folded:m.end]))
		key := fmt.Sprint(t.sectionsOf(tok))
		i, known := bySections[key]
		if !known {
			i = len(groups)
			bySections[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], tok)
	}
	return groups
}

// bestRule returns the rule that decides about a target for a token, or nil.
func (t *table) bestRule(tok token, target target) (best *rule) {
	for i := range tok {
		rules := t.rulesIn(tok[i].section)
		if x := t.sections[tok[i].section].index; x > 0 {
			best = t.indexes[x-1].bestRule(t.text, rules, target, best)
		} else {
			best = bestRule(t.text, rules, target, best)
		}
	}
	return best
}

// recordsOf returns the records that belong to any of the tokens, in file order.
func (t *table) recordsOf(tokens ...token) (records []record) {
	mentions := slices.Concat(tokens...)
	slices.SortFunc(mentions, func(m, n mention) int {
		return cmp.Or(cmp.Compare(m.section, n.section), cmp.Compare(m.stretch, n.stretch))
	})
	for i, m := range mentions {
		if i == 0 || m.section != mentions[i-1].section {
			records = t.recordsAt(records, mentions[i:])
		}
	}
	return records
}

// recordsAt appends the records in the section of the first of mentions that belong to
// any of the mentions there, which are sorted by stretch. To a crawler that takes a key
// for a rule, records with that key end the run of user-agent lines. So they are for the
// mentions in their stretch and in those before, back to the stretch of earlier records
// with the key. A crawl-delay that is not valid ends nothing.
func (t *table) recordsAt(dst []record, mentions []mention) []record {
	type stretches struct{ from, to int }
	runs := map[string]stretches{} // by key: where the mentions of the last record are
	mentioned := -1                // the last stretch so far with a mention
	section := mentions[0].section
	for _, r := range t.recordsIn(section) {
		if r.kind == SitemapKind {
			continue
		}
		for len(mentions) > 0 && mentions[0].section == section && mentions[0].stretch <= r.stretch {
			mentioned, mentions = int(mentions[0].stretch), mentions[1:]
		}
		key := t.keyOf(r)
		run, known := runs[key]
		switch {
		case !known:
			run.to = int(r.stretch)
		case run.to != int(r.stretch):
			run = stretches{run.to + 1, int(r.stretch)}
		}
		if mentioned >= run.from {
			dst = append(dst, r)
		}
		if _, valid := t.delayOf(r); valid || r.kind != CrawlDelayKind {
			runs[key] = run
		}
	}
	return dst
}

// recordsIn returns the records of a section.
func (t *table) recordsIn(section uint32) []record {
	if len(t.sections) == 0 { // the zero File
		return nil
	}
	s := &t.sections[section]
	return t.records[s.records:s.recordsEnd]
}

// keyOf returns the same string for all keys that are the same.
func (t *table) keyOf(r record) string {
	if r.kind == CrawlDelayKind {
		return CrawlDelayKind.String()
	}
	return recordKey(t.text[r.key:r.value])
}

// recordKey reduces a key to its ASCII letters. A key without any is only folded.
func recordKey(key string) string {
	if letters := lex.Letters(key); letters != "" {
		return letters
	}
	return lex.Fold(key)
}

// crawlDelay returns the first valid crawl-delay for a token. If it has none, it is
// the first one before any user-agent line.
func (t *table) crawlDelay(tok token) (delay time.Duration, ok bool) {
	for _, m := range append(slices.Clip(tok), mention{}) {
		for _, r := range t.recordsIn(m.section) {
			if delay, ok = t.delayOf(r); ok && r.stretch >= m.stretch {
				return delay, true
			}
		}
	}
	return 0, false
}

// delayOf returns the value of a valid crawl-delay.
func (t *table) delayOf(r record) (delay time.Duration, ok bool) {
	if r.kind != CrawlDelayKind {
		return 0, false
	}
	return lex.Seconds(t.text[r.value:r.end])
}

// ignoresStar reports whether Google documents that an agent, given by its folded
// token, does not obey the rules for "*".
func ignoresStar(agent []byte) bool {
	for _, special := range [...]string{"adsbot-google", "apis-google", "mediapartners-google"} {
		n := len(special)
		if len(agent) >= n && string(agent[:n]) == special && (len(agent) == n || agent[n] == '-') {
			return true
		}
	}
	return false
}
