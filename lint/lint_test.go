package lint_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/casefile"
	"github.com/robotstxt-go/robotstxt/internal/format"
	"github.com/robotstxt-go/robotstxt/internal/golden"
	"github.com/robotstxt-go/robotstxt/lint"
)

// sections contains the sections of the cases; testdata/README.md explains them.
var sections = casefile.Format{
	"want":      {Fields: "position error|warning|info text", Empty: true},
	"none":      {Fields: "text text*"},
	"formatted": {Text: true},
	"fixed":     {Text: true},
}

func readCases(tb testing.TB) []casefile.Case {
	tb.Helper()
	cases, err := casefile.ReadFolders(sections, "testdata")
	if err != nil {
		tb.Fatal(err)
	}
	return cases
}

// TestCheck runs the cases, and wants two for each code: one that has it, and a similar
// one that does not.
func TestCheck(t *testing.T) {
	found, missing := map[string]bool{}, map[string]bool{}
	for _, c := range readCases(t) {
		section, ok := c.Section("want")
		if _, hasNone := c.Section("none"); hasNone && !ok {
			t.Errorf("%s: codes that are unwanted, but no section \"want\"", c.At(c.Line))
		}
		if !ok {
			continue
		}
		var want, got [][]string
		for _, row := range section.Rows {
			want = append(want, row.Fields)
		}
		codes := map[string]bool{}
		for _, f := range lint.CheckAll(c.Robots) {
			got = append(got, []string{fmt.Sprintf("%d:%d", f.Line, f.Column), string(f.Severity), f.Code})
			codes[f.Code], found[f.Code] = true, true
		}
		for _, f := range lint.Check(c.Robots) {
			checkSentences(t, c.At(c.Line), f)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: findings (-want +got):\n%s", c.At(section.Line), diff)
		}
		none, _ := c.Section("none")
		for _, row := range none.Rows {
			for _, code := range row.Fields {
				missing[code] = true
				if codes[code] {
					t.Errorf("%s: unwanted finding %s", c.At(row.Line), code)
				}
			}
		}
	}
	checkCovered(t, found, missing)
}

// checkCovered wants a case with each code, and a similar one without it.
func checkCovered(t *testing.T, found, missing map[string]bool) {
	t.Helper()
	for _, c := range lint.Codes() {
		if !found[c.Name] {
			t.Errorf("testdata has no case that triggers %s", c.Name)
		}
		if !missing[c.Name] {
			t.Errorf("testdata has no case that is similar to %s but does not trigger it", c.Name)
		}
		delete(missing, c.Name)
	}
	for code := range missing {
		t.Errorf("testdata has a case for %s, which is not a code", code)
	}
}

// checkSentences wants text and advice to be sentences. They may contain "%!", with which
// package fmt marks its errors, only if the place does.
func checkSentences(t *testing.T, place string, f lint.Finding) {
	t.Helper()
	for _, s := range []string{f.Text, f.Advice} {
		if len(s) < 2 || !strings.ContainsAny(s[len(s)-1:], ".?") || strings.Contains(s, "%!") && !strings.Contains(place, "%!") {
			t.Errorf("%s: %s: %q is not a sentence", place, f.Code, s)
		}
	}
}

// TestSentences compares the sentences of all codes and cases with a golden file. If you
// change the wording, run the test with -update and read the difference.
func TestSentences(t *testing.T) {
	said := map[string]bool{}
	for _, c := range lint.Codes() {
		said[fmt.Sprintf("%s: %s %s\n", c.Name, c.Meaning, c.Advice)] = true
	}
	for _, c := range readCases(t) {
		for _, f := range lint.Check(c.Robots) {
			said[fmt.Sprintf("%s: %s %s\n", f.Code, f.Text, f.Advice)] = true
		}
	}
	got := strings.Join(slices.Sorted(maps.Keys(said)), "")
	golden.Check(t, "golden/sentences.txt", got)
}

// TestEdits compares the edits of the findings of all cases with a golden file, like
// TestSentences.
func TestEdits(t *testing.T) {
	edits := map[string]bool{}
	for _, c := range readCases(t) {
		lines := slices.Collect(robotstxt.Lines(c.Robots))
		for _, f := range lint.CheckAll(c.Robots) {
			if f.Fix == nil {
				continue
			}
			if f.Fix.Line != f.Line {
				t.Errorf("%s: %s: the edit is for line %d, want line %d", c.At(c.Line), f.Code, f.Fix.Line, f.Line)
			}
			edit := strconv.Quote(f.Fix.Text)
			if f.Fix.Delete {
				edit = "nothing"
			}
			edits[fmt.Sprintf("%s: %q becomes %s\n", f.Code, lines[f.Line-1].Text, edit)] = true
		}
	}
	golden.Check(t, "golden/edits.txt", strings.Join(slices.Sorted(maps.Keys(edits)), ""))
}

// finds reports whether Check finds a code in a file.
func finds(file, code string) bool {
	return slices.ContainsFunc(lint.Check([]byte(file)), func(f lint.Finding) bool { return f.Code == code })
}

// TestLargeFiles tests that a brand's group counts as different from the group for "*" in a file that
// is too large to compare the two, but only if the brand's group disallows anything.
func TestLargeFiles(t *testing.T) {
	const start = "User-agent: *\nDisallow: /a\n"
	group, rule, name := "User-agent: FooBot\nDisallow: /a\n", "Disallow: /a\n", "User-agent: baidu\n"
	for _, c := range []struct {
		about, data string
		want        bool
	}{
		{"few groups", start + name + rule + strings.Repeat(group, 10), false},
		{"many groups", start + name + rule + strings.Repeat(group, 1000), true},
		{"many groups, and nothing disallowed", start + name + "Allow: /\n" + strings.Repeat(group, 1000), false},
		{"as many groups and lines as are compared", start + name + rule + strings.Repeat(group, 497) + strings.Repeat("#\n", 1002), false},
		{"one more line", start + name + rule + strings.Repeat(group, 497) + strings.Repeat("#\n", 1003), true},
		{"many rules", start + name + strings.Repeat(rule, 1500), true},
		{"many names", start + strings.Repeat(name, 1500) + rule, true},
		{"few names without rules on a closed site", "User-agent: *\nDisallow: /\n" + name + "Disallow:\n", true},
		{"many names without rules on a closed site", "User-agent: *\nDisallow: /\n" + strings.Repeat(name, 1500) + "Disallow:\n", false},
	} {
		if got := finds(c.data, "brand-as-token"); got != c.want {
			t.Errorf("%s: brand-as-token %t, want %t", c.about, got, c.want)
		}
	}
}

// The letters are Cyrillic, then Greek.
func TestLettersThatLookLatin(t *testing.T) {
	const advice = "If you mean Latin letters, type the word again. If the URLs have these letters, write them percent-encoded."
	for _, r := range "аеіјорсѕухАВЕІЈКМНОРСЅТХ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο" {
		findings := lint.Check([]byte("User-agent: *\nDisallow: /ab" + string(r) + "c\n"))
		if len(findings) != 1 || findings[0].Advice != advice {
			t.Errorf("%c (%U): findings %v, want one with the advice for letters that look Latin", r, r, findings)
		}
	}
}

// TestWords tests sentences that could easily give bad advice: it wants a sentence that is
// right for the file.
func TestWords(t *testing.T) {
	for _, c := range words {
		findings := lint.Check([]byte(c.data))
		if !slices.ContainsFunc(findings, func(f lint.Finding) bool { return f.Text == c.want || f.Advice == c.want }) {
			t.Errorf("%s: findings %v, want one that says %q", c.about, findings, c.want)
		}
	}
}

var words = []struct{ about, data, want string }{
	{"a page that refuses access", "<html>\n<title>Access Denied</title>\n", `The server seems to refuse the request. Let it send robots.txt, a plain text file, to all crawlers. If you have no rules, let it answer "404 Not Found" instead.`},
	{"a request without success", "<html>\nRequest unsuccessful\n", `The server seems to refuse the request. Let it send robots.txt, a plain text file, to all crawlers. If you have no rules, let it answer "404 Not Found" instead.`},
	{"a rejected request", "<html><title>Request Rejected</title>\n", `The server seems to refuse the request. Let it send robots.txt, a plain text file, to all crawlers. If you have no rules, let it answer "404 Not Found" instead.`},
	{"a page that forbids access", "<html>\n<title>403 Forbidden</title>\n", `The server seems to refuse the request. Let it send robots.txt, a plain text file, to all crawlers. If you have no rules, let it answer "404 Not Found" instead.`},
	{"a page that refuses access in capitals", "<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n", `The server seems to refuse the request. Let it send robots.txt, a plain text file, to all crawlers. If you have no rules, let it answer "404 Not Found" instead.`},
	{"a page that refuses access, just below its start", "<html>" + strings.Repeat("\n", 4096-len("<html>403 Forbidden")+1) + "403 Forbidden\n", `Put a plain text file in its place. If you have no rules, let the server answer "404 Not Found" instead.`},
	{"a file that is missing from a store", "<Error><Message>Access Denied</Message></Error>\n", `Put a plain text file in its place. If you have no rules, let the server answer "404 Not Found" instead.`},
	{"a second key that closes the site", "User-agent: * Disallow: /\n", `On a line of its own, "Disallow: /" closes the whole site. If you want that, start a new line before each key in the value. If not, do the same, but leave out each "Disallow: /", and let each path start with "/". If a group then has no rules, add "Disallow:" to it.`},
	{"a second key that closes the site, below a rule's key", "User-agent: *\nDisallow: /a disallow: /*\n", `On a line of its own, "Disallow: /" closes the whole site. If you want that, start a new line before each key in the value. If not, do the same, but leave out each "Disallow: /", and let each path start with "/". If a group then has no rules, add "Disallow:" to it.`},
	{"a second key for a folder", "User-agent: *\nDisallow: /a Disallow: /b/\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key without a path for all crawlers", "User-agent: * Disallow:\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key without a path above a rule", "# a comment\nUser-agent: FooBot Disallow:\nDisallow: /a\n", `Delete that key: beside other disallow lines, it does nothing without a path. If it should let the crawler fetch everything, start a new line before it instead, and move the other rules of this group to the group that they are meant for.`},
	{"a second key without a path on the last line", "User-agent: *\nDisallow: /private/files Disallow:\n", `Delete that key: beside other disallow lines, it does nothing without a path. If it should let the crawler fetch everything, start a new line before it instead, and move the other rules of this group to the group that they are meant for.`},
	{"a second key without a path above another crawler", "User-agent: FooBot Disallow:\nUser-agent: BarBot\nDisallow: /a\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key without a path above an allow line", "User-agent: FooBot Disallow:\nAllow: /a\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key with a path above a rule", "User-agent: FooBot Disallow: /a\nDisallow: /b\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key that shuts out one crawler", "User-agent: FooBot Disallow: /\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key on a rule's line", "User-agent: FooBot\nUser-agent: BarBot\nDisallow: /a Allow: /b\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key below a line with rules", "User-agent: FooBot Disallow: /a\nUser-agent: BarBot Disallow: /b\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key of a crawler that ignores another", "User-agent: Yandex\nDisallow: /a Allow: /a/b\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key without a name", "User-agent: /x Disallow: /a\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key below a line without rules", "User-agent: FooBot\nUser-agent: /x Disallow: /a\n", "Start a new line before that key. To keep the new line from applying to the crawlers above as well, first add their own rules above this line, or move their user-agent lines down to their rules."},
	{"a Noindex line for the file itself", "User-agent: *\nDisallow: /a\nNoindex: /robots.txt\n", `Delete the line. Search results may still list a disallowed page. To prevent that, let crawlers fetch the page, and let the server send the header "X-Robots-Tag: noindex" with the page.`},
	{"a Noindex line for a file of a similar name", "User-agent: *\nDisallow: /a\nNoindex: /Robots.txt\n", `Delete the line, and let the server send the header "X-Robots-Tag: noindex" with the page. If the page is HTML, you can put <meta name="robots" content="noindex"> into it instead. If the line is only for Google's crawlers, write "X-Robots-Tag: googlebot: noindex" or name="googlebot". Do not disallow the page: crawlers see the header or the tag only if they may fetch the page.`},
	{"a misspelled key", "User-agent: *\nDissalow: /a\n", `Write the key as "Disallow:".`},
	{"a Noindex line above all groups", "Noindex: /a\n\nUser-agent: *\nDisallow: /a\n", `Delete the line. Search results may still list a disallowed page. To prevent that, let crawlers fetch the page, and let the server send the header "X-Robots-Tag: noindex" with the page.`},
	{"an allow line for other crawlers", "User-agent: FooBot\nDisallow: /\n\nAllow: /\n",
		`If the rules below this line are meant for all crawlers, delete those that the group for "*" already has, and move the others there. If the file has no such group, write "User-agent: *" above the rules. If they are meant for the crawlers above, delete the line that you did not intend.`},
	{"an allow line for the same crawler", "User-agent: FooBot\nDisallow: /\nAllow: /\n\n", "Delete the line that you did not intend, or correct its path."},
	{"an allow line for the same crawler, above the other line", "User-agent: FooBot\nAllow: /\nDisallow: /\n", "Delete the line that you did not intend, or correct its path."},
	{"an allow line for all crawlers", "User-agent: *\nDisallow: /\n\nAllow: /\n", "Delete the line that you did not intend, or correct its path."},
	{"the whole of a site", "User-agent: *\nDisallow: https://shop.example/*\n", `Delete such a line: a robots.txt file applies only to its own host. If the URL is on another host of yours, such as a subdomain, write the rule into a robots.txt file there. If no rules are left in the group here, add "Disallow:" to it.`},
	{"a page of another site", "User-agent: *\nDisallow: https://shop.example/a\nSitemap: https://www.example.edu/s.xml\n", `Delete such a line: a robots.txt file applies only to its own host. If the URL is on another host of yours, such as a subdomain, write the rule into a robots.txt file there. If no rules are left in the group here, add "Disallow:" to it.`},
	{"a page that is disallowed", "User-agent: *\nDisallow: /a*\nDisallow: https://shop.example/a/b\nSitemap: https://www.shop.example/s.xml\n", "Such a line can go, because its path is disallowed anyway."},
	{"a page of a site", "User-agent: *\nDisallow: https://shop.example/a b?c\n",
		`If the URL is on this site, write "Disallow: /a%20b?c". If it is on another host, delete the line: a robots.txt file applies only to its own host, so a rule for a subdomain belongs in a file there. If it is a sitemap that crawlers should read, list it in a Sitemap line instead. If no rules are left in the group, add "Disallow:" to it.`},
	{"a host", "User-agent: *\nDisallow: www.shop.example/a\n",
		`Write the path alone, without the host or port. If the line is about another host, such as a subdomain, delete it: a robots.txt file applies only to its own host, so the rule belongs in a file there. If the group then has no rules, add "Disallow:" to it.`},
	{"a host before a star", "User-agent: *\nDisallow: www.shop.example*\n",
		`If you mean a folder with that name, start the path with "/". If not, delete the line: a robots.txt file applies only to its own host. If the group then has no rules, add "Disallow:" to it. For another host of yours, such as a subdomain, write the rule into a robots.txt file there.`},
	{"a host before a dollar sign", "User-agent: *\nDisallow: www.shop.example$\n",
		`If you mean a folder with that name, start the path with "/". If not, delete the line: a robots.txt file applies only to its own host. If the group then has no rules, add "Disallow:" to it. For another host of yours, such as a subdomain, write the rule into a robots.txt file there.`},
	{"a page with a dot", "User-agent: *\nDisallow: a.html\n", `Write "Disallow: /a.html".`},
	{"a part of a query", "User-agent: *\nDisallow: tab=*\n", `To match this text anywhere in a URL, write "Disallow: /*tab=". If every path that you mean starts with it, write "Disallow: /tab=*".`},
	{"the parameter of a session", "User-agent: *\nDisallow: PHPSESSID\n", `Write "Disallow: /*PHPSESSID" to match this text anywhere in a URL.`},
	{"another parameter of a session", "User-agent: *\nDisallow: ;jsessionid**\n", `Write "Disallow: /*;jsessionid" to match this text anywhere in a URL.`},
	{"a value in brackets", "User-agent: *\nDisallow: =(all)\n", `Write "Disallow: /*=(all)" to match this text anywhere in a URL.`},
	{"a folder with the name of a parameter", "User-agent: *\nDisallow: sid/a\n", `Write "Disallow: /sid/a".`},
	{"a second colon before a path", "User-agent: *\nDisallow: : /a/b/\n", `If you mean a path on this site, write "Disallow: /a/b/". If not, delete the line, or put a "#" before it. If the group then has no rules, add "Disallow:" to it.`},
	{"a second colon before a name", "User-agent:: Googlebot\nDisallow: /\n", `Did you mean "User-agent: Googlebot"? That crawler then obeys only the rules for its name, not those for "*".`},
	{"a parameter", "User-agent: *\nDisallow: ?Tab=*\n", `Write "Disallow: /*?Tab=" and "Disallow: /*&Tab=", each on its own line.`},
	{"a parameter with a value", "User-agent: *\nDisallow: /*?tab=a\n", `The rule matches the parameter only right after the "?", not in a URL such as "/page?x=1&tab=a".`},
	{"folders of styles", "User-agent: *\nDisallow: /css/*\nDisallow: /js/\n", `Above the rule for a folder, add lines with the name of the folder, such as "Allow: /css/*.css" and "Allow: /css/*.js" for "/css/". Delete any lines such as "Disallow: /*.css$". If the group then has no rules, add "Disallow:" to it.`},
	{"a folder of styles", "User-agent: *\nDisallow: /css/*\n", `Above this line, add lines such as "Allow: /css/*.css" and "Allow: /css/*.js".`},
	{"many names that nobody uses", "User-agent: A One\nUser-agent: B Two\nUser-agent: C Three\nUser-agent: D/4\nUser-agent: E/5\nDisallow: /\n",
		`The file has 5 names, such as "A One", that are not spelled as crawlers expect. The list was probably copied from another site or from the log of a server.`},
	{"a name of two words", "User-agent: bingbot crawler\nDisallow: /a\n", "Check how the crawler's documentation spells the name. If the line names several crawlers, write a line for each."},
	{"a quoted name", "User-agent: \"bingbot\"\nDisallow: /\n", `Did you mean "User-agent: bingbot"? That crawler then obeys only the rules for its name, not those for "*".`},
	{"a star and a sign", "User-agent: *\\\nDisallow: /\n", `Write only the name of the crawler that you mean, or only "*" if you mean all crawlers. If you do not know the name, delete the line. If the group then names no crawler, delete the group's rules, too.`},
	{"a pattern for all bots", "User-agent: *bot\nDisallow: /\n", `Write only the name of the crawler that you mean, or only "*" if you mean all crawlers. If you do not know the name, delete the line. If the group then names no crawler, delete the group's rules, too.`},
	{"the header of a browser", "User-agent: Mozilla/4.0 (compatible; MSIE 6.0)\nDisallow: /a\n",
		"Write the name that the crawler's documentation gives. If you mean a browser, delete the line. If the group then names no crawler, delete the group's rules, too."},
	{"the header of a crawler", "User-agent: Mozilla/5.0 (compatible; FooBot/1.2)\nDisallow: /\n", `Did you mean "User-agent: FooBot"? That crawler then obeys only the rules for its name, not those for "*".`},
	{"no name above rules", "User-agent:\nDisallow: /a\n", `If the user-agent line right above or below names the crawlers that the rules are for, delete this line. If not, write the name of the crawler that the rules are for, or "*" if they are for all crawlers.`},
	{"no name above a closed site", "User-agent:\nUser-agent: FooBot\nDisallow: /\n", `If the user-agent line right above or below names the crawlers that the rules are for, delete this line. If not, write the name of the crawler that the rules are for, or "*" if they are for all crawlers.`},
	{"an invisible character in a path", "User-agent: *\nDisallow: /a/\u200Bb\n", `Delete the line, and type it again. In a path whose URLs have the character, write "%E2%80%8B" instead.`},
	{"a bad escape", "User-agent: *\nDisallow: /100%/\n", `If the pages' addresses have "%25" here, write that. If they have a bare "%", keep the line. If neither, correct the escape.`},
	{"a closed site above all groups", "Disallow: /\n\nUser-agent: FooBot\nDisallow: /a\n", `If no crawler should fetch anything, write "User-agent: *" above the line. If not, delete each line that disallows the whole site.`},
	{"a closed site without a group", "Disallow: /a\nDisallow: /\n", `If no crawler should fetch anything, write "User-agent: *" above the line. If not, delete each line that disallows the whole site.`},
	{"a Host line for Yandex above another group", "User-agent: Yandex\nHost: www.example.edu\n\nUser-agent: *\nDisallow: /\n",
		`In lines 1 to 4, add below each such line the rules that the crawlers above it should obey, or "Disallow:" if they may fetch everything.`},
	{"rich text", "{\\rtf1\\ansi\nUser-agent: *\n", "Save the file as plain text."},
	{"rich text below a comment sign", "# {\\rtf1\\ansi\nUser-agent: *\n", "Save the file as plain text."},
	{"a quoted path", "User-agent: *\nDisallow: \"/a\"\n", `If you mean a path on this site, write "Disallow: /a". If not, delete the line, or put a "#" before it. If the group then has no rules, add "Disallow:" to it.`},
	{"a comment in C", "/* for all */\nUser-agent: *\nDisallow: /a\n", `Write "# /* for all */".`},
	{"several names", "User-agent: FooBot, BarBot\nDisallow: /\n", `Write "User-agent: FooBot" and "User-agent: BarBot", each on its own line.`},
	{"many versions", "User-agent: Twitterbot/1\nUser-agent: MJ12bot/2\nDisallow: /abc\n", `Most crawlers read only "Twitterbot"; some do not recognize a name that is followed by a version or a star. The same goes for line 2.`},
	{"a brand", "User-agent: ChatGPT\nDisallow: /\n", `Write one user-agent line for each crawler that you mean, such as "ChatGPT-User". They then ignore the rules for "*".`},
	{"text encoded twice", "User-agent: *\nDisallow: /caf\u00c3\u00a9\n", `Write "Disallow: /caf%C3%A9".`},
	{"text encoded twice that ends in control characters", "User-agent: *\nDisallow: /\u00e3\u0080\u0090 # c\n", `Write "Disallow: /%E3%80%90".`},
	{"text encoded twice with a no-break space", "User-agent: *\nDisallow: /a\u00c2\u00a0\u00e2\u0080\u00a6\n", `Write "Disallow: /a%C2%A0%E2%80%A6".`},
	{"lines encoded twice", "User-agent: *\nDisallow: /caf\u00c3\u00a9\nDisallow: /th\u00c3\u00a9\n", "Write each path percent-encoded, as it is in the address of the page."},
	{"a list of names with bars", "User-agent: bingbot | FooBot\nDisallow: /a\n", "Check how the crawler's documentation spells the name. If the line names several crawlers, write a line for each."},
	{"a name after a space", "# FooBot\nUser-agent: FooBot\nDisallow: / FooBot\n", `If the space is part of the URL, write "%20". If the line contains several paths, write a line for each. If the text after the space is not part of the path, delete it. If none of this is true, delete only the space.`},
	{"a word after a space, for all crawlers", "User-agent: *\nDisallow: / an\n", `If the space is part of the URL, write "%20". If not, delete only the space.`},
	{"a second group that opens the site", "User-agent: *\nDisallow: /a\nDisallow: /b\n\nUser-agent: *\nAllow: /\n", "Delete this line and its rule, which disallows nothing."},
	{"a second group with a delay that opens the site", "User-agent: *\nDisallow: /a\nDisallow: /b\n\nUser-agent: *\nCrawl-delay: 1\nAllow: /\n", "Move the rules and any crawl-delay to the group of line 1, and delete this line. If that group ends right above this line, just delete this line and any blank lines above it."},
	{"text before the first user-agent line", "<!-- made by x -->User-agent: *\nDisallow: /a\n", `Delete the text before "User-agent:". If you did not put it there, find out who did: a broken program, or somebody who changed your site.`},
	{"an open group of style sheets", "User-agent: *\nDisallow: /a\n\nUser-agent: Googlebot\nAllow: /*.css$\n", `If you want that, add "Disallow:" to each group for "Googlebot". If not, move the allow lines of each such group to the group for "*". Longer paths win over short ones such as "/*.css": if a folder with style sheets or scripts is disallowed there, also add lines such as "Allow: /templates/*.css" and "Allow: /templates/*.js". Then delete each group for "Googlebot", but keep any Sitemap lines.`},
	{"an open group that opens all", "User-agent: *\nDisallow: /login\n\nUser-agent: Googlebot\nAllow: /\n", `If "Googlebot" should obey these rules, copy them and any allow lines for parts of their paths into its group. If not, you can write "Disallow:" instead of "Allow: /": it means the same, and lint then reports nothing.`},
	{"a disallowed list of sitemaps", "User-agent: *\nDisallow: /a\nSitemap: https://www.example.edu/a.xml\n", "Add an allow line with the sitemap's path to the rule's group. If it is a sitemap index, also add one for each of its sitemaps. If crawlers should not read the sitemap, delete the sitemap line instead."},
	{"a part of a name", "User-agent: *Fetch*\nDisallow: /a\n", `Write only the name of the crawler that you mean, or only "*" if you mean all crawlers. If you do not know the name, delete the line. If the group then names no crawler, delete the group's rules, too.`},
	{"a brand between stars", "User-agent: *Google*\nDisallow: /a\n", `Write only the name of the crawler that you mean, or only "*" if you mean all crawlers. If you do not know the name, delete the line. If the group then names no crawler, delete the group's rules, too.`},
	{"a name between stars", "User-agent: *bingbot*\nDisallow: /a\n", `Did you mean "User-agent: bingbot"? That crawler then obeys only the rules for its name, not those for "*".`},
	{"a sitemap without a key", "User-agent: *\nDisallow: /a\nhttps://www.example.edu/s.xml\n", `If the URL is a sitemap, write "Sitemap: https://www.example.edu/s.xml", or delete the line if another line lists it.`},
	{"a key with another character", "User-agent: *\nDisallow: /a\n=Sitemap: https://www.example.edu/a.xml\n", `The key is spelled "=Sitemap", which most crawlers do not understand.`},
	{"another word for y", "User-agent: *\nContent-Usage: train-ai=Yes\nDisallow: /a\n", `Write "train-ai=y" or "train-ai=n".`},
	{"no word", "User-agent: *\nContent-Usage: train-ai\nDisallow: /a\n", `Write "train-ai=y" or "train-ai=n".`},
	{"a key twice", "User-agent: *\nDisallow: Disallow: /a\n", `Keep only the key that you mean or, if a line break is missing, start a new line before the second key. A crawler's name belongs after "User-agent:", a path such as "/press/", without the site's address, after "Disallow:" or "Allow:", and the whole URL of a sitemap after "Sitemap:". The rule "Disallow: /" closes the whole site.`},
	{"a key twice at the start of a group", "User-agent: FooBot\nDisallow: Disallow: /a\n", `If the first "Disallow:" should let the crawler fetch everything, delete the rest of the line, and move the other rules of this group to the group that they are meant for. If not, delete one of the two keys.`},
	{"a key twice below another rule", "User-agent: FooBot\nDisallow: /b\nDisallow: Disallow: /a\n", `Keep only the key that you mean or, if a line break is missing, start a new line before the second key. A crawler's name belongs after "User-agent:", a path such as "/press/", without the site's address, after "Disallow:" or "Allow:", and the whole URL of a sitemap after "Sitemap:". The rule "Disallow: /" closes the whole site.`},
	{"two keys at the start of a group", "User-agent: FooBot\nDisallow: Allow: /a\n", `Keep only the key that you mean or, if a line break is missing, start a new line before the second key. A crawler's name belongs after "User-agent:", a path such as "/press/", without the site's address, after "Disallow:" or "Allow:", and the whole URL of a sitemap after "Sitemap:". The rule "Disallow: /" closes the whole site.`},
	{"two other keys at the start of a group", "User-agent: FooBot\nAllow: Disallow: /a\n", `Keep only the key that you mean or, if a line break is missing, start a new line before the second key. A crawler's name belongs after "User-agent:", a path such as "/press/", without the site's address, after "Disallow:" or "Allow:", and the whole URL of a sitemap after "Sitemap:". The rule "Disallow: /" closes the whole site.`},
	{"a key twice before a User-Agent header", "User-agent: User-agent: Mozilla/5.0 (compatible; FooBot/1.0)\nDisallow: /a\n", `Write only the name of a crawler after "User-agent:". If you do not know the name, delete the line. If no user-agent line is then right above the rules that follow, delete these rules, too.`},
	{"a rule for the whole site before a sitemap", "User-agent: *\nDisallow: /Sitemap: https://www.example.edu/s.xml\n", `On a line of its own, "Disallow: /" closes the whole site. If you want that, start a new line before each key in the value. If not, do the same, but leave out each "Disallow: /", and let each path start with "/". If a group then has no rules, add "Disallow:" to it.`},
	{"an allow line for the whole site before a sitemap", "User-agent: *\nAllow: /Sitemap: https://www.example.edu/s.xml\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"the name of the group after a path", "User-agent: *\nDisallow: /aUser-agent: *\n", "Delete that key and the text after it: the group is already for that name."},
	{"the name of another group after a path", "User-agent: *\nDisallow: /a\n\nUser-agent: FooBot\nDisallow: /bUser-agent: *\n", `Start a new line before each key in the value. A named crawler obeys only its own group, so copy any rules for "*" that it should keep to the end of that group.`},
	{"the name of another crawler after a path", "User-agent: FooBot\nDisallow: /bUser-agent: BarBot\nDisallow: /a\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"the name of the group after another key", "User-agent: *\nAllow: /a Disallow: *\n", `On a line of its own, "Disallow: /" closes the whole site. If you want that, start a new line before each key in the value. If not, do the same, but leave out each "Disallow: /", and let each path start with "/". If a group then has no rules, add "Disallow:" to it.`},
	{"the name of the group as a sitemap", "User-agent: *\nDisallow: /a Sitemap: *\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key of a crawler that obeys * now", "User-agent: FooBot Allow: /\nUser-agent: *\nDisallow: /a\n", `Start a new line before each key in the value. A named crawler obeys only its own group, so copy any rules for "*" that it should keep to the end of that group.`},
	{"a second key of a crawler if all may fetch everything", "User-agent: FooBot Allow: /\nUser-agent: *\nAllow: /a\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key that shuts out a crawler, beside other rules", "User-agent: FooBot Disallow: /\nUser-agent: *\nDisallow: /a\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key for all crawlers, above their group", "User-agent: * Disallow: /b\nUser-agent: *\nDisallow: /a\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a minute's delay", "User-agent: *\nCrawl-delay: 60\nDisallow: /a\n", "Bing ignores a crawl-delay of more than 30 seconds."},
	{"a rule that wildcards override", "User-agent: *\nDisallow: /shop/\nAllow: /*shop/\n", `If you do not need the line, delete it. If you do, change the rules that override it so that they match fewer pages, such as "/new/shop/" instead of "/*shop/". If this is an allow line, and one of them ends in "*", it may be enough to delete that "*", because a longer path overrides a shorter one.`},
	{"rules that repeat others", "User-agent: *\nDisallow: /a\nDisallow: /a\nDisallow: /a\n",
		"Line 2 already has the same effect. Other rules also make line 4 unnecessary."},
	{"pages that nobody sees", "User-agent: *\nDisallow: *.pdf\nNoindex: *.pdf\n",
		`Delete the line. Search results may still list a disallowed page. To prevent that, let crawlers fetch the page, and let the server send the header "X-Robots-Tag: noindex" with the page.`},
	{"no user-agent line", "Disallow: /a\nDisallow: /b\n", `Add "User-agent: *" above line 1.`},
	{"a site for some", "User-agent: *\nDisallow: /\n\nUser-agent: FooBot\nDisallow: /a\n", `The rules for "*" close the whole site. Of the crawlers with a group of their own, only "FooBot" may fetch pages.`},
	{"crawlers with their own groups", "User-agent: *\nDisallow: /a\nDisallow: /c\n\nUser-agent: DuckDuckBot\nDisallow: /b\n\nUser-agent: Baiduspider\nDisallow: /b\n",
		`Crawlers obey only their own group, so some rules for "*" do not apply to "DuckDuckBot" and "Baiduspider" (line 2, "Disallow: /a", and 1 more).`},
	{"crawlers that may have to obey more", "User-agent: *\nDisallow: /a\nDisallow: /c\n\nUser-agent: DuckDuckBot\nDisallow: /b\n\nUser-agent: Baiduspider\nDisallow: /b\n",
		"If these crawlers should obey these rules, copy them and any allow lines for parts of their paths into their groups."},
	{"a crawler that may have to obey more", "User-agent: *\nDisallow: /a\nDisallow: /c\n\nUser-agent: DuckDuckBot\nUser-agent: FooBot\nDisallow: /b\n", `If "DuckDuckBot" should obey these rules, copy them and any allow lines for parts of their paths into its group.`},
	{"a crawler that may fetch everything", "User-agent: *\nDisallow: /a\nDisallow: /login\n\nUser-agent: Googlebot\nAllow: /\n",
		`Crawlers obey only their own group, so "Googlebot" may fetch pages that the rules for "*" disallow (line 3, "Disallow: /login", and 1 more).`},
	{"a crawler with a path of its own", "User-agent: *\nDisallow: /a\nDisallow: /b\n\nUser-agent: bingbot\nAllow: /a\n",
		`Crawlers obey only their own group, and this group disallows nothing. So "bingbot" may fetch everything, even pages that the rules for "*" disallow (line 3, "Disallow: /b").`},
	{"a rule with a twin without wildcards", "User-agent: *\nDisallow: /sf/\nDisallow: /sf/*\n", "Line 2 already has the same effect."},
	{"a crawler that may fetch everything on a site that another rule closes", "User-agent: *\nDisallow: /a\nDisallow: /\n\nUser-agent: bingbot\nAllow: /b\n",
		`Crawlers obey only their own group, and this group disallows nothing. So "bingbot" may fetch everything, although the rules for "*" close the site (line 3, "Disallow: /", and 1 more).`},
	{"a long line in two-byte letters", "User-agent: *\nDisallow: /a\n" + strings.Repeat("é", 61) + "\n",
		`"` + strings.Repeat("é", 60) + `…" is neither a comment nor a key with a value, so crawlers skip the line.`},
	{"a fragment", "User-agent: *\nDisallow: /shop/#cart\n",
		`If that is what you mean, write "Disallow: /shop/". If not, delete the line: crawlers never request the part of a URL after "#". If no rules are left in the group, add "Disallow:" to it. If the text after "#" is a comment, put a space before the "#" instead.`},
	{"a fragment of the start page", "User-agent: *\nDisallow: /#cart\n",
		`If that is what you mean, delete the "#" and the text after it. If not, delete the line: crawlers never request the part of a URL after "#", so no rule can match it. If no rules are left in the group, add "Disallow:" to it. If the text after "#" is a comment, put a space before the "#" instead.`},
	{"a fragment of a URL", "User-agent: *\nDisallow: https://www.example.edu/x#cart\n", `If the URL is on this site, write "Disallow: /x". If it is on another host, delete the line: a robots.txt file applies only to its own host, so a rule for a subdomain belongs in a file there. If it is a sitemap that crawlers should read, list it in a Sitemap line instead. If no rules are left in the group, add "Disallow:" to it.`},
	{"a blank line", "User-agent: *\nDisallow: /a\n\nDisallow: /b\n", `Delete the blank line, or write "#" in it.`},
	{"blank lines", "User-agent: *\n\n\nDisallow: /a\n# c\n\nDisallow: /*b\n\nDisallow: /b\n\n", "The group goes on after the blank line, but older crawlers end it there and ignore the lines that follow. The same goes for lines 3, 6 and 8."},
	{"many blank lines", "User-agent: *\n" + strings.Repeat("\n", 111) + "Disallow: /a\n",
		"The group goes on after the blank line, but older crawlers end it there and ignore the lines that follow. The same goes for lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 100 more."},
	{"a byte-order mark", "\uFEFFUser-agent: *\nDisallow: /a\n", "Save the file as UTF-8 without a byte-order mark."},
	{"UTF-16", "\xff\xfeA\x00l\x00l\x00o\x00w\x00:\x00/\x00\n\x00", "Save the file as UTF-8 without a byte-order mark."},
	{"a delay above a closed site", "User-agent: bingbot\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /\n", `In lines 1 to 4, add below each Crawl-delay line the rules that the crawlers above it should obey, or "Disallow:" if they may fetch everything.`},
	{"delays in a row", "User-agent: bingbot\nCrawl-delay: 5\n\nUser-agent: Yandex\nUser-agent: Slurp\nSitemap: https://www.example.edu/a\nUser-agent: FooBot\nUser-agent: BarBot\nDisallow: /a\n",
		`A crawl-delay does not end a group: lines 1 to 8 belong to one group, so the rules below also apply to "bingbot", "Yandex" and "Slurp".`},
	{"a no-break space", "User-agent: *\nDisallow:\u00A0/a\n", "The line contains a no-break space (U+00A0), which some crawlers read as part of the key or the value."},
	{"a page to leave out", "User-agent: *\nDisallow: /a\nNoindex: /b\n",
		`Delete the line, and let the server send the header "X-Robots-Tag: noindex" with the page. If the page is HTML, you can put <meta name="robots" content="noindex"> into it instead. If the line is only for Google's crawlers, write "X-Robots-Tag: googlebot: noindex" or name="googlebot". Do not disallow the page: crawlers see the header or the tag only if they may fetch the page.`},
	{"a deleted line", "User-agent: *\nDisallow: /a\nDisallow: /a\n", "Delete this line."},
	{"a retired crawler that may not fetch the site", "User-agent: Claude-Web\nDisallow: /\n", `To keep "ClaudeBot" out, write "User-agent: ClaudeBot".`},
	{"a retired crawler with rules", "User-agent: Claude-Web\nDisallow: /a\n", `If you want "ClaudeBot" to obey these rules, write "User-agent: ClaudeBot", and add any rules for "*" that it should keep. If not, delete the line or, if it contains other names, only this name. If the group then names no crawler, delete the group's rules, too.`},
	{"a group that a crawler shares with one that ignores *", "User-agent: *\nDisallow: /a\n\nUser-agent: bingbot\nUser-agent: AdsBot-Google\nAllow: /b\n", `If you want that, add "Disallow:" to each group for "bingbot". If not, copy the rules for "*" into a separate group with the same lines, in place of its name here. Leave out rules for style sheets and scripts, and lines that disallow the path of an allow line there.`},
	{"a group that crawlers share with one that ignores *", "User-agent: *\nDisallow: /a\n\nUser-agent: bingbot\nUser-agent: Googlebot\nUser-agent: AdsBot-Google\nAllow: /b\n", `If you want that, add "Disallow:" to each group for these crawlers. If not, copy the rules for "*" into a separate group with the same lines, in place of their names here. Leave out rules for style sheets and scripts, and lines that disallow the path of an allow line there.`},
	{"two groups with the same lines, of which one is also for a crawler that ignores *", "User-agent: *\nDisallow: /a\n\nUser-agent: bingbot\nAllow: /b\n\nUser-agent: Googlebot\nUser-agent: AdsBot-Google\nAllow: /b\n", `Crawlers obey only their own group, and this group disallows nothing. So "Googlebot" may fetch everything, even pages that the rules for "*" disallow (line 2, "Disallow: /a").`},
	{"two crawlers whose groups only allow", "User-agent: *\nDisallow: /a\n\nUser-agent: bingbot\nAllow: /b\n\nUser-agent: Googlebot\nAllow: /b\n", `If you want that, add "Disallow:" to each group for these crawlers. If not, copy the rules for "*" into their groups. Leave out rules for style sheets and scripts, and lines that disallow the path of an allow line there.`},
	{"a group that allows only pages", "User-agent: *\nDisallow: /a\n\nUser-agent: bingbot\nAllow: /b\n", `If you want that, add "Disallow:" to each group for "bingbot". If not, copy the rules for "*" into its group. Leave out rules for style sheets and scripts, and lines that disallow the path of an allow line there.`},
	{"a group that allows pages and style sheets", "User-agent: *\nDisallow: /a\n\nUser-agent: bingbot\nAllow: /b\nAllow: *.css\n", `If you want that, add "Disallow:" to each group for "bingbot". If not, copy the rules for "*" into its group. Leave out rules for style sheets and scripts, and lines that disallow the path of an allow line there. Longer paths win over short ones such as "*.css": to keep style sheets open in a disallowed folder, add a line such as "Allow: /templates/*.css".`},
	{"a backslash that is escaped below many rules", "User-agent: *\nDisallow: /a\\.b\n" + strings.Repeat("Disallow: /c\n", 99) + "Disallow: /d%5Ce\n", "Paths are not regular expressions, so crawlers do not read \"/a\\.b\" as you mean it. Only \"*\" and a \"$\" at the end have a special meaning."},
	{"a retired crawler of a closed site", "User-agent: *\nDisallow: /\nAllow: /a\n\nUser-agent: Claude-Web\nDisallow: /\n", `Anthropic no longer uses the name "Claude-Web". Its current crawler, "ClaudeBot", does not obey these rules.`},
	{"an allow line without a path, alone", "User-agent: *\nAllow:\n", `To make that clear, write "Disallow:" instead.`},
	{"an allow line without a path, beside a rule", "User-agent: *\nAllow:\nDisallow: /a\n", "Delete the line."},
	{"a retired crawler for search that may not fetch the site", "User-agent: *\nDisallow: /\nAllow: /a\n\nUser-agent: Googlebot-Mobile\nDisallow: /b\n", `Google no longer uses the name "Googlebot-Mobile". Its current crawler, "Googlebot", obeys the rules for "*" instead.`},
	{"a group with a delay that is new", "User-agent: *\nDisallow: /a\nDisallow: /b\n\nUser-agent: *\nCrawl-delay: 5\nDisallow: /b\n", "Move the rules and any crawl-delay to the group of line 1, and delete this line. If that group ends right above this line, just delete this line and any blank lines above it."},
	{"a group with a name that is new", "User-agent: *\nDisallow: /a\nDisallow: /b\n\nUser-agent: *\nUser-agent: FooBot\nDisallow: /b\n",
		`Write one group for "*" alone, with the rules and crawl-delays of all its groups. Delete "*" from all other groups, and delete any group that then names no crawler.`},
	{"a second group below one for several crawlers", "User-agent: *\nUser-agent: FooBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n",
		`Write one group for "*" alone, with the rules and crawl-delays of all its groups. Delete "*" from all other groups, and delete any group that then names no crawler.`},
	{"groups of several names", "User-agent: *\nUser-agent: FooBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n\nUser-agent: FooBot\nDisallow: /c\n",
		"For each name in these lines, write one group that contains all rules and crawl-delays for the name. Delete the name from all other groups, and delete any group that then names no crawler."},
	{"third groups", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n\nUser-agent: *\nDisallow: /c\n",
		"Move the rules and any crawl-delay to the group of line 1, and delete this line. If that group ends right above this line, just delete this line and any blank lines above it."},
	{"rules of a crawler that contradict each other in two groups", "User-agent: *\nAllow: /\n\nUser-agent: *\nDisallow: /\n",
		`Keep only the group that you want for "*". If the other one is also for other crawlers, delete only the name there.`},
	{"a closed group above another", "User-agent: FooBot\nDisallow: /\n\nUser-agent: FooBot\nUser-agent: BarBot\nDisallow: /a\n",
		`Line 1 already starts a group for "FooBot", and one of the two closes the whole site. Some crawlers join the two, some read only one.`},
	{"a second group below one that allows everything", "User-agent: *\nAllow: /\n\nUser-agent: *\nDisallow: /a\n", `Delete line 1 and its rule, which disallows nothing. If "*" still has several groups then, move their rules into one of them.`},
	{"a second group below one that allows a page", "User-agent: *\nAllow: /b\n\nUser-agent: *\nDisallow: /\nAllow: /c\n", "Move the rules and any crawl-delay to the group of line 1, and delete this line. If that group ends right above this line, just delete this line and any blank lines above it."},
	{"a second group below one with two allow lines", "User-agent: *\nAllow: /\nAllow: /b\n\nUser-agent: *\nDisallow: /a\n", "Move the rules and any crawl-delay to the group of line 1, and delete this line. If that group ends right above this line, just delete this line and any blank lines above it."},
	{"a second group below one that closes the site but for a page", "User-agent: *\nDisallow: /\nAllow: /b\n\nUser-agent: *\nDisallow: /a\n", "Move the rules and any crawl-delay to the group of line 1, and delete this line. If that group ends right above this line, just delete this line and any blank lines above it."},
	{"a second group below one with a delay", "User-agent: *\nAllow: /\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /a\n", "Move the rules and any crawl-delay to the group of line 1, and delete this line. If that group ends right above this line, just delete this line and any blank lines above it."},
	{"a second group below one with the same delay", "User-agent: *\nAllow: /\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /a\nCrawl-delay: 5\n", `Delete line 1 and its rule, which disallows nothing. If "*" still has several groups then, move their rules into one of them.`},
	{"a second group below one with another delay", "User-agent: *\nAllow: /\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /a\nCrawl-delay: 9\n", "Move the rules and any crawl-delay to the group of line 1, and delete this line. If that group ends right above this line, just delete this line and any blank lines above it."},
	{"a second group below one with more delays", "User-agent: *\nAllow: /\nCrawl-delay: 5\nCrawl-delay: 9\n\nUser-agent: *\nDisallow: /a\nCrawl-delay: 5\n", "Move the rules and any crawl-delay to the group of line 1, and delete this line. If that group ends right above this line, just delete this line and any blank lines above it."},
	{"a second group with more delays", "User-agent: *\nAllow: /\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /a\nCrawl-delay: 5\nCrawl-delay: 9\n", "Move the rules and any crawl-delay to the group of line 1, and delete this line. If that group ends right above this line, just delete this line and any blank lines above it."},
	{"a rule for the sitemap alone", "User-agent: *\nDisallow: /s.xml$\nSitemap: https://www.example.edu/s.xml\n", `Delete line 2. If its group then has no rules, add "Disallow:" to it. If crawlers should not read the sitemap, delete the sitemap line instead.`},
	{"a home page as a sitemap", "Sitemap: https://www.example.edu/\n", "Write the URL of the sitemap. If you have no sitemap, delete this line."},
	{"a home page that is no sitemap", "Sitemap: https://www.example.edu\n", `"https://www.example.edu" is not the URL of a sitemap.`},
	{"a sitemap without https", "Sitemap: www.example.edu/s.xml\n", `Write "Sitemap: https://www.example.edu/s.xml".`},
	{"a sitemap with an unknown scheme", "Sitemap: htps://www.example.edu/s.xml\n", `Write one complete URL: "https://", your host and the path, as in "https://www.example.org/sitemap.xml". If another line has that URL, or if you have no sitemap, delete this line.`},
	{"two sitemaps without https", "Sitemap: www.example.edu/s.xml www.example.edu/t.xml\n", `Write one complete URL: "https://", your host and the path, as in "https://www.example.org/sitemap.xml". If another line has that URL, or if you have no sitemap, delete this line.`},
	{"a key after a slash", "User-agent: *\nDisallow: /Disallow: /a/\n", `On a line of its own, "Disallow: /" closes the whole site. If you want that, start a new line before each key in the value. If not, do the same, but leave out each "Disallow: /", and let each path start with "/". If a group then has no rules, add "Disallow:" to it.`},
	{"another key after a slash", "User-agent: *\nAllow: /Disallow: /a/\n", `If the key got into a path by mistake, delete it there. If you mean two rules, start a new line before that key. The first rule, "Allow: /", then applies to every path that starts with its path.`},
	{"a key after a path of one letter", "User-agent: *\nDisallow: *Disallow: /a/\n", `On a line of its own, "Disallow: /" closes the whole site. If you want that, start a new line before each key in the value. If not, do the same, but leave out each "Disallow: /", and let each path start with "/". If a group then has no rules, add "Disallow:" to it.`},
	{"a key in a User-Agent header", "User-agent: Mozilla/5.0 (Foo.User-agent: Bot; Windows)\nDisallow: /\n",
		`Write only the name of a crawler after "User-agent:". If you do not know the name, delete the line. If no user-agent line is then right above the rules that follow, delete these rules, too.`},
	{"another key after a User-Agent header", "User-agent: Mozilla/5.0 Disallow: /\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"two names on a line", "User-agent: FooBot User-agent: BarBot\nDisallow: /\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a sitemap on a user-agent line", "User-agent: Sitemap: https://www.example.edu/s.xml\nDisallow: /\n",
		`Write only the name of a crawler after "User-agent:". If you do not know the name, delete the line. If no user-agent line is then right above the rules that follow, delete these rules, too.`},
	{"a rule on a user-agent line", "User-agent: Disallow: /a\n", `Keep only the key that you mean or, if a line break is missing, start a new line before the second key. A crawler's name belongs after "User-agent:", a path such as "/press/", without the site's address, after "Disallow:" or "Allow:", and the whole URL of a sitemap after "Sitemap:". The rule "Disallow: /" closes the whole site.`},
	{"a name before a sitemap", "User-agent: FooBot Sitemap: https://www.example.edu/s.xml\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a sitemap as a path", "User-agent: *\nDisallow: Sitemap: https://www.example.edu/s.xml\n", `Keep only the key that you mean or, if a line break is missing, start a new line before the second key. A crawler's name belongs after "User-agent:", a path such as "/press/", without the site's address, after "Disallow:" or "Allow:", and the whole URL of a sitemap after "Sitemap:". The rule "Disallow: /" closes the whole site.`},
	{"a crawler with one path of a closed site", "User-agent: *\nDisallow: /\n\nUser-agent: bingbot\nAllow: /a\n",
		`To let "bingbot" fetch only what the group allows, add "Disallow: /" to its group. To let "bingbot" fetch everything, add "Disallow:".`},
	{"a regular expression for any text", "User-agent: *\nDisallow: /.+\n", `Write "*" for each part that varies, such as "\d+", ".*" or "(.*?)": "/item\d+" becomes "/item*". Delete other special characters such as "^", "(", ")" and "\", but keep a "$" at the end. If the new rule matches other pages or even the whole site, write one line for each page that you mean instead.`},
	{"an allow line that loses", "User-agent: *\nAllow: /a\nDisallow: /a*\n", "The line has no effect, because line 3 disallows the same path."},
	{"an allow line for one page that loses", "User-agent: *\nAllow: /a\nDisallow: /a*\n", `Delete the line that you did not intend, or correct its path. If only this page should be open, write "Allow: /a$".`},
	{"an allow line with a longer path that wins", "User-agent: *\nDisallow: /a\nAllow: /a*\n", "Delete the line that you did not intend, or correct its path."},
	{"allow lines that lose", "User-agent: *\nAllow: /a\nDisallow: /a*\nAllow: /b\nDisallow: /b*\n", "The line has no effect, because line 3 disallows the same path. The same problem exists in line 4."},
	{"a URL of another site and a URL of this site", "User-agent: *\nDisallow: https://cdn.example.edu/a\nDisallow: https://www.example.edu/a\nSitemap: https://www.example.edu/s.xml\n", "If a URL is on this site, write only its path, once for each path. But delete each line whose URL is a home page or on another host, such as a subdomain: a robots.txt file applies only to its own host, so rules for a subdomain belong in a file there. If a URL is a sitemap that crawlers should read, list it in a Sitemap line instead. If no rules are left in a group, add \"Disallow:\" to it."},
	{"two names with stars", "User-agent: *FooBot*\nUser-agent: *BarBot*\nDisallow: /a\n", `Write only the names of the crawlers that you mean, without "*" and other characters around them. If you mean all crawlers, write only "*". If you do not know a name, delete the line. If a group then names no crawler, delete its rules, too.`},
	{"a sitemap with one slash", "Sitemap: https:/www.example.edu/s.xml\n", `Write one complete URL: "https://", your host and the path, as in "https://www.example.org/sitemap.xml". If another line has that URL, or if you have no sitemap, delete this line.`},
	{"the host of the second sitemap", "User-agent: *\nDisallow: https://www.example.edu/a\nSitemap: https://cdn.example.edu/s.xml\nSitemap: https://www.example.edu/s.xml\n", `Write "Disallow: /a".`},
	{"a host without a sitemap", "User-agent: *\nDisallow: https://www.example.edu/a\nSitemap: https://cdn.example.edu/s.xml\n", `Delete such a line: a robots.txt file applies only to its own host. If the URL is on another host of yours, such as a subdomain, write the rule into a robots.txt file there. If no rules are left in the group here, add "Disallow:" to it.`},
	{"a character in HTML", "Sitemap: https://www.m&#xFC;ller.example.edu/s.xml\n", `The value contains "&#xFC;", which looks like a leftover from a template, an example or a web page.`},
	{"a line without meaning", "User-agent: *\nDisallow: /a\n1\n", `If the line is a comment, put a "#" at its start. If it continues the line above, join the two. If neither is true, correct the line, or delete it and the lines that belong to it.`},
	{"a delay for all crawlers", "User-agent: *\nCrawl-delay: 120\nDisallow: /a\n", "For Bing, write 30 or less. If the group is also for other crawlers, and these should wait longer, make a separate group for bingbot, with a copy of all rules that it obeys now."},
	{"several lines without meaning", "User-agent: *\nDisallow: /a\nEOT\n1\n", `"EOT" is neither a comment nor a key with a value, so crawlers skip the line. The same goes for line 4.`},
	{"a regular expression that allows pages", "User-agent: *\nDisallow: /a\nAllow: /*?page=[0-9]\n", "Delete the line, or write one line for each path that you mean."},
	{"a User-Agent header from a log file of IIS", "User-agent: Mozilla/5.0+(compatible;+FooBot/4.4.2;++https://www.example.edu/bot)\nDisallow: /\n", `Did you mean "User-agent: FooBot"? That crawler then obeys only the rules for its name, not those for "*".`},
	{"a Chinese colon", "Sitemap：https://www.example.edu/s.xml\nUser-agent: *\nDisallow: /a\n", `If the line is not a comment, write "Sitemap:" before the value.`},
	{"a path without a key", "User-agent: *\nDisallow: /a\n/plugins\n", `If the path belongs to a line above it, such as "Disallow:" or "Allow:" without a path, join the two. If not, and crawlers should not fetch the path, write "Disallow: /plugins" among the rules of the group that should obey it. If they should fetch it, delete the line.`},
	{"a URL with the text of a table", "User-agent: *\nDisallow: https://www.example.edu/s.xml\t2023-11-03 14:37\n", `If the URL is on this site, write "Disallow: /s.xml". If it is on another host, delete the line: a robots.txt file applies only to its own host, so a rule for a subdomain belongs in a file there. If it is a sitemap that crawlers should read, list it in a Sitemap line instead. If no rules are left in the group, add "Disallow:" to it.`},
	{"a URL beside a sitemap without a host", "User-agent: *\nDisallow: https://www.example.edu/a\nSitemap: /s.xml\n", `If the URL is on this site, write "Disallow: /a". If it is on another host, delete the line: a robots.txt file applies only to its own host, so a rule for a subdomain belongs in a file there. If it is a sitemap that crawlers should read, list it in a Sitemap line instead. If no rules are left in the group, add "Disallow:" to it.`},
	{"a path with backslashes", "User-agent: *\nDisallow: \\a\\b.txt\n", `If you mean a path on this site, write "Disallow: /a/b.txt". If not, delete the line, or put a "#" before it. If the group then has no rules, add "Disallow:" to it.`},
	{"a path in the current folder", "User-agent: *\nDisallow: ./tmp\n", `If you mean a path on this site, write "Disallow: /tmp". If not, delete the line, or put a "#" before it. If the group then has no rules, add "Disallow:" to it.`},
	{"a path in the folder above", "User-agent: *\nDisallow: ../tmp\n", `If you mean a path on this site, write "Disallow: /tmp". If not, delete the line, or put a "#" before it. If the group then has no rules, add "Disallow:" to it.`},
	{"a host in capitals", "User-agent: *\nDisallow: EXAMPLE.COM/a\n", `Write the path alone, without the host or port. If the line is about another host, such as a subdomain, delete it: a robots.txt file applies only to its own host, so the rule belongs in a file there. If the group then has no rules, add "Disallow:" to it.`},
	{"a word after two colons", "User-agent: *\nDisallow::all\n", `If crawlers should fetch nothing, write "Disallow: /". If not, delete the line. If the group then has no rules, add "Disallow:" to it.`},
	{"a space in a file name in capitals", "User-agent: *\nDisallow: /a. PHP\n", `If the space is part of the URL, write "%20". If the line contains several paths, write a line for each. If the text after the space is not part of the path, delete it. If none of this is true, delete only the space.`},
	{"Googlebot may fetch folders of style sheets and scripts", "User-agent: *\nDisallow: /search\n\nUser-agent: Googlebot\nAllow: /js/\nAllow: /css/\n", `If you want that, add "Disallow:" to each group for "Googlebot". If not, move the allow lines of each such group to the group for "*". Longer paths win over short ones such as "/*.css": if a folder with style sheets or scripts is disallowed there, also add lines such as "Allow: /templates/*.css" and "Allow: /templates/*.js". Then delete each group for "Googlebot", but keep any Sitemap lines.`},
	{"a user-agent line without a colon above a group that closes the site", "User-agent: *\nDisallow: /a\n\nUser-agent FooBot\nDisallow: /\n\nUser-agent: BarBot\nDisallow: /\n", `The colon after the key is missing, so only some crawlers read the line. Others ignore the rules below it, or read them as part of the group above.`},
	{"a path with brackets at its end", "User-agent: *\nDisallow: filter=(new)\n", `To match this text anywhere in a URL, write "Disallow: /*filter=(new)". If every path that you mean starts with it, write "Disallow: /filter=(new)".`},
	{"a retired crawler beside rules for all that disallow nothing", "User-agent: *\nAllow: /x\n\nUser-agent: Googlebot-Mobile\nDisallow: /a\n", `Google no longer uses the name "Googlebot-Mobile". Its current crawler, "Googlebot", does not obey these rules.`},
	{"five crawlers without rules", "User-agent: *\nDisallow: /a\n\nUser-agent: ABot\nUser-agent: BBot\nUser-agent: CBot\nUser-agent: DBot\nUser-agent: bingbot\n", `The group has no rules, so "ABot", "BBot", "CBot", "DBot" and 1 more may fetch everything, whatever other groups say.`},
	{"a second key without a path above a rule, beside rules for all", "User-agent: *\nDisallow: /b\n\nUser-agent: FooBot Disallow:\nDisallow: /a\n", `Start a new line before each key in the value. A named crawler obeys only its own group, so copy any rules for "*" that it should keep to the end of that group.`},
	{"a sitemap whose host is a file", "Sitemap: https://sitemap_index.xml\n", `Write one complete URL: "https://", your host and the path, as in "https://www.example.org/sitemap.xml". If another line has that URL, or if you have no sitemap, delete this line.`},
	{"an address of mail", "User-agent: *\nDisallow: a@lists.example.org\n", `If you mean a path on this site, write "Disallow: /a@lists.example.org". If not, delete the line, or put a "#" before it. If the group then has no rules, add "Disallow:" to it.`},
	{"a port", "User-agent: *\nDisallow: :2095/\n", `If you mean a folder with that name, start the path with "/". If not, delete the line: a robots.txt file applies only to its own host. If the group then has no rules, add "Disallow:" to it. For another host of yours, such as a subdomain, write the rule into a robots.txt file there.`},
	{"a quoted name", "User-agent: *\nDisallow: 'Zoë Doe'\n", `If it is a path, start it with "/", write "%20" for each space, and delete quotation marks. If not, delete the line, or put a "#" before it. If the group then has no rules, add "Disallow:" to it.`},
	{"a scheme", "User-agent: *\nDisallow: https*\n", `If crawlers should fetch nothing, write "Disallow: /". If not, delete the line. If the group then has no rules, add "Disallow:" to it.`},
	{"a scheme in capitals with a colon", "User-agent: *\nDisallow: HTTP:$\n", `If crawlers should fetch nothing, write "Disallow: /". If not, delete the line. If the group then has no rules, add "Disallow:" to it.`},
	{"a file that starts like a scheme", "User-agent: *\nDisallow: httpd\n", `Write "Disallow: /httpd".`},
	{"a space after the dot of a file", "User-agent: *\nDisallow: /a. php\n", `If the space is part of the URL, write "%20". If the line contains several paths, write a line for each. If the text after the space is not part of the path, delete it. If none of this is true, delete only the space.`},
	{"a space before the dot of a file", "User-agent: *\nDisallow: /a .html\n", `If the space is part of the URL, write "%20". If the line contains several paths, write a line for each. If the text after the space is not part of the path, delete it. If none of this is true, delete only the space.`},
	{"a space after the dot of a name", "User-agent: *\nDisallow: /St. Gallen\n", `Write "Disallow: /St.%20Gallen".`},
	{"a quoted URL", "User-agent: *\nDisallow: 'https://www.example.edu/a'\n", `Write the path alone, without the host or port. If the line is about another host, such as a subdomain, delete it: a robots.txt file applies only to its own host, so the rule belongs in a file there. If the group then has no rules, add "Disallow:" to it.`},
	{"a word", "User-agent: *\nDisallow: All\nDisallow: /a\n", `If crawlers should fetch nothing, write "Disallow: /". If not, delete the line. If the group then has no rules, add "Disallow:" to it.`},
	{"a path in brackets", "User-agent: *\nDisallow: <[{(a)}]>\n", `If you mean a path on this site, write "Disallow: /a". If not, delete the line, or put a "#" before it. If the group then has no rules, add "Disallow:" to it.`},
	{"signs around nothing", "User-agent: *\nDisallow: './\\\"\n", `If crawlers should fetch nothing, write "Disallow: /". If not, delete the line. If the group then has no rules, add "Disallow:" to it.`},
	{"quotes around nothing", "User-agent: *\nDisallow: \"\"\n", `If crawlers should fetch nothing, write "Disallow: /". If not, delete the line. If the group then has no rules, add "Disallow:" to it.`},
	{"a page with a part", "User-agent: *\nDisallow: /a.html#b\n", `If that is what you mean, write "Disallow: /a.html". If not, delete the line: crawlers never request the part of a URL after "#". If no rules are left in the group, add "Disallow:" to it.`},
	{"a URL that is the name of a sitemap", "Sitemap: https://sitemap.xml\n", `"https://sitemap.xml" is not the complete URL of one sitemap, so most crawlers do not find the sitemap.`},
	{"a URL without a host", "Sitemap: https:///sitemap.xml\n", `"https:///sitemap.xml" is not the complete URL of one sitemap, so most crawlers do not find the sitemap.`},
	{"a no-break space after a colon", "User-agent: *\nDisallow:\u00A0/a\n", `Delete the line, and type it again. In a path whose URLs have the character, write "%C2%A0" instead.`},
	{"a path and a file", "User-agent: *\nDisallow: .pdf$\nDisallow: a\nDisallow: /b\n", `If a line is about another host or its value is no path, delete it. If a group then has no rules, add "Disallow:" to it. For a parameter such as "?sort=", write two lines, with "/*?sort=" and "/*&sort=". Start each other path with "/", or with "/*" to match the text anywhere in a URL.`},
	{"a note", "User-agent: *\nDisallow: com root\n", `If it is a path, start it with "/", write "%20" for each space, and delete quotation marks. If not, delete the line, or put a "#" before it. If the group then has no rules, add "Disallow:" to it.`},
	{"several names of people", "User-agent: *\nDisallow: \"A B\"\nDisallow: \"C D\"\n", `If it is a path, start it with "/", write "%20" for each space, and delete quotation marks. If not, delete the line, or put a "#" before it. If the group then has no rules, add "Disallow:" to it.`},
	{"a quoted path in letters outside ASCII", "User-agent: *\nDisallow: '/Zoë Doe'\n", `If you mean a path on this site, write "Disallow: /Zo%C3%AB%20Doe". If not, delete the line, or put a "#" before it. If the group then has no rules, add "Disallow:" to it.`},
	{"a part of a path", "User-agent: *\nDisallow: -copy-\n", `To match this text anywhere in a URL, write "Disallow: /*-copy-". If every path that you mean starts with it, write "Disallow: /-copy-".`},
	{"several hosts", "User-agent: *\nDisallow: a.example.org\nDisallow: b.example.org\n", `If you mean a folder with that name, start the path with "/". If not, delete the line: a robots.txt file applies only to its own host. If the group then has no rules, add "Disallow:" to it. For another host of yours, such as a subdomain, write the rule into a robots.txt file there.`},
	{"a parameter twice", "User-agent: *\nDisallow: ?sid\n\nUser-agent: FooBot\nDisallow: ?sid\n", `Write "Disallow: /*?sid" and "Disallow: /*&sid", each on its own line.`},
	{"several paths without a slash", "User-agent: *\nDisallow: a/\nDisallow: b/\n", `Start each such path with "/", and write "%20" for each space.`},
	{"several URLs of other sites", "User-agent: *\nDisallow: https://shop.example/\nDisallow: https://blog.example/\n", `Delete such a line: a robots.txt file applies only to its own host. If the URL is on another host of yours, such as a subdomain, write the rule into a robots.txt file there. If no rules are left in the group here, add "Disallow:" to it.`},
	{"a delay for all crawlers that have other rules", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nCrawl-delay: 1\nUser-agent: FooBot\nDisallow: /\n", `If a crawler or "*" has another group with rules, move the crawl-delay there, and delete the user-agent line here. If other Crawl-delay lines between user-agent lines of this group are left, add below each the rules that the crawlers above it should obey, or "Disallow:" if they may fetch everything.`},
	{"a delay for Slurp and another crawler", "User-agent: Yahoo! Slurp\nCrawl-delay: 1\nUser-agent: BarBot\nCrawl-delay: 1\nUser-agent: FooBot\nDisallow: /\n", `A crawl-delay does not end a group: lines 1 to 5 belong to one group, so the rules below also keep "BarBot" from fetching anything.`},
	{"a letter of another alphabet", "User-agent: *\nDisallow: /p\u0430ge\n", "If you mean Latin letters, type the word again. If the URLs have these letters, write them percent-encoded."},
	{"rules for msnbot by mistake", "User-agent: MSNBot\nCrawl-delay: 1\n\nUser-agent: FooBot\nDisallow: /\n", `A crawl-delay does not end a group: lines 1 to 4 belong to one group, so the rules below also keep "MSNBot" (and "bingbot", which obeys this group, too) from fetching anything.`},
	{"rules for msnbot beside bingbot", "User-agent: MSNBot\nUser-agent: BarBot\nCrawl-delay: 1\n\nUser-agent: FooBot\nDisallow: /\n\nUser-agent: bingbot\nDisallow: /a\n", `A crawl-delay does not end a group: lines 1 to 5 belong to one group, so the rules below also keep "MSNBot" and "BarBot" from fetching anything.`},
	{"three groups, of which two drop the same rules", "User-agent: *\nDisallow: /x\nDisallow: /y\n\nUser-agent: Bingbot\nDisallow: /a\n\nUser-agent: Yandex\nDisallow: /x\n\nUser-agent: DuckDuckBot\nDisallow: /b\n", `Crawlers obey only their own group, so some rules for "*" do not apply to "Bingbot" and "DuckDuckBot" (line 2, "Disallow: /x", and 1 more).`},
	{"text below many comments", strings.Repeat("# comment\n", 500) + "hello world\n", `This is not a robots.txt file: it starts with "hello world". Crawlers find no rules in it and may fetch everything.`},
	{"a first group below many comments of a page", "<!DOCTYPE html>\n" + strings.Repeat("# comment\n", 500) + "User-agent: *\nDisallow: /a\n", "HTML or program code stands above the first group, which starts in line 502. Crawlers skip it, but it does not belong in this file."},
	{"a wide colon in the URL of a sitemap", "User-agent: *\nDisallow: /a\n\nhttps://www.example.org/a：b.xml\n", `If the URL is a sitemap, write "Sitemap: https://www.example.org/a：b.xml", or delete the line if another line lists it.`},
	{"rules for msnbot and many others by mistake", "User-agent: A\nUser-agent: B\nUser-agent: C\nUser-agent: D\nUser-agent: MSNBot\nCrawl-delay: 1\n\nUser-agent: FooBot\nDisallow: /\n", `A crawl-delay does not end a group: lines 1 to 8 belong to one group, so the rules below also keep "A", "B", "C", "D" and 1 more (and "bingbot", which obeys this group, too) from fetching anything.`},
	{"a tab in a path", "User-agent: *\nDisallow: /a\tb\n", `The path contains a space or tab: some crawlers read a space as "%20", others never match the path.`},
	{"tabs in several paths", "User-agent: *\nDisallow: /a\tb\nDisallow: /c\td\n", `Write "%20" for each space that is part of a URL, and "%09" for each tab. If a line contains several paths, write a line for each. Delete all other spaces and tabs.`},
	{"a space and a tab in paths", "User-agent: *\nDisallow: /a\tb\nDisallow: /c d\n", `Write "%20" for each space that is part of a URL, and "%09" for each tab. If a line contains several paths, write a line for each. Delete all other spaces and tabs.`},
	{"a list of paths", "User-agent: *\nDisallow: *.doc, *.rtf\n", `If the space is part of the URL, write "%20". If the line contains several paths, write a line for each. If the text after the space is not part of the path, delete it. If none of this is true, delete only the space.`},
	{"sitemaps again", "Sitemap: https://www.example.edu/s.xml\nSitemap: https://www.example.edu/s.xml\nSitemap: https://www.example.edu/s.xml\n", "Line 1 lists the same sitemap. There are also duplicates in line 3."},
	{"letters in several paths", "User-agent: *\nDisallow: /é\nDisallow: /ä\n", `Write these characters percent-encoded, as the site's URLs have them, such as "%C3%A9" for "é" in UTF-8, and "%20" for a space. If the URLs do not have such a character, write what they have instead.`},
	{"bytes in another encoding in a word of two alphabets", "User-agent: *\nDisallow: /pаge\xe4\n", `Write these characters percent-encoded, as the site's URLs have them. Most sites use UTF-8, where "é" is "%C3%A9". If they are not part of the URL, delete them.`},
	{"a fragment of an allow line", "User-agent: *\nDisallow: /a\nAllow: /a/b#c\n", `The "#" starts a comment, so crawlers read only "/a/b".`},
	{"fragments of several allow lines", "User-agent: *\nDisallow: /a\nAllow: /a/b#c\nAllow: /a/d/#\n", `Delete the "#" and any text after it. If that text is a comment, put a space before the "#" instead.`},
	{"fragments of rules of both kinds", "User-agent: *\nDisallow: /a.html#b\nAllow: /d#c\n", `If the text after "#" is a comment, put a space before the "#". If not, delete the "#" and that text: crawlers never request that part of a URL, and obey the line without it. If a disallow line should not apply to the whole path before the "#", delete the line instead. If no rules are left in a group, add "Disallow:" to it.`},
	{"a fragment of a page", "User-agent: *\nDisallow: /a.html#b\n", `The "#" starts a comment, so the line applies to the whole page, "/a.html".`},
	{"a line above all groups", "Disallow: /a\nUser-agent: FooBot\nDisallow: /b\n", `If all crawlers should obey the line, move it to the rules for "User-agent: *", and copy it to every other group. If the file has no "User-agent: *", write that above the line. If only one crawler should obey it, move it to the group for that crawler. A new group also needs the rules for "*" that the crawler should keep.`},
	{"a group that another crawler obeys", "User-agent: *\nDisallow: /a\n\nUser-agent: msnbot\nCrawl-delay: 1\n", `The group has no rules, so "msnbot" may fetch everything, whatever other groups say. Bing's current crawler, "bingbot", obeys this group, too.`},
	{"a group that another crawler does not obey", "User-agent: bingbot\nDisallow: /a\n\nUser-agent: *\nDisallow: /a\n\nUser-agent: msnbot\nCrawl-delay: 1\n", `The group has no rules, so "msnbot" may fetch everything, whatever other groups say.`},
	{"bad escapes", "User-agent: *\nDisallow: /a%by\nDisallow: /c%dy\n", `"%by" is not a valid escape: in a path, two digits or letters from A to F must follow a "%", as in "%20". The same goes for line 3.`},
	{"sitemaps that are disallowed", "User-agent: *\nDisallow: /a\nDisallow: /b\nSitemap: https://www.example.edu/a/s.xml\nSitemap: https://www.example.edu/b/s.xml\n",
		`If the sitemap is on this site, line 2 ("Disallow: /a") keeps Googlebot from fetching it. The same problem exists in line 5.`},
	{"ignored delays", "User-agent: Googlebot\nCrawl-delay: 1\nDisallow: /a\n\nUser-agent: Yandex\nCrawl-delay: 1\nDisallow: /a\n", `"Googlebot" ignores Crawl-delay, according to its operator. The crawlers in the groups of line 6 ignore it, too.`},
	{"a brand beside the name for users", "User-agent: OpenAI\nUser-agent: ChatGPT-User\nDisallow: /\n", `Write one user-agent line for each crawler that you mean, such as "GPTBot", "OAI-SearchBot" and "OAI-AdsBot". They then ignore the rules for "*".`},
	{"a page of a site that is allowed", "User-agent: *\nAllow: https://shop.example/a\nDisallow: /b\nSitemap: https://www.shop.example/s.xml\n", "Such a line can go, because its path is allowed anyway."},
	{"a circumflex before a name", "User-agent: ^bingbot/1.0\nDisallow: /a\n", `Did you mean "User-agent: bingbot"? That crawler then obeys only the rules for its name, not those for "*".`},
	{"a sitemap with a Cyrillic letter", "Sitemap: htt\u0440://www.example.edu/s.xml\n", `Type "https://" or "http://" anew.`},
	{"a sitemap in quotation marks", "Sitemap: “https://www.example.edu/s.xml”\n", `Write one complete URL: "https://", your host and the path, as in "https://www.example.org/sitemap.xml". If another line has that URL, or if you have no sitemap, delete this line.`},
	{"a sitemap with a letter outside ASCII", "Sitemap: h/ä.xml\n", `Write one complete URL: "https://", your host and the path, as in "https://www.example.org/sitemap.xml". If another line has that URL, or if you have no sitemap, delete this line.`},
	{"an invisible character in a user-agent line of two groups", "User-agent: *\nDisallow: /a\n\n\u200bUser-agent: *\nDisallow: /b\n", `Write one group for this crawler, with all its rules except "Allow: /", and without the character. Delete its name from all other groups, and delete any group that then names no crawler.`},
	{"a byte-order mark above two groups for a crawler", "\ufeffUser-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n", `First write one group for this crawler, with all its rules except "Allow: /". Delete its name from all other groups, and delete any group that then names no crawler. Then save the file as UTF-8 without a byte-order mark.`},
	{"invisible characters in several rules", "User-agent: *\nDisallow: /a\u200b\nDisallow: /b\u200b\n", `Delete the line, and type it again. In a path whose URLs have the character, write "%E2%80%8B" instead.`},
	{"parameters that are not first", "User-agent: *\nDisallow: /*?sort=\nDisallow: /*?order=\n", `To match a parameter further on, too, add a line with "&" for it, as in "Disallow: /*&sort=" for "Disallow: /*?sort=".`},
	{"rules below a blank line of a group that is open", "User-agent: FooBot\nAllow: /\n\nDisallow: /a\n", `If this rule and the rules below it are meant for all crawlers, copy them to the group for "*". If the file has no such group, write "User-agent: *" at the end of the file, and a copy of the rules below it.`},
	{"program code above the first group", "<?php\n\n?>\nUser-agent: *\nDisallow: /a\n", "HTML or program code stands above the first group, which starts in line 4. Crawlers skip it, but it does not belong in this file."},
	{"a regular expression that no other rule replaces", "User-agent: *\nDisallow: /b\nDisallow: ^/+pro/a\\.tmpl\n", `Write "*" for each part that varies, such as "\d+", ".*" or "(.*?)": "/item\d+" becomes "/item*". Delete other special characters such as "^", "(", ")" and "\", but keep a "$" at the end. If the new rule matches other pages or even the whole site, write one line for each page that you mean instead.`},
	{"a regular expression that no plain path replaces", "User-agent: *\nDisallow: /[0-9]+/\n", `Paths are not regular expressions, so crawlers do not read "/[0-9]+/" as you mean it. Only "*" and a "$" at the end have a special meaning.`},
	{"a delay that its crawler ignores, above rules", "User-agent: Yandex\nCrawl-delay: 1\nUser-agent: FooBot\nDisallow: /\n",
		`Crawl-delay has no effect on "Yandex": delete the user-agent lines for "Yandex", and each Crawl-delay line that is only for them. If other Crawl-delay lines between user-agent lines of this group are left, add below each the rules that the crawlers above it should obey, or "Disallow:" if they may fetch everything.`},
	{"an ignored delay of a crawler that the group of * would shut out", "User-agent: Yandex\nCrawl-delay: 5\n\nUser-agent: bingbot\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n",
		`In lines 1 to 4, add below each Crawl-delay line the rules that the crawlers above it should obey, or "Disallow:" if they may fetch everything.`},
	{"a delay for all crawlers above rules", "User-agent: *\nCrawl-delay: 1\nUser-agent: bingbot\nDisallow: /a\n",
		`Below the Crawl-delay line, add the rules for "*": a copy of the rules below if they are meant for all crawlers, or "Disallow:" to let all other crawlers fetch everything.`},
	{"a delay for all crawlers above a closed site", "User-agent: *\nCrawl-delay: 5\n\nUser-agent: bingbot\nDisallow: /\n", "A crawl-delay does not end a group: lines 1 to 4 belong to one group, so the rules below also keep all crawlers without a group of their own from fetching anything."},
	{"a name twice in a last group", "User-agent: *\nDisallow: /a\n\nUser-agent: FooBot\nCrawl-delay: 1\n\nUser-agent: FooBot\nCrawl-delay: 1\n", `The group has no rules, so "FooBot" may fetch everything, whatever other groups say.`},
	{"rules for all crawlers below a delay", "User-agent: *\nCrawl-delay: 1\nUser-agent: bingbot\nDisallow: /a\n",
		"A crawl-delay does not end a group: lines 1 to 3 belong to one group, so the rules below also apply to all crawlers without a group of their own."},
	{"a delay that its crawler ignores, without rules", "User-agent: *\nDisallow: /a\n\nUser-agent: FooBot\nUser-agent: Yandex\nCrawl-delay: 1\n",
		`Crawl-delay has no effect on "Yandex". If the group names them only for that, delete the user-agent lines for "Yandex", and each Crawl-delay line that is only for them: they then obey the rules for "*". For the crawlers that stay, add rules below each Crawl-delay line, such as copies of the rules for "*", or "Disallow:" to let them fetch everything.`},
	{"a group without rules or a delay", "User-agent: *\nDisallow: /a\n\nUser-agent: Yandex\n", `Add the rules that are meant for the group, such as copies of the rules for "*", or add "Disallow:" to let its crawlers fetch everything. If the group has several Crawl-delay lines, do this below each one.`},
	{"one rule for crawlers with their own groups", "User-agent: *\nDisallow: /a\n\nUser-agent: DuckDuckBot\nDisallow: /b\n\nUser-agent: Baiduspider\nDisallow: /b\n",
		`Crawlers obey only their own group, so one rule for "*" does not apply to "DuckDuckBot" and "Baiduspider" (line 2, "Disallow: /a").`},
	{"one rule that a crawler may have to obey", "User-agent: *\nDisallow: /a\n\nUser-agent: DuckDuckBot\nDisallow: /b\n", `If "DuckDuckBot" should obey this rule, copy it and any allow lines for parts of its path into its group.`},
	{"a Noindex line for a file beside robots.txt", "User-agent: *\nDisallow: /a\nNoindex: /robots.txt.gz\n", `Delete the line, and let the server send the header "X-Robots-Tag: noindex" with the page. If the page is HTML, you can put <meta name="robots" content="noindex"> into it instead. If the line is only for Google's crawlers, write "X-Robots-Tag: googlebot: noindex" or name="googlebot". Do not disallow the page: crawlers see the header or the tag only if they may fetch the page.`},
	{"a Noindex line for a file in a folder", "User-agent: *\nDisallow: /a\nNoindex: /b/robots.txt\n", `Delete the line, and let the server send the header "X-Robots-Tag: noindex" with the page. If the page is HTML, you can put <meta name="robots" content="noindex"> into it instead. If the line is only for Google's crawlers, write "X-Robots-Tag: googlebot: noindex" or name="googlebot". Do not disallow the page: crawlers see the header or the tag only if they may fetch the page.`},
	{"a sitemap with a Cyrillic letter after a capital", "Sitemap: Htt\u0440://www.example.edu/s.xml\n", `Type "https://" or "http://" anew.`},
	{"a page that refuses access, at the end of its start", "<html>" + strings.Repeat("\n", 4096-len("<html>403 Forbidden")) + "403 Forbidden\n", `The server seems to refuse the request. Let it send robots.txt, a plain text file, to all crawlers. If you have no rules, let it answer "404 Not Found" instead.`},
	{"a user-agent line in a page that refuses access", "<html><p>403 Forbidden</p>User-agent: *\nDisallow: /a\n", "Other text stands before the first user-agent line, so crawlers do not recognize the line."},
	{"a byte-order mark above two groups that close nothing", "\ufeffUser-agent: *\nAllow: /a\n\nUser-agent: *\nAllow: /b\n", `First write one group for this crawler, with all its rules except "Allow: /". Delete its name from all other groups, and delete any group that then names no crawler. Then save the file as UTF-8 without a byte-order mark.`},
	{"a second key in lower case for another crawler", "User-agent: *\nDisallow: /a user-agent: BarBot\n", `Start a new line before each key in the value. A named crawler obeys only its own group, so copy any rules for "*" that it should keep to the end of that group.`},
	{"a second key without a space for a folder", "# a comment\nUser-agent: * Disallow:/a\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key that closes the site, behind a capital that is shorter in lower case", "User-agent: *\nDisallow: /İndir Disallow: /\n", `On a line of its own, "Disallow: /" closes the whole site. If you want that, start a new line before each key in the value. If not, do the same, but leave out each "Disallow: /", and let each path start with "/". If a group then has no rules, add "Disallow:" to it.`},
	{"a second key that allows a folder, behind such a capital", "User-agent: *\nDisallow: /İndir Allow: /b\n", `Start a new line before each key in the value, and delete leftovers such as "<br/>".`},
	{"a second key for the crawler of the group, behind such a capital", "User-agent: FooBot\nDisallow: /İndir User-agent:FooBot\n", "Delete that key and the text after it: the group is already for that name."},
	{"a preference in a file with more groups than are searched", "User-agent: *\nContent-Usage: train-ai=n\nDisallow: /a\n" + lines(1500, "User-agent: FooBot%d\nDisallow: /b\n"), `Crawlers with a group of their own, such as "FooBot0" in line 4, ignore this line.`},
	{"a name whose first group has only a line with an unknown key", "User-agent: FooBot\nFoo: 1\nAllow: /\n\nUser-agent: FooBot\nDisallow: /b\n", `Move the rules and any crawl-delay to the group of line 1, and delete this line. If that group ends right above this line, just delete this line and any blank lines above it.`},
	{"more dead rules than a sentence lists", "User-agent: *\n" + lines(12, "Disallow: /p%[1]d\nAllow: /p%[1]d\n"), "The line has no effect, because line 3 allows the same path. The same problem exists in lines 4, 6, 8, 10, 12, 14, 16, 18, 20, 22 and 1 more."},
	{"a path that is as long as any that is shown whole", "User-agent: *\nDisallow: " + strings.Repeat("a", 2083-len("Disallow: /")) + "\n", `Write "Disallow: /` + strings.Repeat("a", 2083-len("Disallow: /")) + `".`},
	{"a path that is too long", "User-agent: *\nDisallow: " + strings.Repeat("a", 2084-len("Disallow: /")) + "\n", `Write "Disallow: /` + strings.Repeat("a", 2083-len("Disallow: /")) + `…".`},
}

// TestLargeUTF16 tests that the size limit is for the text in UTF-8. In UTF-16, ASCII text takes twice as many bytes.
func TestLargeUTF16(t *testing.T) {
	for size, want := range map[int][]string{300_000: {"duplicate-rule", "utf-16"}, 600_000: {"file-too-large", "utf-16"}} {
		const rules = "User-agent: *\nDisallow: /a\nDisallow: /a\n"
		data := []byte("\xff\xfe")
		for _, c := range strings.Repeat("# a\n", size/4) + rules {
			data = append(data, byte(c), 0)
		}
		var got []string
		for _, f := range lint.Check(data) {
			got = append(got, f.Code)
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d characters: codes (-want +got):\n%s", size, diff)
		}
		if _, err := lint.Fix(data); (err != nil) != (size > robotstxt.SizeLimit) {
			t.Errorf("%d characters: Fix returns the error %v", size, err)
		}
	}
}

// TestLeftOut wants the last finding of a code to list the lines of the findings that are left
// out.
func TestLeftOut(t *testing.T) {
	const most, more = 10000, 2345
	findings := lint.Check([]byte("User-agent: *\nDisallow: /a b\n" + strings.Repeat("Noindex: /b\n", most+more)))
	for _, f := range findings {
		const want = " The same goes for lines 10003, 10004, 10005, 10006, 10007, 10008, 10009, 10010, 10011, 10012 and 2335 more."
		if strings.HasSuffix(f.Text, want) != (f.Line == most+2) {
			t.Errorf("line %d: text %q; want the text of line %d, and no other, to end with %q", f.Line, f.Text, most+2, want)
		}
	}
	if len(findings) != most+1 {
		t.Errorf("Check returned %d findings, want %d", len(findings), most+1)
	}
}

// lines returns n lines that have their number in place of "%d".
func lines(n int, line string) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, line, i)
	}
	return all.String()
}

// TestLimits tests each limit of the checks with a file that just reaches it, and a file that
// exceeds it by one.
func TestLimits(t *testing.T) {
	const dead = "User-agent: *\nDisallow: /a\nDisallow: /a\n"
	for _, c := range []struct {
		code  string
		limit int
		found bool // true: files up to the limit have the finding; false: larger files have it
		file  func(n int) string
	}{
		{"duplicate-rule", 100, true, func(n int) string {
			return dead + lines(n-1, "User-agent: x%[1]d\nDisallow: /%[1]d\nDisallow: /x%[1]d\n")
		}},
		{"duplicate-rule", 5000, true, func(n int) string {
			return "User-agent: *\n" + lines(n-2, "Disallow: /%d\n") + "Disallow: /a\nDisallow: /a\n"
		}},
		{"star-rules-dropped", 50, true, func(n int) string {
			return "User-agent: *\nDisallow: /a\n" + lines(n-1, "User-agent: x%d\nDisallow: /a\nDisallow: /b\n") + "User-agent: bingbot\nDisallow: /b\n"
		}},
		{"star-rules-dropped", 100, true, func(n int) string {
			return "User-agent: *\n" + lines(n-1, "Disallow: /a%d\n") + "Disallow: /b\nUser-agent: bingbot\nDisallow: /a\n"
		}},
		{"sitemap-disallowed", 40, true, func(n int) string {
			return "User-agent: *\nDisallow: /a\n" + lines(n-1, "Sitemap: https://x.example/%d\n") + "Sitemap: https://x.example/a\n"
		}},
		{"sitemap-disallowed", 50, false, func(n int) string { // the lines above the first group count as a section, too
			return "User-agent: *\nDisallow: /a\n" + lines(n-2, "User-agent: x%d\nDisallow: /b\n") + "Sitemap: https://x.example/a\n"
		}},
		{"signal-only-in-star", 1000, true, func(n int) string { // 500 groups in a file of 3,998 lines with 1000 records are exactly 2,000,000 visits
			return "User-agent: y\n" + strings.Repeat("License: a\n", n-1) + "Allow: /\n" + lines(498, "User-agent: x%d\nAllow: /\n") +
				"User-agent: *\nContent-Signal: search=yes\nAllow: /\n" + strings.Repeat("\n", 3998-(n-1+2)-996-3)
		}},
		{"assets-disallowed", 2048, true, func(n int) string { return "User-agent: *\nDisallow: /js/\n" + lines(n-1, "Disallow: /%d\n") }},
		{"space-in-path", 2048, false, func(n int) string {
			return "User-agent: *\n" + lines(n-2, "Disallow: /%d\n") + "Disallow: /a\nDisallow: /a b\n"
		}},
		{"invisible-character", 100, false, func(n int) string { // the last of the first rules covers the path with the character
			return "User-agent: *\n" + lines(n-1, "Disallow: /%d\n") + "Disallow: /a\nDisallow: /a/b\u200b\n"
		}},
		{"unusable-token", 2048, false, func(n int) string { // "*Google*" does no harm beside Googlebot
			return lines(n-1, "User-agent: x%d\n") + "User-agent: Googlebot\nUser-agent: *Google*\nDisallow: /a\n"
		}},
		{"same-as-star", 576, true, func(n int) string { // the rules of larger files are not compared, so the finding is brand-as-token
			return "User-agent: OpenAI\n" + lines(n, "Disallow: /%d\n") + "User-agent: *\n" + lines(n, "Disallow: /%d\n")
		}},
		{"same-as-star", 576, true, func(n int) string { // or misspelled-token
			return "User-agent: Googelbot\n" + lines(n, "Disallow: /%d\n") + "User-agent: *\n" + lines(n, "Disallow: /%d\n")
		}},
		{"crawl-delay-joins-groups", 50, false, func(n int) string { // the lines above the first group count as a section, too
			return "User-agent: *\nDisallow: /a\n" + lines(n-3, "User-agent: x%d\nDisallow: /b\n") + "User-agent: y\nCrawl-delay: 5\nUser-agent: z\nDisallow: /a\n"
		}},
		{"crawl-delay-joins-groups", 800, false, func(n int) string { // 800 rules for two crawlers in a file of 1250 lines are exactly 2,000,000 visits
			return "User-agent: *\nDisallow: /a\nUser-agent: x\nUser-agent: y\nCrawl-delay: 5\nUser-agent: z\n" + lines(n, "Disallow: /a%d\n") + strings.Repeat("\n", 1244-n)
		}},
		{"blank-line-in-group", 512, false, func(n int) string { // an editor shows no blank line, but only the start of the file tells that
			start := "User-agent: *\nDisallow: /"
			return start + strings.Repeat("a", n-len(start)-len("\r\r\n")) + "\r\r\nDisallow: /b\r\r\n"
		}},
	} {
		for n := c.limit; n <= c.limit+1; n++ {
			found := finds(c.file(n), c.code)
			if want := c.found == (n == c.limit); found != want {
				t.Errorf("%s: found in a file of size %d: %t, want %t", c.code, n, found, want)
			}
		}
	}
	// Groups for crawlers that ignore "*" do not count toward the limit of 50.
	many := "User-agent: *\nDisallow: /a\n" + lines(50, "User-agent: AdsBot-Google-%d\nDisallow: /b\n") + "User-agent: bingbot\nDisallow: /b\n"
	if !finds(many, "star-rules-dropped") {
		t.Error("no finding says that bingbot does not obey the rules for *")
	}
	// Nor do groups with one rule count toward the limit of 100.
	many = dead + lines(101, "User-agent: x%[1]d\nDisallow: /%[1]d\n")
	if !finds(many, "duplicate-rule") {
		t.Error("no finding says that a rule repeats another")
	}
	many = "User-agent: *\n" + lines(100, "Clean-param: x%d\n") + "Content-Signal: ai-train=no\nContent-Signal: ai-train=yes\nDisallow: /a\n"
	if !finds(many, "signal-conflict") {
		t.Error("no finding says that two signals contradict each other")
	}
	// Package robotstxt reads nothing of a line that crosses the limit.
	const start, cut = "User-agent: *\nDisallow: /a\n#", "\nDisallow: /a"
	many = start + strings.Repeat("a", robotstxt.SizeLimit-len(start)-len(cut)) + cut + "bc/\n"
	if finds(many, "duplicate-rule") {
		t.Error("a finding is about the line that crosses the limit")
	}
	many = "User-agent: *\n" + lines(100, "Disallow: /a%d/\n") + "Disallow: /css/\n"
	if !finds(many, "assets-disallowed") {
		t.Error("no finding says that style sheets are disallowed")
	}
	for rules, more := range map[string]int{"Disallow: /x\n": 99, lines(98, "Disallow: /%d.html\n"): 1} {
		file := "User-agent: *\n" + lines(101, "Disallow: /%d.html\n") + "User-agent: bingbot\n" + rules
		want := fmt.Sprintf(`", and at least %d more).`, more)
		if !slices.ContainsFunc(lint.Check([]byte(file)), func(f lint.Finding) bool { return strings.HasSuffix(f.Text, want) }) {
			t.Errorf("no finding says %s", want)
		}
	}
}

// TestSensitivePaths tests groups that open the whole site to Googlebot. It wants a finding
// only if the group for "*" disallows a path that most sites keep out of search results.
func TestSensitivePaths(t *testing.T) {
	for path, want := range map[string]bool{
		"/wp-admin/": true, "/my-account": true, "/login": true, "/log-in.php": true, "/signin": true, "/Private/": true,
		"/checkout/": true, "/forgot-password": true, "/search": false,
		// These only resemble such paths.
		"/admissions/": false, "/goldmine/": false, "/maccouncil/": false, "/musiccountry/": false, "/logistics/": false, "/yogini/": false,
		"/catalog-images/": false, "/dog-insurance/": false, "/significant": false, "/campaigning/": false, "/privatkunden/": false,
		"/drivatec/": false, "/compassworks/": false, "/classwords/": false,
	} {
		findings := lint.Check([]byte("User-agent: *\nDisallow: " + path + "\n\nUser-agent: Googlebot\nAllow: /\n"))
		isInfo := func(f lint.Finding) bool { return f.Code == "star-rules-dropped" && f.Severity == lint.Info }
		if got := slices.ContainsFunc(findings, isInfo); got != want {
			t.Errorf("%s: star-rules-dropped is found: %t, want %t", path, got, want)
		}
	}
}

// TestAssetFolders wants a finding for rules about the usual places of style sheets and
// scripts, but not if an allow line opens them. Some of these places count only if another
// rule shows that the site uses Drupal or Joomla.
func TestAssetFolders(t *testing.T) {
	const drupal, joomla = "/profiles/\nDisallow: ", "/administrator/\nDisallow: /libraries/\nDisallow: "
	for rules, want := range map[string]bool{
		"*.css": true, "/css/": true, "/styles/": true, "/stylesheets/": true,
		"/*.js$": true, "/js/*": true, "/javascript/": true, "/Javascripts": true, "/JAVASCRIPT/": true, "/scripts/": true, drupal + "/scripts/": false,
		"/wp-includes/": true, "/wp-content/": true, "/wp-content/themes/": true, "/wp-content/plugins/": true,
		drupal + "/misc/": true, drupal + "/MISC/": true, drupal + "/modules/": true, drupal + "/themes/": true, drupal + "/sites/": true, joomla + "/templates/": true, "/mambots/\nDisallow: /media/": true, "/mambots/\nDisallow: /MEDIA/": true, "/media/": false,
		"/misc/": false, "/modules/": false, "/themes/": false, "/sites/": false, "/templates/": false, "/posts/": false,
		"/wp-": false, "/wp-content/uploads/\nDisallow: /wp-": true,
		"/wp-includes/\nAllow: /wp-includes/js/": false, "/wp-content/\nAllow: /wp-content/themes/": false, "/css/\nAllow: *.css": false,
		"/GRÖẞE/CSS/": true, // in lower case, this path has fewer bytes
	} {
		if got := finds("User-agent: *\nDisallow: "+rules+"\n", "assets-disallowed"); got != want {
			t.Errorf("%q: assets-disallowed found: %t, want %t", rules, got, want)
		}
	}
}

func TestFindingString(t *testing.T) {
	f := lint.Finding{Line: 2, Column: 3, Code: "junk-line", Severity: lint.Error, Text: "This is wrong.", Advice: "Write that."}
	if got, want := f.String(), "2:3: error: This is wrong. Write that. [junk-line]"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

// TestFormat runs the cases that have a formatted file.
func TestFormat(t *testing.T) {
	n := 0
	for _, c := range readCases(t) {
		want, ok := c.Section("formatted")
		if !ok {
			continue
		}
		n++
		got, err := format.Format(c.Robots)
		if err != nil {
			t.Errorf("%s: %v", c.At(c.Line), err)
		}
		if diff := cmp.Diff(strings.TrimRight(string(want.Text), "\n"), strings.TrimRight(string(got), "\n")); diff != "" {
			t.Errorf("%s: formatted (-want +got):\n%s", c.At(want.Line), diff)
		}
		checkFormat(t, c.Robots, "/")
	}
	if n == 0 {
		t.Error("testdata has no formatted files")
	}
}

// TestFormatTooLarge wants an error for files whose end crawlers do not read.
func TestFormatTooLarge(t *testing.T) {
	for name, data := range map[string]string{
		"too large already":  "User-agent: *\n" + strings.Repeat("Disallow: /a\n", 40000),
		"too large in UTF-8": "\xFE\xFF" + strings.Repeat("\x30\x00", 200000),
		"grows":              "User-agent:*\n" + strings.Repeat("Allow:/\n", 63000),
		"grows by names":     "User-agent: " + strings.Repeat("/foo,", 40000),
	} {
		if _, err := format.Format([]byte(data)); err != lint.ErrTooLarge {
			t.Errorf("%s: Format returned the error %v, want %v", name, err, lint.ErrTooLarge)
		}
	}
}
