package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readCorpus returns the .txt files of a folder.
func readCorpus(folder string) ([][]byte, error) {
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
