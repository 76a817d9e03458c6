// Package migrating contains the code of MIGRATING.md: what to write in place of the calls of
// other libraries.
package migrating

import (
	"net/http"

	"github.com/robotstxt-go/robotstxt"
)

// parse returns the File for a response to a request for a robots.txt file.
func parse(resp *http.Response) *robotstxt.File {
	body, err := robotstxt.ReadBody(resp.Body)
	if err != nil && resp.StatusCode/100 == 2 {
		return robotstxt.Unreachable() // half a file may lack the rule that matters
	}
	return robotstxt.FromStatus(resp.StatusCode, body)
}
