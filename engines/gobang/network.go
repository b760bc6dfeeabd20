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
// would make an open two at least has sixteen numbers for each side, its channels: those of
// what a stone there makes on each of its four lines, added up and cut off below 0 and above
// channelCap. Their sums over all cells are kept up as stones come and go. A hidden layer
// makes the logarithm of the odds from these sums and from the classes that both sides have.
//
// It learned the results and the searches' scores of grandmaster's games against itself, and
// of those of champion with the network that these taught (8 channels, hidden layer of 16), at
// revision 428e2647. This makes it again, to the byte (network_test.go says how):
//
//	play() {
//	  selfplay match --game gobang --a $1@nodes=1000 --b $1@nodes=1300 --opening-plies $2 --pairs $3 --seed $4 \
//	    --record-moves on --out games$4
//	}
//	play grandmaster 8 9000 21; play grandmaster 5 4288 22; play champion 8 9000 41; play champion 5 9000 42
//	LEARN="$PWD/games21 $PWD/games22 $PWD/games41 $PWD/games42" go test ./engines/gobang -run TestNetworkLearned -v -timeout 1h
//
//go:embed network.txt
var networkText string

const (
	channels = 16
	hidden   = 64
	inputs   = 2*channels + classFlags

	// Inputs after the channels of both sides: what the side to move has, and the other.
	classFlags = 2 * (straightFour - quiet)

	cellUnit   = 32        // of a channel that is 1
	weightUnit = 256       // of a weight that is 1
	sumUnit    = 320       // of an input to the hidden layer that is 1
	channelCap = 63        // 1 less than a power of two, and for all cells of the largest board below 2^15
	hiddenCap  = 1<<14 - 1 // of outputs of the hidden layer, so that their sum stays below 2^31
)

// network holds the weights, in whole numbers.
type network struct {
	lines  [256][channels]int32 // by what a stone makes on a line, the other side's in the high four bits
	start  [channels]int32
	hidden [inputs][hidden]int32
	bias   [hidden]int32
	out    [hidden]int32
	level  [1]int32

	packed       [256]lanes // lines, by both sides, above lineBias
	packedStart  lanes
	packedHidden [hidden / block][2 * inputWords][block][2]int16 // by pair of inputs
	packedOut    [hidden]int16
	pairs        [inputs][hidden / 2]int64 // of the hidden layer, two in a word: negative low ones borrow from the high
}

// lanes are four channels in a word each, those that see black's stones as own first.
type lanes [2 * channels / 4]uint64

// inputWords are the words of inputs, which are like lanes, those of the side to move first.
const inputWords = (inputs + 3) / 4

// block is how much of the hidden layer is worked out at once.
const block = 32

// networkWeights are what was learned.
var networkWeights = sync.OnceValue(func() *network {
	n, err := parseNetwork(networkText)
	if err != nil {
		panic(fmt.Sprintf("gobang/network.txt: %v", err))
	}
	return n
})

// rows returns the rows of weights in the order of the text, the bounded ones first.
func (n *network) rows() (list [][]int32) {
	for own := range made {
		for foe := range made {
			list = append(list, n.lines[own|foe<<4][:])
		}
	}
	list = append(list, n.start[:])
	for i := range n.hidden {
		list = append(list, n.hidden[i][:])
	}
	return append(list, n.out[:], n.bias[:], n.level[:])
}

// parseNetwork reads weights: a line a row.
func parseNetwork(text string) (*network, error) {
	var n network
	lines, rows := strings.Split(strings.TrimSuffix(text, "\n"), "\n"), n.rows()
	if len(lines) != len(rows) {
		return nil, fmt.Errorf("%d lines; want %d", len(lines), len(rows))
	}
	for i, row := range rows {
		fields := strings.Fields(lines[i])
		if len(fields) != len(row) {
			return nil, fmt.Errorf("line %d: %d fields; want %d", i+1, len(fields), len(row))
		}
		for k, field := range fields {
			x, err := strconv.ParseInt(field, 10, 32)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			row[k] = int32(x)
		}
	}
	return &n, n.pack()
}

// maxWeight bounds all weights but bias and level, so that sums of products stay below 2^31 on
// the largest board, and maxNetworkPoints what positions are valued at.
const (
	maxWeight        = 2000
	maxNetworkPoints = 1_000_000_000
)

// pack fills in what follow and respond read. It refuses weights out of bounds.
func (n *network) pack() error {
	rows := n.rows()
	for i, row := range rows[:len(rows)-2] {
		if slices.Min(row) < -maxWeight || slices.Max(row) > maxWeight {
			return fmt.Errorf("line %d: a weight from %d to %d; want at most %d", i+1, slices.Min(row), slices.Max(row), maxWeight)
		}
	}
	lanesOf := func(black, white *[channels]int32, above int32) (l lanes) {
		for k := range channels {
			l[k/4] |= uint64(black[k]+above) << (16 * (k % 4))
			l[(channels+k)/4] |= uint64(white[k]+above) << (16 * (k % 4))
		}
		return l
	}
	n.packedStart = lanesOf(&n.start, &n.start, startBias)
	for code := range n.packed {
		n.packed[code] = lanesOf(&n.lines[code], &n.lines[code>>4|code&15<<4], lineBias)
	}
	for i, row := range n.hidden {
		for j, x := range row {
			n.packedHidden[j/block][i/2][j%block][i%2] = int16(x)
			n.pairs[i][j/2] += int64(x) << (32 * (j % 2))
		}
	}
	for j, x := range n.out {
		n.packedOut[j] = int16(x)
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

const (
	everyLane = 0x0001000100010001
	signs     = 0x8000 * everyLane
	lineBias  = 2048 // of a line's channels, so that no lane is negative
	startBias = 0x8000 - 4*lineBias
)

// followSlowly adds to sums what changes of free cells add to them.
func (n *network) followSlowly(sum *lanes, changes []change) {
	for _, c := range changes {
		before, after := n.cell(c.makes), n.cell(c.now)
		for i := range sum {
			sum[i] += after[i] - before[i]
		}
	}
}

// cell returns what a free cell adds to sums.
func (n *network) cell(makes uint32) (s lanes) {
	if !matters(makes) {
		return s
	}
	a, b := &n.packed[makes&15|makes>>12&0xf0], &n.packed[makes>>4&15|makes>>16&0xf0]
	c, d := &n.packed[makes>>8&15|makes>>20&0xf0], &n.packed[makes>>12&15|makes>>24&0xf0]
	for i, x := range n.packedStart {
		s[i] = cut(x + a[i] + b[i] + c[i] + d[i])
	}
	return s
}

// cut takes lanes above 0x8000, the others being 0, and not more than channelCap.
func cut(x uint64) uint64 {
	sign := x & signs
	x &= sign - sign>>15
	above := (x + (0x7fff-channelCap)*everyLane) & signs
	return (x | (above>>8 - above>>15)) & (channelCap * everyLane)
}

// respondSlowly returns the sum of the hidden layer's outputs for inputs.
func (n *network) respondSlowly(in *[inputWords]uint64) (sum int32) {
	var h [hidden / 2]int64
	for j := range h {
		h[j] = int64(n.bias[2*j]) + int64(n.bias[2*j+1])<<32
	}
	for i := range n.pairs {
		x, row := int64(in[i/4]>>(16*(i%4))&0xffff), &n.pairs[i]
		for j := 0; x != 0 && j < len(h); j += 4 {
			h[j] += x * row[j]
			h[j+1] += x * row[j+1]
			h[j+2] += x * row[j+2]
			h[j+3] += x * row[j+3]
		}
	}
	for j, both := range h {
		low := int32(both)
		high := int32((both - int64(low)) >> 32)
		sum += min(max(low, 0)/weightUnit, hiddenCap)*n.out[2*j] + min(max(high, 0)/weightUnit, hiddenCap)*n.out[2*j+1]
	}
	return sum
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
		next := &f.totals[f.totaled+1]
		next.lanes, next.known = f.totals[f.totaled].lanes, false
		follow(f.network, &next.lanes, f.changes[f.trail[f.totaled].changed:end])
	}
	return &f.totals[f.trailSize]
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
	var in [inputWords]uint64
	half := len(sum) / 2
	copy(in[:half], sum[half*int(me):])
	copy(in[half:], sum[half-half*int(me):][:half])
	for ; classes != 0; classes &= classes - 1 {
		k := 2*channels + bits.TrailingZeros32(classes)
		in[k/4] |= sumUnit << (16 * (k % 4))
	}
	return int64(n.level[0]) + int64(respond(n, &in))
}

// networkPoints returns the network's value in points, 0 where it does not count.
func (f *field) networkPoints() int32 {
	if f.network == nil {
		return 0
	}
	points := f.odds() * f.terms.network / (sumUnit * weightUnit)
	return int32(min(max(points, -maxNetworkPoints), maxNetworkPoints))
}
