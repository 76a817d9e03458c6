package robotstxt

import (
	"slices"
	"strings"
)

// Forms returns the forms of a URL: the URL itself, and other spellings that some servers answer with
// the same page. [File.Decide] compares a URL as it is. A crawler that must not get a disallowed page
// should ask about each form, and fetch the URL only if all are allowed, as package robotshttp does.
// The forms differ only in their paths, which are in this order:
//
//  1. the path as it is;
//  2. each "\", "%5C" and "%2F" replaced by a slash; then each segment cut at its first ";"; then
//     each run of slashes merged to one slash;
//  3. form 1 with its dot segments resolved (RFC 3986, section 5.2.4), whose dots may be written as
//     "%2E";
//  4. form 2 with its dot segments resolved;
//  5. if the path starts with two slashes, which may be spelled as in form 2: form 2 without its first
//     segment, which some servers take for a host, and with its dot segments resolved.
//
// Forms leaves out a form that equals an earlier one, so for most URLs it returns the URL alone. It
// takes any string as the URL, and reads it as [File.Decide] does.
//
// For example, the forms of https://a.example/x;y//..%2Fprivate?q are the URL itself (which has no dot
// segment, because "..%2Fprivate" is not ".."), https://a.example/x/../private?q, and
// https://a.example/private?q.
//
// Servers may answer still other spellings with the same page. Forms leaves these out:
//
//   - letters of another case: a few file systems ignore case, but to all other servers /A and /a are
//     two pages, as they are in robots.txt;
//   - "%u0070" for "p": only a few old servers read it, and no browser writes it;
//   - escapes that are decoded twice, such as "%2570" for "p": this is the right spelling of another
//     page, whose name contains "%70".
func Forms(url string) []string {
	// So short that the compiler inlines it. Most callers then need no memory for the result.
	return appendForms([]string{url}, url)
}

// appendForms appends the forms of a URL that differ from the URL.
func appendForms(forms []string, url string) []string {
	path := pathOf(url)
	if !mayHaveForms(path) { // most URLs; a sign in the query or fragment is rare
		return forms
	}
	site := strings.TrimSuffix(url, path)
	path, _, _ = strings.Cut(path, "#")
	path, _, _ = strings.Cut(path, "?")
	if !strings.HasPrefix(path, "/") || !mayHaveForms(path) {
		return forms
	}
	query := url[len(site)+len(path):]
	slashed := slashes.Replace(path)
	plain := mergeSlashes(dropParameters(slashed))
	paths := []string{plain, removeDotSegments(path), removeDotSegments(plain)}
	if strings.HasPrefix(slashed, "//") {
		_, rest, _ := strings.Cut(plain[1:], "/")
		paths = append(paths, removeDotSegments("/"+rest))
	}
	for _, p := range paths {
		form := site + p + query
		if site == "" && strings.HasPrefix(p, "//") {
			form = "//" + form // an empty host, because Decide would take the first segment for one
		}
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

// mayHaveForms reports whether a path may have more than one form.
func mayHaveForms(path string) bool {
	for _, sign := range []string{";", "\\", "//", "/."} {
		if strings.Contains(path, sign) {
			return true
		}
	}
	// Most paths have no escape, and this is quicker than to search for two.
	return strings.Contains(path, "%") && (strings.Contains(path, "%2") || strings.Contains(path, "%5"))
}

var (
	slashes = strings.NewReplacer("\\", "/", "%5C", "/", "%5c", "/", "%2F", "/", "%2f", "/")
	dots    = strings.NewReplacer("%2E", ".", "%2e", ".")
)

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
