package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/casefile"
	"github.com/robotstxt-go/robotstxt/internal/wire"
	"github.com/robotstxt-go/robotstxt/testdata"
)

func topics(t *testing.T) []topic {
	t.Helper()
	list, err := readTopics("")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestExport tests that the exported files contain the topics unchanged, and no other keys
// than those of the type topic.
func TestExport(t *testing.T) {
	folder := t.TempDir()
	var out, errs bytes.Buffer
	if status := command([]string{"export", folder}, nil, &out, &errs); status != 0 {
		t.Fatalf("status %d: %s", status, &errs)
	}
	list := topics(t)
	if want := fmt.Sprintf("%s: %d topics\n", folder, len(list)); out.String() != want {
		t.Errorf("got output %q, want %q", &out, want)
	}
	for _, want := range list {
		data, err := os.ReadFile(filepath.Join(folder, want.Topic+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var got topic
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&got); err != nil {
			t.Fatalf("%s: %v", want.Topic, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", want.Topic, diff)
		}
	}
}

// TestEverythingExported tests that every row of testdata is exported. For rows that the
// command run does not ask about, it also tests the expectations with this module.
func TestEverythingExported(t *testing.T) {
	cases, err := casefile.ReadProtocol(testdata.Cases, ".")
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]int{}, map[string]int{}
	for _, c := range cases {
		for _, s := range c.Sections {
			want[s.Name] += len(s.Rows)
			for _, row := range s.Rows {
				if row.Either {
					want["either"]++
				}
			}
		}
	}
	for _, topic := range topics(t) {
		for _, c := range topic.Cases {
			countCase(got, c)
			checkCase(t, c)
		}
	}
	for _, name := range []string{"reasons", "chosen", "groups", "records", "tokens"} {
		delete(want, name) // these concern only the API of this module
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("number of rows in each section (-want +got)\n%s", diff)
	}
}

func countCase(n map[string]int, c caseData) {
	for _, q := range c.Questions {
		if q.ID == c.ID { // a row of a section "status" is a case
			n["status"]++
		} else {
			n["want"]++
		}
		if q.Verdict == "either" {
			n["either"]++
		}
	}
	if c.Sitemaps != nil {
		n["sitemaps"] += len(*c.Sitemaps)
	}
	n["crawl-delay"] += len(c.CrawlDelays)
	n["locations"] += len(c.Locations)
	n["covers"] += len(c.Covers)
}

func checkCase(t *testing.T, c caseData) {
	if c.Robots != nil {
		file := robotstxt.Parse([]byte(*c.Robots))
		if c.Sitemaps != nil {
			sitemaps := []wire.Octets{}
			for _, s := range file.Sitemaps() {
				sitemaps = append(sitemaps, wire.Octets(s))
			}
			if diff := cmp.Diff(*c.Sitemaps, sitemaps); diff != "" {
				t.Errorf("%s: sitemaps (-want +got)\n%s", c.ID, diff)
			}
		}
		for _, d := range c.CrawlDelays {
			delay, ok := file.Group(string(d.Agent)).CrawlDelay()
			if ok != (d.Seconds != nil) || ok && delay.Seconds() != *d.Seconds {
				t.Errorf("%s: crawl-delay of %q is %v, %v; want %v", c.ID, d.Agent, delay, ok, d.Seconds)
			}
		}
	}
	for _, l := range c.Locations {
		got, err := robotstxt.Location(string(l.URL))
		if (err == nil) != (l.Location != nil) || err == nil && got != *l.Location {
			t.Errorf("%s: Location(%q) = %q, %v, but the suite expects another result", c.ID, l.URL, got, err)
		}
	}
	for _, v := range c.Covers {
		if got := robotstxt.Covers(string(v.RobotsURL), string(v.URL)); got != v.Covers {
			t.Errorf("%s: Covers(%q, %q) = %v, want %v", c.ID, v.RobotsURL, v.URL, got, v.Covers)
		}
	}
}

// TestIDs tests that no two questions have the same ID.
func TestIDs(t *testing.T) {
	seen := map[string]bool{}
	for _, topic := range topics(t) {
		for _, c := range topic.Cases {
			for _, q := range c.Questions {
				if seen[q.ID] {
					t.Errorf("two questions have the ID %s", q.ID)
				}
				seen[q.ID] = true
			}
		}
	}
}

func TestAbsolute(t *testing.T) {
	for url, want := range map[string]string{
		"/":               "https://www.example.com/",
		"/a?b#c":          "https://www.example.com/a?b#c",
		"//example.com/a": "//example.com/a",
		"":                "",
		"example.com/a":   "example.com/a",
		"https://a/b":     "https://a/b",
	} {
		if got := absolute(url); got != want {
			t.Errorf("absolute(%q) = %q, want %q", url, got, want)
		}
	}
}
