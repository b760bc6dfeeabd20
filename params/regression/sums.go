package regression

import (
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"
)

// blockRows is the number of rows of a block. Sums of blocks are added in order, so the
// result does not depend on the number of cores.
const blockRows = 4096

// sums holds the loss, its gradient and its curvature over some rows.
type sums struct {
	n        int
	rows     int
	loss     float64
	gradient []float64
	hessian  []float64 // upper triangle, row by row
	used     []int     // coordinates that are not 0, of outer
}

func newSums(n int) *sums {
	return &sums{n: n, gradient: make([]float64, n), hessian: make([]float64, n*(n+1)/2)}
}

// add adds the sums over other rows of the same problem.
func (s *sums) add(o *sums) {
	s.rows += o.rows
	s.loss += o.loss
	for i, x := range o.gradient {
		s.gradient[i] += x
	}
	for i, x := range o.hessian {
		s.hessian[i] += x
	}
}

// curvature returns the hessian with a ridge on its diagonal.
func (s *sums) curvature(ridge []float64) *mat.SymDense {
	m, k := mat.NewSymDense(s.n, nil), 0
	for i := range s.n {
		for j := i; j < s.n; j++ {
			m.SetSym(i, j, s.hessian[k])
			k++
		}
		m.SetSym(i, i, m.At(i, i)+ridge[i])
	}
	return m
}

// model gives the log-odds of a result as a function of changes to the start: scale times the
// evaluation, plus tempo for having the move. Coordinate j < Columns is the change of a weight
// in units of its range; the last coordinate is tempo.
type model struct {
	data   *Data
	scale  float64 // log-odds of a point of evaluation
	tempo  float64 // log-odds of having the move at the start
	start  []float64
	units  []float64 // a coordinate of 1 in units of its weight
	active []int     // columns that are fitted
	// evaluation, if not nil, is the model whose evaluation takes the place of all columns.
	evaluation *model
}

// size returns the number of coordinates: the active columns and tempo.
func (m *model) size() int { return len(m.active) + 1 }

// base returns the log-odds of a row at the start, without tempo.
func (m *model) base(row int) float64 {
	if m.evaluation != nil {
		return 0
	}
	d := m.data
	points := float64(d.Rest[row])
	for j, w := range m.start {
		points += float64(float64(d.Terms[row*d.Columns+j]) * w)
	}
	return float64(points * m.scale)
}

// slopes fills in the derivative of a row's log-odds by each coordinate.
func (m *model) slopes(row int, x []float64) {
	x[len(m.active)] = 1
	if m.evaluation != nil {
		x[0] = float64(float32(m.evaluation.base(row))) * m.units[0] * m.scale
		return
	}
	d := m.data
	for k, j := range m.active {
		x[k] = float64(d.Terms[row*d.Columns+j]) * m.units[j] * m.scale
	}
}

// at returns the log-odds of a row at z, given its slopes.
func (m *model) at(row int, x, z []float64) float64 {
	eta := m.base(row) + m.tempo
	for k, u := range x {
		eta += float64(u * z[k])
	}
	return eta
}

// sum adds the rows that keep accepts, at z, by fold.
func (m *model) sum(z []float64, keep func(row int) bool) (byFold [folds]*sums) {
	for f := range byFold {
		byFold[f] = newSums(m.size())
	}
	m.data.pass()
	inBlocks(m.data.Rows(), func(from, to int) (part [folds]*sums) {
		x := make([]float64, m.size())
		for row := from; row < to; row++ {
			if keep(row) {
				f := m.data.fold(row)
				if part[f] == nil {
					part[f] = newSums(m.size())
				}
				m.count(part[f], row, x, z)
			}
		}
		return part
	}, func(part [folds]*sums) {
		for f, s := range part {
			if s != nil {
				byFold[f].add(s)
			}
		}
	})
	return byFold
}

// count adds one row.
func (m *model) count(s *sums, row int, x, z []float64) {
	m.slopes(row, x)
	eta, result := m.at(row, x, z), float64(m.data.Result[row])
	q := chance(eta)
	weight := q * (1 - q)
	s.rows++
	s.loss += loss(eta, result)
	for i, u := range x {
		s.gradient[i] += float64(u * (q - result))
	}
	s.outer(x, weight)
}

// outer adds the outer product of x, times weight. Most terms of a position are 0.
func (s *sums) outer(x []float64, weight float64) {
	s.used = s.used[:0]
	for i, u := range x {
		if u != 0 {
			s.used = append(s.used, i)
		}
	}
	for n, i := range s.used {
		w, from := x[i]*weight, i*s.n-i*(i+1)/2 // the place of column 0 in the row of i
		for _, j := range s.used[n:] {
			s.hessian[from+j] += float64(w * x[j])
		}
	}
}

// inBlocks sums blocks of rows on all cores and adds them in order. One wave of blocks is in
// memory at a time.
func inBlocks[T any](rows int, work func(from, to int) T, add func(T)) {
	workers := runtime.GOMAXPROCS(0)
	wave := 16 * workers
	for first := 0; first*blockRows < rows; first += wave {
		n := min(wave, (rows+blockRows-1)/blockRows-first)
		parts := make([]T, n)
		var next atomic.Int64
		var group sync.WaitGroup
		for range min(workers, n) {
			group.Go(func() {
				for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
					from := (first + k) * blockRows
					parts[k] = work(from, min(from+blockRows, rows))
				}
			})
		}
		group.Wait()
		for _, p := range parts {
			add(p)
		}
	}
}
