//go:build js && wasm

// Command wasm is the engine of the page as WebAssembly. It defines the JavaScript function
// robotstxtAnswer, which has two arguments: a request in JSON, and the request's member "text"
// as it is. It returns the answer in JSON. Then the command waits for calls.
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
