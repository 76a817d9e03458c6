package lint

import (
	"net/url"
	"path/filepath"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/lint"
)

// The parts of a log in SARIF 2.1.0 (Static Analysis Results Interchange Format, a standard of
// OASIS). The standard defines the JSON names.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string      `json:"id"`
		ShortDescription sarifText   `json:"shortDescription"`
		Help             sarifText   `json:"help"`
		HelpURI          string      `json:"helpUri"`
		Configuration    sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Fixes     []sarifFix      `json:"fixes,omitempty"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine,omitempty"` // left out if it equals StartLine
		EndColumn   int `json:"endColumn"`
	}
)

// helpPage is the address of a page with all codes and an example of each.
const helpPage = "https://github.com/robotstxt-go/robotstxt/blob/main/docs/lint.md"

func newSARIF() *sarifLog {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver.Name = "robotstxt"
	for _, c := range lint.Codes() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules,
			sarifRule{c.Name, sarifText{c.Text}, sarifText{c.Text + " " + c.Advice}, helpPage + "#" + c.Name, sarifConfig{sarifLevel(c.Severity)}})
	}
	return &sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

func sarifLevel(s lint.Severity) string {
	if s == lint.Info {
		return "note"
	}
	return string(s)
}

func (log *sarifLog) add(file lintFile) {
	run := &log.Runs[0]
	texts := answers.NewLineTexts(file.data)
	for _, f := range file.findings {
		uri := sarifArtifact{fileURI(file.name)}
		column, end := columnsOfFinding(texts.Line(f.Line), f)
		run.Results = append(run.Results, sarifResult{
			RuleID:    f.Code,
			RuleIndex: run.ruleIndex(f.Code),
			Level:     sarifLevel(f.Severity),
			Message:   sarifText{f.Text + " " + f.Advice},
			Locations: []sarifLocation{{sarifPhysical{
				Artifact: uri,
				Region:   sarifRegion{StartLine: f.Line, StartColumn: column, EndColumn: end},
			}}},
			Fixes: sarifFixes(uri, texts.Line(f.Line), f),
		})
	}
}

// columnsOfFinding returns the column where a finding starts and the column after the end
// of its line, both counted in characters from 1.
func columnsOfFinding(text string, f lint.Finding) (start, end int) {
	before := text[:min(f.Column-1, len(text))]
	return utf8.RuneCountInString(before) + 1, utf8.RuneCountInString(text) + 1
}

// sarifFixes returns the edit of a finding, or nil if it has none.
func sarifFixes(uri sarifArtifact, text string, f lint.Finding) []sarifFix {
	if f.Fix == nil {
		return nil
	}
	line := sarifRegion{StartLine: f.Line, StartColumn: 1, EndColumn: utf8.RuneCountInString(text) + 1}
	if f.Fix.Delete { // also delete the line ending
		line.EndLine, line.EndColumn = f.Line+1, 1
	}
	return []sarifFix{{sarifText{f.Advice}, []sarifChange{{uri, []sarifReplacement{{line, sarifText{f.Fix.Text}}}}}}}
}

func (run *sarifRun) ruleIndex(code string) int {
	for i, r := range run.Tool.Driver.Rules {
		if r.ID == code {
			return i
		}
	}
	return -1
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
