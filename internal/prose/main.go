// Command prose prints random sentences from this repository, for a reader who did not write
// them.
//
// Usage, from the root of the repository:
//
//	go run ./internal/prose [-n 100] [-seed 1]
//
// It chooses from the comments and messages in Go files, the comments in scripts, and the
// sentences in Markdown files. It leaves out tests. A message is a string literal of at least
// four words.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A sentence is a piece of text with its file and line.
type sentence struct {
	file string
	line int
	text string
}

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 100, "the number of sentences")
	seed := flag.Uint64("seed", 1, "the seed of the random choice; the same seed chooses the same sentences")
	flag.Parse()
	list, err := collect(".")
	if err != nil {
		log.Fatal(err)
	}
	r := rand.New(rand.NewPCG(*seed, 0))
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for i, s := range list[:min(*n, len(list))] {
		fmt.Printf("%d. %s:%d\n   %s\n", i+1, s.file, s.line, strings.Join(strings.Fields(s.text), " "))
	}
	log.Printf("%d of %d", min(*n, len(list)), len(list))
}

// collect returns the sentences of all files below a folder.
func collect(folder string) (list []sentence, err error) {
	err = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if base := entry.Name(); base == "testdata" || len(base) > 1 && base[0] == '.' {
				return filepath.SkipDir
			}
			return nil
		case strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		switch filepath.Ext(name) {
		case ".go":
			list = append(list, goSentences(name, text)...)
		case ".js":
			list = append(list, scriptSentences(name, string(text))...)
		case ".md":
			list = append(list, documentSentences(name, string(text))...)
		}
		return nil
	})
	return list, err
}

// goSentences returns the comments and messages of a Go file.
func goSentences(name string, text []byte) (list []sentence) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments)
	if err != nil {
		return nil
	}
	for _, c := range file.Comments {
		if text := c.Text(); text != "" { // a directive such as //go:embed has no text
			list = append(list, sentence{name, files.Position(c.Pos()).Line, text})
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil && len(strings.Fields(text)) >= 4 {
				list = append(list, sentence{name, files.Position(l.Pos()).Line, text})
			}
		}
		return true
	})
	return list
}

// scriptSentences returns the line comments of a script. Adjacent lines are one comment.
func scriptSentences(name, text string) (list []sentence) {
	for i, line := range strings.Split(text, "\n") {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if last := len(list) - 1; ok && last >= 0 && list[last].line+strings.Count(list[last].text, "\n") == i {
			list[last].text += "\n" + comment
		} else if ok {
			list = append(list, sentence{name, i + 1, comment})
		}
	}
	return list
}

var sentenceEnd = regexp.MustCompile(`[.?!]\s`)

// documentSentences returns the sentences of a document. It omits code blocks and tables.
func documentSentences(name, text string) (list []sentence) {
	line := 1
	fenced := false
	for block := range strings.SplitSeq(text, "\n\n") {
		fences := strings.Count(block, "```")
		if !fenced && fences == 0 && !strings.HasPrefix(block, "    ") && !strings.HasPrefix(block, "|") {
			for rest := block; rest != ""; {
				end := len(rest)
				if at := sentenceEnd.FindStringIndex(rest); at != nil {
					end = at[1]
				}
				if len(strings.Fields(rest[:end])) >= 4 {
					list = append(list, sentence{name, line + strings.Count(block[:len(block)-len(rest)], "\n"), rest[:end]})
				}
				rest = rest[end:]
			}
		}
		fenced = fenced != (fences%2 == 1)
		line += strings.Count(block, "\n") + 2
	}
	return list
}
