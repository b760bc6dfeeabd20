package tuning

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
	"selfplaylab/params/quadratic"
	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

// quadMethod is the Method by params/quadratic: a quadratic fitted to self-play in pairs.
type quadMethod struct {
	Games *int `group:"Length and stopping" toml:"games" arg:"N" help:"quad: games to play, an even number (default: 40 times the game's pairs per parameter, from 1,000 to 64,000); with --against for each candidate"`
	Iters *int `toml:"iters" label:"Iterations" arg:"N" help:"quad: the budget in iterations instead of games; one iteration is the game's number of pairs (see --pairs), 64 games for quoridor"`
}

// The default budget of quad: a parameter gets some 20 seconds of games by the game's own pairs,
// which are about a second's worth. Fewer than a thousand games show little; above the maximum the
// bias of the quadratic remains, and more games hardly help.
const (
	gamesForEach   = 40 // times the game's own pairs
	minOfQuad      = 1000
	defaultMaxQuad = 64_000
)

func (q *quadMethod) Info() MethodInfo {
	info := MethodInfo{
		Name: "quad", Doc: "localised quadratic logistic regression of paired comparisons, after CLOP (Coulom 2011): few games, no step sizes",
		Version: quadratic.Version, Margins: true, WholeRange: true, SetPairs: q.setPairs, Standing: q.standing,
		Extension: &Extension{Set: q.setGames, StopAfter: q.stopAfter},
	}
	if q.Games != nil {
		info.Extension.Games = *q.Games
	}
	return info
}

func (q *quadMethod) setPairs(_ *analysis.Task, pairs int) {
	q.Games = new(2 * pairs)
}

func (q *quadMethod) setGames(games int) error {
	q.Games = &games
	return q.checkGames()
}

func (q *quadMethod) stopAfter(tuner params.Tuner, games int) {
	tuner.(*quadratic.Tuner).SetPairs(games / 2)
}

func (q *quadMethod) Check(t *analysis.Task) error {
	if err := q.budget(t); err != nil {
		return err
	}
	return q.checkGames()
}

func (q *quadMethod) checkGames() error {
	if n := *q.Games; n < 2 || n%2 != 0 || n > 2*runs.MaxPairs {
		return config.Errorf("games", "%d: want an even number from 2 to %d, since every opening is played twice", n, int64(2*runs.MaxPairs))
	}
	return nil
}

// budget sets the games from any of the settings for them.
func (q *quadMethod) budget(t *analysis.Task) error {
	own := t.Game.TuningPairs()
	switch {
	case q.Iters != nil && q.Games != nil:
		return config.Errorf("iters", "%d: games says how long the tuning is, too; want one of the two", *q.Iters)
	case q.Iters != nil:
		if *q.Iters < 1 || *q.Iters > math.MaxInt32 {
			return config.Errorf("iters", "%d: want at least 1 and at most %d", *q.Iters, math.MaxInt32)
		}
		pairs := cmp.Or(t.Pairs, own)
		if t.Pairs > runs.MaxPairs / *q.Iters {
			return config.Errorf("pairs", "%d: %s of that many pairs are too many; want at most %d pairs in all", pairs,
				text.Plural(*q.Iters, "iteration"), int64(runs.MaxPairs))
		}
		n := 2 * *q.Iters * pairs
		q.Games, q.Iters = &n, nil
	case t.Pairs > 1:
		return config.Errorf("pairs", "%d: requires --iters with method quad, whose trials grow; its budget is set by --games", t.Pairs)
	case q.Games == nil:
		n := min(max(gamesForEach*own*len(t.Active), minOfQuad), defaultMaxQuad)
		q.Games = &n
	}
	t.Pairs = 1
	return nil
}

func (q *quadMethod) Pairs(*analysis.Task) int { return *q.Games / 2 }

func (q *quadMethod) Tuner(t *analysis.Task, seed uint64) (params.Tuner, error) {
	return quadratic.New(quadratic.Settings{Space: t.Space(), Start: t.Start, Active: t.Indices(), Seed: seed, Pairs: *q.Games / 2})
}

func (q *quadMethod) Question(c session) string {
	return fmt.Sprintf("tune %s of %s%s by a quadratic fitted to %s.",
		text.Plural(len(c.Active), "parameter"), c.Game.Title, c.meets(), text.Plural(*q.Games, "game"))
}

func (q *quadMethod) Note(c session) string {
	return text.Plural(len(c.Trials), "trial")
}

// fitted returns the tuner, as the session has it.
func (q *quadMethod) fitted(t session) (*quadratic.Tuner, error) {
	tuner, err := t.tuner()
	numbers, _ := tuner.(*quadratic.Tuner)
	return numbers, err
}

// agrees reports whether the tuner recommends the recorded values.
func (s session) agrees() bool {
	tuner, err := s.tuner()
	return err == nil && slices.Equal(tuner.Recommend(), s.Best)
}

// Warnings implements Method: the tuner's warnings after these trials.
func (q *quadMethod) Warnings(t session) []error {
	if len(t.Trials) == 0 {
		return nil
	}
	numbers, err := q.fitted(t)
	if err != nil {
		return []error{warnf("The tuner cannot replay its trials: %v.", err)}
	}
	var list []error
	for _, w := range numbers.Warnings() {
		list = append(list, warnf("From the fit: %v.", w))
	}
	if !t.agrees() && !slices.Equal(t.Best, t.Start) {
		list = append(list, warning("This program would recommend other values after these games than the one that played them: what follows "+
			"about the fit is around its own."))
	}
	return list
}

// standing implements MethodInfo.Standing. An error of the tuner is among the warnings.
func (q *quadMethod) standing(t session) *analysis.Standing {
	numbers, err := q.fitted(t)
	if err != nil || len(t.Trials) == 0 || !t.agrees() {
		return nil
	}
	return analysis.NewStanding(t.History, numbers.Standing())
}

// Report implements Method, by a fit of the tuner's games.
func (q *quadMethod) Report(t session) (methodReport, error) {
	numbers, err := q.fitted(t)
	if err != nil {
		return methodReport{}, fmt.Errorf("tell the tuner its trials again: %w", err)
	}
	model, err := numbers.Model(0)
	if err != nil { // too few games yet: then nothing is known
		return methodReport{Sections: []reports.Section{analysis.NotKnown(err)}}, nil
	}
	f := analysis.New(t.History, model)
	r := methodReport{Sections: []reports.Section{f.Importance()}, Optima: f.Optima(), Found: f.Found(), Analysis: f.Analysis()}
	r.add(f.Curve())
	r.add(f.Interactions())
	return r, nil
}
