package cli_test

import (
	"net/http"
	"testing"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/spf13/cobra"
)

// TestRefused tests which answers mean that the server refuses the tool: 4xx except 404, 410 and 429
// (RFC 9309, section 2.3.1.3, treats all of them alike), and the challenges of bot walls.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		about                  string
		status                 int
		header, value          string
		wantRefused, isUnknown bool
		want                   string
	}{
		{"a file", 200, "", "", false, false, ""},
		{"no file", 404, "", "", false, false, "there is no robots.txt (404 Not Found), so crawlers may fetch everything"},
		{"no file any more", 410, "", "", false, false, "there is no robots.txt (410 Gone), so crawlers may fetch everything"},
		{"too many requests", 429, "", "", false, true, "the server answers 429 Too Many Requests, so crawlers may fetch nothing"},
		{"a failure", 503, "", "", false, true, "the server answers 503 Service Unavailable, so crawlers may fetch nothing"},
		{"a password", 401, "", "", true, true, "the server refuses this tool (401 Unauthorized), and crawlers may get another answer"},
		{"pay per crawl", 402, "", "", true, true, "the server refuses this tool (402 Payment Required), and crawlers may get another answer"},
		{"a refusal", 403, "", "", true, true, clitest.Refusal},
		{"Amazon S3", 403, "X-Amz-Request-Id", "318BC8BC148832E5", false, false, "there is no robots.txt (403 Forbidden), so crawlers may fetch everything"},
		{"Amazon S3 behind CloudFront", 403, "Server", "AmazonS3", false, false, "there is no robots.txt (403 Forbidden), so crawlers may fetch everything"},
		{"another server", 403, "Server", "nginx", true, true, "the server refuses this tool (403 Forbidden), and crawlers may get another answer"},
		{"Google Cloud Storage", 403, "X-Guploader-Uploadid", "AAANsUlYQ", false, false, "there is no robots.txt (403 Forbidden), so crawlers may fetch everything"},
		{"a filter", 406, "", "", true, true, "the server refuses this tool (406 Not Acceptable), and crawlers may get another answer"},
		{"Cloudflare", 403, "Cf-Mitigated", "challenge", true, true, "the server refuses this tool (cf-mitigated: challenge), and crawlers may get another answer"},
		{"Cloudflare with 503", 503, "Cf-Mitigated", "challenge", true, true, "the server refuses this tool (cf-mitigated: challenge), and crawlers may get another answer"},
		{"AWS", 202, "X-Amzn-Waf-Action", "challenge", true, true, "the server refuses this tool (x-amzn-waf-action: challenge), and crawlers may get another answer"},
		{"AWS with a puzzle", 405, "X-Amzn-Waf-Action", "captcha", true, true, "the server refuses this tool (x-amzn-waf-action: captcha), and crawlers may get another answer"},
		{"another action", 404, "X-Amzn-Waf-Action", "count", false, false, "there is no robots.txt (404 Not Found), so crawlers may fetch everything"},
	} {
		site := clitest.NewSite(t, func(w http.ResponseWriter, _ *http.Request) {
			if c.header != "" {
				w.Header().Set(c.header, c.value)
			}
			w.WriteHeader(c.status)
		})
		r, err := new(cli.Loader).Load(&cobra.Command{}, site.URL)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Meaning(); got != c.want || r.IsRefused() != c.wantRefused || r.IsUnknown() != c.isUnknown {
			t.Errorf("%s: %q, refused %v, unknown %v; want %q, %v, %v", c.about, got, r.IsRefused(), r.IsUnknown(), c.want, c.wantRefused, c.isUnknown)
		}
	}
}
