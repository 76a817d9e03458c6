package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/robotstxt-go/robotstxt/internal/wire"
)

// export writes each topic to a file in a folder.
func export(folder string, topics []topic) error {
	for _, t := range topics {
		data, err := wire.Marshal(t)
		if err != nil {
			return err
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, data, "", "  "); err != nil {
			return err
		}
		indented.WriteByte('\n')
		if err := writeFile(filepath.Join(folder, filepath.FromSlash(t.Topic)+".json"), indented.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes a file. It creates the file's folder if necessary.
func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o666)
}
