package summary

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/golden"
)

// withCount replaces # with the number of AI crawlers.
func withCount(text string) string {
	ai, _ := crawlers.Set("@ai")
	return strings.ReplaceAll(text, "#", strconv.Itoa(len(ai)))
}

func TestFile(t *testing.T) {
	const open = " All # AI crawlers may fetch /; no line that crawlers read is about training. It names no sitemap."
	for _, test := range []struct{ about, robots, want string }{
		{"empty", "", "All crawlers may fetch everything." + open},
		{"some URLs", "User-agent: *\nDisallow: /basket\nSitemap: /a\nSitemap: /b\n",
			"All crawlers that obey * may fetch everything except some URLs, such as /basket." + strings.Replace(open, "no sitemap", "2 sitemaps", 1)},
		{"nothing", "User-agent: *\nDisallow: /\nSitemap: /a\n",
			"All crawlers that obey * may fetch nothing. None of the # AI crawlers may fetch /; no line that crawlers read is about training. It names one sitemap."},
		{"only some URLs", "User-agent: *\nDisallow: /\nAllow: /press/\n", "All crawlers that obey * may fetch only some URLs, such as /press/. None of the # AI crawlers may fetch /; no line that crawlers read is about training. It names no sitemap."},
		{"only the home page and a folder", "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /tea/\n", "All crawlers that obey * may fetch only some URLs, such as / and /tea/." + open},
		{"the folder first", "User-agent: *\nAllow: /tea/\nDisallow: /\nDisallow: /coffee\nAllow: /$\n", "All crawlers that obey * may fetch only some URLs, such as / and /tea/." + open},
		{"only the home page", "User-agent: *\nDisallow: /\nAllow: /$\n", "All crawlers that obey * may fetch only some URLs, such as /." + open},
		{"a rule without a slash", "User-agent: *\nDisallow: *\nAllow: index.html\n", "All crawlers that obey * may fetch only some URLs, such as /." +
			strings.Replace(open, "training.", `training. But line 3 is written without "/": some crawlers ignore the line; Google takes / for index.html; other crawlers may not.`, 1)},
		{"one letter", "User-agent: *\nDisallow: /z\n", "All crawlers that obey * may fetch everything except some URLs, such as /z." + open},
		{"all except the home page", "User-agent: *\nDisallow: /$\n",
			"All crawlers that obey * may fetch everything except some URLs, such as /. None of the # AI crawlers may fetch /; no line that crawlers read is about training. It names no sitemap."},
		{"a long URL", "User-agent: *\nDisallow: /" + strings.Repeat("a", 80) + "\n", "All crawlers that obey * may fetch everything except some URLs." + open},
		{"named crawlers", "User-agent: GreedyBot\nUser-agent: GreedierBot\nDisallow: /\n\nUser-agent: FooBot\nDisallow: /x\n\nUser-agent: GoodBot\nDisallow:\n\nUser-agent: *\nDisallow: /basket\n",
			"GreedyBot and GreedierBot may fetch nothing; GoodBot may fetch everything; FooBot has rules of its own; all other crawlers that obey * may fetch everything except some URLs, such as /basket." + open},
		{"the policy token is no crawler", "User-agent: __usage_ai-training\nUser-agent: FooBot\nDisallow: /\n", "FooBot may fetch nothing; all other crawlers may fetch everything." +
			strings.Replace(open, "no line that crawlers read is about training", "the file refuses training to all AI crawlers; line 3 is in the group for __usage_ai-training, which is provisional", 1)},
		{"a word in place of *", "User-agent: all\nDisallow: /basket\n", "All crawlers may fetch everything." + open},
		{"named like all others", "User-agent: GreedyBot\nDisallow: /\n\nUser-agent: *\nDisallow: /\nUser-agent: APIs-Google\nDisallow: /",
			"All crawlers that obey * may fetch nothing. None of the # AI crawlers may fetch /; no line that crawlers read is about training. It names no sitemap."},
		{"many names", "User-agent: a\nUser-agent: b\nUser-agent: c\nUser-agent: d\nUser-agent: e\nDisallow: /\n",
			"a, b, c and 2 more may fetch nothing; all other crawlers may fetch everything." + open},
		{"too many rules", "User-agent: *\n" + strings.Repeat("Disallow: /a\n", maxRules+1),
			"All crawlers that obey * may fetch only what the rules allow." + open},
	} {
		got, want := File(verdict.Parse([]byte(test.robots))), withCount(test.want)
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.about, got, want)
		}
	}
	for file, want := range map[*robotstxt.File]string{
		robotstxt.Unavailable(): "There is no robots.txt file, so all crawlers may fetch everything.",
		robotstxt.Unreachable(): "The robots.txt file could not be read, so crawlers should fetch nothing.",
	} {
		if got := File(verdict.File{File: file}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestGrowth tests that a file of twice the length, in which all groups share their rules and many records, takes
// about twice the memory, and not four times.
func TestGrowth(t *testing.T) {
	var allocated [2]uint64
	for i := range allocated {
		n := 2000 << i
		var robots strings.Builder
		for name := range n {
			letters := strings.Map(func(digit rune) rune { return digit - '0' + 'a' }, strconv.Itoa(name))
			fmt.Fprintf(&robots, "User-agent: a%d\nKey-%s: a\n", name, letters)
		}
		robots.WriteString(strings.Repeat("Disallow: /a\n", n))
		file := robotstxt.Parse([]byte(robots.String()))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		File(verdict.File{File: file})
		runtime.ReadMemStats(&after)
		allocated[i] = after.TotalAlloc - before.TotalAlloc
	}
	if allocated[1] > 3*allocated[0] {
		t.Errorf("%d bytes allocated, then %d", allocated[0], allocated[1])
	}
}

// TestAI tests the sentence about AI crawlers. Groups don't inherit (RFC 9309, section 2.2.1), so a signal in
// the group for "*" does not reach a crawler that has a group of its own.
func TestAI(t *testing.T) {
	const signal, allowed = "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\n", "All # AI crawlers may fetch /; "
	for _, test := range []struct{ about, robots, want string }{
		{"one name", "User-agent: GPTBot\nDisallow: /\n", "Of # AI crawlers, all except GPTBot may fetch /; no line that crawlers read is about training."},
		{"one is allowed", "User-agent: GPTBot\nAllow: /\n\nUser-agent: *\nDisallow: /\n", "Of # AI crawlers, only GPTBot may fetch /; no line that crawlers read is about training."},
		{"several purposes, in the order of the file", "User-agent: ChatGPT-User\nUser-agent: PerplexityBot\nUser-agent: GPTBot\nDisallow: /\n",
			"Of # AI crawlers, all except GPTBot, PerplexityBot (purpose: search index) and ChatGPT-User (purpose: user-triggered fetch) may fetch /; no line that crawlers read is about training."},
		{"more than three", "User-agent: OAI-SearchBot\nUser-agent: GPTBot\nUser-agent: ClaudeBot\nUser-agent: CCBot\nUser-agent: Amazonbot\nDisallow: /\n",
			"Of # AI crawlers, all except GPTBot, ClaudeBot, CCBot and 2 others (purposes: training 4, search index 1) may fetch /; no line that crawlers read is about training."},
		// Apple documents that Applebot obeys the group for Googlebot, and Yandex that its crawlers obey the group for Yandex.
		{"a followed group", "User-agent: Googlebot\nContent-Signal: ai-train=no\nDisallow: /\n", "Of # AI crawlers, all except Applebot (purpose: search index) may fetch /; the file refuses training to Applebot (purpose: search index)."},
		{"two that follow", "User-agent: Yandex\nDisallow: /\n", "Of # AI crawlers, all except YandexAdditional (purpose: model input) and YandexAdditionalBot (purpose: model input) may fetch /; no line that crawlers read is about training."},

		{"a misspelled key", "User-agent: *\nDisalow: /\n", "None of the # AI crawlers may fetch /; no line that crawlers read is about training. But line 2 is written \"Disalow\": most crawlers ignore the line."},
		{"more than three caveats", "User-agent: GPTBot\nDisalow: /\nUser-agent: CCBot\nDisalow: /\nUser-agent: ClaudeBot\nDisalow: /\nUser-agent: Amazonbot\nDisalow: /\n",
			"Of # AI crawlers, all except GPTBot, CCBot, ClaudeBot and 1 other may fetch /; no line that crawlers read is about training. But " +
				`line 2 is written "Disalow": most crawlers ignore the line; line 4 is written "Disalow": most crawlers ignore the line; line 6 is written "Disalow": most crawlers ignore the line.`},
		{"several names, and a shortened one", "User-agent: GPTBot, CCBot\nUser-agent: Diffbot\nDisallow /\n",
			"Of # AI crawlers, all except GPTBot, CCBot, Diffbot and 1 other (purposes: training 2, search index 1, user-triggered fetch 1) may fetch /; no line that crawlers read is about training. " +
				"But line 3 is written without a colon: many crawlers ignore the line; line 1 has several names: Google and others read only the first."},

		{"refused to all", signal, allowed + "the file refuses training to all AI crawlers."},
		{"permitted to all", "User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n", allowed + "the file permits training to all AI crawlers."},
		{"one group without the signal", signal + "User-agent: CCBot\nAllow: /\n", allowed + "the file refuses training to all AI crawlers but CCBot, whose group doesn't say it."},
		{"three names without the signal", signal + "User-agent: GPTBot\nUser-agent: ClaudeBot\nUser-agent: Google-Extended\nDisallow: /api/\n",
			allowed + "the file refuses training to all AI crawlers but GPTBot, ClaudeBot and Google-Extended, whose groups don't say it."},
		{"a group that may not fetch the page", signal + "User-agent: CCBot\nDisallow: /\n", "Of # AI crawlers, all except CCBot may fetch /; the file refuses training to all AI crawlers."},
		{"the opposite for some", signal + "User-agent: CCBot\nUser-agent: GPTBot\nContent-Signal: ai-train=yes\nAllow: /\n",
			allowed + "the file refuses training to all other AI crawlers, and permits training to CCBot and GPTBot."},
		{"the opposite, and nothing", signal + "User-agent: CCBot\nContent-Signal: ai-train=yes\nAllow: /\n\nUser-agent: GPTBot\nAllow: /\n",
			allowed + "the file refuses training to all other AI crawlers but GPTBot, whose group doesn't say it, and permits training to CCBot."},
		{"permitted to all but one", "User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n\nUser-agent: GPTBot\nContent-Signal: ai-train=no\nAllow: /\n",
			allowed + "the file refuses training to GPTBot, and permits training to all other AI crawlers."},
		{"only to one", "User-agent: CCBot\nContent-Signal: ai-train=no\nAllow: /\n", allowed + "the file refuses training to CCBot."},
		{"permitted to one", "User-agent: CCBot\nContent-Signal: ai-train=yes\nAllow: /\n", allowed + "the file permits training to CCBot."},
		{"both, and no group for *", "User-agent: CCBot\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: GPTBot\nContent-Usage: train-ai=y\nAllow: /\n",
			allowed + "the file refuses training to CCBot, and permits training to GPTBot."},

		{"a retired name", "User-agent: *\nAllow: /\n\nUser-agent: anthropic-ai\nAllow: /\nContent-Signal: ai-train=no\n", allowed + "line 6 is about training, but reaches no AI crawler."},
		{"above the groups", "Content-Usage: train-ai=y\nUser-agent: *\nAllow: /\n", allowed + "line 1 is about training, but reaches no AI crawler."},
		{"for another page", "User-agent: FooBot\nContent-Signal: /press/ ai-train=no\nAllow: /\n", allowed + "no line that crawlers read is about training."},
		{"a signal about search", "Content-Signal: search=no\nUser-agent: FooBot\nContent-Signal: search=no\nHost: a\nAllow: /\n", allowed + "no line that crawlers read is about training."},

		{"the policy token", "User-agent: __usage_ai-training\nDisallow: /\nAllow: /press/\n", allowed + "the file refuses training to all AI crawlers; line 2 is in the group for __usage_ai-training, which is provisional."},
		{"the policy token in other case, beside a signal", signal + "User-agent: __Usage_AI-training\nAllow: /\n\nUser-agent: CCBot\nAllow: /\n",
			allowed + "the file refuses training to all other AI crawlers, and permits training to CCBot; line 6 is in the group for __usage_ai-training, which is provisional."},
		{"a similar token", "User-agent: __usage\nDisallow: /\n", allowed + "no line that crawlers read is about training."},
	} {
		got, want := AI(verdict.Parse([]byte(test.robots)), "/"), withCount(test.want)
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.about, got, want)
		}
	}
}

// TestAllForAPurpose tests what is said if all crawlers for a purpose are meant.
func TestAllForAPurpose(t *testing.T) {
	ai, _ := crawlers.Set("@ai")
	var training []string
	for _, c := range ai {
		if len(c.Purposes) > 0 && c.Purposes[0] == crawlers.Training {
			training = append(training, c.Token)
		}
	}
	n := len(training)
	robots := "User-agent: PerplexityBot\nUser-agent: " + strings.Join(training, "\nUser-agent: ") + "\nDisallow: /\n"
	want := fmt.Sprintf("Of %d AI crawlers, all except %s and %d others (purposes: training %d, search index 1) may fetch /; no line that crawlers read is about training.", len(ai), strings.Join(training[:3], ", "), n-2, n)
	if got := AI(verdict.Parse([]byte(robots)), "/"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestManyGroups pins what is said about a file with 40 groups, as some sites have. The file has crawlers that
// are not in the table, and others that are retired.
func TestManyGroups(t *testing.T) {
	data, err := os.ReadFile("testdata/forty-groups.txt")
	if err != nil {
		t.Fatal(err)
	}
	file := verdict.Parse(data)
	if n := len(file.Groups()); n != 40 {
		t.Errorf("the file has %d groups, want 40", n)
	}
	var text strings.Builder
	for _, page := range []string{"/", "/drafts/", "/press/"} {
		text.WriteString(AI(file, page) + "\n")
	}
	ai, _ := crawlers.Set("@ai")
	golden.Check(t, "forty-groups.golden", strings.ReplaceAll(text.String(), strconv.Itoa(len(ai))+" AI", "# AI"))
}
