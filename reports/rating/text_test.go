package rating

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestNumbersInJSONReadBack expects arrays, objects and names in JSON, and the same values when
// they are read again.
func TestNumbersInJSONReadBack(t *testing.T) {
	for _, v := range []struct {
		value any
		want  string
	}{
		{Pairs{34, 54, 63, 64, 75}, "[34,54,63,64,75]"},
		{Games{Wins: 34, Draws: 12, Losses: 31}, `{"Wins":34,"Draws":12,"Losses":31}`},
		{PairMatrix{{10, 0, 30}, {1, 2, 3}, {20, 0, 40}}, "[[10,0,30],[1,2,3],[20,0,40]]"},
		{SPRT{Elo1: 5, Alpha: .05, Beta: .1, Model: Normalized}, `{"model":"normalized","elo0":0,"elo1":5,"alpha":0.05,"beta":0.1}`},
		{AcceptH0, `"H0"`},
		{GainTooSmall, `"gain-too-small"`},
		{sparse | tooFew, `"too-few,sparse"`},
		{warnings(0), `""`},
	} {
		if data, err := json.Marshal(v.value); err != nil || string(data) != v.want {
			t.Errorf("%v: JSON %s, %v, want %s", v.value, data, err, v.want)
		}
	}
	for w := range warnings(1 << len(warningNames)) {
		var read warnings
		if err := read.UnmarshalText([]byte(w.String())); err != nil || read != w {
			t.Errorf("%v read as %v, %v", w, read, err)
		}
	}
	for _, text := range []string{"too-few,", "none"} {
		if err := new(warnings).UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "no warning") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func TestWarningsFollowTally(t *testing.T) {
	for _, v := range []struct {
		e    Estimate
		want warnings
	}{
		{Pairs{}.Estimate(.95), tooFew},
		{Pairs{1, 2, 1}.Estimate(.95), tooFew},
		{Pairs{4: 5}.Estimate(.95), tooFew | allAlike | oneSided},
		{Pairs{2: 100}.Estimate(.95), allAlike},
		{Pairs{1, 0, 97, 0, 2}.Estimate(.95), sparse},
		{Pairs{3, 0, 95, 0, 2}.Estimate(.95), 0},
		{Pairs{0, 0, 0, 6, 9000}.Estimate(.95), oneSided},
		{Sequence{}.Estimate(Pairs{10, 5, 30, 5, 10}), noIntervalYet},
		{Sequence{}.Estimate(Pairs{20, 5, 30, 5, 20}), 0},
	} {
		if v.e.Warnings != v.want {
			t.Errorf("%v: warnings %v, want %v", v.e, v.e.Warnings, v.want)
		}
	}
}

// TestNormalizedEloOfEqualPairs has pairs of one score. The spread by which nElo divides is
// then 0, and more games need not change it.
func TestNormalizedEloOfEqualPairs(t *testing.T) {
	for want, p := range map[string]Pairs{
		"too few games yet":                          {2: 31},
		"not defined: all pairs have the same score": {2: 1500},
		"+14.6, from ":                               {20, 0, 60, 0, 24},
	} {
		if got := p.Estimate(.95).Normalized(); !strings.HasPrefix(got, want) {
			t.Errorf("%v: %s, want %s", p, got, want)
		}
	}
}

// TestSuperiorRefusesFewPairs expects no likelihood of
// superiority that the interval of Elo contradicts.
func TestSuperiorRefusesFewPairs(t *testing.T) {
	for want, p := range map[string]Pairs{"too few games yet": {3}, "> 99.9 % likely": {4: 32}, "50.0 % likely": {2: 40}} {
		if e := p.Estimate(.95); e.Superior() != want {
			t.Errorf("%v: %s, want %s", e, e.Superior(), want)
		}
	}
}

func TestChanceIsNeverCertain(t *testing.T) {
	for p, want := range map[float64]string{1: "> 99.9 %", .99951: "> 99.9 %", .9994: "99.9 %", .5: "50.0 %", .0006: "0.1 %", .0004: "< 0.1 %", 0: "< 0.1 %"} {
		if got := Chance(p); got != want {
			t.Errorf("%v: %q, want %q", p, got, want)
		}
	}
}

func TestBoundsExplainsDifferenceFromWald(t *testing.T) {
	s := SPRT{Elo1: 10}
	want := "The test ends at -2.97 and 2.97 rather than at Wald's -2.94 and 2.94: each error rate is kept by itself, not only their sum, " +
		"with an allowance for what is estimated from the same 1,960 pairs and for how far the ratio jumps past a bound."
	if got := s.Pairs(Pairs{400, 100, 900, 120, 440}).Bounds(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := (SPRT{Elo1: 10, Alpha: .0001, Beta: .0001}).Pairs(Pairs{}).Bounds(); got != "" {
		t.Errorf("bounds that print alike are explained: %s", got)
	}
}

func TestApartNamesBothChances(t *testing.T) {
	want := "Two players whose 95 % intervals lie apart probably differ: two equal ones, chosen before the games, lie apart in 5 % of tournaments at most, but among many players some do by chance."
	if got := Apart(.95); got != want {
		t.Errorf("got %s", got)
	}
}
