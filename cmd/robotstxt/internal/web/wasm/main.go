//go:build js && wasm

// Command wasm is the engine of the page as WebAssembly. It defines the JavaScript function
// robotstxtAnswer, whose arguments are a request in JSON and the value of the member "text".
// The function returns the answer in JSON. The command never ends, so that the function can be
// called at any time.
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
