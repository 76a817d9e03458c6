package verdict

import (
	"encoding/json"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// formatOf says what data is if it is not a robots.txt file. For one, it returns "".
func formatOf(data []byte) string {
	if _, isOther := robotstxt.NotRobotsTxt(data); !isOther {
		return ""
	}
	text := lex.TrimLeft(lex.UTF8(data, robotstxt.SizeLimit))
	switch {
	case len(text) > 0 && text[0] == '<':
		return "an HTML page"
	case len(text) > 0 && (text[0] == '{' || text[0] == '[') && json.Valid(text):
		return "JSON"
	}
	return `a text without a line such as "User-agent: *"` // perhaps the keys are translated
}

// FormatNote says what the file is if it is not a robots.txt file, and what crawlers make of that.
func (f File) FormatNote() string {
	switch {
	case f.Format == "":
		return ""
	case f.Fetched:
		return "the server answers with " + f.Format + ", which crawlers read as a robots.txt without rules"
	}
	return "the file is " + f.Format + ", which crawlers read as a robots.txt without rules"
}
