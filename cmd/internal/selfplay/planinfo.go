package selfplay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/view"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// information is the evidence in the pairs of one part of a run, and their cost.
type information struct {
	Run    string  `json:"run"`
	Part   string  `json:"part"`
	Limits string  `json:"limits"`
	Plies  int     `json:"opening_plies"`
	Pairs  int     `json:"pairs"`
	NElo   float64 `json:"nelo"` // normalised
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Second float64 `json:"worker_seconds"` // of a pair
	// PerRoot is the normalised Elo by the root of a pair's worker seconds: a setting with
	// twice as much shows a difference in a quarter of the time.
	PerRoot float64 `json:"nelo_per_root_second"`
	Show    float64 `json:"seconds_to_show"` // worker seconds that show the difference with power; 0 if these pairs do not show one
}

// recorded compares limits and openings by recorded pairs.
func (p *planFlags) recorded(ctx context.Context, stdout io.Writer) error {
	list := []information{}
	for _, dir := range p.runs {
		found, err := p.informationOf(ctx, dir)
		if err != nil {
			return fmt.Errorf("--run %s: %w", dir, err)
		}
		list = append(list, found...)
	}
	if p.json {
		return cli.PrintObject(stdout, runs.Object{{"information", list}}, true)
	}
	table := text.Table{{"run", "part", "limits", "opening plies", "pairs", "nElo", "worker s a pair", "nElo by root s", "s to show it"}}
	for _, i := range list {
		show := "-"
		if i.Show > 0 {
			show = text.Digits(i.Show, 3)
		}
		table = append(table, []string{i.Run, i.Part, i.Limits, fmt.Sprint(i.Plies), text.Count(i.Pairs),
			text.Signed(i.NElo, 1) + " (" + text.Ends(i.Low, i.High, 1) + ")", text.Digits(i.Second, 3), text.Digits(i.PerRoot, 3), show})
	}
	table.Print(stdout, 3, 4, 6, 7, 8)
	fmt.Fprintf(stdout, "\nThe setting whose nElo by the root of a worker second is farthest from 0 shows a difference soonest, if the players are the same. "+
		"A dash: these pairs show no difference, so nothing tells how many would.\n")
	return nil
}

// informationOf are the parts of a run.
func (p *planFlags) informationOf(ctx context.Context, dir string) (list []information, err error) {
	recorded, err := kinds.All().Open(dir)
	if err != nil {
		return nil, err
	}
	result, err := view.Of(recorded).Result(ctx)
	if err != nil {
		return nil, err
	}
	cost := pairCost(recorded.Head.Sessions)
	pairs, names, limits := map[string]rating.Pairs{}, []string{}, map[string]string{}
	for row, err := range recorded.Log.Trials(datasets.Filter{}) {
		if err != nil {
			return nil, err
		}
		part, ok := result.Part(row)
		if !ok || row.Pairs == 0 {
			continue
		}
		if _, seen := pairs[part.Name]; !seen {
			names = append(names, part.Name)
			limits[part.Name] = part.Seats[0].Limits.String()
		}
		pairs[part.Name] = pairs[part.Name].Plus(row.PairCounts())
	}
	if len(names) == 0 {
		return nil, errors.New("holds no pairs of two players that were compared, so nothing tells what a pair costs and shows")
	}
	for _, l := range limits {
		if l != limits[names[0]] {
			return nil, fmt.Errorf("has games at %s and at %s, and notes their cost together: want a run for each", limits[names[0]], l)
		}
	}
	for _, name := range names {
		e := pairs[name].Estimate(p.level)
		i := information{Run: dir, Part: name, Limits: limits[name], Plies: recorded.Config.Conditions().OpeningPlies, Pairs: e.N, NElo: e.NElo,
			Low: e.NEloRange.Low, High: e.NEloRange.High, Second: cost}
		if n, err := p.plan(pairs[name].Variance()).PairsFor(e.Elo); err == nil && cost > 0 { // else nothing was measured
			i.PerRoot = e.NElo / math.Sqrt(cost)
			if i.Low > 0 || i.High < 0 {
				i.Show = float64(n) * cost
			}
		}
		list = append(list, i)
	}
	return list, nil
}

// pairCost is the worker seconds of a pair over the sessions of a run; 0 if not noted.
// Workers beyond the cores of a machine share them.
func pairCost(sessions []datasets.Session) float64 {
	seconds, games := 0.0, int64(0)
	for _, s := range sessions {
		workers := s.Workers
		if s.Cores > 0 {
			workers = min(workers, s.Cores)
		}
		seconds += s.Seconds * float64(workers)
		games += s.Games
	}
	if games == 0 {
		return 0
	}
	return 2 * seconds / float64(games)
}
