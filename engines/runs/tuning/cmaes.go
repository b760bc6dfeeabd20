package tuning

import (
	"fmt"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/params"
	"selfplaylab/params/cmaes"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
)

// CMAES tunes by params/cmaes: evolution against one opponent that stays as it is.
type CMAES struct {
	Games *int `toml:"games" arg:"N" help:"cmaes: maximum number of games; plays complete generations (default: 160 times the game's pairs per parameter, from 20,000 to 200,000)"`
}

// The default budget of cmaes: it learns from ranks against a third player and
// needs several times the games of self-play.
const (
	gamesOfCMAES  = 160 // times the game's own pairs, for each parameter
	minOfCMAES    = 20_000
	defaultMaxCMA = 200_000
)

// Name implements Method.
func (m *CMAES) Name() string { return "cmaes" }

// Doc implements Method.
func (m *CMAES) Doc() string {
	return "evolution (CMA-ES), only to beat one given opponent: --against, or else the start; not for strength in general"
}

// Check implements Method.
func (m *CMAES) Check(t *Task) error {
	if t.Pairs > 1 {
		return config.Errorf("pairs", "%d: means nothing to method cmaes, whose trials grow as it goes on; its budget is games", t.Pairs)
	}
	t.Pairs = 1
	if m.Games == nil {
		n := min(max(gamesOfCMAES*t.Game.TuningPairs()*len(t.Active), minOfCMAES), defaultMaxCMA)
		m.Games = &n
	}
	if n := *m.Games; n < 2 || n%2 != 0 || n > 2*runs.MaxPairs {
		return config.Errorf("games", "%d: want an even number from 2 to %d, since every opening is played twice", n, int64(2*runs.MaxPairs))
	}
	if cmaes.Spent(len(t.Active), *m.Games/2) == 0 {
		return config.Errorf("games", "%d: want at least %d, one generation of %s", *m.Games, m.generation(t), gamestats.Plural(len(t.Active), "parameter"))
	}
	return nil
}

// generation is how many games the first generation has.
func (m *CMAES) generation(t *Task) int {
	pairs := cmaes.Population(len(t.Active))
	for cmaes.Spent(len(t.Active), pairs) == 0 {
		pairs++
	}
	return 2 * pairs
}

// Pairs implements Method: those of whole generations.
func (m *CMAES) Pairs(t *Task) int { return cmaes.Spent(len(t.Active), *m.Games/2) }

// Spend implements Spender.
func (m *CMAES) Spend(_ *Task, pairs int) {
	n := 2 * pairs
	m.Games = &n
}

// Tuner implements Method.
func (m *CMAES) Tuner(t *Task, seed uint64) (params.Tuner, error) {
	return cmaes.New(cmaes.Settings{Space: t.Space(), Start: t.Start, Active: t.indices(), Seed: seed, Pairs: *m.Games / 2})
}

// Question implements Teller.
func (m *CMAES) Question(c *History) string {
	return fmt.Sprintf("tune %s of %s by evolution to beat %s over %s.",
		gamestats.Plural(len(c.Active), "parameter"), c.Game.Title, against(c), gamestats.Plural(2*m.Pairs(c.Task), "game"))
}

// Note implements Teller.
func (m *CMAES) Note(c *History) string {
	return fmt.Sprintf("generation %d, %.1f steps from the start", 1+len(c.Trials)/cmaes.Population(len(c.Active)), stepsApart(c.Space(), c.Best, c.Start))
}

// Warnings implements Teller.
func (m *CMAES) Warnings(c *History) []error {
	return []error{warnf("These values were found by playing one opponent, %s: what beats it need not be strong against others. Method quad tunes for strength.", against(c))}
}

// Show implements Teller.
func (m *CMAES) Show(c *History) (Shown, error) {
	scores := figure.Lines{
		Title: "Score by generation", Subtitle: fmt.Sprintf("mean of all points of a generation, %s intervals", gamestats.Level(c.Level)),
		XLabel: "generation", YLabel: "score against the start, %", Levels: []figure.Level{{Y: 50, Label: "even"}},
	}
	if c.Opponent != "" {
		scores.YLabel = "score above the start's against " + c.Opponent + ", %, + 50"
	}
	line := figure.Series{Name: "generation", Band: true}
	paths := figure.Paths{
		Title: "Paths of the parameters", XLabel: "generation",
		Subtitle: "thin: the mean of a generation; strong: the recommendation, the mean over the last half; dashed: the start",
	}
	for _, i := range c.indices() {
		p := c.Space()[i]
		path := figure.Path{Name: p.Name, Unit: p.Unit, Min: p.Min, Max: p.Max, Start: c.Start[i], Step: p.Step, Log: p.Log,
			X: []float64{0}, Raw: []float64{c.Start[i]}, Mean: []float64{c.Start[i]}}
		if p.Whole {
			path.Final = p.Format(c.Best[i])
		}
		paths.Paths = append(paths.Paths, path)
	}
	size := cmaes.Population(len(c.Active))
	for from, n := 0, 1; from < len(c.Trials); from, n = from+size, n+1 {
		generation := c.Trials[from:min(from+size, len(c.Trials))]
		var pairs rating.Pairs
		for k := range generation {
			pairs = pairs.Plus(generation[k].Pairs)
		}
		e := pairs.Estimate(c.Level)
		line.Points = append(line.Points, figure.Point{X: float64(n), Y: 100 * e.Score, Lo: 100 * e.ScoreRange.Low, Hi: 100 * e.ScoreRange.High, N: e.N})
		for j, i := range c.indices() {
			p, path, sum := c.Space()[i], &paths.Paths[j], 0.0
			for k := range generation {
				sum += p.Coordinate(generation[k].A[i]) / float64(len(generation))
			}
			path.X, path.Raw, path.Mean = append(path.X, float64(n)), append(path.Raw, p.Value(sum)), append(path.Mean, generation[len(generation)-1].Best[i])
		}
	}
	scores.Series = []figure.Series{line}
	return Shown{Sections: []reports.Section{{Title: "How it went", Blocks: []reports.Block{
		reports.Text("Every generation draws points around a mean, and moves the mean and the spread towards those that scored best. What is recommended is the mean, over the last half of the generations: never the point that scored best, which is the luckiest."),
		reports.Plot{Name: "generations", Figure: scores, Caption: "Where it has levelled off, more games bring little."},
		reports.Plot{Name: "paths", Figure: paths},
	}}}}, nil
}
