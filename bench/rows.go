package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jimsmart/grobotstxt"
	"github.com/robotstxt-go/robotstxt"
	temoto "github.com/temoto/robotstxt"
)

// agent is one that few files name, as that of a new crawler.
const agent = "FooBot"

// noHandler is a handler of grobotstxt that does nothing.
type noHandler struct{}

func (noHandler) HandleRobotsStart()                                           {}
func (noHandler) HandleRobotsEnd()                                             {}
func (noHandler) HandleUserAgent(lineNum int, value string)                    {}
func (noHandler) HandleAllow(lineNum int, value string)                        {}
func (noHandler) HandleDisallow(lineNum int, value string)                     {}
func (noHandler) HandleSitemap(lineNum int, value string)                      {}
func (noHandler) HandleUnknownAction(lineNum int, action string, value string) {}

// describe says what files there are.
func describe(files [][]byte) string {
	return fmt.Sprintf("%d files, %.1f MB; temoto refuses %d of them, which no row with it counts",
		len(files), float64(size(files))/1e6, len(files)-len(taken(files)))
}

func size(files [][]byte) (n int) {
	for _, data := range files {
		n += len(data)
	}
	return n
}

// taken returns the files that temoto takes.
func taken(files [][]byte) (good [][]byte) {
	for _, data := range files {
		if _, err := temoto.FromBytes(data); err == nil {
			good = append(good, data)
		}
	}
	return good
}

// fileRows measures the parsing of files.
func fileRows(m meter, files [][]byte) []row {
	both := taken(files)
	texts := make([]string, len(files)) // what grobotstxt parses
	for i, data := range files {
		texts[i] = string(data)
	}
	ours := func(files [][]byte) func() {
		return func() {
			for _, data := range files {
				robotstxt.Parse(data)
			}
		}
	}
	t := m.times(ours(both), func() {
		for _, data := range both {
			temoto.FromBytes(data)
		}
	}, ours(files), func() {
		for _, text := range texts {
			grobotstxt.Parse(text, noHandler{})
		}
	}, func() {
		for _, data := range files {
			robotstxt.Parse(data).Allowed(agent, "https://www.example.com/shop/item?id=7")
		}
	}, func() {
		for _, text := range texts {
			grobotstxt.AgentAllowed(text, agent, "https://www.example.com/shop/item?id=7")
		}
	})
	speed := func(files [][]byte, ns float64) string { return fmt.Sprintf("%.0f MB/s", float64(size(files))*1e3/ns) }
	return []row{
		{"Parse, all files that temoto takes", ">= 12x", speed(both, t[0]), times(t[1] / t[0]), "temoto " + speed(both, t[1])},
		{"Parse, all files", ">= 5x", speed(files, t[2]), times(t[3] / t[2]), "grobotstxt " + speed(files, t[3])},
		{"Parse + one Allowed, all files", ">= 6x", speed(files, t[4]), times(t[5] / t[4]), "grobotstxt " + speed(files, t[5])},
		allocRow(both),
		heapRow(both),
	}
}

func times(ratio float64) string { return fmt.Sprintf("%.1fx", ratio) }

// allocRow counts the allocations of Parse in the file in the middle and overall.
func allocRow(files [][]byte) row {
	var ours, theirs, others []float64
	for _, data := range files {
		text := string(data)
		ours = append(ours, allocs(func() { robotstxt.Parse(data) }))
		theirs = append(theirs, allocs(func() { temoto.FromBytes(data) }))
		others = append(others, allocs(func() { grobotstxt.Parse(text, noHandler{}) }))
	}
	o, t, g := median(ours), median(theirs), median(others)
	return row{"allocations in Parse, median file (mean)", "<= 12", fmt.Sprintf("%.0f (%.1f)", o, mean(ours)), times(t/o) + ", " + times(g/o),
		fmt.Sprintf("temoto %.0f (%.0f), grobotstxt %.0f (%.0f)", t, mean(theirs), g, mean(others))}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

func mean(list []float64) (m float64) {
	for _, x := range list {
		m += x / float64(len(list))
	}
	return m
}

// heapRow weighs the parsed files.
func heapRow(files [][]byte) row {
	ours := heap(func() (kept []*robotstxt.File) {
		for _, data := range files {
			kept = append(kept, robotstxt.Parse(data))
		}
		return kept
	})
	theirs := heap(func() (kept []*temoto.RobotsData) {
		for _, data := range files {
			parsed, _ := temoto.FromBytes(data)
			kept = append(kept, parsed)
		}
		return kept
	})
	input := float64(size(files))
	return row{"heap kept, of the input's bytes", "<= 0.7", fmt.Sprintf("%.2f", ours/input), times(theirs / ours), fmt.Sprintf("temoto %.2f", theirs/input)}
}

// matchRows measures questions to parsed files.
func matchRows(m meter) []row {
	cases := []struct {
		what   string
		file   []byte
		target float64
	}{
		{"10 rules", rulesFile(10, 1), 4},
		{"184 rules, 32 with wildcards", rulesFile(184, 32), 8},
		{"5,640 rules without wildcards", rulesFile(5640, 0), 40},
		{"3,129 rules, 2,599 with wildcards", rulesFile(3129, 2599), 20},
		{"24,000 rules in 500 KiB", fullFile(24000, robotstxt.SizeLimit), 200},
	}
	var rows []row
	var cost []float64
	for _, c := range cases {
		r, ns := matchRow(m, "Match, "+c.what, fmt.Sprintf(">= %.0fx", c.target), c.file, urls(c.file))
		rows, cost = append(rows, r), append(cost, ns)
	}
	rows = append(rows, row{"Match, 5,640 rules, against 10", "<= 3x", times(cost[2] / cost[0]), "-", "-"})
	as := "https://www.example.com/" + strings.Repeat("a", 2000)
	star := func(n int) []byte { return []byte("User-agent: *\nDisallow: /" + strings.Repeat("a*", n) + "b\n") }
	few, _ := matchRow(m, "Match, 8 stars against 2,000 a's", "<= 5 us", star(8), []string{as})
	many, _ := matchRow(m, "Match, 400 stars against 2,000 a's", "<= 100 us", star(400), []string{as})
	return append(rows, few, many)
}

// matchRow measures questions to one file, and returns what one costs us, too.
func matchRow(m meter, what, target string, file []byte, urls []string) (r row, ns float64) {
	ours := robotstxt.Parse(file)
	theirs, err := temoto.FromBytes(file)
	if err != nil {
		return row{what: what, target: target, peers: "temoto refuses the file"}, 0
	}
	paths := make([]string, len(urls))
	for i, url := range urls {
		paths[i] = strings.TrimPrefix(url, "https://www.example.com")
	}
	t := m.times(func() {
		for _, url := range urls {
			ours.Allowed(agent, url)
		}
	}, func() {
		for _, path := range paths {
			theirs.TestAgent(path, agent)
		}
	})
	per := func(ns float64) string { return fmt.Sprintf("%.0f ns", ns/float64(len(urls))) }
	return row{what, target, per(t[0]), times(t[1] / t[0]), "temoto " + per(t[1])}, t[0] / float64(len(urls))
}
