package tuning

import (
	"fmt"
	"math"
	"slices"

	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// ratingPhase is the phase in which start, tuned values, opponents, pool and presets
// play each other, for a joint rating.
type ratingPhase struct {
	matches
	joint  *jointRating
	verify *verifyPhase
}

func newRatingPhase(j *jointRating, v *verifyPhase) *ratingPhase {
	p := &ratingPhase{joint: j, verify: v, matches: matches{phase: newPhase(j.tuned.spec, phaseRate, j.tuned.stageIndex),
		pairs: j.tuned.spec.RatePairs, named: true, note: "start, tuned values and presets against each other"}}
	p.lineup = p.everybody
	return p
}

// maxRated is the largest default number of pairs of a pairing: start and tuned values are then known to
// about ± 15 Elo by games against others.
const maxRated = 350

// everybody has start and tuned values, or all, play all others.
func (r *ratingPhase) everybody() lineup {
	l := lineup{players: r.joint.players(), open: !r.joint.tuned.settled()}
	n := len(l.players)
	if n == 0 { // not known yet: at most
		n = len(r.spec.task.Game.StandardPresets()) + len(r.spec.players()) + 1
	}
	l.meets = schedule.RoundRobin(n)
	if r.spec.PoolStar {
		centres := 2
		if !l.open && r.joint.tuned.same() {
			centres = 1
		}
		l.meets = slices.DeleteFunc(l.meets, func(m schedule.Pairing) bool { return min(m.A, m.B) >= centres })
	}
	return l
}

func (r *ratingPhase) Add(n int64, f schedule.Finished) error {
	_, m, err := r.meeting(n, f.Trial)
	if err == nil {
		r.joint.add(m.A, m.B, f)
	}
	return err
}

// othersGain is how far the tuned values are above the start by the games that either
// played against others: not against each other.
type othersGain struct {
	Elo    float64 `json:"elo"`
	Low    float64 `json:"low"` // interval of a single look
	High   float64 `json:"high"`
	Level  float64 `json:"level"`  // its confidence, the run's
	Pairs  int     `json:"pairs"`  // that the tuned values played there
	Others int     `json:"others"` // players besides start and tuned
	// Differs reports whether the rating differs from the verification by more than both errors
	// together, at the run's confidence.
	Differs bool `json:"differs"`
}

// String returns the rating in a few words.
func (o *othersGain) String() string {
	return fmt.Sprintf("%s Elo, from %s to %s (%s, %s against %s)", rating.EloText(o.Elo), rating.EloText(o.Low), rating.EloText(o.High),
		text.Level(o.Level), text.Plural(o.Pairs, "pair"), text.Plural(o.Others, "other player"))
}

// Pool compares start and tuned values by how they did against the other players rated;
// nil where they have not met enough of them.
func (p *ratingPhase) Pool() (*othersGain, error) {
	players := p.joint.players()
	if p.games == 0 || len(players) < 3 || players[1].Name != "tuned" {
		return nil, nil
	}
	r, err := fitRatings(p.joint.others)
	if err != nil {
		return nil, err
	}
	tuned := r.Players[1]
	in := tuned.Student(p.spec.Level, p.joint.others.Openings())
	g := &othersGain{Elo: min(max(tuned.Elo, -rating.MaxElo), rating.MaxElo), Low: in.Low, High: in.High, Level: p.spec.Level,
		Pairs:  tuned.Games / 2,
		Others: len(players) - 2}
	if g.Pairs == 0 {
		return nil, nil
	}
	// Both at a single look: how wide an interval is that holds at any time has nothing
	// to do with whether two numbers agree.
	if direct := p.verify.tally().Estimate(p.spec.Level); p.verify.tally().N() > 0 && !direct.Few {
		half := math.Hypot((in.High-in.Low)/2, (direct.EloRange.High-direct.EloRange.Low)/2)
		g.Differs = math.Abs(direct.Elo-g.Elo) > half
	}
	return g, nil
}

// Warnings implements Phase: the games with others show a smaller gain than the verification.
func (r *ratingPhase) Warnings() []error {
	g, err := r.Pool()
	switch {
	case err != nil:
		return []error{err}
	case g == nil || !g.Differs:
		return nil
	}
	direct := r.verify.tally().Estimate(r.spec.Level)
	if g.Elo > direct.Elo {
		return nil
	}
	return []error{warnf("The tuned values are at %s Elo against the start, but using only games against other players at %s. What "+
		"beats one opponent need not be the strongest: trust the games against others.", text.Signed(direct.Elo, 1), g)}
}

// Ratings returns the joint fit of all games between the players rated that the tuner did
// not learn from, the verification's included; nil before the phase has begun.
func (r *ratingPhase) Ratings() (*rating.Ratings, error) {
	if r.games == 0 {
		return nil, nil
	}
	return fitRatings(r.joint.all)
}

// Sections implements Phase: the table of the joint fit.
func (p *ratingPhase) Sections() ([]reports.Section, error) {
	r, err := p.Ratings()
	if err != nil || r == nil {
		return nil, err
	}
	pool, err := p.Pool()
	if err != nil {
		return nil, err
	}
	level := text.Level(p.spec.Level)
	table := reports.Table{Columns: reports.Columns("player", ">Elo", ">from", ">to", ">games", ">score", ">better than start")}
	games := 0
	for _, e := range r.Players {
		games += e.Games // of two players each
	}
	fig := figure.Bars{Title: "Ratings of start, tuned values and presets",
		Subtitle: fmt.Sprintf("joint fit of %s, %s intervals of a single look", text.Plural(games/2, "game"), level), XLabel: "Elo",
		ZeroLabel: "start"}
	superior := r.Superiority()
	for _, i := range r.Ranking() {
		e := r.Players[i]
		in := e.Interval(p.spec.Level)
		fig.Bars = append(fig.Bars, figure.Bar{Name: e.Name, Value: e.Elo, Lo: in.Low, Hi: in.High, Strong: e.Name == "tuned"})
		row := []string{e.Name, "0", "-", "-", text.Count(e.Games), text.Percent(e.Score), "-"}
		if i != 0 {
			row[1], row[2], row[3], row[6] = text.Signed(e.Elo, 0), text.Signed(in.Low, 0), text.Signed(in.High, 0), rating.Chance(superior[i][0])
		}
		table.Rows = append(table.Rows, row)
	}
	met := "The players in the table played each other"
	if p.spec.PoolStar {
		met = "Start and tuned values each played all players in the table"
	}
	line := fmt.Sprintf("%s, %s a pairing, on %s. All are rated together (Bradley-Terry, with draws and the advantage of moving first). "+
		"The start is at 0; the %s intervals are for a single look and relative to it.", met, text.Plural(p.spec.RatePairs, "pair"),
		p.spec.fresh(), level)
	if p.verify.tally().N() > 0 {
		games := "the verification"
		if p.spec.AgainstPairs > 0 {
			games += " and against the opponents"
		}
		line += " The games of " + games + " are included; those against other players move the difference of tuned and start a little " +
			"from the one there. The running interval there is wider because it holds however often one looks."
	}
	if pool != nil {
		line += " Tuned vs start, using only games against other players: " + pool.String() + "."
	}
	return []reports.Section{{Title: "Ratings", Blocks: []reports.Block{
		reports.Note(line + " " + rating.Apart(p.spec.Level)),
		reports.Plot{Name: "ratings", Figure: fig},
		table,
	}}}, nil
}
