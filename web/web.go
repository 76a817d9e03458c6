// Package web is a page on which people see what a robots.txt file does while they
// write it. Handler serves it on one's own machine; WriteSite writes it as static
// files, with the engine as WebAssembly.
//
//	engine/       what the page asks: one Go function, JSON in and JSON out
//	page/         the page: HTML, CSS and ES modules, as they are served
//	wasm/         the engine for browsers
//	browsertest/  tests in a real browser, a module of its own
//
// Start reading the page at page/main.js. It asks the engine through page/server.js
// or page/wasm.js; the attribute data-engine in page/index.html says which. Nothing is
// built or bundled.
package web

import (
	"embed"
	"io/fs"
)

//go:embed page
var embedded embed.FS

// page is the files of the page.
var page = sub(embedded, "page")

func sub(files fs.FS, dir string) fs.FS {
	f, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // the name is not valid
	}
	return f
}
