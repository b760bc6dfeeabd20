package runs_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/reports/rating"
)

// TestQuery chooses and orders a list; a wrong word names the field.
func TestQuery(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 11, d, 12, 0, 0, 0, time.UTC) }
	list := []runs.Summary{ // the newest first, as List has them
		{Run: "r/d", Kind: "tune", Game: "mills", Created: day(9), Games: 10, Bytes: 5, Estimate: &rating.Estimate{Elo: 50}, Finished: true},
		{Run: "r/c", Kind: "match", Game: "mills", Created: day(8), Games: 30, Bytes: 4, Fault: "broken", Tags: []string{"old"}},
		{Run: "r/b", Kind: "match", Game: "gobang", Created: day(7), Games: 30, Bytes: 9, Name: "Paper", What: "final v bad"},
		{Run: "r/a", Kind: "match", Game: "gobang", Created: day(6), Games: 20, Bytes: 1, Estimate: &rating.Estimate{Elo: 70}, Tags: []string{"new", "old"}, Finished: true},
	}
	two := 2
	for _, c := range []struct {
		query runs.Query
		want  string
	}{
		{runs.Query{}, "d c b a"},
		{runs.Query{Reverse: true}, "a b c d"},
		{runs.Query{Game: "mills"}, "d c"},
		{runs.Query{Kind: "match", Last: &two}, "c b"},
		{runs.Query{Tag: "old"}, "c a"},
		{runs.Query{Name: "FINAL"}, "b"},
		{runs.Query{Name: "paper"}, "b"},
		{runs.Query{Name: "r/a"}, "a"},
		{runs.Query{Since: "2026-11-08"}, "d c"},
		{runs.Query{Unfinished: true}, "b"},
		{runs.Query{Faulty: true}, "c"},
		{runs.Query{Sort: "run"}, "a b c d"},
		{runs.Query{Sort: "games"}, "c b a d"},
		{runs.Query{Sort: "size"}, "b d c a"},
		{runs.Query{Sort: "elo"}, "a d c b"},
		{runs.Query{Sort: "kind"}, "b a c d"},
		{runs.Query{Sort: "name"}, "b d c a"},
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
	for want, q := range map[string]runs.Query{
		`sort "best"`: {Sort: "best"}, `kind "duel"`: {Kind: "duel"}, `since "8.11."`: {Since: "8.11."},
	} {
		if _, err := q.Choose(list, kinds.All()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", q, err, want)
		}
	}
}
