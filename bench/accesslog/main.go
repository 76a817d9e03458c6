// Command accesslog compares how fast "robotstxt log" and GoAccess read an access log. It
// generates a log in the Combined Log Format, which both programs read. The log contains
// the User-Agent headers of known crawlers and browsers. Its paths come from the rules of the
// robots.txt files in the folder DIR. With -make, the command only writes the log.
//
//	go run ./accesslog -corpus DIR
//	go run ./accesslog -corpus DIR -make access.log
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

var (
	corpus = flag.String("corpus", "", "a `folder` of robots.txt files, whose names end in .txt")
	lines  = flag.Int("lines", 2_000_000, "the number of lines in the log")
	runs   = flag.Int("runs", 3, "the number of times to run each program; the output shows the run with the median CPU time")
	makeIn = flag.String("make", "", "write the log to a `file`, and measure nothing")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	err := errors.New("-corpus is missing")
	switch {
	case *makeIn != "":
		err = makeLog(*makeIn)
	case *corpus != "":
		err = measure()
	}
	if err != nil {
		log.Fatal("accesslog: ", err)
	}
}

// robots is a typical robots.txt file, with groups for some of the crawlers in the log.
const robots = `User-agent: *
Disallow: /wp-admin/
Allow: /wp-admin/admin-ajax.php
Disallow: /search
Disallow: /*?sort=
Disallow: /cart
Disallow: /cgi-bin/
Disallow: /tmp/

User-agent: GPTBot
User-agent: ClaudeBot
Crawl-delay: 2
Disallow: /

User-agent: bingbot
Crawl-delay: 10
Disallow: /*.pdf$
Disallow: /admin
`

// measure generates an access log, runs "robotstxt log" and GoAccess on it, and prints a table.
func measure() error {
	dir, err := os.MkdirTemp("", "accesslog")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	access, command := filepath.Join(dir, "access.log"), filepath.Join(dir, "robotstxt")
	if err := makeLog(access); err != nil {
		return err
	}
	build := exec.Command("go", "build", "-o", command, "./cmd/robotstxt")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "robots.txt"), []byte(robots), 0o666); err != nil {
		return err
	}
	programs := [][]string{
		{command, "log", "--robots", filepath.Join(dir, "robots.txt"), access},
		{"goaccess", access, "--log-format=COMBINED", "--no-progress", "--output=" + filepath.Join(dir, "report.json")},
	}
	results := make([][]usage, len(programs))
	for range *runs { // the programs take turns
		for i, program := range programs {
			u, err := run(program)
			if err != nil {
				return err
			}
			results[i] = append(results[i], u)
		}
	}
	fmt.Printf("%-10s %12s %12s %8s\n", "", "lines/s", "lines/CPU s", "MB")
	for i, name := range []string{"robotstxt", "goaccess"} {
		u := median(results[i])
		fmt.Printf("%-10s %12.0f %12.0f %8.0f\n", name, float64(*lines)/u.wall.Seconds(), float64(*lines)/u.cpu.Seconds(), u.memory)
	}
	return nil
}

// A usage says how much time and memory a process used.
type usage struct {
	wall, cpu time.Duration
	memory    float64 // at the peak, in MB
}

func run(program []string) (u usage, err error) {
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return u, fmt.Errorf("%s: %w", program[0], err)
	}
	u.wall, u.cpu = time.Since(start), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.memory = float64(r.Maxrss) / 1e3
	}
	return u, nil
}

// median returns the usage of the run with the median CPU time.
func median(runs []usage) usage {
	slices.SortFunc(runs, func(a, b usage) int { return int(a.cpu - b.cpu) })
	return runs[len(runs)/2]
}

// agents lists User-Agent headers with their relative frequencies.
var agents = []struct {
	weight int
	header string
}{
	{20, "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"},
	{10, "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"},
	{8, "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0"},
	{12, "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
	{10, "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.69 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
	{8, "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36"},
	{8, "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"},
	{4, "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot"},
	{6, "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)"},
	{3, "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)"},
	{3, "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)"},
	{3, "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)"},
	{2, "CCBot/2.0 (https://commoncrawl.org/faq/)"},
	{1, "AdsBot-Google (+http://www.google.com/adsbot.html)"},
	{1, "curl/8.11.0"},
	{1, "-"},
}

// makeLog writes a log that covers 30 days.
func makeLog(name string) (err error) {
	paths, err := readPaths(*corpus)
	if err != nil {
		return err
	}
	var headers []string
	for _, a := range agents {
		headers = append(headers, slices.Repeat([]string{a.header}, a.weight)...)
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	r := rand.New(rand.NewPCG(9309, 1))
	start := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	for i := range *lines {
		at := start.Add(30 * 24 * time.Hour / time.Duration(*lines) * time.Duration(i))
		path, status := paths[r.IntN(len(paths))], []int{200, 200, 200, 200, 301, 404}[r.IntN(6)]
		if r.IntN(500) == 0 {
			path, status = "/robots.txt", 200
		}
		fmt.Fprintf(w, "192.0.2.%d - - [%s] \"GET %s HTTP/1.1\" %d %d \"-\" \"%s\"\n", r.IntN(256),
			at.Format("02/Jan/2006:15:04:05 -0700"), path, status, r.IntN(100_000), headers[r.IntN(len(headers))])
	}
	return w.Flush()
}

// readPaths returns paths made from the rules in the .txt files of a folder. It removes or
// replaces wildcards, and removes characters that servers escape in their logs.
func readPaths(folder string) (paths []string, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for _, group := range robotstxt.Parse(data).Groups() {
			for _, rule := range group.Rules() {
				path := strings.NewReplacer("*", "x", "$", "", `"`, "", `\`, "", " ", "").Replace(rule.Pattern)
				if strings.HasPrefix(path, "/") && len(path) < 200 && strings.Trim(path, "\t") == path {
					paths = append(paths, path)
				}
			}
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no rules in the .txt files of %q", folder)
	}
	return paths, nil
}
