package verdict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/rules"
)

// TestDiff tests what changes if verdicts stay, but others read the deciding lines differently. This is ours:
// RFC 9309 knows no misspelled keys.
func TestDiff(t *testing.T) {
	const star = "User-agent: *\nDisallow: /x\n"
	for _, c := range []struct{ about, old, new, agents, want string }{
		{"the same", star, star, "", ""},
		{"other lines", star, "# a\nUser-agent: *\nDisallow: /y\nDisallow: /x\nAllow: /y\n", "", ""},
		{"a key is misspelled", star, "User-agent: *\nDisalow: /x\n", "", "[*] still disallowed /x misspelled-key"},
		{"a key is corrected", "User-agent: *\nDisalow: /x\n", star, "", "[*] still disallowed /x"},
		{"still misspelled", "User-agent: *\nDisalow: /x\n", "User-agent: *\nDissalow: /x\n", "", ""},
		{"an allow rule", "User-agent: *\nDisallow: /\nAllow: /x\n", "User-agent: *\nDisallow: /\nAllowed: /x\n", "", "[*] still allowed /x misspelled-key"},
		{"a group", "User-agent: a\nUser-agent: b\nDisallow: /x\n", "User agent: a\nUser-agent: b\nDisallow: /x\n", "", "[a] still disallowed /x misspelled-key"},
		{"several names", "User-agent: a\nUser-agent: b\nUser-agent: c\nDisallow: /x\n", "User-agent: a, b, c\nDisallow: /x\n", "", "[b c] still disallowed /x several-names"},
		{"another line decides", star, star + "Disalow: /x/y\n", "", "[*] still disallowed /x/y misspelled-key"}, // harmless
		{"another crawler", "User-agent: a\nDisallow: /x\n", "User agent: a\nDisallow: /x\n", "b", ""},
		{"one crawler", "User-agent: a\nDisallow: /x\n", "User agent: a\nDisallow: /x\n", "a-b", "[a-b] still disallowed /x shortened-name misspelled-key"},
		{"a decision and a reading", star, "User-agent: *\nDisalow: /x\nDisallow: /y\n", "", "[*] now disallowed /y\n[*] still disallowed /x misspelled-key"},
		{"a decision by a misspelled line", star, "User-agent: *\nDisallow: /x\nDisalow: /y\n", "", "[*] now disallowed /y misspelled-key"},
		{"a decision with other notes for some", "", "User-agent: a, b\nDisallow: /x\n", "", "[a] now disallowed /x\n[b] now disallowed /x several-names"},
		{"a followed group", "User-agent: Yandex\nDisallow: /x\n", "User-agent: Yandex\nDisalow: /x\n", "YandexBot", "[YandexBot] still disallowed /x followed-group misspelled-key"},
	} {
		var lines []string
		for _, change := range Diff(Parse([]byte(c.old)), Parse([]byte(c.new)), rules.Options{Agents: strings.Fields(c.agents)}) {
			agents := change.Agents
			if change.Others {
				agents = append(agents, "*")
			}
			add := func(verb string, d Difference) {
				line := fmt.Sprint(agents, " ", verb, " ", d.New.Outcome(), " ", d.URL)
				for _, n := range d.New.Notes {
					line += " " + n.Code
				}
				lines = append(lines, line)
			}
			for _, d := range change.Verdicts {
				verb := "now"
				if d.Old.Allowed == d.New.Allowed {
					verb = "still"
				}
				add(verb, d)
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(lines, "\n")); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.about, diff)
		}
	}
}

func TestChangeNotes(t *testing.T) {
	changes := Diff(Parse([]byte("User-agent: a, b\nDisallow: /x\nDisallow: /z\n")), Parse([]byte("User-agent: b\nDisalow: /y\nDisalow: /z\n")), rules.Options{Agents: []string{"b"}})
	var got []string
	for _, c := range changes {
		got = append(got, c.Notes()...)
	}
	want := []string{
		"in the old file, line 1 has several names: Google and others read only the first",
		`in the new file, line 2 is written "Disalow": most crawlers ignore the line`,
		`still disallowed  /z  line 3: Disallow: /z (group b; line 3 is written "Disalow": most crawlers ignore the line) (before: line 3: Disallow: /z (group b; line 1 has several names: Google and others read only the first))`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestDiffOfHostileFiles tests that the number of verdicts is limited, and that Diff says so.
func TestDiffOfHostileFiles(t *testing.T) {
	var old, new strings.Builder
	for i := range 200 {
		fmt.Fprintf(&old, "User-agent: a%d\n", i)
		fmt.Fprintf(&new, "User agent: a%d\n", i)
	}
	for i := range 150 {
		fmt.Fprintf(&old, "Disallow: /%d$\n", i)
		fmt.Fprintf(&new, "Disallow: /%d$\n", i)
	}
	changes := Diff(Parse([]byte(old.String())), Parse([]byte(new.String())), rules.Options{})
	if len(changes) == 0 || !changes[len(changes)-1].Incomplete {
		t.Errorf("%d changes, and the last one is not incomplete", len(changes))
	}
}
