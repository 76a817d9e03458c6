package robotstxt

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
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

// skipAlone skips a test of the whole repository if only this module is here, as in the
// module cache.
func skipAlone(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("robotshttp"); err != nil {
		t.Skip("the other modules of the repository are not here")
	}
}

// TestDeviations tests that each row of docs/deviations.md links to a file with its cases.
func TestDeviations(t *testing.T) {
	text, err := os.ReadFile("docs/deviations.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 7 || strings.HasPrefix(line, "|--") || cells[5] == " cases " {
			continue
		}
		rows++
		_, link, _ := strings.Cut(cells[5], "](")
		link = strings.TrimSuffix(strings.TrimSpace(link), ")")
		if _, err := os.Stat(filepath.Join("docs", link)); err != nil || link == "" {
			t.Errorf("%s: the row links to no file with cases: %v", cells[1], err)
		}
	}
	if rows < 20 {
		t.Errorf("found only %d rows in docs/deviations.md", rows)
	}
}

// TestPackageDoc keeps the package documentation short.
func TestPackageDoc(t *testing.T) {
	_, files := parsePackage(t)
	if n := strings.Count(files["robotstxt.go"].Doc.Text(), "\n"); n > 90 {
		t.Errorf("the package documentation has %d lines, want 90 at most", n)
	}
}

// TestReadme tests that the README names the oldest Go release that go.mod allows.
func TestReadme(t *testing.T) {
	skipAlone(t)
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	_, release, _ := strings.Cut(string(module), "\ngo ")
	release = release[:strings.LastIndexByte(release[:strings.IndexByte(release, '\n')], '.')]
	if want := "Go " + release + " or later"; !strings.Contains(string(readme), want) {
		t.Errorf("the README does not say %q", want)
	}
}

// TestLinks tests that all files that the documentation links to exist.
func TestLinks(t *testing.T) {
	skipAlone(t)
	links := 0
	err := filepath.WalkDir(".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".md" {
			return err
		}
		text, err := os.ReadFile(name)
		prose := ""
		for i, part := range strings.Split(string(text), "```") {
			if i%2 == 0 { // not code
				prose += part
			}
		}
		for _, link := range strings.Split(prose, "](")[1:] {
			link, _, _ = strings.Cut(link, ")")
			link, _, _ = strings.Cut(link, "#")
			if link == "" || strings.Contains(link, "://") {
				continue
			}
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), link)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		return err
	})
	if err != nil || links == 0 {
		t.Errorf("found %d links; error %v", links, err)
	}
}
