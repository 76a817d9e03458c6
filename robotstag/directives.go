package robotstag

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Directives say what the headers and meta elements of a page let one crawler do with the
// page. The zero value allows everything. See also [Directives.Has].
type Directives struct {
	// MaxImagePreview is the largest preview of an image that may be shown: "none", "standard"
	// or "large". It is empty if no directive limits previews.
	MaxImagePreview string

	// UnavailableAfter is the time, in UTC, after which the page must not be shown in search
	// results. It is zero if there is no such time. A date without a time means the start of
	// that day. A time without a known zone counts as UTC.
	UnavailableAfter time.Time

	// Unknown lists directives, as written, that are unknown or have invalid values.
	Unknown []string

	flags                       []string // those that the page has
	maxSnippet, maxVideoPreview int      // limit + 1, or 0 if there is no limit
}

// Has reports whether the page has a directive without a value, whose name is in lower case. If no source is named,
// Google documents the directive.
//
//   - noindex: do not show the page in search results. The directive none means noindex and nofollow
//   - indexifembedded: an exception to noindex, without which it has no effect: the page may be indexed as a part of another
//     page that embeds it, for example in an iframe
//   - nofollow: do not follow the links on the page
//   - nosnippet, also "max-snippet: 0": show no text and no video of the page
//   - noarchive: offer no stored copy of the page (Bing; Google ignores it)
//   - nocache: like noarchive, but less strict; if a page has both, Bing obeys only nocache
//   - notranslate: offer no translation of the page
//   - noimageindex: do not index the images on the page
//   - noai: do not use the page to train models (DeviantArt, November 2022)
//   - noimageai: do not use the images on the page to train models (DeviantArt)
func (d Directives) Has(name string) bool { return slices.Contains(d.flags, name) }

// MayIndex reports whether search results may show the page at time t. It does not consider
// indexifembedded.
func (d Directives) MayIndex(t time.Time) bool {
	return !d.Has("noindex") && (d.UnavailableAfter.IsZero() || !t.After(d.UnavailableAfter))
}

// MayFollow reports whether the links on the page may be followed.
func (d Directives) MayFollow() bool { return !d.Has("nofollow") }

// MaxSnippet returns how many characters of the page's text may be shown. If limited is false,
// there is no limit. With nosnippet, the limit is 0.
func (d Directives) MaxSnippet() (n int, limited bool) { return d.limit(d.maxSnippet) }

// MaxVideoPreview returns how many seconds of the page's videos may be shown. If limited is
// false, there is no limit. With nosnippet, the limit is 0.
func (d Directives) MaxVideoPreview() (seconds int, limited bool) { return d.limit(d.maxVideoPreview) }

func (d Directives) limit(plusOne int) (n int, limited bool) {
	if d.Has("nosnippet") {
		return 0, true
	}
	return max(0, plusOne-1), plusOne > 0
}

// flags lists the directives without a value, in the order of [Directives.String].
var flags = []string{
	"noindex", "indexifembedded", "nofollow", "nosnippet", "noarchive", "nocache", "notranslate", "noimageindex", "noai", "noimageai",
}

// withoutEffect lists directives that ask for the default, or that are about a service that
// no longer exists.
var withoutEffect = []string{"all", "index", "follow", "archive", "noodp", "noydir", "noyaca", "nositelinkssearchbox"}

// lookUp returns the name of a directive in lower case, or an empty name if the directive is
// unknown.
func lookUp(word string) (name string, hasValue bool) {
	name = strings.ToLower(word)
	switch name {
	case "max-snippet", "max-image-preview", "max-video-preview", "unavailable_after":
		return name, true
	case "none":
		return name, false
	}
	if slices.Contains(flags, name) || slices.Contains(withoutEffect, name) {
		return name, false
	}
	return "", false
}

// String returns the known directives in a standard form, such as "noindex, max-snippet: 20".
// The result is empty if everything is allowed.
func (d Directives) String() string {
	var list []string
	for _, flag := range flags {
		if d.Has(flag) {
			list = append(list, flag)
		}
	}
	if d.maxSnippet > 0 && !d.Has("nosnippet") {
		list = append(list, "max-snippet: "+strconv.Itoa(d.maxSnippet-1))
	}
	if d.MaxImagePreview != "" {
		list = append(list, "max-image-preview: "+d.MaxImagePreview)
	}
	if d.maxVideoPreview > 0 && !d.Has("nosnippet") {
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
	ok := true
	switch value := directive.Value; directive.Name {
	case "":
		ok = false
	case "max-snippet":
		ok = restrict(&d.maxSnippet, value)
		if d.maxSnippet == 1 {
			d.set("nosnippet")
		}
	case "max-image-preview":
		ok = d.restrictImages(strings.ToLower(value))
	case "max-video-preview":
		ok = restrict(&d.maxVideoPreview, value)
	case "unavailable_after":
		var t time.Time
		if t, ok = parseDate(value); ok && (d.UnavailableAfter.IsZero() || t.Before(d.UnavailableAfter)) {
			d.UnavailableAfter = t
		}
	case "none":
		d.set("noindex")
		d.set("nofollow")
	default:
		if slices.Contains(flags, directive.Name) {
			d.set(directive.Name)
		}
	}
	if !ok {
		d.Unknown = append(d.Unknown, directive.Text)
	}
}

func (d *Directives) set(flag string) {
	if !d.Has(flag) {
		d.flags = append(d.flags, flag)
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
