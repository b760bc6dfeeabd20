package main

import (
	"fmt"
	"go/token"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// upward holds the packages with a limit of their own for references that run back up. In all
// other packages fewer than a tenth may. Lower a number with the code.
//
// A file refers to another file of its package if it uses a name of that file: a function,
// type, variable, constant, method or field. Each pair of files counts once. Files read from
// top to bottom if callers stand above helpers. A reference runs back up if the file used
// stands above its user, in the order of files with the fewest such references.
var upward = map[string]int{
	"cmd/internal/web":    0,
	"engines/runs/tuning": 0,
}

// TestFilesReadFromTheTop bounds the references that run back up in each package.
func TestFilesReadFromTheTop(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads the whole module")
	}
	seen := map[string]bool{}
	for _, p := range fileReferences(t) {
		seen[p.folder] = true
		up, share := p.upward(), max(0, len(p.used)-1)/10
		limit, own := upward[p.folder]
		if !own {
			limit = share
		}
		t.Logf("%-32s %2d of %3d references run back up", p.folder, len(up), len(p.used))
		switch {
		case len(up) > limit:
			t.Errorf("%s: %d of %d references between files run back up, at most %d may; move what is used to the file below:\n%s",
				p.folder, len(up), len(p.used), limit, strings.Join(up, "\n"))
		case limit > share && len(up) <= share:
			t.Errorf("%s: fewer than a tenth of the references run back up; remove its line from upward", p.folder)
		case own && len(up) < limit:
			t.Errorf("%s: lower upward to %d", p.folder, len(up))
		}
	}
	for folder := range upward {
		if !seen[folder] {
			t.Errorf("upward has a limit for %s, but there is no such package", folder)
		}
	}
}

// references holds the references between the files of a package.
type references struct {
	folder string
	files  []string
	used   map[[2]int]string // a name, by the file that uses it and the file that has it
}

// upward describes the references that run back up.
func (r references) upward() []string {
	rank := make([]int, len(r.files))
	for i, file := range r.order() {
		rank[file] = i
	}
	var list []string
	for pair, name := range r.used {
		if rank[pair[0]] > rank[pair[1]] {
			list = append(list, fmt.Sprintf("\t%s uses %s of %s", r.files[pair[0]], name, r.files[pair[1]]))
		}
	}
	slices.Sort(list)
	return list
}

// order returns the files from top to bottom, with the fewest references that run back up. Only
// files in one circle can refer to each other, so each circle is ordered alone.
func (r references) order() (order []int) {
	uses := make([][]int, len(r.files))
	for _, pair := range slices.SortedFunc(maps.Keys(r.used), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		uses[pair[0]] = append(uses[pair[0]], pair[1])
	}
	for _, circle := range circles(uses) {
		order = append(order, orderCircle(circle, uses)...)
	}
	return order
}

// circles returns the strongly connected components, used ones last (Tarjan 1972).
func circles(uses [][]int) (list [][]int) {
	index, low, onStack := make([]int, len(uses)), make([]int, len(uses)), make([]bool, len(uses))
	var stack []int
	next := 0
	var visit func(v int)
	visit = func(v int) {
		next++
		index[v], low[v] = next, next
		stack, onStack[v] = append(stack, v), true
		for _, w := range uses[v] {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if onStack[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] < index[v] {
			return
		}
		at := slices.Index(stack, v)
		list = append(list, slices.Clone(stack[at:]))
		for _, w := range stack[at:] {
			onStack[w] = false
		}
		stack = stack[:at]
	}
	for v := range uses {
		if index[v] == 0 {
			visit(v)
		}
	}
	slices.Reverse(list)
	return list
}

// orderCircle returns the best order of a circle by dynamic programming over sets of files. The
// cost of a file is its number of references to files above. It panics if the circle has more
// than 24 files.
func orderCircle(circle []int, uses [][]int) []int {
	n := len(circle)
	if n > 24 {
		panic(fmt.Sprintf("a circle of %d files", n))
	}
	slices.Sort(circle)
	out := make([]uint, n)
	for i, v := range circle {
		for _, w := range uses[v] {
			if k := slices.Index(circle, w); k >= 0 {
				out[i] |= 1 << k
			}
		}
	}
	cost, last := make([]uint16, 1<<n), make([]uint8, 1<<n) // by the set of the files above
	for set := uint(1); set < 1<<n; set++ {
		cost[set] = 1<<16 - 1
		for rest := set; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros(rest)
			above := set &^ (1 << i)
			if c := cost[above] + uint16(bits.OnesCount(out[i]&above)); c < cost[set] {
				cost[set], last[set] = c, uint8(i)
			}
		}
	}
	order := make([]int, n)
	for set, place := uint(1)<<n-1, n-1; set != 0; place-- {
		order[place] = circle[last[set]]
		set &^= 1 << last[set]
	}
	return order
}

// fileReferences returns the references between the files of each package.
func fileReferences(t *testing.T) (list []references) {
	t.Helper()
	watch(t)
	packages, set, err := checkPackages(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		r := references{folder: p.folder, files: p.GoFiles, used: map[[2]int]string{}}
		index := map[*token.File]int{}
		for i, file := range p.files {
			index[set.File(file.Pos())] = i
		}
		for use, object := range p.info.Uses {
			if object.Pkg() != p.types {
				continue
			}
			pair := [2]int{index[set.File(use.Pos())], index[set.File(object.Pos())]}
			if name := r.used[pair]; pair[0] != pair[1] && (name == "" || object.Name() < name) {
				r.used[pair] = object.Name()
			}
		}
		list = append(list, r)
	}
	return list
}

// TestUpwardCountsFewest compares with all orders of the files, in random packages of six
// files: none has fewer references that run back up than the order found.
func TestUpwardCountsFewest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		r := references{files: strings.Fields("a b c d e f"), used: map[[2]int]string{}}
		for range 3 + random.IntN(15) {
			if pair := [2]int{random.IntN(6), random.IntN(6)}; pair[0] != pair[1] {
				r.used[pair] = "name"
			}
		}
		if got, want := len(r.upward()), fewestUpward(r, nil); got != want {
			t.Errorf("%v: %d references run back up; %d do in the best order", r.used, got, want)
		}
	}
}

// fewestUpward tries every order of the files below the placed ones.
func fewestUpward(r references, placed []int) int {
	fewest := len(r.used)
	for file := range r.files {
		if slices.Contains(placed, file) {
			continue
		}
		up := 0
		for _, above := range placed {
			if _, uses := r.used[[2]int{file, above}]; uses {
				up++
			}
		}
		fewest = min(fewest, up+fewestUpward(r, append(placed[:len(placed):len(placed)], file)))
	}
	if len(placed) == len(r.files) {
		return 0
	}
	return fewest
}
