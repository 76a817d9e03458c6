package robotstxt

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/internal/casefile"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// layers lists the files of this package except origin.go, which is independent of them.
// Each file uses only its own definitions and those of later files in the list.
var layers = []string{"robotstxt.go", "group.go", "index.go", "match.go", "table.go", "token.go", "parse.go"}

// parsePackage returns the files of this package, without tests, by name.
func parsePackage(t *testing.T) (*gotoken.FileSet, map[string]*ast.File) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	fset, files := gotoken.NewFileSet(), map[string]*ast.File{}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if files[name], err = parser.ParseFile(fset, name, nil, parser.ParseComments); err != nil {
			t.Fatal(err)
		}
	}
	return fset, files
}

// An emptyImporter imports packages without their contents, which are not needed to find
// where the names of this package are defined.
type emptyImporter struct{}

func (emptyImporter) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	p.MarkComplete()
	return p, nil
}

func TestLayers(t *testing.T) {
	fset, files := parsePackage(t)
	var list []*ast.File
	for name, file := range files {
		list = append(list, file)
		if name != "origin.go" && !slices.Contains(layers, name) {
			t.Errorf("%s is not in the list of layers", name)
		}
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: emptyImporter{}, Error: func(error) {}}
	pkg, _ := config.Check("robotstxt", fset, list, &info)
	uses := 0
	for ident, object := range info.Uses {
		if object.Pkg() != pkg {
			continue
		}
		user, definer := fset.Position(ident.Pos()), fset.Position(object.Pos()).Filename
		if user.Filename == definer {
			continue
		}
		uses++
		if i, j := slices.Index(layers, user.Filename), slices.Index(layers, definer); i < 0 || i > j {
			t.Errorf("%v uses %s, which %s defines", user, ident.Name, definer)
		}
	}
	if uses < 100 {
		t.Errorf("found only %d uses of definitions in other files", uses)
	}
}

// linesOfCode counts the lines of files that are neither blank nor a comment.
func linesOfCode(t *testing.T, names ...string) (lines int) {
	t.Helper()
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				lines++
			}
		}
	}
	return lines
}

// TestReadInOneSitting limits the length of the package, of its functions, and of the
// files of package lex that it uses.
func TestReadInOneSitting(t *testing.T) {
	fset, files := parsePackage(t)
	for _, file := range files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1; n > 40 {
				t.Errorf("%s has %d lines, want 40 at most", f.Name, n)
			}
			if f.Name.IsExported() && f.Doc == nil {
				t.Errorf("%s has no doc comment", f.Name)
			}
		}
	}
	root := linesOfCode(t, slices.Collect(maps.Keys(files))...)
	lex := linesOfCode(t, "internal/lex/agent.go", "internal/lex/chars.go", "internal/lex/escape.go", "internal/lex/lex.go", "internal/lex/utf16.go")
	if root > 1311 || root+lex > 1595 {
		t.Errorf("the package has %d lines of code (want 1311 at most), and with package lex %d (want 1595 at most)", root, root+lex)
	}
}

// TestKeysHaveCases tests that each known key is in a conformance case and in the rules.
func TestKeysHaveCases(t *testing.T) {
	seen := map[string]bool{}
	cases, err := casefile.ReadProtocol("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		for line := range Lines(c.Robots) {
			seen[lex.Letters(line.Key)] = true
		}
	}
	rules, err := os.ReadFile("testdata/RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.FieldsFunc(string(rules), func(r rune) bool { return r < 'a' || r > 'z' })
	for key := range keys {
		if !seen[key] {
			t.Errorf("no conformance case contains the key %q", key)
		}
		if !slices.Contains(words, key) {
			t.Errorf("testdata/RULES.md does not contain the key %q", key)
		}
	}
}
