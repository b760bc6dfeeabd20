package gobang

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The network values a position for the side to move.
//
// A free cell counts if a stone of either side would make an open two or more on it.
// Each such cell has sixteen numbers for each side, its channels: the sum
// of the channels of its threats on the four lines, cut to 0..channelCap.
// The sums of channels over all cells are updated with each stone.
// A hidden layer computes the logarithm of the odds
// from these sums and from the classes of both sides.
//
// It was trained on the results and search scores of self-play games: of
// preset grandmaster, and of preset champion with the network trained on
// grandmaster's games (8 channels, hidden layer of 16), at revision 428e2647.
// These commands make it again, to the byte (network_test.go has the details):
//
//	play() {
//	  selfplay match --game gobang --a $1@nodes=1000 --b $1@nodes=1300 --opening-plies $2 --pairs $3 --seed $4 \
//	    --record-moves on --out games$4
//	}
//	play grandmaster 8 9000 21; play grandmaster 5 4288 22; play champion 8 9000 41; play champion 5 9000 42
//	LEARN="$PWD/games21 $PWD/games22 $PWD/games41 $PWD/games42" go test ./engines/gobang -run TestNetworkIsLearnedFromGames -v -timeout 1h
//
//go:embed network.txt
var networkText string

// Dimensions and units of the network.
const (
	channels = 16
	hidden   = 64
	inputs   = 2*channels + classFlags

	// Inputs after the channels of both sides: the classes of the side to move, then the other's.
	classFlags = 2 * (straightFour - quiet)

	cellUnit   = 32        // the value 1 of a channel
	weightUnit = 256       // the value 1 of a weight
	sumUnit    = 320       // the value 1 of an input to the hidden layer
	channelCap = 63        // 1 less than a power of two, so that sums over the largest board stay below 2^15
	hiddenCap  = 1<<14 - 1 // largest output of the hidden layer, so that their sum stays below 2^31
)

// network holds the weights, in whole numbers. It is shared and must not be changed after pack.
type network struct {
	lines  [256][channels]int32 // by a cell's threats on a line, the other side's in the high four bits
	start  [channels]int32
	hidden [inputs][hidden]int32
	bias   [hidden]int32
	out    [hidden]int32
	level  [1]int32

	packed       [256]lanes // lines for both sides, each plus lineBias
	packedStart  lanes
	packedHidden [hidden / block][2 * inputWords][block][2]int16 // by pair of inputs
	packedOut    [hidden]int16
	pairs        [inputs][hidden / 2]int64 // hidden, two weights in a word: a negative low one borrows from the high one
}

// lanes holds the channels of both sides, four in a word; the first half is black's view.
type lanes [2 * channels / 4]uint64

// inputWords is the number of words of inputs, packed like lanes with the side to move first.
const inputWords = (inputs + 3) / 4

// block is the number of hidden units computed at once.
const block = 32

// networkWeights returns the trained weights.
var networkWeights = sync.OnceValue(func() *network {
	n, err := parseNetwork(networkText)
	if err != nil {
		panic(fmt.Sprintf("gobang/network.txt: %v", err))
	}
	return n
})

// rows returns the rows of weights in the order of the text. The bounded rows come first.
func (n *network) rows() (list [][]int32) {
	for own := range threatKinds {
		for foe := range threatKinds {
			list = append(list, n.lines[own|foe<<4][:])
		}
	}
	list = append(list, n.start[:])
	for i := range n.hidden {
		list = append(list, n.hidden[i][:])
	}
	return append(list, n.out[:], n.bias[:], n.level[:])
}

// parseNetwork reads weights, one row a line. Errors name the line.
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

// maxWeight bounds all weights but bias and level, so that
// sums of products stay below 2^31 on the largest board.
// maxNetworkPoints bounds the network's value in points.
const (
	maxWeight        = 2000
	maxNetworkPoints = 1_000_000_000
)

// pack fills in the packed forms that follow and respond read. It refuses weights out of bounds.
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

// matters reports whether a cell counts: whether a stone of
// either side there makes an open two or more on a line.
// Weaker twos double the number of cells and do not predict results better.
func matters(makes uint32) bool {
	const leastThatCounts = (1<<4 - makesOpen2) * 0x01010101 // carries into the next bit
	low, high := makes&0x0f0f0f0f, makes>>4&0x0f0f0f0f
	return ((low+leastThatCounts)|(high+leastThatCounts))&0x10101010 != 0
}

// Masks and biases of lanes.
const (
	everyLane = 0x0001000100010001
	signs     = 0x8000 * everyLane
	lineBias  = 2048 // added to a line's channels, so that no lane is negative
	startBias = 0x8000 - 4*lineBias
)

// followSlowly adds the changes of free cells to the sums of channels.
func (n *network) followSlowly(sum *lanes, changes []cellChange) {
	for _, c := range changes {
		before, after := n.cell(c.makes), n.cell(c.now)
		for i := range sum {
			sum[i] += after[i] - before[i]
		}
	}
}

// cell returns the channels of a free cell; 0 if it does not count.
func (n *network) cell(makes uint32) (s lanes) {
	if !matters(makes) {
		return s
	}
	a, b := &n.packed[makes&15|makes>>12&0xf0], &n.packed[makes>>4&15|makes>>16&0xf0]
	c := &n.packed[makes>>8&15|makes>>20&0xf0]
	d := &n.packed[makes>>12&15|makes>>24&0xf0]
	for i, x := range n.packedStart {
		s[i] = cut(x + a[i] + b[i] + c[i] + d[i])
	}
	return s
}

// cut subtracts 0x8000 from each lane and cuts the result to 0..channelCap.
func cut(x uint64) uint64 {
	sign := x & signs
	x &= sign - sign>>15
	above := (x + (0x7fff-channelCap)*everyLane) & signs
	return (x | (above>>8 - above>>15)) & (channelCap * everyLane)
}

// respondSlowly returns the weighted sum of the hidden layer's outputs.
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

// cellChange is the threats of a cell before and after a stone.
type cellChange struct {
	cell       int32
	makes, now uint32
}

// valued is a position on the trail: its sums of channels, and the network's value once known.
type valued struct {
	lanes lanes
	odds  int64
	known bool
}
