package accesslog

import (
	"bufio"
	"bytes"
	gocmp "cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
)

const robotsFile = `User-agent: *
Disallow: /basket
Disallow: /*?session=

User-agent: GPTBot
Crawl-delay: 2
Disallow: /archive/
`

// always returns a version that was always in force.
func always(text string) []Version {
	return []Version{{From: Always, File: verdict.Parse([]byte(text))}}
}

// count returns the report of a log.
func count(t *testing.T, o Options, p Parser, log string) *Report {
	t.Helper()
	if o.Versions == nil {
		o.Versions = always(robotsFile)
	}
	c := NewCollector(o, p)
	if err := c.Read("access.log", strings.NewReader(log)); err != nil {
		t.Fatal(err)
	}
	return c.Report()
}

// TestServers reads logs of the same requests, written by the servers of Debian 12.
func TestServers(t *testing.T) {
	const odd = "/t%C3%BC\"q\"%c3%a9\\x"
	want := []Entry{
		{Target: "/robots.txt", Agent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", Status: 200},
		{Target: "/tea", Agent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", Status: 404},
		{Target: "/basket?add=1", Agent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", Status: 404},
		{Target: "/archive/1999", Agent: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)", Status: 404},
		{Target: "/archive/2000", Agent: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)", Status: 404},
		{Target: "/archive/1999", Agent: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot", Status: 404},
		{Target: "/basket", Agent: "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0", Status: 404},
		{Target: odd, Agent: "Odd \"quoted\" \\ agent\tü", Status: 404},
		{Target: "/", Status: 200},
		{Status: 400}, // GARBAGE
		{Status: 400}, // TLS
		{Target: "http://shop.example/abs", Agent: "CCBot/2.0 (https://commoncrawl.org/faq/)", Status: 404},
	}
	nginxJSON := Fields{requestField: "request", hostField: "host", agentField: "agent", timeField: "time", statusField: "status"}
	for _, test := range []struct {
		file               string
		fields             Fields
		host               string
		noAgent, noAddress bool
	}{
		{"nginx.log", Fields{}, "", false, false},
		{"nginx.jsonl", nginxJSON, "shop.example", false, true},
		{"nginx.jsonl", Fields{}, "shop.example", false, true},
		{"apache.log", Fields{}, "", false, false},
		{"apache-common.log", Fields{}, "", true, false},
		{"apache-vhost.log", Fields{}, "shop.example", false, false},
		{"caddy.jsonl", Fields{}, "shop.example", false, false},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", test.file))
		if err != nil {
			t.Fatal(err)
		}
		parser := Parser{Fields: test.fields}
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		wanted := want
		if test.file == "caddy.jsonl" { // Caddy does not log the last three requests
			wanted = want[:9]
		}
		if len(lines) != len(wanted) {
			t.Fatalf("%s: %d lines, want %d", test.file, len(lines), len(wanted))
		}
		for i, line := range lines {
			got, err := parser.Parse(line)
			if err != nil {
				t.Fatalf("%s:%d: %v", test.file, i+1, err)
			}
			w := wanted[i]
			if at := time.Date(2026, 11, 22, 6, 21, 15, 0, time.UTC).Unix(); got.Time < at || got.Time > at+1 {
				t.Errorf("%s:%d: the time is %d, want %d or a second later", test.file, i+1, got.Time, at)
			}
			if test.noAgent {
				w.Agent = ""
			}
			if !test.noAddress {
				w.Address = "127.0.0.1"
			}
			if w.Host = test.host; w.Target == "" && got.Host == "" {
				w.Host = ""
			}
			if strings.Contains(w.Target, "://") {
				w.Host = "shop.example"
			}
			if got.Status == 404 || got.Status == 200 {
				w.Status = got.Status // the servers did not all have the same pages
			}
			got.Time = 0
			if diff := cmp.Diff(w, got); diff != "" {
				t.Errorf("%s:%d (-want +got):\n%s", test.file, i+1, diff)
			}
		}
	}
}

// TestDocumentedFormats reads lines written after the documentation of each format, which formats.go
// names. All files have the same requests. The log of CloudFront has both encodings of blanks
// (https://github.com/matomo-org/matomo-log-analytics/pull/228), and the log of IIS has two #Fields
// lines.
func TestDocumentedFormats(t *testing.T) {
	const google, gpt = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
	want := []Entry{
		{Target: "/robots.txt", Agent: google, Address: "192.0.2.1", Status: 200},
		{Target: "/basket?add=1", Agent: google, Address: "192.0.2.1", Status: 404},
		{Target: "/archive/t%C3%BC?q=%2Ftea", Agent: gpt, Address: "192.0.2.2", Status: 200},
		{Target: "/basket", Agent: "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0", Address: "2001:db8::5", Status: 404},
		{Target: "/", Address: "192.0.2.3", Status: 200},
	}
	for _, test := range []struct{ file, prefix string }{
		{"alb.log", "https://shop.example:443"},
		{"application-gateway.jsonl", ""},
		{"cloudflare.jsonl", ""},
		{"cloudfront.jsonl", ""},
		{"cloudfront.log", ""},
		{"fastly.jsonl", ""},
		{"front-door.jsonl", "https://shop.example:443"},
		{"google-cloud.jsonl", "https://shop.example"},
		{"iis.log", ""},
		{"nginx-variables.jsonl", ""},
		{"traefik.jsonl", ""},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", test.file))
		if err != nil {
			t.Fatal(err)
		}
		var p Parser
		var got []Entry
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSuffix(line, "\n"); p.Directive(line) {
				continue
			}
			e, err := p.Parse(line)
			if err != nil || e.Time != 1795328475 || e.Host != "shop.example" {
				t.Errorf("%s: %+v, error %v, want Time 1795328475 (2026-11-22 06:21:15 UTC) and Host shop.example, of %s", test.file, e, err, line)
			}
			e.Time, e.Host, e.Agent, e.Target = 0, "", withBlanks(e.Agent), strings.TrimPrefix(e.Target, test.prefix)
			e.Agent = strings.Replace(e.Agent, " http", "+http", 1) // IIS writes "+" for "+" and for a blank
			got = append(got, e)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.file, diff)
		}
	}
}

// TestFieldsLine tests that a #Fields line applies to the log in which it is, and that lines without the
// columns that it names cannot be read.
func TestFieldsLine(t *testing.T) {
	const fields, entry = "#Fields: date time cs-uri-stem cs-uri-query cs-username cs(User-Agent)\n", "2026-11-22 06:21:15 /basket add=1 - FooBot/1.0+(+http://foo.example)\n"
	for _, test := range []struct {
		about, log string
		unread     int
	}{
		{"a good line", fields + entry, 0},
		{"no #Fields line", "#Version: 1.0\n" + entry, 1},
		{"a comment", fields + "# Fields: date time\n" + entry, 1},
		{"a user with a blank", fields + strings.Replace(entry, " - ", " John Doe ", 1), 1},
		{"a line that is cut off", fields + entry[:30] + "\n", 1},
		{"no date", strings.Replace(fields, "date ", "", 1) + strings.TrimPrefix(entry, "2026-11-22 "), 1},
		{"no path", strings.Replace(fields, "cs-uri-stem", "cs-method", 1) + entry, 1},
		{"a bad hour", fields + strings.Replace(entry, "06:", "24:", 1), 1},
		{"a bad day", fields + strings.Replace(entry, "-22", "-32", 1), 1},
		{"no time", fields + strings.Replace(entry, "06:21:15", "-", 1), 1},
	} {
		c := NewCollector(Options{Versions: always(robotsFile)}, Parser{})
		if err := c.Read("access.log", strings.NewReader(test.log)); err != nil {
			t.Fatal(err)
		}
		if c.report.Unread != test.unread || test.unread == 0 && (c.report.Lines != 1 || c.report.Crawlers[0].Disallowed != 1) {
			t.Errorf("%s: %d of %d lines cannot be read, want %d", test.about, c.report.Unread, c.report.Lines, test.unread)
		}
		if err := c.Read("other.log", strings.NewReader(entry)); err != nil || c.report.Unread != test.unread+1 {
			t.Errorf("%s: the #Fields line applies to another log: %v, %+v", test.about, err, c.report)
		}
	}
}

// TestWithBlanks tests that only headers without blanks are decoded.
func TestWithBlanks(t *testing.T) {
	for header, want := range map[string]string{
		"FooBot/1.0%20(%22x%22)":     `FooBot/1.0 ("x")`,
		"FooBot/1.0%2520(x;+y)":      "FooBot/1.0 (x;+y)",
		"FooBot/1.0+(x)":             "FooBot/1.0 (x)",
		"FooBot/1.0 (+http://x/%20)": "FooBot/1.0 (+http://x/%20)",
		"FooBot/100%":                "FooBot/100%",
	} {
		if got := withBlanks(header); got != want {
			t.Errorf("%q becomes %q, want %q", header, got, want)
		}
	}
}

// at is a time in a log line.
const at = "22/Nov/2026:06:21:15 +0000"

func TestParse(t *testing.T) {
	const seconds = 1795328475 // of at
	for _, test := range []struct {
		about, line string
		want        Entry
	}{
		{"IPv6", `2001:db8::1 - - [` + at + `] "GET / HTTP/1.1" 200 5 "-" "FooBot/1"`, Entry{Time: seconds, Target: "/", Agent: "FooBot/1", Address: "2001:db8::1", Status: 200}},
		{"a zone", `192.0.2.1 - - [22/Nov/2026:07:51:15 +0130] "GET / HTTP/1.1" 200 5`, Entry{Time: seconds, Target: "/", Address: "192.0.2.1", Status: 200}},
		{"a virtual host", `Shop.example:443 2001:db8::1 - - [` + at + `] "GET / HTTP/1.1" 200 -`, Entry{Time: seconds, Target: "/", Host: "shop.example", Address: "2001:db8::1", Status: 200}},
		{"a user with blanks", `192.0.2.1 - John F. Doe [` + at + `] "GET / HTTP/1.1" 200 5`, Entry{Time: seconds, Target: "/", Address: "192.0.2.1", Status: 200}},
		{"an address as host", `192.0.2.1 192.0.2.2 - - [` + at + `] "GET / HTTP/1.1" 200 5`, Entry{Time: seconds, Target: "/", Address: "192.0.2.1", Status: 200}},
		{"blanks in the path", `a - - [` + at + `] "GET /a b HTTP/1.1" 200 5`, Entry{Time: seconds, Target: "/a b", Address: "a", Status: 200}},
		{"no version", `a - - [` + at + `] "GET /" 200 5`, Entry{Time: seconds, Target: "/", Address: "a", Status: 200}},
		{"no request", `a - - [` + at + `] "-" 408 -`, Entry{Time: seconds, Address: "a", Status: 408}},
		{"a proxy's request", `a - - [` + at + `] "CONNECT b.example:443 HTTP/1.1" 400 -`, Entry{Time: seconds, Address: "a", Status: 400}},
		{"a URL", `a - - [` + at + `] "GET HTTP://B.example:80/x HTTP/1.1" 400 -`, Entry{Time: seconds, Target: "HTTP://B.example:80/x", Host: "b.example", Address: "a", Status: 400}},
		{"escapes at the end", `a - - [` + at + `] "GET / HTTP/1.1" 200 - "\\" "x\"\x4"`, Entry{Time: seconds, Target: "/", Address: "a", Agent: `x"\x4`, Status: 200}},
		{"a leap second", `a - - [22/Nov/2026:06:20:60 +0000] "GET / HTTP/1.1" 200 -`, Entry{Time: seconds - 15, Target: "/", Address: "a", Status: 200}},
		{"more fields", `a - - [` + at + `] "GET / HTTP/1.1" 200 - "-" "FooBot" "192.0.2.9" 0.01`, Entry{Time: seconds, Target: "/", Address: "a", Agent: "FooBot", Status: 200}},
		{"milliseconds", `{"request":{"uri":"/"},"ts":1795328475999}`, Entry{Time: seconds, Target: "/"}},
		{"a fraction", `{"request":{"uri":"/"},"ts":"1795328475.999"}`, Entry{Time: seconds, Target: "/"}},
		{"microseconds", `{"request":{"uri":"/"},"ts":1795328475999999}`, Entry{Time: seconds, Target: "/"}},
		{"nanoseconds", `{"request":{"uri":"/"},"ts":"1795328475999999999"}`, Entry{Time: seconds, Target: "/"}},
		{"a zone in JSON", `{"request":"GET / HTTP/1.1","time_iso8601":"2026-11-22T07:51:15+01:30"}`, Entry{Time: seconds, Target: "/"}},
		{"a zone without colon", `{"request":"GET / HTTP/1.1","timestamp":"2026-11-22T07:51:15+0130"}`, Entry{Time: seconds, Target: "/"}},
		{"no zone", `{"request":"GET / HTTP/1.1","time":"2026-11-22 06:21:15"}`, Entry{Time: seconds, Target: "/"}},
		{"an empty request in JSON", `{"request":"","msec":"1795328475.1"}`, Entry{Time: seconds}},
		{"other names for nginx", `{"request_uri":"/","@timestamp":"2026-11-22T06:21:15Z","server_name":"b.example","user_agent":"FooBot"}`, Entry{Time: seconds, Target: "/", Host: "b.example", Agent: "FooBot"}},
		{"blanks and other values in JSON", `{ "a" : [ ] , "b" : { } , "c" : [ -1.5e3 , null , [ true ] ] , "ts" : 1795328475 , "request" : { "uri" : "/\u0041\\" } } `, Entry{Time: seconds, Target: `/A\`}},
		{"a load balancer's bad request", "http 2026-11-22T06:21:15.1Z app/shop/1 a:1 - -1 -1 -1 400 - 0 0 \"- http://b.example:80- -\" \"-\"", Entry{Time: seconds, Address: "a:1", Status: 400}},
		{"a load balancer's escapes", `h2 2026-11-22T06:21:15.1Z app/shop/1 192.0.2.1:1 - -1 -1 -1 400 - 0 0 "GET https://b.example:443/x?y=\x22 HTTP/2.0" "Foo Bot"`, Entry{Time: seconds, Target: `https://b.example:443/x?y="`, Host: "b.example", Agent: "Foo Bot", Address: "192.0.2.1", Status: 400}},
		{"a clock in JSON", `{"request":{"uri":"/"},"ts":"2026-11-22T06:21:15.999Z"}`, Entry{Time: seconds, Target: "/"}},
		{"a chain of proxies", `203.0.113.7, 10.0.0.1, 10.0.0.2 - - [` + at + `] "GET / HTTP/1.1" 200 5 "-" "FooBot"`, Entry{Time: seconds, Target: "/", Agent: "FooBot", Address: "203.0.113.7", Status: 200}},
		{"a chain without blanks", `203.0.113.7,10.0.0.1 - - [` + at + `] "GET / HTTP/1.1" 200 5`, Entry{Time: seconds, Target: "/", Address: "203.0.113.7", Status: 200}},
		{"a chain in quotation marks, and the last proxy", `"203.0.113.7, 10.0.0.1" 10.0.0.9 - - [` + at + `] "GET / HTTP/1.1" 200 5`, Entry{Time: seconds, Target: "/", Address: "203.0.113.7", Status: 200}},
		{"no chain, and the last proxy", `"-" 192.0.2.1 - - [` + at + `] "GET / HTTP/1.1" 200 5`, Entry{Time: seconds, Target: "/", Address: "192.0.2.1", Status: 200}},
		{"an address in place of a host name", `{"request":{"uri":"/","host":"192.0.2.9:80"},"ts":1795328475}`, Entry{Time: seconds, Target: "/"}},
		{"an address in IPv6 in place of a host name", `{"request":{"uri":"/","host":"[2001:db8::5]:80"},"ts":1795328475}`, Entry{Time: seconds, Target: "/"}},
		{"a line in Docker's JSON", `{"log":"192.0.2.1 - - [` + at + `] \"GET / HTTP/1.1\" 200 5 \"-\" \"FooBot\"\n","stream":"stdout","time":"2026-11-22T06:21:16Z"}`, Entry{Time: seconds, Target: "/", Agent: "FooBot", Address: "192.0.2.1", Status: 200}},
		{"Docker's JSON with blanks", `{"log": "192.0.2.1 - - [` + at + `] \"GET / HTTP/1.1\" 200 5\n", "stream": "stdout"}`, Entry{Time: seconds, Target: "/", Address: "192.0.2.1", Status: 200}},
		{"JSON in Docker's JSON", `{"log":"{\"request\":{\"uri\":\"/\"},\"ts\":1795328475}\n","stream":"stdout","time":"2026-11-22T06:21:16Z"}`, Entry{Time: seconds, Target: "/"}},
		{"a list of one User-Agent", `{"request_uri":"/","time":"2026-11-22T06:21:15Z","user_agent":["FooBot"]}`, Entry{Time: seconds, Target: "/", Agent: "FooBot"}},
		{"Caddy's clock", `{"request":{"uri":"/"},"ts":"2026/11/22 06:21:15"}`, Entry{Time: seconds, Target: "/"}},
	} {
		got, err := new(Parser).Parse(test.line)
		if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", test.about, err, diff)
		}
	}
	for _, test := range []struct{ about, line, want string }{
		{"a comment", "# Fields: date time", "address - user ["},
		{"a bad day", `a - - [32/Nov/2026:06:21:15 +0000] "GET / HTTP/1.1" 200 -`, "address - user ["},
		{"a year before 1970", `a - - [22/Nov/1969:06:21:15 +0000] "GET / HTTP/1.1" 200 -`, "address - user ["},
		{"a bad minute", `a - - [22/Nov/2026:06:7x:15 +0000] "GET / HTTP/1.1" 200 -`, "address - user ["},
		{"minute 61", `a - - [22/Nov/2026:06:61:15 +0000] "GET / HTTP/1.1" 200 -`, "address - user ["},
		{"no status", `a - - [` + at + `] "GET / HTTP/1.1" - -`, "address - user ["},
		{"an open request", `a - - [` + at + `] "GET / HTTP/1.1\" 200 -`, "address - user ["},
		{"an open agent", `a - - [` + at + `] "GET / HTTP/1.1" 200 - "-" "Foo`, "address - user ["},
		{"a load balancer's line that is cut off", "http 2026-11-22T06:21:15.1Z app/shop/1", "load-balancer"},
		{"a load balancer's bad time", `http 2026-11-22T06:21:7 app/shop/1 a:1 - -1 -1 -1 400 - 0 0 "-" "-"`, "load-balancer"},
		{"broken JSON", `{"request":{"uri":"/"},"ts":1`, "a JSON object"},
		{"JSON without a comma", `{"request":{"uri":"/"} "ts":1}`, "a JSON object"},
		{"JSON with another separator", `{"request":{"uri":"/"};"ts":1}`, "a JSON object"},
		{"JSON without a colon", `{"request" "/"}`, "a JSON object"},
		{"JSON without a key", `{"request":{"uri":"/"},}`, "a JSON object"},
		{"JSON with a key that is not a string", `{ts:1}`, "a JSON object"},
		{"JSON without a value", `{"ts":}`, "a JSON object"},
		{"JSON with an open string", `{"ts":"1`, "a JSON object"},
		{"JSON with a bad escape", `{"ts":"\x"}`, "a JSON object"},
		{"JSON with another bracket", `{"ts":1]`, "a JSON object"},
		{"two JSON objects", `{"request":{"uri":"/"},"ts":1}{}`, "a JSON object"},
		{"no request", `{"ts":1}`, "request.uri"},
		{"a request that is an object", `{"request":{"uri":{}},"ts":1}`, "request.uri"},
		{"no time", `{"request":{"uri":"/"}}`, "keys of Caddy"},
		{"a time that is a list of lists", `{"request":{"uri":"/"},"ts":[[1]]}`, "keys of Caddy"},
		{"a time before 1970", `{"request":{"uri":"/"},"ts":-1}`, `"ts"`},
	} {
		if e, err := new(Parser).Parse(test.line); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v and error %v, want an error that contains %q", test.about, e, err, test.want)
		}
	}
}

// TestBarePaths tests paths without their first slash, which Akamai can write.
func TestBarePaths(t *testing.T) {
	fields, err := ParseFields("request=reqPath,agent=UA,time=reqTimeSec")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"tea/green?x=1": "/tea/green?x=1", "/tea": "/tea", "*": "", "-": "", "CONNECT a.example:443": ""} {
		p := Parser{Fields: fields}
		if e, err := p.Parse(`{"reqPath":"` + path + `","UA":"FooBot","reqTimeSec":1}`); err != nil || e.Target != want {
			t.Errorf("%q becomes %q, want %q (error %v)", path, e.Target, want, err)
		}
	}
}

// TestBarePathsWithQuery tests paths without their first slash whose query is apart, so that the path of the home page is
// empty.
func TestBarePathsWithQuery(t *testing.T) {
	fields, err := ParseFields("request=reqPath,query=queryStr,agent=UA,time=reqTimeSec")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{{"tea", "x=1", "/tea?x=1"}, {"/tea", "x=1", "/tea?x=1"}, {"", "-", "/"}, {"", "x=1", "/?x=1"}, {"a:b c", "-", ""}} {
		p := Parser{Fields: fields}
		if e, err := p.Parse(`{"reqPath":"` + c[0] + `","queryStr":"` + c[1] + `","UA":"FooBot","reqTimeSec":1}`); err != nil || e.Target != c[2] {
			t.Errorf("%q and %q become %q, want %q (error %v)", c[0], c[1], e.Target, c[2], err)
		}
	}
}

func TestParseFields(t *testing.T) {
	want := Fields{requestField: "a.b", agentField: "c", timeField: "d", hostField: "e", addressField: "f", statusField: "g", queryField: "h", dateField: "i"}
	if got, err := ParseFields("request=a.b, agent=c,time=d,host=e,address=f,status=g,query=h,date=i"); err != nil || got != want {
		t.Errorf("got %v, error %v; want %v", got, err, want)
	}
	for _, list := range []string{"", "request", "request=", "path=q", "request=a,agent=b"} {
		if got, err := ParseFields(list); err == nil {
			t.Errorf("%q: got %v, want an error", list, got)
		}
	}
}

// line returns a line of a log.
func line(seconds int64, path, agent string) string {
	return lineFrom("192.0.2.1", seconds, path, agent)
}

func lineFrom(address string, seconds int64, path, agent string) string {
	return address + " - - [" + time.Unix(seconds, 0).UTC().Format("02/Jan/2006:15:04:05 -0700") + `] "GET ` + path + ` HTTP/1.1" 200 1 "-" "` + agent + "\"\n"
}

// day returns the same second of day n.
func day(n int64) int64 { return 1_790_000_000 + n*24*60*60 }

// TestOrder tests that the order of lines does not change the report, and that gaps are exact.
func TestOrder(t *testing.T) {
	lines := []string{
		line(day(1), "/robots.txt?x", "GPTBot"), line(day(1)+1, "/archive/a", "gptbot/1.1"), line(day(1)+1, "/archive/a", "GPTBot"),
		line(day(1)+4, "/archive/b", "GPTBot"), line(day(1)+10, "/archive/c", "GPTBot"), line(day(1)+100, "/basket", "GPTBot"),
		line(day(2), "/basket", "Mozilla/5.0 (X11) Firefox/1"), line(day(2), "//basket", "FooBot"), line(day(2), "/basket", "FooBot"),
	}
	var first *Report
	for i := range 20 {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		got := count(t, Options{}, Parser{}, strings.Join(lines, ""))
		for _, row := range got.Crawlers {
			for _, b := range row.Rules {
				slices.Sort(b.Examples)
				b.Examples = b.Examples[:1] // the second example depends on the order
			}
		}
		if first == nil {
			first = got
		}
		if diff := cmp.Diff(summary(first), summary(got)); diff != "" {
			t.Fatalf("lines in another order (-want +got):\n%s", diff)
		}
	}
	want := []string{
		"GPTBot 6 4 / robots.txt 1 / gaps 0 3 / delay 2 / 7 Disallow: /archive/ 4",
		"FooBot 2 1 / gaps 0 0 / 2 Disallow: /basket 1",
		"others 1 1",
	}
	if diff := cmp.Diff(want, summary(first)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// summary returns a report as lines, for comparisons.
func summary(r *Report) (lines []string) {
	for _, row := range r.Crawlers {
		s := fmt.Sprintf("%s %d %d", row.Name, row.Requests, row.Disallowed)
		if n := row.RobotsTxt.Requests; n > 0 {
			s += fmt.Sprintf(" / robots.txt %d", n)
		}
		if row.Identity != "" && row.Identity != Unknown {
			s += " / " + string(row.Identity)
		}
		if row.SmallestGap != nil {
			s += fmt.Sprintf(" / gaps %d %d", *row.SmallestGap, *row.MedianGap)
		}
		if row.CrawlDelay != nil {
			s += fmt.Sprintf(" / delay %g", *row.CrawlDelay)
		}
		for _, b := range row.Rules {
			s += fmt.Sprintf(" / %d %s %d", b.Line, b.Rule, b.Requests)
		}
		lines = append(lines, s)
	}
	return append(lines, fmt.Sprintf("others %d %d", r.Others.Requests, r.Others.Disallowed))
}

// TestVersions tests that a request is judged by the file in force and, for a day after a
// change, also by the previous file.
func TestVersions(t *testing.T) {
	const hour = 60 * 60
	file := func(text string) verdict.File { return verdict.Parse([]byte(text)) }
	open, closed := file("User-agent: *\nAllow: /\n"), file("User-agent: *\nDisallow: /\n")
	versions := []Version{{From: day(10), File: closed}, {From: day(20), File: open}, {From: day(30), File: closed}, {From: day(30) + hour, File: file("# 1\nUser-agent: *\nDisallow: /\n")}}
	for _, test := range []struct {
		about                string
		at                   int64
		disallowed, unjudged int
		line                 int
	}{
		{"before the first", day(10) - 1, 0, 1, 0},
		{"within a day after the first, whose predecessor is not known", day(11) - 1, 0, 1, 0},
		{"later", day(11), 1, 0, 2},
		{"at the end of the first", day(20) - 1, 1, 0, 2},
		{"while all is allowed", day(20), 0, 0, 0},
		{"within a day after a change", day(31) - 1, 0, 0, 0}, // the crawler may still use the second
		{"later than a day after two changes", day(31), 1, 0, 3},
		{"long after the last change", day(300), 1, 0, 3},
	} {
		r := count(t, Options{Versions: versions}, Parser{}, line(test.at, "/x", "FooBot"))
		row := r.Crawlers[0]
		if row.Requests != 1 || row.Disallowed != test.disallowed || row.Unjudged != test.unjudged || r.Unjudged != test.unjudged {
			t.Errorf("%s: %s, %d not judged", test.about, summary(r), r.Unjudged)
		}
		if test.line > 0 && row.Rules[0].Line != test.line {
			t.Errorf("%s: the request is disallowed by line %d, want %d", test.about, row.Rules[0].Line, test.line)
		}
	}
}

// TestVersionsAnyOrder tests requests that are not sorted by time.
func TestVersionsAnyOrder(t *testing.T) {
	versions := []Version{{From: Always, File: verdict.Parse([]byte("User-agent: *\nDisallow: /\n"))}, {From: day(20), File: verdict.Parse(nil)}}
	got := count(t, Options{Versions: versions}, Parser{}, line(day(30), "/", "A")+line(day(10), "/", "A")+line(day(40), "/", "A")+line(day(1), "/", "B"))
	if diff := cmp.Diff([]string{"A 3 1 / gaps 864000 864000 / 2 Disallow: / 1", "B 1 1 / 2 Disallow: / 1", "others 0 0"}, summary(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStarless tests that a crawler is not judged by a group for "*" if its operator says
// that it ignores such groups.
func TestStarless(t *testing.T) {
	o := Options{Versions: always("User-agent: *\nDisallow: /\nUser-agent: AdsBot-Google-Mobile\nDisallow: /\n")}
	got := count(t, o, Parser{}, line(day(1), "/", "AdsBot-Google (+http://www.google.com/adsbot.html)")+line(day(1), "/", "AdsBot-Google-Mobile"))
	if diff := cmp.Diff([]string{"AdsBot-Google-Mobile 1 1 / 4 Disallow: / 1", "AdsBot-Google 1 0", "others 0 0"}, summary(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStarlessVersions tests that such a crawler is not judged by the group for "*" of an older
// version either.
func TestStarlessVersions(t *testing.T) {
	versions := []Version{
		{From: Always, File: verdict.Parse([]byte("User-agent: *\nDisallow: /\n"))},
		{From: day(10), File: verdict.Parse([]byte("User-agent: Mediapartners-Google\nDisallow: /\n"))},
	}
	got := count(t, Options{Versions: versions}, Parser{}, line(day(10)+60, "/", "Mediapartners-Google"))
	if diff := cmp.Diff([]string{"Mediapartners-Google 1 0", "others 0 0"}, summary(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRobotsTxt tests the counts of requests for the file, and of those that the server
// refused.
func TestRobotsTxt(t *testing.T) {
	log := line(day(3), "/robots.txt", "FooBot") + strings.Replace(line(day(2), "/robots.txt", "FooBot"), " 200 ", " 403 ", 1) + strings.Replace(line(day(2), "/robots.txt", "FooBot"), " 200 ", " 404 ", 1) +
		strings.Replace(line(day(1), "http://shop.example/robots.txt", "FooBot"), " 200 ", " 429 ", 1) + strings.Replace(line(day(4), "/robots.txt.gz", "FooBot"), " 200 ", " 401 ", 1)
	got := count(t, Options{}, Parser{}, log).Crawlers[0]
	if want := (RobotsTxt{Requests: 4, Missing: 1, Refused: 1, Last: Time(day(3))}); got.RobotsTxt != want || got.Refused != 2 || got.Days[1].Refused != 1 || got.First != Time(day(1)) || got.Last != Time(day(4)) {
		t.Errorf("%+v, from %d to %d, want %+v", got.RobotsTxt, got.First, got.Last, want)
	}
}

// TestIdentities tests that a crawler has a row for each identity.
func TestIdentities(t *testing.T) {
	o := Options{Identify: func(token, address string) Identity {
		if token == "Googlebot" {
			return map[string]Identity{"192.0.2.1": Verified}[address] + map[string]Identity{"192.0.2.2": Forged}[address]
		}
		return Unknown
	}}
	got := count(t, o, Parser{}, lineFrom("192.0.2.1", day(1), "/", "Googlebot")+lineFrom("192.0.2.2", day(1), "/basket", "Googlebot/2.1")+line(day(1), "/", "FooBot"))
	want := []string{"Googlebot 1 1 / forged / 2 Disallow: /basket 1", "FooBot 1 0", "Googlebot 1 0 / verified", "others 0 0"}
	if diff := cmp.Diff(want, summary(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLimits tests the options that limit which requests count.
func TestLimits(t *testing.T) {
	log := line(day(1), "/", "A") + line(day(2), "/", "B") + line(day(3), "/", "C") + "b.example " + line(day(2), "/", "D") + "junk\n\n"
	for _, test := range []struct {
		about string
		o     Options
		want  string
	}{
		{"all", Options{}, "A 1 0, B 1 0, C 1 0, D 1 0, others 0 0"},
		{"since", Options{Since: day(2)}, "B 1 0, C 1 0, D 1 0, others 0 0"},
		{"until", Options{Until: day(2)}, "A 1 0, others 0 0"},
		{"host", Options{Host: "b.example"}, "D 1 0, others 0 0"},
	} {
		r := count(t, test.o, Parser{}, log)
		if got := strings.Join(summary(r), ", "); got != test.want || r.Lines != 5 || r.Unread != 1 || r.Hostless != 3 || !slices.Equal(r.Hosts, []string{"b.example"}) {
			t.Errorf("%s: %s; %+v", test.about, got, r)
		}
	}
	r := count(t, Options{}, Parser{}, log)
	if f := r.Failures[0]; f.Line != 5 || f.Name != "access.log" || r.First != Time(day(1)) || r.Last != Time(day(3)) {
		t.Errorf("%+v", r)
	}
}

// TestDays tests the counts of days, in any order of the lines, and the changes of the file.
func TestDays(t *testing.T) {
	const hour = 60 * 60
	versions := []Version{{From: day(1), File: verdict.Parse(nil)}, {From: day(3) - hour, File: verdict.Parse([]byte("User-agent: *\nDisallow: /basket"))}, {From: day(9), File: verdict.Parse(nil)}}
	log := line(day(5), "/basket", "FooBot") + line(day(3), "/basket", "FooBot") + line(day(5)+1, "/", "FooBot") + line(day(0), "/basket", "FooBot") + line(day(5), "/", "Opera/9") + line(day(5), "/robots.txt", "BarBot")
	r := count(t, Options{Versions: versions}, Parser{}, log)
	counts := func(days []Day) (lines []string) {
		for _, d := range days {
			lines = append(lines, fmt.Sprintf("%s %d %d %d %d", d.Date, d.Requests, d.Disallowed, d.Unjudged, d.RobotsTxt))
		}
		return lines
	}
	// day(0) is 2026-09-21. On day 3, crawlers may still use the first version.
	got := map[string][]string{"others": counts(r.Others.Days)}
	for _, row := range r.Crawlers {
		got[row.Name] = counts(row.Days)
	}
	want := map[string][]string{
		"FooBot": {"2026-09-21 1 0 1 0", "2026-09-24 1 0 0 0", "2026-09-26 2 1 0 0"}, "BarBot": {"2026-09-26 1 0 0 1"}, "others": {"2026-09-26 1 0 0 0"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if want := []Time{Time(day(1)), Time(day(3) - hour)}; !slices.Equal(r.Changes, want) {
		t.Errorf("the changes are %v, want %v", r.Changes, want)
	}
	if r := count(t, Options{}, Parser{}, log); r.Changes == nil || len(r.Changes) > 0 {
		t.Errorf("a file that was always in force has the changes %v", r.Changes)
	}
}

// TestManyDays tests that the number of stored days is limited.
func TestManyDays(t *testing.T) {
	c := NewCollector(Options{Versions: always(robotsFile)}, Parser{})
	add := func(agent string, days int) {
		for i := range days {
			c.add(&Entry{Time: int64(i) * 24 * 60 * 60, Target: "/", Agent: agent})
		}
	}
	add("GPTBot", maxDays+1)
	for i := range maxUnknown/(daySize*maxDays) + 1 { // each request has a time, too
		add("bot"+strconv.Itoa(i), maxDays)
	}
	add("late", 2)
	add("CCBot", 2)
	add("Mozilla/5.0 (X11) Firefox/1", 3)
	want := map[string]int{"GPTBot": maxDays, "bot0": maxDays, "late": 0, "CCBot": 2}
	r := c.Report()
	if n := len(r.Others.Days); n != 3 {
		t.Errorf("the others have %d days, want 3", n)
	}
	for _, row := range r.Crawlers {
		if n, ok := want[row.Name]; ok && (len(row.Days) != n || row.Days == nil) {
			t.Errorf("%s has %d days, want %d", row.Name, len(row.Days), n)
		}
	}
}

// TestOthers tests that requests without the name of a crawler count as others, and so do
// those of further crawlers after maxCrawlers, unless these are well known.
// TestWellKnown tests headers of well-known crawlers that have the form of a browser's header, and of a telephone's.
func TestWellKnown(t *testing.T) {
	got := summary(count(t, Options{}, Parser{},
		line(day(1), "/", "Mozilla/5.0 (Linux; Android 6.0; Nexus 5 Build/MRA58N) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/51.0.3613.1739 Mobile Safari/537.36; Bytespider")+
			line(day(1), "/", "Mozilla/5.0 (compatible; Bytespider; https://zhanzhang.toutiao.com/)")+
			line(day(1), "/", "DoCoMo/2.0 N905i(c100;TB;W24H16) (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)")+
			line(day(1), "/", "Mozilla/5.0 (Linux; Android 14) Chrome/126.0.0.0 Mobile Safari/537.36")))
	if diff := cmp.Diff([]string{"Bytespider 2 0 / gaps 0 0", "Googlebot-Mobile 1 0", "others 1 0"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOthers(t *testing.T) {
	log := ""
	for _, agent := range []string{"-", "", "Mozilla/5.0 (X11; Linux) Firefox/132.0", "Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1)", "Opera/9.80 (X11)", "'Mozilla/5.0 (X11)", "https://foo.example/", "$", "User-Agent: Mozilla/5.0", "Dalvik/2.1.0 (Linux)", "http", strings.Repeat("x", 65), "(?)"} {
		log += line(day(1), "/basket", agent)
	}
	if got := summary(count(t, Options{}, Parser{}, log)); !slices.Equal(got, []string{"others 13 13"}) {
		t.Error(got)
	}
	var many strings.Builder
	for i := range maxCrawlers + 5 {
		many.WriteString(line(day(1), "/basket", "bot"+strconv.Itoa(i)) + line(day(1), "/?session=1", "bot"+strconv.Itoa(i)))
	}
	many.WriteString(line(day(1), "/basket", "ClaudeBot"))
	r := count(t, Options{}, Parser{}, many.String())
	if len(r.Crawlers) != maxCrawlers+1 || r.Others.Requests != 10 || r.Others.Disallowed != 10 || !slices.ContainsFunc(r.Crawlers, func(r *Row) bool { return r.Name == "ClaudeBot" && r.isKnown() }) {
		t.Errorf("%d rows, others %+v; want a row for ClaudeBot, %d rows and 5 others", len(r.Crawlers), r.Others, maxCrawlers+1)
	}
	unlisted := 0
	for _, row := range r.Crawlers {
		if unlisted += row.Unlisted; len(row.Rules) == 0 {
			t.Fatalf("%s has broken a rule, but none is listed", row.Name)
		}
	}
	if unlisted != 0 {
		t.Errorf("%d requests broke rules that are not listed", unlisted)
	}
}

// TestManyRules tests that the number of stored rules is limited, and that each row has at least one.
func TestManyRules(t *testing.T) {
	var rules strings.Builder
	rules.WriteString("User-agent: *\n")
	for i := range maxRules + 5 {
		fmt.Fprintf(&rules, "Disallow: /r%d/\n", i)
	}
	c := NewCollector(Options{Versions: always(rules.String())}, Parser{})
	add := func(agent string) {
		for i := range maxRules + 5 {
			c.add(&Entry{Time: 1, Target: fmt.Sprintf("/r%d/", i), Agent: agent})
		}
	}
	for i := range maxUnknown/(ruleSize*maxRules) + 1 {
		add("bot" + strconv.Itoa(i))
	}
	add("late")
	add("GPTBot")
	want := map[string][2]int{"bot0": {maxRules, 5}, "late": {1, maxRules + 4}, "GPTBot": {maxRules, 5}}
	for _, row := range c.Report().Crawlers {
		if w, ok := want[row.Name]; ok && (len(row.Rules) != w[0] || row.Unlisted != w[1]) {
			t.Errorf("%s has %d rules, and %d requests broke others; want %v", row.Name, len(row.Rules), row.Unlisted, w)
		}
	}
}

// TestTimes tests that the gaps are those between the first requests of a crawler, and that
// crawlers that are not well known share a limit.
func TestTimes(t *testing.T) {
	c := NewCollector(Options{Versions: always(robotsFile)}, Parser{})
	add := func(agent string, start int64, gap, n int) {
		for i := range n {
			c.add(&Entry{Time: start + int64(i*gap), Target: "/", Agent: agent})
		}
	}
	add("GPTBot", 1, 10, maxTimes)
	add("GPTBot", 2, 10, 1) // not stored any more
	for i := range maxUnknown/(timeSize*maxTimes) + 1 {
		add("bot"+strconv.Itoa(i), 1, 5, maxTimes+1)
	}
	add("late", 1, 5, 2)
	add("CCBot", 1, 7, 2)
	want := map[string]int{"GPTBot": 10, "bot0": 5, "CCBot": 7}
	for _, row := range c.Report().Crawlers {
		if n, ok := want[row.Name]; ok && (row.SmallestGap == nil || *row.SmallestGap != n || *row.MedianGap != n) {
			t.Errorf("%s: smallest gap %v, median %v, want %d", row.Name, row.SmallestGap, row.MedianGap, n)
		}
		if row.Name == "late" && row.SmallestGap != nil {
			t.Errorf("%s has the gap %d, although too many times were stored", row.Name, *row.SmallestGap)
		}
	}
}

func TestCompressed(t *testing.T) {
	text := strings.Repeat(line(day(1), "/basket", "FooBot"), 5000)
	var gz, zst bytes.Buffer
	w := gzip.NewWriter(&gz)
	w.Write([]byte(text))
	w.Close()
	z, _ := zstd.NewWriter(&zst)
	z.Write([]byte(text))
	z.Close()
	for name, data := range map[string][]byte{"plain": []byte(text), "gzip": gz.Bytes(), "zstd": zst.Bytes(), "two members": append(bytes.Clone(gz.Bytes()), gz.Bytes()...)} {
		want := 5000
		if name == "two members" {
			want = 10000
		}
		if r := count(t, Options{}, Parser{}, string(data)); r.Lines != want || r.Unread != 0 {
			t.Errorf("%s: %d lines, %d not read", name, r.Lines, r.Unread)
		}
	}
	for name, data := range map[string][]byte{"gzip": gz.Bytes()[:gz.Len()-20], "zstd": zst.Bytes()[:zst.Len()-20], "not gzip": []byte("\x1f\x8bx")} {
		c := NewCollector(Options{Versions: always(robotsFile)}, Parser{})
		if err := c.Read("x", bytes.NewReader(data)); err == nil || c.Report().Unread > 0 {
			t.Errorf("%s, cut off: error %v, report %+v", name, err, c.Report())
		}
	}
}

// TestLongLines tests that lines are truncated at maxLine.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	var got []string
	for _, n := range []int{1, 100, 1 << 20} { // bytes at a time
		got = nil
		r := iotest.OneByteReader(strings.NewReader("a\r\n\n" + long + "\nb\n" + long[:maxLine] + "\nc"))
		if n > 1 {
			r = bufio.NewReaderSize(strings.NewReader("a\r\n\n"+long+"\nb\n"+long[:maxLine]+"\nc"), n)
		}
		if err := readLines(r, func(line string) { got = append(got, line) }); err != nil {
			t.Fatal(err)
		}
		if want := []string{"a", "", long[:maxLine], "b", long[:maxLine], "c"}; !slices.Equal(got, want) {
			t.Errorf("%d bytes at a time: got %d lines, or not the right ones; want %d", n, len(got), len(want))
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"nginx.log", "apache.log", "apache-vhost.log", "caddy.jsonl", "nginx-variables.jsonl", "cloudflare.jsonl", "cloudfront.jsonl", "alb.log"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			f.Add(line)
		}
	}
	f.Add("#Fields: date time cs-uri-stem cs-uri-query cs(User-Agent) cs-host\n2026-11-22 06:21:15 /basket add=1 FooBot/1.0+(x) shop.example")
	f.Add("#Fields: date time cs-uri-stem\n2026-11-22\t06:21:15\t/%2525")
	f.Fuzz(func(t *testing.T, text string) {
		c := NewCollector(Options{Versions: always(robotsFile)}, Parser{})
		if err := c.Read("fuzz", strings.NewReader(text+"\n"+text)); err != nil {
			return // a compressed log
		}
		r := c.Report()
		total := r.Others.Requests
		for _, row := range r.Crawlers {
			total += row.Requests
			if row.Disallowed > row.Requests || row.Name == "" {
				t.Errorf("%+v", row)
			}
		}
		if total != r.Requests || r.Requests+r.Unread != r.Lines {
			t.Errorf("the rows have %d requests, but the report is %+v", total, r)
		}
	})
}

// FuzzJSON compares the values that a jsonReader finds with those that encoding/json finds.
func FuzzJSON(f *testing.F) {
	for _, line := range []string{
		`{"a":{"b":"x","b":["\u00e9",{"b":"\\"}]},"a.b":1,"":{"":2}}`, `{"a":[{"b":-1e5},true],"b":"","c":null}`, `{"a":"\""}`, `{"a":"x`, `{"a" "x"}`, `[1]`, `{"a":1}x`, `{"a":1,}`,
		`{"a":{"b":["x","y"]}}`, `{"a":{"b":{"0":"x"}}}`,
	} {
		f.Add(line, "a.b")
		f.Add(line, "a.1.b")
	}
	f.Fuzz(func(t *testing.T, line, name string) {
		if !json.Valid([]byte(line)) || !utf8.ValidString(line) || !strings.HasPrefix(strings.TrimLeft(line, " \t\r\n"), "{") {
			return // a jsonReader may read lines that are not quite JSON
		}
		want := ""
		in := json.NewDecoder(strings.NewReader(line))
		in.UseNumber()
		visitJSON(in, "", func(valueName, text string) {
			if valueName == name || valueName == name+".0" { // the first element of a list can be named without a number
				want = text
			}
		})
		r := newJSONReader([]string{name})
		if ok := r.readLine(line); !ok || r.values[0] != want {
			t.Errorf("%s: the value of %q is %q (%v), want %q", line, name, r.values[0], ok, want)
		}
	})
}

// visitJSON calls visit with the name and text of each string and number in the next value.
func visitJSON(in *json.Decoder, name string, visit func(name, text string)) {
	token, err := in.Token()
	if err != nil {
		panic(err)
	}
	switch token := token.(type) {
	case string:
		visit(name, gocmp.Or(token, "-"))
	case json.Number:
		visit(name, token.String())
	case json.Delim:
		for number := 0; in.More(); number++ {
			key := strconv.Itoa(number)
			if token == '{' {
				text, _ := in.Token()
				key = text.(string)
			}
			if name != "" {
				key = name + "." + key
			}
			visitJSON(in, key, visit)
		}
		in.Token() // the end of the object or array
	}
}

// TestMemory tests that a log in which all agents, paths, rules and times differ takes few
// megabytes.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: takes seconds")
	}
	var rules strings.Builder
	rules.WriteString("User-agent: *\n")
	for i := range 20_000 {
		fmt.Fprintf(&rules, "Disallow: /r%d/\n", i)
	}
	versions := always(rules.String())
	c := NewCollector(Options{Versions: versions}, Parser{})
	before := heap()
	most := int64(0)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 80_000 {
		agent := fmt.Sprintf("bot%d-%s/%s", i%12_000, strings.Repeat("x", 50), strings.Repeat("z", r.IntN(900)))
		c.add(&Entry{Time: r.Int64N(4e9), Target: fmt.Sprintf("/r%d/%0200d", r.IntN(20_000), i), Agent: agent, Host: strconv.Itoa(i), Address: "192.0.2.1"})
		if i%20_000 == 0 {
			most = max(most, heap()-before)
		}
	}
	if most = max(most, heap()-before); most > 32<<20 {
		t.Errorf("the counts take %d MB", most>>20)
	}
	if r := c.Report(); len(r.Crawlers) != maxCrawlers || r.Requests != 80_000 {
		t.Errorf("%d rows, %d requests", len(r.Crawlers), r.Requests)
	}
}

// heap returns the size of the heap in bytes.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
