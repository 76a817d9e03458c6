package lex_test

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

func TestLetters(t *testing.T) {
	for _, test := range []struct{ key, want string }{
		{"", ""},
		{"User-Agent", "useragent"},
		{"\ufeffUSER_agent ", "useragent"},
		{"Größe", "gre"},
		{"K\u212A\x00[`{@", "k"}, // the Kelvin sign is not ASCII
		{strings.Repeat("aB1", 100), strings.Repeat("ab", 100)},
	} {
		if got := lex.Letters(test.key); got != test.want {
			t.Errorf("Letters(%q) = %q, want %q", test.key, got, test.want)
		}
		if got := string(lex.AppendLetters([]byte("x"), []byte(test.key))); got != "x"+test.want {
			t.Errorf("AppendLetters(x, %q) = %q, want %q", test.key, got, "x"+test.want)
		}
	}
}

func TestFold(t *testing.T) {
	for c := range byte(0x80) {
		if got, want := lex.Fold(string(c)), strings.ToLower(string(c)); got != want {
			t.Errorf("Fold(%q) = %q, want %q", c, got, want)
		}
	}
	for _, test := range []struct{ s, want string }{
		{"", ""},
		{"FooBot-9._", "foobot-9._"},
		{"\u212Aſ", "ks"}, // Kelvin sign, long s
		{"ΣσςS", "ΣΣΣs"},
		{"Ä\xffÄ\xe4", "Ä\xffÄ\xe4"},
		{"ä\ufffdB", "Ä\ufffdb"},
	} {
		if got := lex.Fold(test.s); got != test.want {
			t.Errorf("Fold(%q) = %q, want %q", test.s, got, test.want)
		}
		if got := string(lex.AppendFold([]byte("X"), []byte(test.s))); got != "X"+test.want {
			t.Errorf("AppendFold(X, %q) = %q, want %q", test.s, got, "X"+test.want)
		}
	}
}

func TestTrim(t *testing.T) {
	for _, test := range []struct{ s, left, right string }{
		{"", "", ""},
		{"a b", "a b", "a b"},
		{" \t\x00a\x7f\r ", "a\x7f\r ", " \t\x00a"},
		{"\ufeff\u00a0\u200bä\u3000\u2028", "ä\u3000\u2028", "\ufeff\u00a0\u200bä"},
		{"\xff a \xe2\x80", "\xff a \xe2\x80", "\xff a \xe2\x80"},
		{" \u200b ", "", ""},
		{"\U000e0001😀\U000e0001", "😀\U000e0001", "\U000e0001😀"}, // four octets, a language tag
	} {
		both := lex.TrimRight(test.left)
		if l, r, b := lex.TrimLeft(test.s), lex.TrimRight(test.s), lex.Trim(test.s); l != test.left || r != test.right || b != both {
			t.Errorf("%q: TrimLeft %q, TrimRight %q, Trim %q; want %q, %q, %q", test.s, l, r, b, test.left, test.right, both)
		}
	}
}

// TestCharsOf tries all pairs of bytes.
func TestCharsOf(t *testing.T) {
	class := func(c byte) string {
		switch {
		case c >= utf8.RuneSelf:
			return "foreign"
		case '0' <= c && c <= '9':
			return "digit"
		case c != '\t' && !lex.IsGraphic(c) && c != ' ':
			return "control"
		}
		return strings.ToLower(string(c))
	}
	isCapital := func(c byte) bool { return 'A' <= c && c <= 'Z' }
	for i := range 256 {
		for j := range 256 {
			c, d := byte(i), byte(j)
			set, other := lex.CharsOf([]byte{c}), lex.CharsOf([]byte{d})
			if got, want := set.HasAll(other), class(c) == class(d) && (isCapital(c) || !isCapital(d)); got != want {
				t.Errorf("CharsOf(%q).HasAll(CharsOf(%q)) = %v, want %v", c, d, got, want)
			}
			if got, want := set.HasAny(other), class(c) == class(d) || isCapital(c) && isCapital(d); got != want {
				t.Errorf("CharsOf(%q).HasAny(CharsOf(%q)) = %v, want %v", c, d, got, want)
			}
		}
	}
	if set := lex.CharsOf("A1\n\xff"); set != lex.Capitals|lex.CharsOf("a")|lex.Digits|lex.Controls|lex.NonASCII {
		t.Errorf("CharsOf(\"A1\\n\\xff\") = %b", set)
	}
}

func TestSeconds(t *testing.T) {
	for _, test := range []struct {
		s    string
		want time.Duration
		ok   bool
	}{
		{"10", 10 * time.Second, true},
		{"0", 0, true},
		{"0.5", 500 * time.Millisecond, true},
		{".5", 500 * time.Millisecond, true},
		{"5.", 5 * time.Second, true},
		{"00010.10", 10100 * time.Millisecond, true},
		{"0.0000000001", 0, true},
		{"9223372036", 9223372036 * time.Second, true},
		{"9223372037", math.MaxInt64, true},
		{strings.Repeat("9", 1000) + ".5", math.MaxInt64, true},
		{s: ""}, {s: "."}, {s: "1.2.3"}, {s: "1,5"}, {s: "-1"}, {s: "+1"}, {s: "1e3"}, {s: "1s"}, {s: " 1"}, {s: "0x1"}, {s: "inf"}, {s: "NaN"}, {s: "٣"},
	} {
		if got, ok := lex.Seconds(test.s); got != test.want || ok != test.ok {
			t.Errorf("Seconds(%q) = %v, %v, want %v, %v", test.s, got, ok, test.want, test.ok)
		}
	}
}

// A name is a result of Names, with its token.
type name struct {
	Offset      int
	Text, Token string
	StandsAlone bool
}

func namesOf(value string) (names []name) {
	for offset, s := range lex.Names(value) {
		token, standsAlone := lex.NameToken(s)
		names = append(names, name{offset, s, token, standsAlone})
	}
	return names
}

func TestNames(t *testing.T) {
	for _, test := range []struct {
		value string
		want  []name
	}{
		{"", []name{{}}},
		{"FooBot/1.2", []name{{0, "FooBot/1.2", "FooBot", false}}},
		{"a, b ,,*", []name{{0, "a", "a", false}, {3, "b", "b", false}, {6, "", "", false}, {7, "*", "*", false}}},
		{"a,", []name{{0, "a", "a", false}, {2, "", "", false}}},
		{" a (b, c) ", []name{{1, "a (b, c)", "a", true}}},
		{"*a", []name{{0, "*a", "", false}}},
		{"* a", []name{{0, "* a", "*", false}}},
		{"*\u3000a", []name{{0, "*\u3000a", "*", false}}},
		{"*\u200ba", []name{{0, "*\u200ba", "", false}}}, // a format character is not white space
		{"\u200bMJ12bot ä", []name{{3, "MJ12bot ä", "MJ12bot", true}}},
		{"Größe\u3000x", []name{{0, "Größe\u3000x", "Größe", true}}},
		{"Google Bot, GPTBot/1.0 x", []name{{0, "Google Bot", "Google", true}, {12, "GPTBot/1.0 x", "GPTBot", false}}},
		{"Mozilla/5.0 (compatible; Dow Jones Searchbot; x)", []name{{0, "Mozilla/5.0 (compatible; Dow Jones Searchbot; x)", "Dow", true}}},
		{"a\xff=b", []name{{0, "a\xff=b", "a\xff", false}}},
	} {
		if diff := cmp.Diff(test.want, namesOf(test.value)); diff != "" {
			t.Errorf("Names(%q) (-want +got)\n%s", test.value, diff)
		}
	}
	for range lex.Names("a,b") {
		break // Names must stop, too
	}
}

// FuzzLex compares each function with a simple implementation, for strings and bytes.
func FuzzLex(f *testing.F) {
	for _, s := range []string{"", "User-Agent", " a, b ,*", "Mozilla/5.0 (a, b)", "\u212Aſ\xff\ufffd", "\ufeff\u00a0ä\u2028", "0.5", "99999999999", "* a", "*,\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want(t, "Letters", s, slowLetters(s), lex.Letters(s), lex.Letters([]byte(s)))
		want(t, "Fold", s, slowFold(s), lex.Fold(s), lex.Fold([]byte(s)))
		want(t, "Trim", s, strings.TrimFunc(s, slowIsBlank), lex.Trim(s), string(lex.Trim([]byte(s))))
		want(t, "TrimLeft", s, strings.TrimLeftFunc(s, slowIsBlank), lex.TrimLeft(s), string(lex.TrimLeft([]byte(s))))
		want(t, "TrimRight", s, strings.TrimRightFunc(s, slowIsBlank), lex.TrimRight(s), string(lex.TrimRight([]byte(s))))
		want(t, "TokenLen", s, slowToken(s), s[:lex.TokenLen(s)], s[:lex.TokenLen([]byte(s))])
		var names []string
		for offset, name := range lex.Names([]byte(s)) {
			names = append(names, string(name))
			if !strings.HasPrefix(s[offset:], string(name)) {
				t.Errorf("Names(%q): %q is not at offset %d", s, name, offset)
			}
		}
		if want := slowNames(s); !slices.Equal(names, want) {
			t.Errorf("Names(%q) = %q, want %q", s, names, want)
		}
		chars := lex.CharSet(0)
		for i := range len(s) {
			chars |= lex.CharsOf(s[i : i+1])
		}
		if got := lex.CharsOf(s); got != chars || lex.CharsOf([]byte(s)) != chars {
			t.Errorf("CharsOf(%q) = %b, want %b", s, got, chars)
		}
		if d, ok := lex.Seconds(s); ok != slowIsSeconds(s) || d < 0 {
			t.Errorf("Seconds(%q) = %v, %v, want ok %v, and no negative result", s, d, ok, slowIsSeconds(s))
		}
		for i := range len(s) {
			if c := s[i]; c < utf8.RuneSelf && lex.IsGraphic(c) == slowIsBlank(rune(c)) {
				t.Errorf("IsGraphic(%q) = %v, want the opposite", c, lex.IsGraphic(c))
			}
		}
		for _, r := range s {
			if lex.IsBlank(r) != slowIsBlank(r) {
				t.Errorf("IsBlank(%q) = %v, want the opposite", r, lex.IsBlank(r))
			}
		}
	})
}

func want(t *testing.T, function, s, want string, got ...string) {
	t.Helper()
	for _, got := range got {
		if got != want {
			t.Errorf("%s(%q) = %q, want %q", function, s, got, want)
		}
	}
}

func slowLetters(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && unicode.IsLetter(r) {
			return r
		}
		return -1
	}, s))
}

func slowFold(s string) string {
	var b strings.Builder
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			b.WriteByte(s[i])
			continue
		}
		orbit := []rune{r}
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			orbit = append(orbit, other)
		}
		if least := slices.Min(orbit); least < utf8.RuneSelf {
			r = unicode.ToLower(least)
		} else {
			r = least
		}
		b.WriteRune(r)
	}
	return b.String()
}

func slowIsBlank(r rune) bool {
	return unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf)
}

func slowToken(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return slowIsBlank(r) || strings.ContainsRune(`/*()[]{}<>,;:"\=?@`, r) })
	if end < 0 {
		end = len(s)
	}
	return s[:end]
}

func slowNames(s string) []string {
	names := []string{s}
	if !strings.Contains(s, "(") {
		names = strings.Split(s, ",")
	}
	for i := range names {
		names[i] = strings.TrimFunc(names[i], slowIsBlank)
	}
	return names
}

func slowIsSeconds(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return strings.Trim(s, "0123456789.") == "" && (err == nil || strings.Contains(err.Error(), "range"))
}

// TestNoAllocs tests that the functions that the parser calls for each line and each
// question allocate nothing.
func TestNoAllocs(t *testing.T) {
	value, key, folded := []byte("FooBot/1.2, Größe ,*"), []byte(" \u200bUser-agent "), make([]byte, 0, 64)
	letters := make([]byte, 0, 64)
	total := 0
	allocs := testing.AllocsPerRun(100, func() {
		letters = lex.AppendLetters(letters[:0], lex.Trim(key))
		for _, name := range lex.Names(value) {
			token, _ := lex.NameToken(name)
			folded = lex.AppendFold(folded[:0], token)
			total += len(folded)
		}
		if !bytes.Equal(letters, []byte("useragent")) {
			t.Errorf("got letters %q, want useragent", letters)
		}
	})
	if allocs != 0 || total == 0 {
		t.Errorf("%v allocations, want none; folded %d bytes of tokens, want some", allocs, total)
	}
}

func TestUTF8(t *testing.T) {
	for _, test := range []struct {
		data  string
		limit int
		want  string
	}{
		{"", 10, ""},
		{"a", 10, "a"},
		{"\xfe\xff", 10, ""},
		{"\xff\xfea\x00b\x00", 10, "ab"},
		{"\xfe\xff\x00a\x00b", 10, "ab"},
		{"\xfe\xff\x30\xc4", 10, "ツ"},
		{"\xfe\xff\xd8\x3d\xde\x00", 10, "😀"},
		{"\xfe\xff\xd8\x3d\x00a", 10, "\ufffda"}, // half a surrogate pair
		{"\xfe\xff\x00a\x00", 10, "a\ufffd"},     // half a UTF-16 unit
		{"\xff\xfea\x00b\x00c\x00d\x00", 2, "abc"},
		{"\xef\xbb\xbfabc", 2, "\xef\xbb\xbfabc"},
	} {
		if got := string(lex.UTF8([]byte(test.data), test.limit)); got != test.want {
			t.Errorf("UTF8(%q, %d) = %q, want %q", test.data, test.limit, got, test.want)
		}
	}
}

func TestAppendCanonical(t *testing.T) {
	for _, test := range []struct{ path, want string }{
		{"/aZ09-._~!$&'()*+,;=:@/?", "/aZ09-._~!$&'()*+,;=:@/?"},
		{"/%61%5A%30%2d%2E%5f%7e", "/aZ0-._~"},
		{"/%2f%3A%2a", "/%2F%3A%2A"},
		{"/%", "/%"},
		{"/%a", "/%a"},
		{"/%g0%0g", "/%g0%0g"},
		{"/%%61", "/%a"},
		{"/ツ \x00\x7f\xff", "/%E3%83%84%20%00%7F%FF"},
		{"/\"#<>[\\]^`{|}", "/%22%23%3C%3E%5B%5C%5D%5E%60%7B%7C%7D"},
	} {
		if got := string(lex.AppendCanonical(nil, test.path)); got != test.want {
			t.Errorf("AppendCanonical(%q) = %q, want %q", test.path, got, test.want)
		}
		if got := string(lex.AppendCanonical([]byte("x"), []byte(test.path))); got != "x"+test.want {
			t.Errorf("AppendCanonical(%q) after x = %q, want %q", test.path, got, "x"+test.want)
		}
	}
}
