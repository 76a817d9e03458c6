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
	progress
	file     *File
	text     textBuffer // of the rules
	rules    ruleList
	respelt  []respelling
	records  textBuffer
	tokens   []token
	names    []byte // text of the tokens
	index    tokenIndex
	sections []section // the first is what stands before any user-agent line
	groups   []group   // room for them in the end
	renamed  []naming  // those of tokens that have a section already
	inRun    bool      // among user-agent lines that one group shares
	isNamed  bool      // the last section is for a token; if not, its rules are for nobody
	mixed    bool      // tokens and sections are not many to one
}

// init gets a builder ready for a file of the given size. One allocation serves
// for all that a file with one group needs, but for its rules and records.
func (b *builder) init(size int) {
	room := &struct {
		File
		tokens   [1]token
		names    [16]byte
		sections [2]section
		groups   [1]group
		records  [1]string
	}{}
	b.size = size
	b.file = &room.File
	b.file.records = room.records[:0]
	b.tokens, b.names = room.tokens[:0], room.names[:0]
	b.sections, b.groups = room.sections[:1], room.groups[:]
}

// A naming says that a section is for a token.
type naming struct{ section, token uint32 }

// add takes the next line.
func (b *builder) add(line uint32, kind Kind, key, value []byte) {
	switch kind {
	case UserAgentKind:
		b.userAgent(value)
	case AllowKind, DisallowKind:
		if b.endRun() && len(value) > 0 {
			b.addRule(line, kind, value)
		}
	case SitemapKind:
		if len(value) > 0 {
			b.addRecord(line, kind, nil, value)
		}
	case CrawlDelayKind, OtherKind:
		b.addRecord(line, kind, trim(key), value)
	}
}

// endRun ends a run of user-agent lines and reports whether the rules that follow
// are for any token.
func (b *builder) endRun() bool {
	b.inRun = false
	return b.isNamed
}

// userAgent starts a section, or goes on with a run of user-agent lines.
func (b *builder) userAgent(value []byte) {
	if !b.inRun {
		b.closeSection()
		b.sections = append(grow(b.sections, 1, &b.progress), section{rules: uint32(b.rules.len()), records: uint32(b.records.len())})
		b.inRun, b.isNamed = true, false
	}
	if size := nameLen(value); size == len(value) || bytes.IndexByte(value, '(') >= 0 {
		b.name(value[:size])
		return
	}
	for more := true; more; {
		var tok []byte
		tok, value, more = bytes.Cut(value, []byte{','})
		tok, value = trim(tok), trim(value)
		b.name(tok[:nameLen(tok)])
	}
}

// name puts a token, unless it is empty, on the current section.
func (b *builder) name(tok []byte) {
	if len(tok) == 0 {
		return
	}
	b.isNamed = true
	var buf [64]byte
	folded := appendFolded(buf[:0], tok)
	group := uint32(len(b.sections) - 2)
	i, known := findToken(&b.index, b.tokens, b.names, folded)
	if !known {
		b.tokens = append(grow(b.tokens, 1, &b.progress), token{uint32(len(b.names)), uint32(len(tok)), uint32(len(folded)), group})
		b.names = grow(b.names, len(tok)+len(folded), &b.progress)
		b.names = append(append(b.names, tok...), folded...)
		addToken(&b.index, b.tokens, b.names)
	} else if b.tokens[i].group != group {
		b.renamed = append(b.renamed, naming{group + 1, uint32(i)})
		b.mixed = true
	}
}

// addRecord keeps a line outside the protocol, or a sitemap, whose key is not kept.
// Files of junk have very many, so each takes few bytes more than its text.
func (b *builder) addRecord(line uint32, kind Kind, key, value []byte) {
	var buf [1 + 3*binary.MaxVarintLen32]byte
	head := binary.AppendUvarint(append(buf[:0], byte(kind)), uint64(line))
	head = binary.AppendUvarint(head, uint64(len(key)))
	head = binary.AppendUvarint(head, uint64(len(value)))
	b.records.writeTogether(head, key, value)
}

// readRecords returns what addRecord kept from one offset to another.
func (f *File) readRecords(from, to int) iter.Seq2[Kind, Record] {
	return func(yield func(Kind, Record) bool) {
		start, end := from, to // in the part
		for _, part := range f.records {
			for rest := part[min(start, len(part)):min(end, len(part))]; rest != ""; {
				kind := Kind(rest[0])
				line, text := readUvarint(rest[1:])
				key, text := readUvarint(text)
				value, text := readUvarint(text)
				if !yield(kind, Record{line, text[:key], text[key:][:value]}) {
					return
				}
				rest = text[key+value:]
			}
			if end <= len(part) {
				return
			}
			start, end = max(0, start-len(part)), end-len(part)
		}
	}
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
	last.rulesEnd, last.recordsEnd = uint32(b.rules.len()), uint32(b.records.len())
	if len(b.sections) > 1 && !b.isNamed {
		b.mixed = true
	}
}

// build returns the file.
func (b *builder) build() *File {
	b.closeSection()
	f := b.file
	if b.mixed {
		f.sections, f.groups = b.merge()
	} else {
		f.sections = fit(b.sections)
		if n := len(b.sections) - 1; n <= len(b.groups) {
			f.groups = b.groups[:n]
		} else {
			f.groups = make([]group, n)
		}
		for i := range f.groups {
			f.groups[i].sections, f.groups[i].sectionsEnd = uint32(i+1), uint32(i+2)
		}
	}
	names := uint32(b.text.len())
	for i := range b.tokens {
		t := &b.tokens[i]
		t.start += names
		g := &f.groups[t.group]
		if g.tokensEnd == 0 {
			g.tokens = uint32(i)
		}
		g.tokensEnd = uint32(i + 1)
	}
	b.text.write(b.names, &b.progress)
	var parts [4]string
	f.text = strings.Join(b.text.all(parts[:0]), "")
	f.records = b.records.all(f.records)
	f.rules, f.respelt = b.rules.all(), fit(b.respelt)
	f.tokens, f.index = fit(b.tokens), b.index
	f.indexes = newIndexes(f)
	return f
}

// merge finds the groups of a file in which tokens have several sections, or
// sections no token. Tokens with the same sections are one group. A section that
// several groups have is not copied for each, but its place is, so that many
// tokens with many rules cannot multiply.
func (b *builder) merge() (sections []section, groups []group) {
	named := b.usefulNamings()
	groupOf, count := partition(len(b.tokens), named)
	groups = make([]group, 0, count)
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
	sections = append(make([]section, 0, 1+len(named)), b.sections[0])
	for _, n := range named {
		g := &groups[groupOf[n.token]]
		if g.sectionsEnd == 0 {
			g.sections = uint32(len(sections))
		}
		sections = append(sections, b.sections[n.section])
		g.sectionsEnd = uint32(len(sections))
	}
	slices.SortStableFunc(b.tokens, func(x, y token) int { return cmp.Compare(x.group, y.group) })
	b.index.rebuild(b.tokens, b.names)
	return sections, groups
}

// usefulNamings returns the namings, each once and by section, without those of
// empty sections for tokens that have others.
func (b *builder) usefulNamings() []naming {
	named := make([]naming, len(b.tokens), len(b.tokens)+len(b.renamed))
	for i, t := range b.tokens {
		named[i] = naming{t.group + 1, uint32(i)}
	}
	named = append(named, b.renamed...)
	full := make([]bool, len(b.tokens))
	for _, n := range named {
		full[n.token] = full[n.token] || !b.sections[n.section].isEmpty()
	}
	named = slices.DeleteFunc(named, func(n naming) bool {
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
func partition(tokens int, named []naming) (partOf []uint32, count uint32) {
	type part struct{ section, inside uint32 } // the part's tokens in the section are the part inside
	parts := make([]part, 1, 1+len(named))
	partOf = make([]uint32, tokens)
	for _, n := range named {
		p := &parts[partOf[n.token]]
		if p.section != n.section {
			*p = part{n.section, uint32(len(parts))}
			parts = append(parts, part{})
		}
		partOf[n.token] = parts[partOf[n.token]].inside
	}
	number := make([]uint32, len(parts)) // plus one
	for t, p := range partOf {
		if number[p] == 0 {
			count++
			number[p] = count
		}
		partOf[t] = number[p] - 1
	}
	return partOf, count
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

// nameLen is tokenLen for user-agent lines, where there is one token more, that of
// everybody: a "*" alone or before white space.
func nameLen(s []byte) int {
	if len(s) == 0 || s[0] != '*' {
		return tokenLen(s)
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
	start := len(dst)
	dst = append(dst, tok...)
	for i := start; i < len(dst); i++ {
		switch c := dst[i]; {
		case c >= utf8.RuneSelf:
			return appendFoldedRunes(dst[:i], string(tok[i-start:]))
		case 'A' <= c && c <= 'Z':
			dst[i] = c | 0x20
		}
	}
	return dst
}

func appendFoldedRunes(dst []byte, tok string) []byte {
	for i, r := range tok {
		if r == utf8.RuneError && !strings.HasPrefix(tok[i:], "\uFFFD") { // not UTF-8: stands for itself
			dst = append(dst, tok[i])
		} else {
			dst = utf8.AppendRune(dst, fold(r))
		}
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
