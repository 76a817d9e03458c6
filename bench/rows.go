package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/jimsmart/grobotstxt"
	"github.com/robotstxt-go/robotstxt"
	temoto "github.com/temoto/robotstxt"
)

// agent is the crawler in all questions. Few files name it.
const agent = "FooBot"

// describe says how many files there are, how large they are, and how many of them temoto
// refuses.
func describe(files [][]byte) string {
	return fmt.Sprintf("%d files, %.1f MB; temoto refuses %d files, which the rows with temoto leave out",
		len(files), float64(size(files))/1e6, len(files)-len(accepted(files)))
}

func size(files [][]byte) (n int) {
	for _, data := range files {
		n += len(data)
	}
	return n
}

// accepted returns the files that temoto accepts.
func accepted(files [][]byte) (good [][]byte) {
	for _, data := range files {
		if _, err := temoto.FromBytes(data); err == nil {
			good = append(good, data)
		}
	}
	return good
}

// ordinary returns the files of a size that is usual for robots.txt: at most 16 KiB. It leaves out
// HTML pages.
func ordinary(files [][]byte) (some [][]byte) {
	isHTML := func(data []byte) bool {
		data = bytes.ToLower(data)
		return bytes.Contains(data, []byte("<html")) || bytes.Contains(data, []byte("<!doctype")) || bytes.Contains(data, []byte("<head"))
	}
	for _, data := range files {
		if len(data) <= 16<<10 && !isHTML(data) {
			some = append(some, data)
		}
	}
	return some
}

// fileRows measures parsing: speed, allocations and memory.
func fileRows(m meter, files [][]byte, peers []peer) ([]row, error) {
	both := accepted(files)
	t := m.times(func() {
		for _, data := range both {
			robotstxt.Parse(data)
		}
	}, func() {
		for _, data := range both {
			temoto.FromBytes(data)
		}
	})
	few := ordinary(files)
	ordinaryRow, err := allowedRow(m, fmt.Sprintf("Parse + one Allowed, %d ordinary files of %.1f KB", len(few), float64(size(few))/1e3/float64(len(few))), few, peers)
	if err != nil {
		return nil, err
	}
	allRow, err := allowedRow(m, "Parse + one Allowed, all files", files, peers)
	if err != nil {
		return nil, err
	}
	return []row{
		ordinaryRow,
		allRow,
		{"Parse, all files that temoto accepts", speed(both, t[0]), times(t[1] / t[0]), "temoto " + speed(both, t[1])},
		allocRow(both),
		heapRow("memory per byte of input, all files", both),
		heapRow("memory per byte of input, ordinary files", ordinary(both)),
	}, nil
}

// allowedRow measures how fast robotstxt, grobotstxt and the peers parse files, and ask each file
// about one URL. It leaves out files that a peer refuses, because refusing takes no time.
func allowedRow(m meter, what string, files [][]byte, peers []peer) (row, error) {
	const url = "https://www.example.com/shop/item?id=7"
	files, leftOut, err := parsedByAll(agent, url, files, peers)
	if err != nil {
		return row{}, err
	}
	texts := make([]string, len(files)) // the files as strings, for grobotstxt
	for i, data := range files {
		texts[i] = string(data)
	}
	names := []string{"grobotstxt"}
	passes := []func(){func() {
		for _, data := range files {
			robotstxt.Parse(data).Allowed(agent, url)
		}
	}, func() {
		for _, text := range texts {
			grobotstxt.AgentAllowed(text, agent, url)
		}
	}}
	for _, p := range peers {
		pass, stop, _, err := p.start(agent, url, files)
		if err != nil {
			return row{}, err
		}
		defer stop()
		names, passes = append(names, p.name), append(passes, pass)
	}
	t := m.times(passes...)
	var ratios, speeds []string
	for i, name := range names {
		ratios = append(ratios, fmt.Sprintf("%.2fx", t[i+1]/t[0]))
		speeds = append(speeds, name+" "+speed(files, t[i+1]))
	}
	return row{what + leftOut, speed(files, t[0]), strings.Join(ratios, ", "), strings.Join(speeds, ", ")}, nil
}

func speed(files [][]byte, ns float64) string {
	return fmt.Sprintf("%.0f MB/s", float64(size(files))*1e3/ns)
}

func times(ratio float64) string { return fmt.Sprintf("%.1fx", ratio) }

// allocRow counts the allocations of robotstxt and temoto when they parse each file. The row shows
// the median and the mean.
func allocRow(files [][]byte) row {
	var ours, theirs []float64
	for _, data := range files {
		ours = append(ours, allocs(func() { robotstxt.Parse(data) }))
		theirs = append(theirs, allocs(func() { temoto.FromBytes(data) }))
	}
	o, t := median(ours), median(theirs)
	return row{"allocations in Parse, median (mean) of all files", fmt.Sprintf("%.0f (%.1f)", o, mean(ours)), times(t / o),
		fmt.Sprintf("temoto %.0f (%.0f)", t, mean(theirs))}
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

// heapRow measures how much memory parsed files take.
func heapRow(what string, files [][]byte) row {
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
	return row{what, fmt.Sprintf("%.2f", ours/input), times(theirs / ours), fmt.Sprintf("temoto %.2f", theirs/input)}
}

// matchRows measures how long it takes to decide about a URL after a file has been parsed.
func matchRows(m meter) []row {
	cases := []struct {
		what string
		file []byte
	}{
		{"10 rules", rulesFile(10, 1)},
		{"184 rules, 32 with wildcards", rulesFile(184, 32)},
		{"5,640 rules without wildcards", rulesFile(5640, 0)},
		{"3,129 rules, 2,599 with wildcards", rulesFile(3129, 2599)},
		{"24,000 rules in 500 KiB", fullFile(24000, robotstxt.SizeLimit)},
	}
	var rows []row
	first := 0.0
	for i, c := range cases {
		r, ns := matchRow(m, "Match, "+c.what, c.file, urls(c.file))
		if i == 0 {
			first = ns
		} else {
			r.ours += ", " + times(ns/first)
		}
		rows = append(rows, r)
	}
	as := "https://www.example.com/" + strings.Repeat("a", 2000)
	star := func(n int) []byte { return []byte("User-agent: *\nDisallow: /" + strings.Repeat("a*", n) + "b\n") }
	few, _ := matchRow(m, "Match, 8 stars against 2,000 a's", star(8), []string{as})
	many, _ := matchRow(m, "Match, 400 stars against 2,000 a's", star(400), []string{as})
	return append(rows, few, many, agentRow(m), urlRow(m), locationRow(m))
}

// agentRow compares how long Allowed takes for a very long name with many hyphens, and for half of
// that name.
func agentRow(m meter) row {
	long := "a" + strings.Repeat("-a", 80_000)
	file := robotstxt.Parse([]byte("User-agent: a\nDisallow: /x\nUser-agent: a-a-a-b\nDisallow: /y\nUser-agent: *\nDisallow: /\n"))
	return doubled(m, "Match, an agent of 160 KB with many hyphens", func(half bool) {
		if half {
			file.Allowed(long[:len(long)/2], "/x")
		} else {
			file.Allowed(long, "/x")
		}
	})
}

// urlRow compares how long Allowed takes for a very long URL, and for half of that URL. The file has
// many rules.
func urlRow(m meter) row {
	long := "https://www.example.com/" + strings.Repeat("a/b/", 100_000)
	file := robotstxt.Parse(rulesFile(400, 200))
	for range 100 {
		file.Allowed(agent, "/")
	}
	return doubled(m, "Match, a URL of 400 KB, 400 rules", func(half bool) {
		if half {
			file.Allowed(agent, long[:len(long)/2])
		} else {
			file.Allowed(agent, long)
		}
	})
}

// doubled measures how much longer f takes for a whole input than for half of it.
func doubled(m meter, what string, f func(half bool)) row {
	t := m.times(func() { f(false) }, func() { f(true) })
	return row{what, fmt.Sprintf("%.2f ms, %s for twice the length", t[0]/1e6, times(t[0]/t[1])), "-", "-"}
}

// locationRow measures the time and the allocations of Location.
func locationRow(m meter) row {
	const url = "https://www.example.com/shop/item?id=7"
	t := m.times(func() {
		for range 1000 {
			robotstxt.Location(url)
		}
	})
	n := allocs(func() { robotstxt.Location(url) })
	return row{"Location of an https URL", fmt.Sprintf("%.0f ns, %.0f allocation", t[0]/1000, n), "-", "-"}
}

// matchRow measures the average time that robotstxt and temoto take to decide about a URL. The
// time to parse the file does not count. The result ns is the time of robotstxt, in
// nanoseconds. If temoto refuses the file, ns is 0.
func matchRow(m meter, what string, file []byte, urls []string) (r row, ns float64) {
	ours := robotstxt.Parse(file)
	theirs, err := temoto.FromBytes(file)
	if err != nil {
		return row{what: what, peers: "temoto refuses the file"}, 0
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
	return row{what, per(t[0]), times(t[1] / t[0]), "temoto " + per(t[1])}, t[0] / float64(len(urls))
}
