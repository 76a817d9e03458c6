//go:build js && wasm

// Command wasm is the engine of the page as WebAssembly. It defines the JavaScript function
// robotstxtAnswer(request, text), which calls engine.Answer. The command never exits, because
// the function works only while the command is running.
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
