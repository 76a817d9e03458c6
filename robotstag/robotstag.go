// Package robotstag reads X-Robots-Tag headers and robots meta tags. It returns the directives
// that a crawler must obey after it has fetched the page.
//
//	tags := robotstag.FromHeader(resp.Header)
//	page, err := robotstag.FromHTML(resp.Body)
//	d := tags.Join(page).For("FooBot")
//	if d.MayIndex(time.Now()) {
//		// keep the page
//	}
//
// A robots.txt file says which pages may be fetched; these tags say what may be done with a
// fetched page. So a crawler first asks package robotstxt about the URL, then fetches the page
// and reads its tags. If robots.txt disallows the page, the crawler never sees the tags.
//
// # Header fields
//
// Directives apply to all crawlers, or to the crawler that is named before them:
//
//	X-Robots-Tag: noarchive, max-snippet: 20
//	X-Robots-Tag: otherbot: noindex, nofollow
//
// A name applies to all directives after it, up to the next name or the end of the field. A
// word with a colon is a name, with two exceptions. A known directive is not a name, as in
// "max-snippet: 20". A word is also not a name if the text after its colon does not start with
// a letter, as in "revisit-after: 7 days".
//
// The package also reads the field Robots-Tag. It is not a standard, but comes from
// draft-illyes-repext-03, an Internet-Draft that expired on October 20, 2026. In this field, a
// semicolon follows a name, and the name applies up to the next comma:
//
//	Robots-Tag: *;nosnippet, ExampleBot;noindex
//
// The package accepts both forms in both fields.
//
// # Meta elements
//
// The name of a meta element is "robots" or a crawler's product token. Its content is a list
// of directives:
//
//	<meta name="robots" content="noarchive, max-snippet:20">
//	<meta name="otherbot" content="noindex, nofollow">
//
// As Google documents, a meta element counts anywhere on the page. The exceptions are comments,
// and elements that contain only text, such as script and textarea. In noscript and template
// elements, a meta element does count, because a crawler must not miss a noindex.
//
// # Crawlers
//
// A crawler obeys the directives for all crawlers and those for its own name. A name also
// applies to crawlers whose names start with it and continue with a hyphen: Googlebot-News obeys
// the directives for googlebot. (In robots.txt, by contrast, a crawler with a group of its own ignores the
// group for "*".)
//
// If two directives conflict, the more restrictive one wins, as Google's documentation and the
// draft say: the smallest limit, the earliest date, and noindex over index.
//
// # Bad input
//
// Headers and pages come from strangers. Every function accepts any bytes. The time and
// memory that a function needs grow in proportion to the number of bytes. A directive that
// cannot be read is listed in [Directives.Unknown] and does not affect the others. Text from the site is returned
// unchanged: escape it before you show it on a terminal or a web page.
//
// All values are immutable and safe for concurrent use. The file testdata/RULES.md lists
// all rules with their sources.
//
// # Stability
//
// No standard defines the directives: search engines add and change them. So the methods of
// [Directives] may change with any release, also after version 1 of the module.
package robotstag

import (
	"iter"
	"net/http"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A Tags holds the directives from the headers and meta elements of a page. The zero Tags
// has no directives.
type Tags struct{ lines []line }

// A line is a field value, or the content of a meta element.
type line struct {
	source Source
	number int
	offset int    // position of a meta element in the page
	token  string // name of a meta element, or empty for all crawlers
	value  string
}

// A Source says where a directive was written.
type Source string

// The sources of directives: two headers, and the meta elements of a page.
const (
	XRobotsTag Source = "X-Robots-Tag"
	RobotsTag  Source = "Robots-Tag"
	Meta       Source = "meta"
)

// FromHeader returns the directives in all X-Robots-Tag and Robots-Tag fields. Header keys
// must be in canonical form, as package net/http makes them.
func FromHeader(header http.Header) Tags {
	var t Tags
	for _, field := range [...]Source{XRobotsTag, RobotsTag} {
		for i, value := range header.Values(string(field)) {
			t.lines = append(t.lines, line{source: field, number: i + 1, value: value})
		}
	}
	return t
}

// Join returns the directives of t, followed by the directives of other.
func (t Tags) Join(other Tags) Tags { return Tags{slices.Concat(t.lines, other.lines)} }

// For returns the directives for a crawler. The agents are the names of the crawler: product
// tokens or whole User-Agent headers. If no agent has a product token, or if there are no
// agents, For returns only the directives for all crawlers.
func (t Tags) For(agents ...string) Directives {
	var d Directives
	tokens := foldedTokens(agents)
	for directive := range t.All() {
		if directive.isFor(tokens) {
			d.add(directive)
		}
	}
	if !d.Has("noindex") {
		d.flags = slices.DeleteFunc(d.flags, func(flag string) bool { return flag == "indexifembedded" })
	}
	return d
}

// All yields all directives, no matter which crawlers they are for, in the order in which
// they were read.
func (t Tags) All() iter.Seq[Directive] {
	return func(yield func(Directive) bool) {
		for i := range t.lines {
			l := &t.lines[i]
			c := cursor{line: l, text: plain(l.value), token: l.token, pieceEnd: -1}
			for c.nextPiece() {
				for c.start < c.end {
					if d, ok := c.next(); ok && !yield(d) {
						return
					}
				}
			}
		}
	}
}

// A Directive is one directive of a header or a meta element.
type Directive struct {
	Token string // the product token of the crawler that must obey the directive, or empty for all crawlers
	Text  string // the directive as written, such as "Max-Snippet: 20"
	Name  string // the name in lower case, or empty if the directive is unknown
	Value string // the value as written, after the colon

	Source Source
	Number int // number of the field value that contains the directive, counted from 1; 0 for a meta element
	Offset int // the offset in bytes of the directive in its field value, or of the meta element in the page
}

// AppliesTo reports whether the directive applies to a crawler with any of the given names;
// see [Tags.For].
func (d Directive) AppliesTo(agents ...string) bool { return d.isFor(foldedTokens(agents)) }

// isFor reports whether the directive applies to a crawler with any of these tokens, which must be in
// folded form. A directive without a token applies to all crawlers. A directive for "googlebot"
// applies to the tokens "googlebot" and, for example, "googlebot-news".
func (d Directive) isFor(tokens []string) bool {
	name := lex.Fold(d.Token)
	return name == "" || slices.ContainsFunc(tokens, func(token string) bool {
		suffix, ok := strings.CutPrefix(token, name)
		return ok && (suffix == "" || suffix[0] == '-')
	})
}

// foldedTokens returns the product tokens of agents in folded form.
func foldedTokens(agents []string) []string {
	var tokens []string
	for _, agent := range agents {
		if token := robotstxt.ProductToken(agent); token != "" {
			tokens = append(tokens, lex.Fold(token))
		}
	}
	return tokens
}
