package choices

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/lint"
)

// Files of which most name crawlers that training=no closes.
var namingFiles = map[string]string{
	"no group":                 "",
	"a group for all":          "# Shop\n\n# All\nUser-agent: *\nDisallow: /basket/\n\nSitemap: https://shop.example/sitemap.xml\n",
	"a group for a crawler":    "User-agent: GPTBot\nDisallow: /basket/\n\nUser-agent: *\nDisallow: /basket/\n",
	"an allow rule":            "User-agent: GPTBot\nAllow: /press/\nDisallow: /basket/\n\nUser-agent: *\nDisallow: /basket/\n",
	"a group for two crawlers": "User-agent: CCBot\nUser-agent: GPTBot\nCrawl-delay: 10\nDisallow: /basket/\n",
	"a shared group":           "User-agent: Googlebot\nUser-agent: GPTBot\nUser-agent: ClaudeBot\nUser-agent: bingbot\nDisallow: /basket/\n\nUser-agent: *\nDisallow: /basket/\n",
	"an empty rule":            "User-agent: GPTBot\nDisallow:\n\nUser-agent: Googlebot\nDisallow:\n",
	"a group without rules":    "User-agent: GPTBot\n\nUser-agent: Googlebot\nDisallow: /basket/\n",
	"a closed crawler":         "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nAllow: /\n",
	"a welcome":                "User-agent: GPTBot\nAllow: /\n\nUser-agent: OAI-SearchBot\nAllow: /\n\nUser-agent: *\nAllow: /\n",
	"CRLF":                     "User-agent: *\r\nDisallow: /basket/\r\n\r\nUser-agent: GPTBot\r\nDisallow: /basket/\r\n",
}

// TestLint tests that the file passes lint --strict afterwards, if it did so before.
func TestLint(t *testing.T) {
	serious := func(data []byte) (codes []string) {
		for _, f := range lint.Check(data) {
			if f.Severity != lint.Info {
				codes = append(codes, f.Code)
			}
		}
		return codes
	}
	for about, robots := range namingFiles {
		for _, list := range []string{"training=no", "training=no,search=yes,user=no", "search=no"} {
			for _, preferences := range []bool{false, true} {
				text := apply(t, robots, list, preferences).Text
				if diff := cmp.Diff(serious([]byte(robots)), serious(text)); diff != "" {
					t.Errorf("%s, %s, preferences %t: findings (-before +after)\n%s in\n%s", about, list, preferences, diff, text)
				}
			}
		}
	}
}

// TestPython tests that Python's urllib.robotparser, which takes the first group with a name and in it the
// first rule that matches, closes the site to the same crawlers, and opens nothing.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	const script = `
import sys, urllib.robotparser
for name in sys.argv[1:]:
    parser = urllib.robotparser.RobotFileParser()
    parser.parse(open(name, newline='').read().splitlines())
    print(*(agent + path for agent in ('GPTBot', 'CCBot', 'ClaudeBot', 'Googlebot', 'bingbot', 'FooBot')
        for path in ('/', '/basket/1') if parser.can_fetch(agent, path)))
`
	dir := t.TempDir()
	args := []string{"-c", script}
	names := slices.Sorted(maps.Keys(namingFiles))
	for _, name := range names {
		for i, text := range [][]byte{[]byte(namingFiles[name]), apply(t, namingFiles[name], "training=no", true).Text} {
			file := filepath.Join(dir, name+string("ba"[i]))
			if err := os.WriteFile(file, text, 0o666); err != nil {
				t.Fatal(err)
			}
			args = append(args, file)
		}
	}
	out, err := exec.Command(python, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(out), "\n")
	for i, name := range names {
		isClosed := func(url string) bool {
			return strings.HasPrefix(url, "GPTBot") || strings.HasPrefix(url, "CCBot") || strings.HasPrefix(url, "ClaudeBot")
		}
		want := slices.DeleteFunc(strings.Fields(lines[2*i]), isClosed)
		if diff := cmp.Diff(want, strings.Fields(lines[2*i+1])); diff != "" {
			t.Errorf("%s: URLs that Python allows (-want +got):\n%s", name, diff)
		}
	}
}
