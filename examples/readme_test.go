package examples

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestReadme tests that the README shows the programs in decide and client, and what decide
// prints.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"decide", "client"} {
		source, err := os.ReadFile(name + "/main.go")
		if err != nil {
			t.Fatal(err)
		}
		_, program, _ := strings.Cut(string(source), "\n") // the README leaves out the comment
		if !strings.Contains(string(readme), "```go\n"+program+"```\n") {
			t.Errorf("the README does not show %s/main.go without its first line", name)
		}
	}
	output, err := exec.Command("go", "run", "./decide").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	block := "    " + strings.ReplaceAll(strings.TrimSuffix(string(output), "\n"), "\n", "\n    ") + "\n"
	if !strings.Contains(string(readme), "\n\n"+block) {
		t.Errorf("the README does not show that decide prints\n%s", block)
	}
}
