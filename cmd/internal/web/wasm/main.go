//go:build js && wasm

// Command wasm is the table compiled for a page without a server: it answers
// questions of a Web Worker until that is ended.
package main

import (
	"context"
	"syscall/js"

	"selfplaylab/cmd/internal/web/table"
)

func main() {
	js.Global().Set("selfplayAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(table.Answer(context.Background(), []byte(args[0].String())))
	}))
	select {}
}
