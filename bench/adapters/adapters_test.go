package adapters

import (
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "github.com/robotstxt-go/robotstxt"

// build builds a command and returns the name of its file.
func build(t *testing.T, folder, pkg string) string {
	t.Helper()
	name := filepath.Join(folder, filepath.Base(pkg)+".exe")
	if out, err := exec.Command("go", "build", "-o", name, pkg).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// TestAdapters runs the suite with each adapter. An adapter must answer every question,
// pass the topic test.passes and, if it is set, fail the topic test.fails.
func TestAdapters(t *testing.T) {
	folder := t.TempDir()
	suite := build(t, folder, root+"/conformance")
	for _, test := range []struct {
		name          string
		command       func(t *testing.T) []string
		passes, fails string
		reason        string // why the implementation fails
		failure       string // the end of the line that reports the failure
	}{
		{"ours", func(*testing.T) []string { return []string{suite, "answer"} }, "rfc9309/2.2.2-unreserved", "", "", ""},
		{"temoto", func(t *testing.T) []string { return []string{build(t, folder, root+"/bench/adapters/temoto")} },
			"rfc9309/2.2.2-first-octet", "rfc9309/2.2.2-equal-rules",
			"disallow wins against an equal allow", `/page": got disallow, want allow \(line 3\)`},
		{"grobotstxt", func(t *testing.T) []string { return []string{build(t, folder, root+"/bench/adapters/grobotstxt")} },
			"rfc9309/2.1-groups", "rfc9309/2.2.2-percent-encoding",
			"escapes of letters are not decoded", `/foo/bar/baz": got allow, want disallow \(line 2\)`},
		{"urllib", func(t *testing.T) []string { return external(t, "python3", "python.py", "urllib") },
			"rfc9309/2.2.2-first-octet", "ours/misspelled-keys",
			"it reads no misspelled key", `got allow, want disallow .*`},
		{"protego", func(t *testing.T) []string { return external(t, "python3", "python.py", "protego") },
			"rfc9309/2.2.2-first-octet", "rfc9309/2.2.2-robots-txt",
			"rules apply to the address of the file itself", `: got disallow, want allow \(no rule\)`},
		{"robotspy", func(t *testing.T) []string { return external(t, "python3", "python.py", "robotspy") },
			"rfc9309/2.2.2-first-octet", "rfc9309/2.2.2-robots-txt",
			"rules apply to the address of the file itself", `: got disallow, want allow \(no rule\)`},
		{"robots-parser", func(t *testing.T) []string { return external(t, "node", "robots_parser.cjs") },
			"rfc9309/2.2.2-first-octet", "rfc9309/2.2.2-robots-txt",
			"rules apply to the address of the file itself", `: got disallow, want allow \(no rule\)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, status := run(t, suite, test.command(t))
			if fails := test.fails != ""; status > 1 || fails != (status == 1) {
				t.Fatalf("got status %d, want 1 if the implementation fails a topic and 0 otherwise:\n%s", status, out)
			}
			if !regexp.MustCompile(`(?m)^rfc +` + test.passes + ` +[1-9]\d* +0 +0 `).MatchString(out) {
				t.Fatalf("the adapter does not pass %s:\n%s", test.passes, out)
			}
			if !regexp.MustCompile(`(?m)^  `+test.fails+`\.txt.*`+test.failure+`$`).MatchString(out) && test.fails != "" {
				t.Fatalf("the adapter does not fail %s, although %s:\n%s", test.fails, test.reason, out)
			}
			if strings.Contains(out, ": got the adapter") || strings.Contains(out, ": got no answer") {
				t.Fatalf("the adapter does not answer each question:\n%s", out)
			}
		})
	}
}

// external returns the command of an adapter in another language. It skips the test
// if the interpreter or the library is missing.
func external(t *testing.T, interpreter string, args ...string) []string {
	t.Helper()
	command := append([]string{interpreter}, args...)
	if out, err := exec.Command(interpreter, args...).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: %s does not run, so it is not tested: %v\n%s", strings.Join(command, " "), err, out)
	}
	return command
}

// run runs the suite with an adapter, and returns what it prints and its exit status.
func run(t *testing.T, suite string, adapter []string) (out string, status int) {
	t.Helper()
	args := []string{"run", "-testdata", "../../testdata", "-levels", "rfc,google,ours", "--"}
	text, err := exec.Command(suite, append(args, adapter...)...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit != nil {
		status = exit.ExitCode()
	}
	return string(text), status
}
