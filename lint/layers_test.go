package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"
)

// layers lists the files of this package, the top layer first: applying edits, the list of
// checks, the checks in two layers, comparing groups with "*", correcting lines, collecting
// findings, the model of a file, and the codes. A file may use only names that it defines
// itself or that a file of a lower layer defines.
var layers = [][]string{
	{"fix.go"},
	{"lint.go"},
	{"line.go"},
	{"agent.go", "dead.go", "group.go", "path.go", "record.go", "signal.go"},
	{"star.go"},
	{"correct.go"},
	{"report.go"},
	{"model.go"},
	{"version.go"},
	{"codes.go"},
}

func layerOf(file string) int {
	return slices.IndexFunc(layers, func(files []string) bool { return slices.Contains(files, file) })
}

// An emptyImporter imports packages as if they were empty. Their contents are not needed to
// find out where the names of this package are defined.
type emptyImporter struct{}

func (emptyImporter) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	p.MarkComplete()
	return p, nil
}

func TestLayers(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if layerOf(name) < 0 && name != "doc.go" {
			t.Errorf("the variable layers does not list %s", name)
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: emptyImporter{}, Error: func(error) {}}
	pkg, _ := config.Check("lint", fset, files, &info)
	uses := 0
	for ident, object := range info.Uses {
		user, definer := fset.Position(ident.Pos()), fset.Position(object.Pos()).Filename
		if object.Pkg() != pkg || user.Filename == definer {
			continue
		}
		uses++
		if layerOf(user.Filename) >= layerOf(definer) {
			t.Errorf("%v uses %s, but %s, which defines it, is not in a lower layer", user, ident.Name, definer)
		}
	}
	if uses < 200 {
		t.Errorf("found %d uses of names from other files, want at least 200", uses)
	}
}
