// Package web contains a web page on which people see what a robots.txt file does while
// they write it. Handler serves the page on the user's machine. WriteSite writes it as static
// files, and compiles package engine, which answers the page's questions, to WebAssembly.
//
// README.md describes the files and folders.
package web

import (
	"embed"
	"io/fs"
)

//go:embed page
var embedded embed.FS

// page contains the files of the page.
var page = sub(embedded, "page")

func sub(files fs.FS, dir string) fs.FS {
	f, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // happens only if dir is not a valid path
	}
	return f
}
