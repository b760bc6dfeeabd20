package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// key is an entry of a legend. A plotter's thumbnail is its mark.
type key struct {
	label string
	width vg.Length // of the mark
	mark  plot.Thumbnailer
}

// thumb is a thumbnail drawn by a function.
type thumb func(c *draw.Canvas)

func (t thumb) Thumbnail(c *draw.Canvas) { t(c) }

func lineKey(label string, line draw.LineStyle) key {
	return key{label, 20, &plotter.Line{LineStyle: line}}
}

func bandKey(label string, c tone) key {
	return key{label, 20, &plotter.Polygon{Color: faded(c, bandOpacity)}}
}

// legend writes keys in rows above the plot, where they cover no data, and returns the Y below
// them. (gonum's legend is a list over the data.)
func (d *Drawing) legend(keys []key, y vg.Length) vg.Length {
	if len(keys) == 0 {
		return y
	}
	const gap, line = 18, 17
	x := margin
	y -= line
	for _, k := range keys {
		indent := k.width + 6
		label := shorten(k.label, sizeText, false, d.w-2*margin-indent)
		w := indent + textWidth(label, sizeText, false)
		if x > margin && x+w > d.w-margin {
			x, y = margin, y-line
		}
		k.mark.Thumbnail(&draw.Canvas{Canvas: d, Rectangle: box(x, y-1, x+k.width, y+9)})
		d.write(label, vg.Point{X: x + indent, Y: y}, left, inkSoft, sizeText, false)
		x += w + gap
	}
	return y - 10
}

// labelsOrKeys keeps labels beside the panel if they leave it enough room; otherwise, as on a
// phone, it turns them into entries of the legend.
func (d *Drawing) labelsOrKeys(keys []key, list ends) ([]key, ends) {
	crowded := vg.Length(len(list))*endPitch > d.layout.panelHeight()
	if list.room() <= 0.26*d.w && !crowded {
		return keys, list
	}
	var short ends
	for _, e := range list {
		if (ends{e}).room() <= 0.15*d.w && !crowded {
			short = append(short, e)
			continue
		}
		keys = append(keys, lineKey(e.label, e.line))
	}
	return keys, short
}
