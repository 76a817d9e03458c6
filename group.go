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
	sections []section // the first is what comes before any user-agent line
	tokens   []token   // by folded name
	mentions []mention // by token, then in file order
}

// A section is a run of user-agent lines with the rules and records that follow, up
// to the next run.
type section struct {
	rules, rulesEnd     uint32 // in table.rules
	records, recordsEnd uint32 // in table.records
	index               *lazyIndex
}

func (s *section) isEmpty() bool { return s.rules == s.rulesEnd && s.records == s.recordsEnd }

// A token is a product token that the file names. All its sections make up its group.
type token struct {
	nameText
	mentions, mentionsEnd uint32 // in table.mentions
}

// A nameText is a token as the file first has it and, right after it in the text, its
// folded form.
type nameText struct{ start, folded, end uint32 }

func (n nameText) written(text string) string { return text[n.start:n.folded] }

// A mention is the place where the file names a token: the section, and the stretch
// of user-agent lines in it. A record between two user-agent lines ends a stretch.
// Rules are for the tokens of all stretches of a section; for records see
// table.recordsOf.
type mention struct{ section, stretch uint32 }

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
	names    []name   // in file order
	pooled   *builder // gets the slices back

	inRun    bool // a user-agent line would go on with the current run
	recorded bool // the current stretch has been ended by a record
	isNamed  bool // the current section is for some token; if not, its rules are nobody's
	stretch  uint32
}

// A name is a token on a user-agent line.
type name struct {
	nameText
	mention
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// newBuilder returns an empty builder. It is a copy of the one in the pool: on the
// stack, its slices can change without write barriers.
func newBuilder() builder {
	b := builders.Get().(*builder)
	return builder{
		text: b.text[:0], rules: b.rules[:0], records: b.records[:0],
		sections: append(b.sections[:0], section{}), names: b.names[:0], pooled: b,
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
	var r rule
	if isPlain(pattern, classes) && kind == DisallowKind {
		b.rules = append(b.rules, plainRule(len(b.text), pattern, line))
		b.text = append(b.text, pattern...)
		return
	}
	if kind == AllowKind {
		line |= allow
		var ok bool
		if b.text, r, ok = appendDirectory(b.text, pattern, classes); ok {
			r.line |= line
			b.rules = append(b.rules, r)
		}
	}
	b.text, r = appendRule(b.text, pattern, pattern, classes)
	r.line |= line
	b.rules = append(b.rules, r)
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
	n := name{mention: mention{uint32(len(b.sections) - 1), b.stretch}}
	n.start = uint32(len(b.text))
	b.text = append(b.text, tok...)
	n.folded = uint32(len(b.text))
	b.text = lex.AppendFold(b.text, tok)
	n.end = uint32(len(b.text))
	if i := len(b.names) - 1; i >= 0 && n.mention == b.names[i].mention && bytes.Equal(b.text[n.folded:], b.text[b.names[i].folded:b.names[i].end]) {
		b.text = b.text[:n.start] // the same token again, as in "a, a, a"
		return
	}
	b.names = append(b.names, n)
}

func (b *builder) closeSection() {
	s := &b.sections[len(b.sections)-1]
	s.rulesEnd, s.recordsEnd = uint32(len(b.rules)), uint32(len(b.records))
	s.index = newLazyIndex(b.rules[s.rules:])
}

// build returns the table, and gives the builder's slices back.
func (b *builder) build() table {
	b.closeSection()
	t := table{
		text: string(b.text), rules: slices.Clone(b.rules),
		records: slices.Clone(b.records), sections: slices.Clone(b.sections),
	}
	t.addNames(b.names)
	clear(b.sections) // or the pool would keep their indexes
	*b.pooled = *b
	builders.Put(b.pooled)
	return t
}

// addNames makes tokens of the names: all mentions of one token, in file order.
func (t *table) addNames(names []name) {
	folded := func(n nameText) string { return t.text[n.folded:n.end] }
	slices.SortFunc(names, func(m, n name) int {
		if c := strings.Compare(t.text[m.folded:m.end], t.text[n.folded:n.end]); c != 0 {
			return c
		}
		return cmp.Compare(m.start, n.start)
	})
	tokens := 0
	for i, n := range names {
		if i == 0 || folded(n.nameText) != folded(names[i-1].nameText) {
			tokens++
		}
	}
	t.tokens, t.mentions = make([]token, 0, tokens), make([]mention, 0, len(names))
	for i, n := range names {
		if i == 0 || folded(n.nameText) != folded(names[i-1].nameText) {
			t.tokens = append(t.tokens, token{nameText: n.nameText, mentions: uint32(len(t.mentions))})
		}
		t.addMention(n.mention)
	}
}

// addMention adds a mention to the last token. It drops mentions in empty sections,
// unless there is no other, so that tokens with the same rules have the same sections.
func (t *table) addMention(m mention) {
	tok := &t.tokens[len(t.tokens)-1]
	known := t.mentions[tok.mentions:]
	switch {
	case len(known) == 1 && t.sections[known[0].section].isEmpty():
		known[0] = m
	case len(known) == 0 || !t.sections[m.section].isEmpty() && known[len(known)-1] != m:
		t.mentions = append(t.mentions, m)
	}
	tok.mentionsEnd = uint32(len(t.mentions))
}

func (t *table) mentionsOf(tok *token) []mention {
	return t.mentions[tok.mentions:tok.mentionsEnd]
}

// sectionsOf returns the sections of a token in file order.
func (t *table) sectionsOf(tok *token) []uint32 {
	var sections []uint32
	for _, m := range t.mentionsOf(tok) {
		sections = append(sections, m.section)
	}
	return slices.Compact(sections) // a run may mention a token twice
}

// rulesOf returns the rules of a token in file order.
func (t *table) rulesOf(tok *token) (rules []rule) {
	for _, i := range t.sectionsOf(tok) {
		rules = append(rules, t.rules[t.sections[i].rules:t.sections[i].rulesEnd]...)
	}
	return rules
}

// named returns the token by which the file names an agent, whose own token is given
// in folded form: that token, or what remains of it without one "-suffix" or more.
// It returns nil if the file does not name the agent.
func (t *table) named(agent []byte) *token {
	for len(agent) > 0 {
		tok, before := t.find(agent)
		if tok != nil {
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

// find returns the token with the folded form or, if there is none, nil and the
// folded form of the token that sorts before it.
func (t *table) find(folded []byte) (tok *token, before string) {
	i := sort.Search(len(t.tokens), func(i int) bool { return t.folded(i) >= string(folded) })
	switch {
	case i < len(t.tokens) && t.folded(i) == string(folded):
		return &t.tokens[i], ""
	case i > 0:
		return nil, t.folded(i - 1)
	}
	return nil, ""
}

// folded returns the folded form of a token.
func (t *table) folded(i int) string { return t.text[t.tokens[i].folded:t.tokens[i].end] }

// groups returns all tokens, in lists of those with the same sections. The lists and
// the tokens in them are in the order in which the file first names them.
func (t *table) groups() (groups [][]*token) {
	inOrder := make([]*token, len(t.tokens))
	for i := range t.tokens {
		inOrder[i] = &t.tokens[i]
	}
	slices.SortFunc(inOrder, func(x, y *token) int { return cmp.Compare(x.start, y.start) })
	bySections := map[string]int{}
	for _, tok := range inOrder {
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
func (t *table) bestRule(tok *token, target target) (best *rule) {
	for _, m := range t.mentionsOf(tok) {
		s := &t.sections[m.section]
		rules := t.rules[s.rules:s.rulesEnd]
		if s.index != nil {
			best = s.index.bestRule(t.text, rules, target, best)
		} else {
			best = bestRule(t.text, rules, target, best)
		}
	}
	return best
}

// recordsOf returns the records that belong to any of the tokens, in file order.
func (t *table) recordsOf(tokens ...*token) (records []record) {
	for _, tok := range tokens {
		for _, m := range t.mentionsOf(tok) {
			records = t.recordsAt(records, m)
		}
	}
	slices.SortFunc(records, func(x, y record) int { return cmp.Compare(x.line, y.line) })
	return slices.Compact(records)
}

// recordsAt appends the records that belong to a mention. Of the records with one
// key, those in the first stretch at or after the mention count: to a crawler that
// takes the key for a rule, they end the run of user-agent lines. A crawl-delay that
// is not valid ends nothing.
func (t *table) recordsAt(dst []record, m mention) []record {
	counts := map[string]uint32{} // by key: the stretch that counts
	for _, r := range t.recordsIn(m.section) {
		if r.stretch < m.stretch || r.kind == SitemapKind {
			continue
		}
		key := t.keyOf(r)
		stretch, known := counts[key]
		if known && stretch != r.stretch {
			continue
		}
		dst = append(dst, r)
		if _, valid := t.delayOf(r); valid || r.kind != CrawlDelayKind {
			counts[key] = r.stretch
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

// crawlDelay returns the first valid crawl-delay for a token. If there is none, or
// if tok is nil, it returns the first one before any user-agent line.
func (t *table) crawlDelay(tok *token) (delay time.Duration, ok bool) {
	if tok != nil {
		for _, m := range t.mentionsOf(tok) {
			if delay, ok = t.crawlDelayAt(m); ok {
				return delay, true
			}
		}
	}
	return t.crawlDelayAt(mention{})
}

func (t *table) crawlDelayAt(m mention) (delay time.Duration, ok bool) {
	for _, r := range t.recordsIn(m.section) {
		if delay, ok = t.delayOf(r); ok && r.stretch >= m.stretch {
			return delay, true
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
