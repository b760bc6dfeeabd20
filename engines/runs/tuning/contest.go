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

// contest is the phase in which the tuner's values, weights fitted to its games (package fit) and
// the midpoint of both play each other on fresh openings. The best score wins. Selecting it biases
// it upwards, so the verification measures the winner's gain over the start on other openings.
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

// everybody returns the matches of all three, or none if the phase passed without games.
func (c *contest) everybody() (l lineup) {
	if c.over && c.games == 0 {
		return l
	}
	for k, v := range c.values {
		l.players = append(l.players, c.spec.named(contestants[k], v))
	}
	l.meets, l.open = schedule.RoundRobin(len(contestants)), c.games == 0
	return l
}

// begin has the phase fit weights when its turn comes, and keeps the games for it.
func (c *contest) begin(v engines.Variant) {
	c.variant = v
	for _, t := range c.tuned.tunings {
		t.tuning.keep = c.spec.FitPairs > 0
	}
}

// Source implements Phase. It has no games if the tuning's games are too few for a fit, or the fit
// finds the tuned values.
func (c *contest) Source() (_ schedule.Source, err error) {
	if c.over {
		return &schedule.Listed{}, nil
	}
	if c.values, err = c.fit(); err != nil {
		return nil, err
	}
	c.over = slices.Equal(c.values[1], c.values[0])
	return c.matches.Source()
}

// fit returns the tuned values, the fitted ones and the midpoint; all are the tuned ones if the
// games are too few.
func (c *contest) fit() (values [len(contestants)]params.Vector, err error) {
	tuned := c.tuned.results[c.tuned.pick]
	values = [...]params.Vector{tuned, tuned, tuned}
	set, err := fit.NewSet(c.variant, c.spec.fitOptions(c.variant, tuned))
	if err != nil {
		return values, err
	}
	defer set.Close()
	for rows := range slices.Chunk(c.tuned.chosen.kept, 512) {
		games, err := gamesOf(rows)
		if err == nil {
			err = set.Add(games)
		}
		if err != nil {
			return values, fmt.Errorf("fit: %w", err)
		}
	}
	found, err := set.Fit()
	if fit.IsInsufficient(err) {
		return values, nil
	}
	if err == nil {
		values[1] = found.Values
		values[2], err = set.Between(found, tuned)
	}
	if fit.IsInsufficient(err) {
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

// fitOptions returns the options of the fit: tuned weights are pulled to the start, and all other
// parameters keep their tuned values, except parameters in the unit of the weights.
func (c *Config) fitOptions(v engines.Variant, tuned params.Vector) fit.Options {
	start, terms := tuned.Clone(), v.Linear(tuned, c.Start.Limits)
	for _, name := range slices.Concat(terms.Names, terms.Points) {
		i := v.Game.Space.Index(name)
		start[i] = c.Start.Values[i]
	}
	return fit.Options{Start: start, Limits: c.Start.Limits, Params: c.Active, Confidence: c.Level}
}

// canFit reports why weights cannot be fitted to the games of the tuner; nil if they can.
func (c *Config) canFit(v engines.Variant) error {
	switch {
	case c.Elsewhere != nil, c.Program != nil, c.Start.Custom != nil:
		return fmt.Errorf("the evaluation of the player is not known")
	case len(c.Against) > 0:
		return fmt.Errorf("cannot be used with --against: the games are not the player's own")
	case c.tunings() > 1:
		return fmt.Errorf("cannot be used with --seeds: the best tuning is chosen instead")
	case c.method.Info().Point != nil:
		return fmt.Errorf("cannot be used with method %s, which tries given values", c.Method)
	case c.VerifyPairs == 0:
		return fmt.Errorf("requires a verification of more than 0 pairs")
	case v.Linear == nil || v.Linear(c.Start.Values, c.Start.Limits) == nil:
		return fmt.Errorf("the player's evaluation has no linear terms")
	}
	if _, fitted, _ := fit.Terms(v, c.fitOptions(v, c.Start.Values)); len(fitted) == 0 {
		return fmt.Errorf("none of the tuned parameters is a weight of the evaluation")
	}
	return nil
}

// fitLengths fills in how many pairs a contest plays. By default they are taken from the
// verification, unless its length was given.
func (c *Config) fitLengths(v engines.Variant, given bool) error {
	err := c.canFit(v)
	switch {
	case err != nil && c.FitPairs != 0 && c.FitPairs != config.Unset:
		return config.Errorf("fit_pairs", "%d: %v", c.FitPairs, err)
	case err != nil:
		c.FitPairs = 0
	case c.FitPairs == config.Unset:
		c.FitPairs = max(1, c.VerifyPairs/fitShare)
		if !given {
			c.VerifyPairs -= c.FitPairs * len(schedule.RoundRobin(len(contestants)))
		}
	}
	return nil
}

func (c *contest) Add(n int64, f schedule.Finished) error {
	l, meeting, err := c.meeting(n, f.Trial)
	if c.over || err != nil {
		return c.diverged(f.Trial)
	}
	if err := c.count(n, l, meeting, f); err != nil {
		return err
	}
	pairs := rating.Pairs(f.Trial.PairCounts())
	c.values[meeting.A], c.values[meeting.B], c.played = f.Trial.A, f.Trial.B, true
	c.scores[meeting.A] = c.scores[meeting.A].Plus(pairs)
	c.scores[meeting.B] = c.scores[meeting.B].Plus(pairs.Reversed())
	if games, _ := c.Planned(); c.games >= games {
		c.over = true
		for k := range c.scores {
			if c.scores[k].Score() > c.scores[c.winner].Score() {
				c.winner = k
			}
		}
	}
	return nil
}

func (c *contest) Done() bool { return c.over }

// contestant is how one did.
type contestant struct {
	Name     string          `json:"name"`
	Pairs    rating.Pairs    `json:"pairs"`
	Estimate rating.Estimate `json:"estimate"`
	Chosen   bool            `json:"chosen"`
}

// Contest lists how tuned, fitted and midpoint did against each other; nil if they did
// not play.
func (c *contest) Contest() (list []contestant) {
	for k, name := range contestants {
		if c.games > 0 {
			list = append(list, contestant{name, c.scores[k], c.estimate(k, c.scores[k]), c.over && k == c.winner})
		}
	}
	return list
}

// entry returns the contest as an entry of JSON: null without one.
func (c *contest) entry() runs.Entry {
	e := runs.Entry{Name: "fit"}
	if list := c.Contest(); list != nil {
		e.Value = runs.Object{{"chosen", contestants[c.winner]}, {"contest", list}}
	}
	return e
}

// String names the chosen values in a line; "" without a contest.
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
		reports.Note("Weights were fitted to the results of the tuning's own games (`selfplay fit` shows them with their intervals). These, " +
			"the tuner's values and the midpoint of both played each other on " + p.spec.fresh() + ". The best score was chosen, which " +
			"biases it upwards: the verification measures the gain over the start on other openings."),
		table,
	}}}, nil
}
