package survey_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
	"github.com/robotstxt-go/robotstxt/internal/warctest"
)

// crawl returns a .warc.gz archive of small files, as most sites have.
func crawl() (archive []byte, captures int) {
	for i := range 500 {
		body := "# robots.txt\nUser-agent: *\n" + strings.Repeat(fmt.Sprintf("Disallow: /shop/%d/*?sort=\nAllow: /shop/%[1]d/index\n", i), i%40) +
			"\nUser-agent: GPTBot\nDisallow: /\n\nSitemap: https://www.example.com/sitemap.xml\n"
		url := fmt.Sprintf("https://www%d.example/robots.txt", i)
		record := warctest.Response(url, time.Unix(1_800_000_000, 0), 200, "Content-Type: text/plain\r\n", []byte(body))
		archive = append(archive, warctest.Gzip(record)...)
		captures++
	}
	return archive, captures
}

// BenchmarkSurvey measures reading an archive alone, and a survey of it without and with lint, on
// all cores.
func BenchmarkSurvey(b *testing.B) {
	archive, captures := crawl()
	agents := []string{"*", "Googlebot", "GPTBot", "CCBot", "bingbot"}
	measure := func(name string, run func() error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*captures)/b.Elapsed().Seconds(), "captures/s")
		})
	}
	reader := func() *survey.Reader { return survey.NewReader(bytes.NewReader(archive), "crawl.warc.gz") }
	measure("reading", func() (err error) {
		for r := reader(); err == nil; {
			_, err = r.Next()
		}
		if err == io.EOF {
			return nil
		}
		return err
	})
	for _, noLint := range []bool{true, false} {
		job := &survey.Job{Questions: survey.Questions{Agents: agents, NoLint: noLint}}
		measure(fmt.Sprintf("no-lint=%t", noLint), func() error {
			_, err := job.Run(b.Context(), func(yield func(*survey.Reader, error) bool) { yield(reader(), nil) }, nil)
			return err
		})
	}
}
