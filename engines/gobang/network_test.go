package gobang

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines/testmode"
)

// TestNetworkIsLearnedFromGames writes network.txt from the games of runs that recorded their
// moves; see network.go. The same games give the same file.
func TestNetworkIsLearnedFromGames(t *testing.T) {
	dirs := strings.Fields(os.Getenv(learnVariable))
	if len(dirs) == 0 {
		t.Skip("writes a network only where " + learnVariable + " names runs")
	}
	l, seen := newLearner(), map[string]bool{}
	l.trainer = &trainer{}
	for _, dir := range dirs {
		if err := addRun(l, dir, seen); err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
	}
	n := l.trainer.train(trainPasses, func(pass int, loss, apart float64) {
		t.Logf("pass %d: mean surprise %.5f nats, of results of games apart %.5f", pass, loss, apart)
	})
	t.Logf("%d positions; in whole numbers, of results of games apart %.5f", len(l.trainer.positions), l.trainer.surprise(n))
	if err := os.WriteFile("network.txt", []byte(n.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Training is by Adam (Kingma and Ba 2015).
// Its steps begin small and become small again by a cosine.
const (
	trainPasses  = 20
	trainBatch   = 256
	trainRate    = 0.003
	trainWarm    = 200  // steps until the rate is reached
	trainSlowest = 0.02 // of the rate, at the end
	decay        = 1e-6

	// A position's target is half the result of its game, half the score of a
	// search: the score in points is scoreScale times the logarithm of the odds.
	scoreScale = 3959
)

// trainer trains a network by the positions of games.
type trainer struct {
	positions []trained
	cells     []uint32 // threats of a stone there, from black's view
}

// trained is a position for the side to move.
type trained struct {
	end            int // of its cells
	classes        uint32
	target, points float32
	apart          bool // held out
}

// add adds the position of a field, its points and score for the side to move.
func (t *trainer) add(f *field, points, score float64, apart bool) {
	target := points/2 + 0.5/(1+math.Exp(-score/scoreScale))
	p := trained{classes: f.classBits(), target: float32(target), points: float32(points), apart: apart}
	for x := range f.rules.size {
		for y := range f.rules.size {
			makes := f.makes[at(x, y)]
			if f.turn == white {
				makes = makes<<16 | makes>>16
			}
			if matters(makes) {
				t.cells = append(t.cells, makes)
			}
		}
	}
	p.end = len(t.cells)
	t.positions = append(t.positions, p)
}

// weightsOf holds the weights of a network, or a sum for each weight.
type weightsOf struct {
	lines  [256][channels]float32
	start  [channels]float32
	hidden [inputs][hidden]float32
	bias   [hidden]float32
	out    [hidden]float32
	level  [1]float32
}

// rows returns the rows of weights.
func (w *weightsOf) rows() (list [][]float32) {
	for i := range w.lines {
		list = append(list, w.lines[i][:])
	}
	list = append(list, w.start[:])
	for i := range w.hidden {
		list = append(list, w.hidden[i][:])
	}
	return append(list, w.out[:], w.bias[:], w.level[:])
}

// pass holds the intermediate results of a network for a position.
type pass struct {
	sums   [2][channels]float32 // of cells, for the side to move and for the other
	inputs [inputs]float32
	hidden [hidden]float32
}

// linesOfCell returns the indices of a cell's threats on its lines, for a side.
func linesOfCell(makes uint32, side int) [4]uint8 {
	own, foe := makes>>(16*side), makes>>(16-16*side)
	return [4]uint8{
		uint8(own&15 | foe&15<<4), uint8(own>>4&15 | foe&0xf0), uint8(own>>8&15 | foe>>4&0xf0), uint8(own>>12&15 | foe>>8&0xf0),
	}
}

// channelsOf returns the channels of a cell, not yet cut off.
func (w *weightsOf) channelsOf(makes uint32, side int) (v [channels]float32, lines [4]uint8) {
	lines = linesOfCell(makes, side)
	a, b, c, d := &w.lines[lines[0]], &w.lines[lines[1]], &w.lines[lines[2]], &w.lines[lines[3]]
	for k := range v {
		v[k] = w.start[k] + a[k] + b[k] + c[k] + d[k]
	}
	return v, lines
}

const (
	channelMost = float32(channelCap) / cellUnit
	inputScale  = float32(cellUnit) / sumUnit
)

// value returns the logarithm of the odds of a position.
func (w *weightsOf) value(p *pass, cells []uint32, classes uint32) float32 {
	*p = pass{hidden: w.bias}
	for _, makes := range cells {
		for side := range p.sums {
			v, _ := w.channelsOf(makes, side)
			for k, x := range v {
				p.sums[side][k] += min(max(x, 0), channelMost)
			}
		}
	}
	for side := range p.sums {
		for k, x := range p.sums[side] {
			p.inputs[side*channels+k] = x * inputScale
		}
	}
	for i := range classFlags {
		p.inputs[2*channels+i] = float32(classes >> i & 1)
	}
	z := w.level[0]
	for i, x := range p.inputs {
		for j, weight := range w.hidden[i] {
			p.hidden[j] += float32(x * weight)
		}
	}
	for j, h := range p.hidden {
		z += float32(max(h, 0) * w.out[j])
	}
	return z
}

// slope adds to g the derivatives of the loss by each weight. dz is its derivative by the value.
func (w *weightsOf) slope(g *weightsOf, p *pass, cells []uint32, dz float32) {
	var dHidden [hidden]float32
	g.level[0] += dz
	for j, h := range p.hidden {
		if h > 0 {
			g.out[j] += float32(dz * h)
			dHidden[j] = dz * w.out[j]
			g.bias[j] += dHidden[j]
		}
	}
	var dSums [2][channels]float32
	for i, x := range p.inputs {
		dInput := float32(0)
		for j, d := range dHidden {
			g.hidden[i][j] += float32(x * d)
			dInput += float32(d * w.hidden[i][j])
		}
		if i < 2*channels {
			dSums[i/channels][i%channels] = dInput * inputScale
		}
	}
	for _, makes := range cells {
		for side := range dSums {
			v, lines := w.channelsOf(makes, side)
			for k, d := range dSums[side] {
				if v[k] > 0 && v[k] < channelMost {
					g.start[k] += d
					for _, line := range lines {
						g.lines[line][k] += d
					}
				}
			}
		}
	}
}

// train returns the network after a number of passes over the positions that are not held out.
// After each it calls note.
func (t *trainer) train(passes int, note func(pass int, loss, apart float64)) *network {
	r := rand.New(rand.NewPCG(1, 28))
	w := newWeights(r)
	var list []int
	for i := range t.positions {
		if !t.positions[i].apart {
			list = append(list, i)
		}
	}
	var first, second weightsOf
	rows, firsts, seconds := w.rows(), first.rows(), second.rows()
	step, steps := 0, passes*(len(list)/trainBatch)
	for k := range passes {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		loss := 0.0
		for batch := range slices.Chunk(list[:len(list)/trainBatch*trainBatch], trainBatch) {
			var g weightsOf
			loss += t.batch(w, &g, batch)
			step++
			rate := trainRate * min(1, float64(step)/trainWarm)
			rate *= trainSlowest + (1-trainSlowest)*(1+math.Cos(math.Pi*float64(step)/float64(steps)))/2
			for i, slopes := range g.rows() {
				adam(rows[i], slopes, firsts[i], seconds[i], rate, step)
			}
		}
		note(k+1, loss/float64(len(list)/trainBatch*trainBatch), t.surprise(w.whole()))
	}
	return w.whole()
}

// newWeights draws the initial weights.
func newWeights(r *rand.Rand) *weightsOf {
	var w weightsOf
	draw := func(row []float32, deviation float64) {
		for i := range row {
			row[i] = float32(r.NormFloat64() * deviation)
		}
	}
	for own := range threatKinds {
		for foe := range threatKinds {
			draw(w.lines[own|foe<<4][:], 0.15)
		}
	}
	for i := range w.hidden {
		draw(w.hidden[i][:], 0.05)
	}
	draw(w.out[:], 0.2)
	return &w
}

// batch adds the slopes of positions to g, and returns their loss.
func (t *trainer) batch(w, g *weightsOf, batch []int) (loss float64) {
	var p pass
	for _, i := range batch {
		cells, of := t.cellsOf(i), &t.positions[i]
		chance := 1 / (1 + math.Exp(-float64(w.value(&p, cells, of.classes))))
		loss += surpriseBy(chance, float64(of.target))
		w.slope(g, &p, cells, float32(chance)-of.target)
	}
	return loss
}

func (t *trainer) cellsOf(i int) []uint32 {
	start := 0
	if i > 0 {
		start = t.positions[i-1].end
	}
	return t.cells[start:t.positions[i].end]
}

func surpriseBy(chance, points float64) float64 {
	return -float64(points*math.Log(max(chance, 1e-9))) - float64((1-points)*math.Log(max(1-chance, 1e-9)))
}

// adam moves weights by the slopes of a batch and the remembered slopes of earlier batches.
func adam(row, slopes, first, second []float32, rate float64, step int) {
	const keepFirst, keepSecond = 0.9, 0.999
	of1, of2 := 1-math.Pow(keepFirst, float64(step)), 1-math.Pow(keepSecond, float64(step))
	for i, slope := range slopes {
		g := float64(slope)/trainBatch + float64(decay*float64(row[i]))
		m := float64(keepFirst*float64(first[i])) + float64((1-keepFirst)*g)
		v := float64(keepSecond*float64(second[i])) + float64((1-keepSecond)*float64(g*g))
		first[i], second[i] = float32(m), float32(v)
		row[i] -= float32(rate * (m / of1) / (math.Sqrt(v/of2) + 1e-8))
	}
}

// whole rounds weights to a network's.
func (w *weightsOf) whole() *network {
	var n network
	round := func(to []int32, from []float32, unit float64) {
		for i, x := range from {
			to[i] = int32(math.Round(float64(x) * unit))
		}
	}
	for i := range w.lines {
		round(n.lines[i][:], w.lines[i][:], cellUnit)
	}
	round(n.start[:], w.start[:], cellUnit)
	for i := range w.hidden {
		round(n.hidden[i][:], w.hidden[i][:], weightUnit)
	}
	round(n.bias[:], w.bias[:], sumUnit*weightUnit)
	round(n.out[:], w.out[:], weightUnit)
	round(n.level[:], w.level[:], sumUnit*weightUnit)
	if err := n.pack(); err != nil {
		panic(err)
	}
	return &n
}

// String returns the text that parseNetwork reads.
func (n *network) String() string {
	var b strings.Builder
	for _, row := range n.rows() {
		fmt.Fprintln(&b, strings.Trim(fmt.Sprint(row), "[]"))
	}
	return b.String()
}

// surprise returns the mean surprise of a network at the results of held-out positions.
func (t *trainer) surprise(n *network) (mean float64) {
	rows := 0
	for i := range t.positions {
		if p := &t.positions[i]; p.apart {
			var sum lanes
			for _, makes := range t.cellsOf(i) {
				follow(n, &sum, []cellChange{{now: makes}})
			}
			odds := float64(n.odds(&sum, black, p.classes)) / (sumUnit * weightUnit)
			mean += surpriseBy(1/(1+math.Exp(-odds)), float64(p.points))
			rows++
		}
	}
	return mean / float64(rows)
}

// slowOdds returns a network's value of a position, computed cell by cell and number by number.
func slowOdds(n *network, f *field) int64 {
	var in [inputs]int64
	for _, makes := range f.makes {
		for side := range 2 {
			if f.turn == white {
				side = 1 - side
			}
			if !slices.ContainsFunc(eightOf(makes), func(x uint32) bool { return x >= makesOpen2 }) {
				continue
			}
			for k, v := range n.start {
				for _, line := range linesOfCell(makes, side) {
					v += n.lines[line][k]
				}
				in[(side^int(f.turn))*channels+k] += int64(min(max(v, 0), channelCap))
			}
		}
	}
	for class := three; class <= straightFour; class++ {
		in[2*channels+class-three] = int64(min(f.counts[f.turn][class], 1)) * sumUnit
		in[2*channels+classFlags/2+class-three] = int64(min(f.counts[f.turn.Other()][class], 1)) * sumUnit
	}
	sum := int64(n.level[0])
	for j := range hidden {
		h := int64(n.bias[j])
		for i, x := range in {
			h += x * int64(n.hidden[i][j])
		}
		sum += min(max(h, 0)/weightUnit, hiddenCap) * int64(n.out[j])
	}
	return sum
}

// eightOf returns the threats of a cell on its lines for both sides.
func eightOf(makes uint32) (list []uint32) {
	for i := range 8 {
		list = append(list, makes>>(4*i)&15)
	}
	return list
}

// TestNetworkMatchesSlowSums compares the value updated over moves and
// moves taken back with one added up slowly, also on the largest board.
func TestNetworkMatchesSlowSums(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays many games")
	}
	r := rand.New(rand.NewPCG(41, 1))
	for i := range testmode.Times(10, 2) {
		rules := randomRules(r)
		if i%4 == 0 {
			rules = variant{size: maxSize}
		}
		f, b, s := newField(rules), newBoard(rules), newState(rules)
		f.configure(preset(t, "champion"))
		f.load(&s)
		b.load(&s)
		wander(r, b, &s, 80, 4, func() {
			if r.IntN(3) == 0 {
				return
			}
			if got, want := f.odds(), slowOdds(f.network, f); got != want {
				t.Fatalf("%d, slowly %d in %s", got, want, s.String())
			}
		}, f)
	}
}

// TestNetworkInstructionsMatchGo compares the processor's instructions
// with plain Go, also for the largest weights and inputs.
func TestNetworkInstructionsMatchGo(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 1))
	for range 200 {
		var n network
		most := []int32{3, 60, maxWeight}[r.IntN(3)]
		for _, row := range n.rows() {
			for i := range row {
				row[i] = []int32{r.Int32N(2*most+1) - most, most, -most}[r.IntN(3)]
			}
		}
		if err := n.pack(); err != nil {
			t.Fatal(err)
		}
		var fast lanes
		for i := range fast {
			fast[i] = 0x2000 * everyLane
		}
		slow, changes := fast, make([]cellChange, r.IntN(50))
		for i := range changes {
			changes[i] = cellChange{makes: r.Uint32() & r.Uint32() & 0x77777777, now: r.Uint32() & r.Uint32() & 0x77777777}
		}
		follow(&n, &fast, changes)
		if n.followSlowly(&slow, changes); fast != slow {
			t.Fatalf("sums %x, slowly %x", fast, slow)
		}
		var in [inputWords]uint64
		for i := range inputs {
			in[i/4] |= uint64([]int{r.IntN(maxSize*maxSize*channelCap + 1), maxSize * maxSize * channelCap, 0}[r.IntN(3)]) << (16 * (i % 4))
		}
		if fast, slow := respond(&n, &in), n.respondSlowly(&in); fast != slow {
			t.Fatalf("value %d, slowly %d", fast, slow)
		}
	}
}

// TestEmbeddedNetworkIsComplete expects that the embedded network reads
// and writes without change, and that a broken network is refused.
func TestEmbeddedNetworkIsComplete(t *testing.T) {
	n, err := parseNetwork(networkText)
	if err != nil || n.String() != networkText {
		t.Errorf("not written as read (%v)", err)
	}
	for _, broken := range []string{
		"", networkText + "1\n", strings.Replace(networkText, "\n", " 1\n", 1), strings.Replace(networkText, "\n", "x\n", 1),
		networkText[:len(networkText)/2], "2048" + networkText[strings.Index(networkText, " "):],
	} {
		if _, err := parseNetwork(broken); err == nil {
			t.Errorf("a broken network of %d bytes is read", len(broken))
		}
	}
}

// TestNetworkTrainingIsReproducible expects that training predicts held-out
// results better than chance, and that two trainings give equal networks.
func TestNetworkTrainingIsReproducible(t *testing.T) {
	testmode.SkipUnlessLong(t) // trains a network
	l := &trainer{}
	r := rand.New(rand.NewPCG(42, 1))
	f := newField(variant{size: 15})
	f.configure(preset(t, "grandmaster"))
	for k := range 1000 {
		s := tactical(r, f.rules)
		f.load(&s)
		points := 0.0
		if f.Eval() > 0 {
			points = 1
		}
		l.add(f, points, float64(f.Eval()), k%5 == 0)
	}
	var first, last float64
	l.train(30, func(pass int, _, apart float64) {
		if last = apart; pass == 1 {
			first = apart
		}
	})
	if last > 0.64 || last > first-0.01 {
		t.Errorf("surprise of games apart %.3f at first and %.3f at last, by chance 0.693", first, last)
	}
	quiet := func(int, float64, float64) {}
	if once, again := l.train(1, quiet).String(), l.train(1, quiet).String(); once != again {
		t.Error("two networks of the same positions differ")
	}
}
