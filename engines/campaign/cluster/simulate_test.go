package cluster

import (
	"fmt"
	"testing"
	"time"
)

func TestSim(t *testing.T) {
	for _, n := range []int{1000} {
		a := time.Now()
		x := SimulateTournament(Usual(n), 300)
		b := time.Now()
		y := SimulateTuning(Usual(n), 10)
		fmt.Printf("%d %+v %v\n      %+v %v\n", n, x, b.Sub(a), y, time.Since(b))
	}
}
