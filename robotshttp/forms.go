package robotshttp

import (
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// decide decides whether the crawler with this group may fetch a URL.
//
// Clients send dot segments as they are, but servers resolve them: nginx and net/http answer a
// request for /x/../private/ with the page /private/. So if the URL's path has a dot segment, every
// form in which a server may read the URL must be allowed. The Decision is the first that refuses
// or, if there is none, the Decision for the URL as it is.
func decide(group *robotstxt.Group, url string) robotstxt.Decision {
	asIs := group.Decide(url)
	if !asIs.Allowed {
		return asIs
	}
	for _, form := range resolvedForms(url) {
		if d := group.Decide(form); !d.Allowed {
			return d
		}
	}
	return asIs
}

// resolvedForms returns the forms in which a server may read a URL whose path has dot segments. The
// first is resolved by RFC 3986, section 5.2.4. Before the second is resolved, each "%2F" becomes a
// slash, and runs of slashes become one slash, as in nginx. If the path has no dot segment,
// resolvedForms returns nil.
//
// For https://a.example/x//..%2fprivate?q, the forms are the URL itself, because "..%2fprivate"
// does not equal "..", and https://a.example/private?q.
func resolvedForms(url string) []string {
	if !strings.Contains(url, "/.") && !strings.Contains(url, "%2") { // most URLs
		return nil
	}
	start, end := pathOf(url)
	path := url[start:end]
	slashed := slashes.Replace(path)
	if !hasDotSegment(slashed) {
		return nil
	}
	for strings.Contains(slashed, "//") {
		slashed = strings.ReplaceAll(slashed, "//", "/")
	}
	return []string{
		url[:start] + removeDotSegments(path) + url[end:],
		url[:start] + removeDotSegments(slashed) + url[end:],
	}
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

func hasDotSegment(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if s := dots.Replace(segment); s == "." || s == ".." {
			return true
		}
	}
	return false
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
