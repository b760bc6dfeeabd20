package web

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/schedule"
)

// maxFound is how many games one answer lists.
const maxFound = 100

// wanted says which games to list.
type wanted struct {
	player, opening, reason, outcome string
	min, max                         int64
	upsets                           bool
	after                            int64 // number of matching games to skip
}

func wantedOf(r *http.Request) wanted {
	q := r.URL.Query()
	number := func(name string) int64 {
		n, _ := strconv.ParseInt(q.Get(name), 10, 64) // no number is no condition
		return n
	}
	return wanted{
		player: strings.ToLower(q.Get("player")), opening: q.Get("opening"), reason: q.Get("reason"), outcome: q.Get("outcome"),
		min: number("min"), max: number("max"), upsets: q.Get("upset") != "", after: number("after"),
	}
}

func (f wanted) takes(g datasets.GameRow, found found) bool {
	switch {
	case f.min > 0 && int64(g.Plies) < f.min, f.max > 0 && int64(g.Plies) > f.max:
		return false
	case f.reason != "" && g.Reason != f.reason, f.outcome != "" && g.Outcome != f.outcome:
		return false
	case f.opening != "" && !strings.HasPrefix(found.Opening, f.opening):
		return false
	case f.upsets && !found.Upset:
		return false
	}
	return f.player == "" || strings.Contains(strings.ToLower(found.First+"\n"+found.Second), f.player)
}

// findGames lists matching games of a run, whether there are more, and the reasons by
// which the games read so far ended. A game is an upset if its winner scores less than
// half in that part of the run.
func findGames(ctx context.Context, dir string, scores map[string]float64,
	f wanted) (list []found, more bool, reasons []string, err error) {
	rec, err := kinds.Open(dir)
	if err != nil {
		return nil, false, nil, err
	}
	told, err := rec.Config.NewResult(rec.Head)
	if err != nil {
		return nil, false, nil, err
	}
	list = []found{}
	seen, skip := map[string]bool{}, f.after
	for t, err := range schedule.Recorded(rec.Log, datasets.Filter{}) {
		if err == nil {
			err = cmp.Or(ctx.Err(), told.Add(schedule.Finished{Trial: t.Trial}))
		}
		if err != nil {
			return nil, false, nil, err
		}
		names, weaker := seatsOf(told, t.Trial, scores)
		for _, g := range t.Games {
			seen[g.Reason] = true
			found := foundOf(g, names, weaker)
			if !f.takes(g, found) {
				continue
			}
			if skip--; skip >= 0 {
				continue
			}
			if len(list) == maxFound {
				return list, true, slices.Sorted(maps.Keys(seen)), nil
			}
			list = append(list, found)
		}
	}
	return list, false, slices.Sorted(maps.Keys(seen)), nil
}
