package robotstxt

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	engine "github.com/robotstxt-go/robotstxt"
)

const file = `Host: old.example.com
Sitemap: https://example.com/1.xml
User-agent: FooBot
User-agent: BarBot
Crawl-delay: 2.5
Disallow: /a
Allow: /a/b
Host: www.example.com

User-agent: *
Disallow: /x
Sitemap: https://example.com/2.xml
`

func parse(t *testing.T, body string) *RobotsData {
	t.Helper()
	r, err := FromString(body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFields(t *testing.T) {
	r := parse(t, file)
	if want := "www.example.com"; r.Host != want {
		t.Errorf("got host %q, want %q", r.Host, want)
	}
	if want := []string{"https://example.com/1.xml", "https://example.com/2.xml"}; !slices.Equal(r.Sitemaps, want) {
		t.Errorf("got sitemaps %q, want %q", r.Sitemaps, want)
	}
	for _, test := range []struct {
		asked, agent string
		delay        time.Duration
	}{
		{"foobot", "FooBot", 2500 * time.Millisecond},
		{"BarBot/1.0", "BarBot", 2500 * time.Millisecond},
		{"OtherBot", "*", 0},
	} {
		if g := r.FindGroup(test.asked); g.Agent != test.agent || g.CrawlDelay != test.delay {
			t.Errorf("%s: got agent %q and delay %v, want %q and %v", test.asked, g.Agent, g.CrawlDelay, test.agent, test.delay)
		}
	}
}

func TestTest(t *testing.T) {
	r := parse(t, file)
	for _, test := range []struct {
		agent, path string
		want        bool
	}{
		{"FooBot", "/a", false},
		{"FooBot", "/a/b", true},
		{"FooBot-Images", "/a", false},
		{"FooBot", "/x", true},
		{"OtherBot", "/a", true},
		{"OtherBot", "/x", false},
		{"OtherBot", "/x?y", false},
		{"OtherBot", "https://example.com/x", false},
		{"OtherBot", "//x", true},
		{"OtherBot", "//example.com/x", true},
		{"OtherBot", "", true},
		{"", "/x", false},
	} {
		if got := r.TestAgent(test.path, test.agent); got != test.want {
			t.Errorf("TestAgent(%q, %q) = %v, want %v", test.path, test.agent, got, test.want)
		}
		if got := r.FindGroup(test.agent).Test(test.path); got != test.want {
			t.Errorf("FindGroup(%q).Test(%q) = %v, want %v", test.agent, test.path, got, test.want)
		}
	}
}

func TestZero(t *testing.T) {
	g := new(RobotsData).FindGroup("FooBot")
	if g.Agent != "" || g.CrawlDelay != 0 || !g.Test("/x") || !new(RobotsData).TestAgent("/x", "FooBot") || !new(Group).Test("/x") {
		t.Errorf("the zero values do not allow everything, or have contents: %+v", g)
	}
}

// TestStatus tests the classes of section 2.3.1 of RFC 9309, and 429 as Google documents
// it.
func TestStatus(t *testing.T) {
	const body = "User-agent: *\nDisallow: /x"
	for _, test := range []struct {
		status        int
		other, listed bool // whether a path without a rule is allowed, and a path that the file disallows
	}{
		{200, true, false}, {204, true, false}, {299, true, false},
		{301, true, true}, {399, true, true}, {404, true, true}, {403, true, true},
		{429, false, false}, {500, false, false}, {503, false, false},
		{0, false, false}, {199, false, false}, {600, false, false}, {-1, false, false},
	} {
		fromString, err1 := FromStatusAndString(test.status, body)
		fromResponse, err2 := FromResponse(&http.Response{StatusCode: test.status, Body: io.NopCloser(strings.NewReader(body))})
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		for name, r := range map[string]*RobotsData{"FromStatusAndString": fromString, "FromResponse": fromResponse} {
			if got := r.FindGroup("FooBot").Test("/y"); got != test.other {
				t.Errorf("%s, status %d: Test of a path without a rule = %v, want %v", name, test.status, got, test.other)
			}
			if got := r.TestAgent("/x", "FooBot"); got != test.listed {
				t.Errorf("%s, status %d: TestAgent of a disallowed path = %v, want %v", name, test.status, got, test.listed)
			}
		}
	}
}

func TestResponseThatBreaks(t *testing.T) {
	broken := errors.New("broken")
	response := func(status int) *http.Response {
		half := io.MultiReader(strings.NewReader("User-agent: *\nDisallow: /a"), iotest.ErrReader(broken))
		return &http.Response{StatusCode: status, Body: io.NopCloser(half)}
	}
	if r, err := FromResponse(response(200)); r != nil || err != broken {
		t.Errorf("status 200, and a read error: got %v, %v, want %v", r, err, broken)
	}
	if r, err := FromResponse(response(404)); err != nil || !r.TestAgent("/a", "FooBot") {
		t.Errorf("status 404, and a read error: got %v, %v, want everything allowed", r, err)
	}
}

// TestLongResponse tests that FromResponse, which does not read all of a long file, returns
// the same rules as FromString.
func TestLongResponse(t *testing.T) {
	utf16 := func(s string) string {
		text := []byte{0xfe, 0xff}
		for _, c := range []byte(s) {
			text = append(text, 0, c)
		}
		return string(text)
	}
	for offset := -3; offset <= 3; offset++ {
		const start, end = "User-agent: *\n", "\nDisallow: /long"
		text := start + strings.Repeat("#", engine.SizeLimit-len(start)-len(end)+offset) + end + "er\nDisallow: /late"
		for name, body := range map[string]string{"UTF-8": text, "UTF-16": utf16(text)} {
			t.Run(fmt.Sprint(name, offset), func(t *testing.T) {
				reader := strings.NewReader(body + strings.Repeat("\n", 4*engine.SizeLimit))
				short, err := FromResponse(&http.Response{StatusCode: 200, Body: io.NopCloser(reader)})
				if err != nil {
					t.Fatal(err)
				}
				if reader.Len() == 0 {
					t.Error("FromResponse read the whole response")
				}
				whole := parse(t, body)
				for _, path := range []string{"/long", "/longer", "/late"} {
					if a, b := short.TestAgent(path, "FooBot"), whole.TestAgent(path, "FooBot"); a != b {
						t.Errorf("%s: got %v from the response, %v from the text", path, a, b)
					}
				}
			})
		}
	}
}

func TestParseError(t *testing.T) {
	var err error = ParseError{Errs: []error{errors.New("first"), errors.New("second")}}
	if got, want := err.Error(), "parse errors: [first second]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := (ParseError{}).Error(), "parse errors: []"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestConcurrentUse(t *testing.T) {
	r := parse(t, file)
	t.Run("group", func(t *testing.T) {
		for range 4 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				for range 100 {
					if r.TestAgent("/a", "FooBot") || r.FindGroup("OtherBot").Test("/x") {
						t.Fatal("a disallowed path is allowed")
					}
				}
			})
		}
	})
}

// FuzzTest tests that Test and TestAgent return the verdict of the engine.
func FuzzTest(f *testing.F) {
	f.Add([]byte(file), "FooBot", "//a")
	f.Add([]byte("User-agent: *\nDisallow: //x\nSitemap: /s"), "*", "//x/y?z#")
	f.Add([]byte("\xff\xfeU\x00"), "", "http:")
	f.Fuzz(func(t *testing.T, body []byte, agent, path string) {
		r, err := FromStatusAndBytes(200, body)
		if err != nil {
			t.Fatal(err)
		}
		url := path
		if strings.HasPrefix(path, "/") {
			url = "https://example.com" + path
		}
		want := engine.Parse(body).Decide(agent, url)
		group := r.FindGroup(agent)
		if got := group.Test(path); got != want.Allowed {
			t.Errorf("Test: got %v, want %v", got, want)
		}
		if got := r.TestAgent(path, agent); got != want.Allowed {
			t.Errorf("TestAgent: got %v, want %v", got, want)
		}
		if want.Token != "" && group.Agent != want.Token {
			t.Errorf("got agent %q, want %q", group.Agent, want.Token)
		}
	})
}

func Example() {
	robots, err := FromStatusAndString(200, "User-agent: FooBot\nDisallow: /private/\n")
	if err != nil {
		panic(err)
	}
	group := robots.FindGroup("FooBot/1.0")
	fmt.Println(group.Test("/private/x"), group.Test("/x"))
	// Output: false true
}
