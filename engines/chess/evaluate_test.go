package chess

import "testing"

// TestAddedTermsAreCounted counts terms of positions in which they are easy to see.
func TestAddedTermsAreCounted(t *testing.T) {
	for _, x := range []struct {
		term, position string
		own, other     int32
	}{
		{"threat_minor", "4k3/8/2r1q3/8/3N4/8/8/4K3 w - -", 2, 0},
		{"threat_rook", "3qk3/8/8/8/8/8/8/3RK3 w - -", 1, 0},
		{"hanging", "4k3/8/8/3p4/8/8/8/3RK3 w - -", 1, 0},
		{"outpost", "4k3/p6p/8/3N4/4P3/8/8/4K3 w - -", 1, 0},
		{"outpost", "4k3/2p4p/8/3N4/4P3/8/8/4K3 w - -", 0, 0}, // a pawn may attack it
		{"bad_bishop", "4k3/8/8/8/8/3P4/4P3/5B1K w - -", 2, 0},
		{"threat_on_minor", "4k3/8/4n3/8/8/8/8/4RK2 w - -", 1, 0},
		{"threat_on_minor", "4k3/3p4/4n3/8/8/8/8/4RK2 w - -", 0, 0}, // a pawn defends it
		{"threat_by_step", "4k3/8/3r4/8/4P3/8/8/4K3 w - -", 1, 0},
		{"restricted", "4k3/8/8/8/8/8/8/4KR2 w - -", 2, 2}, // f7 and f8
		{"check", "4k3/8/8/8/8/8/8/R3K3 w - -", 1, 0},
		{"pinned", "4k3/8/8/8/4r3/8/4N3/4K3 w - -", 1, 0},
		{"xray", "4k3/3r4/8/8/8/3N4/3Q4/4K3 w - -", 1, 0},
		{"trapped", "4k3/8/8/8/8/8/1P6/B3K3 w - -", 1, 0},
		{"many_pawns", "4k3/8/8/8/8/8/PPPPPPP1/4K2R w - -", 2, 0},
		{"king_pawns", "4k3/8/8/8/8/8/P7/4K3 w - -", 32, 48},
		{"passed_path", "7k/8/8/P7/8/8/8/4K3 w - -", 3, 0},
		{"passed_path", "1r5k/8/8/P7/8/8/8/4K3 w - -", 0, 0},
		{"passed_race", "7k/8/8/P7/1K6/8/8/8 w - -", 15, 0}, // 7 steps against 2
	} {
		p := Position{}
		if err := p.SetText(x.position); err != nil {
			t.Fatal(err)
		}
		var own, other counts
		p.countBoth(p.turn&1, &own, &other, true)
		for i, info := range termInfo {
			if info.name == x.term && (own[i] != x.own || other[i] != x.other) {
				t.Errorf("%s in %s: %d and %d, want %d and %d", x.term, x.position, own[i], other[i], x.own, x.other)
			}
		}
	}
}
