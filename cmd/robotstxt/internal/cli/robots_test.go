package cli_test

import (
	"net/http"
	"strings"
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
		missing403             bool
		wantRefused, isUnknown bool
		want                   string
	}{
		{"a file", 200, "", "", false, false, false, ""},
		{"no file", 404, "", "", false, false, false, "the server answers 404 Not Found, so crawlers may fetch everything"},
		{"no file any more", 410, "", "", false, false, false, "the server answers 410 Gone, so crawlers may fetch everything"},
		{"too many requests", 429, "", "", false, false, true, "the server answers 429 Too Many Requests, so crawlers may fetch nothing"},
		{"a failure", 503, "", "", false, false, true, "the server answers 503 Service Unavailable, so crawlers may fetch nothing"},
		{"a password", 401, "", "", false, true, true, "the server refuses this tool (401 Unauthorized), and crawlers may get another answer"},
		{"pay per crawl", 402, "", "", false, true, true, "the server refuses this tool (402 Payment Required), and crawlers may get another answer"},
		{"a refusal", 403, "", "", false, true, true, clitest.Refusal + clitest.RefusalHint},
		{"an object store", 403, "", "", true, false, false, "the server answers 403 Forbidden, so crawlers may fetch everything"},
		{"a filter", 406, "", "", true, true, true, "the server refuses this tool (406 Not Acceptable), and crawlers may get another answer"},
		{"Cloudflare", 403, "Cf-Mitigated", "challenge", true, true, true, "the server refuses this tool (cf-mitigated: challenge), and crawlers may get another answer"},
		{"Cloudflare with 503", 503, "Cf-Mitigated", "challenge", false, true, true, "the server refuses this tool (cf-mitigated: challenge), and crawlers may get another answer"},
		{"AWS", 202, "X-Amzn-Waf-Action", "challenge", false, true, true, "the server refuses this tool (x-amzn-waf-action: challenge), and crawlers may get another answer"},
		{"AWS with a puzzle", 405, "X-Amzn-Waf-Action", "captcha", false, true, true, "the server refuses this tool (x-amzn-waf-action: captcha), and crawlers may get another answer"},
		{"another action", 404, "X-Amzn-Waf-Action", "count", false, false, false, "the server answers 404 Not Found, so crawlers may fetch everything"},
	} {
		site := clitest.NewSite(t, func(w http.ResponseWriter, _ *http.Request) {
			if c.header != "" {
				w.Header().Set(c.header, c.value)
			}
			w.WriteHeader(c.status)
		})
		var loader cli.Loader
		cmd := &cobra.Command{}
		loader.AddFlag(cmd)
		if c.missing403 {
			cmd.Flags().Set("missing-403", "true")
		}
		r, err := loader.Load(cmd, site.URL)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := r.FileError(); err != nil {
			got = strings.TrimPrefix(err.Error(), site.URL+"/robots.txt: ")
		}
		if got != c.want || r.Refused() != c.wantRefused || r.IsUnknown() != c.isUnknown {
			t.Errorf("%s: %q, refused %v, unknown %v; want %q, %v, %v", c.about, got, r.Refused(), r.IsUnknown(), c.want, c.wantRefused, c.isUnknown)
		}
	}
	site := clitest.NewSite(t, clitest.Status(http.StatusForbidden))
	_, err := cli.ReadRobots(&cobra.Command{}, site.URL)
	if want := site.URL + "/robots.txt: " + clitest.Refusal; err == nil || err.Error() != want {
		t.Errorf("a command without the flag: %v, want %s", err, want)
	}
}
