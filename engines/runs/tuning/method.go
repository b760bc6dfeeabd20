package tuning

import (
	"fmt"
	"math"

	"selfplaylab/engines"
	"selfplaylab/engines/runs/config"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
)

// Method is a way to tune: a tuner with all that is said about it. It is a pointer to a
// struct whose fields, as config.Fields reads them, are its settings; they become fields
// of Config. The zero value of a field means that it was not set, and its help names the
// default.
type Method interface {
	// Info describes the method with its settings.
	Info() MethodInfo
	// Check fills in what was not set, the task's pairs included, and reports the first
	// thing that cannot be, as a *config.Error where it is one field. It is called before
	// everything below.
	Check(t *Task) error
	// Pairs is how many game pairs the tuner will ask for; at most, if it may stop.
	Pairs(t *Task) int
	// Tuner makes the tuner.
	Tuner(t *Task, seed uint64) (params.Tuner, error)

	// What follows describes a tuning by its record alone.

	// Question is what was asked, as a sentence goes on after "Asked: ".
	Question(h *History) string
	// Note says in a few words where the tuner stands.
	Note(h *History) string
	// Warnings are what a reader must know before believing the result.
	Warnings(h *History) []error
	// Show is the method's part of the report, after the first trial.
	Show(h *History) (Shown, error)
}

// MethodInfo is what a method can do, by its settings. A nil func means that it cannot.
type MethodInfo struct {
	Name string // in files and flags
	Doc  string // what it does, one line
	// Margins reports whether its tuner and fits use only the mean and variance of a
	// score, so that margin scores can replace points.
	Margins bool
	// Tuned names the parameters to tune, where its own settings say them.
	Tuned func(space params.Space) ([]string, error)
	// Choices names parameters that it tunes by choosing among values, in addition to
	// those that --params names.
	Choices func(space params.Space) ([]string, error)
	// Point names the point that a trial is about, by its A, where it tries given points.
	Point func(t *Task, a params.Vector) string
	// Stopped reports whether its tuner asks for nothing more, where that may be before
	// it had all its pairs.
	Stopped func(h *History) (bool, error)
	// SetPairs sets its budget in place of the settings that say it; the task's pairs are
	// those asked for, 0 if none were. It is called before Check.
	SetPairs func(t *Task, pairs int)
	// Extension is how its budget can be extended; nil where its steps depend on the
	// whole budget.
	Extension *Extension
}

// Extension is the budget of a method whose tuner may stop at any number of games and go
// on as if it had not.
type Extension struct {
	Err   error // why these settings cannot be extended; nil if they can
	Games int   // the budget, as the method counts games
	// Set changes it; an error says why it cannot be that.
	Set func(games int) error
	// StopAfter has a tuner of the method stop after so many games.
	StopAfter func(tuner params.Tuner, games int)
}

// Task is the part of a question that all methods share.
type Task struct {
	Game   *engines.Game
	Start  params.Vector
	Active []string // names of the parameters tuned
	Pairs  int      // game pairs of an iteration or a point; 0 before Check if nobody said
	Full   float64  // the margin that counts as much as any win, where margins are the target; 0 for points
}

// Space is that of the game.
func (t *Task) Space() params.Space { return t.Game.Space }

// indices are the places of the parameters tuned.
func (t *Task) indices() []int {
	var list []int
	for _, name := range t.Active {
		list = append(list, t.Game.Space.Index(name))
	}
	return list
}

// History is how a tuning has gone so far.
type History struct {
	*Task
	Level    float64 // confidence of all intervals
	Opponent string  // whom X and Than both play, for people; "" where they play each other
	Trials   []Trial // of the tuner
	Best     params.Vector
}

// Trial is a question of the tuner with its answer.
type Trial struct {
	A, B    params.Vector
	Pairs   rating.Pairs        // of X against Than; with an opponent see campaign.CombineScores
	Against [2]rating.Pairs     // with an opponent: of A, of B against it
	Margin  *params.MarginScore // where margins are the target: of X against Than; with an opponent see campaign.CombineMargins
	Best    params.Vector       // recommended after it
}

// score is what the tuner was told.
func (t *Trial) score() params.Score { return params.Score{Pairs: t.Pairs, Margin: t.Margin} }

// Advantage is how many points a game X was ahead of Than, in [-1, 1]: won less
// lost where they played each other; with an opponent twice the difference of
// their scores, which is as much in Elo where all three are about even.
func (t *Trial) Advantage() float64 {
	if t.Against[0].N() == 0 {
		return 2*t.Pairs.Score() - 1
	}
	return 2 * (t.Against[0].Score() - t.Against[1].Score())
}

// Shown is what a method adds to the report.
type Shown struct {
	Sections []reports.Section
	Optima   []Optimum // at most one a parameter
	Found    string    // how the optima were found, in sentences; "" where there are none
	Analysis *Analysis // what the games tell, as data; nil where no quadratic is fitted
}

// byParabolas is how a method that fits every parameter alone finds optima.
const byParabolas = "Best by its games: where the peak of a parabola fitted to the tuning's own games lies, with its interval; a dash where they show no peak. The parabola leaves out how parameters act together, and an interval beside which the tuned value lies says that the run had not settled."

// Optimum is where the run's own games put the best value of a parameter.
type Optimum struct {
	Param            int // index in the space
	Value, Low, High float64
}

// find returns the method of a name.
func find(list []Method, name string) (Method, error) {
	var names []string
	for _, m := range list {
		if m.Info().Name == name {
			return m, nil
		}
		names = append(names, m.Info().Name)
	}
	if name == "cmaes" {
		return nil, config.Errorf("method", "cmaes was removed: it tuned to beat one opponent. Use quad; version 0.2 reads and resumes runs made by cmaes")
	}
	return nil, config.Errorf("method", "%q: unknown method%s", name, params.Suggest(name, names))
}

// stepsApart is the Euclidean distance of two vectors in steps.
func stepsApart(space params.Space, v, w params.Vector) float64 {
	sum := 0.0
	for i, p := range space {
		if v[i] != w[i] {
			d := p.Coordinate(v[i]) - p.Coordinate(w[i])
			sum += float64(d * d)
		}
	}
	return math.Sqrt(sum)
}

// Warning is a sentence about a result that needs nothing but words.
type Warning string

// Error is the sentence.
func (w Warning) Error() string { return string(w) }

func warnf(format string, args ...any) error { return Warning(fmt.Sprintf(format, args...)) }
