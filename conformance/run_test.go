package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt/internal/wire"
)

// adapterVariable is the environment variable that makes this test binary act as an
// adapter.
const adapterVariable = "CONFORMANCE_TEST_ADAPTER"

func TestMain(m *testing.M) {
	if name := os.Getenv(adapterVariable); name != "" {
		if err := serve(name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		return
	}
	os.Exit(m.Run())
}

// serve acts as an adapter with the named fault.
func serve(name string) error {
	n := 0
	return wire.Serve(os.Stdin, os.Stdout, func(q wire.Question) wire.Answer {
		n++
		a := answer(q)
		switch fault, every, _ := strings.Cut(name, " "); {
		case every != "" && n%5 != 0: // only every fifth answer has the fault
		case fault == "allow":
			a.Verdict = "allow"
		case fault == "skip":
			return wire.Answer{Skip: "cannot"}
		case fault == "error":
			return wire.Answer{Error: "went\nwrong"}
		case fault == "no-verdict":
			return wire.Answer{}
		case fault == "verdict":
			a.Verdict = "either"
		case fault == "junk":
			fmt.Println("junk")
		case fault == "twice":
			fmt.Println(`{"id": "x", "verdict": "allow"}`)
		case fault == "end":
			os.Exit(4)
		case fault == "hang":
			time.Sleep(time.Hour)
		}
		return a
	})
}

// setAdapter makes this test binary act as the named adapter when it is started.
func setAdapter(t *testing.T, name string) {
	t.Helper()
	t.Setenv(adapterVariable, name)
	t.Setenv("GORACE", "atexit_sleep_ms=0") // with the race detector, each process would take a second to end
}

// runAdapter runs the suite with this test binary as the named adapter.
func runAdapter(t *testing.T, name string, flags ...string) (status int, out, errs string) {
	t.Helper()
	setAdapter(t, name)
	var stdout, stderr bytes.Buffer
	args := append([]string{"run"}, flags...)
	status = command(append(args, "--", os.Args[0]), nil, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// cells returns the results in the row with the given level and name, separated by "|".
func cells(t *testing.T, out, level, name string) string {
	t.Helper()
	row := regexp.MustCompile(`(?m)^` + level + `  +` + name + `  +(.*)$`).FindStringSubmatch(out)
	if row == nil {
		t.Fatalf("the table has no row with the level %s and the topic %s:\n%s", level, name, out)
	}
	return regexp.MustCompile(`  +`).ReplaceAllString(row[1], "|")
}

func TestRunRight(t *testing.T) {
	status, out, errs := runAdapter(t, "right")
	if status != 0 || errs != "" {
		t.Errorf("got status %d and error %q, want 0 and none", status, errs)
	}
	if got, want := cells(t, out, "rfc", "rfc9309/2.2-comments"), "12|0|0|3 of 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !regexp.MustCompile(`^\d+\|0\|0\|(\d+) of \d+$`).MatchString(cells(t, out, "google", `\d+ of \d+ topics passed`)) {
		t.Errorf("a question of the level google failed or was skipped:\n%s", out)
	}
	if strings.Contains(out, "ours/") {
		t.Errorf("questions of the level ours were asked:\n%s", out)
	}
}

func TestRunLevels(t *testing.T) {
	status, out, errs := runAdapter(t, "right", "-levels", "ours", "-brief")
	if status != 0 || errs != "" || strings.Contains(out, "google") || strings.Contains(out, "ours/") {
		t.Errorf("got status %d and error %q, want 0 and none, and only totals of the level ours:\n%s", status, errs, out)
	}
	cells(t, out, "ours", `\d+ of \d+ topics passed`)
}

// TestRunWrong tests the results of faulty adapters for a topic of 15 questions, of which 6
// are about allowed URLs. If the name of a fault ends in 5, only every fifth answer of a
// process has it.
func TestRunWrong(t *testing.T) {
	const name = "rfc9309/2.1-groups"
	for _, test := range []struct{ name, row, failure string }{
		{"allow", "6|9|0|-", "got allow, want disallow (line 3)"},
		{"error 5", "12|3|0|-", `got error "went\nwrong", want disallow (line 6)`},
		{"skip 5", "12|0|3|-", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			results, err := askAdapter(t, test.name, name)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			printFailures(&out, results)
			printTable(&out, results, false)
			if got := cells(t, out.String(), "rfc", name); got != test.row {
				t.Errorf("got %s, want %s", got, test.row)
			}
			if !strings.Contains(out.String(), test.failure) || strings.Contains(out.String(), name+": RFC 9309, section 2.1\n") != (test.failure != "") {
				t.Errorf("want the failure %q below its source, or no failure if it is empty:\n%s", test.failure, &out)
			}
		})
	}
}

// askAdapter asks this test binary, with a fault, the questions of a topic.
func askAdapter(t *testing.T, fault, name string) ([]result, error) {
	t.Helper()
	setAdapter(t, fault)
	a, err := startAdapter(os.Args[:1], time.Minute, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer a.stop()
	return ask(a, []topic{topicNamed(t, name)})
}

// TestRunBroken tests that a run ends at the first question without an answer, and names it.
func TestRunBroken(t *testing.T) {
	for fault, want := range map[string]string{
		"junk 5":       "which is not an answer",
		"no-verdict 5": "which has no valid verdict",
		"verdict 5":    "which has no valid verdict",
		"twice 5":      `the adapter answered question "x" instead of "`,
		"end 5":        ": the adapter ended",
	} {
		_, err := askAdapter(t, fault, "rfc9309/2.1-groups")
		if err == nil || !strings.HasPrefix(err.Error(), "rfc9309/2.1-groups.txt:") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", fault, err, want)
		}
	}
}

// TestRunOpen tests questions for which both verdicts are right. The topic has 12 such questions.
func TestRunOpen(t *testing.T) {
	const name = "rfc9309/2.2.1-erratum-8895"
	for fault, want := range map[string]string{
		"allow":   "0|0|0|1 of 12",
		"error 5": "0|0|0|10 of 12",
	} {
		results, err := askAdapter(t, fault, name)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		printTable(&out, results, false)
		if got := cells(t, out.String(), "rfc", name); got != want {
			t.Errorf("%s: got %s, want %s", fault, got, want)
		}
	}
}

func topicNamed(t *testing.T, name string) topic {
	t.Helper()
	for _, topic := range topics(t) {
		if topic.Topic == name {
			return topic
		}
	}
	t.Fatalf("no topic %s", name)
	return topic{}
}

// TestRunHangs tests that a run ends if the adapter never answers.
func TestRunHangs(t *testing.T) {
	status, _, errs := runAdapter(t, "hang", "-timeout", "50ms")
	if want := ": no answer within 50ms"; status != 2 || !strings.Contains(errs, want) {
		t.Errorf("got status %d and error %q, want 2 and %q", status, errs, want)
	}
}

// TestRunHangsWithChild tests the same for an adapter with a child that keeps its output open, such as "go run".
func TestRunHangsWithChild(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("SKIPPED: this test needs sh")
	}
	name := filepath.Join(t.TempDir(), "pid")
	a, err := startAdapter([]string{"sh", "-c", "sleep 1000 & echo $! >" + name + "; wait"}, time.Second, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = a.ask(wire.Question{}); err == nil || err.Error() != "no answer within 1s" {
		t.Errorf("error %v, want a timeout", err)
	}
	a.stop()
	pid, _ := os.ReadFile(name)
	exec.Command("kill", strings.TrimSpace(string(pid))).Run()
}

// TestRunFailures tests that failures name their source, and set the exit status.
func TestRunFailures(t *testing.T) {
	status, out, _ := runAdapter(t, "allow", "-levels", "google")
	if status != 1 {
		t.Errorf("got status %d, want 1", status)
	}
	for _, want := range []string{
		`google/status-codes: Google, How Google interprets the robots.txt specification, "Handling of errors and HTTP status codes"`,
		`: status 429, agent "foobot", URL "https://www.example.com/x": got allow, want disallow (no rule)`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the output does not contain %q:\n%s", want, out)
		}
	}
	var printed strings.Builder
	printFailures(&printed, []result{{}, {topic: topic{Topic: "a", Source: "RFC 9309"}, failed: 1}})
	if want := "a: RFC 9309\n\n\n"; printed.String() != want {
		t.Errorf("after a topic without failures, got %q, want %q", printed.String(), want)
	}
}

// TestFaults tests the errors of the command line.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		adapter string
		args    []string
		want    string
	}{
		{"", nil, "no command"},
		{"", []string{"ask"}, `unknown command "ask"`},
		{"", []string{"export"}, "export needs one argument"},
		{"", []string{"export", "-testdata", "missing", t.TempDir()}, "missing"},
		{"", []string{"run"}, "run needs the command of an adapter"},
		{"", []string{"run", "-levels", "strict", "--", os.Args[0]}, `unknown level "strict"`},
		{"", []string{"run", "-levels", "", "--", os.Args[0]}, "no questions"},
		{"", []string{"run", "--", "./missing"}, "the adapter does not start"},
		{"skip", []string{"run", "--", os.Args[0]}, "the adapter skipped all questions"},
		{"end", []string{"run", "--", os.Args[0]}, ": the adapter ended"},
	} {
		setAdapter(t, test.adapter)
		var out, errs bytes.Buffer
		if status := command(test.args, nil, &out, &errs); status != 2 || !strings.Contains(errs.String(), "conformance: ") || !strings.Contains(errs.String(), test.want) {
			t.Errorf("%q: got status %d and error %q, want 2 and %q", test.args, status, &errs, test.want)
		}
	}
	var out, errs bytes.Buffer
	if status := command([]string{"run", "-h"}, nil, &out, &errs); status != 0 || !strings.Contains(errs.String(), "-levels") {
		t.Errorf("run -h: got status %d and help %q, want 0 and the flags", status, &errs)
	}
	for _, help := range []string{"-h", "--help", "help"} {
		out.Reset()
		if status := command([]string{help}, nil, &out, &errs); status != 0 || out.String() != usage {
			t.Errorf("%s: got status %d and %q, want 0 and the usage", help, status, &out)
		}
	}
	if status := command([]string{"answer"}, strings.NewReader("junk\n"), &out, &errs); status != 2 {
		t.Errorf("answer, with junk as input: got status %d, want 2", status)
	}
}
