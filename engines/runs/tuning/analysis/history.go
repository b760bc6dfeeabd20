// Package analysis interprets the trials of a tuning: importance, interactions and slices
// by a quadratic fitted to them, progress, and how far several tunings agree.
// Trials go in, sections of a report and data come out. It knows no tuner, no phase and no
// run.
package analysis

import (
	"fmt"
	"math"

	"selfplaylab/engines"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// The targets of a tuning: points, or margins.
const (
	TargetWin    = "win"
	TargetMargin = "margin"
)

// Task holds the settings of a tuning that all methods share.
type Task struct {
	Game   *engines.Game
	Start  params.Vector
	Active []string // names of the parameters tuned
	Pairs  int      // game pairs of an iteration or a point; 0 before Check for the default
	// MarginCap is the margin that counts as much as any win, where margins are the
	// target; 0 for points.
	MarginCap float64
}

// Space returns the game's space.
func (t *Task) Space() params.Space { return t.Game.Space }

// Indices returns the places of the parameters tuned.
func (t *Task) Indices() []int {
	return text.Each(t.Active, t.Game.Space.Index)
}

// History is a tuning so far: its task and the trials of its tuner.
type History struct {
	*Task
	Level    float64 // confidence of all intervals
	Opponent string  // opponent of A and B, for people; "" if they play each other
	Trials   []Trial // of the tuner
	Best     params.Vector
	Idle     []string // no tested step of these parameters changed anything
}

// Trial is a question of the tuner with its answer.
type Trial struct {
	A, B    params.Vector
	Pairs   rating.Pairs        // of A against B; with an opponent see schedule.CombineScores
	Against [2]rating.Pairs     // with an opponent: of A, of B against it
	Margin  *params.MarginScore // where margins are the target: of A against B; with an opponent see schedule.CombineMargins
	// Openings is the start of its stream of openings; with an opponent A and B share the stream.
	Openings uint64
	Best     params.Vector // recommended after it
}

// Score returns the tuner's score of the trial.
func (t *Trial) Score() params.Score { return params.Score{Pairs: t.Pairs, Margin: t.Margin} }

// Optimum is where the run's own games put the best value of a parameter.
type Optimum struct {
	Param            int // index in the space
	Value, Low, High float64
}

// Distance returns the Euclidean distance of two vectors in steps.
func (t *Task) Distance(v, w params.Vector) float64 {
	sum := 0.0
	for i, p := range t.Space() {
		if v[i] != w[i] {
			d := p.Coordinate(v[i]) - p.Coordinate(w[i])
			sum += float64(d * d)
		}
	}
	return math.Sqrt(sum)
}

// unitNote explains Elo if it is not about points.
func (h *History) unitNote() []reports.Block {
	if h.MarginCap == 0 {
		return nil
	}
	unit := h.Game.Margins.Unit
	return []reports.Block{reports.Note(fmt.Sprintf("The tuner used margins: a game scores 1/2 plus its margin in %s divided by %g, cut "+
		"at 0 and 1. "+
		"Elo values below refer to this score, so to how much games are won by. Only the verification measures how often they are won.", unit,
		2*h.MarginCap))}
}

// target returns the tuner's target.
func (h *History) target() string {
	if h.MarginCap == 0 {
		return TargetWin
	}
	return TargetMargin
}

// Text writes the optimum with its interval.
func (o Optimum) Text(p *params.Param) string {
	if o.Low <= p.Min && o.High >= p.Max {
		return text.Figures(o.Value, 3) + ", anywhere in its range"
	}
	return fmt.Sprintf("%s, from %s to %s", text.Figures(o.Value, 3), text.Figures(o.Low, 3), text.Figures(o.High, 3))
}
