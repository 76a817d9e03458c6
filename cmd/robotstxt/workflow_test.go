package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWorkflowCommands tests that texts of strangers never start a command of the old form in the log of a
// GitHub workflow, which obeys "##[" anywhere in a line (ours: the documentation names only the form "::").
func TestWorkflowCommands(t *testing.T) {
	const command = "##[add-mask]e"
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"robots.txt":  command + "\nUser-agent: *\n" + command + ": x\nSitemap: http://" + command + "\nFoo: a##[b\nDisallow: /a/##[b]\nDisalow: x" + command + "\n",
		"sitemap.txt": "https://shop.example/" + command + "\n" + command + "\n",
		"sitemap.xml": "<urlset><url><loc>https://shop.example/a/" + command + "</loc></url><url><loc>" + command + "</loc></url></urlset>",
		"robots.test": "allow FooBot " + command + "\n" + command + "\n",
		"page.html":   `<meta name="robots" content="` + command + `, noindex"><meta name="` + command + `" content="noindex">`,
		"access.log":  `192.0.2.1 - - [21/Nov/2026:06:00:30 +0000] "GET /a/` + command + ` HTTP/1.1" 200 1 "-" "GPTBot/1.0 (+http://` + command + `)"` + "\n" + command + "\n",
		"a/old.txt":   "Sitemap: /" + command + "\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{
		"lint robots.txt", "lint --format github robots.txt", "show robots.txt", "ai robots.txt",
		"check --robots robots.txt --agent " + command + " /a/" + command + " " + command,
		"check --robots robots.txt --sitemap sitemap.txt", "check --robots robots.txt --sitemap sitemap.xml",
		"test --robots robots.txt robots.test", "diff a/old.txt robots.txt", "diff robots.txt a/old.txt",
		"tags --robots robots.txt --url /a/" + command + " page.html", "log --robots robots.txt access.log", "scan robots.txt", "lint " + command, command,
	} {
		stdout, stderr, _ := runWith("", strings.Fields(args)...)
		if out := stdout + stderr; strings.Contains(out, "##[") {
			t.Errorf("%s prints\n%s", args, out)
		}
	}
}
