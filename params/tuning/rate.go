package tuning

import (
	"fmt"
	"math"
	"slices"

	"selfplaylab/datasets"
	"selfplaylab/engines/match"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/record"
)

// PhaseRate comes last: start, tuned values and the game's presets play each
// other on the same fresh openings, to be rated together.
const PhaseRate = "rate"

// rated is one player of the rating.
type rated struct {
	name   string
	vector params.Vector
}

// field lists who is rated: the start first, then the tuned values if they are
// others, then the presets that are neither. Equal vectors play once.
func (s *Spec) field(presets []params.Preset, best params.Vector) []rated {
	list := []rated{{"start", s.Values}}
	add := func(name string, v params.Vector) {
		if !slices.ContainsFunc(list, func(r rated) bool { return slices.Equal(r.vector, v) }) {
			list = append(list, rated{name, v})
		}
	}
	add("tuned", best)
	for _, p := range presets {
		add("preset "+p.Name, p.Vector)
	}
	return list
}

// pairings lists who plays whom, by index in the field.
func pairings(players int) (list [][2]int) {
	for i := range players {
		for j := i + 1; j < players; j++ {
			list = append(list, [2]int{i, j})
		}
	}
	return list
}

// rating lists the trials of the phase, one a pairing.
func (s *Spec) rating(field []rated) *match.Listed {
	l := &match.Listed{}
	if s.RatePairs == 0 {
		return l
	}
	for i, p := range pairings(len(field)) {
		l.Trials = append(l.Trials, params.Trial{ID: i, X: field[p[0]].vector, Than: field[p[1]].vector, Pairs: s.RatePairs})
	}
	return l
}

// ratePrior is the weight, in games, of the belief that players are alike: with
// it one who won or lost everything has a finite rating.
const ratePrior = 1

// rate counts one game of the rating phase. Games come in the order of the
// record, the one that X starts first.
func (s *story) rate(g datasets.GameRow) {
	if s.rated == nil {
		names := make([]string, len(s.field))
		for i, p := range s.field {
			names[i] = p.name
		}
		s.rated = rating.NewTournament(names...)
	}
	points := int(2 * g.XScore)
	if g.Game == 0 {
		s.ratePoints = points
		return
	}
	p := pairings(len(s.field))[g.Trial-s.rateFrom]
	s.rated.AddPair(p[0], p[1], s.ratePoints, points)
}

// ratings is the table of the joint fit.
func (s *story) ratings() (reports.Section, error) {
	r, err := rating.BradleyTerry{Anchor: "start", Prior: ratePrior}.Fit(s.rated)
	if err != nil {
		return reports.Section{}, fmt.Errorf("joint ratings: %w", err)
	}
	level := params.FormatValue(100*s.spec.Level) + " %"
	t := reports.Table{Columns: []reports.Column{
		{Name: "player"}, {Name: "Elo", Right: true}, {Name: "from", Right: true}, {Name: "to", Right: true}, {Name: "games", Right: true}, {Name: "score", Right: true}, {Name: "better than start", Right: true},
	}}
	games := 0
	for _, p := range r.Players {
		games += p.Games // of two players each
	}
	fig := figure.Bars{Title: "Ratings of start, tuned values and presets", Subtitle: fmt.Sprintf("joint fit of %s, %s intervals", record.Plural(games/2, "game"), level), XLabel: "Elo", ZeroLabel: "start"}
	superior := r.Superiority()
	for _, i := range r.Ranking() {
		p := r.Players[i]
		in := p.Interval(s.spec.Level)
		fig.Bars = append(fig.Bars, figure.Bar{Name: p.Name, Value: p.Elo, Lo: in.Low, Hi: in.High, Strong: p.Name == "tuned"})
		row := []string{p.Name, "0", "-", "-", record.Count(p.Games), record.Percent(p.Score), "-"}
		if i != 0 {
			row[1], row[2], row[3], row[6] = elo(p.Elo), elo(in.Low), elo(in.High), record.Percent(superior[i][0])
		}
		t.Rows = append(t.Rows, row)
	}
	return reports.Section{Title: "Ratings", Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("Start, tuned values and the game's presets played each other, %s a pairing, on openings that the tuner never saw, and are rated together (Bradley-Terry, with draws and the advantage of moving first). "+
			"The start is at 0; the intervals, of %s, are relative to it.", record.Plural(s.spec.RatePairs, "pair"), level)),
		reports.Plot{Name: "ratings", Caption: "Players whose intervals lie apart differ for sure.", Figure: fig},
		t,
	}}, nil
}

// elo writes a rating with its sign, and nothing like "-0".
func elo(x float64) string {
	if math.Abs(x) < 0.5 {
		return "0"
	}
	return fmt.Sprintf("%+.0f", x)
}
