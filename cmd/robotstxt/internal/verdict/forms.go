package verdict

import (
	"fmt"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// FormNote returns a note if a group allows a URL or path, but disallows one of its other forms; see
// [robotstxt.Forms]. Otherwise, it returns "". For /x/../private/, the note is
//
//	servers may answer it with /private/, which line 2 disallows, so robotshttp refuses it
func FormNote(group *robotstxt.Group, url string) string {
	site := ""
	if strings.HasPrefix(url, "//") { // a path, whose first segment would be read as a host
		site = "http://host"
	}
	for _, form := range robotstxt.Forms(site + url)[1:] {
		if d := group.Decide(form); !d.Allowed {
			return fmt.Sprintf("servers may answer it with %s, which line %d disallows, so robotshttp refuses it", lex.Printable(strings.TrimPrefix(form, site)), d.Rule.Line)
		}
	}
	return ""
}
