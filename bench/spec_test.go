package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
)

var specFolder = flag.String("spec", os.Getenv("ROBOTSTXT_SPEC_TEST"),
	"a `folder` with a clone of github.com/google/robotstxt-spec-test (default: the variable ROBOTSTXT_SPEC_TEST)")

// A specQuestion is an expectation of Google's suite for other languages.
type specQuestion struct {
	file, robots, agent, url string
	outcome                  string // "ALLOWED" or "DISALLOWED"
}

// TestSpec asks the questions of google/robotstxt-spec-test. docs/deviations.md lists the 14
// of its 400 questions that this library answers differently, with the reasons.
func TestSpec(t *testing.T) {
	if *specFolder == "" {
		t.Skip("SKIPPED: google/robotstxt-spec-test is not tested without -spec")
	}
	questions := readSpec(t, *specFolder)
	differing := 0
	for _, q := range questions {
		if d := robotstxt.Parse([]byte(q.robots)).Decide(q.agent, q.url); d.Allowed != (q.outcome == "ALLOWED") {
			differing++
			t.Logf("%s: agent %q, URL %q: want %s, got %v", q.file, q.agent, q.url, q.outcome, d)
		}
	}
	if len(questions) != 400 || differing != 14 {
		t.Errorf("%d of %d answers differ, want 14 of 400", differing, len(questions))
	}
}

// readSpec reads all questions in a folder, in the order of their files.
func readSpec(t *testing.T, folder string) (questions []specQuestion) {
	t.Helper()
	err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".textproto" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		list, err := parseSpec(string(text))
		for i := range list {
			list[i].file = filepath.Base(name)
		}
		questions = append(questions, list...)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return questions
}

// parseSpec reads a message RobotsTxtSpecification in the text format of protocol buffers.
// A closing brace ends an expectation. All other braces are ignored, and a robots.txt file
// applies to all expectations up to the next file.
func parseSpec(text string) (questions []specQuestion, err error) {
	var q specQuestion
	field := ""
	for rest := text; ; {
		rest = strings.TrimLeft(rest, " \t\r\n:,[]{")
		switch {
		case rest == "":
			return questions, nil
		case rest[0] == '#':
			_, rest, _ = strings.Cut(rest, "\n")
		case rest[0] == '}':
			if rest = rest[1:]; q.outcome != "" {
				questions = append(questions, q)
				q = specQuestion{robots: q.robots}
			}
		case rest[0] == '"' || rest[0] == '\'':
			var value string
			if value, rest, err = specString(rest); err != nil {
				return nil, err
			}
			switch field {
			case "robotstxt":
				q.robots += value
			case "testurl":
				q.url += value
			case "useragent":
				q.agent += value
			}
		default:
			end := strings.IndexFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t\r\n:,[]{}\"'#", r) })
			if end < 0 {
				end = len(rest)
			}
			word := rest[:end]
			rest = rest[end:]
			switch word {
			case "ALLOWED", "DISALLOWED":
				q.outcome = word
			case "robotstxt":
				q.robots = ""
			}
			field = word
		}
	}
}

// specString reads a quoted string, whose escapes are those of Go, except that any string
// may contain \'. It does not support short octal escapes, which no file contains.
func specString(text string) (value, rest string, err error) {
	end := 1
	for ; end < len(text) && text[end] != text[0]; end++ {
		if text[end] == '\\' {
			end++
		}
	}
	if end >= len(text) {
		return "", "", fmt.Errorf("the string %.40q has no closing quote", text)
	}
	inner := strings.ReplaceAll(text[1:end], `\'`, `'`)
	if text[0] == '\'' {
		inner = strings.ReplaceAll(inner, `"`, `\"`)
	}
	value, err = strconv.Unquote(`"` + inner + `"`)
	return value, text[end+1:], err
}
