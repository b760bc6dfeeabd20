package rating

import (
	"encoding"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type textual[T any] interface {
	*T
	encoding.TextMarshaler
	encoding.TextUnmarshaler
}

// again fails unless a value comes back from its text and from JSON.
func again[T any, P textual[T]](t interface{ Fatalf(string, ...any) }, value T, wantText, wantJSON string) {
	text, err := P(&value).MarshalText()
	if err != nil || wantText != "" && string(text) != wantText {
		t.Fatalf("%v: text %q, %v, want %q", value, text, err, wantText)
	}
	var read, decoded T
	if err := P(&read).UnmarshalText(text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	data, err := json.Marshal(value)
	if err != nil || wantJSON != "" && string(data) != wantJSON {
		t.Fatalf("%v: JSON %s, %v, want %s", value, data, err, wantJSON)
	}
	if err := json.Unmarshal(data, &decoded); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	if diff := cmp.Diff([]T{value, value}, []T{read, decoded}); diff != "" {
		t.Fatalf("read again from text and JSON:\n%s", diff)
	}
}

func TestTextForms(t *testing.T) {
	again(t, Pairs{34, 54, 63, 64, 75}, "34,54,63,64,75", "[34,54,63,64,75]")
	again(t, Games{Wins: 34, Draws: 12, Losses: 31}, "+34=12-31", `{"Wins":34,"Draws":12,"Losses":31}`)
	again(t, PairMatrix{{10, 0, 30}, {1, 2, 3}, {20, 0, 40}}, "10,0,30/1,2,3/20,0,40", "[[10,0,30],[1,2,3],[20,0,40]]")
	again(t, SPRT{Elo1: 5, Alpha: .05, Beta: .1, Model: Normalized}, "elo0=0,elo1=5,alpha=0.05,beta=0.1,model=normalized",
		`{"model":"normalized","elo0":0,"elo1":5,"alpha":0.05,"beta":0.1}`)
	again(t, Normalized, "normalized", `"normalized"`)
	again(t, AcceptH0, "H0", `"H0"`)
	again(t, warnings(0).With(sparse, tooFew), "too-few,sparse", `"too-few,sparse"`)
	again(t, warnings(0), "", `""`)
	for w := range warningKinds {
		again(t, w, "", "")
		if !strings.HasSuffix(w.Sentence(), ".") {
			t.Errorf("%v: sentence %q", w, w.Sentence())
		}
	}
	var g Games
	if err := g.UnmarshalText([]byte(Games{1, 2, 3}.String())); err != nil || g != (Games{1, 2, 3}) {
		t.Errorf("text for people read as %v, %v", g, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := drawPairs(t)
		again(t, p, "", "")
		again(t, Games{p[0], p[1], p[2]}, "", "")
		again(t, PairMatrix{{p[0], p[1], p[2]}, {p[3]}, {p[4]}}, "", "")
	})
	if text, err := (SPRT{Elo0: 5}).MarshalText(); err == nil {
		t.Errorf("a reversed test was written as %s", text)
	}
	if text, err := (warningKinds).MarshalText(); err == nil {
		t.Errorf("an unknown warning was written as %s", text)
	}
}

func TestTextFaults(t *testing.T) {
	for _, v := range []struct {
		into encoding.TextUnmarshaler
		text string
		want string
	}{
		{new(Pairs), "", "1 field"},
		{new(Pairs), "1,2,3,4", "4 fields"},
		{new(Pairs), "1,2,3,4,-5", `"-5" is no count`},
		{new(Pairs), "1,2,3,4,5e9", `"5e9" is no count`},
		{new(Pairs), "1,2,3,4,9999999999999999", "is no count"},
		{new(Games), "+1=2", "such as"},
		{new(Games), "1=2-3", "such as"},
		{new(Games), "+1=2--3", "is no count"},
		{new(PairMatrix), "1,2,3/4,5,6", "three rows"},
		{new(PairMatrix), "1,2,3/4,5,6/7,8", "2 fields"},
		{new(SPRT), "elo0=5,elo1=0", "reversed"},
		{new(Model), "bayes", "unknown model"},
		{new(State), "H2", "unknown state"},
		{new(warning), "", "no warning"},
		{new(warnings), "too-few,", "no warning"},
	} {
		if err := v.into.UnmarshalText([]byte(v.text)); err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%T %q: error %v, want one about %q", v.into, v.text, err, v.want)
		}
	}
	for _, v := range []struct {
		into any
		data string
	}{
		{new(Pairs), `[1,2,3,4]`}, {new(Pairs), `[1,2,3,4,-1]`}, {new(Pairs), `"1,2,3,4,5"`},
		{new(Games), `{"Wins":-1}`}, {new(Games), `7`}, {new(PairMatrix), `[[1,2,3]]`}, {new(PairMatrix), `[[1,2,3],[1],[2]]`}, {new(PairMatrix), `{}`},
		{new(SPRT), `{"elo0":5,"elo1":0}`}, {new(SPRT), `[]`},
	} {
		if err := json.Unmarshal([]byte(v.data), v.into); err == nil {
			t.Errorf("%T: %s was read", v.into, v.data)
		}
	}
}

func FuzzTextForms(f *testing.F) {
	f.Add("34,54,63,64,75")
	f.Add("+34=12-31")
	f.Add("10,0,30/0,0,0/20,0,40")
	f.Fuzz(func(t *testing.T, text string) {
		var p Pairs
		if p.UnmarshalText([]byte(text)) == nil {
			again(t, p, "", "")
		}
		var g Games
		if g.UnmarshalText([]byte(text)) == nil {
			again(t, g, "", "")
		}
		var w PairMatrix
		if w.UnmarshalText([]byte(text)) == nil {
			again(t, w, "", "")
		}
	})
}

func TestWarnings(t *testing.T) {
	for _, v := range []struct {
		e    Estimate
		want warnings
	}{
		{Pairs{}.Estimate(.95), warnings(0).With(tooFew)},
		{Pairs{1, 2, 1}.Estimate(.95), warnings(0).With(tooFew)},
		{Pairs{4: 5}.Estimate(.95), warnings(0).With(tooFew, allAlike, oneSided)},
		{Pairs{2: 100}.Estimate(.95), warnings(0).With(allAlike)},
		{Pairs{1, 0, 97, 0, 2}.Estimate(.95), warnings(0).With(sparse)},
		{Pairs{3, 0, 95, 0, 2}.Estimate(.95), 0},
		{Pairs{0, 0, 0, 6, 9000}.Estimate(.95), warnings(0).With(oneSided)},
		{Sequence{}.Estimate(Pairs{10, 5, 30, 5, 10}), warnings(0).With(noIntervalYet)},
		{Sequence{}.Estimate(Pairs{20, 5, 30, 5, 20}), 0},
		{Pairs{34, 54, 63, 64, 75}.Estimate(.95).Warn(repeatedOpenings, stoppedEarly), warnings(0).With(repeatedOpenings, stoppedEarly)},
	} {
		if v.e.Warnings != v.want || v.e.Warnings.Len() != len(v.want.Sentences()) {
			t.Errorf("%v: warnings %v, want %v", v.e, v.e.Warnings, v.want)
		}
	}
}

func TestChance(t *testing.T) {
	for p, want := range map[float64]string{1: "> 99.9 %", .99951: "> 99.9 %", .9994: "99.9 %", .5: "50.0 %", .0006: "0.1 %", .0004: "< 0.1 %", 0: "< 0.1 %"} {
		if got := Chance(p); got != want {
			t.Errorf("%v: %q, want %q", p, got, want)
		}
	}
}

func TestBoundsExplained(t *testing.T) {
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

func TestApart(t *testing.T) {
	want := "Two players whose 95 % intervals lie apart probably differ: two equal ones, chosen before the games, lie apart in 5 % of tournaments at most, but among many players some do by chance."
	if got := Apart(.95); got != want {
		t.Errorf("got %s", got)
	}
}
