package reports

import (
	"image/color"
	"math"
)

// Type sizes in CSS pixels.
const (
	sizeTitle = 16.0
	sizeText  = 12.0
	sizeTick  = 11.0
	leading   = 1.3 // line height in units of the type size
)

// margin is kept free at all four edges of a figure.
const margin = 12.0

// Ink and paper.
var (
	white   = rgb(0xFFFFFF)
	ink     = rgb(0x1F2933) // titles, values
	inkSoft = rgb(0x52606D) // subtitles, ticks
	inkPale = rgb(0x9AA5B1) // axes, reference lines
	gridInk = rgb(0xE4E7EB)
	warmInk = rgb(0xA63F00) // text in the accent's hue, dark enough to read
)

// Palette for series: Okabe and Ito, "Color Universal Design" (2008), without
// its yellow, which is too pale for lines on white.
var palette = []color.NRGBA{
	rgb(0x0072B2), // blue
	rgb(0xD55E00), // vermilion
	rgb(0x009E73), // green
	rgb(0xCC79A7), // purple
	rgb(0xE69F00), // orange
	rgb(0x56B4E9), // sky
	rgb(0x000000), // black
}

// Main and accent colours of figures with one series.
var (
	blue      = palette[0]
	vermilion = palette[1]
)

// viridis is sampled from matplotlib's map of that name (S. van der Walt and
// N. Smith, 2015) at even distances from 0 to 1.
var viridis = []color.NRGBA{
	rgb(0x440154), rgb(0x482475), rgb(0x414487), rgb(0x355F8D), rgb(0x2A788E),
	rgb(0x21918C), rgb(0x22A884), rgb(0x44BF70), rgb(0x7AD151), rgb(0xBDDF26), rgb(0xFDE725),
}

// diverging runs from vermilion through near white to blue: the two ends differ
// in hue for every common kind of colour blindness.
var diverging = []color.NRGBA{
	rgb(0xB35806), rgb(0xE08214), rgb(0xFDB863), rgb(0xFEE0B6), rgb(0xF7F7F7),
	rgb(0xD1E5F0), rgb(0x92C5DE), rgb(0x4393C3), rgb(0x2166AC),
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xFF}
}

// faded returns c with the given opacity.
func faded(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(math.Round(255 * opacity))
	return c
}

// ramp interpolates stops at t in [0, 1]; outside it takes the nearest end.
func ramp(stops []color.NRGBA, t float64) color.NRGBA {
	at := min(max(t, 0), 1) * float64(len(stops)-1)
	i := min(int(at), len(stops)-2)
	f := at - float64(i)
	mix := func(a, b uint8) uint8 {
		return uint8(math.Round(float64(a) + float64(f*(float64(b)-float64(a)))))
	}
	a, b := stops[i], stops[i+1]
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 0xFF}
}

// inkOn returns white or black, whichever has the higher contrast on c: at
// least 4.5 on every colour (relative luminance and contrast as in WCAG 2).
func inkOn(c color.NRGBA) color.NRGBA {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	l := float64(0.2126*linear(c.R)) + float64(0.7152*linear(c.G)) + float64(0.0722*linear(c.B))
	if 1.05/(l+0.05) > (l+0.05)/0.05 {
		return white
	}
	return rgb(0x000000)
}
