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

// Methods returns the ways to tune, new ones of which nothing is asked yet: the
// one list to extend for a new tuner. The first is the default.
func Methods() []Method {
	return []Method{
		&Quad{},
		&SPSA{},
		&Grid{},
		&Racing{},
		&CMAES{},
	}
}

// Method is a way to tune: a tuner with all that is said about it. It is a
// pointer to a struct whose fields, as ask.Fields reads them, are its settings;
// they become fields of Config. The zero value of a field means that nothing was
// said, and Help tells the default.
type Method interface {
	Name() string // in files and flags
	Doc() string  // what it does, one line

	// Check fills in what was not said, the task's pairs included, and reports the
	// first thing that cannot be, as an *ask.Error where it is one field. It is
	// called before everything below.
	Check(t *Task) error
	// Pairs is how many game pairs the tuner will ask for; at most, if it is a Stopper.
	Pairs(t *Task) int
	// Tuner makes the tuner.
	Tuner(t *Task, seed uint64) (params.Tuner, error)

	Teller
}

// Teller tells of a tuning in a method's words, from the record alone.
type Teller interface {
	// Question is what was asked, as a sentence goes on after "Config: ".
	Question(c *History) string
	// Note says in a few words where the tuner stands.
	Note(c *History) string
	// Warnings are what a reader must know before believing the result.
	Warnings(c *History) []error
	// Show is the method's part of the report. It is asked for after the first
	// trial.
	Show(c *History) (Shown, error)
}

// Chooser is a Method whose settings name what is tuned.
type Chooser interface {
	// Choose lists the names of the parameters.
	Choose(space params.Space) ([]string, error)
}

// Pointed is a Method that tries given points, each a row of results.
type Pointed interface {
	// Point names the point that a trial of the tuner is about, by its X.
	Point(t *Task, x params.Vector) string
}

// Stopper is a Method that may ask for fewer pairs than Pairs says.
type Stopper interface {
	// MayStop reports whether this one may, by its settings.
	MayStop() bool
	// Over reports whether the tuner asks for nothing more after the trials of the
	// course.
	Over(c *History) (bool, error)
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
		if m.Name() == name {
			return m, nil
		}
		names = append(names, m.Name())
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
