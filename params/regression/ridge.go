package regression

import (
	"math"
	"slices"
)

// ridgeLadder holds the strengths to try, as shares of the mean curvature of a coordinate.
var ridgeLadder = []float64{1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10}

// chooseRidge returns the strength with the least loss on clusters held out. The fold for
// testing is not used. Each other fold is left out in turn; the weights without it are one
// Newton step from the weights of all, which is exact enough to compare strengths.
func (m *model) chooseRidge() float64 {
	train := func(row int) bool { return m.data.fold(row) != 0 }
	zero := make([]float64, m.size())
	z := m.newton(m.ridges(0), zero, train)
	byFold := m.sum(z, train)
	all := total(byFold)
	mean := 0.0
	for i := range m.active {
		mean += all.curvature(zero).At(i, i) / float64(max(1, len(m.active)))
	}
	var solutions [folds][][]float64
	for f := 1; f < folds; f++ {
		for _, share := range ridgeLadder {
			solutions[f] = append(solutions[f], m.without(byFold, f, z, m.ridges(share*mean)))
		}
	}
	losses := m.losses(func(row int) [][]float64 { return solutions[m.data.fold(row)] }, train)
	best := 0
	for k, l := range losses {
		if l < losses[best] {
			best = k
		}
	}
	return ridgeLadder[best] * mean
}

// without returns the solution without one fold, one Newton step from z.
func (m *model) without(byFold [folds]*sums, out int, z, ridge []float64) []float64 {
	s := newSums(m.size())
	for f := 1; f < folds; f++ {
		if f != out {
			s.add(byFold[f])
		}
	}
	for i, x := range z {
		s.gradient[i] += float64(ridge[i] * x)
	}
	step := solve(s.curvature(ridge), s.gradient)
	at := slices.Clone(z)
	for i := range at {
		at[i] -= step[i]
	}
	return at
}

// losses sums the loss of rows for each of several solutions.
func (m *model) losses(solutions func(row int) [][]float64, keep func(row int) bool) []float64 {
	list := make([]float64, len(ridgeLadder))
	m.data.pass()
	inBlocks(m.data.Rows(), func(from, to int) []float64 {
		part, x := make([]float64, len(ridgeLadder)), make([]float64, m.size())
		for row := from; row < to; row++ {
			if keep(row) {
				m.slopes(row, x)
				for k, z := range solutions(row) {
					part[k] += loss(m.at(row, x, z), float64(m.data.Result[row]))
				}
			}
		}
		return part
	}, func(part []float64) {
		for k, l := range part {
			list[k] += l
		}
	})
	return list
}

// test compares start and fit on the clusters held out, cluster by cluster.
func (m *model) test(f *Fit, confidence float64) {
	zero := make([]float64, m.size())
	z := m.newton(m.ridges(f.Ridge), zero, func(row int) bool { return m.data.fold(row) != 0 })
	x := make([]float64, m.size())
	var gains []float64
	var rows []float64
	last := int32(-1)
	for row, c := range m.data.Cluster {
		if m.data.fold(row) != 0 {
			continue
		}
		if c != last {
			gains, rows, last = append(gains, 0), append(rows, 0), c
		}
		m.slopes(row, x)
		result := float64(m.data.Result[row])
		start, fitted := loss(m.at(row, x, zero), result), loss(m.at(row, x, z), result)
		f.Start, f.Fitted, f.Held = f.Start+start, f.Fitted+fitted, f.Held+1
		gains[len(gains)-1] += start - fitted
		rows[len(rows)-1]++
	}
	if f.Held == 0 {
		return
	}
	n := float64(f.Held)
	f.Start, f.Fitted = f.Start/n, f.Fitted/n
	f.Gain = f.Start - f.Fitted
	var square float64
	for k, g := range gains { // a ratio of sums over clusters
		r := g - f.Gain*rows[k]
		square += float64(r * r)
	}
	f.Apart = len(gains)
	half := student(confidence, f.Apart) * math.Sqrt(square) / n
	f.GainLow, f.GainHi = f.Gain-half, f.Gain+half
}

// solve fits within bounds. A weight that would leave its range is held at the bound, and the
// others are fitted again.
func (m *model) solve(ridge float64, keep func(row int) bool, low, high []float64) (z []float64, bounded []bool) {
	r, held := m.ridges(ridge), make([]float64, m.size())
	bounded = make([]bool, m.size())
	z = make([]float64, m.size())
	for range m.size() {
		z = m.newtonHeld(r, z, bounded, held, keep)
		out := false
		for k, j := range m.active {
			lo, hi := (low[j]-m.start[j])/m.units[j], (high[j]-m.start[j])/m.units[j]
			if !bounded[k] && (z[k] < lo || z[k] > hi) {
				held[k], bounded[k], out = min(max(z[k], lo), hi), true, true
			}
		}
		if !out {
			return z, bounded
		}
	}
	return z, bounded
}

// newtonHeld is newton with some coordinates fixed.
func (m *model) newtonHeld(ridge, z []float64, bounded []bool, held []float64, keep func(row int) bool) []float64 {
	if !slices.Contains(bounded, true) {
		return m.newton(ridge, z, keep)
	}
	rest := *m
	rest.active, rest.start = nil, slices.Clone(m.start)
	var own, from []float64
	for k, j := range m.active {
		if bounded[k] {
			rest.start[j] += float64(held[k] * m.units[j])
			continue
		}
		rest.active, own, from = append(rest.active, j), append(own, ridge[k]), append(from, z[k])
	}
	last := len(m.active)
	found := rest.newton(append(own, ridge[last]), append(from, z[last]), keep)
	at, n := slices.Clone(z), 0
	for k := range m.active {
		if bounded[k] {
			at[k] = held[k]
			continue
		}
		at[k] = found[n]
		n++
	}
	at[last] = found[n]
	return at
}
