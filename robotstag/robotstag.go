// Package robotstag reads X-Robots-Tag headers and robots meta tags, and returns what
// they say to one crawler about a page that it has fetched.
//
//	tags := robotstag.FromHeader(resp.Header)
//	page, err := robotstag.FromHTML(resp.Body)
//	d := tags.Join(page).For("FooBot")
//	if d.MayIndex(time.Now()) {
//		// keep the page
//	}
//
// A robots.txt file says what may be fetched; these tags say what may be done with
// what was fetched. So a crawler obeys them in this order: it asks package robotstxt
// about the URL, fetches it, and reads the tags. It never sees the tags of a URL that
// it may not fetch.
//
// # Header fields
//
// Directives are for all crawlers, or for the one that is named before them:
//
//	X-Robots-Tag: noarchive, max-snippet: 20
//	X-Robots-Tag: otherbot: noindex, nofollow
//
// A name holds until the next name or the end of its field. A word with a colon is a
// name unless it is one of the four directives with values: max-snippet,
// max-image-preview, max-video-preview and unavailable_after. It is not a name either if
// the text after the colon does not start with a letter, as in "revisit-after: 7 days".
//
// The field Robots-Tag is read as well. It comes from draft-illyes-repext-03, an
// Internet-Draft that expired on October 20, 2026; it is not a standard. There, a name
// has parameters:
//
//	Robots-Tag: *;nosnippet, ExampleBot;noindex
//
// Both fields may have either form.
//
// # Meta elements
//
// The name of a meta element is "robots" or a crawler's product token, and its content
// is a list of directives:
//
//	<meta name="robots" content="noarchive, max-snippet:20">
//	<meta name="otherbot" content="noindex, nofollow">
//
// It counts wherever it is on the page, as Google documents, except in comments and
// in elements whose content is text, such as script and textarea. In noscript and
// template elements it counts: a crawler that misses a noindex does what it was asked
// not to do.
//
// # Crawlers
//
// Directives for all and directives for the crawler are joined. Those for googlebot
// are also for Googlebot-News, which adds its own. (A robots.txt group, in contrast,
// replaces the group for all.) Of two directives the more restrictive one holds, as
// Google's documentation and the draft say: the smallest limit, the earliest date, and
// noindex over index.
//
// # Bad input
//
// Headers and pages come from strangers. Every function takes any bytes, and takes
// time and memory in proportion to them. What cannot be read is in
// [Directives.Unknown]; it takes nothing else with it. Text is as the site has it:
// escape it before it reaches a terminal or a web page.
//
// All values are immutable and safe for concurrent use. The file testdata/RULES.md has
// all rules with their sources.
package robotstag

import (
	"iter"
	"net/http"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A Tags holds the directives of the headers and meta elements of a page. The zero
// Tags has none.
type Tags struct{ lines []line }

// A line is a field value, or the content of a meta element.
type line struct {
	source string
	number int
	offset int    // of a meta element
	token  string // of a meta element, or empty for all crawlers
	value  string
}

// The sources of directives.
const XRobotsTag, RobotsTag, Meta = "X-Robots-Tag", "Robots-Tag", "meta"

// FromHeader returns the directives of all X-Robots-Tag and Robots-Tag fields. The keys
// of the header are in canonical form, as in all headers of package net/http.
func FromHeader(header http.Header) Tags {
	var t Tags
	for _, field := range [...]string{XRobotsTag, RobotsTag} {
		for i, value := range header.Values(field) {
			t.lines = append(t.lines, line{source: field, number: i + 1, value: value})
		}
	}
	return t
}

// Join returns the directives of t, then those of other.
func (t Tags) Join(other Tags) Tags { return Tags{slices.Concat(t.lines, other.lines)} }

// For returns what the tags say to a crawler that goes by any of the names. An agent is
// a product token or a whole User-Agent header. Without agents, or if none has a
// product token, only directives for all crawlers apply.
func (t Tags) For(agents ...string) Directives {
	var d Directives
	tokens := foldedTokens(agents)
	for directive := range t.All() {
		if directive.isFor(tokens) {
			d.add(directive)
		}
	}
	d.IndexIfEmbedded = d.IndexIfEmbedded && d.NoIndex
	return d
}

// All returns the directives for any crawler in the order in which they were read.
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
	Token string // the product token of the crawler it is for, or empty for all
	Text  string // as written, such as "Max-Snippet: 20"
	Name  string // in lower case, or empty if this package does not know the directive
	Value string // as written, after the colon

	Source string // XRobotsTag, RobotsTag or Meta
	Number int    // of the field value in the header, from 1, or 0 for a meta element
	Offset int    // in bytes: of the directive in its field value, or of its meta element in the page

	kind kind
}

// AppliesTo reports whether the directive is for a crawler with any of the given names, see
// [Tags.For].
func (d Directive) AppliesTo(agents ...string) bool { return d.isFor(foldedTokens(agents)) }

// isFor reports whether the directive is for one of the tokens, which foldedTokens
// returned: for all, for the token, or for the token without "-suffixes".
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
