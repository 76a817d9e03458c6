package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAITable(t *testing.T) {
	out, _, status := runWith("", "ai", "testdata/ai.txt")
	if status != exitOK {
		t.Fatalf("status %d", status)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	rows := map[string]string{}
	for _, line := range lines {
		rows[strings.Fields(line)[0]] = strings.Join(strings.Fields(line), " ")
	}
	for first, want := range map[string]string{
		"agent":  "agent operator purpose fetch / training search input other",
		"GPTBot": "GPTBot OpenAI training no (line 5) no (line 6) - - -",
		"*":      "* any other - yes (line 9) no (line 10) yes (line 11) - use: reference (line 11), tdm: no (line 10)",
	} {
		if rows[first] != want {
			t.Errorf("row %q: got %q, want %q", first, rows[first], want)
		}
	}
	want := []string{
		"line 2, Content-Signal: ai-train=no: for no crawler, above the first user-agent line",
		"line 1, License: https://example.com/license.xml",
	}
	if diff := cmp.Diff(want, lines[len(lines)-2:]); diff != "" {
		t.Errorf("notes: (-want +got)\n%s", diff)
	}
	columns := strings.Index(lines[0], "fetch /")
	for _, line := range lines[:len(lines)-2] {
		if verdict := line[columns:]; !strings.HasPrefix(verdict, "fetch /") && !strings.HasPrefix(verdict, "yes") && !strings.HasPrefix(verdict, "no") {
			t.Errorf("not aligned: %q", line)
		}
	}
}

func TestAIJSON(t *testing.T) {
	data, err := os.ReadFile("testdata/ai.txt")
	if err != nil {
		t.Fatal(err)
	}
	out, _, status := runWith(string(data), "ai", "-", "--json")
	var got aiJSON
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != exitOK {
		t.Fatalf("status %d: %v", status, err)
	}
	want := aiJSON{
		Agents: []aiAgentJSON{{
			Agent: "*", Operator: "any other", Purpose: "-", Allowed: true, Reason: "rule matched", Line: 9, Rule: "Allow: /",
			Training: aiPreferenceJSON{"disallow", "Content-Usage", 10},
			Search:   aiPreferenceJSON{"allow", "Content-Signal", 11},
			Input:    aiPreferenceJSON{"unknown", "", 0},
			Use:      aiUseJSON{"reference", 11},
			Other:    map[string]aiPreferenceJSON{"tdm": {"disallow", "Content-Usage", 10}},
		}},
		FileSignals: []aiSignalJSON{{2, "Content-Signal", "", "ai-train=no"}},
		Licenses:    []aiLicenseJSON{{1, "https://example.com/license.xml"}},
	}
	got.Agents = got.Agents[len(got.Agents)-1:]
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if out, _, _ := runWith("", "ai", "--json", "-"); strings.Contains(out, "null") {
		t.Errorf("null in the answer for an empty file: %s", out)
	}
}

// TestAIOddBytes tests that what a file says cannot reach a terminal raw.
func TestAIOddBytes(t *testing.T) {
	out, _, _ := runWith("License: \x1b[31m\nContent-Signal: \x1b\nUser-agent: *\nContent-Signal: \x1b=no\n", "ai", "-")
	if strings.ContainsRune(out, '\x1b') {
		t.Errorf("an escape character in %q", out)
	}
}

func TestAIErrors(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"no file", []string{"ai"}, "no file given"},
		{"two files", []string{"ai", "a", "b"}, `unexpected operand "b"`},
		{"not there", []string{"ai", "testdata/none.txt"}, "none.txt"},
		{"unknown flag", []string{"ai", "--x", "a"}, "--x"},
	} {
		out, errors, status := runWith("", test.args...)
		if status != exitError || out != "" || !strings.Contains(errors, test.want) {
			t.Errorf("%s: status %d, output %q, error %q; want %q", test.name, status, out, errors, test.want)
		}
	}
}
