package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// defaultWidth is the number of columns without a terminal.
const defaultWidth = 80

// Width returns how many columns a line printed on out may have.
func Width(out io.Writer) int {
	if o, ok := out.(*output); ok {
		out = o.to
	}
	if f, ok := out.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return max(width, defaultWidth/2)
		}
	}
	return defaultWidth
}
