package cluster

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// errHalf says that an answer is cut short or no answer at all.
var errHalf = errors.New("the answer is cut short or is none")

// encode writes a pair for the wire: a tenth of the bytes and of the time of JSON
// would not change what is played, but half of a coordinator's work is reading
// answers. Equal pairs are equal bytes. What a clock measured comes last, from
// the returned place on, so that the rest can be compared.
func encode(b []byte, p *play.Pair) (data []byte, clock int) {
	w := writer{b}
	w.int(int64(p.Number))
	w.int(p.Compared)
	w.bool(p.Differs)
	for i := range p.Games {
		w.game(&p.Games[i])
	}
	clock = len(w.b)
	for i := range p.Games {
		for _, n := range p.Games[i].Notes {
			w.int(int64(n.Elapsed))
		}
		w.text(p.Games[i].Detail) // may tell a duration
	}
	return w.b, clock
}

// writer appends values.
type writer struct{ b []byte }

func (w *writer) int(x int64)   { w.b = binary.AppendVarint(w.b, x) }
func (w *writer) uint(x uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, x) }

func (w *writer) bool(x bool) {
	if x {
		w.b = append(w.b, 1)
		return
	}
	w.b = append(w.b, 0)
}

func (w *writer) text(s string) {
	w.int(int64(len(s)))
	w.b = append(w.b, s...)
}

func (w *writer) game(g *play.Game) {
	w.text(g.Position)
	w.int(int64(g.Opening))
	w.text(g.Moves)
	w.int(int64(g.Plies))
	w.int(int64(g.Outcome))
	w.text(string(g.Reason))
	for i := range 2 {
		w.int(int64(g.Illegal[i]))
		w.int(g.Nodes[i])
	}
	w.int(g.Chosen)
	for _, x := range []*float64{g.Margin, g.ValueA, g.ValueB} {
		w.bool(x != nil)
		if x != nil {
			w.uint(math.Float64bits(*x))
		}
	}
	w.int(int64(len(g.Notes)))
	for i := range g.Notes {
		n := &g.Notes[i]
		w.int(int64(n.Ply))
		w.int(int64(n.Side))
		w.uint(n.Key)
		w.uint(math.Float64bits(float64(n.Score)))
		w.int(n.Nodes)
		w.int(int64(n.Depth))
		w.int(int64(n.Mate))
	}
}

// decode reads a pair that encode wrote and returns what follows it, with the
// digest of all but what a clock measured.
func decode(b []byte) (p play.Pair, digest uint64, rest []byte, err error) {
	r := reader{b: b}
	p.Number = int(r.int())
	p.Compared = r.int()
	p.Differs = r.bool()
	for i := range p.Games {
		r.game(&p.Games[i])
	}
	if r.bad {
		return p, 0, nil, errHalf
	}
	h := fnv.New64a()
	h.Write(b[:len(b)-len(r.b)])
	for i := range p.Games {
		g := &p.Games[i]
		for k := range g.Notes {
			g.Notes[k].Elapsed = time.Duration(r.int())
		}
		g.Detail = r.text()
	}
	if r.bad {
		return p, 0, nil, errHalf
	}
	return p, h.Sum64(), r.b, nil
}

// reader takes values off the front; bad is set once something is missing.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) int() int64 {
	x, n := binary.Varint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return x
}

func (r *reader) uint() uint64 {
	if len(r.b) < 8 {
		r.bad, r.b = true, nil
		return 0
	}
	x := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return x
}

func (r *reader) bool() bool {
	if len(r.b) == 0 || r.b[0] > 1 {
		r.bad, r.b = true, nil
		return false
	}
	x := r.b[0] == 1
	r.b = r.b[1:]
	return x
}

func (r *reader) text() string {
	n := r.int()
	if n < 0 || n > int64(len(r.b)) {
		r.bad, r.b = true, nil
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) game(g *play.Game) {
	g.Position = r.text()
	g.Opening = int(r.int())
	g.Moves = r.text()
	g.Plies = int(r.int())
	outcome := r.int()
	if outcome <= int64(engines.Ongoing) || outcome > int64(engines.Draw) {
		r.bad = true // a game that has not ended
	}
	g.Outcome = engines.Outcome(outcome)
	g.Reason = engines.Reason(r.text())
	for i := range 2 {
		g.Illegal[i] = int(r.int())
		g.Nodes[i] = r.int()
	}
	g.Chosen = r.int()
	for _, x := range []**float64{&g.Margin, &g.ValueA, &g.ValueB} {
		if r.bool() {
			*x = new(math.Float64frombits(r.uint()))
		}
	}
	n := r.int()
	if n < 0 || n > int64(len(r.b))/20 { // a note has at least 21 bytes
		r.bad = r.bad || n != 0
		return
	}
	if n > 0 {
		g.Notes = make([]play.Note, n)
	}
	for i := range g.Notes {
		d := &g.Notes[i]
		d.Ply = int(r.int())
		d.Side = engines.Side(r.int() & 1)
		d.Key = r.uint()
		d.Score = play.Score(math.Float64frombits(r.uint()))
		d.Nodes = r.int()
		d.Depth = int(r.int())
		d.Mate = int(r.int())
	}
}
