package robotstxt

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A table is everything that is kept of a file. It never changes, except that the
// indexes of its sections are built on demand.
//
// A section is a run of user-agent lines with the rules and records that follow, up to
// the next run. The first one is what comes before any user-agent line.
type table struct {
	listing
	mentions []mention          // by token, then in file order
	star     int                // where the mentions of "*" start
	indexes  map[int]*lazyIndex // of sections with many rules, by their header
}

// A mention is a product token on a user-agent line. The text of its entry is the token
// as written, and then in folded form. The records before any user-agent line belong to
// the zero mention.
type mention struct {
	section, entry uint32
	folded, end    uint32 // the folded form, at the first mention of the token
}

// A token is all mentions of a product token, in file order. It has none if the file
// does not name the token.
type token []mention

// A builder collects the lines of a file. It is reused, so it has room for the next
// file, and a table gets copies of exact size.
type builder struct {
	writer
	mentions []mention // in file order
	indexes  map[int]*lazyIndex

	section int  // the header of the current section
	names   int  // the entries in it that are names
	isNamed bool // it is for some token; if not, its rules are nobody's
	inRun   bool // a user-agent line would go on with the current run
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// newBuilder returns an empty builder.
func newBuilder() *builder {
	b := builders.Get().(*builder)
	b.text, b.entries, b.mentions = b.text[:0], b.entries[:0], b.mentions[:0]
	b.section, b.names, b.isNamed, b.inRun = 0, 0, false, false
	b.add(header, nil)
	return b
}

// addLine takes the scanner's current line.
func (b *builder) addLine(s *scanner) {
	number, value := uint32(s.number), s.bytes(s.value)
	switch s.kind {
	case UserAgentKind:
		b.addUserAgent(value)
	case AllowKind, DisallowKind:
		b.endRun()
		if len(value) == 0 || !b.isNamed {
			return
		}
		if s.kind == AllowKind {
			number |= allow
			b.addDirectory(number, value, s.classes)
		}
		b.addRule(number, value, value, s.classes)
	case SitemapKind:
		if len(value) > 0 {
			b.addRecord(number, nil, value)
		}
	case CrawlDelayKind, OtherKind:
		b.addRecord(number, s.bytes(s.key), value)
	}
}

// addRecord adds a record. Only a sitemap has no key.
func (b *builder) addRecord(number uint32, key, value []byte) {
	b.add(number|record, key)
	b.add(tail, value)
}

func (b *builder) addUserAgent(value []byte) {
	if size := lex.NameLen(value); size == len(value) { // one token, as on most lines
		b.addName(value)
		return
	}
	var before []byte
	for _, part := range lex.Names(value) {
		part = part[:lex.NameLen(part)]
		if before == nil || !bytes.Equal(part, before) { // "a, a, a" is one mention
			b.addName(part)
		}
		before = part
	}
}

// addName adds tok to the run of user-agent lines, or starts a section with it. An empty
// one stays as an entry if it ends a run of records, as any other name does.
func (b *builder) addName(tok []byte) {
	last, number := len(b.entries)-1, name
	switch {
	case !b.inRun:
		b.closeSection()
		b.section, b.names, b.isNamed, b.inRun = last+1, 0, false, true
		number |= header
	case len(tok) == 0 && b.entries[last].has(name):
		return
	}
	b.add(number, tok)
	m := mention{section: uint32(b.section), entry: uint32(last + 1), folded: uint32(len(b.text))}
	b.write(lex.AppendFold(b.room(len(tok)), tok))
	m.end = uint32(len(b.text))
	b.names++
	if len(tok) > 0 {
		b.isNamed = true
		b.mentions = append(b.mentions, m)
	}
}

// endRun ends a run of user-agent lines: rules may start.
func (b *builder) endRun() {
	if b.inRun {
		b.inRun = false
		b.entries[b.section].number |= uint32(len(b.entries))
	}
}

func (b *builder) closeSection() {
	b.endRun()
	if len(b.entries) == b.section+b.names {
		b.entries[b.section].number |= empty
	}
	if rules := b.entries[b.section:]; len(rules)*wildCost >= manyRules && isLarge(rules) {
		if b.indexes == nil {
			b.indexes = map[int]*lazyIndex{}
		}
		b.indexes[b.section] = new(lazyIndex)
	}
}

// build returns the table, and gives the builder back.
func (b *builder) build() table {
	b.closeSection()
	b.add(header, nil)
	t := table{listing: listing{string(b.text), slices.Clone(b.entries)}, indexes: b.indexes}
	t.joinMentions(b.mentions)
	b.indexes = nil
	builders.Put(b)
	return t
}

// size estimates the bytes of memory that the table takes, with all its indexes.
func (t *table) size() int {
	const table, entry, mention, indexed = 150, 8, 16, 28
	n := table + len(t.text) + entry*len(t.entries) + mention*len(t.mentions)
	for section := range t.indexes {
		start := t.number(section)
		n += indexed * (t.sectionEnd(start) - start)
	}
	return n
}

// sectionEnd returns the index of the next header from entry i on. In the zero table, it
// is less than i.
func (t *table) sectionEnd(i int) int {
	return i + slices.IndexFunc(t.entries[min(i, len(t.entries)):], func(e entry) bool { return e.has(header) })
}

// joinMentions sorts the mentions, so that all mentions of a token are together. They get
// the text of its first mention.
func (t *table) joinMentions(mentions []mention) {
	slices.SortFunc(mentions, func(m, n mention) int {
		if a, b := t.text[m.folded], t.text[n.folded]; a != b { // which saves most calls
			return int(a) - int(b)
		}
		return cmp.Or(strings.Compare(t.text[m.folded:m.end], t.text[n.folded:n.end]), cmp.Compare(m.entry, n.entry))
	})
	t.mentions, t.star = slices.Clone(mentions), len(mentions)
	before := mention{} // has no text, but every token has
	for i := range t.mentions {
		switch t.folded(i) {
		case t.text[before.folded:before.end]:
			t.mentions[i].folded, t.mentions[i].end = before.folded, before.end
		case "*":
			t.star = i
		}
		before = t.mentions[i]
	}
}

// sectionsOf returns the sections of a token in file order, without the empty ones
// unless all are empty. So tokens with the same rules have the same sections.
func (t *table) sectionsOf(tok token) []uint32 {
	sections := make([]uint32, 0, len(tok))
	for _, m := range tok {
		if !t.entries[m.section].has(empty) {
			sections = append(sections, m.section)
		}
	}
	if len(sections) == 0 && len(tok) > 0 {
		return []uint32{tok[0].section}
	}
	return slices.Compact(sections) // a run may mention a token twice
}

// named returns the token by which the file names an agent, whose own token is given
// in folded form: that token, or what remains of it without one "-suffix" or more.
func (t *table) named(agent []byte) token {
	for len(agent) > 0 {
		i, found := t.find(agent)
		if found {
			return t.tokenAt(i)
		}
		before := ""
		if i > 0 {
			before = t.folded(i - 1)
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

// find returns where the mentions of a token in folded form are, or would be.
func (t *table) find(folded []byte) (i int, found bool) {
	i = sort.Search(len(t.mentions), func(i int) bool { return t.folded(i) >= string(folded) })
	return i, i < len(t.mentions) && t.folded(i) == string(folded)
}

// folded returns the folded form of the token of a mention.
func (t *table) folded(i int) string { return t.text[t.mentions[i].folded:t.mentions[i].end] }

// tokenAt returns the token whose mentions start at i.
func (t *table) tokenAt(i int) token {
	end := i
	for end < len(t.mentions) && t.mentions[end].folded == t.mentions[i].folded {
		end++
	}
	return t.mentions[i:end]
}

// tokens returns all tokens in the order in which the file first mentions them.
func (t *table) tokens() (tokens []token) {
	for i := 0; i < len(t.mentions); i += len(tokens[len(tokens)-1]) {
		tokens = append(tokens, t.tokenAt(i))
	}
	slices.SortFunc(tokens, func(a, b token) int { return cmp.Compare(a[0].entry, b[0].entry) })
	return tokens
}

// alike returns the tokens with the same sections as tok.
func (t *table) alike(tok token) []token {
	sections := t.sectionsOf(tok)
	return slices.DeleteFunc(t.tokens(), func(other token) bool { return !slices.Equal(t.sectionsOf(other), sections) })
}

// groups returns all tokens, in lists of those that are alike.
func (t *table) groups() (groups [][]token) {
	key, bySections := []byte{}, map[string]int{}
	for _, tok := range t.tokens() {
		key, _ = binary.Append(key[:0], binary.NativeEndian, t.sectionsOf(tok))
		i, known := bySections[string(key)]
		if !known {
			i = len(groups)
			bySections[string(key)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], tok)
	}
	return groups
}

// bestRule returns the rule that decides about a target for a token, or 0.
func (t *table) bestRule(tok token, target target) (best int) {
	for i, m := range tok {
		if section := int(m.section); i == 0 || m.section != tok[i-1].section {
			best = t.indexes[section].bestRule(&t.listing, t.number(section), target, best)
		}
	}
	return best
}

// written returns a token as the file first wrote it.
func (t *table) written(tok token) string { return t.text[t.entries[tok[0].entry].start:tok[0].folded] }

// recordsOf returns the records that belong to any of the tokens, in file order.
func (t *table) recordsOf(tokens ...token) (records []int) {
	mentions := slices.Concat(tokens...)
	slices.SortFunc(mentions, func(m, n mention) int { return cmp.Compare(m.entry, n.entry) })
	for i, m := range mentions {
		if i == 0 || m.section != mentions[i-1].section {
			records = t.recordsAt(records, mentions[i:])
		}
	}
	return records
}

// recordsAt appends the records in the section of the first of mentions that belong to
// any of the mentions there. To a crawler that takes a key for a rule, records with
// that key end the run of user-agent lines. So they are for the mentions before them,
// back to earlier records with the key that are above a user-agent line. A crawl-delay
// that is not valid ends nothing.
func (t *table) recordsAt(dst []int, mentions []mention) []int {
	type run struct{ after, last int } // records with a key
	runs := map[string]run{}
	mentioned := int(mentions[0].entry) // the last mention so far
	named := mentioned                  // the last name so far
	for i, end := mentioned+1, t.sectionEnd(mentioned+1); i < end; i++ {
		if t.entries[i].has(name) {
			named = i
		}
		if len(mentions) > 1 && int(mentions[1].entry) == i {
			mentioned, mentions = i, mentions[1:]
		}
		if !t.entries[i].has(record) || t.isSitemap(i) {
			continue
		}
		key := recordKey(t.at(i))
		r, known := runs[key]
		if !known {
			r.after = -1
		} else if r.last < named {
			r.after = r.last
		}
		if mentioned > r.after {
			dst = append(dst, i)
		}
		if _, valid := t.delayOf(i); valid || !t.isCrawlDelay(i) {
			r.last = i
			runs[key] = r
		}
	}
	return dst
}

// isSitemap reports whether an entry is a sitemap.
func (t *table) isSitemap(i int) bool { return t.entries[i].has(record) && t.at(i) == "" }

func (t *table) isCrawlDelay(i int) bool {
	return t.entries[i].has(record) && kindOf([]byte(t.at(i))) == CrawlDelayKind
}

// recordKey returns the same string for all keys of records that are the same: what a
// known key means, or its ASCII letters. A key without any is only folded.
func recordKey(key string) string {
	if kind := kindOf([]byte(key)); kind != OtherKind {
		return kind.String()
	}
	return cmp.Or(lex.Letters(key), lex.Fold(key))
}

// crawlDelay returns the first valid crawl-delay for a token. If it has none, it is
// the first one before any user-agent line.
func (t *table) crawlDelay(tok token) (delay time.Duration, ok bool) {
	first := slices.CompactFunc(slices.Clone(tok), func(m, n mention) bool { return m.section == n.section })
	for _, m := range append(first, mention{}) {
		for i, end := int(m.entry)+1, t.sectionEnd(int(m.entry)+1); i < end; i++ {
			if delay, ok = t.delayOf(i); ok {
				return delay, true
			}
		}
	}
	return 0, false
}

// delayOf returns the value of an entry that is a valid crawl-delay.
func (t *table) delayOf(i int) (delay time.Duration, ok bool) {
	if !t.isCrawlDelay(i) {
		return 0, false
	}
	return lex.Seconds(t.at(i + 1))
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
