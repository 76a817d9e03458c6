// Command size prints a table, in Markdown, that shows how much each robots.txt library adds to
// a program. Run it in the folder compat/migrating, with "go run ./size".
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// libraries lists the libraries to measure, each with code that uses the library. In this code,
// body is a variable for the contents of a robots.txt file.
var libraries = []struct{ name, path, use string }{
	{"this module", "github.com/robotstxt-go/robotstxt",
		`println(lib.Parse(body).Allowed("FooBot", os.Args[1]))`},
	{"compat/temoto", "github.com/robotstxt-go/robotstxt/compat/temoto",
		`r, _ := lib.FromBytes(body); println(r.TestAgent(os.Args[1], "FooBot"))`},
	{"temoto", "github.com/temoto/robotstxt",
		`r, _ := lib.FromBytes(body); println(r.TestAgent(os.Args[1], "FooBot"))`},
	{"grobotstxt", "github.com/jimsmart/grobotstxt",
		`println(lib.AgentAllowed(string(body), "FooBot", os.Args[1]))`},
	{"benjaminestes", "github.com/benjaminestes/robots/v2",
		`r, _ := lib.From(200, bytes.NewReader(body)); println(r.Test("FooBot", os.Args[1]))`},
	{"this module, with robotshttp", "github.com/robotstxt-go/robotstxt/robotshttp",
		`c := http.Client{Transport: lib.NewTransport("FooBot", nil)}; c.Get(os.Args[1])`},
}

// The main functions of two programs without a robots.txt library. The sizes of the other
// programs are compared with the sizes of these two.
const (
	empty   = `body := []byte(os.Args[0]); println(len(body))`
	crawler = empty + `; http.Get(os.Args[1])`
)

func main() {
	log.SetFlags(0)
	dir, err := os.MkdirTemp("", "size")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	base, crawlerBase := build(dir, "", empty), build(dir, "", crawler)
	fmt.Print("# What each library adds to a program\n\nWritten by `go run ./size`.", `

The numbers of a library include everything that it imports, directly or indirectly, even from the standard library.
Sizes are of stripped programs (-ldflags='-s -w', without cgo), in KB of 1,000 bytes. The program with
robotshttp sends one request; each of the others parses one file and checks one URL. The libraries with more than 180
packages import net/http, which accounts for most of these packages. A program that calls Location also contains the
tables of golang.org/x/net/idna.

`)
	fmt.Println("| library | modules | packages | KB added to an empty program | KB added to a program with an http.Client |")
	fmt.Println("|---|--:|--:|--:|--:|")
	for _, l := range libraries {
		fmt.Printf("| %s | %d | %d | %s | %s |\n", l.name,
			count("{{with .Module}}{{.Path}}{{end}}", l.path), count("{{.ImportPath}}", l.path),
			kilobytes(build(dir, l.path, empty+"; "+l.use)-base),
			kilobytes(build(dir, l.path, crawler+"; "+l.use)-crawlerBase))
	}
	fmt.Printf("\nEmpty program: %s KB. Program with an http.Client: %s KB. ", kilobytes(base), kilobytes(crawlerBase))
	fmt.Printf("%s.\n", strings.TrimSpace(output("go", "version")))
}

func kilobytes(n int64) string { return fmt.Sprintf("%.0f", float64(n)/1000) }

// build returns the size in bytes of a stripped program whose main function has the given
// body.
func build(dir, library, body string) int64 {
	imports := `import "os"`
	for _, name := range []string{"bytes", "net/http"} {
		if strings.Contains(body, filepath.Base(name)+".") {
			imports += "\nimport \"" + name + `"`
		}
	}
	if library != "" {
		imports += "\nimport lib \"" + library + `"`
	}
	source, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "main")
	text := "package main\n" + imports + "\nfunc main() { " + body + " }\n"
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}
	output("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, source)
	info, err := os.Stat(binary)
	if err != nil {
		log.Fatal(err)
	}
	return info.Size()
}

// count returns how many different lines the command "go list -deps" prints with the given
// format for a package.
func count(format, path string) int {
	lines := strings.Fields(output("go", "list", "-deps", "-f", format, path))
	slices.Sort(lines)
	return len(slices.Compact(lines))
}

// output runs a command and returns its standard output.
func output(name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		log.Fatalf("%v: %v", cmd, err)
	}
	return string(out)
}
