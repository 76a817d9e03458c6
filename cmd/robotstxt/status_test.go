package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
)

// TestStatuses pins the exit statuses, because scripts rely on them.
func TestStatuses(t *testing.T) {
	if got := [...]int{cli.ExitOK, cli.ExitNo, cli.ExitError, cli.ExitDamaged, cli.ExitInterrupted}; got != [...]int{0, 1, 2, 3, 130} {
		t.Errorf("the exit statuses are %d", got)
	}
}

// TestExitStatuses runs a command for each row of the table in the help.
func TestExitStatuses(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.warc")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	site := clitest.NewSite(t, clitest.Writes("User-agent: *\nDisallow: /x\n")).URL
	kept := clitest.Folder(t, map[string]string{strings.NewReplacer("://", "+", ":", "+").Replace(site) + ".txt": "User-agent: *\nDisallow: /y\n"})
	commands := map[string]map[int]string{
		"ai":    {cli.ExitOK: clitest.Sample, cli.ExitNo: "--set search=yes,training=no " + clitest.NewFile(t, "User-agent: *\nDisallow: /"), cli.ExitError: "none.txt"},
		"check": {cli.ExitOK: "--robots " + clitest.Sample + " /", cli.ExitNo: "--robots " + clitest.Sample + " /basket", cli.ExitError: "--robots none.txt /"},
		"diff":  {cli.ExitOK: clitest.Sample + " " + clitest.Sample, cli.ExitNo: clitest.Sample + " " + clitest.Preferences, cli.ExitError: "none.txt " + clitest.Sample},
		"lint":  {cli.ExitOK: clitest.Sample, cli.ExitNo: clitest.Mistakes, cli.ExitError: "none.txt"},
		"log": {cli.ExitOK: "--robots " + clitest.Sample + " " + clitest.Logs + "nginx.log", cli.ExitNo: "--fail --unverified --robots " + clitest.Sample + " " + clitest.Logs + "nginx.log",
			cli.ExitError: "--robots " + clitest.Sample + " none.log", cli.ExitDamaged: "--robots " + clitest.Sample + " " + clitest.DamagedLog(t)},
		"test":  {cli.ExitOK: "--robots " + clitest.Sample + " " + clitest.NewFile(t, "allow * /"), cli.ExitNo: "--robots " + clitest.Sample + " " + clitest.NewFile(t, "disallow * /"), cli.ExitError: "--robots " + clitest.Sample + " none.test"},
		"serve": {cli.ExitError: "none.txt"},
		"show":  {cli.ExitOK: clitest.Sample, cli.ExitError: "none.txt"},
		"scan":  {cli.ExitOK: clitest.Sample, cli.ExitError: "none.txt", cli.ExitDamaged: empty},
		"sites": {cli.ExitOK: site, cli.ExitNo: "--out " + kept + " " + site, cli.ExitError: "--from none.txt"},
		"tags":  {cli.ExitOK: clitest.Tagged, cli.ExitNo: "--robots " + clitest.Sample + " --url /basket " + clitest.Tagged, cli.ExitError: "none.html"},
	}
	for _, cmd := range newRootCommand().Commands() {
		statuses := documentedStatuses(t, cmd.Long)
		if len(statuses) == 0 && !cmd.Hidden {
			t.Errorf("the help of %s does not list its exit statuses", cmd.Name())
		}
		for _, status := range statuses {
			args, ok := commands[cmd.Name()][status]
			switch {
			case status == cli.ExitInterrupted, cmd.Name() == "serve" && status == cli.ExitOK:
				continue // tested by TestScanInterrupt, TestServe and TestSite
			case !ok:
				t.Errorf("no row of the table commands has status %d of robotstxt %s; add arguments that lead to it", status, cmd.Name())
				continue
			}
			if _, stderr, got := runWith("", append([]string{cmd.Name()}, strings.Fields(args)...)...); got != status {
				t.Errorf("robotstxt %s %s: status %d, want %d; standard error %q", cmd.Name(), args, got, status, stderr)
			}
		}
	}
}

// documentedStatuses returns the exit statuses in a help text.
func documentedStatuses(t *testing.T, help string) (statuses []int) {
	_, table, _ := strings.Cut(help, "\nExit status:\n")
	for line := range strings.Lines(table) {
		status, err := strconv.Atoi(strings.Fields(line)[0])
		if err != nil {
			t.Errorf("%q: %v", line, err)
		}
		statuses = append(statuses, status)
	}
	return statuses
}
