package board

import (
	"fmt"
	"io"
	"maps"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Options select the form of a drawing. The zero value is a complete document as wide as its
// container, light or dark as the reader prefers.
type Options struct {
	// Bare leaves out the style sheet and the XML namespace, for an element of a page that has
	// CSS. Without a style sheet the colours are light.
	Bare bool
	// Targets puts a transparent target of class b-target over every place, for clicks, with
	// the place's name as data-name.
	Targets bool
}

// Sizes, in units of the distance between places unless stated otherwise.
const (
	unit = 40.0 // pixels of the drawing

	pieceSize = 0.42 // radius of a stone or disc
	pawnSize  = 0.31 // radius of a pawn on a square
	manSize   = 0.36 // radius of a man on a Network
	roomSize  = 0.43 // half a room, which leaves space for walls
	wallWidth = 0.13

	// typeSize is the size of letters in units of the board's width: nine pixels on 240.
	typeSize = 0.042
)

// pen draws one board.
type pen struct {
	strings.Builder
	b *Board

	left, top     float64 // coordinates of place (0, 0)
	width, height float64 // size of the drawing
	size          float64 // size of letters
}

// SVG writes the board as an SVG document, or as an element of a page. Equal boards and options
// give equal bytes, without script, link or identifier. It returns the error of w.
func (b Board) SVG(w io.Writer, o Options) error {
	p := &pen{b: &b}
	p.measure()
	p.open(o)
	p.rect(0.75, 0.75, p.width-1.5, p.height-1.5, 0.6*p.size, p.both("plate", "border", 1.5)) // the plate below everything
	p.ground()
	p.labels()
	p.walls()
	p.pieces()
	p.rows()
	p.last()
	p.footer()
	if o.Targets {
		p.targets()
	}
	p.WriteString("</svg>\n")
	_, err := io.WriteString(w, p.String())
	return err
}

// measure computes the layout: a margin, room for labels
// left of and below the board, and a line for the players.
func (p *pen) measure() {
	b := p.b
	wide := float64(float64(max(b.Width, 1)) * unit)
	high := float64(float64(max(b.Height, 1)) * unit)
	p.size = float64(typeSize * max(wide, high))
	margin := 0.6 * p.size
	p.left, p.top = margin, margin
	if b.Ranks != nil {
		p.left += float64(1.5 * p.size)
	}
	p.width = p.left + wide + margin
	if b.Ranks != nil {
		p.width += float64(0.7 * p.size) // symmetric margins
	}
	p.height = p.top + high + float64(2.9*p.size)
	if b.Files != nil {
		p.height += float64(1.1 * p.size)
	}
	p.left += unit / 2
	p.top += unit / 2
}

// x converts a horizontal coordinate of the board to the drawing's.
func (p *pen) x(x float64) float64 { return p.left + float64(x*unit) }

// y converts a vertical coordinate of the board to the drawing's.
func (p *pen) y(y float64) float64 { return p.top + float64(y*unit) }

// spot returns the coordinates of a place in the drawing.
func (p *pen) spot(at At) (x, y float64) { return p.x(float64(at.X)), p.y(float64(at.Y)) }

// open writes the head of the drawing, with its title.
func (p *pen) open(o Options) {
	p.WriteString(`<svg class="board"`)
	if !o.Bare {
		p.WriteString(` xmlns="http://www.w3.org/2000/svg"`)
	}
	title := escape(p.b.Sentence())
	p.printf(` viewBox="0 0 %s %s" role="img" aria-label="%s" font-family="'Liberation Sans', Arial, Helvetica, sans-serif" font-size="%s">`+"\n<title>%s</title>\n",
		num(p.width), num(p.height), title, num(p.size), title)
	if !o.Bare {
		p.printf("<style>\n%s</style>\n", CSS())
	}
}

// Sentence returns the title of a drawing, for people who do not see it:
// the board's title, the side to move or the result, and the last move.
func (b Board) Sentence() string {
	parts := []string{b.Title}
	if b.Outcome != "" {
		parts = append(parts, strings.TrimSuffix(b.Outcome+" by "+b.Reason, " by "))
	} else {
		parts = append(parts, b.Sides[b.Turn&1].Name+" to move")
	}
	if b.Last != nil {
		parts = append(parts, "last move "+b.Last.Text)
	}
	return strings.Join(parts, ", ")
}

// printf writes formatted text.
func (p *pen) printf(format string, args ...any) { fmt.Fprintf(&p.Builder, format, args...) }

// fill returns the attributes of a filled shape, with the colour as class and as attribute.
func (p *pen) fill(name string) string {
	return fmt.Sprintf(`class="b-f-%s" fill="%s"`, name, paint(name))
}

// stroke returns the attributes of a line.
func (p *pen) stroke(name string, width float64) string {
	return fmt.Sprintf(`class="b-s-%s" stroke="%s" stroke-width="%s" fill="none"`, name, paint(name), num(width))
}

// both returns the attributes of a filled shape with a rim.
func (p *pen) both(fill, rim string, width float64) string {
	return fmt.Sprintf(`class="b-f-%s b-s-%s" fill="%s" stroke="%s" stroke-width="%s"`,
		fill, rim, paint(fill), paint(rim), num(width))
}

// rect draws a rectangle with rounded corners. paint contains its attributes.
func (p *pen) rect(x, y, w, h, round float64, paint string) {
	p.printf(`<rect x="%s" y="%s" width="%s" height="%s" rx="%s" %s/>`+"\n", num(x), num(y), num(w), num(h), num(round), paint)
}

// circle draws a circle around (x, y).
func (p *pen) circle(x, y, r float64, paint string) {
	p.printf(`<circle cx="%s" cy="%s" r="%s" %s/>`+"\n", num(x), num(y), num(r), paint)
}

// line draws a line between two places.
func (p *pen) line(l Line, paint string) {
	x1, y1 := p.spot(l.From)
	x2, y2 := p.spot(l.To)
	p.printf(`<path d="M%s %sL%s %s" stroke-linecap="round" %s/>`+"\n", num(x1), num(y1), num(x2), num(y2), paint)
}

// cross draws a diagonal cross around (x, y).
func (p *pen) cross(x, y, r float64, paint string) {
	p.printf(`<path d="M%s %sL%s %sM%s %sL%s %s" stroke-linecap="round" %s/>`+"\n",
		num(x-r), num(y-r), num(x+r), num(y+r), num(x-r), num(y+r), num(x+r), num(y-r), paint)
}

// ground draws the parts of the board that do not change during a game.
func (p *pen) ground() {
	switch p.b.Kind {
	case Squares:
		p.squares(0.485, 0)
	case Checkered:
		p.squares(0.5, 0)
	case Rooms:
		p.squares(roomSize, 0.06)
	case Rack:
		for _, place := range p.b.Places {
			x, y := p.spot(place.At)
			p.circle(x, y, pieceSize*unit, p.both("hole", "rim", 1.2))
		}
	case Lattice:
		p.lattice()
	case Network:
		p.edges()
	}
	for _, m := range p.b.Marks {
		p.mark(m)
	}
}

// squares draws a square of half width half at every place.
func (p *pen) squares(half, round float64) {
	for _, place := range p.b.Places {
		x, y := p.spot(place.At)
		p.rect(x-float64(half*unit), y-float64(half*unit), 2*half*unit, 2*half*unit, round*unit, p.fill(p.ofSquare(place.At)))
	}
}

// ofSquare returns the name of a square's colour.
func (p *pen) ofSquare(at At) string {
	if p.b.Kind == Checkered && (at.X+p.b.Height-1-at.Y)%2 == 0 {
		return "dark-square"
	}
	return "square"
}

// lattice draws the crossing lines of a Lattice.
func (p *pen) lattice() {
	p.printf("<g %s>\n", p.stroke("line", 1.1))
	right, bottom := float64(p.b.Width-1), float64(p.b.Height-1)
	for y := range p.b.Height {
		p.printf(`<path d="M%s %sH%s"/>`, num(p.x(0)), num(p.y(float64(y))), num(p.x(right)))
	}
	for x := range p.b.Width {
		p.printf(`<path d="M%s %sV%s"/>`, num(p.x(float64(x))), num(p.y(0)), num(p.y(bottom)))
	}
	p.printf("\n"+`<rect x="%s" y="%s" width="%s" height="%s" stroke-width="2"/>`+"\n</g>\n",
		num(p.x(0)), num(p.y(0)), num(right*unit), num(bottom*unit))
}

// edges draws the lines of a Network.
func (p *pen) edges() {
	for _, l := range p.b.Lines {
		if l.Kind != Row {
			paint := p.stroke("line", 1.8)
			if l.Kind == Banned {
				paint = p.stroke("last", 2) + ` stroke-dasharray="1 6"`
			}
			p.line(l, paint)
		}
	}
	for _, place := range p.b.Places {
		x, y := p.spot(place.At)
		p.circle(x, y, 0.085*unit, p.fill("line"))
	}
}

// mark draws a mark.
func (p *pen) mark(m Mark) {
	x, y := p.spot(m.At)
	switch m.Kind {
	case Forbidden:
		if p.b.Kind == Rack {
			p.circle(x, y, pieceSize*unit, p.both("plate", "rim", 1.2))
		} else {
			p.circle(x, y, 0.22*unit, p.fill("plate"))
		}
		p.cross(x, y, 0.15*unit, p.stroke("line", 2.4))
	case Goal:
		half := float64(roomSize * unit)
		p.rect(x-half, y-half, 2*half, 2*half, 0.06*unit, p.fill(p.tone(m.Side))+` fill-opacity="0.16"`)
	case Star:
		p.circle(x, y, 0.11*unit, p.fill("line"))
	case Check:
		p.rect(x-0.5*unit, y-0.5*unit, unit, unit, 0, p.fill("last"))
	}
}

// tone returns the name of the colour of a side's pieces.
func (p *pen) tone(side int) string {
	if t := p.b.Sides[side&1].Tone; t == White || t == Red || t == Blue {
		return string(t)
	}
	return string(Black)
}

// labels writes the labels of files and ranks.
func (p *pen) labels() {
	b := p.b
	p.printf("<g %s>\n", p.fill("label"))
	edge := 0.5 * unit
	for x := range b.Files {
		p.text(p.x(float64(x)), p.y(float64(b.Height-1))+edge+float64(0.95*p.size), "middle", b.Files[x])
	}
	for y := range b.Ranks {
		p.text(p.x(0)-edge-float64(0.35*p.size), p.y(float64(y))+float64(0.35*p.size), "end", b.Ranks[y])
	}
	p.WriteString("</g>\n")
}

// text writes a text; anchor is its alignment at x.
func (p *pen) text(x, y float64, anchor, s string) {
	p.printf(`<text x="%s" y="%s" text-anchor="%s">%s</text>`+"\n", num(x), num(y), anchor, escape(s))
}

// walls draws all walls, the last move's in its colour.
func (p *pen) walls() {
	for _, w := range p.b.Walls {
		name := "wall"
		if last := p.b.Last; last != nil && last.Wall != nil && *last.Wall == w {
			name = "last"
		}
		p.wall(w, name)
	}
}

// wall draws a wall slightly shorter, so that neighbouring walls look like two.
func (p *pen) wall(w Wall, name string) {
	const gap = 0.07 * unit
	half := wallWidth * unit / 2
	x1, x2 := p.x(min(w.X1, w.X2)), p.x(max(w.X1, w.X2))
	y1, y2 := p.y(min(w.Y1, w.Y2)), p.y(max(w.Y1, w.Y2))
	if y1 == y2 {
		x1 = x1 + gap
		x2 = x2 - gap
		y1 = y1 - half
		y2 = y2 + half
	} else {
		x1 = x1 - half
		x2 = x2 + half
		y1 = y1 + gap
		y2 = y2 - gap
	}
	p.rect(x1, y1, x2-x1, y2-y1, half, p.fill(name))
}

// radius returns the radius of pieces.
func (p *pen) radius() float64 {
	switch p.b.Kind {
	case Rooms:
		return pawnSize * unit
	case Network:
		return manSize * unit
	}
	return pieceSize * unit
}

// pieces draws all pieces.
func (p *pen) pieces() {
	for _, piece := range p.b.Pieces {
		x, y := p.spot(piece.At)
		p.printf(`<g data-side="%d">`, piece.Side)
		if shape, ok := figures[strings.ToUpper(piece.Letter)]; ok {
			p.figure(x, y, shape, piece.Side)
		} else {
			p.piece(x, y, p.radius(), piece.Side)
		}
		p.WriteString("</g>\n")
	}
}

// Figures returns the outlines of the pieces of chess around the middle of a square, by letter, as
// the data of an SVG path.
func Figures() map[string]string { return maps.Clone(figures) }

var figures = map[string]string{
	"P": "M-9 13V9.5H-6L-3.2 0A5 5 0 1 1 3.2 0L6 9.5H9V13Z",
	"R": "M-10 13V9.5H-7L-5.5-4H-9V-12H-5V-9H-2V-12H2V-9H5V-12H9V-4H5.5L7 9.5H10V13Z",
	"N": "M-8 13V9.5H-6C-6 4-1 3-1 0C-4 0-6 2-9 3L-11 0C-9-5-6-9-1-10L0-13L3-10C9-8 9 2 7 9.5H9V13Z",
	"B": "M-9 13V9.5H-5L-3 3C-8 0-6-8 0-13C6-8 8 0 3 3L5 9.5H9V13Z",
	"Q": "M-10 13V9.5H-7L-11-8L-5-2L-4-11L0-3L4-11L5-2L11-8L7 9.5H10V13Z",
	"K": "M-10 13V9.5H-7C-14 0-8-7-1.5-4V-7H-4.5V-10H-1.5V-13H1.5V-10H4.5V-7H1.5V-4C8-7 14 0 7 9.5H10V13Z",
}

// figure draws a piece of chess by its outline.
func (p *pen) figure(x, y float64, shape string, side int) {
	tone := p.tone(side)
	p.printf(`<path d="%s" transform="translate(%s %s)" stroke-linejoin="round" %s/>`, shape, num(x), num(y), p.both(tone, tone+"-rim", 1.4))
}

// piece draws a disc of radius r.
func (p *pen) piece(x, y, r float64, side int) {
	tone := p.tone(side)
	rim := max(0.07*r, 0.8)
	p.circle(x, y, r-rim/2, p.both(tone, tone+"-rim", rim))
}

// over returns the colour of a mark on the piece at a place, or on the board.
func (p *pen) over(at At) string {
	if piece, ok := p.b.PieceAt(at); ok {
		if t := p.tone(piece.Side); t == string(Red) || t == string(Blue) {
			return "on-colour"
		}
	}
	return "last"
}

// rows draws complete rows across their pieces.
func (p *pen) rows() {
	for _, l := range p.b.Lines {
		if l.Kind == Row {
			p.line(l, p.stroke(p.over(l.From), 0.1*unit)+` stroke-opacity="0.9"`)
		}
	}
}

// last marks the origin, target and captures of the last move.
func (p *pen) last() {
	m := p.b.Last
	if m == nil {
		return
	}
	r := p.radius()
	p.WriteString("<g data-last=\"1\">\n")
	if p.b.Kind == Checkered {
		p.frames(m)
		p.WriteString("</g>\n")
		return
	}
	if m.From != nil {
		x, y := p.spot(*m.From)
		p.circle(x, y, 0.55*r, p.stroke("last", 2.2)+` stroke-dasharray="4 3"`)
	}
	for _, at := range m.Taken {
		x, y := p.spot(at)
		p.cross(x, y, 0.45*r, p.stroke(p.over(at), 3.4))
	}
	if m.To != nil {
		x, y := p.spot(*m.To)
		p.circle(x, y, 0.34*r, p.fill(p.over(*m.To)))
	}
	p.WriteString("</g>\n")
}

// frames draws squares around the origin and target of
// the last move, because a dot would hide the figure.
func (p *pen) frames(m *Move) {
	for _, at := range []*At{m.From, m.To} {
		if at != nil {
			x, y := p.spot(*at)
			p.rect(x-0.46*unit, y-0.46*unit, 0.92*unit, 0.92*unit, 0.04*unit, p.stroke("last", 2.2))
		}
	}
}

// footer writes each player's name and pieces in hand, in half of the line below the board.
// A pill marks the side to move, or the winner.
func (p *pen) footer() {
	y := p.height - float64(1.35*p.size)
	margin := 0.6 * p.size
	half := (p.width - float64(3*margin)) / 2
	for side := range p.b.Sides {
		x := margin + float64(float64(side)*(half+margin))
		if p.marked(side) {
			p.rect(x, y-float64(0.85*p.size), half, 1.7*p.size, 0.85*p.size, p.both("pill", "border", 1))
		}
		p.piece(x+float64(0.85*p.size), y, 0.5*p.size, side)
		p.printf("<g %s>", p.fill("label"))
		p.text(x+float64(1.65*p.size), y+float64(0.35*p.size), "start", p.footerText(side, half-float64(2*p.size)))
		p.WriteString("</g>\n")
	}
}

// marked reports whether a side is to move, has won or has drawn.
func (p *pen) marked(side int) bool {
	switch p.b.Outcome {
	case "":
		return side == p.b.Turn
	case "1-0":
		return side == 0
	case "0-1":
		return side == 1
	}
	return true
}

// footerText returns a side's half of the footer: name, pieces in hand and state, cut to fit.
func (p *pen) footerText(side int, room float64) string {
	state := ""
	switch {
	case !p.marked(side):
	case p.b.Outcome == "":
		state = " to move"
	case p.b.Outcome == "1/2":
		state = " draw"
	default:
		state = " wins"
	}
	name, hand := p.b.Sides[side].Name, ""
	for _, c := range p.b.Counters {
		if c.Side == side {
			hand += fmt.Sprintf(" · %d %s", c.Value, c.Name)
		}
	}
	for _, text := range []string{name + state + hand, name + hand} {
		if float64(float64(len([]rune(text)))*0.53*p.size) <= room {
			return text
		}
	}
	return name
}

// targets draws the transparent targets of Options.Targets.
func (p *pen) targets() {
	for _, place := range p.b.Places {
		x, y := p.spot(place.At)
		p.printf(`<rect class="b-target" data-name="%s" x="%s" y="%s" width="%s" height="%s" fill="transparent"/>`+"\n",
			escape(place.Name), num(x-unit/2), num(y-unit/2), num(unit), num(unit))
	}
}

// num returns a number with at most two decimals.
func num(v float64) string {
	if v = math.Round(v*100) / 100; v == 0 {
		return "0" // also for -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// escapes replaces the characters of text that have a meaning in XML.
var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// escape returns text in a form that is safe inside elements and attributes. Characters that
// XML does not allow become the replacement character.
func escape(text string) string {
	return escapes.Replace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r
	}, text))
}
