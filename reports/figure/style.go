package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Type sizes in CSS pixels.
const (
	sizeTitle vg.Length = 16
	sizeText  vg.Length = 12
	sizeTick  vg.Length = 11
	leading             = 1.3 // line height in units of the type size
)

// margin is the free space at all four edges of a figure.
const margin vg.Length = 12

// tone is a colour in both schemes; as a color.Color it is the light one. A tone with a name
// follows the reader's scheme. A tone without a name is the same in both, as the cells of a
// heat map are.
type tone struct {
	name        string // of its class and its CSS variable
	light, dark color.NRGBA
}

func (t tone) RGBA() (r, g, b, a uint32) { return t.light.RGBA() }

// toneOf returns the tone of a colour: charts give gonum's plotters only tones.
func toneOf(c color.Color) tone {
	t, _ := c.(tone)
	return t
}

// pen returns the style of a line. dashes are lengths on and off; without dashes the line is
// solid.
func pen(c tone, width vg.Length, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width, Dashes: dashes}
}

func named(name string, light, dark uint32) tone { return tone{name, rgb(light), rgb(dark)} }

func fixedTone(c color.NRGBA) tone { return tone{"", c, c} }

// Ink and paper. On paper, letters have a contrast of at least 4.5, lines and dots that carry
// data one of at least 3 (WCAG 2, level AA); a test checks it.
var (
	paper   = named("paper", 0xFFFFFF, 0x14181D)
	ink     = named("ink", 0x1F2933, 0xE6EAEE)  // titles, values
	inkSoft = named("soft", 0x52606D, 0xA9B4C0) // subtitles, ticks
	inkPale = named("pale", 0x87929E, 0x76828F) // axes, reference lines
	gridInk = named("grid", 0xE4E7EB, 0x2C343D)
	noValue = named("none", 0xECEFF2, 0x262D35) // cells without a value
	warmInk = named("warm", 0xA63F00, 0xFF9C66) // text in the accent's hue, bright or dark enough to read
)

// palette holds the colours of series: Okabe and Ito, "Color Universal Design" (2008), without
// its yellow, which is too pale for lines on white; orange and sky are a little darker for the
// same reason. On dark paper the same hues are lighter.
var palette = []tone{
	named("blue", 0x0072B2, 0x4AA3E0),
	named("vermilion", 0xD55E00, 0xF2803A),
	named("green", 0x009E73, 0x2FBF93),
	named("purple", 0xCC79A7, 0xDD93BD),
	named("orange", 0xC98500, 0xE6A520),
	named("sky", 0x3A9AD0, 0x9AD6FF),
	named("black", 0x000000, 0xFFFFFF),
}

// textTones are the tones of the palette for text, with the contrast of [ink].
var textTones = []tone{
	palette[0],
	warmInk,
	named("green-text", 0x006E50, 0x2FBF93),
	named("purple-text", 0x99407A, 0xDD93BD),
	named("orange-text", 0x855700, 0xE6A520),
	named("sky-text", 0x1B6A97, 0x9AD6FF),
	palette[6],
}

// lettering returns the tone for the name of a line, given the colour of the line.
func lettering(c color.Color) tone {
	if i := slices.Index(palette, toneOf(c)); i >= 0 {
		return textTones[i]
	}
	return inkSoft
}

// Main and accent colours of figures with one series.
var (
	blue      = palette[0]
	vermilion = palette[1]
)

// Numbers on a fill that is light in one scheme and dark in the other.
var (
	onLight = named("on-light", 0x000000, 0xFFFFFF)
	onDark  = named("on-dark", 0xFFFFFF, 0x000000)
)

// tones returns all tones with names, each once, in the order of the style.
func tones() []tone {
	return slices.Concat([]tone{paper, ink, inkSoft, inkPale, gridInk, noValue, warmInk},
		palette, textTones[2:6], []tone{onLight, onDark})
}

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

// faded returns t with the given opacity.
func faded(t tone, opacity float64) tone {
	a := uint8(math.Round(255 * opacity))
	t.light.A, t.dark.A = a, a
	return t
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

// inkOn returns the one of black and white that has the higher contrast on t: at least 4.5 on
// every colour.
func inkOn(t tone) tone {
	black := [2]bool{blackOn(t.light), blackOn(t.dark)}
	switch black {
	case [2]bool{true, true}:
		return fixedTone(rgb(0x000000))
	case [2]bool{false, false}:
		return fixedTone(rgb(0xFFFFFF))
	case [2]bool{true, false}:
		return onLight
	}
	return onDark
}

func blackOn(c color.NRGBA) bool {
	black, white := rgb(0x000000), rgb(0xFFFFFF)
	return contrast(black, c) >= contrast(white, c)
}

// contrast returns the contrast of two opaque colours, from 1 to 21 (WCAG 2).
func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a)+0.05, luminance(b)+0.05
	return max(x, y) / min(x, y)
}

// luminance is the relative luminance of WCAG 2, from 0 to 1.
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return float64(0.2126*linear(c.R)) + float64(0.7152*linear(c.G)) + float64(0.0722*linear(c.B))
}
