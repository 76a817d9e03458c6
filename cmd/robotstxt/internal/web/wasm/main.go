//go:build js && wasm

// Command wasm is the engine of the page as WebAssembly. It sets the JavaScript
// function robotstxtAnswer, from a request in JSON and a text to an answer in JSON, and waits for
// calls.
package main

import (
	"syscall/js"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web/engine"
)

func main() {
	js.Global().Set("robotstxtAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(engine.Answer([]byte(args[0].String()), args[1].String()))
	}))
	select {}
}
