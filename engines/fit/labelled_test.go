package fit

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
)

// TestLabelledReadsFormsOfTuners reads positions as tuners of chess engines write them.
func TestLabelledReadsFormsOfTuners(t *testing.T) {
	const fen = "4k3/8/8/8/8/8/4P3/4K3 w - -"
	for _, c := range []struct {
		line    string
		text    string
		score   float64
		outcome engines.Outcome
	}{
		{fen + ` c9 "1-0";`, fen, math.NaN(), engines.FirstWins},
		{fen + ` c9 0-1`, fen, math.NaN(), engines.SecondWins},
		{fen + ` c9 "1/2-1/2";`, fen, math.NaN(), engines.Draw},
		{fen + ` 0 1; [0.5]`, fen + " 0 1", math.NaN(), engines.Draw},
		{fen + ` 0 1 [1.0]`, fen + " 0 1", math.NaN(), engines.FirstWins},
		{fen + ` 0 1 [0.0];`, fen + " 0 1", math.NaN(), engines.SecondWins},
		{fen + ` 0 1 | -85 | 0.0`, fen + " 0 1", -85, engines.SecondWins},
		{fen + ` 0 1 | 1`, fen + " 0 1", math.NaN(), engines.FirstWins},
		{fen + `;1.0`, fen, math.NaN(), engines.FirstWins},
		{fen + `, 0.5`, fen, math.NaN(), engines.Draw},
	} {
		var got []Position
		for p, err := range Labelled("a.epd", strings.NewReader("# comment\n\n"+c.line+"\r\n")) {
			if err != nil {
				t.Errorf("%s: %v", c.line, err)
			}
			got = append(got, p)
		}
		want := []Position{{Where: "a.epd:3", Text: c.text, Score: c.score, Outcome: c.outcome}}
		if d := cmp.Diff(want, got, cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })); d != "" {
			t.Errorf("%s: (-want +got)\n%s", c.line, d)
		}
	}
	for _, line := range []string{fen, fen + " [0.7]", fen + " | 85", fen + " | x | 1", "[1.0]", "| 1.0"} {
		for _, err := range Labelled("a.epd", strings.NewReader(line)) {
			if err == nil || !strings.Contains(err.Error(), "a.epd:1: ") || !strings.Contains(err.Error(), "POSITION; [RESULT]") {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}

// TestScoreOfPositionIsOfTheSideToMove turns scores and results to the side to move.
func TestScoreOfPositionIsOfTheSideToMove(t *testing.T) {
	v, err := games.Open("chess", "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSet(v, Options{Start: v.Game.Space.Default()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var list []Position
	for _, turn := range []string{"w", "b"} {
		list = append(list, Position{Where: turn, Text: "4k3/8/8/8/8/8/4P3/4K3 " + turn + " - -", Score: 85, Outcome: engines.FirstWins})
	}
	if err := s.AddPositions(list, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.load(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]float32{{1, 0}, {85, -85}}, [][]float32{s.data.Result, s.scores}); d != "" {
		t.Errorf("results and scores (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int32{0, 1}, s.data.Cluster); d != "" {
		t.Errorf("clusters (-want +got):\n%s", d)
	}
	if err := s.AddPositions([]Position{{Where: "b:7", Text: "?"}}, nil); err == nil || !strings.HasPrefix(err.Error(), "b:7: ") {
		t.Errorf("a bad position: %v", err)
	}
}

// TestColumnInFileHoldsSameNumbers keeps the same numbers in memory and in a file, also if it grows after it was read.
func TestColumnInFileHoldsSameNumbers(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var memory column[float32]
	file := column[float32]{size: 16}
	var want []float32
	for n := range 20 {
		for k := range n {
			want = append(want, float32(k))
		}
		memory.add(want[len(want)-n:]...)
		file.add(want[len(want)-n:]...)
		for _, c := range []*column[float32]{&memory, &file} {
			got, err := c.all()
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" && len(want) > 0 {
				t.Fatalf("after %d additions (-want +got):\n%s", n, d)
			}
		}
	}
	if file.file == nil || memory.file != nil {
		t.Error("want one of the two in a file")
	}
	if err := file.close(); err != nil {
		t.Error(err)
	}
	t.Setenv("TMPDIR", "/nowhere")
	bad := column[float32]{size: 1}
	bad.add(1, 2)
	if _, err := bad.all(); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("without a folder for temporary files: %v", err)
	}
}
