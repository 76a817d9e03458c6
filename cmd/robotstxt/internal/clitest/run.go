// Package clitest runs a command of the program robotstxt in tests.
package clitest

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/spf13/cobra"
)

// Main runs the tests of a package in the folder of the program, where the folder testdata is.
func Main(m *testing.M) int {
	os.Unsetenv("COLUMNS") // the tests want the output for an unknown width
	for {
		if _, err := os.Stat("go.mod"); err == nil {
			return m.Run()
		}
		if err := os.Chdir(".."); err != nil {
			panic(err)
		}
	}
}

// Run runs a command and returns what it printed and its exit status. The first argument is
// the name of the command.
func Run(cmd *cobra.Command, stdin string, args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	status = cli.Execute(Program(cmd), args, strings.NewReader(stdin), &out, &errs)
	return out.String(), errs.String(), status
}

// Program returns a program with the name robotstxt that has only one command.
func Program(cmd *cobra.Command) *cobra.Command {
	root := &cobra.Command{Use: "robotstxt"}
	root.AddCommand(cmd)
	return root
}
