package robotstxt_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
)

// hostile returns inputs that try to do harm. Each starts and ends with a valid group,
// which Parse must not miss.
func hostile() map[string][]byte {
	const limit = robotstxt.SizeLimit - 200
	random := make([]byte, 100_000)
	r := rand.NewChaCha8([32]byte{9, 3, 0, 9})
	r.Read(random)
	var groups, sharing strings.Builder
	for i := 0; groups.Len() < limit-30; i++ {
		fmt.Fprintf(&groups, "user-agent:%x\nallow:/%x\n", i, i)
	}
	for i := 0; sharing.Len() < limit/2; i++ {
		fmt.Fprintf(&sharing, "user-agent:%x\n", i)
	}
	for i := 0; sharing.Len() < limit-60; i++ {
		fmt.Fprintf(&sharing, "disallow:/%x\nuser-agent:%x\nuser-agent:%x\n", i, i, i+1)
	}
	names := func(tokens iter.Seq[string]) []byte {
		text := []byte("User-agent: ")
		for token := range tokens {
			if text = append(append(text, token...), ','); len(text) > limit-100 {
				break
			}
		}
		return text
	}
	// The octets that do not end a token, without duplicates that differ only by case.
	var octets []string
	for c := range 256 {
		if s := string([]byte{byte(c)}); strings.ToLower(s) == s && robotstxt.ProductToken(s) == s && s != "#" || c > 0x7F {
			octets = append(octets, s)
		}
	}
	one := strings.Join(octets, ",")
	middles := map[string][]byte{
		"nothing":         nil,
		"a comment":       []byte("# none"),
		"HTML":            []byte("<!DOCTYPE html>\n<html><body style=\"color: red\">\n<a href=\"https://example.com/\">404: not found</a>\n"),
		"random bytes":    random,
		"NULs":            make([]byte, 100_000),
		"no UTF-8":        bytes.Repeat([]byte("\xff\xc3\x28\xed\xa0\x80"), 10_000),
		"one line":        bytes.Repeat([]byte("long "), limit/5),
		"one pattern":     append([]byte("Disallow: /"), bytes.Repeat([]byte("a"), limit-11)...),
		"one escaped":     append([]byte("Disallow: /"), bytes.Repeat([]byte("\xe3\x83\x84"), limit/3-4)...),
		"stars":           append([]byte("Disallow: "), bytes.Repeat([]byte("*"), limit-12)...),
		"stars and more":  append([]byte("Disallow: /"), bytes.Repeat([]byte("*a"), limit/2-6)...),
		"many groups":     []byte(groups.String()),
		"groups that mix": []byte(sharing.String()),
		"many tokens":     append([]byte("User-agent: "), bytes.Repeat([]byte("a,"), limit/2-6)...),
		"two tokens":      names(repeat("a", "b")),
		"numbered tokens": names(numbered("aa%d")),
		"short tokens": names(func(yield func(string) bool) {
			for _, a := range octets {
				for _, b := range octets {
					if !yield(a + b) {
						return
					}
				}
			}
		}),
		"sections":      bytes.Repeat([]byte("seragent:"+one+"\nallow:\n"), limit/(len(one)+17)),
		"runs":          bytes.Repeat([]byte("seragent:"+one+"\nX:\n"), limit/(len(one)+13)),
		"capitals":      names(numbered("AB%X")),
		"records":       bytes.Repeat([]byte("X:\n"), limit/3),
		"delays":        bytes.Repeat([]byte("crawdelay:\n"), limit/11),
		"late lines":    append(bytes.Repeat([]byte("# none\n"), limit/14), bytes.Repeat([]byte("X:\n"), limit/6)...),
		"late tokens":   append(bytes.Repeat([]byte("# none\n"), limit/14), bytes.Repeat([]byte("a,b,c,d\nuser-agent:"), limit/40)...),
		"two spellings": bytes.Repeat([]byte("allow:/%24\n"), limit/11),
		"index pages":   bytes.Repeat([]byte("allow:\x80/index.htm\n"), limit/19),
		"line ends":     bytes.Repeat([]byte("\n\r"), limit/2),
		"colons":        bytes.Repeat([]byte(":\n"), limit/2),
		"comments":      bytes.Repeat([]byte("#"), limit),
	}
	for name, middle := range middles {
		middles[name] = concat("User-agent: first\nDisallow: /first\nUser-agent: none\nAllow:\n", string(middle), "\nUser-agent: last\nDisallow: /last\n")
	}
	// In UTF-16, these characters have two octets, and nine in canonical form.
	for name, format := range map[string]string{"UTF-16 rule": "Allow: /%s\n", "UTF-16 index page": "Allow: /%s/index.htm\n", "UTF-16 tokens": "User-agent: %s\n"} {
		for _, n := range []int{10, limit/3 - 100} {
			text := strings.Repeat(fmt.Sprintf(format, strings.Repeat("ツ", n)), limit/(3*n+30))
			middles[fmt.Sprint(name, n)] = []byte(encodeUTF16(binary.LittleEndian, "User-agent: first\nDisallow: /first\n"+text+"User-agent: last\nDisallow: /last\n"))
		}
	}
	return middles
}

// repeat yields the strings again and again.
func repeat(s ...string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; yield(s[i%len(s)]); i++ {
		}
	}
}

// numbered formats 0, 1, 2, and so on.
func numbered(format string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; yield(fmt.Sprintf(format, i)); i++ {
		}
	}
}

func concat(parts ...string) []byte { return []byte(strings.Join(parts, "")) }

func TestBadInput(t *testing.T) {
	for name, data := range hostile() {
		t.Run(name, func(t *testing.T) {
			f := robotstxt.Parse(data)
			for _, tok := range []string{"first", "last"} {
				if d := f.Decide(tok, "/"+tok); d.Allowed || d.Token != tok {
					t.Errorf("%s must not fetch /%s, but Decide = %v", tok, tok, d)
				}
				if d := f.Decide(tok, "/"+strings.Repeat("a", 2000)); !d.Allowed {
					t.Errorf("%s may fetch a long path, but Decide = %v", tok, d)
				}
			}
			for _, g := range f.Groups() {
				if len(g.Tokens()) == 0 {
					t.Error("a group without tokens")
				}
			}
		})
	}
}

// TestDocLists tests that no list in a doc comment is part of a code block, where its links would
// not work. That happens if a list follows an indented block without a line of text between.
func TestDocLists(t *testing.T) {
	packages, err := filepath.Glob("*/*.go")
	root, _ := filepath.Glob("*.go")
	if err != nil || len(root) == 0 {
		t.Fatalf("no Go files: %v", err)
	}
	for _, name := range append(packages, root...) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range file.Comments {
			for _, block := range new(comment.Parser).Parse(group.Text()).Content {
				if code, ok := block.(*comment.Code); ok && strings.Contains("\n"+code.Text, "\n  - ") {
					t.Errorf("%s: a list in a code block:\n%s", name, code.Text)
				}
			}
		}
	}
}

// TestMemory tests that what Parse allocates, and what a File keeps, is a small multiple of
// the size of the input.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds with the race detector")
	}
	for name, data := range hostile() {
		if len(data) < 10_000 {
			continue // the fixed size of a File would be most of the memory
		}
		var before, after, later runtime.MemStats
		collectGarbage(&before)
		f := robotstxt.Parse(data)
		runtime.ReadMemStats(&after)
		collectGarbage(&later)
		runtime.KeepAlive(f)
		if n := after.TotalAlloc - before.TotalAlloc; n > 96*uint64(len(data)) {
			t.Errorf("%s: Parse of %d bytes allocates %d bytes", name, len(data), n)
		}
		if n := int64(later.HeapAlloc) - int64(before.HeapAlloc); n > 16*int64(len(data)) {
			t.Errorf("%s: the File of %d bytes takes %d bytes", name, len(data), n)
		}
	}
}

// TestGrowth tests that a call for a file, or for each group of a file, allocates about twice as much
// for twice the lines. TestMemory has the allocations of Parse.
func TestGrowth(t *testing.T) {
	eachGroup := func(call func(g *robotstxt.Group)) func(*robotstxt.File, []byte) {
		return func(f *robotstxt.File, _ []byte) {
			for _, g := range f.Groups() {
				call(g)
			}
		}
	}
	calls := map[string]func(f *robotstxt.File, data []byte){
		"NotRobotsTxt": func(_ *robotstxt.File, data []byte) { robotstxt.NotRobotsTxt(data) },
		"Lines": func(_ *robotstxt.File, data []byte) {
			for range robotstxt.Lines(data) {
			}
		},
		"Group.Records": eachGroup(func(g *robotstxt.Group) { g.Records() }),
		"CrawlDelay":    eachGroup(func(g *robotstxt.Group) { g.CrawlDelay() }),
		"Decide":        eachGroup(func(g *robotstxt.Group) { g.Decide("/1") }),
		"Tokens":        eachGroup(func(g *robotstxt.Group) { g.Tokens() }),
		"Rules":         func(f *robotstxt.File, _ []byte) { f.Group("a").Rules() },
		"Records":       func(f *robotstxt.File, _ []byte) { f.Records() },
		"Sitemaps":      func(f *robotstxt.File, _ []byte) { f.Sitemaps() },
		"Size":          func(f *robotstxt.File, _ []byte) { f.Size() },
		"String":        func(f *robotstxt.File, _ []byte) { _ = f.String() },
		"Group":         func(f *robotstxt.File, _ []byte) { _ = f.Group("a1", "a2-x", "*").Tokens() },
	}
	shapes := map[string]string{
		"names with records between them": "User-agent: a%d\nHost: x\n",
		"names with other records":        "User-agent: a%d\nDisallow: /%[1]d\nHost: x\n",
		"names that stand alone":          "User-agent: a%d b\nHost: x\n",
		"names with the same start":       "User-agent: a-a-a-a%d, a-a\nCrawl-delay: %[1]d\n",
		"one name":                        "User-agent: a\nDisallow: /%d\n",
		"one name with records":           "User-agent: a\nHost: %d\nCrawl-delay: x\n",
		"one rule with wildcards":         "User-agent: a\nAllow: /*a*%d/index.html\n",
		"nothing":                         "<a href=%d>\n",
		"one group":                       "Allow: /%d\nHost%[1]d: x\nSitemap: /%[1]d\n",
	}
	for shape, format := range shapes {
		for name, call := range calls {
			var allocated [2]uint64
			for i, n := range []int{500, 1000} {
				text := "User-agent: *\n"
				for line := range numbered(format) {
					if n--; n < 0 {
						break
					}
					text += line
				}
				f := robotstxt.Parse([]byte(text))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				call(f, []byte(text))
				runtime.ReadMemStats(&after)
				allocated[i] = after.TotalAlloc - before.TotalAlloc
			}
			if once, twice := allocated[0], allocated[1]; twice > 3*once+10_000 {
				t.Errorf("%s, %s: %d bytes for 500 lines, %d for 1000", shape, name, once, twice)
			}
		}
	}
}

// TestBeyondLimit reads files that are much longer than the limit.
func TestBeyondLimit(t *testing.T) {
	line := bytes.Repeat([]byte("x"), 5<<20)
	f := robotstxt.Parse(concat("User-agent: *\nDisallow: /a\n", string(line), "\nDisallow: /b"))
	if f.Allowed("FooBot", "/a") || !f.Allowed("FooBot", "/b") {
		t.Error("want only the rule before the long line to count, not the rule after it")
	}
	utf16 := []byte{0xff, 0xfe}
	for range 3 << 20 {
		utf16 = append(utf16, 'x', 0)
	}
	if got := len(robotstxt.Parse(utf16).Groups()); got != 0 {
		t.Errorf("got %d groups from one long line in UTF-16, want none", got)
	}
}

func TestParseKeepsNoReference(t *testing.T) {
	data := []byte("User-agent: FooBot\nDisallow: /x%7e\nSitemap: /s\nHost: h\n")
	f := robotstxt.Parse(data)
	clear(data)
	if d := f.Decide("foobot", "/x~"); d.Rule.Pattern != "/x%7e" || d.Token != "FooBot" {
		t.Errorf("after the input was cleared: %+v", d)
	}
	if got := fmt.Sprint(f.Sitemaps(), f.Group("foobot").Records()); got != "[/s] [{4 Host h}]" {
		t.Errorf("after the input was cleared: %s", got)
	}
}

// TestParseLeavesTheRestAlone writes to the memory after the data while Parse runs. That
// memory is within the slice's capacity, but belongs to the caller. The race detector
// notices if Parse touches it.
func TestParseLeavesTheRestAlone(t *testing.T) {
	memory := concat("User-agent: *\nDisallow: /a\nHost: h\nAllow: /b", strings.Repeat("/", 100))
	data := memory[:len(memory)-100]
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := len(data); i < len(memory); i++ {
			memory[i] = '#'
		}
	})
	robotstxt.Parse(data)
	for range robotstxt.Lines(data) {
	}
	wg.Wait()
}

// TestFilesOfAnySize builds files of few or many, short or long tokens, rules and records,
// and tests that Parse returns all of them.
func TestFilesOfAnySize(t *testing.T) {
	type contents struct {
		rules   []robotstxt.Rule
		records []robotstxt.Record
	}
	seeds := uint64(400)
	if testing.Short() {
		seeds = 40
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(9309, seed))
		longest := 2 << r.IntN(12)
		text := func(letters string) string {
			b := make([]byte, 1+r.IntN(longest))
			for i := range b {
				b[i] = letters[r.IntN(len(letters))]
			}
			return string(b)
		}
		var data strings.Builder
		line := 0
		write := func(key, value string) {
			data.WriteString(key + ": " + value + "\n")
			line++
		}
		var sitemaps []string
		want := map[string]*contents{"": {}} // by token; "" is for records of the file
		token := ""
		for range 1 + r.IntN(60_000/(longest+40)) {
			switch n := r.IntN(100); {
			case n < 10:
				token = fmt.Sprintf("bot%d", r.IntN(20)) // some occur several times
				write("User-agent", token)
				if want[token] == nil {
					want[token] = &contents{}
				}
				write("Disallow", "")
			case n < 20:
				sitemap := text("abc:/")
				write("Sitemap", sitemap)
				sitemaps = append(sitemaps, sitemap)
			case n < 40:
				key, value := "x-"+text("abc"), text("abc:")
				key = key[:min(len(key), 40)]
				write(key, value)
				want[token].records = append(want[token].records, robotstxt.Record{Line: line, Key: key, Value: value})
			default:
				rule := robotstxt.Rule{Allow: n < 50, Pattern: "/" + text([]string{"abc", "abc*$", "ab%\x80"}[r.IntN(3)])}
				if n == 40 {
					rule.Pattern += "/index.html"
				}
				write(strings.TrimSuffix(rule.String(), ": "+rule.Pattern), rule.Pattern)
				rule.Line = line
				if token != "" {
					want[token].rules = append(want[token].rules, rule)
				}
			}
		}
		f := robotstxt.Parse([]byte(strings.TrimSuffix(data.String(), []string{"", "\n"}[seed%2])))
		if diff := cmp.Diff(sitemaps, f.Sitemaps()); diff != "" {
			t.Errorf("seed %d, sitemaps: %s", seed, diff)
		}
		for token, c := range want {
			rules, records := []robotstxt.Rule(nil), f.Records()
			if token != "" {
				rules, records = f.Group(token).Rules(), f.Group(token).Records()
			}
			if diff := cmp.Diff(*c, contents{rules, records}, cmp.AllowUnexported(contents{})); diff != "" {
				t.Errorf("seed %d, token %q: %s", seed, token, diff)
			}
		}
	}
}

// TestEveryOctet tries each octet at each place of a pattern, before each kind of line
// ending.
func TestEveryOctet(t *testing.T) {
	for c := range 256 {
		for at := range 12 {
			path := []byte("/aZ0-._~z/Za09")
			path[1+at] = byte(c)
			for _, end := range []string{"\n", "\r\n", "\r", "", "\nDisallow: /a\n", "\r/\nDisallow: /\n"} {
				data := concat("User-agent: *\nDisallow: ", string(path), end)
				checkDecision(t, data, "FooBot", string(path)+"/x")
			}
		}
	}
}

// TestString lists the forms for logs, so that they can be compared when one is changed.
func TestString(t *testing.T) {
	file := robotstxt.Parse([]byte("User-agent: FooBot\nUser-agent: Bar\nDisallow: /x\nAllow: /x/\x1by\n\nUser-agent: *\nDisallow: /\n"))
	for _, test := range []struct {
		value any
		want  string
	}{
		{file, `[["FooBot" "Bar"]: ["Disallow: /x" "Allow: /x/\x1by"] ["*"]: ["Disallow: /"]]`},
		{file.Group("Bar"), `["FooBot" "Bar"]: ["Disallow: /x" "Allow: /x/\x1by"]`},
		{new(robotstxt.File), "[]"},
		{new(robotstxt.Group), "[]: []"},
		{robotstxt.Unavailable(), "file unavailable"},
		{robotstxt.Unreachable(), "file unreachable"},
		{robotstxt.NewPattern("/x*"), "/x*"},
	} {
		if got := fmt.Sprint(test.value); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// keyRecipe is where the failures of tests of the known keys lead.
const keyRecipe = `"Add a misspelling of a key" in CONTRIBUTING.md`

// TestKeysHaveCases tests that each known key is in a conformance case and in the rules.
func TestKeysHaveCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range readCases(t) {
		for line := range robotstxt.Lines(c.Robots) {
			seen[slowLetters(line.Key)] = true
		}
	}
	rules, err := os.ReadFile("testdata/RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.FieldsFunc(string(rules), func(r rune) bool { return r < 'a' || r > 'z' })
	for _, key := range knownKeys() {
		if !seen[key] {
			t.Errorf("no conformance case contains the key %q; see %s", key, keyRecipe)
		}
		if !slices.Contains(words, key) {
			t.Errorf("rule 1.4 of testdata/RULES.md does not contain the key %q; see %s", key, keyRecipe)
		}
	}
}

// TestSimilarKeys changes each known key by one letter, and compares how Lines and the slow
// functions read the result. It checks each result once, so that a missing misspelling is one
// failure. The key is in quotation marks, so that only startsKey can recognize it.
func TestSimilarKeys(t *testing.T) {
	checked := map[string]bool{}
	check := func(key string) {
		if checked[key] {
			return
		}
		checked[key] = true
		var got string
		for line := range robotstxt.Lines([]byte(`"` + key + `": x`)) {
			if line.Kind != robotstxt.OtherKind {
				got = slowLetters(line.Kind.String())
			}
		}
		if want := slowKey(key); got != want {
			t.Errorf("the key %q is read as %q, want %q; see %s", key, got, want, keyRecipe)
		}
	}
	for _, key := range knownKeys() {
		check(key)
		for i := range len(key) + 1 {
			before, after := key[:i], key[i:]
			for c := 'a'; c <= 'z'; c++ {
				check(before + string(c) + after)
				if after != "" {
					check(before + string(c) + after[1:])
				}
			}
			if after != "" {
				check(before + after[1:])
			}
			if len(after) > 1 {
				check(before + after[1:2] + after[:1] + after[2:])
			}
		}
	}
}

// knownKeys returns all known keys and misspellings.
func knownKeys() (keys []string) {
	for key, misspellings := range slowMisspellings {
		keys = append(append(keys, key), strings.Fields(misspellings)...)
	}
	return keys
}

func TestZeroFile(t *testing.T) {
	var f robotstxt.File
	if d := f.Decide("FooBot", "/x"); !d.Allowed || d.Reason != robotstxt.NoGroup {
		t.Errorf("the zero File decides %v", d)
	}
	if f.Records() != nil || f.Sitemaps() != nil || len(f.Groups()) != 0 || f.Group("FooBot").Tokens() != nil {
		t.Error("the zero File has contents")
	}
}

func TestZeroGroup(t *testing.T) {
	var g robotstxt.Group
	if d := g.Decide("/x"); !d.Allowed || d.Reason != robotstxt.NoGroup || !g.Allowed("/x") {
		t.Errorf("the zero Group decides %v", d)
	}
	if delay, ok := g.CrawlDelay(); ok || g.Tokens() != nil || g.Rules() != nil || g.Records() != nil {
		t.Errorf("the zero Group has contents, or a crawl-delay of %v", delay)
	}
}

// TestLongAgents asks for an agent with very many suffixes. It would take long if the file
// were searched for the token without its last suffix, without its last two, and so on.
func TestLongAgents(t *testing.T) {
	const suffixes = 80_000
	agent := "a" + strings.Repeat("-a", suffixes)
	file := func(tokens ...string) *robotstxt.File {
		var b strings.Builder
		for _, tok := range tokens {
			b.WriteString("User-agent: " + tok + "\nDisallow: /" + fmt.Sprint(len(tok)) + "$\n")
		}
		return robotstxt.Parse([]byte(b.String()))
	}
	long := agent[:100_001]
	for range 3 {
		for _, test := range []struct {
			file *robotstxt.File
			want int // length of the token
		}{
			{file("a", "b"), 1},
			{file("a-a-b", "a-a", "a", "*"), 3},
			{file("a-a-a-0", "a-a-a-", "a-a-a", "aa"), 5},
			{file(long+"b", long, long[:50_001]+"-b", long[:50_001], "a-a"), 100_001},
			{file(long+"b", long[:50_001]+"0", long[:50_001], "a-a"), 50_001},
			{file("a-b", "*"), 1},
			{file("b", "aa-a"), 0},
		} {
			d := test.file.Decide(agent, "/"+fmt.Sprint(test.want))
			if len(d.Token) != test.want || d.Allowed != (test.want == 0) {
				t.Fatalf("got a token of %d bytes, want %d", len(d.Token), test.want)
			}
		}
	}
}

// TestLongURLs asks a group that has an index about URLs of many kilobytes, which contain
// the same grams again and again. It would take long if the rules of a gram were tried each
// time.
func TestLongURLs(t *testing.T) {
	var b strings.Builder
	b.WriteString("User-agent: *\nDisallow: /*aab$\nDisallow: /*?a=*b$\nAllow: /*xaab$\n")
	for i := range 200 {
		fmt.Fprintf(&b, "Disallow: /%x/%x\nDisallow: /*/%x$\n", i, i, i)
	}
	f := robotstxt.Parse([]byte(b.String()))
	for range 100 {
		f.Allowed("FooBot", "/")
	}
	urls := func(size int) []string {
		as := "/" + strings.Repeat("a", size)
		return []string{as, as + "b", as + "xaab", as + "?a=" + as + "b", "/7/7" + as, as + "/c7", as + "/c8x"}
	}
	sizes := []int{100, 4000, 5000} // the index is not used for more than 4 KiB
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		for _, url := range urls(size) {
			checkFile(t, f, []byte(b.String()), "FooBot", url)
		}
	}
	short := urls(100)
	for i, url := range urls(400_000) {
		if got, want := f.Decide("FooBot", url), f.Decide("FooBot", short[i]); got != want {
			t.Errorf("the long form of %.20s…: got %v, want %v", short[i], got, want)
		}
	}
}

// TestSize compares the Size of a File with the memory that it takes.
func TestSize(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("Size is an estimate for 64 bits; with 32, indexes take less")
	}
	if testing.Short() {
		t.Skip("takes seconds with the race detector")
	}
	page := bytes.Repeat([]byte("<p style=\"color: red\">Page not found</p>\n"), 1000)
	for name, data := range map[string][]byte{
		"nothing":         nil,
		"a page":          page,
		"a usual file":    sample,
		"many names":      namesFile(240),
		"184 rules":       rulesFile(184, 6),
		"5,000 rules":     rulesFile(5000, 0),
		"3,000 wildcards": rulesFile(3000, 1),
		"a few records":   append(rulesFile(10, 0), "Crawl-delay: 10\nHost: example.com\nSitemap: https://example.com/sitemap.xml\n"...),
	} {
		const copies = 20
		var files [copies]*robotstxt.File
		var before, after runtime.MemStats
		robotstxt.Parse(data)
		collectGarbage(&before)
		for i := range files {
			files[i] = robotstxt.Parse(data)
			for range 64 {
				files[i].Allowed("FooBot", "/x") // may build indexes
			}
		}
		collectGarbage(&after)
		took := (int(after.HeapAlloc) - int(before.HeapAlloc)) / copies
		if size := files[0].Size(); size > 2*took || took > 2*size {
			t.Errorf("%s: Size is %d, but the file takes %d bytes", name, size, took)
		}
		runtime.KeepAlive(files)
	}
}

func collectGarbage(stats *runtime.MemStats) {
	runtime.GC()
	runtime.GC() // a pool is emptied by the second collection
	runtime.ReadMemStats(stats)
}

func TestRecordIs(t *testing.T) {
	for _, test := range []struct {
		key, name string
		want      bool
	}{
		{"Content-Usage", "content usage", true},
		{"Content-Usage", "Content-Use", false},
		{"crawl delay", "Crawl-delay", true},
		{"Crawldeley", "Crawl-delay", true}, // a known misspelling
		{"Crawl-delays", "Crawl-delay", false},
		{"Ключ", "ключ", true}, // without ASCII letters
		{"Ключ", "Ключи", false},
	} {
		if got := (robotstxt.Record{Key: test.key}).Is(test.name); got != test.want {
			t.Errorf("a record with the key %q: Is(%q) is %t", test.key, test.name, got)
		}
	}
}

// TestDecisionString lists all sentences, so that they can be compared when one is changed.
func TestDecisionString(t *testing.T) {
	file := robotstxt.Parse([]byte("User-agent: FooBot\nDisallow: /x\nUser-agent: *\nAllow: /x\n"))
	for _, c := range []struct {
		d    robotstxt.Decision
		want string
	}{
		{file.Decide("FooBot", "/x"), `Disallowed: line 2 tells FooBot "Disallow: /x".`},
		{file.Decide("BarBot", "/x"), `Allowed: line 4, for crawlers without a group of their own, says "Allow: /x".`},
		{file.Decide("FooBot", "/y"), `Allowed: no rule of the "FooBot" group matches.`},
		{file.Decide("AdsBot-Google", "/x"), `Allowed: the file has no rules for this crawler.`},
		{file.Decide("FooBot", "/robots.txt"), `Allowed: robots.txt itself may always be fetched.`},
		{robotstxt.Unavailable().Decide("FooBot", "/"), `Allowed: the site has no robots.txt.`},
		{robotstxt.Unreachable().Decide("FooBot", "/"), `Disallowed: the site's robots.txt could not be read.`},
	} {
		if got := c.d.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestConcurrentUse asks a File and a Group in several goroutines, for the race detector.
func TestConcurrentUse(t *testing.T) {
	var b strings.Builder
	b.WriteString("User-agent: *\nCrawl-delay: 1\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "Disallow: /%d/\nDisallow: /*/%d$\n", i, i)
	}
	f := robotstxt.Parse([]byte(b.String()))
	group := f.Group("FooBot")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 200 {
				n := (i*200 + j) % 5000
				if f.Allowed("FooBot", fmt.Sprintf("/%d/x", n)) || group.Allowed(fmt.Sprintf("/x/%d", n)) || !f.Allowed("FooBot", fmt.Sprintf("/x%d", n)) {
					t.Errorf("wrong verdict about /%d/x, /x/%[1]d or /x%[1]d", n)
				}
			}
			if _, ok := group.CrawlDelay(); !ok || len(f.Groups()) != 1 || len(group.Rules()) != 10_000 {
				t.Error("wrong crawl-delay, groups or rules")
			}
		})
	}
	wg.Wait()
}

func TestAllowedAllocatesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds with the race detector")
	}
	files := hostile()
	files["20 groups for a token"] = bytes.Repeat([]byte("User-agent: last\nDisallow: /x\n"), 20)
	files["240 names"] = namesFile(240)
	for name, data := range files {
		f := robotstxt.Parse(data)
		for _, url := range []string{"https://example.com/first/x?y=z", "https://example.com/" + strings.Repeat("a", 2000), "/", "*"} {
			for _, agent := range []string{"FooBot", "last", "Mozilla/5.0 (compatible; First/1.0)"} {
				for range 200 { // enough for all indexes to be built
					f.Allowed(agent, url)
				}
				if n := testing.AllocsPerRun(10, func() { f.Allowed(agent, url) }); n > 0 {
					t.Errorf("%s: Allowed(%q, %.40q) allocates %v times", name, agent, url, n)
				}
			}
		}
	}
}

// TestLocationErrors lists all messages, so that they can be compared when one is changed.
func TestLocationErrors(t *testing.T) {
	for _, test := range []struct{ url, want string }{
		{"/tea", `robotstxt: URL "/tea": no scheme`},
		{"shop.example/tea", `robotstxt: URL "shop.example/tea": no scheme`},
		{"1http://shop.example/", `robotstxt: URL "1http://shop.example/": no scheme`},
		{"https:///tea", `robotstxt: URL "https:///tea": no host`},
		{"https:/shop.example/", `robotstxt: URL "https:/shop.example/": no host`},
		{"mailto:x@shop.example", `robotstxt: URL "shop.example": no host`},
		{"tel:+1-201-555-0123", `robotstxt: URL "tel:+1-201-555-0123": no host`},
		{"https://user:secret@shop.example:x/", `robotstxt: URL "shop.example:x/": bad port`},
		{"https://[::1%25lo]/", `robotstxt: URL "https://[::1%25lo]/": bad address`},
		{"https://shop..example/", `robotstxt: URL "https://shop..example/": bad host`},
	} {
		if got, err := robotstxt.Location(test.url); err == nil || err.Error() != test.want {
			t.Errorf("Location(%q) = %q, error %v; want the error %s", test.url, got, err, test.want)
		}
	}
}

// TestLocationAllocatesOnce tests that Location allocates only its result if the scheme
// and the host of a URL are in normal form.
func TestLocationAllocatesOnce(t *testing.T) {
	for _, url := range []string{"https://www.example.com/x", "http://shop-2.example?y", "https://example.com#z", "https://example.com"} {
		if n := testing.AllocsPerRun(10, func() { robotstxt.Location(url) }); n != 1 {
			t.Errorf("Location(%q) allocates %v times", url, n)
		}
	}
}

// TestGroupAllocations tests that Rules does not grow its result step by step, and that
// CrawlDelay allocates little for a group without records.
func TestGroupAllocations(t *testing.T) {
	g := robotstxt.Parse(rulesFile(1000, 6)).Group("FooBot")
	if n := testing.AllocsPerRun(10, func() { g.Rules() }); n > 2 || len(g.Rules()) != 1000 { // with the race detector, Grow allocates twice
		t.Errorf("Rules allocates %v times for %d rules", n, len(g.Rules()))
	}
	if n := testing.AllocsPerRun(10, func() { g.CrawlDelay() }); n > 2 {
		t.Errorf("CrawlDelay allocates %v times", n)
	}
}

// TestLongLiterals tries literals that contain a character with two spellings. At many
// places in the URL, a long comparison decides only at its end.
func TestLongLiterals(t *testing.T) {
	as := strings.Repeat("a", 300)
	for _, pattern := range []string{
		"/*" + as + "$b", "/*" + as + "%24b$", "/*%2A" + as + "*" + as + "$", "/*" + as + "$$", "/*" + as + "$b*" + as + "$b$",
		"/*?" + as + ":b", "/*" + as + "?" + as + "%2Fb$", "/*" + as + ":?" + as + "/*b$", "/*a$" + as + "*c",
	} {
		p := robotstxt.NewPattern(pattern)
		for _, url := range []string{
			"/" + as + as, "/" + as + as + "$b", "/" + as + as + "%24b", "/" + as + as + "$bb", "/%2A" + as + as + as + "$",
			"/a" + as + "$b/" + as + "a$b" + as + "%24b", "/?" + as + as + ":b", "/?" + as + as + "%3Ab", "/" + as + as + "?" + as + "/b",
			"/" + as + "?" + as + "%2Fb", "/" + as + ":?" + as + "%2Fcb", "/" + as + "%3A?" + as + "/b", "/" + strings.Repeat(as+"$", 5) + "c",
		} {
			if got, want := p.Matches(url), slowMatch(pattern, slowTarget(url)); got != want {
				t.Errorf("pattern %q, URL %q: matches is %v, want %v", pattern, url, got, want)
			}
		}
	}
	rule := "Disallow: /*" + strings.Repeat("a", 1000) + "$b\n"
	f := robotstxt.Parse([]byte("User-agent: *\n" + strings.Repeat(rule, robotstxt.SizeLimit/len(rule)-1)))
	if !f.Allowed("FooBot", "/"+strings.Repeat("a", 2000)) { // takes 40 s if every place is tried for every literal
		t.Error("a rule with a dollar sign matches a URL without one")
	}
}

// TestLargeGroups asks a group so often that it gets an index, and then tests rules of
// each kind that the index treats differently.
func TestLargeGroups(t *testing.T) {
	var b strings.Builder
	b.WriteString("User-agent: *\nDisallow: /begin\nDisallow: /whole$\nDisallow: /same$\nAllow: /same\n" +
		"Disallow: *q\nDisallow: /two$spellings\nDisallow: /*gram*end$\nAllow: /*gram*gram\nAllow: /begin/longer\n" +
		"Disallow: /find?u=http:\nDisallow: /find?v=*a/b/\nDisallow: /three%24spellings\nDisallow: /*five%24*end\nDisallow: /find?w=%2Fa\n")
	for i := range 200 {
		fmt.Fprintf(&b, "Disallow: /%x/%x\n", i, i)
	}
	f := robotstxt.Parse([]byte(b.String()))
	for range 100 {
		f.Allowed("FooBot", "/")
	}
	for _, url := range []string{
		"/", "/x", "/begin", "/beginning", "/begi", "/begin/longer", "/whole", "/wholes", "/whol", "/same", "/same/x", "/q", "/x/q/x",
		"/two$spellings", "/two%24spellings/x", "/a/gram/end", "/a/gram/ends", "/gram/gram", "/gram/gram/end", "/c7/c7", "/c7/c",
		"/find?u=http%3A%2F", "/find?u=http:", "/find%3Fu=http:", "/find?v=xa%2Fb/", "/find?v=xa/b%2F", "/find?v=xa/b",
		"/three$spellings", "/three%24spellings/x", "/three", "/a/five$/b/end", "/five%24end", "/five/end", "/find?w=/a", "/find?w=%2Fa", "/find?w=a",
	} {
		checkFile(t, f, []byte(b.String()), "FooBot", url)
	}
}
