package lex

import "testing"

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
