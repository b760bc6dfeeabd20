package tuning

import (
	"fmt"
	"math"
	"slices"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
)

// field lists who is rated: the start first, then the tuned values, the opponent,
// the pool and the presets as far as each is another player than those before.
func (s *Spec) field(best params.Vector) []player.Config {
	list := []player.Config{s.start()}
	add := func(name string, e player.Config) {
		if e.Name = name; !slices.ContainsFunc(list, e.Same) {
			list = append(list, e)
		}
	}
	add("tuned", s.Start.With(best))
	for _, e := range s.opponents() {
		add("opponent "+e.Name, e)
	}
	for _, p := range s.Pool {
		add(p.Name, p)
	}
	for _, p := range s.task.Game.StandardPresets() {
		add("preset "+p.Name, s.Start.With(p.Vector))
	}
	return list
}

// rating lists the trials of the phase, one a pairing.
func (s *Spec) rating(field []player.Config) *schedule.Listed {
	l := &schedule.Listed{}
	if s.RatePairs == 0 {
		return l
	}
	for _, p := range schedule.RoundRobin(len(field)) {
		l.Trials = append(l.Trials, s.trial(PhaseRate, field[p.A], field[p.B], s.RatePairs))
	}
	return l
}

// ratePrior is the weight, in games, of the belief that players are alike: with
// it one who won or lost everything has a finite rating.
const ratePrior = 1

// rate counts the games of a trial in which two players of the field met.
func (t *Result) rate(x, than int, games []datasets.GameRow) {
	if t.joint == nil {
		var names []string
		for _, e := range t.field {
			names = append(names, e.Name)
		}
		t.joint, t.others = rating.NewTournament(names...), rating.NewTournament(names...)
	}
	for i := 0; i+1 < len(games); i += 2 { // X moves first in the first of a pair
		t.joint.AddPair(x, than, int(2*games[i].AScore), int(2*games[i+1].AScore))
		if x+than != 1 { // not start and tuned
			t.others.AddPair(x, than, int(2*games[i].AScore), int(2*games[i+1].AScore))
		}
	}
}

// Pooled is how far the tuned values are above the start by the games that either
// played against others: in a pool, not against each other.
type Pooled struct {
	Elo    float64 `json:"elo"`
	Low    float64 `json:"low"` // interval of one look, at the run's confidence
	High   float64 `json:"high"`
	Pairs  int     `json:"pairs"`  // that the tuned values played there
	Others int     `json:"others"` // players in the pool beside start and tuned
	// Part is whether that differs from what the verification shows by more than both
	// errors together, at the run's confidence.
	Part bool `json:"part"`
}

// String says it in a few words.
func (p *Pooled) String() string {
	return fmt.Sprintf("%+.1f Elo, from %+.1f to %+.1f (%s against %s)", p.Elo, p.Low, p.High, gamestats.Plural(p.Pairs, "pair"), gamestats.Plural(p.Others, "other player"))
}

// Pool compares start and tuned values by how they did against the rest of the
// field; nil where they have not met enough others.
func (t *Result) Pool() (*Pooled, error) {
	if t.games[PhaseRate] == 0 || len(t.field) < 3 || t.field[1].Name != "tuned" {
		return nil, nil
	}
	r, err := rating.BradleyTerry{Anchor: "start", Prior: ratePrior}.Fit(t.others)
	if err != nil {
		return nil, fmt.Errorf("rating in the pool: %w", err)
	}
	tuned := r.Players[1]
	in := tuned.Interval(t.Spec.Level)
	p := &Pooled{Elo: tuned.Elo, Low: in.Low, High: in.High, Pairs: tuned.Games / 2, Others: len(t.field) - 2}
	if p.Pairs == 0 {
		return nil, nil
	}
	if n := len(t.Verify); n > 0 {
		// Both at one look: how wide an interval is that holds at any time has nothing to
		// do with whether two numbers agree.
		direct := t.Verify[n-1].Estimate(t.Spec.Level)
		if !direct.Few {
			half := math.Hypot((in.High-in.Low)/2, (direct.EloRange.High-direct.EloRange.Low)/2)
			p.Part = math.Abs(direct.Elo-tuned.Elo) > half
		}
	}
	return p, nil
}

// poolWarning says that the pool tells something else than the verification.
func (t *Result) poolWarning() error {
	p, err := t.Pool()
	if err != nil || p == nil || !p.Part {
		return err
	}
	direct := t.Verify[len(t.Verify)-1].Estimate(t.Spec.Level)
	return warnf("Against the start the tuned values are at %+.1f Elo, but by their games with others at %s: what beats one opponent need not be the strongest; trust the pool for how strong they are.", direct.Elo, p)
}

// Ratings is the joint fit of all games between start, tuned values, opponent
// and presets that the tuner did not learn from, the verification's included;
// nil before the rating has begun.
func (t *Result) Ratings() (*rating.Ratings, error) {
	if t.games[PhaseRate] == 0 {
		return nil, nil
	}
	r, err := rating.BradleyTerry{Anchor: "start", Prior: ratePrior}.Fit(t.joint)
	if err != nil {
		return nil, fmt.Errorf("joint ratings: %w", err)
	}
	return r, nil
}

// ratings is the table of the joint fit.
func (t *Result) ratings(r *rating.Ratings) (reports.Section, error) {
	level := gamestats.Level(t.Spec.Level)
	table := reports.Table{Columns: []reports.Column{
		{Name: "player"}, {Name: "Elo", Right: true}, {Name: "from", Right: true}, {Name: "to", Right: true}, {Name: "games", Right: true}, {Name: "score", Right: true}, {Name: "better than start", Right: true},
	}}
	games := 0
	for _, p := range r.Players {
		games += p.Games // of two players each
	}
	fig := figure.Bars{Title: "Ratings of start, tuned values and presets", Subtitle: fmt.Sprintf("joint fit of %s, %s intervals of one look", gamestats.Plural(games/2, "game"), level), XLabel: "Elo", ZeroLabel: "start"}
	superior := r.Superiority()
	for _, i := range r.Ranking() {
		p := r.Players[i]
		in := p.Interval(t.Spec.Level)
		fig.Bars = append(fig.Bars, figure.Bar{Name: p.Name, Value: p.Elo, Lo: in.Low, Hi: in.High, Strong: p.Name == "tuned"})
		row := []string{p.Name, "0", "-", "-", gamestats.Count(p.Games), gamestats.Percent(p.Score), "-"}
		if i != 0 {
			row[1], row[2], row[3], row[6] = elo(p.Elo), elo(in.Low), elo(in.High), rating.Chance(superior[i][0])
		}
		table.Rows = append(table.Rows, row)
	}
	text := fmt.Sprintf("Start, tuned values and the game's presets played each other, %s a pairing, on %s, and are rated together (Bradley-Terry, with draws and the advantage of moving first). "+
		"The start is at 0; the intervals, of %s and for one look, are relative to it.", gamestats.Plural(t.Spec.RatePairs, "pair"), t.fresh(), level)
	if len(t.Verify) > 0 {
		text += " The games of the verification count here, too, so that both tell the same of tuned and start; the running interval there is wider because it may be looked at at any time."
	}
	pool, err := t.Pool()
	if err != nil {
		return reports.Section{}, err
	}
	if pool != nil {
		text += " By their games with the others alone, leaving out those against each other, the tuned values are above the start by " + pool.String() + "."
	}
	return reports.Section{Title: "Ratings", Blocks: []reports.Block{
		reports.Text(text),
		reports.Plot{Name: "ratings", Caption: rating.Apart(t.Spec.Level), Figure: fig},
		table,
	}}, nil
}

// elo writes a rating with its sign, and nothing like "-0".
func elo(x float64) string {
	if math.Abs(x) < 0.5 {
		return "0"
	}
	return fmt.Sprintf("%+.0f", x)
}
