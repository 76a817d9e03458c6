package page

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
)

// TestUses tests the answers about a page. What noindex, none and unavailable_after mean, Google documents
// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag), noai DeviantArt, and Content-Usage and
// Content-Signal their drafts; see package aipref. That a page that may not be fetched cannot be told is ours: nobody knows
// whether an index has it.
func TestUses(t *testing.T) {
	const open, closed = "User-agent: *\nDisallow:\n", "User-agent: *\nDisallow: /x\n"
	const never = "the page may not be fetched, so crawlers never see its "
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		about, robots, header, body, agent string
		fetch, index, train                string // the answer and the reason; "" if the question does not concern the agent
		hidden                             bool
	}{
		{"nothing", open, "", "", "FooBot", "yes: no rule matches (group *)", "yes: nothing says noindex", "yes: nothing is said about training", false},
		{"a header", open, "X-Robots-Tag: noindex", "", "FooBot", "yes: no rule matches (group *)", "no: noindex (X-Robots-Tag 1)", "yes: nothing is said about training", false},
		{"index is no noindex", open, "X-Robots-Tag: index, follow", "", "Googlebot", "yes: no rule matches (group *)", "yes: nothing says noindex", "", false},
		{"the more restrictive wins", open, "X-Robots-Tag: noindex", "<meta name=robots content=index,follow>", "Googlebot", "yes: no rule matches (group *)", "no: noindex (X-Robots-Tag 1)", "", false},
		{"none", open, "", "\n<meta name=robots content=none>", "Googlebot", "yes: no rule matches (group *)", "no: none (line 2)", "", false},
		{"header and tag", open, "X-Robots-Tag: noindex", "<meta name=robots content=none>", "Googlebot", "yes: no rule matches (group *)", "no: noindex (X-Robots-Tag 1), none (line 1)", "", false},
		{"for another crawler", open, "X-Robots-Tag: bingbot: noindex", "", "Googlebot", "yes: no rule matches (group *)", "yes: nothing says noindex", "", false},
		{"a date in the past", open, "", "<meta name=robots content='unavailable_after: 2020-01-01'>", "Googlebot", "yes: no rule matches (group *)", "no longer: unavailable_after: 2020-01-01 (line 1)", "", false},
		{"a date in the future", open, "", "<meta name=robots content='unavailable_after: 2027-01-01'>", "Googlebot", "yes: no rule matches (group *)", "yes: only until unavailable_after: 2027-01-01 (line 1)", "", false},
		{"a date that is none", open, "", "<meta name=robots content='unavailable_after: soon'>", "Googlebot", "yes: no rule matches (group *)", "yes: nothing says noindex", "", false},
		{"a hidden noindex", closed, "X-Robots-Tag: noindex", "", "Googlebot", "no: line 2: Disallow: /x (group *)", "cannot be told: " + never + "noindex (X-Robots-Tag 1)", "", true},
		{"a hidden date", closed, "X-Robots-Tag: unavailable_after: 2020-01-01", "", "Googlebot", "no: line 2: Disallow: /x (group *)", "cannot be told: " + never + "unavailable_after: 2020-01-01 (X-Robots-Tag 1)", "", true},
		{"disallowed", closed, "", "", "Googlebot", "no: line 2: Disallow: /x (group *)", "cannot be told: the page may not be fetched, but search results can still show its address", "", false},
		{"a crawler for training", closed, "X-Robots-Tag: noindex", "", "GPTBot", "no: line 2: Disallow: /x (group *)", "", "no: line 2: Disallow: /x (group *)", false},
		{"noai", open, "X-Robots-Tag: noai", "", "GPTBot", "yes: no rule matches (group *)", "", "no: noai (X-Robots-Tag 1)", false},
		{"a header about AI", open, "Content-Usage: train-ai=n", "", "GPTBot", "yes: no rule matches (group *)", "", "no: disallowed by the Content-Usage header", false},
		{"a permission", open, "Content-Signal: ai-train=yes", "", "GPTBot", "yes: no rule matches (group *)", "", "yes: allowed by the Content-Signal header", false},
		{"a signal of the file", open + "Content-Signal: ai-train=no\n", "Content-Signal: ai-train=yes", "", "GPTBot", "yes: no rule matches (group *)", "", "no: disallowed by line 3 (Content-Signal)", false},
		{"a signal for others", open + "Content-Signal: ai-train=no\nUser-agent: GPTBot\nDisallow: /y\n", "", "", "GPTBot", "yes: no rule matches (group GPTBot)", "", "yes: nothing is said about training", false},
		{"the policy token", open + "User-agent: __usage_ai-training\nDisallow: /\n", "", "", "GPTBot", "yes: no rule matches (group *)", "", "no: disallowed by line 4 (__usage_ai-training, provisional)", false},
		{"a reservation decides nothing", open, "Tdm-Reservation: 1", "", "GPTBot", "yes: no rule matches (group *)", "", "yes: nothing is said about training", false},
		{"a followed group", "User-agent: Googlebot\nDisallow: /x\n", "", "", "Applebot", "no: line 2: Disallow: /x (by the group Googlebot, which its operator documents)", "cannot be told: the page may not be fetched, but search results can still show its address", "no: line 2: Disallow: /x (by the group Googlebot, which its operator documents)", false},
	} {
		file := verdict.Parse([]byte(c.robots))
		header := http.Header{}
		if name, value, ok := strings.Cut(c.header, ": "); ok {
			header.Set(name, value)
		}
		p := Read("https://shop.example/x", header, []byte(c.body))
		u := p.Uses(c.agent, &file, now)
		got := []string{text(u.Fetch), text(u.Index), text(u.Train)}
		if diff := cmp.Diff([]string{c.fetch, c.index, c.train}, got); diff != "" || u.IsHidden != c.hidden {
			t.Errorf("%s: hidden %t (-want +got)\n%s", c.about, u.IsHidden, diff)
		}
	}
}

func text(u *Use) string {
	if u == nil {
		return ""
	}
	return string(u.Answer) + ": " + u.Why
}

// TestUsesWithoutFile tests pages whose robots.txt is not known.
func TestUsesWithoutFile(t *testing.T) {
	p := Read("", http.Header{"X-Robots-Tag": {"noindex"}}, nil)
	if u := p.Uses("FooBot", nil, time.Now()); text(u.Fetch) != "cannot be told: no robots.txt was checked" || text(u.Index) != "no: noindex (X-Robots-Tag 1)" || u.Train.Answer != Yes {
		t.Errorf("no robots.txt: %s, %s, %s", text(u.Fetch), text(u.Index), text(u.Train))
	}
}

// TestUsesRefused tests a page whose robots.txt the server refuses to this tool.
func TestUsesRefused(t *testing.T) {
	file := verdict.Parse(nil)
	file.File, file.IsUnknown, file.Why = robotstxt.Unavailable(), true, "refused"
	for header, train := range map[string]string{"": "cannot be told: nobody knows whether the page may be fetched", "noai": "no: noai (X-Robots-Tag 1)"} {
		p := Read("https://shop.example/x", http.Header{"X-Robots-Tag": {header}}, nil)
		u := p.Uses("FooBot", &file, time.Now())
		if text(u.Fetch) != "cannot be told: refused" || text(u.Index) != "cannot be told: nobody knows whether the page may be fetched" || text(u.Train) != train || u.IsHidden {
			t.Errorf("%q: %s, %s, %s", header, text(u.Fetch), text(u.Index), text(u.Train))
		}
	}
}

// TestFetch tests which bodies are read as HTML, and what is kept of answers that are no page.
func TestFetch(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = r.URL.Query()["type"]
		switch r.URL.Path {
		case "/moved":
			w.Header().Set("Location", "/x?type=text/html")
			w.WriteHeader(http.StatusFound)
		case "/lost":
			w.WriteHeader(http.StatusFound)
		case "/gone":
			w.WriteHeader(http.StatusGone)
		case "/cut":
			w.Header().Set("Content-Length", "1000")
		}
		io.WriteString(w, "<meta name=robots content=noindex>")
	}))
	defer server.Close()
	for path, want := range map[string]string{
		"/x":                                "200 noindex",
		"/x?type=text/html":                 "200 noindex",
		"/x?type=text/html%3Bcharset=utf-8": "200 noindex",
		"/x?type=application/xhtml%2Bxml":   "200 noindex",
		"/x?type=text/plain":                "200 ",
		"/x?type=application/pdf":           "200 ",
		"/moved?type=text/html":             "302 noindex to /x?type=text/html",
		"/lost?type=text/plain":             "302  to /lost?type=text/plain",
		"/gone?type=text/html":              "410 : the server answers 410 Gone",
		"/cut?type=text/html":               "200 : the answer was cut off, unknown",
	} {
		p := Fetch(t.Context(), WithoutRedirects(server.Client()), server.URL+path)
		got := fmt.Sprintf("%d %s", p.Status, p.Tags.For())
		if p.Target != "" {
			got += " to " + strings.TrimPrefix(p.Target, server.URL)
		}
		if p.Why != "" {
			got = fmt.Sprintf("%d : %s", p.Status, p.Why)
		}
		if p.IsUnknown() {
			got += ", unknown"
		}
		if got != want || p.IsRead() != (p.Why == "" && p.Target == "") {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

// TestUnknown tests which directives are unknown, and which are probably meant. The spellings are from questions of owners.
func TestUnknown(t *testing.T) {
	p := Read("", http.Header{"X-Robots-Tag": {"no-index, no follow, NoIndx, nosuch, nosuch, max-snippet: many, FooBot: no-ai", "noindex"}, "Content-Signal": {"ai-train=no, tdm=no"}, "Content-Usage": {"train-ai=maybe"}}, nil)
	want := []string{"no-index (did you mean noindex?)", "no follow (did you mean nofollow?)", "NoIndx (did you mean noindex?)", "nosuch", "max-snippet: many", "no-ai (did you mean noai?)", "train-ai", "tdm"}
	if diff := cmp.Diff(want, p.Unknown()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
