package cluster

import (
	"testing"

	"selfplaylab/engines"
)

// TestBuildsAreComparedAsFarAsTheyCanBe: builds of another source or compiler differ, and so do
// two files of one program without a recorded source. Two different programs without a recorded
// source cannot be compared.
func TestBuildsAreComparedAsFarAsTheyCanBe(t *testing.T) {
	build := func(source, program string) Build {
		return Build{Identity: engines.Identity{Source: source, Program: program}, Revision: "r", Go: "go"}
	}
	recorded := build("s", "")
	tune, selfplay := build("u", "m/cmd/tune 1"), build("u", "m/cmd/selfplay 1")
	change := func(b Build, f func(*Build)) Build {
		f(&b)
		return b
	}
	for _, c := range []struct {
		name               string
		a, b               Build
		same, incomparable bool
	}{
		{"one", recorded, recorded, true, false},
		{"another revision and processor", recorded, change(recorded, func(b *Build) { b.Revision, b.Processor = "q", "arm64" }), true, false},
		{"another source", recorded, change(recorded, func(b *Build) { b.Source = "t" }), false, false},
		{"another compiler", recorded, change(recorded, func(b *Build) { b.Go = "newer" }), false, false},
		{"a program without recorded source", recorded, change(recorded, func(b *Build) { b.Program = "m/cmd/tune 1" }), false, false},
		{"one file", tune, tune, true, false},
		{"another file", tune, change(tune, func(b *Build) { b.Program = "m/cmd/tune 2" }), false, false},
		{"another program", tune, selfplay, true, true},
		{"another program of other modules", tune, change(selfplay, func(b *Build) { b.Source = "v" }), false, true},
		{"another program of another compiler", tune, change(selfplay, func(b *Build) { b.Go = "newer" }), false, true},
	} {
		for _, pair := range [][2]Build{{c.a, c.b}, {c.b, c.a}} {
			if got := pair[0].same(pair[1]); got != c.same {
				t.Errorf("%s: same %v", c.name, got)
			}
			if got := pair[0].incomparable(pair[1]); got != c.incomparable {
				t.Errorf("%s: incomparable %v", c.name, got)
			}
		}
	}
}
