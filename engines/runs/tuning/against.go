package tuning

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// againstPhase is the phase in which start and tuned values each play the opponents of the
// tuning. Over a pool of several the mean score decides.
type againstPhase struct {
	matches
	tuned   *selectPhase
	joint   *jointRating
	results [][2]rating.Pairs // against each opponent: of the start, of the tuned values
}

func newAgainstPhase(j *jointRating) *againstPhase {
	s := j.tuned.spec
	p := &againstPhase{tuned: j.tuned, joint: j, results: make([][2]rating.Pairs, len(s.Against)), matches: matches{
		phase: newPhase(s, phaseAgainst, j.tuned.stageIndex), pairs: s.AgainstPairs, rounds: true, named: true,
		note: "start and tuned values against " + s.opponentNames()}}
	p.lineup = p.everybody
	return p
}

// everybody has the start and the tuned values, unless they are the same, play every opponent.
func (a *againstPhase) everybody() lineup {
	l, players := lineup{open: !a.tuned.settled()}, []player.Config{a.spec.start()}
	if l.open || !a.tuned.same() {
		players = append(players, a.spec.tuned(a.tuned.recommend()))
	}
	l.against(players, a.spec.Against)
	return l
}

func (a *againstPhase) Add(n int64, f schedule.Finished) error {
	l, m, err := a.meeting(n, f.Trial)
	if err != nil {
		return err
	}
	k := m.B - len(l.players) + len(a.spec.Against)
	a.results[k][m.A] = a.results[k][m.A].Plus(f.Trial.PairCounts())
	a.joint.addNamed(l.players[m.A].Name, "opponent "+l.players[m.B].Name, f)
	return a.count(n, l, m, f)
}

func (a *againstPhase) Part(n int64, row datasets.TrialRow) (runs.Part, bool) {
	seats, err := a.Seats(n, row)
	return runs.Part{Name: seats[0].Name + a.suffix() + " v " + seats[1].Name, Seats: seats}, err == nil
}

// opposed is how a player did against an opponent.
type opposed struct {
	Name     string          `json:"name"`
	Opponent string          `json:"opponent"`
	Pairs    rating.Pairs    `json:"pairs"`
	Estimate rating.Estimate `json:"estimate"`
}

// Opposed are start and tuned values against each opponent, as far as they played.
func (a *againstPhase) Opposed() []opposed {
	list := []opposed{}
	for k, e := range a.spec.Against {
		for i, name := range []string{"start", "tuned"} {
			if pairs := a.results[k][i]; pairs.N() > 0 {
				list = append(list, opposed{name, e.Name, pairs, pairs.Estimate(a.spec.Level)})
			}
		}
	}
	return list
}

// meanScore is a score over all opponents, each of the same weight, in [0, 1], with the
// interval of a single look.
type meanScore struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// percent writes it for people.
func (m meanScore) percent() string {
	return fmt.Sprintf("%s (%s to %s)", text.Percent(m.Value), text.Percent(m.Low), text.Percent(m.High))
}

// points returns a difference of two scores.
func (m meanScore) points() string {
	return text.Signed(100*m.Value, 1) + " percentage points, " + text.Ends(100*m.Low, 100*m.High, 1)
}

// poolGain is the gain of a tuning against a pool.
type poolGain struct {
	Opponents int       `json:"opponents"`
	Pairs     int       `json:"pairs"` // of each player against each opponent
	Start     meanScore `json:"start"`
	Tuned     meanScore `json:"tuned"`
	Gain      meanScore `json:"gain"`  // tuned minus start
	Level     float64   `json:"level"` // of the intervals
}

// OverPool returns the mean scores of start and tuned values over a pool of opponents, and their
// difference. It is nil for a tuning against fewer than two opponents, before all of its games, and
// if the start was recommended.
//
// The number of openings is fixed beforehand, so the interval of a single look holds: Student's
// over the openings. All games of one opening are one observation, because a player that likes an
// opening plays it well against all opponents. One opening gives no interval.
func (a *againstPhase) OverPool() *poolGain {
	if !a.spec.byPool() || !a.Done() || a.tuned.same() {
		return nil
	}
	over := func(least float64, points []float64) meanScore {
		mean, _, half := rating.MeanByOpening(points, float64(len(a.results)), 1-least, a.spec.Level) // a difference is of two scores
		return meanScore{mean, max(least, mean-half), min(1, mean+half)}
	}
	start, tuned := a.byOpening[0], a.byOpening[1]
	gain := make([]float64, len(tuned))
	floats.SubTo(gain, tuned, start)
	return &poolGain{
		Opponents: len(a.results), Pairs: a.spec.AgainstPairs, Start: over(0, start), Tuned: over(0, tuned), Gain: over(-1, gain),
		Level: a.spec.Level,
	}
}

// String returns the gain in a line.
func (p *poolGain) String() string {
	return fmt.Sprintf("%s (%s; score over %s: tuned %s, start %s, %s of each against each)", p.Gain.points(), text.Level(p.Level),
		text.Plural(p.Opponents, "opponent"), text.Percent(p.Tuned.Value), text.Percent(p.Start.Value), text.Plural(p.Pairs, "pair"))
}

// Sections implements Phase: how both did against the opponents.
func (a *againstPhase) Sections() ([]reports.Section, error) {
	opposed, pool := a.Opposed(), len(a.spec.Against) > 1
	if len(opposed) == 0 {
		return nil, nil
	}
	table := reports.Table{Columns: reports.Columns("player", ">pairs", ">score", "Elo above the opponent")}
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
			reports.Note(fmt.Sprintf("Start and tuned values each played `%s`, against which they were tuned, on the same %s. These "+
				"games do not enter the verdict above: a gain against one opponent may be a loss against others.",
				a.spec.Against[0].Name, a.spec.fresh())),
			table,
		}}}, nil
	}
	line := fmt.Sprintf("Each trial of the tuning was played against one of %s opponents, each of them the same number of times, in "+
		"random order. Afterwards start and tuned values each played all of them, on the same %s. The verdict is by the mean of these "+
		"scores, each opponent weighted equally. The match against the start is shown in addition.",
		text.Count(len(a.results)), a.spec.fresh())
	blocks := []reports.Block{reports.Text(line)}
	if g := a.OverPool(); g != nil {
		blocks = append(blocks, reports.Table{
			Columns: reports.Columns("over all opponents", ">score, with its "+text.Level(a.spec.Level)+" interval"),
			Rows:    [][]string{{"start", g.Start.percent()}, {"tuned", g.Tuned.percent()}, {"gain", g.Gain.points()}},
		})
	}
	return []reports.Section{{Title: "Against the pool", Blocks: append(blocks, table)}}, nil
}
