package robotstag

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Directives is what headers and meta elements say to one crawler about one page.
// The zero Directives restricts nothing.
//
// The directives are Google's, except where a comment names another source.
type Directives struct {
	NoIndex      bool // do not show the page in search results: noindex, none
	NoFollow     bool // do not follow its links: nofollow, none
	NoSnippet    bool // show no text and no video of it: nosnippet, "max-snippet: 0"
	NoArchive    bool // offer no stored copy of it: noarchive (Bing; Google ignores it)
	NoCache      bool // the same: nocache (Bing, which lets it win over noarchive in its answers)
	NoTranslate  bool // offer no translation of it: notranslate
	NoImageIndex bool // do not index the images on it: noimageindex
	NoAI         bool // do not train models with it: noai (DeviantArt, November 2022)
	NoImageAI    bool // do not train models with its images: noimageai (the same)

	// IndexIfEmbedded is set only together with NoIndex: the page may be indexed as a
	// part of another page that embeds it, such as in an iframe.
	IndexIfEmbedded bool

	// MaxImagePreview is the largest preview of an image that may be shown: "none",
	// "standard" or "large". It is empty if nothing is said.
	MaxImagePreview string

	// UnavailableAfter is the time after which the page must not be shown in search
	// results, in UTC. It is zero if nothing is said. A date without a time is the start
	// of that day, and a time without a known zone is in UTC.
	UnavailableAfter time.Time

	// Unknown has the directives, as written, that this package does not know or whose
	// values are not valid.
	Unknown []string

	maxSnippet, maxVideoPreview int // the limit plus one, or 0 if there is none
}

// MayIndex reports whether the page may be shown in search results at a time. See also
// IndexIfEmbedded.
func (d Directives) MayIndex(now time.Time) bool {
	return !d.NoIndex && (d.UnavailableAfter.IsZero() || !now.After(d.UnavailableAfter))
}

// MayFollow reports whether the links on the page may be followed.
func (d Directives) MayFollow() bool { return !d.NoFollow }

// MaxSnippet returns how many characters of the page's text may be shown, if that is
// limited. With NoSnippet it is 0.
func (d Directives) MaxSnippet() (n int, limited bool) { return d.limit(d.maxSnippet) }

// MaxVideoPreview returns how many seconds of the page's videos may be shown, if that is
// limited. With NoSnippet it is 0.
func (d Directives) MaxVideoPreview() (seconds int, limited bool) { return d.limit(d.maxVideoPreview) }

func (d Directives) limit(plusOne int) (n int, limited bool) {
	if d.NoSnippet {
		return 0, true
	}
	return max(0, plusOne-1), plusOne > 0
}

// A kind is a directive that this package knows.
type kind uint8

// The kinds that the code names. The directives without values come before maxSnippet.
const (
	unknown          kind = 0
	none             kind = 11
	maxSnippet       kind = 20
	maxImagePreview  kind = 21
	maxVideoPreview  kind = 22
	unavailableAfter kind = 23
)

// names has the directives by kind. First come those that have a field, see flags, and
// after "none" those without effect: the defaults, and those about what no longer exists.
var names = [...]string{
	"", "noindex", "indexifembedded", "nofollow", "nosnippet", "noarchive", "nocache", "notranslate", "noimageindex", "noai", "noimageai",
	"none", "all", "index", "follow", "archive", "noodp", "noydir", "noyaca", "nositelinkssearchbox",
	"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after",
}

// flags returns the fields of the kinds from 1 on.
func (d *Directives) flags() [none - 1]*bool {
	return [...]*bool{&d.NoIndex, &d.IndexIfEmbedded, &d.NoFollow, &d.NoSnippet, &d.NoArchive, &d.NoCache,
		&d.NoTranslate, &d.NoImageIndex, &d.NoAI, &d.NoImageAI}
}

// kindOf returns the kind of a directive in any case.
func kindOf(word string) kind {
	return kind(max(0, slices.Index(names[:], strings.ToLower(word))))
}

// String returns the directives in one form for all ways to write them, such as
// "noindex, max-snippet: 20". It is empty if nothing is restricted. The unknown ones
// are not in it.
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

// add applies a directive. It only ever restricts further.
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

// restrict lowers a limit to value unless that is -1, which is no limit. It reports
// whether value is valid.
func restrict(plusOne *int, value string) bool {
	n, err := strconv.ParseInt(value, 10, 31)
	if n >= 0 && err == nil && (*plusOne == 0 || int(n) < *plusOne-1) {
		*plusOne = int(n) + 1
	}
	return n >= -1 && err == nil
}

func (d *Directives) restrictImages(size string) bool {
	sizes := []string{"none", "standard", "large", ""} // the most restrictive first
	i := slices.Index(sizes, size)
	if i >= 0 && i < slices.Index(sizes, d.MaxImagePreview) {
		d.MaxImagePreview = size
	}
	return i >= 0 && size != ""
}
