package sitemap

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func packed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

const shop = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<!-- <loc>https://shop.example/old</loc> -->
<url><loc>https://shop.example/basket?a=1&amp;b=2</loc><lastmod>2026-11-24</lastmod>
  <image:image><image:loc>https://shop.example/tea.png</image:loc></image:image>
</url>
<url>
  <loc>
    https://shop.example/tea
  </loc>
</url>
<url><loc><![CDATA[https://shop.example/x?a&b]]></loc></url>
</urlset>
`

// TestRead reads sitemaps of all kinds. Each URL is shown with its line.
func TestRead(t *testing.T) {
	for _, test := range []struct {
		about, text, want string
	}{
		{"XML", shop, "4 https://shop.example/basket?a=1&b=2, 9 https://shop.example/tea, 12 https://shop.example/x?a&b"},
		{"gzip", packed(shop), "4 https://shop.example/basket?a=1&b=2, 9 https://shop.example/tea, 12 https://shop.example/x?a&b"},
		{"a byte-order mark, Latin-1", "\ufeff<?xml version='1.0' encoding='ISO-8859-1'?><urlset><url><loc>https://a.example/</loc></url></urlset>", "1 https://a.example/"},
		{"an index", "<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>", "index, 1 https://a.example/1.xml"},
		{"text", "\ufeffhttps://a.example/?x=1&amp=2\r\n\n  /b \n", "1 https://a.example/?x=1&amp=2, 3 /b"},
		{"a mixture", "/a\n<url><loc>https://a.example/b</loc></url>\n/c?x&y\n", "1 /a, 2 https://a.example/b, 3 /c?x&y"},
		{"a comment in a list", "<urlset/>\n/a\n<!-- x -->\n/b\n", "2 /a, 4 /b"},
		{"a path with a tag", "/?q=<b>\n/x\n", "1 /?q=<b>, 2 /x"},
		{"CR at the end of lines", "<loc>/x</loc>\r\r/y", "1 /x, 3 /y"},
		{"nothing", "", ""},
		{"another document", "<rss><channel><link>https://a.example/</link></channel></rss>", ""},
		{"elements that are not closed", "<urlset><url><loc>https://a.example/<url></urlset>", "1 https://a.example/"},
	} {
		file, err := Read([]byte(test.text))
		if got := text(file); got != test.want || err != nil {
			t.Errorf("%s: got %q, error %v, want %q", test.about, got, err, test.want)
		}
	}
}

func text(file File) string {
	var parts []string
	if file.IsIndex {
		parts = append(parts, "index")
	}
	for _, url := range file.URLs {
		parts = append(parts, fmt.Sprintf("%d %s", url.Line, url.Text))
	}
	return strings.Join(parts, ", ")
}

// TestDamage tests that the URLs before a damage are returned.
func TestDamage(t *testing.T) {
	cut := strings.Index(shop, "<image:image>") + 3
	file, err := Read([]byte(shop[:cut]))
	if err == nil || err.Error() != "line 5: the XML of the sitemap is broken" || len(file.URLs) != 1 {
		t.Errorf("%+v, error %v", file, err)
	}
	for _, data := range []string{packed(shop)[:100], "\x1f\x8bx"} {
		if file, err := Read([]byte(data)); err == nil || !strings.HasPrefix(err.Error(), "the compressed sitemap is damaged: ") {
			t.Errorf("%+v, error %v", file, err)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestEnd tests that a sitemap that was cut off is an error, although the rest of it is correct.
func TestEnd(t *testing.T) {
	const entry = "<url><loc>https://shop.example/tea</loc></url>"
	for _, test := range []struct {
		about, text, want string
		urls              int
	}{
		{"between two URLs", "<?xml version='1.0'?>\n<urlset>\n" + entry + "\n", "the sitemap ends before </urlset>", 1},
		{"before the first URL", "<urlset>", "the sitemap ends before </urlset>", 0},
		{"in a URL", "<urlset>" + entry + "<url>", "the sitemap ends before </urlset>", 1},
		{"in the text of a URL", "<urlset>" + entry + "<url><loc>https://shop.exa", "the sitemap ends before </urlset>", 1},
		{"in a compressed file", packed("<urlset>" + entry), "the sitemap ends before </urlset>", 1},
		{"an index", "<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap>", "the sitemap ends before </sitemapindex>", 1},
		{"with a prefix", "<s:urlset><s:url></s:url>", "the sitemap ends before </s:urlset>", 0},
		{"a prefix, complete", "<s:urlset></s:urlset>", "", 0},
		{"elements in it that are not closed", "<urlset><url><loc>https://a.example/<url></urlset>", "", 1},
		{"a part of a sitemap, pasted", entry, "", 1},
		{"nothing", "<urlset/>", "", 0},
	} {
		file, err := Read([]byte(test.text))
		if got := message(err); got != test.want || len(file.URLs) != test.urls {
			t.Errorf("%s: %+v, error %v", test.about, file, err)
		}
	}
}

// TestLimits tests the limits of the protocol.
func TestLimits(t *testing.T) {
	for _, test := range []struct {
		about, text string
		want        int
		tooLarge    bool
	}{
		{"50,000 URLs", strings.Repeat("/a\n", MaxURLs), MaxURLs, false},
		{"50,001 URLs", strings.Repeat("/a\n", MaxURLs+1), MaxURLs, true},
		{"50,001 URLs in XML", "<urlset>" + strings.Repeat("<url><loc>/a</loc></url>", MaxURLs+1), MaxURLs, true},
	} {
		file, err := Read([]byte(test.text))
		if got := len(file.URLs); got != test.want || errors.Is(err, ErrTooLarge) != test.tooLarge {
			t.Errorf("%s: %d URLs, error %v", test.about, got, err)
		}
	}
}

// TestTooManyBytes reads the URLs in the first 50 MB of a sitemap with 60 MB.
func TestTooManyBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: takes a minute with the race detector")
	}
	large := strings.Repeat("/"+strings.Repeat("a", 1<<20-2)+"\n", 60)
	for about, text := range map[string]string{"plain": large, "compressed": packed(large)} {
		if file, err := Read([]byte(text)); len(file.URLs) != 50 || !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %d URLs, error %v", about, len(file.URLs), err)
		}
	}
}

// TestDeep reads 100,000 elements that are not closed.
func TestDeep(t *testing.T) {
	file, err := Read([]byte(strings.Repeat("<a>", 100_000) + "<loc>/x</loc>"))
	if diff := cmp.Diff([]URL{{1, "/x"}}, file.URLs); diff != "" || err != nil {
		t.Errorf("error %v, (-want +got):\n%s", err, diff)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(shop))
	f.Add([]byte("/a\n<url><loc>https://a.example/b</loc></url>\n"))
	f.Add([]byte(packed("/a\n")))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, _ := Read(data)
		for _, url := range file.URLs {
			if url.Text != strings.TrimSpace(url.Text) || url.Text == "" || strings.Contains(url.Text, "\n") || url.Line < 1 {
				t.Errorf("%+v", url)
			}
		}
	})
}
