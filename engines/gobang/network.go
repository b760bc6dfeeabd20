package gobang

import (
	_ "embed"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"

	"selfplaylab/engines"
)

// The network values a position for the side to move. Each free cell on which a stone
// would make an open two at least has eight numbers for each side, its channels: those of
// what a stone there makes on each of its four lines, added up and cut off below 0 and above
// channelCap. Their sums over all cells are kept up as stones come and go. A hidden layer
// makes the logarithm of the odds from these sums and from the classes that both sides have.
//
// It learned the results and the searches' scores of grandmaster's games against itself.
// This makes it again, to the byte (network_test.go says how):
//
//	selfplay match --game gobang --a grandmaster@nodes=1000 --b grandmaster@nodes=1300 --pairs 9000 --seed 21 \
//	  --record-moves on --out eight
//	selfplay match --game gobang --a grandmaster@nodes=1000 --b grandmaster@nodes=1300 --pairs 4288 --seed 22 --opening-plies 5 \
//	  --record-moves on --out five
//	LEARN="$PWD/eight $PWD/five" go test ./engines/gobang -run TestNetworkLearned -v -timeout 1h
//
//go:embed network.txt
var networkText string

const (
	channels = 8
	hidden   = 16
	inputs   = 2*channels + classFlags

	// Inputs after the channels of both sides: what the side to move has, and the other.
	classFlags = 2 * (straightFour - quiet)

	cellUnit   = 64  // of a channel that is 1
	weightUnit = 256 // of a weight that is 1
	sumUnit    = 640 // of an input to the hidden layer that is 1
	channelCap = 127 // 1 less than a power of two, and for all cells of the largest board below 2^16
)

// network holds the weights, in whole numbers.
type network struct {
	lines  [256][channels]int32 // by what a stone makes on a line, the other side's in the high four bits
	start  [channels]int32
	hidden [inputs]pairs // by input
	bias   pairs
	out    [hidden]int32
	direct [inputs]int32 // from inputs to the value without the hidden layer
	level  [1]int32

	packed      [256]lanes // lines, by both sides, above lineBias
	packedStart lanes
}

// pairs are numbers of the hidden layer, two in a word: sums of products stay below 2^31,
// so that those of the low half only borrow from the high.
type pairs [hidden / 2]int64

// networkWeights are what was learned.
var networkWeights = sync.OnceValue(func() *network {
	n, err := parseNetwork(networkText)
	if err != nil {
		panic(fmt.Sprintf("gobang/network.txt: %v", err))
	}
	return n
})

// rows visits the rows of weights in the order of the text.
func (n *network) rows(visit func(row []int32)) {
	for own := range made {
		for foe := range made {
			visit(n.lines[own|foe<<4][:])
		}
	}
	visit(n.start[:])
	for i := range n.hidden {
		n.hidden[i] = n.hidden[i].with(visit)
	}
	n.bias = n.bias.with(visit)
	visit(n.out[:])
	visit(n.direct[:])
	visit(n.level[:])
}

// with returns pairs of which visit changed the numbers.
func (p pairs) with(visit func(row []int32)) pairs {
	var row [hidden]int32
	for j, both := range p {
		row[2*j], row[2*j+1] = halves(both)
	}
	visit(row[:])
	for j := range p {
		p[j] = int64(row[2*j]) + int64(row[2*j+1])<<32
	}
	return p
}

// halves returns the numbers of a word of pairs.
func halves(both int64) (low, high int32) {
	low = int32(both)
	return low, int32((both - int64(low)) >> 32)
}

// parseNetwork reads weights: a line a row.
func parseNetwork(text string) (*network, error) {
	var n network
	var err error
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	at := 0
	n.rows(func(row []int32) {
		if at++; err != nil || at > len(lines) {
			return
		}
		fields := strings.Fields(lines[at-1])
		if len(fields) != len(row) {
			err = fmt.Errorf("line %d: %d fields; want %d", at, len(fields), len(row))
			return
		}
		for i, field := range fields {
			x, bad := strconv.ParseInt(field, 10, 32)
			if bad != nil {
				err = fmt.Errorf("line %d: %w", at, bad)
			}
			row[i] = int32(x)
		}
	})
	if err == nil && at != len(lines) {
		err = fmt.Errorf("%d lines; want %d", len(lines), at)
	}
	if err == nil {
		err = n.pack()
	}
	return &n, err
}

// maxWeight bounds the weights of inputs, so that numbers of the hidden layer stay below 2^31
// on the largest board, and maxNetworkPoints what positions are valued at.
const (
	maxWeight        = 2000
	maxNetworkPoints = 1_000_000_000
)

// pack fills in what cell reads. It refuses weights that may not be told apart in a word.
func (n *network) pack() (err error) {
	bounded := func(row []int32) {
		if slices.Min(row) < -maxWeight || slices.Max(row) > maxWeight {
			err = fmt.Errorf("a weight from %d to %d; want at most %d", slices.Min(row), slices.Max(row), maxWeight)
		}
	}
	bounded(n.direct[:])
	for _, p := range n.hidden {
		p.with(bounded)
	}
	for code := range n.lines {
		bounded(n.lines[code][:])
	}
	bounded(n.start[:])
	if err != nil {
		return err
	}
	lanesOf := func(black, white *[channels]int32, above int32) lanes {
		var words [2 * channels / 4]uint64
		for k := range channels {
			words[k/4] += uint64(black[k]+above) << (16 * (k % 4))
			words[(channels+k)/4] += uint64(white[k]+above) << (16 * (k % 4))
		}
		return lanes{words[0], words[1], words[2], words[3]}
	}
	n.packedStart = lanesOf(&n.start, &n.start, startBias)
	for code := range n.packed {
		n.packed[code] = lanesOf(&n.lines[code], &n.lines[code>>4|code&15<<4], lineBias)
	}
	return nil
}

// matters reports whether a cell counts: whether a stone of either side there makes an open
// two or more on a line. Counting weaker twos too foretold results no better (mean surprise of
// games apart 0.4870 nats, without them 0.4869) and doubled the cells; without open twos it
// was 0.4910.
func matters(makes uint32) bool {
	const leastThatCounts = (1<<4 - makesOpen2) * 0x01010101 // carries into the next bit
	low, high := makes&0x0f0f0f0f, makes>>4&0x0f0f0f0f
	return ((low+leastThatCounts)|(high+leastThatCounts))&0x10101010 != 0
}

// lanes are four channels in a word each, those that see black's stones as own first.
type lanes struct{ black0, black4, white0, white4 uint64 }

func (l lanes) plus(m lanes) lanes {
	return lanes{l.black0 + m.black0, l.black4 + m.black4, l.white0 + m.white0, l.white4 + m.white4}
}

func (l lanes) minus(m lanes) lanes {
	return lanes{l.black0 - m.black0, l.black4 - m.black4, l.white0 - m.white0, l.white4 - m.white4}
}

const (
	everyLane = 0x0001000100010001
	signs     = 0x8000 * everyLane
	lineBias  = 2048 // of a line's channels, so that no lane is negative
	startBias = 0x8000 - 4*lineBias
)

// cell returns what a free cell adds to sums.
func (n *network) cell(makes uint32) (s lanes) {
	if !matters(makes) {
		return s
	}
	a, b := &n.packed[makes&15|makes>>12&0xf0], &n.packed[makes>>4&15|makes>>16&0xf0]
	c, d := &n.packed[makes>>8&15|makes>>20&0xf0], &n.packed[makes>>12&15|makes>>24&0xf0]
	sum := n.packedStart.plus(*a).plus(*b).plus(*c).plus(*d)
	return lanes{cut(sum.black0), cut(sum.black4), cut(sum.white0), cut(sum.white4)}
}

// cut takes lanes above 0x8000, the others being 0, and not more than channelCap.
func cut(x uint64) uint64 {
	sign := x & signs
	x &= sign - sign>>15
	above := (x + (0x7fff-channelCap)*everyLane) & signs
	return (x | (above>>8 - above>>15)) & (channelCap * everyLane)
}

// valued is a position on the trail: the sums over its cells, and the network's value where
// it is known.
type valued struct {
	lanes lanes
	odds  int64
	known bool
}

// total returns the sums of the position, those after each stone made of those before it.
func (f *field) total() *valued {
	for ; f.totaled < f.trailSize; f.totaled++ {
		end := f.changed
		if f.totaled+1 < f.trailSize {
			end = f.trail[f.totaled+1].changed
		}
		sum := f.totals[f.totaled].lanes
		for i := f.trail[f.totaled].changed; i < end; i++ {
			c := &f.changes[i]
			sum = sum.minus(f.network.cell(c.makes)).plus(f.network.cell(c.now))
		}
		f.totals[f.totaled+1] = valued{lanes: sum}
	}
	return &f.totals[f.trailSize]
}

// totalAnew sets the sums of a loaded position.
func (f *field) totalAnew() {
	var sum lanes
	for _, makes := range f.makes {
		sum = sum.plus(f.network.cell(makes))
	}
	f.totaled, f.totals[0] = 0, valued{lanes: sum}
}

// odds returns the network's value for the side to move: the logarithm of the odds, in
// units of sumUnit * weightUnit.
func (f *field) odds() int64 {
	t := f.total()
	if !t.known {
		t.known, t.odds = true, f.network.odds(&t.lanes, f.turn, f.classBits())
	}
	return t.odds
}

// classBits tells the classes that the side to move has, and above them the other's.
func (f *field) classBits() (set uint32) {
	me, foe := &f.counts[f.turn], &f.counts[f.turn.Other()]
	for class := three; class <= straightFour; class++ {
		if me[class] > 0 {
			set |= 1 << (class - three)
		}
		if foe[class] > 0 {
			set |= 1 << (classFlags/2 + class - three)
		}
	}
	return set
}

// odds returns the value of sums and classes for the side to move.
func (n *network) odds(sum *lanes, me engines.Side, classes uint32) int64 {
	h, v := n.bias, n.level[0]
	words := [...]uint64{sum.black0, sum.black4, sum.white0, sum.white4}
	if me == white {
		words = [...]uint64{sum.white0, sum.white4, sum.black0, sum.black4}
	}
	for i, x := range words {
		for k := 4 * i; k < 4*i+4; k++ {
			n.add(&h, k, int64(x&0xffff))
			v += int32(x&0xffff) * n.direct[k]
			x >>= 16
		}
	}
	for ; classes != 0; classes &= classes - 1 {
		k := 2*channels + bits.TrailingZeros32(classes)
		n.add(&h, k, sumUnit)
		v += sumUnit * n.direct[k]
	}
	odds := int64(v)
	for j, both := range h {
		low, high := halves(both)
		odds += int64(max(low, 0)/weightUnit)*int64(n.out[2*j]) + int64(max(high, 0)/weightUnit)*int64(n.out[2*j+1])
	}
	return odds
}

// add has the hidden layer take an input.
func (n *network) add(h *pairs, input int, x int64) {
	row := &n.hidden[input]
	for j := range h {
		h[j] += x * row[j]
	}
}

// networkPoints returns the network's value in points, 0 where it does not count.
func (f *field) networkPoints() int32 {
	if f.network == nil {
		return 0
	}
	points := f.odds() * f.terms.network / (sumUnit * weightUnit)
	return int32(min(max(points, -maxNetworkPoints), maxNetworkPoints))
}
