package robotstxt

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A section is a stretch of rules and records that hold for the same tokens.
type section struct {
	rules, rulesEnd     uint32 // in File.rules
	records, recordsEnd uint32 // in File.records, in bytes
}

// A group is what one or more tokens share: all their sections.
type group struct {
	tokens, tokensEnd     uint32 // in File.tokens
	sections, sectionsEnd uint32 // in File.sections
	index                 uint32 // in File.indexes, plus one; 0 for a small group
}

// A token is a product token that the file names. In the text the folded form,
// by which it is found, follows the one as written.
type token struct {
	start, size, folded uint32
	group               uint32 // in File.groups
}

// A builder collects lines into sections, and those into groups.
type builder struct {
	size     int // of the file
	text     []byte
	rules    []rule
	respelt  []respelling
	records  []byte
	tokens   []token
	index    tokenIndex
	sections []section // the first is what stands before any user-agent line
	named    []naming  // in the order of the sections
	inRun    bool      // among user-agent lines that one group shares
	mixed    bool      // tokens and sections are not many to one
}

// newBuilder returns a builder for a file of the given size.
func newBuilder(size int) *builder {
	b := &struct {
		builder
		text     [1024]byte // one allocation for all that most files need
		rules    [32]rule
		records  [256]byte
		tokens   [8]token
		sections [8]section
		named    [8]naming
	}{}
	b.builder = builder{
		size:     size,
		text:     b.text[:0],
		rules:    b.rules[:0],
		records:  b.records[:0],
		tokens:   b.tokens[:0],
		sections: b.sections[:1],
		named:    b.named[:0],
	}
	return &b.builder
}

// A naming says that a section is for a token.
type naming struct{ section, token uint32 }

// add takes the next line.
func (b *builder) add(line uint32, kind Kind, key, value []byte) {
	switch kind {
	case UserAgentKind:
		b.userAgent(value)
	case AllowKind, DisallowKind:
		b.inRun = false
		if len(value) > 0 && b.isNamed() {
			b.addRule(line, kind == AllowKind, value)
		}
	case SitemapKind:
		if len(value) > 0 {
			b.addRecord(line, kind, nil, value)
		}
	case CrawlDelayKind, OtherKind:
		b.addRecord(line, kind, trim(key), value)
	}
}

// userAgent starts a section, or goes on with a run of user-agent lines.
func (b *builder) userAgent(value []byte) {
	if !b.inRun {
		b.closeSection()
		b.sections = append(b.sections, section{rules: uint32(len(b.rules)), records: uint32(len(b.records))})
		b.inRun = true
	}
	if bytes.IndexByte(value, '(') >= 0 {
		b.name(value)
		return
	}
	for {
		comma := bytes.IndexByte(value, ',')
		if comma < 0 {
			b.name(value)
			return
		}
		b.name(trim(value[:comma]))
		value = trim(value[comma+1:])
	}
}

// name puts the token that value starts with, if any, on the current section.
func (b *builder) name(value []byte) {
	size := tokenLen(value)
	if size == 0 {
		size = starLen(value)
	}
	if size == 0 {
		return
	}
	value = value[:size]
	var buf [64]byte
	folded := appendFolded(buf[:0], value)
	current := uint32(len(b.sections) - 1)
	i, known := findToken(&b.index, b.tokens, b.text, folded)
	if !known {
		i = len(b.tokens)
		b.tokens = append(b.tokens, token{uint32(len(b.text)), uint32(len(value)), uint32(len(folded)), current - 1})
		b.text = append(append(b.text, value...), folded...)
		addToken(&b.index, b.tokens, b.text)
	} else if b.named[len(b.named)-1] != (naming{current, uint32(i)}) {
		b.mixed = true
	}
	b.named = append(b.named, naming{current, uint32(i)})
}

// isNamed reports whether the current section is for any token. If not, its
// rules are for nobody.
func (b *builder) isNamed() bool {
	return len(b.named) > 0 && int(b.named[len(b.named)-1].section) == len(b.sections)-1
}

// addRecord keeps a line outside the protocol, or a sitemap, whose key is not kept.
// Files of junk have very many, so each takes few bytes more than its text.
func (b *builder) addRecord(line uint32, kind Kind, key, value []byte) {
	if cap(b.records)-len(b.records) < len(key)+len(value) {
		b.records = slices.Grow(b.records, len(b.records)+len(key)+len(value))
	}
	b.records = binary.AppendUvarint(append(b.records, byte(kind)), uint64(line))
	b.records = append(binary.AppendUvarint(b.records, uint64(len(key))), key...)
	b.records = append(binary.AppendUvarint(b.records, uint64(len(value))), value...)
}

// readRecords returns what addRecord kept, one record after the other.
func readRecords(records string) iter.Seq2[Kind, Record] {
	return func(yield func(Kind, Record) bool) {
		for rest := records; rest != ""; {
			kind := Kind(rest[0])
			line, key, value := 0, "", ""
			line, rest = readUvarint(rest[1:])
			key, rest = readText(rest)
			value, rest = readText(rest)
			if !yield(kind, Record{line, key, value}) {
				return
			}
		}
	}
}

// readText reads a text behind its size.
func readText(s string) (text, rest string) {
	size, rest := readUvarint(s)
	return rest[:size], rest[size:]
}

func readUvarint(s string) (n int, rest string) {
	for i := 0; ; i++ {
		n |= int(s[i]&0x7F) << (7 * i)
		if s[i] < 0x80 {
			return n, s[i+1:]
		}
	}
}

func (b *builder) closeSection() {
	last := &b.sections[len(b.sections)-1]
	last.rulesEnd, last.recordsEnd = uint32(len(b.rules)), uint32(len(b.records))
	if len(b.sections) > 1 && !b.isNamed() {
		b.mixed = true
	}
}

// build returns the file. It copies what is kept, so that nothing is longer than
// it has to be.
func (b *builder) build() *File {
	b.closeSection()
	f := &File{}
	if b.mixed {
		f.sections, f.groups = b.merge()
	} else {
		f.sections, f.groups = slices.Clone(b.sections), make([]group, len(b.sections)-1)
		for i := range f.groups {
			f.groups[i].sections, f.groups[i].sectionsEnd = uint32(i+1), uint32(i+2)
		}
	}
	for i, t := range b.tokens {
		g := &f.groups[t.group]
		if g.tokensEnd == 0 {
			g.tokens = uint32(i)
		}
		g.tokensEnd = uint32(i + 1)
	}
	f.text = string(b.text)
	f.rules = slices.Clone(b.rules)
	f.respelt = slices.Clone(b.respelt)
	f.records = string(b.records)
	f.tokens = slices.Clone(b.tokens)
	f.index = b.index
	f.indexes = newIndexes(f)
	return f
}

// merge finds the groups of a file in which tokens have several sections, or
// sections no token. Tokens with the same sections are one group. A section that
// several groups have is not copied for each, but its place is, so that many
// tokens with many rules cannot multiply.
func (b *builder) merge() (sections []section, groups []group) {
	named := b.usefulNamings()
	groupOf := partition(len(b.tokens), named)
	leaders := make([]bool, len(b.tokens)) // the first token of each group
	for t, g := range groupOf {
		b.tokens[t].group = g
		if int(g) == len(groups) {
			leaders[t] = true
			groups = append(groups, group{})
		}
	}
	named = slices.DeleteFunc(named, func(n naming) bool { return !leaders[n.token] })
	slices.SortStableFunc(named, func(x, y naming) int { return cmp.Compare(groupOf[x.token], groupOf[y.token]) })
	sections = slices.Clone(b.sections[:1])
	for _, n := range named {
		g := &groups[groupOf[n.token]]
		if g.sectionsEnd == 0 {
			g.sections = uint32(len(sections))
		}
		sections = append(sections, b.sections[n.section])
		g.sectionsEnd = uint32(len(sections))
	}
	slices.SortStableFunc(b.tokens, func(x, y token) int { return cmp.Compare(x.group, y.group) })
	b.index.rebuild(b.tokens, b.text)
	return sections, groups
}

// usefulNamings returns the namings, each once and by section, without those of
// empty sections for tokens that have others.
func (b *builder) usefulNamings() []naming {
	full := make([]bool, len(b.tokens))
	for _, n := range b.named {
		full[n.token] = full[n.token] || !b.sections[n.section].isEmpty()
	}
	named := slices.DeleteFunc(slices.Clone(b.named), func(n naming) bool {
		return full[n.token] && b.sections[n.section].isEmpty()
	})
	slices.SortFunc(named, func(x, y naming) int {
		return cmp.Or(cmp.Compare(x.section, y.section), cmp.Compare(x.token, y.token))
	})
	return slices.Compact(named)
}

// partition numbers the tokens so that those with the same sections, and no
// others, have the same number, in the order of the first of each. It splits all
// tokens by one section after the other, in linear time.
func partition(tokens int, named []naming) []uint32 {
	type part struct{ section, inside uint32 } // the part's tokens in the section are the part inside
	parts := []part{{}}
	partOf := make([]uint32, tokens)
	for _, n := range named {
		p := &parts[partOf[n.token]]
		if p.section != n.section {
			*p = part{n.section, uint32(len(parts))}
			parts = append(parts, part{})
		}
		partOf[n.token] = parts[partOf[n.token]].inside
	}
	number := make([]uint32, len(parts)) // plus one
	next := uint32(0)
	for t, p := range partOf {
		if number[p] == 0 {
			next++
			number[p] = next
		}
		partOf[t] = number[p] - 1
	}
	return partOf
}

func (s section) isEmpty() bool {
	return s.rules == s.rulesEnd && s.records == s.recordsEnd
}

// A tokenIndex finds tokens where there are too many to look at each. The seed
// keeps a hostile file from choosing tokens that collide.
type tokenIndex struct {
	seed  maphash.Seed
	slots []uint32 // open addressing: a token's number plus one
}

// fewTokens is how many tokens are searched without an index.
const fewTokens = 8

// findToken returns the number of the token with the folded form.
func findToken[S []byte | string](x *tokenIndex, tokens []token, text S, folded []byte) (int, bool) {
	if x.slots == nil {
		for i := range tokens {
			if is(&tokens[i], text, folded) {
				return i, true
			}
		}
		return 0, false
	}
	for h := maphash.Bytes(x.seed, folded); ; h++ {
		slot := x.slots[h%uint64(len(x.slots))]
		if slot == 0 {
			return 0, false
		}
		if is(&tokens[slot-1], text, folded) {
			return int(slot - 1), true
		}
	}
}

func is[S []byte | string](t *token, text S, folded []byte) bool {
	return int(t.folded) == len(folded) && string(text[t.start+t.size:][:t.folded]) == string(folded)
}

// addToken takes the last of the tokens into the index.
func addToken(x *tokenIndex, tokens []token, text []byte) {
	if len(tokens)*2 > len(x.slots) {
		x.rebuild(tokens, text)
	} else {
		x.put(tokens, text, len(tokens)-1)
	}
}

func (x *tokenIndex) rebuild(tokens []token, text []byte) {
	if len(tokens) <= fewTokens {
		return
	}
	if x.slots == nil {
		x.seed = maphash.MakeSeed()
	}
	x.slots = make([]uint32, 4*len(tokens))
	for i := range tokens {
		x.put(tokens, text, i)
	}
}

func (x *tokenIndex) put(tokens []token, text []byte, i int) {
	t := tokens[i]
	h := maphash.Bytes(x.seed, text[t.start+t.size:][:t.folded])
	for ; x.slots[h%uint64(len(x.slots))] != 0; h++ {
	}
	x.slots[h%uint64(len(x.slots))] = uint32(i + 1)
}

// findStar returns the token of those that the file does not name.
func (f *File) findStar() (tok token, ok bool) {
	return f.findToken([]byte{'*'})
}

// findNamed returns the token by which the file names an agent, whose own token
// is given in folded form: that one, or it without one "-suffix" or more.
func (f *File) findNamed(folded []byte) (tok token, ok bool) {
	for len(folded) > 0 {
		if tok, ok = f.findToken(folded); ok {
			return tok, ok
		}
		folded = folded[:max(0, bytes.LastIndexByte(folded, '-'))]
	}
	return token{}, false
}

func (f *File) findToken(folded []byte) (tok token, ok bool) {
	i, ok := findToken(&f.index, f.tokens, f.text, folded)
	if ok {
		tok = f.tokens[i]
	}
	return tok, ok
}

// ignoresStar reports whether an agent, by its folded token, is one of those
// that Google documents as not obeying the rules for "*".
func ignoresStar(folded []byte) bool {
	for _, special := range [...]string{"adsbot-google", "apis-google", "mediapartners-google"} {
		n := len(special)
		if len(folded) >= n && string(folded[:n]) == special && (len(folded) == n || folded[n] == '-') {
			return true
		}
	}
	return false
}

// ProductToken returns the product token of a crawler's User-Agent header, or
// of a part of one: "FooBot" for "FooBot", for "FooBot/1.2" and for
// "Mozilla/5.0 (compatible; FooBot/1.2; +https://example.com/bot)". It is empty
// if the header has none.
//
// The token ends before the first white space, control or format character, or
// one of /*()[]{}<>,;:"\=?@. RFC 9309, section 2.2.1, allows letters, "-" and
// "_" only; crawlers such as MJ12bot and archive.org_bot go further.
func ProductToken(userAgent string) string {
	const marker = "compatible;"
	userAgent = trimString(userAgent)
	tok := userAgent[:tokenLen(userAgent)]
	if len(tok) != len("Mozilla") || !strings.EqualFold(tok, "Mozilla") {
		return tok
	}
	for rest := userAgent; len(rest) >= len(marker); rest = rest[1:] {
		if strings.EqualFold(rest[:len(marker)], marker) {
			rest = trimString(rest[len(marker):])
			if n := tokenLen(rest); n > 0 {
				return rest[:n]
			}
			break
		}
	}
	return tok
}

// trimString is trim for a string.
func trimString(s string) string {
	if s == "" || isGraphic(s[0]) && isGraphic(s[len(s)-1]) {
		return s
	}
	return strings.TrimFunc(s, isSpace)
}

// tokenLen returns the length of the product token that s starts with.
func tokenLen[S []byte | string](s S) int {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < utf8.RuneSelf {
			if endsToken[c] {
				return i
			}
		} else if r, _ := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))])); isSpace(r) {
			return i
		}
	}
	return len(s)
}

// starLen returns 1 if s is the token of everybody, a "*" alone or before white
// space, else 0.
func starLen(s []byte) int {
	if len(s) == 0 || s[0] != '*' {
		return 0
	}
	if r, _ := utf8.DecodeRune(s[1:]); len(s) > 1 && !unicode.IsSpace(r) {
		return 0
	}
	return 1
}

// endsToken marks the ASCII characters that no product token contains.
var endsToken = func() (ends [utf8.RuneSelf]bool) {
	for c := range byte(utf8.RuneSelf) {
		ends[c] = !isGraphic(c) || strings.IndexByte(`/*()[]{}<>,;:"\=?@`, c) >= 0
	}
	return ends
}()

// appendFolded appends tok with one letter for all those that differ only by
// case (Unicode simple folding).
func appendFolded[S []byte | string](dst []byte, tok S) []byte {
	for i := 0; i < len(tok); {
		c := tok[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(string(tok[i:min(i+utf8.UTFMax, len(tok))]))
		if n == 1 { // not UTF-8: stands for itself
			dst = append(dst, c)
		} else {
			dst = utf8.AppendRune(dst, fold(r))
		}
		i += n
	}
	return dst
}

// fold returns the least of the letters that differ from r only by case, but
// the lower of the ASCII letters.
func fold(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	if 'A' <= least && least <= 'Z' {
		least |= 0x20
	}
	return least
}
