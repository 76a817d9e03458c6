package fetch

import "testing"

func TestWithoutUser(t *testing.T) {
	for url, want := range map[string]string{
		"https://example.com/a@b":           "https://example.com/a@b",
		"https://user:secret@example.com/":  "https://example.com/",
		"https://user:secret@example.com":   "https://example.com",
		"https://us@er:secret@example.com?": "https://example.com?",
		"https://example.com?a@b":           "https://example.com?a@b",
		"https://u@example.com#a@b":         "https://example.com#a@b",
		"user:secret@example.com/":          "example.com/",
		"example.com/":                      "example.com/",
		"":                                  "",
	} {
		if got := WithoutUser(url); got != want {
			t.Errorf("WithoutUser(%q) = %q, want %q", url, got, want)
		}
	}
}
