package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStatuses pins the exit statuses, because scripts rely on them.
func TestStatuses(t *testing.T) {
	if got := [...]int{exitOK, exitNo, exitError, exitDamaged, exitInterrupted}; got != [...]int{0, 1, 2, 3, 130} {
		t.Errorf("the exit statuses are %d", got)
	}
}

// TestExitStatuses runs a command for each row of the table in the help.
func TestExitStatuses(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.warc")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	commands := map[string]map[int]string{
		"ai":    {exitOK: sample, exitNo: "--set search=yes,training=no " + newFile(t, "User-agent: *\nDisallow: /"), exitError: "none.txt"},
		"check": {exitOK: "--robots " + sample + " /", exitNo: "--robots " + sample + " /basket", exitError: "--robots none.txt /"},
		"diff":  {exitOK: sample + " " + sample, exitNo: sample + " " + preferences, exitError: "none.txt " + sample},
		"lint":  {exitOK: sample, exitNo: mistakes, exitError: "none.txt"},
		"log": {exitOK: "--robots " + sample + " " + samples + "nginx.log", exitNo: "--fail --unverified --robots " + sample + " " + samples + "nginx.log",
			exitError: "--robots " + sample + " none.log", exitDamaged: "--robots " + sample + " " + damagedLog(t)},
		"test":  {exitOK: "--robots " + sample + " " + newFile(t, "allow * /"), exitNo: "--robots " + sample + " " + newFile(t, "disallow * /"), exitError: "--robots " + sample + " none.test"},
		"serve": {exitError: "none.txt"},
		"show":  {exitOK: sample, exitError: "none.txt"},
		"scan":  {exitOK: sample, exitError: "none.txt", exitDamaged: empty},
		"tags":  {exitOK: tagged, exitNo: "--robots " + sample + " --url /basket " + tagged, exitError: "none.html"},
	}
	for _, cmd := range newRootCommand().Commands() {
		if _, ok := exitStatuses[cmd.Name()]; !ok && !cmd.Hidden {
			t.Errorf("the help of %s does not list its exit statuses", cmd.Name())
		}
	}
	for name, meanings := range exitStatuses {
		for status := range meanings {
			args, ok := commands[name][status]
			switch {
			case status == exitInterrupted, name == "serve" && status == exitOK:
				continue // tested by TestScanInterrupt, TestServe and TestSite
			case !ok:
				t.Errorf("no row of this test has status %d of robotstxt %s", status, name)
				continue
			}
			if _, stderr, got := runWith("", append([]string{name}, strings.Fields(args)...)...); got != status {
				t.Errorf("robotstxt %s %s: status %d, want %d; standard error %q", name, args, got, status, stderr)
			}
		}
	}
}
