package lint

import "testing"

func TestReadsPages(t *testing.T) {
	for token, want := range map[string]bool{
		"Googlebot": true, "GPTBot": true, "Google-Extended": true, "Google-CloudVertexBot": true, "CCBot": true,
		"Googlebot-Image": false, "ChatGPT-User": false, "AdsBot-Google": false, "SemrushBot": false, "Bytespider": false,
	} {
		if got := readsPages(token); got != want {
			t.Errorf("%s: readsPages = %t, want %t", token, got, want)
		}
	}
}
