package tuning

import (
	"fmt"
	"slices"

	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
	"selfplaylab/reports"
)

// Method is a tuning method with its report. It is a pointer to a struct; the struct's fields are
// the settings, in the form of config.Fields, and become fields of Config. Zero means not set, and
// the help of a field names the default.
type Method interface {
	// Info describes the method with its settings.
	Info() MethodInfo
	// Check fills in defaults, the task's pairs included, and returns the first error, a
	// *config.Error for one field. It is called before all other methods.
	Check(t *analysis.Task) error
	// Pairs returns the number of game pairs of the tuner; the largest number, if it may stop.
	Pairs(t *analysis.Task) int
	// Tuner makes the tuner.
	Tuner(t *analysis.Task, seed uint64) (params.Tuner, error)

	// The following methods describe a tuning by its trials and its tuner.

	// Question continues a sentence that begins with "Asked: ".
	Question(t session) string
	// Note describes the state of the tuner in a few words.
	Note(t session) string
	// Warnings returns warnings about the result, for the top of the report.
	Warnings(t session) []error
	// Report is the method's part of the report, after the first trial.
	Report(t session) (methodReport, error)
}

// session is a tuning for its method: the trials, and the tuner that has learned them.
type session struct {
	*analysis.History
	tuner func() (params.Tuner, error)
}

// MethodInfo lists the capabilities of a method with its settings. A nil func is a missing
// capability.
type MethodInfo struct {
	Name string // in files and flags
	Doc  string // help text, one line
	// Version is the version of its tuner with these settings, from 1.
	Version int
	// Former are settings of earlier versions, which runs of theirs name.
	Former []string
	// Margins reports whether its tuner and fits use only the mean and variance of a
	// score, so that margin scores can replace points.
	Margins bool
	// Tuned lists the parameters to tune if the method's settings name them.
	Tuned func(space params.Space) ([]string, error)
	// Point names the point that a trial is about, by its A, where it tries given points.
	Point func(t *analysis.Task, a params.Vector) string
	// Stopped reports whether its tuner has ended; nil if it uses all its pairs.
	Stopped func(t session) (bool, error)
	// Standing returns the evidence of the tuner's own games on its recommendation against the
	// start; nil if unknown, and before the first trial.
	Standing func(t session) *analysis.Standing
	// WholeRange reports whether it tries values across a quarter of each range from the first
	// game on.
	WholeRange bool
	// SetPairs sets the budget in place of the settings for it; the task's pairs are the given
	// ones, 0 for none. It is called before Check.
	SetPairs func(t *analysis.Task, pairs int)
	// Extension is how its budget can be extended; nil where its steps depend on the
	// whole budget.
	Extension *Extension
}

// Extension is the budget of a method whose tuner may stop at any number of games and continue
// as if it had not stopped.
type Extension struct {
	Games int // the budget, as the method counts games
	// Set changes the budget. The error explains why it is not possible.
	Set func(games int) error
	// StopAfter has a tuner of the method stop after that number of games.
	StopAfter func(tuner params.Tuner, games int)
}

// methodReport is a method's part of the report.
type methodReport struct {
	Sections []reports.Section
	Optima   []analysis.Optimum // at most one a parameter
	Found    string             // how the optima were found, in sentences; "" where there are none
	Analysis *analysis.Analysis // evidence of the games; nil if no quadratic is fitted
}

// add adds a section if there is one.
func (m *methodReport) add(s reports.Section, ok bool) {
	if ok {
		m.Sections = append(m.Sections, s)
	}
}

// byParabolas is how a method that fits every parameter alone to games finds optima.
const byParabolas = "Best by its games: the peak of a parabola fitted to the tuning's games, with its interval; a dash if they show no " +
	"peak. The parabola ignores interactions. If the interval does not contain the tuned value, the tuning had not converged."

// find returns the method of a name.
func find(list []Method, name string) (Method, error) {
	if i := slices.IndexFunc(list, func(m Method) bool { return m.Info().Name == name }); i >= 0 {
		return list[i], nil
	}
	if name == "racing" {
		return nil, config.Errorf("method", "racing was removed: grid with --alpha drops values that are shown to be worse; selfplay export "+
			"still reads the rows of its runs")
	}
	return nil, config.Errorf("method", "%q: unknown method%s", name, params.Suggest(name, methodNames(list, nil)))
}

// methodNames lists the methods that a function accepts; a nil function accepts all.
func methodNames(list []Method, accept func(Method) bool) (names []string) {
	for _, m := range list {
		if accept == nil || accept(m) {
			names = append(names, m.Info().Name)
		}
	}
	return names
}

// hasSetting reports whether a method has a setting of a name.
func hasSetting(m Method, name string) bool {
	return slices.ContainsFunc(config.Fields(m), func(f config.Field) bool { return f.Called(name) })
}

// warning is a sentence about a result that needs nothing but words.
type warning string

func (w warning) Error() string { return string(w) }

func warnf(format string, args ...any) error { return warning(fmt.Sprintf(format, args...)) }

// Files that a run leaves in its directory.
const (
	tunedName     = "tuned.toml"     // the values to use: the candidate, or the start if no gain was shown
	candidateName = "candidate.toml" // the tuning's values if tuned.toml holds the start's
	startFile     = "start.toml"     // where the tuning started
	rowsName      = "tuned.rows"     // tuned values in the rows of an external engine
	// answersName is the file in which a run whose games are played elsewhere keeps questions and
	// answers. An answer is written before it is confirmed. Its content becomes rows, as with any
	// result.
	answersName = "answers.jsonl"
)
