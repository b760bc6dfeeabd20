package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// verify plays a match in batches of 32 until the rule ends it.
func verify(v Verification, l law, r *rand.Rand) (look, int) {
	var p Pairs
	for {
		l.draw(r, &p, 32)
		if look := v.At(p); look.Outcome != Undecided {
			return look, p.N()
		}
	}
}

// TestVerificationKeepsErrorRates simulates many matches with a look every 32 pairs.
// Between equals "better" and "worse" together are found in 5 % at most.
// A true gain of MinGain is excluded in 5 % at most.
// Giving up costs little power, and saves most of the pairs where there is nothing to find.
func TestVerificationKeepsErrorRates(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates many matches")
	}
	const runs, gain = 1000, 30.
	plain := Verification{Sequence: Sequence{Tightest: 500}, Most: 640}
	rule := plain
	rule.MinGain, rule.Power = gain, .1
	for i, shape := range []law{{.15, 0, .7, 0, .15}, {.1, .2, .4, .2, .1}, {.03, .1, .7, .14, .03}} {
		count := func(v Verification, elo float64) (found [len(outcomes)]int, mean float64) {
			r := rand.New(rand.NewPCG(20, uint64(i)))
			truth := shape.at(Logistic, elo)
			for range runs {
				look, n := verify(v, truth, r)
				found[look.Outcome]++
				mean += float64(n) / runs
			}
			return found, mean
		}
		equal, pairs := count(rule, 0)
		atMost(t, fmt.Sprintf("law %d: shown between equals", i), equal[better]+equal[worse], runs, .05)
		_, all := count(plain, 0)
		if pairs > .75*all {
			t.Errorf("law %d: equals take %.0f pairs, %.0f without giving up", i, pairs, all)
		}
		gained, _ := count(rule, gain)
		atMost(t, fmt.Sprintf("law %d: gain excluded", i), gained[GainTooSmall]+gained[worse], runs, .05)
		without, _ := count(plain, gain)
		missed := float64(runs-without[better])/runs/(1-rule.Power) + .01
		atMost(t, fmt.Sprintf("law %d: gain of %v Elo missed", i, gain), runs-gained[better], runs, missed)
		worse, _ := count(rule, -gain)
		atMost(t, fmt.Sprintf("law %d: better though %v Elo worse", i, gain), worse[better], runs, .01)
		t.Logf("law %d: equal %v, %.0f pairs (%.0f without giving up); +%v Elo %v, without %v", i, equal, pairs, all, gain, gained, without)
	}
}

// TestConditionalPowerMatchesSimulation counts simulated matches
// with the same beginning that are shown better by the end.
// The conditional power is this share or slightly more.
func TestConditionalPowerMatchesSimulation(t *testing.T) {
	v := Verification{Sequence: Sequence{Tightest: 500}, Most: 1500, MinGain: 30, Power: .1}
	const runs = 1500
	for i, begin := range []Pairs{{60, 0, 280, 0, 60}, {50, 0, 270, 0, 80}, {90, 0, 650, 0, 110}, {70, 0, 280, 0, 50}} {
		power := v.At(begin).Power
		shape := law{}
		for k, n := range begin {
			shape[k] = float64(n)
		}
		truth := shape.at(Logistic, v.MinGain)
		r := rand.New(rand.NewPCG(21, uint64(i)))
		shown := 0
		for range runs {
			p := begin
			for p.N() < v.Most {
				truth.draw(r, &p, 10)
				if in, ok := v.Sequence.interval(p); ok && in.Low > .5 {
					shown++
					break
				}
			}
		}
		share := float64(shown) / runs
		t.Logf("%v: conditional power %.3f, simulated %.3f", begin, power, share)
		if margin := sigmas * math.Sqrt(share*(1-share)/runs); share > power+margin+.01 || share < power-margin-.1 {
			t.Errorf("%v: conditional power %v, simulated %v", begin, power, share)
		}
	}
}

func TestVerificationReachesEachOutcome(t *testing.T) {
	v := Verification{Most: 2000, MinGain: 20, Power: .1}
	for _, c := range []struct {
		v    Verification
		p    Pairs
		want string
	}{
		{v, Pairs{}, "undecided: no pairs played"},
		{v, Pairs{5, 0, 20, 0, 5}, "undecided: too few games yet (30 pairs)"},
		{v, Pairs{5, 0, 80, 0, 40}, "better: +"},
		{v, Pairs{40, 0, 80, 0, 5}, "worse: -"},
		{v, Pairs{30, 0, 900, 0, 30}, "given up: a gain of +20.0 Elo or more is excluded: 0.0 ±"},
		{Verification{Most: 2000, MinGain: 12, Power: .1}, Pairs{300, 0, 900, 0, 280}, "given up: even a true gain of +12.0 Elo would be shown with a chance of only"},
		{v, Pairs{490, 0, 1000, 0, 530}, "not shown to be better: +"},
		{Verification{Most: 20}, Pairs{5, 0, 10, 0, 5}, "not shown to be better: too few games yet (20 pairs)"},
	} {
		if got := c.v.At(c.p).String(); !strings.HasPrefix(got, c.want) {
			t.Errorf("%v: %s, want %s...", c.p, got, c.want)
		}
	}
	for _, bad := range []Verification{{Most: -1}, {MinGain: -1}, {MinGain: math.NaN()}, {Power: .1}, {Power: .1, Most: 5}, {Power: .5, Most: 5, MinGain: 1}, {Sequence: Sequence{Alpha: 2}}} {
		if bad.check() == nil || !panics(func() { bad.At(Pairs{}) }) {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
