// Package web contains a web page on which people edit a robots.txt file and see what the file
// does. Handler serves the page on the user's machine. Package engine answers the questions of
// the page. WriteSite writes the page as static files, with the engine compiled to WebAssembly.
//
// README.md describes the files and folders.
package web

import (
	"embed"
	"io/fs"
)

//go:embed page
var embedded embed.FS

var page = sub(embedded, "page")

func sub(files fs.FS, dir string) fs.FS {
	f, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // happens only if dir is not a valid path
	}
	return f
}
