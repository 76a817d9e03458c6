package lint_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/lint"
)

// inWords are files with the lines that docs/deviations.md describes in words.
var inWords = map[string]string{
	"a no-break space after a pattern":            "User-agent: *\nDisallow: /a\u00a0\n",
	"`Crawl-delay` between two user-agent lines":  "User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /\n",
	"a line of more than 16,663 bytes":            "User-agent: *\nDisallow: /" + strings.Repeat("a", 16_663) + "\n",
	"rules after 500 KiB":                         "User-agent: *\n" + strings.Repeat("Allow:/\n", robotstxt.SizeLimit/8+1),
	"a line that continues beyond the size limit": "User-agent: *\nDisallow: /" + strings.Repeat("a", robotstxt.SizeLimit),
	"UTF-16 with a byte-order mark":               "\xff\xfe" + strings.ReplaceAll("User-agent: *\n", "", "\x00")[1:],
	"`/%7Ea` and the URL `/~a`":                   "User-agent: *\nDisallow: /%7Ea\n",
	"`/a%24` and the URL `/a$`":                   "User-agent: *\nDisallow: /a%24\n",
	"`?u=%3A` and the URL `?u=:`":                 "User-agent: *\nDisallow: /?u=%3A\n",
	"length of a pattern in octets":               "User-agent: *\nDisallow: /%7E\nAllow: /~\n",
	"`User-agent: MJ12bot`, `archive.org_bot`":    "User-agent: MJ12bot\nUser-agent: archive.org_bot\nDisallow: /\n",
	"`User agent:`, `\"Disallow\":`":              "User agent: *\n\"Disallow\": /a\n",
	"`Dissalow:`":                                 "User-agent: *\nDissalow: /a\n",
}

// TestDeviations tests the last column of the first table in docs/deviations.md: for each line that
// others read differently, lint has the finding that the column names, or the column says why none is
// needed, and lint has none.
func TestDeviations(t *testing.T) {
	doc, err := os.ReadFile("../docs/deviations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(doc), "|---|---|---|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	if len(rows) < 20 {
		t.Fatalf("the table has %d rows: has its form changed?", len(rows))
	}
	for _, row := range rows {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		input, column := cells[0], cells[len(cells)-1]
		if column == "not about a line" {
			continue
		}
		file, ok := inWords[input]
		if !ok {
			file = fileWith(input)
		}
		var codes []string
		for _, f := range lint.Check([]byte(file), "all-disallowed", "dead-rule") {
			codes = append(codes, f.Code)
		}
		switch code := strings.Trim(column, "`"); {
		case file == "":
			t.Errorf("%s: no file for this row: is it about a line? Add one to inWords", input)
		case strings.HasPrefix(column, "none: "):
			if len(codes) > 0 {
				t.Errorf("%s: the column says none, but lint has %q", input, codes)
			}
		case !slices.Contains(codes, code):
			t.Errorf("%s: the column says %s, but lint has %q", input, column, codes)
		}
	}
}

// quotedLine matches the line in an input such as "`User-agent: a, b`".
var quotedLine = regexp.MustCompile("^`([^`]+)`$")

// fileWith returns a file with the line that an input quotes, or "" if the input is not such a line.
func fileWith(input string) string {
	m := quotedLine.FindStringSubmatch(input)
	switch {
	case m == nil:
		return ""
	case strings.HasPrefix(m[1], "User-agent:"):
		return m[1] + "\nDisallow: /a\n"
	}
	return "User-agent: *\n" + m[1] + "\n"
}
