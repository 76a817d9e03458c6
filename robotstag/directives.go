package robotstag

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Directives say what the headers and meta elements of a page let one crawler do with the
// page. The zero value allows everything.
//
// If the comment of a field names no source, Google documents the directive.
type Directives struct {
	NoIndex      bool // noindex, none: do not show the page in search results
	NoFollow     bool // nofollow, none: do not follow the links on the page
	NoSnippet    bool // nosnippet, "max-snippet: 0": show no text and no video of the page
	NoArchive    bool // noarchive: offer no stored copy of the page (Bing; Google ignores it)
	NoCache      bool // nocache: like noarchive, but less strict; if a page has both, Bing obeys only nocache
	NoTranslate  bool // notranslate: offer no translation of the page
	NoImageIndex bool // noimageindex: do not index the images on the page
	NoAI         bool // noai: do not use the page to train models (DeviantArt, November 2022)
	NoImageAI    bool // noimageai: do not use the images on the page to train models (DeviantArt)

	// IndexIfEmbedded is an exception to NoIndex: the page may be indexed as a part of another
	// page that embeds it, for example in an iframe. It is true only if NoIndex is true.
	IndexIfEmbedded bool

	// MaxImagePreview is the largest preview of an image that may be shown: "none", "standard"
	// or "large". It is empty if no directive limits previews.
	MaxImagePreview string

	// UnavailableAfter is the time, in UTC, after which the page must not be shown in search
	// results. It is zero if there is no such time. A date without a time means the start of
	// that day. A time without a known zone counts as UTC.
	UnavailableAfter time.Time

	// Unknown lists directives, as written, that are unknown or have invalid values.
	Unknown []string

	maxSnippet, maxVideoPreview int // limit + 1, or 0 if there is no limit
}

// MayIndex reports whether search results may show the page at time t. It does not consider
// IndexIfEmbedded.
func (d Directives) MayIndex(t time.Time) bool {
	return !d.NoIndex && (d.UnavailableAfter.IsZero() || !t.After(d.UnavailableAfter))
}

// MayFollow reports whether the links on the page may be followed.
func (d Directives) MayFollow() bool { return !d.NoFollow }

// MaxSnippet returns how many characters of the page's text may be shown. If limited is false,
// there is no limit. If NoSnippet is true, the limit is 0.
func (d Directives) MaxSnippet() (n int, limited bool) { return d.limit(d.maxSnippet) }

// MaxVideoPreview returns how many seconds of the page's videos may be shown. If limited is
// false, there is no limit. If NoSnippet is true, the limit is 0.
func (d Directives) MaxVideoPreview() (seconds int, limited bool) { return d.limit(d.maxVideoPreview) }

func (d Directives) limit(plusOne int) (n int, limited bool) {
	if d.NoSnippet {
		return 0, true
	}
	return max(0, plusOne-1), plusOne > 0
}

// A kind identifies a directive: it is the index of the directive's name in the array names. A
// directive without a name in this array has the kind unknown.
type kind uint8

// Constants for the kinds that get special treatment. Directives of the kind maxSnippet and of
// all later kinds have a value.
const (
	unknown          kind = 0
	none             kind = 11
	maxSnippet       kind = 20
	maxImagePreview  kind = 21
	maxVideoPreview  kind = 22
	unavailableAfter kind = 23
)

// names contains the names of the directives. The index of a name is the kind of the directive.
// After the empty name come the directives with a boolean field in Directives, "none", the directives
// without effect, and the directives with a value. A directive has no effect if it asks for the
// default, or if it is about a service that no longer exists.
var names = [...]string{
	"", "noindex", "indexifembedded", "nofollow", "nosnippet", "noarchive", "nocache", "notranslate", "noimageindex", "noai", "noimageai",
	"none", "all", "index", "follow", "archive", "noodp", "noydir", "noyaca", "nositelinkssearchbox",
	"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after",
}

// flags returns pointers to the boolean fields, in the order of names. The pointer for the kind k is
// at the index k-1.
func (d *Directives) flags() [none - 1]*bool {
	return [...]*bool{&d.NoIndex, &d.IndexIfEmbedded, &d.NoFollow, &d.NoSnippet, &d.NoArchive, &d.NoCache,
		&d.NoTranslate, &d.NoImageIndex, &d.NoAI, &d.NoImageAI}
}

// kindOf returns the kind of a directive, regardless of case.
func kindOf(word string) kind {
	return kind(max(0, slices.Index(names[:], strings.ToLower(word))))
}

// String returns the known directives in a standard form, such as "noindex, max-snippet: 20".
// The result is empty if everything is allowed.
func (d Directives) String() string {
	var list []string
	for i, set := range d.flags() {
		if *set {
			list = append(list, names[i+1])
		}
	}
	if d.maxSnippet > 0 && !d.NoSnippet {
		list = append(list, "max-snippet: "+strconv.Itoa(d.maxSnippet-1))
	}
	if d.MaxImagePreview != "" {
		list = append(list, "max-image-preview: "+d.MaxImagePreview)
	}
	if d.maxVideoPreview > 0 && !d.NoSnippet {
		list = append(list, "max-video-preview: "+strconv.Itoa(d.maxVideoPreview-1))
	}
	if !d.UnavailableAfter.IsZero() {
		list = append(list, "unavailable_after: "+d.UnavailableAfter.Format(time.RFC3339))
	}
	return strings.Join(list, ", ")
}

// add applies a directive. If it conflicts with an earlier directive, the more restrictive one
// wins.
func (d *Directives) add(directive Directive) {
	ok := directive.kind != unknown
	switch k, value := directive.kind, directive.Value; {
	case k == maxSnippet:
		ok = restrict(&d.maxSnippet, value)
		d.NoSnippet = d.NoSnippet || d.maxSnippet == 1
	case k == maxImagePreview:
		ok = d.restrictImages(strings.ToLower(value))
	case k == maxVideoPreview:
		ok = restrict(&d.maxVideoPreview, value)
	case k == unavailableAfter:
		var t time.Time
		if t, ok = parseDate(value); ok && (d.UnavailableAfter.IsZero() || t.Before(d.UnavailableAfter)) {
			d.UnavailableAfter = t
		}
	case k == none:
		d.NoIndex, d.NoFollow = true, true
	case ok && k < none:
		*d.flags()[k-1] = true
	}
	if !ok {
		d.Unknown = append(d.Unknown, directive.Text)
	}
}

// restrict lowers a limit to value if value is lower, and reports whether value is valid. The
// integer at plusOne is the limit plus one, or 0 if there is no limit. The value "-1" means
// that the page sets no limit. It is valid, but does not remove an earlier limit.
func restrict(plusOne *int, value string) bool {
	n, err := strconv.ParseInt(value, 10, 31)
	if n >= 0 && err == nil && (*plusOne == 0 || int(n) < *plusOne-1) {
		*plusOne = int(n) + 1
	}
	return n >= -1 && err == nil
}

func (d *Directives) restrictImages(size string) bool {
	sizes := []string{"none", "standard", "large", ""} // from the most to the least restrictive
	i := slices.Index(sizes, size)
	if i >= 0 && i < slices.Index(sizes, d.MaxImagePreview) {
		d.MaxImagePreview = size
	}
	return i >= 0 && size != ""
}
