package figure

import (
	"strings"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
)

// fontFamily names fonts whose letters are exactly as wide as Liberation
// Sans', by which everything is laid out.
const fontFamily = "'Liberation Sans',Arial,Helvetica,Arimo,sans-serif"

// faces parses the two fonts in use once. The bytes are compiled in, so that a
// failure is a broken build.
var faces = sync.OnceValue(func() [2]*opentype.Font {
	var out [2]*opentype.Font
	for i, ttf := range [2][]byte{liberationsansregular.TTF, liberationsansbold.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic("figure: compiled-in font: " + err.Error())
		}
		out[i] = f
	}
	return out
})

// textWidth returns how wide s is set, in CSS pixels. Letters of East Asia,
// which the font lacks and a browser takes from another, count as squares.
func textWidth(s string, size float64, bold bool) float64 {
	weight, squares := 0, 0
	if bold {
		weight = 1
	}
	f := font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: font.Length(size)}, Face: faces()[weight]}
	known := strings.Map(func(r rune) rune {
		if r >= 0x2E80 && r < 0xE000 || r >= 0xF900 && r <= 0xFFEF || r >= 0x1F000 {
			squares++
			return -1
		}
		return r
	}, Printable(s))
	return float64(f.Width(known)) + float64(squares)*size
}
