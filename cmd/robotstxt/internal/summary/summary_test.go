package summary

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
)

// withCount replaces # with the number of AI crawlers, % with this number minus 5, and @ with the names
// of the first three.
func withCount(text string) string {
	ai, _ := crawlers.Set("@ai")
	first := ai[0].Token + ", " + ai[1].Token + ", " + ai[2].Token
	return strings.NewReplacer("#", strconv.Itoa(len(ai)), "%", strconv.Itoa(len(ai)-5), "@", first).Replace(text)
}

func TestFile(t *testing.T) {
	const open = " All # AI crawlers may fetch /; nothing is said about training. It names no sitemap."
	for _, test := range []struct{ about, robots, want string }{
		{"empty", "", "All crawlers may fetch everything." + open},
		{"some URLs", "User-agent: *\nDisallow: /basket\nSitemap: /a\nSitemap: /b\n",
			"All crawlers that obey * may fetch everything except some URLs, such as /basket." + strings.Replace(open, "no sitemap", "2 sitemaps", 1)},
		{"nothing", "User-agent: *\nDisallow: /\nSitemap: /a\n",
			"All crawlers that obey * may fetch nothing. None of the # AI crawlers may fetch /; nothing is said about training. It names one sitemap."},
		{"only some URLs", "User-agent: *\nDisallow: /\nAllow: /press/\n", "All crawlers that obey * may fetch only some URLs, such as /press/. None of the # AI crawlers may fetch /; nothing is said about training. It names no sitemap."},
		{"only the home page and a folder", "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /tea/\n", "All crawlers that obey * may fetch only some URLs, such as / and /tea/." + open},
		{"the folder first", "User-agent: *\nAllow: /tea/\nDisallow: /\nDisallow: /coffee\nAllow: /$\n", "All crawlers that obey * may fetch only some URLs, such as / and /tea/." + open},
		{"only the home page", "User-agent: *\nDisallow: /\nAllow: /$\n", "All crawlers that obey * may fetch only some URLs, such as /." + open},
		{"a rule without a slash", "User-agent: *\nDisallow: *\nAllow: index.html\n", "All crawlers that obey * may fetch only some URLs, such as /." + open},
		{"one letter", "User-agent: *\nDisallow: /z\n", "All crawlers that obey * may fetch everything except some URLs, such as /z." + open},
		{"all except the home page", "User-agent: *\nDisallow: /$\n",
			"All crawlers that obey * may fetch everything except some URLs, such as /. None of the # AI crawlers may fetch /; nothing is said about training. It names no sitemap."},
		{"a long URL", "User-agent: *\nDisallow: /" + strings.Repeat("a", 80) + "\n", "All crawlers that obey * may fetch everything except some URLs." + open},
		{"named crawlers", "User-agent: GreedyBot\nUser-agent: GreedierBot\nDisallow: /\n\nUser-agent: FooBot\nDisallow: /x\n\nUser-agent: GoodBot\nDisallow:\n\nUser-agent: *\nDisallow: /basket\n",
			"GreedyBot and GreedierBot may fetch nothing; GoodBot may fetch everything; FooBot has rules of its own; all other crawlers that obey * may fetch everything except some URLs, such as /basket." + open},
		{"a word in place of *", "User-agent: all\nDisallow: /basket\n", "All crawlers may fetch everything." + open},
		{"named like all others", "User-agent: GreedyBot\nDisallow: /\n\nUser-agent: *\nDisallow: /\nUser-agent: APIs-Google\nDisallow: /",
			"All crawlers that obey * may fetch nothing. None of the # AI crawlers may fetch /; nothing is said about training. It names no sitemap."},
		{"many names", "User-agent: a\nUser-agent: b\nUser-agent: c\nUser-agent: d\nUser-agent: e\nDisallow: /\n",
			"a, b, c and 2 more may fetch nothing; all other crawlers may fetch everything." + open},
		{"too many rules", "User-agent: *\n" + strings.Repeat("Disallow: /a\n", maxRules+1),
			"All crawlers that obey * may fetch only what the rules allow." + open},
	} {
		got, want := File(robotstxt.Parse([]byte(test.robots))), withCount(test.want)
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.about, got, want)
		}
	}
	for file, want := range map[*robotstxt.File]string{
		robotstxt.Unavailable(): "There is no robots.txt file, so all crawlers may fetch everything.",
		robotstxt.Unreachable(): "The robots.txt file could not be read, so crawlers should fetch nothing.",
	} {
		if got := File(file); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestGrowth tests that a file of twice the length, in which all groups share their rules, takes
// about twice the memory, and not four times.
func TestGrowth(t *testing.T) {
	var allocated [2]uint64
	for i := range allocated {
		n := 2000 << i
		var robots strings.Builder
		for name := range n {
			fmt.Fprintf(&robots, "User-agent: a%d\nHost: a\n", name)
		}
		robots.WriteString(strings.Repeat("Disallow: /a\n", n))
		file := robotstxt.Parse([]byte(robots.String()))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		File(file)
		runtime.ReadMemStats(&after)
		allocated[i] = after.TotalAlloc - before.TotalAlloc
	}
	if allocated[1] > 3*allocated[0] {
		t.Errorf("%d bytes allocated, then %d", allocated[0], allocated[1])
	}
}

func TestAI(t *testing.T) {
	for _, test := range []struct{ robots, want string }{
		{"User-agent: GPTBot\nDisallow: /\n", "Of # AI crawlers, all except GPTBot may fetch /; nothing is said about training."},
		// Apple documents that Applebot obeys the group for Googlebot, and Yandex that its crawlers obey the group for Yandex.
		{"User-agent: Googlebot\nContent-Signal: ai-train=no\nDisallow: /\n", "Of # AI crawlers, all except Applebot may fetch /; the file refuses training to Applebot."},
		{"User-agent: Yandex\nDisallow: /\n", "Of # AI crawlers, all except YandexAdditional and YandexAdditionalBot may fetch /; nothing is said about training."},
		{"User-agent: GPTBot\nAllow: /\n\nUser-agent: *\nDisallow: /\n", "Of # AI crawlers, only GPTBot may fetch /; nothing is said about training."},
		{"User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n", "All # AI crawlers may fetch /; the file refuses training."},
		{"User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n", "All # AI crawlers may fetch /; the file permits training."},
		{"User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: CCBot\nAllow: /\n", "All # AI crawlers may fetch /; the file refuses training."},
		{"User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: CCBot\nUser-agent: GPTBot\nContent-Signal: ai-train=yes\nAllow: /\n",
			"All # AI crawlers may fetch /; the file refuses training to @ and % more, and the file permits training to CCBot and GPTBot."},
		{"User-agent: __usage_ai-training\nDisallow: /\nAllow: /press/\n", "All # AI crawlers may fetch /; the group for __usage_ai-training refuses training, but this name comes from a draft and is not confirmed."},
		{"User-agent: __Usage_AI-training\nAllow: /\n", "All # AI crawlers may fetch /; the group for __Usage_AI-training permits training, but this name comes from a draft and is not confirmed."},
		{"User-agent: __usage\nDisallow: /\n", "All # AI crawlers may fetch /; nothing is said about training."},
		{"User-agent: CCBot\nContent-Signal: ai-train=no\nAllow: /\n", "All # AI crawlers may fetch /; the file refuses training to CCBot."},
	} {
		got, want := AI(robotstxt.Parse([]byte(test.robots)), "/"), withCount(test.want)
		if got != want {
			t.Errorf("%q: got\n%s\nwant\n%s", test.robots, got, want)
		}
	}
}
