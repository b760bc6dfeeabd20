package tuners

import "slices"

// clopName is CLOP's name in columns.
const clopName = "CLOP"

// clopRepeats states for people how often CLOP's regrets were measured.
const clopRepeats = "40 to 100 repeats, standard errors of about a tenth"

// clopError is the standard error of one of CLOP's regrets, as a share of it.
const clopError = .1

// clopGames are the budgets of CLOP's regrets.
var clopGames = []int{1000, 10_000, 100_000}

// clopRegrets holds the regrets of CLOP x 1000, at clopGames, measured with its author's own
// program (Coulom, "CLOP: Confident Local Optimization for Noisy Black-Box Parameter Tuning",
// Advances in Computer Games 13, 2011) on these problems from the start 0; 0 if not measured.
var clopRegrets = map[string][3]float64{
	"LOG": {4.4, 1.0, .20}, "FLAT": {24.6, 6.4, .35}, "POWER": {14.6, 12.3, 3.2}, "ANGLE": {20.9, 11.0, 3.7},
	"STEP": {79, 48.8, 26}, "ROSENBROCK": {9.6, 2.1, .56}, "CORRELATED": {4.6, 2.2, .84}, "LOG2": {14.9, 3.2, .64},
	"LOG5": {63, 15.5, 0}, "LOG12": {116, 66, 0},
}

// clopRegret returns the mean simple regret of CLOP's author's program on a problem of
// problem.All from the start 0 after a number of games. ok is false if it was not measured. See
// clopRepeats.
func clopRegret(problem string, games int) (regret float64, ok bool) {
	i := slices.Index(clopGames, games)
	if i < 0 || clopRegrets[problem][i] == 0 {
		return 0, false
	}
	return clopRegrets[problem][i] / 1000, true
}
