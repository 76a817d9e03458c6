package known

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAgent(t *testing.T) {
	const bytespider = "Mozilla/5.0 (Linux; Android 6.0) Mobile Safari/537.36; Bytespider"
	for header, want := range map[string]struct{ token, agent string }{
		bytespider:                              {"Bytespider", "Bytespider"},
		"gptbot":                                {"GPTBot", "gptbot"},
		"Mozilla/5.0 (compatible; FooBot/1.0)":  {"FooBot", "Mozilla/5.0 (compatible; FooBot/1.0)"},
		"Mozilla/5.0 (compatible; bingbot/2.0)": {"bingbot", "Mozilla/5.0 (compatible; bingbot/2.0)"},
		"Mozilla/5.0 (Windows NT 10.0)":         {"Mozilla", "Mozilla/5.0 (Windows NT 10.0)"},
		"*":                                     {"", "*"},
		"":                                      {"", ""},
	} {
		if token, agent := Token(header), Agent(header); token != want.token || agent != want.agent {
			t.Errorf("%q: Token %q, Agent %q, want %+v", header, token, agent, want)
		}
	}
}

func TestIgnoresStar(t *testing.T) {
	for token, want := range map[string]bool{
		"AdsBot-Google": true, "ADSBOT-google-mobile-apps": true, "Mediapartners-Google-x": true,
		"Googlebot": false, "AdsBot": false, "FooBot": false, "": false,
	} {
		if IgnoresStar(token) != want {
			t.Errorf("IgnoresStar(%q) = %t, want %t", token, !want, want)
		}
	}
}

func TestStarless(t *testing.T) {
	if diff := cmp.Diff([]string{"AdsBot-Google", "APIs-Google", "Mediapartners-Google"}, Starless()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMeant(t *testing.T) {
	for name, want := range map[string][]string{
		"Claude":    {"ClaudeBot", "Claude-SearchBot", "Claude-User"},
		"meta":      {"FacebookBot", "facebookexternalhit", "meta-externalagent", "meta-webindexer", "meta-externalfetcher", "facebookcatalog", "meta-externalads"},
		"OpenAI":    {"GPTBot", "OAI-SearchBot", "ChatGPT-User", "OAI-AdsBot"},
		"ChatGPT":   {"ChatGPT-User"},
		"Bing":      {"bingbot"},
		"Grok":      {"GrokBot"},
		"Meta AI":   {"meta-externalagent"},
		"Gemini":    {"Google-Extended"},
		"Yandex":    nil, // a token itself
		"Googlebot": nil,
		"Adsbot":    nil, // a crawler of Seostar, and not only the start of AdsBot-Google
		"Image":     nil, // the start of ImagesiftBot, by chance
		"bot":       nil,
		"FooBot":    nil,
		"":          nil,
	} {
		if diff := cmp.Diff(want, Meant(name)); diff != "" {
			t.Errorf("Meant(%q) (-want +got):\n%s", name, diff)
		}
	}
	if google := Meant("Google"); !slices.Contains(google, "Google-Extended") || slices.Contains(google, "Google-NotebookLM") {
		t.Errorf("Meant(Google) = %v, want Google-Extended, but no retired token", google)
	}
}

func TestMisspelled(t *testing.T) {
	for token, want := range map[string]string{
		"Gogglebot": "Googlebot", "gooogle-extended": "Google-Extended", "Googlebott": "Googlebot", "Gogolebot": "Googlebot",
		"Googlebot": "", "googlebot-image": "", "OAI-SearchBot": "", "xAI-SearchBot": "", "SemrushBot-SA": "", "FooBot": "", "GPTBat": "", "*": "", "": "",
	} {
		if got := Misspelled(token); got != want {
			t.Errorf("%q: got %q, want %q", token, got, want)
		}
	}
}
