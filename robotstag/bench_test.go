package robotstag_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/robotstxt-go/robotstxt/robotstag"
)

// usual is a response header of 1 KB, a third of which are directives.
var usual = http.Header{
	"Alt-Svc":                   {`h3=":443"; ma=86400`},
	"Cache-Control":             {"public, max-age=300, s-maxage=600, stale-while-revalidate=30"},
	"Content-Language":          {"en"},
	"Content-Security-Policy":   {"default-src 'self'; img-src 'self' data: https://images.example.com; script-src 'self' 'nonce-4AEemGb0xJptoIGFP3Nd'"},
	"Content-Type":              {"text/html; charset=utf-8"},
	"Date":                      {"Fri, 25 Jun 2027 15:00:00 GMT"},
	"Etag":                      {`W/"5f3a-18c2a1b5d80"`},
	"Last-Modified":             {"Thu, 24 Jun 2027 15:00:00 GMT"},
	"Link":                      {`<https://www.example.com/page>; rel="canonical"`},
	"Server":                    {"nginx"},
	"Set-Cookie":                {"session=0123456789abcdef0123456789abcdef; Path=/; HttpOnly; Secure; SameSite=Lax"},
	"Strict-Transport-Security": {"max-age=63072000; includeSubDomains; preload"},
	"Vary":                      {"Accept-Encoding"},
	"X-Content-Type-Options":    {"nosniff"},
	"X-Robots-Tag": {
		"noarchive, max-snippet: 20, max-image-preview: large, max-video-preview: -1",
		"googlebot: unavailable_after: 25 Jun 2027 15:00:00 PST",
		"bingbot: nocache, noarchive, BadBot: noindex, nofollow, otherbot: none",
		"noai, noimageai, notranslate, noimageindex",
	},
}

// directives is 1 KB of values of X-Robots-Tag.
var directives = http.Header{"X-Robots-Tag": {
	strings.Repeat("noindex, nofollow, max-snippet: 20, googlebot: noarchive, ", 18)[:1000],
	"unavailable_after: 2027-06-25",
}}

// BenchmarkHeader measures reading a header and collecting the directives for one crawler.
func BenchmarkHeader(b *testing.B) {
	for name, header := range map[string]http.Header{"usual": usual, "directives": directives} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !robotstag.FromHeader(header).For("Googlebot").Has("noarchive") {
					b.Fatal("For(Googlebot) did not return noarchive")
				}
			}
		})
	}
}

// page is 200 KB of text in many elements, with the tags of a usual head.
var page = []byte(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width"><meta name="description" content="Words, and more words.">
<meta name="robots" content="index, follow, max-image-preview:large, max-snippet:-1, max-video-preview:-1">
<script>var a = "<p>";</script></head><body>` + strings.Repeat(`<div class="row" id=a><p>Some words about <a href="https://example.com/a?b=c&amp;d">something</a>,
and <em>more</em> words.</p><img src="/a.png" alt="An image"></div><!-- end -->
`, 1000) + `</body></html>`)

// BenchmarkTokenizer measures the tokenizer, without which no page can be read.
func BenchmarkTokenizer(b *testing.B) {
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		z := html.NewTokenizer(bytes.NewReader(page))
		for z.Next() != html.ErrorToken {
		}
	}
}

func BenchmarkHTML(b *testing.B) {
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		if _, err := robotstag.FromHTML(bytes.NewReader(page)); err != nil {
			b.Fatal(err)
		}
	}
}
