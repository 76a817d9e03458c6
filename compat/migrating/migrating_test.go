package migrating

import (
	"go/scanner"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
)

// tokens returns Go code with one space between its tokens, and without comments.
func tokens(code string) string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(code)), []byte(code), nil, 0)
	words := []string{""}
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return strings.Join(append(words, ""), " ")
		case literal == "\n":
		case literal != "":
			words = append(words, literal)
		default:
			words = append(words, tok.String())
		}
	}
}

// tokensOf returns the tokens of the examples for a library.
func tokensOf(t *testing.T, library, suffix string) string {
	t.Helper()
	source, err := os.ReadFile(library + suffix)
	if err != nil {
		t.Fatal(err)
	}
	return tokens(string(source))
}

// TestTablesAreExamples checks that the code in the tables of MIGRATING.md is in the
// examples, so that it compiles and does what the examples show.
func TestTablesAreExamples(t *testing.T) {
	text, err := os.ReadFile("../../MIGRATING.md")
	if err != nil {
		t.Fatal(err)
	}
	span := regexp.MustCompile("`[^`]*`")
	seen := map[string]bool{}
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		library, rows := "", 0
		for _, name := range []string{"temoto", "grobotstxt", "benjaminestes"} {
			if title, _, _ := strings.Cut(section, "\n"); strings.Contains(title, name) {
				library = name
			}
		}
		if library == "" {
			continue
		}
		seen[library] = true
		columns := []string{tokensOf(t, library, "_before_test.go"), tokensOf(t, library, "_test.go")}
		for row := range strings.Lines(section) {
			cells := strings.Split(row, " | ")
			if !strings.HasPrefix(row, "| `") {
				continue
			}
			if rows++; len(cells) != 3 {
				t.Errorf("%s: the row does not have three cells: %s", library, row)
				continue
			}
			for i, examples := range columns {
				spans := span.FindAllString(cells[i], -1)
				if len(spans) == 0 && cells[i] != "nothing" {
					t.Errorf("%s: there is no code in the cell %q", library, cells[i])
				}
				for _, s := range spans {
					if !strings.Contains(examples, tokens(strings.Trim(s, "`"))) {
						t.Errorf("%s: no example contains %s", library, s)
					}
				}
			}
		}
		if rows < 5 {
			t.Errorf("%s: only %d rows found", library, rows)
		}
	}
	if len(seen) != 3 {
		t.Errorf("found sections for the libraries %v, want 3", seen)
	}
}
