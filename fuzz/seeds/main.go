// Command seeds writes the seeds of the fuzz targets for OSS-Fuzz: an archive
// <target>_seed_corpus.zip for each target.
//
// Usage, in the module's root:
//
//	go run ./fuzz/seeds DIR
package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/robotstxt-go/robotstxt/fuzz"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "seeds:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: go run ./fuzz/seeds DIR")
	}
	single, pairs, err := fuzz.Seeds("testdata")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(args[0], 0o777); err != nil {
		return err
	}
	for target, seeds := range map[string][][]byte{"decide": single, "lint": single, "diff": pairs} {
		if err := write(filepath.Join(args[0], target+"_seed_corpus.zip"), seeds); err != nil {
			return err
		}
	}
	return nil
}

// write writes an archive that contains a file for each seed.
func write(name string, seeds [][]byte) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	archive := zip.NewWriter(file)
	for i, seed := range seeds {
		w, err := archive.Create(fmt.Sprintf("case-%04d", i+1))
		if err == nil {
			_, err = w.Write(seed)
		}
		if err != nil {
			file.Close()
			return err
		}
	}
	return errors.Join(archive.Close(), file.Close())
}
