package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
)

// TestHelp tests that each command has a help text that fits on a terminal, and that explains each flag.
func TestHelp(t *testing.T) {
	overview, _, _ := runWith("", "help")
	wantPlainText(t, "help", overview)
	for _, c := range newRootCommand().Commands() {
		if c.Hidden {
			continue
		}
		if !strings.Contains(overview, "  "+c.Name()+" ") {
			t.Errorf("\"robotstxt help\" does not list %s", c.Name())
		}
		want, _, _ := runWith("", "help", c.Name())
		wantPlainText(t, c.Name(), want)
		for _, args := range [][]string{{c.Name(), "-h"}, {c.Name(), "--help"}} {
			if stdout, stderr, status := runWith("", args...); stdout != want || !strings.HasPrefix(stdout, c.Long) || stderr != "" || status != cli.ExitOK {
				t.Errorf("robotstxt %v: status %d, output %q, standard error %q", args, status, stdout, stderr)
			}
		}
		if !strings.HasPrefix(c.Long, "The "+c.Name()+" command ") || !strings.Contains(want, "Examples:\n  robotstxt "+c.Name()) {
			t.Errorf("the help of %s does not start with what it does, or has no examples", c.Name())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) { wantDescribed(t, c, f) })
	}
}

// wantPlainText wants lines of at most 80 bytes, without tabs or blanks at their ends.
func wantPlainText(t *testing.T, name, help string) {
	t.Helper()
	for line := range strings.Lines(help) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) > 80 || strings.Contains(line, "\t") || strings.TrimRight(line, " ") != line {
			t.Errorf("the help of %s has the line %q of %d bytes", name, line, len(line))
		}
	}
}

// wantDescribed wants a description of a flag and, if the flag has a value, a name of the value that does not
// only say its type.
func wantDescribed(t *testing.T, c *cobra.Command, f *pflag.Flag) {
	t.Helper()
	if f.Usage == "" || strings.HasSuffix(f.Usage, ".") {
		t.Errorf("%s: the description of --%s is %q; want words without a period at their end", c.Name(), f.Name, f.Usage)
	}
	value, _ := pflag.UnquoteUsage(f)
	if f.Value.Type() != "bool" && !strings.Contains(f.Usage, "`"+value+"`") {
		t.Errorf("%s: --%s has no name for its value; write one in backquotes, as in \"print this `number`\"", c.Name(), f.Name)
	}
}

// TestFlagsAreRead tests that the program reads each flag. It looks at the code of each command, and of package
// cli, for a call such as cmd.Flags().BoolVar(&c.json, "json", …). Then the field json must also be used
// elsewhere, without an "&".
func TestFlagsAreRead(t *testing.T) {
	everywhere, shared := usesIn(t, "internal"), usesIn(t, "internal/cli")
	for _, c := range newRootCommand().Commands() {
		folder := filepath.Join("internal", "command", c.Name())
		if _, err := os.Stat(folder); err != nil {
			continue // a command of cobra
		}
		own := usesIn(t, folder)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			variable, ok := own.flags[f.Name]
			if !ok {
				variable, ok = shared.flags[f.Name]
			}
			switch {
			case f.Name == "help":
			case !ok:
				t.Errorf("%s: no call in %s or internal/cli binds --%s to a variable", c.Name(), folder, f.Name)
			case own.declared[variable] && own.read[variable] == 0, everywhere.read[variable] == 0:
				t.Errorf("%s: nothing reads %s, the variable of --%s", c.Name(), variable, f.Name)
			}
		})
	}
}

// TestCommandsStandAlone tests that no command uses the package of another one: what several commands need is
// in package cli.
func TestCommandsStandAlone(t *testing.T) {
	files, err := filepath.Glob("internal/command/*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no commands: %v", err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			own := "/" + filepath.ToSlash(filepath.Dir(name)) + "/" // packages of its own, which no other command can import
			if strings.Contains(i.Path.Value, "/internal/command/") && !strings.Contains(i.Path.Value, own+"internal/") {
				t.Errorf("%s imports %s", name, i.Path.Value)
			}
		}
	}
}

// uses are the variables and fields in the code of some folders.
type uses struct {
	flags    map[string]string // the variable or field that a flag is bound to, by the name of the flag
	declared map[string]bool
	read     map[string]int // how often the variable or field is used without an "&"
}

func usesIn(t *testing.T, folders ...string) uses {
	u := uses{map[string]string{}, map[string]bool{}, map[string]int{}}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err == nil {
				ast.Inspect(file, u.add)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return u
}

// add adds what a node of a syntax tree declares or uses, and reports whether to look at its parts.
func (u uses) add(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Field:
		for _, name := range n.Names {
			u.declared[name.Name] = true
		}
		return false
	case *ast.ValueSpec:
		for _, name := range n.Names {
			u.declared[name.Name] = true
		}
		for _, value := range n.Values {
			ast.Inspect(value, u.add)
		}
		return false
	case *ast.CallExpr:
		u.addFlag(n)
	case *ast.UnaryExpr:
		return n.Op != token.AND || variableOf(n) == ""
	case *ast.Ident:
		u.read[n.Name]++
	}
	return true
}

// addFlag adds a flag if the call is flags.BoolVar(&c.json, "json", …), for example, or
// cli.AddAgentFlag(cmd, &c.agents, …).
func (u uses) addFlag(call *ast.CallExpr) {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) < 2 {
		return
	}
	switch f.Sel.Name {
	case "AddAgentFlag":
		u.flags["agent"] = variableOf(call.Args[1])
	case "AddHeaderFlag":
		u.flags["header"] = variableOf(call.Args[1])
	}
	name, ok := call.Args[1].(*ast.BasicLit)
	if ok && strings.HasSuffix(f.Sel.Name, "Var") {
		u.flags[strings.Trim(name.Value, `"`)] = variableOf(call.Args[0])
	}
}

// variableOf returns the name of the variable or field whose address is taken, or "" if the expression is
// something else.
func variableOf(e ast.Expr) string {
	address, ok := e.(*ast.UnaryExpr)
	if !ok {
		return ""
	}
	switch x := address.X.(type) {
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.Ident:
		return x.Name
	}
	return ""
}
