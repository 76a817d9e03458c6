// Package forms says which URLs package robotshttp refuses although the rules allow them as they are
// written.
package forms

import (
	"fmt"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// Note returns a note if a file allows a URL or path, but disallows one of its other forms; see
// [robotshttp.Forms]. Otherwise, it returns "". For /x/../private/, the note is
//
//	servers may answer it with /private/, which line 2 disallows, so robotshttp refuses it
func Note(file *robotstxt.File, agent, url string) string {
	path, isPath := url, strings.HasPrefix(url, "/")
	if !isPath {
		_, path, _ = strings.Cut(url, "://")
	}
	if !mayHaveForms(path) {
		return ""
	}
	const site = "http://host"
	if isPath {
		url = site + url
	}
	forms := robotshttp.Forms(url)
	group := file.Group(agent)
	if len(forms) == 1 || !group.Decide(url).Allowed {
		return ""
	}
	for _, form := range forms[1:] {
		if d := group.Decide(form); !d.Allowed {
			if isPath {
				form = strings.TrimPrefix(form, site)
			}
			return fmt.Sprintf("servers may answer it with %s, which line %d disallows, so robotshttp refuses it", lex.Printable(form), d.Rule.Line)
		}
	}
	return ""
}

// mayHaveForms reports whether a path may have more than one form. It is for the speed of logs.
func mayHaveForms(path string) bool {
	for _, sign := range []string{"/.", "//", ";", "%2F", "%2f", "%2E", "%2e"} {
		if strings.Contains(path, sign) {
			return true
		}
	}
	return false
}
