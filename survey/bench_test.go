package survey_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt/internal/warctest"
	"github.com/robotstxt-go/robotstxt/survey"
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

// BenchmarkSurvey measures reading an archive alone, and adding its captures to a summary
// without and with lint.
func BenchmarkSurvey(b *testing.B) {
	archive, captures := crawl()
	agents := []string{"*", "Googlebot", "GPTBot", "CCBot", "bingbot"}
	for _, run := range []struct {
		name string
		add  func(*survey.Summary, survey.Capture)
	}{
		{"reading", func(*survey.Summary, survey.Capture) {}},
		{"no-lint", func(s *survey.Summary, c survey.Capture) {
			s.AddCapture(survey.Questions{Agents: agents, NoLint: true}, c)
		}},
		{"lint", func(s *survey.Summary, c survey.Capture) { s.AddCapture(survey.Questions{Agents: agents}, c) }},
	} {
		b.Run(run.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var summary survey.Summary
				r := survey.NewReader(bytes.NewReader(archive), "crawl.warc.gz")
				for {
					c, err := r.Next()
					if err == io.EOF {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
					run.add(&summary, c)
				}
			}
			b.ReportMetric(float64(b.N*captures)/b.Elapsed().Seconds(), "captures/s")
		})
	}
}
