package quadratic

import "math"

// The dense algebra of fits is written on plain slices, for three reasons: fits spend most of
// their time in it; a compiler that fuses products into sums would make other processors
// propose other trials (so every product that meets a sum is converted); and a factor can be
// kept in part (see search). gonum is equally fast only for products of matrices.

// factor is a lower Cholesky factor, row by row. Elements to the right of its diagonal are
// ignored.
type factor struct {
	n int
	l []float64
}

func newFactor(n int) factor { return factor{n, make([]float64, n*n)} }

func (f factor) row(i int) []float64 { return f.l[i*f.n : i*f.n+i+1] }

// rows factors the rows from first to before end of a matrix, given by its lower half, in
// place; the rows before first are already factored. It reports whether the matrix is positive
// definite there.
func (f factor) rows(first, end int) bool {
	for i := first; i < end; i++ {
		f.eliminate(i, i)
		r := f.row(i)
		d := r[i] - dot(r[:i], r[:i])
		if !(d > 0) || math.IsInf(d, 1) {
			return false
		}
		r[i] = math.Sqrt(d)
	}
	return true
}

// eliminate finishes the first columns of row i, using the rows with their numbers.
func (f factor) eliminate(i, columns int) {
	r := f.l[i*f.n : i*f.n+columns]
	j := 0
	for ; j+4 <= columns; j += 4 {
		a, b, c, d := f.row(j), f.row(j+1), f.row(j+2), f.row(j+3)
		s0, s1, s2, s3 := dot4(r[:j], a, b, c, d)
		r[j] = (r[j] - s0) / a[j]
		r[j+1] = (r[j+1] - s1 - float64(r[j]*b[j])) / b[j+1]
		r[j+2] = (r[j+2] - s2 - float64(r[j]*c[j]) - float64(r[j+1]*c[j+1])) / c[j+2]
		r[j+3] = (r[j+3] - s3 - float64(r[j]*d[j]) - float64(r[j+1]*d[j+1]) - float64(r[j+2]*d[j+2])) / d[j+3]
	}
	for ; j < columns; j++ {
		a := f.row(j)
		r[j] = (r[j] - dot(r[:j], a[:j])) / a[j]
	}
}

// forward solves L y = b in place, for the first n entries.
func (f factor) forward(b []float64, n int) {
	for i := range n {
		r := f.row(i)
		b[i] = (b[i] - dot(b[:i], r[:i])) / r[i]
	}
}

// backward solves L' y = b in place, with the first rows of L if b is shorter.
func (f factor) backward(b []float64) {
	for i := len(b) - 1; i >= 0; i-- {
		r := f.row(i)
		b[i] /= r[i]
		for j, v := range r[:i] {
			b[j] -= float64(v * b[i])
		}
	}
}

// logDet returns the logarithm of the determinant for the rows from first to before end of the
// matrix.
func (f factor) logDet(first, end int) float64 {
	sum := 0.0
	for i := first; i < end; i++ {
		sum += math.Log(f.l[i*f.n+i])
	}
	return 2 * sum
}

// inverseDiagonal returns the diagonal of the matrix's inverse: the square lengths of the
// columns of L's inverse.
func (f factor) inverseDiagonal() []float64 {
	// Row i of the inverse follows from the rows before it: -(1/L_ii) times the sum over j of
	// L_ij times row j.
	inverse, diagonal := newFactor(f.n), make([]float64, f.n)
	for i := range f.n {
		r, to := f.row(i), inverse.row(i)
		j := 0
		for ; j+4 <= i; j += 4 {
			add4(to[:j+4], inverse.l[j*f.n:], f.n, r[j:j+4])
		}
		for ; j < i; j++ {
			for k, v := range inverse.row(j) {
				to[k] += float64(r[j] * v)
			}
		}
		to[i] = -1
		scale := -1 / r[i]
		for k := range to {
			to[k] *= scale
			diagonal[k] += float64(to[k] * to[k])
		}
	}
	return diagonal
}

// add4 adds four rows with weights to a row. To the right of their diagonals the rows of an
// inverse are zero.
func add4(to, rows []float64, stride int, w []float64) {
	n := len(to)
	a, b, c, d := rows[:n], rows[stride:stride+n], rows[2*stride:2*stride+n], rows[3*stride:3*stride+n]
	w0, w1, w2, w3 := w[0], w[1], w[2], w[3]
	for k := range to {
		to[k] += (float64(w0*a[k]) + float64(w1*b[k])) + (float64(w2*c[k]) + float64(w3*d[k]))
	}
}

// dot sums products in four parts, which processors add at the same time.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	k := 0
	for ; k+4 <= len(a); k += 4 {
		p, q := a[k:k+4:k+4], b[k:k+4:k+4]
		s0 += float64(p[0] * q[0])
		s1 += float64(p[1] * q[1])
		s2 += float64(p[2] * q[2])
		s3 += float64(p[3] * q[3])
	}
	for ; k < len(a); k++ {
		s0 += float64(a[k] * b[k])
	}
	return (s0 + s1) + (s2 + s3)
}

// dot4 sums the products of a with the first elements of four others.
func dot4(a, b, c, d, e []float64) (s0, s1, s2, s3 float64) {
	n := len(a)
	b, c, d, e = b[:n], c[:n], d[:n], e[:n]
	for k, v := range a {
		s0 += float64(v * b[k])
		s1 += float64(v * c[k])
		s2 += float64(v * d[k])
		s3 += float64(v * e[k])
	}
	return s0, s1, s2, s3
}

// dot8Slowly sets s to the sums of the products of two columns with four others, whose numbers
// quads holds by row: eight sums in registers.
func dot8Slowly(s *[8]float64, a, b, quads []float64) {
	b = b[:len(a)]
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for k, v := range a {
		w, x := b[k], quads[4*k:4*k+4:4*k+4]
		s0 += float64(v * x[0])
		s1 += float64(v * x[1])
		s2 += float64(v * x[2])
		s3 += float64(v * x[3])
		s4 += float64(w * x[0])
		s5 += float64(w * x[1])
		s6 += float64(w * x[2])
		s7 += float64(w * x[3])
	}
	*s = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}

// blockRows is the number of rows of columns that are multiplied before the next ones, so that
// six columns of a block fit into the nearest cache.
const blockRows = 128

// crossProducts sets the lower half of to to the products of columns with the columns weighted
// by row. All columns have the same length.
func crossProducts(to factor, columns [][]float64, weight []float64) {
	clear(to.l)
	rows := min(blockRows, len(weight))
	weighted, quads := matrix(to.n, rows), matrix((to.n+3)/4, 4*rows)
	for first := 0; first < len(weight); first += rows {
		w := weight[first:min(first+rows, len(weight))]
		for i, c := range columns {
			block, scaled, quad := c[first:first+len(w)], weighted[i][:len(w)], quads[i/4][i%4:]
			for k, v := range w {
				scaled[k], quad[4*k] = v*block[k], block[k]
			}
			weighted[i] = scaled
		}
		addProducts(to, quads, weighted)
	}
}

// addProducts adds the lower half of the products of columns, in groups of four, with others.
func addProducts(to factor, quads, weighted [][]float64) {
	var s [8]float64
	for i := 0; i < to.n; i += 2 {
		next := min(i+1, to.n-1) // past the end: computed twice, added once
		for j := 0; j <= next; j += 4 {
			dot8(&s, weighted[i], weighted[next], quads[j/4])
			for k, v := range s {
				if row, col := i+k/4, j+k%4; row < to.n && col <= row {
					to.l[row*to.n+col] += v
				}
			}
		}
	}
}

// matrix returns n rows in one array.
func matrix(rows, columns int) [][]float64 {
	all, list := make([]float64, rows*columns), make([][]float64, rows)
	for i := range list {
		list[i] = all[i*columns : (i+1)*columns : (i+1)*columns]
	}
	return list
}
