package main

import (
	"bytes"
	"fmt"
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

// fileRows measures parsing: speed and memory.
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
	few, many := rulesFile(10, 1), rulesFile(3129, 2599)
	return []row{
		matchRow(m, "Match, 10 rules", few, urls(few)),
		matchRow(m, "Match, 3,129 rules, 2,599 with wildcards", many, urls(many)),
	}
}

// matchRow measures the average time that robotstxt and temoto take to decide about a URL. The
// time to parse the file does not count.
func matchRow(m meter, what string, file []byte, urls []string) row {
	ours := robotstxt.Parse(file)
	theirs, err := temoto.FromBytes(file)
	if err != nil {
		panic(err) // temoto reads what rulesFile returns
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
	return row{what, per(t[0]), times(t[1] / t[0]), "temoto " + per(t[1])}
}
