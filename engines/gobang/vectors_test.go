package gobang

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// vectorFile is testdata/vectors.json: positions with every stone's score, side and board
// scores, from a program that compiles the source's get_score and critic (with index 15 off the
// board), also under other weights; and moves and scores of its search, with white to move.
type vectorFile struct {
	Vectors []struct {
		Name       string
		Rows       []string
		Candidates int
		FiveBlack  bool `json:"five_black"`
		FiveWhite  bool `json:"five_white"`
		Alt        []struct {
			Weights []float64
			K       float64
			Critic  int64
		}
		Expect struct {
			Stones               [][]any
			Black, White, Critic int64
		}
	}
	Search []struct {
		Name       string
		Rows       []string
		Depth      int
		Move       [2]int
		Score      int64
		RootScores [][3]int64 `json:"root_scores"`
	}
}

func readVectors(t testing.TB) (f vectorFile) {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func open(t testing.TB, rules string) engines.Variant {
	t.Helper()
	r, err := engines.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Game().Open(r)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func preset(t testing.TB, name string) params.Vector {
	t.Helper()
	p, err := Game().Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return p.Vector.Clone()
}

// terms returns the terms of Evaluate after a round trip through JSON.
func terms(t testing.TB, v engines.Variant, position string, vector params.Vector) map[string]any {
	t.Helper()
	list, err := v.Evaluate(position, nil, vector)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]any{}
	for _, term := range list {
		data, err := json.Marshal(term.Value)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(data, &value); err != nil {
			t.Fatal(err)
		}
		m[term.Name] = value
	}
	return m
}

func TestEvaluationMatchesVectors(t *testing.T) {
	game := open(t, "")
	for _, v := range readVectors(t).Vectors {
		t.Run(v.Name, func(t *testing.T) {
			position := strings.Join(v.Rows, "/") + " W"
			want := map[string]any{
				"black": float64(v.Expect.Black), "white": float64(v.Expect.White),
				"score": float64(v.Expect.Critic), "stones": []any{},
			}
			for _, s := range v.Expect.Stones {
				want["stones"] = append(want["stones"].([]any), s)
			}
			if d := cmp.Diff(want, terms(t, game, position, preset(t, "source"))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			for _, alt := range v.Alt {
				w := preset(t, "source")
				copy(w[pLive2:], alt.Weights)
				w[pDefence] = alt.K
				if got := terms(t, game, position, w)["score"]; got != float64(alt.Critic) {
					t.Errorf("weights %v, defence %v: score %v, want %d", alt.Weights, alt.K, got, alt.Critic)
				}
			}
			checkFacts(t, position, v.Candidates, v.FiveBlack, v.FiveWhite)
		})
	}
}

func checkFacts(t *testing.T, position string, candidates int, fiveBlack, fiveWhite bool) {
	t.Helper()
	s := newState(variant{size: 15})
	if err := s.SetText(position); err != nil {
		t.Fatal(err)
	}
	if fiveBlack != (s.Outcome() == engines.FirstWins) || fiveWhite != (s.Outcome() == engines.SecondWins) {
		t.Errorf("outcome %v; five of black %v, of white %v", s.Outcome(), fiveBlack, fiveWhite)
	}
	b := newBoard(s.rules)
	b.load(&s)
	if g := b.near(); len(g.appendMoves(nil)) != candidates {
		t.Errorf("%d candidates, want %d", len(g.appendMoves(nil)), candidates)
	}
}

func joinRows(rows []string) string { return strings.Join(rows, "/") }

// swapped returns rows with the colours exchanged.
func swapped(rows []string) string {
	return strings.NewReplacer("B", "W", "W", "B").Replace(strings.Join(rows, "/"))
}

func TestSearchMatchesVectors(t *testing.T) {
	game := open(t, "")
	for _, v := range readVectors(t).Search {
		t.Run(v.Name, func(t *testing.T) {
			// Either colour must play the same.
			for _, position := range []string{strings.Join(v.Rows, "/") + " W", swapped(v.Rows) + " B"} {
				p := game.NewPlayer()
				if err := p.Configure(preset(t, "source")); err != nil {
					t.Fatal(err)
				}
				if err := p.Reset(position, 0); err != nil {
					t.Fatal(err)
				}
				d, err := p.Choose(context.Background(), nil, engines.Limits{Depth: v.Depth})
				if err != nil {
					t.Fatal(err)
				}
				x, y := cellOf(d.Move).xy()
				if [2]int{x, y} != v.Move || int64(d.Score) != v.Score {
					t.Errorf("%s: move %d,%d score %v; want %v score %d", position, x, y, d.Score, v.Move, v.Score)
				}
			}
		})
	}
}
