package gametest

import (
	"fmt"
	"runtime/debug"
)

// guard runs f and makes an error of a panic.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}
