package tuning

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/fit"
	"selfplaylab/engines/gamefile"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// fitShare is the share of the verification's pairs that one pairing of a contest plays:
// one in this many. All three together take a quarter.
const fitShare = 12

// contest is the phase in which the tuner's values, weights fitted to its own games
// (package fit) and the midpoint of both play each other on fresh openings. The best
// score wins, which biases it upwards: the verification measures the winner's gain over
// the start on openings that took no part in the choice.
type contest struct {
	matches
	tuned      *selectPhase
	*contested                 // of that
	variant    engines.Variant // set while the run is played
	scores     [len(contestants)]rating.Pairs
}

func newContest(tuned *selectPhase) *contest {
	p := &contest{tuned: tuned, contested: &tuned.contested, matches: matches{phase: newPhase(tuned.spec, phaseFit, tuned.stageIndex),
		pairs: tuned.spec.FitPairs, rounds: true, named: true, note: "the tuner's values, fitted ones and the midpoint against each other"}}
	p.lineup = p.everybody
	return p
}

// everybody has all three play each other; nobody where the phase passed without games.
func (p *contest) everybody() (l lineup) {
	if p.over && p.games == 0 {
		return l
	}
	for k, v := range p.values {
		l.players = append(l.players, p.spec.named(contestants[k], v))
	}
	l.meets, l.open = schedule.RoundRobin(len(contestants)), p.games == 0
	return l
}

// begin has the phase fit weights when its turn comes, and keeps the games for it.
func (p *contest) begin(v engines.Variant) {
	p.variant = v
	for _, t := range p.tuned.tunings {
		t.tuning.keep = p.spec.FitPairs > 0
	}
}

// Source implements Phase. There is nothing to play if the games say too little for a fit,
// or it finds the tuned values.
func (p *contest) Source() (_ schedule.Source, err error) {
	if p.over {
		return &schedule.Listed{}, nil
	}
	if p.values, err = p.fit(); err != nil {
		return nil, err
	}
	p.over = slices.Equal(p.values[1], p.values[0])
	return p.matches.Source()
}

// fit returns the tuned values, those fitted to the tuner's games, and the midpoint; all
// are the tuned ones if the games say too little.
func (p *contest) fit() (values [len(contestants)]params.Vector, err error) {
	tuned := p.tuned.results[p.tuned.chosen.number]
	values = [...]params.Vector{tuned, tuned, tuned}
	set, err := fit.NewSet(p.variant, p.spec.fitOptions(p.variant, tuned))
	if err != nil {
		return values, err
	}
	for rows := range slices.Chunk(p.tuned.chosen.kept, 512) {
		games, err := gamesOf(rows)
		if err == nil {
			err = set.Add(games)
		}
		if err != nil {
			return values, fmt.Errorf("fit: %w", err)
		}
	}
	found, err := set.Fit()
	if fit.Silent(err) {
		return values, nil
	}
	if err == nil {
		values[1] = found.Values
		values[2], err = set.Between(found, tuned)
	}
	if fit.Silent(err) {
		values[2], err = values[1], nil
	}
	return values, err
}

// gamesOf are recorded games to learn from.
func gamesOf(rows []datasets.GameRow) (list []fit.Game, err error) {
	for _, row := range rows {
		g := fit.Game{Opening: row.Trial<<32 | int64(row.Pair)}
		g.Position, g.Reason = row.Position, engines.Reason(row.Reason)
		if g.Outcome, err = engines.ParseOutcome(row.Outcome); err != nil {
			return nil, err
		}
		for ply, move := range strings.Fields(row.Moves) {
			g.Moves = append(g.Moves, gamefile.Move{Text: move, Opening: ply < int(row.OpeningPlies)})
		}
		list = append(list, g)
	}
	return list, nil
}

// fitOptions are how the tuner's games are fitted: weights that are tuned are pulled to
// the start, and all else is as it was tuned but for what is in the unit of the weights.
func (s *Config) fitOptions(v engines.Variant, tuned params.Vector) fit.Options {
	start, terms := tuned.Clone(), v.Linear(tuned, s.Start.Limits)
	for _, name := range slices.Concat(terms.Names, terms.Points) {
		i := v.Game.Space.Index(name)
		start[i] = s.Start.Values[i]
	}
	return fit.Options{Start: start, Limits: s.Start.Limits, Params: s.Active, Confidence: s.Level}
}

// canFit reports why weights cannot be fitted to the games of the tuner; nil if they can.
func (s *Config) canFit(v engines.Variant) error {
	switch {
	case s.Objective != nil, s.Program != nil, s.Start.Custom != nil:
		return fmt.Errorf("the evaluation of the player is not known")
	case len(s.Against) > 0:
		return fmt.Errorf("cannot be used with --against: the games are not the player's own")
	case s.tunings() > 1:
		return fmt.Errorf("cannot be used with --seeds: the best tuning is chosen instead")
	case s.method.Info().Point != nil:
		return fmt.Errorf("cannot be used with method %s, which tries given values", s.Method)
	case s.VerifyPairs == 0:
		return fmt.Errorf("requires a verification of more than 0 pairs")
	case v.Linear == nil || v.Linear(s.Start.Values, s.Start.Limits) == nil:
		return fmt.Errorf("the player's evaluation has no linear terms")
	}
	if _, fitted, _ := fit.Terms(v, s.fitOptions(v, s.Start.Values)); len(fitted) == 0 {
		return fmt.Errorf("none of the tuned parameters is a weight of the evaluation")
	}
	return nil
}

// fitLengths fills in how many pairs a contest plays. By default they are taken from the
// verification, unless its length was given.
func (s *Config) fitLengths(v engines.Variant, given bool) error {
	err := s.canFit(v)
	switch {
	case err != nil && s.FitPairs != 0 && s.FitPairs != config.Unsaid:
		return config.Errorf("fit_pairs", "%d: %v", s.FitPairs, err)
	case err != nil:
		s.FitPairs = 0
	case s.FitPairs == config.Unsaid:
		s.FitPairs = max(1, s.VerifyPairs/fitShare)
		if !given {
			s.VerifyPairs -= s.FitPairs * len(schedule.RoundRobin(len(contestants)))
		}
	}
	return nil
}

func (p *contest) Add(n int64, f schedule.Finished) error {
	l, who, err := p.meeting(n, f.Trial)
	if p.over || err != nil {
		return p.diverged(f.Trial)
	}
	if err := p.count(n, l, who, f); err != nil {
		return err
	}
	pairs := rating.Pairs(f.Trial.PairCounts())
	p.values[who.A], p.values[who.B], p.played = f.Trial.A, f.Trial.B, true
	p.scores[who.A] = p.scores[who.A].Plus(pairs)
	p.scores[who.B] = p.scores[who.B].Plus(pairs.Reversed())
	if games, _ := p.Planned(); p.games >= games {
		p.over = true
		for k := range p.scores {
			if p.scores[k].Score() > p.scores[p.winner].Score() {
				p.winner = k
			}
		}
	}
	return nil
}

func (p *contest) Done() bool { return p.over }

// contestant is how one did.
type contestant struct {
	Name     string          `json:"name"`
	Pairs    rating.Pairs    `json:"pairs"`
	Estimate rating.Estimate `json:"estimate"`
	Chosen   bool            `json:"chosen"`
}

// Contest lists how tuned, fitted and midpoint did against each other; nil if they did
// not play.
func (p *contest) Contest() (list []contestant) {
	for k, name := range contestants {
		if p.games > 0 {
			list = append(list, contestant{name, p.scores[k], p.estimate(k, p.scores[k]), p.over && k == p.winner})
		}
	}
	return list
}

// entry is the contest as an entry of JSON: null without one.
func (p *contest) entry() runs.Entry {
	e := runs.Entry{Name: "fit"}
	if list := p.Contest(); list != nil {
		e.Value = runs.Object{{"chosen", contestants[p.winner]}, {"contest", list}}
	}
	return e
}

// String says in a line who was chosen; "" without a contest.
func (p *contest) String() string {
	parts := text.Each(p.Contest(), func(c contestant) string { return contestantName(c.Name, false) + " " + c.Estimate.String() })
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("Chosen as tuned values: %s, from the tuner's, fitted and midpoint. Each against the other two: %s",
		contestantName(contestants[p.winner], false), strings.Join(parts, "; "))
}

func (p *contest) Sections() ([]reports.Section, error) {
	if p.spec.FitPairs == 0 || !p.over {
		return nil, nil
	}
	title := "The tuner's values, fitted ones and the midpoint"
	if p.games == 0 {
		return []reports.Section{{Title: title, Blocks: []reports.Block{reports.Text("The weights fitted to the games of the tuning " +
			"were those that were tuned, or the games said too little for a fit: nothing was played.")}}}, nil
	}
	table := reports.Table{Columns: reports.Columns("values", ">pairs", ">score", "Elo above the other two"), Strong: []int{p.winner}}
	for _, c := range p.Contest() {
		row := []string{contestantName(c.Name, false), text.Count(c.Pairs.N()), text.Percent(c.Estimate.Score), c.Estimate.String()}
		if c.Chosen {
			row[0] += " (chosen)"
		}
		table.Rows = append(table.Rows, row)
	}
	return []reports.Section{{Title: title, Blocks: []reports.Block{
		reports.Text("Weights were fitted to the results of the tuning's own games (`selfplay fit` shows them with their intervals). These, " +
			"the tuner's values and the midpoint of both played each other on " + p.spec.fresh() + ". The best score was chosen, which " +
			"biases it upwards: the verification measures the gain over the start on other openings."),
		table,
	}}}, nil
}
