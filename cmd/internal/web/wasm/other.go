//go:build !(js && wasm)

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this program runs in a web page: selfplay serve --static DIR compiles it for one")
	os.Exit(1)
}
