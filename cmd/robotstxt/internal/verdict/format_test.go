package verdict

import "testing"

// TestFormat tests what files are called that are no robots.txt (robotstxt.NotRobotsTxt), and that others are not.
func TestFormat(t *testing.T) {
	const other = `a text without a line such as "User-agent: *"`
	for text, want := range map[string]string{
		"":                                       "",
		"# a comment\n":                          "",
		"Sitemap: /a\n":                          "",
		"\ufeff\n <!DOCTYPE html>\n":             "an HTML page",
		"\n{\"a\": [1]}\n":                       "JSON",
		"[]":                                     "JSON",
		"{color: red}":                           other,
		"404":                                    other,
		"Agente de usuario: *\nNo permitir: /\n": other,
	} {
		if got := Parse([]byte(text)).Format; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
