package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readCorpus returns the .txt files of a folder, or generated files if the folder is "".
func readCorpus(folder string) ([][]byte, error) {
	if folder == "" {
		return madeUpCorpus(), nil
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("the folder %s contains no .txt files", folder)
	}
	var files [][]byte
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, data)
	}
	return files, nil
}

// madeUpCorpus returns 1,000 files like those on the web. Half of the files are smaller than 600
// bytes, a tenth are larger than 4 kB, and one in a hundred is larger than 70 kB. Half of
// the files can have rules with wildcards anywhere, one in seven can have rules such as
// "/*.pdf$", and a third can have several groups. Most of the bytes are in a few large HTML
// pages.
func madeUpCorpus() [][]byte {
	r := rand.New(rand.NewPCG(9309, 1))
	var files [][]byte
	for i := range 1000 {
		size := 60 + r.IntN(540)
		switch {
		case i%100 == 0 && i%300 != 0:
			files = append(files, madeUpPage(r, 70_000+r.IntN(900_000)))
			continue
		case i%100 == 0:
			size = 70_000 + r.IntN(130_000)
		case i%100 == 50:
			files = append(files, madeUpPage(r, 4_000+r.IntN(30_000)))
			continue
		case i%10 == 0:
			size = 4_000 + r.IntN(12_000)
		case i%2 == 0:
			size = 600 + r.IntN(3400)
		}
		files = append(files, madeUpFile(r, size, i%2 == 1, i%7 == 3, i%3 == 2))
	}
	return files
}

// madeUpPage returns an HTML page with at least the given number of bytes.
func madeUpPage(r *rand.Rand, size int) []byte {
	b := []byte("<!DOCTYPE html>\n<html>\n")
	for len(b) < size {
		b = append(b, strings.Repeat([]string{" ", "\t"}[r.IntN(2)], r.IntN(12))...)
		switch r.IntN(10) {
		case 0: // a blank line
		case 1:
			b = append(b, "</div>"...)
		case 2, 3:
			b = fmt.Appendf(b, "<div class=%q>", word(r)+" "+word(r))
		case 4, 5:
			b = fmt.Appendf(b, `<li><a href="https://%s.example%s">%s %s</a></li>`, word(r), path(r), word(r), word(r))
		case 6:
			b = fmt.Appendf(b, "%s-%s: %s;", word(r), word(r), word(r))
		case 7:
			b = fmt.Appendf(b, "%q: %q,", word(r), path(r))
		default:
			for range 1 + r.IntN(30) {
				b = append(b, word(r)+" "...)
			}
		}
		b = append(b, '\n')
	}
	return b
}

func madeUpFile(r *rand.Rand, size int, stars, dollars, groups bool) []byte {
	var b strings.Builder
	end := "\n"
	if r.IntN(3) == 0 {
		end = "\r\n"
	}
	write := func(parts ...string) { b.WriteString(strings.Join(parts, "") + end) }
	write("# robots.txt for ", word(r), ".example")
	write("User-agent: *")
	for b.Len() < size {
		switch n := r.IntN(100); {
		case n < 8:
			write("# ", word(r), " ", word(r), " ", word(r), " ", word(r))
		case n < 12:
			write("")
		case n < 14 && groups:
			write("")
			write("User-agent: ", word(r), "bot")
		case n < 16:
			write("Sitemap: https://", word(r), ".example/", word(r), ".xml")
		case n < 18:
			write("Crawl-delay: 10")
		case n < 24 && stars:
			write("Disallow: ", wildPattern(r))
		case n < 27 && dollars:
			write("Disallow: /*.", word(r)[:3], "$")
		case n < 36:
			write("Allow: ", path(r))
		default:
			write("Disallow: ", path(r))
		}
	}
	return []byte(b.String())
}

// rulesFile returns a file with the given number of rules in one group. The parameter wild is
// the number of rules with wildcards.
func rulesFile(rules, wild int) []byte {
	r := rand.New(rand.NewPCG(uint64(rules), uint64(wild)))
	lines := make([]string, 0, rules)
	seen := map[string]bool{}
	for len(lines) < rules {
		pattern := path(r)
		if len(lines) < wild {
			pattern = wildPattern(r)
		}
		if !seen[pattern] {
			seen[pattern] = true
			lines = append(lines, "Disallow: "+pattern)
		}
	}
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return []byte("User-agent: *\n" + strings.Join(lines, "\n") + "\n")
}

// fullFile returns a file of the given size, in bytes, with the given number of rules.
func fullFile(rules, size int) []byte {
	b := []byte("User-agent: *\n")
	for i := range rules {
		room := (size - len(b)) / (rules - i)
		b = fmt.Appendf(b, "Disallow: /%0*d\n", room-len("Disallow: /\n"), i*7919%rules)
	}
	return b
}

// urls returns 64 URLs. About half of them are made from patterns of the file, and most of
// these match a rule.
func urls(file []byte) []string {
	r := rand.New(rand.NewPCG(1, 1))
	var patterns []string
	for line := range strings.Lines(string(file)) {
		if pattern, ok := strings.CutPrefix(strings.TrimSpace(line), "Disallow: "); ok {
			patterns = append(patterns, pattern)
		}
	}
	var list []string
	for range 64 {
		url := "https://www.example.com" + path(r)
		if r.IntN(2) == 0 {
			pattern := patterns[r.IntN(len(patterns))]
			url = "https://www.example.com" + strings.NewReplacer("*", word(r), "$", "").Replace(pattern)
			url += word(r)
		}
		list = append(list, url)
	}
	return list
}

var words = strings.Fields(`about account admin ajax api archive article assets author basket blog
	cache calendar cart catalog category checkout comment compare contact content customer data date
	detail download edit event export feed file filter forum gallery group help history home image
	include index info item job language list location login mail media member message mobile module
	news offer order page panel partner password photo plugin policy post preview price print private
	product profile public query rating register report review rss sale search section service session
	setting share shop sitemap sort source static store style submit support tag template temp terms
	theme topic update upload user vendor video view vote widget wishlist`)

func word(r *rand.Rand) string { return words[r.IntN(len(words))] }

// path returns a path of one to three segments.
func path(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		b.WriteString("/" + word(r))
		if r.IntN(3) == 0 {
			b.WriteString("-" + word(r))
		}
	}
	switch r.IntN(4) {
	case 0:
		b.WriteString("/")
	case 1:
		b.WriteString(slices.Clone([]string{".html", ".php", "?id=", "/index.php?action="})[r.IntN(4)])
	}
	return b.String()
}

// wildPattern returns a pattern with wildcards, of a kind that real sites use.
func wildPattern(r *rand.Rand) string {
	switch r.IntN(6) {
	case 0:
		return "/*?" + word(r) + "="
	case 1:
		return "/*/" + word(r) + "-" + word(r)
	case 2:
		return "/" + word(r) + "/*/" + word(r)
	case 3:
		return "/*." + word(r) + "$"
	case 4:
		return path(r) + "*" + word(r)
	}
	return "/*/" + word(r) + "/*/" + word(r)
}
