package lex

import "testing"

// TestList tests lists with most = 2.
func TestList(t *testing.T) {
	words := []string{"a", "b", "c", "d", "e"}
	for n, want := range []string{"", "a", "a and b", "a, b and c", "a, b and 2 more", "a, b and 3 more"} {
		if got := List(words[:n], 2); got != want {
			t.Errorf("%d words: got %q, want %q", n, got, want)
		}
	}
	if words[2] != "c" {
		t.Errorf("List changes its argument to %q", words)
	}
}

func TestPrintable(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "/a b\\\"": "/a b\\\"", "/ü": "/ü", "\uFFFD": "\uFFFD",
		"a\n": `"a\n"`, "\t": `"\t"`, "\x1b[m": `"\x1b[m"`, "\xFF": `"\xff"`, "\u200b": `"\u200b"`, "##[": `"##\x5b"`, "a ##[b\x5d\n": `"a ##\x5bb]\n"`, "## [": "## [",
	} {
		if got := Printable(s); got != want {
			t.Errorf("Printable(%q) = %s, want %s", s, got, want)
		}
	}
}
