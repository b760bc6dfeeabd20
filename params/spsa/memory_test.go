package spsa

import (
	"runtime"
	"testing"

	"selfplaylab/params"
	"selfplaylab/params/tunertest"
)

// TestMemory: five hundred parameters and many iterations take a byte of memory for each sign,
// instead of the iterates.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("two thousand iterations of 500 parameters")
	}
	const d, iterations = 500, 4000
	space := tunertest.Line(d)
	active, err := space.Active(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	tuner, err := New(Settings{Space: space, Start: space.Default(), Active: active, Iterations: iterations, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	inUse := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	waiting := tuner.Ask()
	before := inUse()
	for range iterations / 2 {
		trial := waiting[0]
		if err := tuner.Tell(trial, params.Score{Pairs: [5]int{2: 1}}); err != nil {
			t.Fatal(err)
		}
		waiting = append(waiting[1:], tuner.Ask()...)
	}
	if grown := inUse() - before; grown > 4*d*iterations/2 {
		t.Errorf("%d bytes more after %d iterations of %d parameters", grown, iterations/2, d)
	}
	runtime.KeepAlive(tuner)
}
