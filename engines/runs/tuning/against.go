package tuning

import (
	"fmt"
	"math"
	"slices"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// opposition is the phase in which start and tuned values each play the opponents of the
// tuning. Over a pool of several the mean score decides.
type opposition struct {
	phase
	tuned *selection
	joint *jointRating
	pairs [][2]rating.Pairs // against each opponent: of the start, of the tuned values
}

func newOpposition(j *jointRating) *opposition {
	s := j.tuned.spec
	return &opposition{phase: newPhase(s, phaseAgainst, j.tuned.stage), tuned: j.tuned, joint: j,
		pairs: make([][2]rating.Pairs, len(s.Against))}
}

// players are the start and the tuned values, unless they are the same.
func (p *opposition) players() []player.Config {
	s := p.spec
	switch {
	case s.AgainstPairs == 0:
		return nil
	case p.tuned.settled() && p.tuned.same():
		return []player.Config{s.start()}
	}
	return []player.Config{s.start(), s.tuned(p.tuned.recommend())}
}

// Source implements Phase.
func (p *opposition) Source() (schedule.Source, error) {
	return atStage(p.stage, p.spec.meeting(p.name, p.players(), p.spec.AgainstPairs)), nil
}

// meets returns which of the players plays which opponent in the n-th trial.
func (p *opposition) meets(n int64) (who, opponent int) { return p.spec.met(n, len(p.players())) }

// Add implements Phase.
func (p *opposition) Add(n int64, f schedule.Finished) error {
	if p.spec.AgainstPairs == 0 {
		return p.diverged(f.Trial)
	}
	who, k := p.meets(n)
	p.pairs[k][who] = p.pairs[k][who].Plus(f.Trial.PairCounts())
	p.joint.addNamed(p.players()[who].Name, "opponent "+p.spec.Against[k].Name, f.Games)
	return nil
}

// Planned implements Phase.
func (p *opposition) Planned() (games int64, atMost bool) {
	return 2 * int64(p.spec.AgainstPairs) * int64(len(p.players())*len(p.spec.Against)), !p.tuned.settled()
}

// Done implements Phase.
func (p *opposition) Done() bool {
	games, atMost := p.Planned()
	return !atMost && p.games >= games
}

// Note implements Phase.
func (p *opposition) Note(rating.Pairs) string {
	return "start and tuned values against " + p.spec.opposition()
}

// Seats implements Phase.
func (p *opposition) Seats(n int64, row datasets.TrialRow) ([2]player.Config, error) {
	who, k := p.meets(n)
	return [2]player.Config{p.spec.named(p.players()[who].Name, row.A), p.spec.Against[k]}, nil
}

// Part implements Phase.
func (p *opposition) Part(n int64, row datasets.TrialRow) (runs.Part, bool) {
	seats, err := p.Seats(n, row)
	return runs.Part{Name: seats[0].Name + p.suffix() + " v " + seats[1].Name, Seats: seats}, err == nil
}

// Opposed is how a player did against an opponent.
type Opposed struct {
	Name     string          `json:"name"`
	Opponent string          `json:"opponent"`
	Pairs    rating.Pairs    `json:"pairs"`
	Estimate rating.Estimate `json:"estimate"`
}

// Opposed are start and tuned values against each opponent, as far as they played.
func (p *opposition) Opposed() []Opposed {
	list := []Opposed{}
	for k, e := range p.spec.Against {
		for i, name := range []string{"start", "tuned"} {
			if pairs := p.pairs[k][i]; pairs.N() > 0 {
				list = append(list, Opposed{name, e.Name, pairs, pairs.Estimate(p.spec.Level)})
			}
		}
	}
	return list
}

// Mean is a score over all opponents, each of the same weight, in [0, 1], with the
// interval of a single look.
type Mean struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// percent writes it for people.
func (m Mean) percent() string {
	return fmt.Sprintf("%s (%s to %s)", text.Percent(m.Value), text.Percent(m.Low), text.Percent(m.High))
}

// poolGain is what tuning against a pool gained.
type poolGain struct {
	Opponents int  `json:"opponents"`
	Pairs     int  `json:"pairs"` // of each player against each opponent
	Start     Mean `json:"start"`
	Tuned     Mean `json:"tuned"`
	Gain      Mean `json:"gain"` // tuned minus start
}

// OverPool is the mean score of start and tuned values over a pool of opponents, and
// their difference; nil for a tuning against one or none, and before all of its
// games. The numbers of pairs were fixed beforehand, so an interval of a single look
// holds: the opponents are strata of equal weight (Cochran, Sampling Techniques,
// 1977, section 5.3), and both players are taken as independent though they had the
// same openings, which widens the interval of their difference, if anything.
func (p *opposition) OverPool() *poolGain {
	if !p.spec.byPool() || !p.Done() {
		return nil
	}
	var mean, square [2]float64
	n := float64(len(p.pairs))
	for _, by := range p.pairs {
		for i, t := range by {
			// A Wilson-like half pair on either side: no error is zero after few games.
			pairs := float64(t.N())
			variance := (t.Variance()*pairs + .125) / (pairs + 1)
			mean[i] += t.Score() / n
			square[i] += variance / max(pairs-1, 1) / n / n
		}
	}
	z := math.Sqrt2 * math.Erfinv(p.spec.Level)
	at := func(value, square float64) Mean {
		half := z * math.Sqrt(square)
		return Mean{value, value - half, value + half}
	}
	return &poolGain{
		Opponents: len(p.pairs), Pairs: p.spec.AgainstPairs, Start: at(mean[0], square[0]), Tuned: at(mean[1], square[1]),
		Gain: at(mean[1]-mean[0], square[0]+square[1]),
	}
}

// String says it in a line.
func (g *poolGain) String() string {
	return fmt.Sprintf("%+.1f %%, from %+.1f to %+.1f (score over %s: tuned %s, start %s, %s of each against each)",
		100*g.Gain.Value, 100*g.Gain.Low, 100*g.Gain.High, text.Plural(g.Opponents, "opponent"), text.Percent(g.Tuned.Value),
		text.Percent(g.Start.Value), text.Plural(g.Pairs, "pair"))
}

// Sections implements Phase: how both did against the opponents.
func (p *opposition) Sections() ([]reports.Section, error) {
	opposed, pool := p.Opposed(), len(p.spec.Against) > 1
	if len(opposed) == 0 {
		return nil, nil
	}
	table := reports.Table{Columns: []reports.Column{{Name: "player"}, {Name: "pairs", Right: true}, {Name: "score", Right: true},
		{Name: "Elo above the opponent"}}}
	if pool {
		table.Columns = slices.Insert(table.Columns, 1, reports.Column{Name: "opponent"})
	}
	for _, o := range opposed {
		row := []string{o.Name, text.Count(o.Pairs.N()), text.Percent(o.Estimate.Score), o.Estimate.String()}
		if pool {
			row = slices.Insert(row, 1, o.Opponent)
		}
		table.Rows = append(table.Rows, row)
	}
	if !pool {
		return []reports.Section{{Title: "Against the opponent", Blocks: []reports.Block{
			reports.Text(fmt.Sprintf("Start and tuned values each played `%s`, against which they were tuned, on the same %s. These games do not enter the verdict above: a gain against one opponent may be a loss against others.",
				p.spec.Against[0].Name, p.spec.fresh())),
			table,
		}}}, nil
	}
	line := fmt.Sprintf("Each trial of the tuning was played against one of %s opponents, each of them the same number of times, in "+
		"random order. Afterwards start and tuned values each played all of them, on the same %s. The verdict is by the mean of these "+
		"scores, each opponent weighted equally. The match against the start is shown in addition.",
		text.Count(len(p.pairs)), p.spec.fresh())
	blocks := []reports.Block{reports.Text(line)}
	if g := p.OverPool(); g != nil {
		blocks = append(blocks, reports.Table{
			Columns: []reports.Column{{Name: "over all opponents"},
				{Name: "score, with its " + text.Level(p.spec.Level) + " interval", Right: true}},
			Rows: [][]string{{"start", g.Start.percent()}, {"tuned", g.Tuned.percent()}, {"gain", g.Gain.percent()}},
		})
	}
	return []reports.Section{{Title: "Against the pool", Blocks: append(blocks, table)}}, nil
}
