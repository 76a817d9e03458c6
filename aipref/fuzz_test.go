package aipref_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// pieces lists the parts from which compose makes files, so that the files that a fuzzer
// composes are worth testing.
var pieces = []string{
	"User-agent: *\n", "User-agent: foo\n", "Allow: /\n", "Disallow: /a\n", "License: https://x\n", "\n", "\n", "\n",
	"Content-Usage: ", "content usage:", "Content-Signal: ", "AllowAITraining: ", "DisallowAITraining: ",
	"train-ai", "search", "ai-train", "ai-input", "use", "tdm", "ai", "Train-AI", "*",
	"=", "=y", "=n", "=yes", "=no", "=No", "=?0", "=\"n\"", "=(n y)", "=(", "=1.5", "=immediate", "=reference", "=full", ";p", ";p=1", "; P",
	", ", ",", " ", "\t", ";", "#", "/", "/a", "/b/", "/ ", "/a ", "/ab ", "/a* ", "/*b$ ", "%7e", "~", "\x00", "\xff", "é", "\u00a0", "ſ", "K", "'", "`", "ai-use", "User-agent: __usage_ai-training\n",
}

func compose(picks []byte) []byte {
	var text []byte
	for _, p := range picks {
		text = append(text, pieces[int(p)%len(pieces)]...)
	}
	return text
}

// checkAnswer compares the results of For and slowFor, and the Access of the answer with
// the decision of the root package.
func checkAnswer(t *testing.T, data []byte, agent, url string) {
	t.Helper()
	file := robotstxt.Parse(data)
	want, before := slowFor(file, agent, url), file.Decide(agent, url)
	a := aipref.For(file, []string{agent}, url)
	if a.Access != before || a.Access != robotstxt.Parse(data).Decide(agent, url) {
		t.Errorf("robots.txt %q\nagent %q, URL %q: access %v, want %v", data, agent, url, a.Access, before)
	}
	checkAccess(t, data, a, agent, url)
	if !slowReads(data) {
		return
	}
	if diff := cmp.Diff(want, flatten(a.Preferences)); diff != "" {
		t.Errorf("robots.txt %q\nagent %q, URL %q: (-want +got)\n%s", data, agent, url, diff)
	}
	if diff := cmp.Diff(flatten(a.Preferences), flatten(a.Combine(a.Preferences))); diff != "" {
		t.Errorf("robots.txt %q\nagent %q, URL %q: combined with itself (-want +got)\n%s", data, agent, url, diff)
	}
}

// checkAccess tests that the decision about a URL is the same without the lines about AI.
func checkAccess(t *testing.T, data []byte, a aipref.Answer, agent, url string) {
	t.Helper()
	var without []byte
	for line := range robotstxt.Lines(data) {
		if !aboutAI.MatchString(notLetter.ReplaceAllString(line.Key, "")) {
			without = append(without, line.Text...)
		}
		without = append(without, '\n') // keeps the line numbers
	}
	if want := robotstxt.Parse(without).Decide(agent, url); a.Access != want {
		t.Errorf("robots.txt %q\nagent %q, URL %q: access %v, without the lines about AI %v", data, agent, url, a.Access, want)
	}
}

var aboutAI = regexp.MustCompile(`(?i)^(contentusage|contentsignal|license|(dis)?allowaitraining)$`)

// slowReads reports whether slowDictionary knows all types that data may contain. It does
// not know byte sequences, dates and display strings.
func slowReads(data []byte) bool {
	return !strings.ContainsAny(string(data), ":@%") || !strings.Contains(string(data), "=:") &&
		!strings.Contains(string(data), "=@") && !strings.Contains(string(data), "=%") && !strings.ContainsRune(string(data), '(')
}

// flatten returns preferences in the form of the result of [slowFor].
func flatten(p aipref.Preferences) map[string]aipref.Preference {
	flat := map[string]aipref.Preference{
		"training": p.Training, "search": p.Search, "input": p.AIInput,
	}
	for key, pref := range flat {
		if pref == (aipref.Preference{}) {
			delete(flat, key)
		}
	}
	if p.Use != (aipref.Use{}) {
		level := map[string]aipref.Value{"full": 1, "reference": 2, "immediate": 3}[p.Use.Level]
		flat["use"] = aipref.Preference{Value: level, Mechanism: aipref.ContentSignal, Line: p.Use.Line}
	}
	for key, pref := range p.Other {
		flat["other:"+key] = pref
	}
	return flat
}

func FuzzFor(f *testing.F) {
	for _, c := range readCases(f) {
		want, _ := c.Section("want")
		for _, row := range want.Rows {
			f.Add(c.Robots, row.Fields[0], row.Fields[1])
		}
	}
	f.Fuzz(checkAnswer)
}

func FuzzComposed(f *testing.F) {
	f.Add([]byte{0, 8, 48, 13, 24, 7, 10, 14, 25}, []byte{46})
	f.Add([]byte("ǐ\xb2\xed:\x98"), []byte("0\x82G")) // white space beyond ASCII
	f.Fuzz(func(t *testing.T, file, url []byte) {
		data := append([]byte("User-agent: *\n"), compose(file)...)
		checkAnswer(t, data, "foo", "/"+string(compose(url)))
	})
}

func FuzzParseUsageHeader(f *testing.F) {
	f.Add([]byte{13, 24, 39, 14, 23})
	f.Add([]byte{63, 24, 39, 14, 23})
	f.Fuzz(func(t *testing.T, picks []byte) {
		value := string(compose(picks))
		if !slowReads([]byte(value)) {
			return
		}
		members, _ := slowDictionary(value)
		got := flatten(aipref.ParseUsageHeader([]string{value}))
		for key, name := range map[string]string{"train-ai": "training", "search": "search", "ai-use": "input"} {
			want := map[string]aipref.Value{"=y": aipref.Allow, "=n": aipref.Disallow}[members[key]]
			if got[name].Value != want {
				t.Errorf("header %q: %s is %v, but slowDictionary returned %v", value, name, got[name], members)
			}
		}
	})
}

// FuzzParseSignalHeader compares a header with a record that has the same value.
func FuzzParseSignalHeader(f *testing.F) {
	f.Add("search=yes, ai-train=no, use=reference")
	f.Add("AI-Input = No,, =, tdm=yes")
	f.Add(" \x04/a search=no")
	f.Fuzz(func(t *testing.T, value string) {
		file := robotstxt.Parse([]byte("User-agent: *\nContent-Signal: " + value))
		want := aipref.For(file, []string{"*"}, "/").Preferences
		if strings.HasPrefix(lex.Trim(value), "/") || strings.ContainsAny(value, "\r\n#") {
			return // a path, a comment or another line
		}
		got := aipref.ParseSignalHeader([]string{value})
		if diff := cmp.Diff(withoutPlaces(want), withoutPlaces(got)); diff != "" {
			t.Errorf("%q: record and header differ (-record +header)\n%s", value, diff)
		}
	})
}

// withoutPlaces returns the values of preferences, without lines and mechanisms.
func withoutPlaces(p aipref.Preferences) map[string]aipref.Value {
	values := map[string]aipref.Value{}
	for key, pref := range flatten(p) {
		values[key] = pref.Value
	}
	return values
}
