package lint_test

import (
	"go/doc/comment"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/lint"
)

// TestDoc holds the list of codes in the package documentation against the table.
// If they differ, correct one by the other.
func TestDoc(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, c := range lint.Codes() {
		want = append(want, c.Name+" ("+string(c.Severity)+"): "+c.Meaning)
	}
	var p comment.Parser
	for _, block := range p.Parse(file.Doc.Text()).Content {
		list, ok := block.(*comment.List)
		if !ok {
			continue
		}
		for _, item := range list.Items {
			text := item.Content[0].(*comment.Paragraph).Text[0].(comment.Plain)
			got = append(got, strings.ReplaceAll(string(text), "\n", " "))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("codes in doc.go (-table +doc.go):\n%s", diff)
	}
}
