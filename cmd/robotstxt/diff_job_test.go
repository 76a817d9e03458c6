//go:build unix

package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/diff"
)

// TestDiffJob runs the shell lines for a deployment in the help of diff, in a shell that ends
// at the first failure.
func TestDiffJob(t *testing.T) {
	_, job, ok := strings.Cut(diff.New().Long, "\n  if ")
	job, _, _ = strings.Cut(job, "\n\n")
	if !ok || strings.Count(job, "\n") != 4 {
		t.Fatalf("the help of diff does not contain five lines of shell: %s", job)
	}
	for _, c := range []struct {
		about, old, new, reviewed string
		status                    int
		output                    string
	}{
		{"no verdict changes", clitest.OldRobots, clitest.OldRobots + "# new", "", 0, "robots.txt: no verdict changes\ndeployed\n"},
		{"some do", clitest.OldRobots, clitest.NewRobots, "", 1, ""},
		{"some do, and somebody knows", clitest.OldRobots, clitest.NewRobots, "yes", 0, "deployed\n"},
		{"a file is missing", clitest.OldRobots, "", "yes", 1, ""},
	} {
		dir := t.TempDir()
		clitest.Write(t, filepath.Join(dir, "old.txt"), c.old)
		if c.new != "" {
			clitest.Write(t, filepath.Join(dir, "public", "robots.txt"), c.new)
		}
		script := "if " + strings.Replace(job, "https://www.example.com/", "old.txt", 1) + "\necho deployed"
		cmd := shell(t, dir, script, "ROBOTS_REVIEWED="+c.reviewed)
		output, _ := cmd.Output()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != c.status || !strings.HasSuffix(string(output), c.output) || c.status != 0 && strings.Contains(string(output), "deployed") {
			t.Errorf("%s: %v, output:\n%s", c.about, cmd.ProcessState, output)
		}
	}
}

// shell returns a shell that runs a script in a folder until something fails. In the script,
// the command robotstxt is this test binary.
func shell(t *testing.T, dir, script string, env ...string) *exec.Cmd {
	t.Helper()
	bin := t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, "robotstxt"))
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), env...), "ROBOTSTXT_BE_THE_COMMAND=yes", "PATH="+bin+":"+os.Getenv("PATH"))
	return cmd
}

// TestNightlyJob runs the script of docs/test.md against a site that serves the file as it
// was written, with one more comment, and with more rules.
func TestNightlyJob(t *testing.T) {
	doc, err := os.ReadFile("../../docs/test.md")
	if err != nil {
		t.Fatal(err)
	}
	_, script, ok := strings.Cut(string(doc), "    #!/bin/sh\n")
	script, _, ok2 := strings.Cut(script, "\n\n")
	if !ok || !ok2 {
		t.Fatal("docs/test.md has no script")
	}
	for _, c := range []struct {
		about, live string
		status      int
		output      string
	}{
		{"as written", clitest.OldRobots, 0, "ok  1 expectation\n"},
		{"with a comment", "# from the edge\n" + clitest.OldRobots, 0, "ok  1 expectation\n"},
		{"changed", "User-agent: GPTBot\nDisallow: /\n\n" + clitest.OldRobots, 1, "GPTBot\n  now disallowed  /"},
	} {
		dir := t.TempDir()
		clitest.Write(t, filepath.Join(dir, "public", "robots.txt"), clitest.OldRobots)
		clitest.Write(t, filepath.Join(dir, "robots.test"), "allow GPTBot /\n")
		site := clitest.NewSite(t, clitest.Writes(c.live))
		cmd := shell(t, dir, strings.Replace(script, "https://www.example.com/", site.URL, 1))
		output, _ := cmd.Output()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != c.status || !strings.HasPrefix(string(output), c.output) || c.status != 0 && !strings.HasSuffix(string(output), "FAIL  1 of 1 expectation\n") {
			t.Errorf("%s: %v, output:\n%s", c.about, cmd.ProcessState, output)
		}
	}
}

// TestWatchJobs runs the commands of both crontabs in docs/owners.md against a site that changes its file. The second
// one keeps each version in Git.
func TestWatchJobs(t *testing.T) {
	doc, err := os.ReadFile("../../docs/owners.md")
	if err != nil {
		t.Fatal(err)
	}
	_, watch, _ := strings.Cut(string(doc), "\n## What changed on the live site\n")
	watch, _, _ = strings.Cut(watch, "\n## ")
	jobs := strings.Split(watch, "    17 5 * * * ")[1:]
	if len(jobs) != 2 {
		t.Fatalf("docs/owners.md has %d crontabs that watch a site, want 2", len(jobs))
	}
	var live atomic.Value // the file of the site
	site := clitest.NewSite(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, live.Load().(string)) })
	for i, job := range jobs {
		job, _, _ = strings.Cut(job, "\n")
		home := t.TempDir()
		script := func(script string) string {
			cmd := shell(t, home, strings.ReplaceAll(script, "https://www.example.com/", site.URL), "HOME="+home)
			output, _ := cmd.Output()
			return string(output)
		}
		inGit := i == 1
		if inGit && script("git init -q robots && cd robots && git config user.name robots && git config user.email robots@example.com && echo made") != "made\n" {
			t.Skip("SKIPPED: no git")
		}
		for run, robots := range []string{clitest.OldRobots, "# a comment\n" + clitest.OldRobots, clitest.NewRobots, clitest.NewRobots} {
			live.Store(robots)
			if output := script(job); strings.Contains(output, "now disallowed") != (run == 2) {
				t.Errorf("%s, run %d: output %s", job, run+1, output)
			}
		}
		if commits := script("git -C robots log --oneline | wc -l"); inGit && strings.TrimSpace(commits) != "3" {
			t.Errorf("%s made %s commits, want 3", job, commits)
		}
	}
}
