package datasets

import (
	"bytes"
	"testing"
)

// TestReusedEncoderGivesSameBytes compares parts of one encoder with parts of new ones.
func TestReusedEncoderGivesSameBytes(t *testing.T) {
	trials, games, moves := &encoder[TrialRow]{table: trialsTable}, &encoder[GameRow]{table: gamesTable}, &encoder[MoveRow]{table: movesTable}
	for _, n := range []int64{5, 0, 1, 9, 5} {
		var t1 []TrialRow
		var g1 []GameRow
		for i := range n {
			trial, g := testTrial(3*n + i)
			t1, g1 = append(t1, trial), append(g1, g...)
		}
		s := span{3 * n, n, int64(len(g1))}
		sameEncoding(t, trials, t1, s)
		sameEncoding(t, games, g1, s)
		sameEncoding(t, moves, testDecisionsOf(g1), s)
	}
}

func sameEncoding[T any](t *testing.T, e *encoder[T], rows []T, s span) {
	t.Helper()
	want := must[[]byte](t)((&encoder[T]{table: e.table}).encode(rows, movesMeta, s))
	if got := must[[]byte](t)(e.encode(rows, movesMeta, s)); !bytes.Equal(got, want) {
		t.Errorf("%s, %d rows: %d bytes differ from the %d of a new encoder", e.table.name, len(rows), len(got), len(want))
	}
}
