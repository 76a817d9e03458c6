package format_test

import (
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/format"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// TestFormat adds to the cases of package lint: it tests line endings, the largest file, and lines
// in which no byte may change.
func TestFormat(t *testing.T) {
	largest := "User-agent: *\nDisallow: /" + strings.Repeat("a", robotstxt.SizeLimit-len("User-agent: *\nDisallow: /\n")) + "\n"
	for name, c := range map[string]struct{ data, want string }{
		"CRLF":           {"user-agent:*\r\ndisallow:/a\r\n", "User-agent: *\r\nDisallow: /a\r\n"},
		"CR":             {"user-agent:*\rdisallow:/a\r", "User-agent: *\rDisallow: /a\r"},
		"LF first":       {"user-agent:*\ndisallow:/a\r\n", "User-agent: *\nDisallow: /a\n"},
		"blank first":    {"\r\nuser-agent:*\ndisallow:/a\n", "User-agent: *\r\nDisallow: /a\r\n"},
		"size limit":     {largest, largest},
		"no line ending": {"user-agent:*", "User-agent: *\n"},
		"missing colon":  {"User-agent: *\nsitemap https://x.example/s.xml\n", "User-agent: *\nsitemap https://x.example/s.xml\n"},
		"a URL":          {"User-agent: *\nhttps://x.example/\nDisallow: /a\n", "User-agent: *\nhttps://x.example/\nDisallow: /a\n"},
		"prose":          {"User-agent: *\n see   the terms at https://x.example \n", "User-agent: *\n see   the terms at https://x.example \n"},
		"mark at end":    {"User-agent: *\n<br>\uFEFF\nDisallow: /a\n", "User-agent: *\n<br>\uFEFF\nDisallow: /a\n"},
		"UTF-16":         {"\xFF\xFEU\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00*\x00\r\x00\n\x00", "User-agent: *\r\n"},
		"byte-order":     {"\uFEFFuser-agent: *\n", "User-agent: *\n"},
		"two marks":      {"\uFEFF\uFEFF)\n", ")\n"},
		"empty":          {"", ""},
		"only comments":  {"# a\n\n#b\n", "# a\n\n#b\n"},
		"sitemaps":       {"Sitemap: https://x.example/a\nUser-agent: *\nDisallow: /a\n", "User-agent: *\nDisallow: /a\n\nSitemap: https://x.example/a\n"},
		"joined groups":  {"User-agent: a\nDisallow: /1\nUser-agent: b\nDisallow: /2\nUser-agent: A\nDisallow: /3\n", "User-agent: a\nDisallow: /1\nDisallow: /3\n\nUser-agent: b\nDisallow: /2\n"},
		"half the names": {"User-agent: a\nDisallow: /1\nUser-agent: a\nUser-agent: b\nDisallow: /2\n", "User-agent: a\nDisallow: /1\n\nUser-agent: a\nUser-agent: b\nDisallow: /2\n"},
	} {
		got, err := format.Format([]byte(c.data))
		if string(got) != c.want || err != nil {
			t.Errorf("%s: Format = %q, error %v, want %q", name, got, err, c.want)
		}
		if again, err := format.Format(got); string(again) != string(got) || err != nil {
			t.Errorf("%s: Format of the result = %q, error %v, want the same: %q", name, again, err, got)
		}
	}
}

func TestFormatErrors(t *testing.T) {
	for data, want := range map[string]error{
		"U\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00*\x00\n\x00": format.ErrUTF16,
		"\x00U\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00*\x00\n": format.ErrUTF16,
		"\x00\x80\x00": format.ErrUTF16, // with a line ending, it looks like UTF-16
		"User-agent: *\n" + strings.Repeat("Disallow: /abcdefghijk\n", 40_000): section.ErrTooLarge,
	} {
		if got, err := format.Format([]byte(data)); err != want || got != nil {
			t.Errorf("Format(%.20q) = %.20q, error %v, want %v", data, got, err, want)
		}
	}
	if got, want := format.ErrUTF16.Error(), "the file is in UTF-16 without a byte-order mark; save it as UTF-8"; got != want {
		t.Errorf("ErrUTF16 = %q, want %q", got, want)
	}
}
