package rating

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// matrix returns pairs with these counts.
// drawn is the number of even pairs drawn twice; all other even pairs are won and lost.
func matrix(p Pairs, drawn int) PairMatrix {
	return PairMatrix{{p[0], p[1], 0}, {0, drawn, p[3]}, {p[2] - drawn, 0, p[4]}}
}

var share = regexp.MustCompile(` \([-0-9.]+%\)`)

// TestBlockPrintsShareLikeFastchess expects the line of the ratio that
// fastchess of 2026 printed after 24 pairs of two engines at fixed nodes.
func TestBlockPrintsShareLikeFastchess(t *testing.T) {
	test, err := ParseSPRT("elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized")
	if err != nil {
		t.Fatal(err)
	}
	pairs := Pairs{16, 3, 5, 0, 0}
	at := test.Pairs(pairs)
	if got, want := matrix(pairs, 0).Block(&at).String(), "LLR: -0.85 (-29.0%) (-2.94, 2.94) [0.00, 10.00]\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got\n%swant at the end\n%s", got, want)
	}
}

// TestBlockMatchesPublishedNumbers expects the numbers that fastchess printed, to all
// digits, from the counts it printed: in pull requests 727 of cinder and 1899 of Lynx, in
// fastchess's issue 807 and pull request 515, and in published tests of zeno and chesso.
// The number of drawn pairs follows from the printed ratio of decided to drawn pairs.
func TestBlockMatchesPublishedNumbers(t *testing.T) {
	for _, v := range []struct {
		pairs Pairs
		drawn int
		test  string
		want  string
	}{
		{Pairs{50, 287, 610, 387, 73}, 327, "elo0=0,elo1=5,model=normalized", `Elo: 18.04 +/- 8.23, nElo: 28.19 +/- 12.84
LOS: 100.00 %, DrawRatio: 43.35 %, PairsRatio: 1.36
Games: 2814, Wins: 816, Losses: 670, Draws: 1328, Points: 1480.0 (52.59 %)
Ptnml(0-2): [50, 287, 610, 387, 73], WL/DD Ratio: 0.87
LLR: 2.97 (-2.94, 2.94) [0.00, 5.00]
`},
		{Pairs{235, 1384, 2521, 1341, 239}, 1315, "elo0=-5,elo1=0,alpha=0.05,beta=0.1,model=logistic", `Elo: -1.06 +/- 4.05, nElo: -1.67 +/- 6.37
LOS: 30.33 %, DrawRatio: 44.07 %, PairsRatio: 0.98
Games: 11440, Wins: 3025, Losses: 3060, Draws: 5355, Points: 5702.5 (49.85 %)
Ptnml(0-2): [235, 1384, 2521, 1341, 239], WL/DD Ratio: 0.92
LLR: 1.69 (-2.25, 2.89) [-5.00, 0.00]
`},
		{Pairs{352, 579, 1264, 743, 464}, 217, "elo0=9,elo1=16,alpha=0.01,beta=0.01,model=normalized", `Elo: 19.83 +/- 6.77, nElo: 24.25 +/- 8.26
LOS: 100.00 %, DrawRatio: 37.15 %, PairsRatio: 1.30
Games: 6804, Wins: 2718, Losses: 2330, Draws: 1756, Points: 3596.0 (52.85 %)
Ptnml(0-2): [352, 579, 1264, 743, 464], WL/DD Ratio: 4.82
LLR: 4.60 (-4.60, 4.60) [9.00, 16.00]
`},
		{Pairs{790, 1759, 3256, 1780, 807}, 911, "elo0=0,elo1=5,model=normalized", `Elo: 1.14 +/- 4.04, nElo: 1.48 +/- 5.26
LOS: 70.95 %, DrawRatio: 38.80 %, PairsRatio: 1.01
Games: 16784, Wins: 5739, Losses: 5684, Draws: 5361, Points: 8419.5 (50.16 %)
Ptnml(0-2): [790, 1759, 3256, 1780, 807], WL/DD Ratio: 2.57
LLR: -0.71 (-2.94, 2.94) [0.00, 5.00]
`},
		{Pairs{30, 6, 18, 0, 6}, 0, "", `Elo: -168.40 +/- 73.37, nElo: -170.08 +/- 62.16
LOS: 0.00 %, DrawRatio: 30.00 %, PairsRatio: 0.17
Games: 120, Wins: 30, Losses: 84, Draws: 6, Points: 33.0 (27.50 %)
Ptnml(0-2): [30, 6, 18, 0, 6], WL/DD Ratio: inf
`},
		{Pairs{0, 1, 4, 0, 0}, 3, "", `Elo: -34.86 +/- 62.20, nElo: -122.84 +/- 215.34
LOS: 13.18 %, DrawRatio: 80.00 %, PairsRatio: 0.00
Games: 10, Wins: 1, Losses: 2, Draws: 7, Points: 4.5 (45.00 %)
Ptnml(0-2): [0, 1, 4, 0, 0], WL/DD Ratio: 0.33
`},
	} {
		var at *Progress
		if v.test != "" {
			test, err := ParseSPRT(v.test)
			if err != nil {
				t.Fatal(err)
			}
			progress := test.Pairs(v.pairs)
			at = &progress
		}
		// older versions of fastchess did not print the progress
		if got := share.ReplaceAllString(matrix(v.pairs, v.drawn).Block(at).String(), ""); got != v.want {
			t.Errorf("got\n%swant\n%s", got, v.want)
		}
	}
}

// TestBlockWritesUnknownAsNull expects "nan" or "inf"
// in the text and null in JSON for undefined numbers.
func TestBlockWritesUnknownAsNull(t *testing.T) {
	for _, m := range []PairMatrix{{}, {2: {2: 5}}, {1: {1: 3}}} {
		data, err := json.Marshal(m.Block(nil))
		if err != nil || !strings.Contains(string(data), "null") || !strings.Contains(string(data), `"ptnml":[`) {
			t.Errorf("%v: %s, %v", m, data, err)
		}
		if text := m.Block(nil).String(); strings.Contains(text, "Inf") || strings.Contains(text, "NaN") || !strings.Contains(text, "n") {
			t.Errorf("%v: %s", m, text)
		}
	}
}
