package lint

import (
	"fmt"
	"io"
	"strings"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/lint"
)

// printGitHub prints the findings as workflow commands of GitHub Actions. GitHub then shows
// them beside the lines of a pull request.
func (file lintFile) printGitHub(w io.Writer) {
	levels := map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "notice"}
	texts := answers.NewLineTexts(file.data)
	for _, f := range file.findings {
		column, end := columnsOfFinding(texts.Line(f.Line), f)
		fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d,endColumn=%d,title=%s::%s\n", levels[f.Severity],
			githubProperty(file.name), f.Line, column, end, githubProperty(f.Code), githubText(f.Text+" "+f.Advice))
	}
}

// githubText escapes the message of a workflow command.
func githubText(s string) string {
	return cli.Visible(strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s))
}

// githubProperty escapes the value of a property in a workflow command.
func githubProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubText(s))
}
