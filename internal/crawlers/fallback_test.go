package crawlers

import (
	"testing"

	"github.com/robotstxt-go/robotstxt"
)

func TestFallbackNote(t *testing.T) {
	file := robotstxt.Parse([]byte(`
User-agent: Claude
User-agent: Googlebot
User-agent: google
User-agent: SemrushBot
User-agent: *
Disallow: /
`))
	for agent, want := range map[string]string{
		"Claude-User":     "by the group Claude; whether Claude-User reads it is not documented",
		"Claude-User/1.0": "by the group Claude; whether Claude-User reads it is not documented",
		"SemrushBot-SWA":  "by the group SemrushBot; whether SemrushBot-SWA reads it is not documented",
		"Google-Extended": "by the group google; whether Google-Extended reads it is not documented", // no crawler of Google has the token Google
		"Googlebot-Image": "",
		"claude":          "", // the whole token
		"SEMRUSHBOT":      "",
		"FooBot":          "", // by "*"
		"APIs-Google":     "", // by no group
	} {
		d := file.Decide(agent, "/")
		if got := FallbackNote(agent, d.Token); got != want {
			t.Errorf("FallbackNote(%q, %q) = %q, want %q", agent, d.Token, got, want)
		}
	}
}
