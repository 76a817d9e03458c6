package scan

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// A folder stores outputs on this machine. It is an output.Folder.
type folder string

func (f folder) path(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

func (f folder) Read(name string) ([]byte, error) { return os.ReadFile(f.path(name)) }

func (f folder) Has(name string) bool {
	_, err := os.Stat(f.path(name))
	return err == nil
}

func (f folder) Remove(name string) error {
	err := os.Remove(f.path(name))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// Write writes a file under a temporary name, and renames the file when all of it is on the disk.
func (f folder) Write(name string, write func(io.Writer) error) error {
	name = f.path(name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(name), ".unfinished-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // does nothing once the file has been renamed
	err = write(file)
	if err != nil {
		file.Close()
		return err
	}
	if err := errors.Join(file.Sync(), file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}
