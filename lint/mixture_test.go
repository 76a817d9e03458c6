package lint_test

import (
	"bytes"
	"flag"
	"fmt"
	"hash/crc32"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/internal/format"
	"github.com/robotstxt-go/robotstxt/internal/golden"
	"github.com/robotstxt-go/robotstxt/lint"
)

var dump = flag.String("dump", "", "the file to which TestMixtures or TestNeighbors writes everything that it compares")

// TestMixtures compares what lint, fmt and aipref say about 8,000 files with a golden file. The files are
// mixed from the lines in testdata/mixtures. For each code, the golden file has the number of findings
// and a checksum of all that they say. So the test notices changes that no case shows, but it cannot know
// which result is right. If it fails, run it with -dump before and after the change, and compare the two
// files. If you want all that is new, add a case for it, and run the test with -update.
func TestMixtures(t *testing.T) {
	names, lines := readLines(t, "testdata/mixtures/names.txt"), readLines(t, "testdata/mixtures/lines.txt")
	said := comparison{}
	for i := range uint64(8000) {
		said.add(mix(rand.New(rand.NewPCG(i, 0)), names, lines))
	}
	said.check(t, "mixtures.txt")
}

// A comparison collects what lint, fmt and aipref say about many files, by code and other parts of the result.
type comparison map[string]*statements

// statements contains what one code says about all files. The sum does not depend on their order.
type statements struct {
	count int
	sum   uint32
	texts []string // only with the flag -dump
}

func (c comparison) add(data []byte) {
	findings, hasFix := lint.CheckAll(data), false
	for _, f := range findings {
		c.say(f.Code, data, fmt.Sprintf("%v %+v", f, f.Fix))
		hasFix = hasFix || f.Fix != nil
	}
	c.say("merged", data, fmt.Sprint(lint.Merged(findings)))
	if hasFix {
		fixed, err := lint.Fix(data)
		c.say("fixed", data, fmt.Sprintf("%q %v", fixed, err))
	}
	formatted, err := format.Format(data)
	c.say("formatted", data, fmt.Sprintf("%q %v", formatted, err))
	file := robotstxt.Parse(data)
	for _, agent := range []string{"Mozilla/5.0 (compatible; GPTBot/1.2)", "FooBot"} {
		for _, url := range []string{"/", "/a?b=1", "/press/"} {
			a := aipref.For(file, agent, url)
			if len(a.Signals) == 0 {
				c.say("aipref", data, fmt.Sprintf("%s %v %v", agent, a.FileSignals, a.Licenses()))
				break
			}
			c.say("aipref", data, fmt.Sprintf("%s %s: %+v %+v %v %v %v", agent, url, a.Preferences, a.InSearch(), a.Access, a.Signals, a.FileSignals))
		}
	}
}

func (c comparison) say(name string, data []byte, text string) {
	s := c[name]
	if s == nil {
		s = &statements{}
		c[name] = s
	}
	s.count++
	s.sum += crc32.ChecksumIEEE(data) ^ crc32.ChecksumIEEE([]byte(text))*31
	if *dump != "" {
		s.texts = append(s.texts, fmt.Sprintf("%s %q: %s\n", name, data, text))
	}
}

func (c comparison) check(t *testing.T, name string) {
	t.Helper()
	var sums, all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(&sums, "%s %d %08x\n", name, c[name].count, c[name].sum)
		all.WriteString(strings.Join(slices.Sorted(slices.Values(c[name].texts)), ""))
	}
	if *dump != "" {
		if err := os.WriteFile(*dump, []byte(all.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	golden.Check(t, "golden/"+name, sums.String())
}

func readLines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// mix returns a small file, with few exceptions. Often, it repeats a name, a line or the lines of a group, and
// changes a character, because many findings are about lines that are alike.
func mix(r *rand.Rand, names, lines []string) []byte {
	var file, usedNames, usedLines []string
	if r.IntN(4) > 0 { // neighbors come from cases about one topic
		n, l := r.IntN(len(names)-10), r.IntN(len(lines)-20)
		names, lines = append([]string{"User-agent: *", "User-agent: Googlebot", "User-agent: bingbot"}, names[n:n+10]...), lines[l:l+20]
	}
	pick := func(from []string, used *[]string, oneIn int) string {
		if len(*used) > 0 && r.IntN(oneIn) == 0 {
			return (*used)[r.IntN(len(*used))]
		}
		*used = append(*used, from[r.IntN(len(from))])
		return (*used)[len(*used)-1]
	}
	if r.IntN(4) == 0 {
		file = append(file, []string{"# A comment", "\ufeff# A comment", "<html>", "Any text"}[r.IntN(4)])
	}
	for range 1 + r.IntN(5) {
		for range []int{0, 1, 1, 1, 1, 2, 2, 3, 6}[r.IntN(9)] {
			file = append(file, pick(names, &usedNames, 4))
			if r.IntN(8) == 0 {
				file = append(file, "")
			}
		}
		start := len(file)
		for range r.IntN(5) {
			file = append(file, pick(lines, &usedLines, 3))
			if r.IntN(10) == 0 {
				file = append(file, "")
			}
		}
		if r.IntN(4) == 0 {
			file = append(file, pick(names, &usedNames, 4))
			file = append(file, file[start:len(file)-1]...)
		}
		if r.IntN(3) > 0 {
			file = append(file, "")
		}
	}
	if r.IntN(10) == 0 { // a list of crawlers, as people copy it
		for range 8 {
			file = append(file, pick(names, &usedNames, 9), "Disallow: /", "")
		}
	}
	if r.IntN(200) == 0 { // more groups or rules than some checks compare
		file = append(file, strings.Split(strings.Repeat("Disallow: /a/\n", 101*r.IntN(2))+strings.Repeat("User-agent: a\nDisallow: /b\nAllow: /c\n", 101*r.IntN(2))+pick(lines, &usedLines, 3), "\n")...)
	}
	data := []byte(strings.Join(file, []string{"\n", "\n", "\n", "\r\n"}[r.IntN(4)]))
	for range r.IntN(4) {
		i := r.IntN(len(data) + 1)
		if starts := []string{"\n", ": ", "/"}; r.IntN(2) == 0 { // the start of a line, a value or a part of a path
			i += max(0, bytes.Index(data[i:], []byte(starts[r.IntN(3)])))
			i = min(i+1+r.IntN(2), len(data))
		}
		switch rest := data[i:]; r.IntN(4) {
		case 0:
			const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			if n := bytes.IndexAny(rest, letters); n >= 0 {
				rest[n] ^= ' ' // the other case
			}
		case 1:
			if n := bytes.IndexByte(rest, ' '); n >= 0 {
				rest[n] = '\t'
			}
		default:
			signs := []string{"*", "$", "?", "/", "%", "%20", " ", "  ", "#", " # ", ":", ",", "\u00a0", "\xa0", "\u200b", "é", "\xe9", "İ", "а", ".", "-", "x", "1", "=", "//"}
			data = slices.Insert(data, i, []byte(signs[r.IntN(len(signs))])...)
		}
	}
	return data
}
