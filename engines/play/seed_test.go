package play

import (
	"fmt"
	"selfplaylab/engines"
	"selfplaylab/engines/quoridor"
	"testing"
)

// TestSeedsAreApart: pairs, streams, phases and runs have unrelated seeds.
func TestSeedsAreApart(t *testing.T) {
	seen := map[uint64]string{}
	for run := range uint64(3) {
		for _, phase := range []string{"tune", "verify"} {
			for stream := range uint64(20) {
				for pair := range 20 {
					key := fmt.Sprint(run, phase, stream, pair)
					s := PairSeed(run, Stream(phase), stream, pair)
					for side := range 2 {
						for _, v := range []uint64{s, sideSeed(s, side)} {
							if other, twice := seen[v]; twice && other != key {
								t.Fatalf("%s and %s share a seed", key, other)
							}
							seen[v] = key
						}
					}
				}
			}
		}
	}
	// Pinned values: another seed would break every recorded run.
	if got := PairSeed(1, Stream("tune"), 2, 3); got != 15288083774775084080 {
		t.Errorf("the seed of a pair is %d now", got)
	}
}

func open(t testing.TB, rules engines.Rules) engines.Variant {
	t.Helper()
	v, err := quoridor.Game().Open(rules)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
