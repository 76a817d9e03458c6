//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDiffJob runs the lines that the help of diff has for a deployment, as a shell
// does that ends at the first failure.
func TestDiffJob(t *testing.T) {
	_, job, ok := strings.Cut(newDiffCommand().Long, "\n  if ")
	if !ok || strings.Count(job, "\n") != 4 {
		t.Fatalf("the help has no job of five lines: %s", job)
	}
	bin := t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, "robotstxt"))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		about, old, new, reviewed string
		status                    int
		output                    string
	}{
		{"no verdict changes", oldRobots, oldRobots + "# new", "", 0, "robots.txt: no verdict changes\ndeployed\n"},
		{"some do", oldRobots, newRobots, "", 1, ""},
		{"some do, and somebody knows", oldRobots, newRobots, "yes", 0, "deployed\n"},
		{"a file is missing", oldRobots, "", "yes", 1, ""},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "old.txt"), c.old)
		if c.new != "" {
			write(t, filepath.Join(dir, "public", "robots.txt"), c.new)
		}
		script := "if " + strings.Replace(job, "https://www.example.com/", "old.txt", 1) + "\necho deployed"
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "ROBOTSTXT_BE_THE_COMMAND=yes", "ROBOTS_REVIEWED="+c.reviewed, "PATH="+bin+":"+os.Getenv("PATH"))
		output, _ := cmd.Output()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != c.status || !strings.HasSuffix(string(output), c.output) || c.status != 0 && strings.Contains(string(output), "deployed") {
			t.Errorf("%s: %v, output:\n%s", c.about, cmd.ProcessState, output)
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
