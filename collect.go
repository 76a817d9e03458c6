package robotstxt

import (
	"slices"
	"strings"
)

// What a builder collects stays with the builder, on the stack, as long as it fits
// there, so that a small file allocates nothing but what it keeps. What does not
// fit goes to the heap a page at a time. By then one can tell how much there is
// going to be, so that it seldom has to move again.

// progress says how much of a file has been read.
type progress struct{ read, size int }

// more returns by how much a length is going to grow if the rest of the file is
// like what has been read. If nothing is known of that, it grows by a quarter.
func (p *progress) more(length int) int {
	if p == nil {
		return length / 4
	}
	left := max(0, p.size-p.read) // the end of the last line can be beyond the file
	return length/8 + int(int64(length)*int64(left)/int64(max(p.read, 1)))
}

// grow makes room in a list for n more and for what is going to follow, of which
// the first few say little.
func grow[E any](list []E, n int, p *progress) []E {
	if n <= cap(list)-len(list) {
		return list
	}
	more := min(p.more(len(list)), 4*len(list))
	return append(make([]E, 0, len(list)+n+max(3, more)), list...)
}

// fit returns a list without the room behind it, unless that is small.
func fit[E any](list []E) []E {
	if isSpacious(len(list), cap(list)) {
		return slices.Clone(list)
	}
	return list
}

// isSpacious reports whether a length leaves much of the room unused.
func isSpacious(length, room int) bool { return room-length > length/4 }

// A ruleList collects rules.
type ruleList struct {
	page   [128]rule // the last
	onPage int       // how many they are
	before []rule
}

func (l *ruleList) len() int { return len(l.before) + l.onPage }

func (l *ruleList) add(r rule, p *progress) {
	if l.onPage == len(l.page) {
		l.turnPage(p)
	}
	l.page[l.onPage] = r
	l.onPage++
}

func (l *ruleList) turnPage(p *progress) {
	if cap(l.before)-len(l.before) < l.onPage {
		l.before = append(make([]rule, 0, l.len()+p.more(l.len())), l.before...)
	}
	l.before = append(l.before, l.page[:l.onPage]...)
	l.onPage = 0
}

// all returns the rules.
func (l *ruleList) all() []rule {
	return fit(append(l.before, l.page[:l.onPage]...))
}

// A textBuffer collects text.
type textBuffer struct {
	page   [1024]byte      // the end
	onPage int             // how much that is
	part   strings.Builder // what comes before
	parts  []string        // what comes before that
	inPart int             // how much both are
}

func (t *textBuffer) len() int { return t.inPart + t.onPage }

func (t *textBuffer) write(s []byte, p *progress) {
	const short = 32
	if len(s) <= short && short <= cap(s) && short <= len(t.page)-t.onPage {
		// To move always as much is faster than to move no more than is needed.
		*(*[short]byte)(t.page[t.onPage:]) = [short]byte(s[:short])
		t.onPage += len(s)
		return
	}
	t.writeLong(s, p)
}

func (t *textBuffer) writeLong(s []byte, p *progress) {
	t.reserve(len(s), p)
	if len(s) > len(t.page) {
		t.part.Write(s)
		t.inPart += len(s)
		return
	}
	t.onPage += copy(t.page[t.onPage:], s)
}

// writeTogether writes what must not be in two parts, without a guess how much is
// going to follow.
func (t *textBuffer) writeTogether(pieces ...[]byte) {
	n := 0
	for _, s := range pieces {
		n += len(s)
	}
	t.reserve(n, nil)
	for _, s := range pieces {
		t.write(s, nil)
	}
	if n > len(t.page) {
		t.turnPage(0, nil) // or the end of it would go with what follows
	}
}

// reserve makes room for n octets on the page or, if it is too small, behind the
// part, which the page is then added to.
func (t *textBuffer) reserve(n int, p *progress) {
	if n > len(t.page)-t.onPage {
		t.turnPage(n, p)
	}
}

func (t *textBuffer) turnPage(n int, p *progress) {
	if t.part.Cap()-t.part.Len() < t.onPage+n {
		if t.part.Len() > 0 {
			t.parts = append(t.parts, t.part.String())
			t.part.Reset()
		}
		t.part.Grow(t.onPage + n + p.more(t.len()))
	}
	t.part.Write(t.page[:t.onPage])
	t.inPart += t.onPage
	t.onPage = 0
}

// all returns the parts of the text, behind those in dst.
func (t *textBuffer) all(dst []string) []string {
	dst = append(dst, t.parts...)
	if t.part.Cap()-t.part.Len() >= t.onPage {
		t.part.Write(t.page[:t.onPage])
		t.onPage = 0
	}
	last := t.part.String()
	if isSpacious(len(last), t.part.Cap()) {
		last = strings.Clone(last)
	}
	for _, part := range []string{last, string(t.page[:t.onPage])} {
		if part != "" {
			dst = append(dst, part)
		}
	}
	return dst
}
