package robotstag_test

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt/robotstag"
)

func Example() {
	header := http.Header{"X-Robots-Tag": {
		"max-snippet: 20",
		"otherbot: noindex",
		"unavailable_after: Fri, 25 Jun 2027 15:00:00 GMT",
	}}
	page := strings.NewReader(`<title>A page</title><meta name="foobot" content="nofollow">`)

	fromPage, err := robotstag.FromHTML(page)
	if err != nil {
		fmt.Println(err)
		return
	}
	d := robotstag.FromHeader(header).Join(fromPage).For("FooBot/1.0")
	fmt.Println(d)
	fmt.Println(d.MayIndex(time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)), d.MayFollow())
	n, limited := d.MaxSnippet()
	fmt.Println(n, limited)
	// Output:
	// nofollow, max-snippet: 20, unavailable_after: 2027-06-25T15:00:00Z
	// true false
	// 20 true
}

// All shows where each directive is, so that the site's owner can find it.
func ExampleTags_All() {
	tags := robotstag.FromHeader(http.Header{"X-Robots-Tag": {"noarchive", "otherbot: nofollow, FooBot: noindex, nosuch"}})
	for d := range tags.All() {
		if d.AppliesTo("FooBot") {
			fmt.Printf("%s field %d, byte %d: %q for %q\n", d.Source, d.Number, d.Offset, d.Text, d.Token)
		}
	}
	// Output:
	// X-Robots-Tag field 1, byte 0: "noarchive" for ""
	// X-Robots-Tag field 2, byte 28: "noindex" for "FooBot"
	// X-Robots-Tag field 2, byte 37: "nosuch" for "FooBot"
}
