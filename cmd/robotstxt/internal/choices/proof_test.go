package choices

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/crawlers"
)

var lineNumber = regexp.MustCompile(`[Ll]ine \d+`)

// above returns the number of lines that Apply has added above the lines of a file.
func above(text []byte) int {
	if !bytes.HasPrefix(text, []byte(firstLine)) {
		return 0
	}
	added, _, _ := bytes.Cut(text, []byte(lastLine))
	return bytes.Count(added, []byte("\n")) + 1
}

// TestProof tests the sentences about files that contradict the choices. The numbers of lines count from the
// first line below the group that Apply adds at the top.
func TestProof(t *testing.T) {
	for _, test := range []struct{ about, robots, list, want string }{
		{"nobody", "User-agent: *\nDisallow: /\n", "training=no", "No crawler loses access.\nAll crawlers, among them "},
		{"a crawler that loses", "User-agent: *\nDisallow: /x\n", "training=no", ", GPTBot, "},
		{"one crawler", "User-agent: GPTBot\nDisallow: /x\nUser-agent: *\nDisallow: /\n", "training=no", "GPTBot loses access."},
		{"search crawlers that keep access", "User-agent: *\nDisallow: /\n", "training=no", " search crawlers, may fetch the same URLs as before."},
		{"a search crawler that loses access", "", "training=no", "these also build a search index: "},
		{"an allow rule", "User-agent: GPTBot\nAllow: /press/\n", "training=no", "GPTBot may still fetch /press/, because of line 6.\nTo close the site to such a crawler, delete its name below the new group. "},
		{"a closed crawler", "User-agent: OAI-SearchBot\nDisallow: /\n", "search=yes", "OAI-SearchBot still may not fetch /, because of line 2."},
		{"several closed crawlers", "User-agent: YouBot\nUser-agent: OAI-SearchBot\nDisallow: /\n", "search=yes", "OAI-SearchBot, YouBot still may not fetch /, because of line 3."},
		{"an earlier preference", "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n", "training=yes", "Line 6 still states that pages are not for this purpose: training. The stricter preference holds."},
		{"a preference that allows", "User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n", "training=no", "Line 6 still states that pages are for this purpose: training. The stricter preference holds."},
		{"a preference for a path", "User-agent: *\nContent-Usage: /x train-ai=y\nAllow: /\n", "training=no", "Line 6 still states that pages that match /x are for this purpose: training."},
		{"a preference in another group", "User-agent: FooBot\nContent-Signal: ai-train=yes\nAllow: /\n", "training=no", "Line 6 still states for FooBot that pages are for this purpose: training."},
		{"crawlers that may ignore the file", "", "user=no", "Their operators say that these may ignore robots.txt: "},
		{"another main purpose", "", "training=no", "because what you refuse is not their main purpose: "},
	} {
		r := apply(t, test.robots, test.list, true)
		got := lineNumber.ReplaceAllStringFunc(strings.Join(r.Proof(), "\n"), func(text string) string {
			n, _ := strconv.Atoi(text[len("line "):])
			return text[:len("line ")] + strconv.Itoa(n-above(r.Text))
		})
		if got = strings.ReplaceAll(got, " of the new file", ""); !strings.Contains(got, test.want) {
			t.Errorf("%s: got\n%s\nwant %q in it", test.about, got, test.want)
		}
	}
}

// TestProofAgain tests the sentences about a file that has the lines of earlier choices.
func TestProofAgain(t *testing.T) {
	const robots = "User-agent: *\nDisallow: /x\n"
	closed := string(apply(t, robots, "training=no", true).Text)
	for _, test := range []struct{ list, want string }{
		{"training=no", "Nothing changes: the file stays as it is.\nTheir operators"},
		{"training=yes", "No crawler loses access.\n"},
		{"training=yes", " crawlers get access back: "},
		{"training=yes", "All other crawlers, among them "},
		{"search=no", " crawlers get access back: "},
		{"search=no", " crawlers lose access: "},
	} {
		if got := strings.Join(apply(t, closed, test.list, true).Proof(), "\n"); !strings.Contains(got, test.want) {
			t.Errorf("%s: got\n%s\nwant %q in it", test.list, got, test.want)
		}
	}
	closed = string(apply(t, "User-agent: *\nDisallow: /\nUser-agent: GPTBot\nDisallow: /x\n", "training=no", false).Text)
	if got := apply(t, closed, "training=yes", false).Proof()[1]; got != "GPTBot gets access back." {
		t.Errorf("got %q", got)
	}
}

// TestProofUndecided tests that a change that could not be compared is not called proven.
func TestProofUndecided(t *testing.T) {
	want := "No crawler loses access.\nSome rules are too complex to compare, so other verdicts may change, too."
	if got := strings.Join(Result{Undecided: true, Closed: []crawlers.Crawler{{Token: "FooBot", Claim: crawlers.Heeds}}}.Proof(), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
