package verdict

import (
	"testing"

	"github.com/robotstxt-go/robotstxt"
)

func TestNote(t *testing.T) {
	file := robotstxt.Parse([]byte("User-agent: *\nDisallow: /private/\nDisallow: /a//b\n"))
	for url, want := range map[string]string{
		"/x/../private/":                        "servers may answer it with /private/, which line 2 disallows, so robotshttp refuses it",
		"//private/":                            "servers may answer it with /private/, which line 2 disallows, so robotshttp refuses it",
		"/x;y/..;/private/":                     "servers may answer it with /private/, which line 2 disallows, so robotshttp refuses it",
		"/private%2Fx":                          "servers may answer it with /private/x, which line 2 disallows, so robotshttp refuses it",
		"https://shop.example/x/../private/?q":  "servers may answer it with https://shop.example/private/?q, which line 2 disallows, so robotshttp refuses it",
		"/x/%2e%2E/private/":                    "servers may answer it with /private/, which line 2 disallows, so robotshttp refuses it",
		"/private%2fx":                          "servers may answer it with /private/x, which line 2 disallows, so robotshttp refuses it",
		"/x\\..\\private/":                      "servers may answer it with /private/, which line 2 disallows, so robotshttp refuses it",
		"//x/private/":                          "servers may answer it with /private/, which line 2 disallows, so robotshttp refuses it",
		"//x//../private/?q":                    "servers may answer it with /private/?q, which line 2 disallows, so robotshttp refuses it",
		"/private/":                             "", // disallowed as it is
		"/a//b":                                 "", // disallowed as it is
		"/x/../tea":                             "",
		"/tea":                                  "",
		"https://shop.example/tea?a=//private/": "",
		"":                                      "",
	} {
		if got := FormNote(file.Group("FooBot"), url); got != want {
			t.Errorf("%s: got %q, want %q", url, got, want)
		}
	}
}
