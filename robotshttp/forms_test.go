package robotshttp_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A URL must be allowed in all its forms; see robotstxt.Forms. The first refusal, in the order of the
// forms, decides.
func TestForms(t *testing.T) {
	const robots = "User-agent: *\nDisallow: /private/\nDisallow: /x/\nAllow: /x/*/s\nDisallow: /n/private/\n"
	for _, test := range []struct {
		target string
		line   int // of the rule that disallows the target; 0 if it is allowed
	}{
		{"/private/s.txt", 2},
		{"/open/../private/s.txt", 2},
		{"/private/../open", 2},     // as it is
		{"/x/../private/s", 2},      // the URL as it is is allowed by line 4
		{"/n/b//../../private/", 5}, // form 3; form 4 is /private/, which is line 2
		{"/open/../private", 0},     // a page, not the folder
		{"/open?x=/../private/", 0}, // the query never changes
		{"/open#/../private/", 0},
		{"//robots.txt", 0},
		{"/x//..;/robots.txt", 3}, // as it is
		{"/robots.txt", 0},
		{"/private/../robots.txt", 2}, // only /robots.txt itself is always allowed
		{"//open/private/s.txt", 2},
		{"/%5Cprivate/s.txt", 2},
	} {
		w := &web{robots: map[string]string{"a.example": robots}}
		tr := robotshttp.NewTransport("FooBot", w)
		target := "https://a.example" + test.target
		_, err := (&http.Client{Transport: tr}).Get(target)
		errs := map[string]error{"Transport": err, "Wait": tr.Cache.Wait(t.Context(), target)}
		d, err := tr.Cache.Decide(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		if d.Allowed != (test.line == 0) || d.Rule.Line != test.line && !d.Allowed {
			t.Errorf("%s: decision %v, want line %d", test.target, d, test.line)
		}
		for name, err := range errs {
			if test.line == 0 && err != nil {
				t.Errorf("%s: %s returns error %v, want none", test.target, name, err)
			}
			if test.line != 0 && wantDisallowed(t, err).Decision != d {
				t.Errorf("%s: %s returns error %v, want the decision %v", test.target, name, err, d)
			}
		}
	}
}

// A DisallowedError names the form that is disallowed.
func TestDisallowedForm(t *testing.T) {
	tr := robotshttp.NewTransport("FooBot", &web{robots: map[string]string{"a.example": "User-agent: *\nDisallow: /private/\n"}})
	for _, test := range []struct{ url, form, text string }{
		{"https://user:secret@a.example/private/", "https://a.example/private/",
			`robotshttp: https://a.example/private/: Disallowed: line 2, for crawlers without a group of their own, says "Disallow: /private/".`},
		{"https://user:secret@a.example/x/..;/private/", "https://a.example/private/",
			`robotshttp: https://a.example/x/..;/private/: a server can read it as https://a.example/private/: Disallowed: line 2, for crawlers without a group of their own, says "Disallow: /private/".`},
	} {
		refused := wantDisallowed(t, tr.Cache.Wait(t.Context(), test.url))
		if refused.Form != test.form || refused.Error() != test.text {
			t.Errorf("%s: form %s, error %v", test.url, refused.Form, refused)
		}
	}
}

// A request with a User-Agent of its own is checked in all forms for both crawlers.
func TestFormsForTwoAgents(t *testing.T) {
	tr := robotshttp.NewTransport("FooBot", &web{robots: map[string]string{"a.example": "User-agent: BarBot\nDisallow: /private/\n"}})
	req := httptest.NewRequest("GET", "https://a.example/x/%2e%2e/private/", nil)
	req.Header.Set("User-Agent", "BarBot")
	_, err := tr.RoundTrip(req)
	wantDisallowed(t, err)
}
