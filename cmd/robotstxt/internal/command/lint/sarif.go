package lint

import (
	"io"
	"net/url"
	"path/filepath"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/lint"
)

// An object is an object of JSON.
type object = map[string]any

// helpPage is the address of a page with all codes and an example of each.
const helpPage = "https://github.com/robotstxt-go/robotstxt/blob/main/docs/lint.md"

// printSARIF prints the findings as a log in SARIF 2.1.0 (Static Analysis Results Interchange Format, a
// standard of OASIS).
func printSARIF(w io.Writer, files []lintFile) {
	rules, results := []object{}, []object{}
	for _, c := range lint.Codes() {
		rules = append(rules, object{
			"id":                   c.Name,
			"shortDescription":     object{"text": c.Text},
			"help":                 object{"text": c.Text + " " + c.Advice},
			"helpUri":              helpPage + "#" + c.Name,
			"defaultConfiguration": object{"level": sarifLevels[c.Severity]},
		})
	}
	for _, file := range files {
		artifact, texts := object{"uri": fileURI(file.name)}, answers.NewLineTexts(file.data)
		for _, f := range file.findings {
			column, end := columnsOfFinding(texts.Line(f.Line), f)
			region := object{"startLine": f.Line, "startColumn": column, "endColumn": end}
			result := object{
				"ruleId":    f.Code,
				"level":     sarifLevels[f.Severity],
				"message":   object{"text": f.Text + " " + f.Advice},
				"locations": []object{{"physicalLocation": object{"artifactLocation": artifact, "region": region}}},
			}
			if f.Fix != nil {
				line := object{"startLine": f.Line, "startColumn": 1, "endColumn": end}
				if f.Fix.Delete { // also delete the line ending
					line["endLine"], line["endColumn"] = f.Line+1, 1
				}
				replacement := object{"deletedRegion": line, "insertedContent": object{"text": f.Fix.Text}}
				change := object{"artifactLocation": artifact, "replacements": []object{replacement}}
				result["fixes"] = []object{{"description": object{"text": f.Advice}, "artifactChanges": []object{change}}}
			}
			results = append(results, result)
		}
	}
	cli.PrintLongJSON(w, object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool":       object{"driver": object{"name": "robotstxt", "rules": rules}},
			"columnKind": "unicodeCodePoints",
			"results":    results,
		}},
	})
}

var sarifLevels = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "note"}

// columnsOfFinding returns the column where a finding starts and the column after the end
// of its line, both counted in characters from 1.
func columnsOfFinding(text string, f lint.Finding) (start, end int) {
	before := text[:min(f.Column-1, len(text))]
	return utf8.RuneCountInString(before) + 1, utf8.RuneCountInString(text) + 1
}

// fileURI returns the name of a file as a URI. For a relative path, the URI is relative.
func fileURI(name string) string {
	if cli.IsURL(name) {
		return name
	}
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
		if u.Path[0] != '/' { // the path starts with a drive letter
			u.Path = "/" + u.Path
		}
	}
	return u.String()
}
