package robotshttp

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// Forms returns the forms of an absolute URL that a robots.txt must allow, because some servers answer
// all of them with the same page. A [Cache] and a [Transport] allow a URL only if each form is allowed.
// The first form is the URL as it is. The others differ from it in their paths:
//
//  1. as it is;
//  2. each "%2F" decoded; then each segment cut at its first ";"; then each run of slashes merged to
//     one slash;
//  3. form 1 with its dot segments resolved (RFC 3986, section 5.2.4), whose dots may be written as
//     "%2E";
//  4. form 2 with its dot segments resolved.
//
// Forms leaves out a form that equals an earlier one, so for most URLs it returns the URL alone. The
// query never changes. Servers may answer still other spellings with the same page; Forms knows only
// these.
//
// For example, the forms of https://a.example/x;y//..%2Fprivate?q are the URL itself (which has no dot
// segment, because "..%2Fprivate" is not ".."), https://a.example/x/../private?q, and
// https://a.example/private?q.
//
// A program that decides with a [robotstxt.Group] can ask it about each form, as [Cache.Decide] does:
// the first form that is not allowed decides. A [DisallowedError] names this form.
func Forms(url string) []string {
	return append([]string{url}, otherForms(url)...)
}

// otherForms returns the forms of a URL that differ from the URL. It does not allocate memory for
// most URLs.
func otherForms(url string) (forms []string) {
	if !mayHaveForms(url) {
		return nil
	}
	start, end := pathOf(url)
	path := url[start:end]
	if path == "" { // what mayHaveForms has found is in the user name or the host
		return nil
	}
	plain := mergeSlashes(dropParameters(slashes.Replace(path)))
	for _, p := range []string{plain, removeDotSegments(path), removeDotSegments(plain)} {
		form := url[:start] + p + url[end:]
		if form != url && !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

// mayHaveForms reports whether an absolute URL may have more than one form. It rejects most URLs
// cheaply: their paths contain no "//", "/.", "%2" and ";".
func mayHaveForms(url string) bool {
	url = url[strings.IndexByte(url, ':')+1:]
	url = strings.TrimPrefix(url, "//")
	for i := range len(url) {
		next := byte(0)
		if i+1 < len(url) {
			next = url[i+1]
		}
		switch c := url[i]; {
		case c == '?' || c == '#':
			return false
		case c == ';', c == '/' && (next == '/' || next == '.'), c == '%' && next == '2':
			return true
		}
	}
	return false
}

// decide decides whether the crawler with this group may fetch a URL. All forms of the URL must be
// allowed. The Decision is the first that refuses; refused is the form for which it does. If there is
// none, the Decision is that for the URL as it is.
func decide(group *robotstxt.Group, url string) (d robotstxt.Decision, refused string) {
	asIs := group.Decide(url)
	if !asIs.Allowed {
		return asIs, url
	}
	for _, form := range otherForms(url) {
		if d := group.Decide(form); !d.Allowed {
			return d, form
		}
	}
	return asIs, ""
}

var (
	slashes = strings.NewReplacer("%2f", "/", "%2F", "/")
	dots    = strings.NewReplacer("%2e", ".", "%2E", ".")
)

// pathOf returns where the path of an absolute URL starts and ends. The path starts with a slash or
// is empty.
func pathOf(url string) (start, end int) {
	_, rest, _ := strings.Cut(url, "://")
	before := len(url) - len(rest)
	end = len(url)
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		end = before + i
	}
	start = end
	if i := strings.IndexByte(url[before:end], '/'); i >= 0 {
		start = before + i
	}
	return start, end
}

// dropParameters cuts each segment of a path at its first semicolon: "/a;x=1/b" becomes "/a/b".
func dropParameters(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		segments[i], _, _ = strings.Cut(segment, ";")
	}
	return strings.Join(segments, "/")
}

// mergeSlashes replaces each run of slashes with one slash.
func mergeSlashes(path string) string {
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return path
}

// removeDotSegments resolves the dot segments of a path, which must start with a slash (RFC 3986,
// section 5.2.4).
func removeDotSegments(path string) string {
	var kept []string
	isFolder := false // the last segment was a dot segment, so the result ends in a slash
	for segment := range strings.SplitSeq(path[1:], "/") {
		isFolder = true
		switch dots.Replace(segment) {
		case ".":
		case "..":
			kept = kept[:max(len(kept)-1, 0)]
		default:
			kept, isFolder = append(kept, segment), false
		}
	}
	if isFolder {
		kept = append(kept, "")
	}
	return "/" + strings.Join(kept, "/")
}
