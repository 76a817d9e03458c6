package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// A folder stores outputs in any file system of Beam. It is an output.Folder.
type folder struct {
	ctx context.Context
	fs  filesystem.Interface
	dir string
}

func openFolder(ctx context.Context, dir string) (*folder, error) {
	fs, err := filesystem.New(ctx, dir)
	return &folder{ctx, fs, dir}, err
}

func (f *folder) path(name string) string { return f.dir + "/" + name }

func (f *folder) Read(name string) ([]byte, error) {
	return filesystem.Read(f.ctx, f.fs, f.path(name))
}

func (f *folder) Has(name string) bool {
	_, err := f.fs.Size(f.ctx, f.path(name))
	return err == nil
}

func (f *folder) Remove(name string) error {
	if !f.Has(name) {
		return nil
	}
	remover, ok := f.fs.(filesystem.Remover)
	if !ok {
		return fmt.Errorf("cannot remove %s, an output of an earlier job: choose another folder", f.path(name))
	}
	return remover.Remove(f.ctx, f.path(name))
}

// Write writes a file under another name, and renames it when it is complete. Two workers may write
// the same output, if a runner takes one of them for dead.
func (f *folder) Write(name string, write func(io.Writer) error) error {
	name = f.path(name)
	unfinished := name + ".unfinished-" + rand.Text()
	file, err := f.fs.OpenWrite(f.ctx, unfinished)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	err = write(out)
	if err == nil {
		err = out.Flush()
	}
	closeErr := file.Close()
	if err == nil {
		err = closeErr
	}
	if err == nil {
		return filesystem.Rename(f.ctx, f.fs, unfinished, name)
	}
	if remover, ok := f.fs.(filesystem.Remover); ok {
		remover.Remove(f.ctx, unfinished)
	}
	return err
}
