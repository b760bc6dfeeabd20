package view_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/view"
	"selfplaylab/reports/rating"
)

// TestQueryNamesWrongField chooses and orders a list; the error of a wrong word names the field.
func TestQueryNamesWrongField(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 11, d, 12, 0, 0, 0, time.UTC) }
	list := []runs.Summary{ // the newest first, as List has them
		{Run: "r/d", Kind: "tune", Game: "mills", Created: day(9), Games: 10, Bytes: 5, Estimate: new(rating.Pairs{10, 0, 0, 0, 90}.Estimate(0.95)), Finished: true},
		{Run: "r/c", Kind: "match", Game: "mills", Created: day(8), Games: 30, Bytes: 4, Fault: "broken", Tags: []string{"old"}},
		{Run: "r/b", Kind: "match", Game: "gobang", Created: day(7), Games: 30, Bytes: 9, Name: "Paper", What: "final v bad", Estimate: new(rating.Pairs{4: 3}.Estimate(0.95))},
		{Run: "r/a", Kind: "match", Game: "gobang", Created: day(6), Games: 20, Bytes: 1, Estimate: new(rating.Pairs{3, 0, 0, 0, 31}.Estimate(0.95)), Tags: []string{"new", "old"}, Finished: true},
	}
	two := 2
	for _, c := range []struct {
		query view.Query
		want  string
	}{
		{view.Query{}, "d c b a"},
		{view.Query{Reverse: true}, "a b c d"},
		{view.Query{Game: "mills"}, "d c"},
		{view.Query{Kind: "match", Last: &two}, "c b"},
		{view.Query{Tag: "old"}, "c a"},
		{view.Query{Name: "FINAL"}, "b"},
		{view.Query{Name: "paper"}, "b"},
		{view.Query{Name: "r/a"}, "a"},
		{view.Query{Since: "2026-11-08"}, "d c"},
		{view.Query{Unfinished: true}, "b"},
		{view.Query{Faulty: true}, "c"},
		{view.Query{Sort: "run"}, "a b c d"},
		{view.Query{Sort: "games"}, "c b a d"},
		{view.Query{Sort: "size"}, "b d c a"},
		{view.Query{Sort: "elo"}, "d a c b"}, // three won pairs prove little
		{view.Query{Sort: "kind"}, "b a c d"},
		{view.Query{Sort: "name"}, "b d c a"},
	} {
		got, err := c.query.Choose(list, kinds.All())
		var names []string
		for _, l := range got {
			names = append(names, strings.TrimPrefix(l.Run, "r/"))
		}
		if err != nil || !slices.Equal(names, strings.Fields(c.want)) {
			t.Errorf("%+v: %v, %v; want %s", c.query, names, err, c.want)
		}
	}
	for want, q := range map[string]view.Query{
		`sort "best"`: {Sort: "best"}, `kind "duel"`: {Kind: "duel"}, `since "8.11."`: {Since: "8.11."},
	} {
		if _, err := q.Choose(list, kinds.All()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", q, err, want)
		}
	}
}
