package tuning

import (
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/reports/rating"
)

// inUnit is an estimate in the task's unit, with its interval.
func inUnit(t *analysis.Task, e rating.Estimate) (float64, rating.Interval) {
	if t.InElo() {
		return e.Elo, e.EloRange
	}
	above := func(score float64) float64 { return 100 * (score - .5) }
	return above(e.Score), rating.Interval{Low: above(e.ScoreRange.Low), High: above(e.ScoreRange.High)}
}

// inWords is an estimate for people.
func inWords(t *analysis.Task, e rating.Estimate) string {
	if t.InElo() {
		return e.String()
	}
	return e.Won()
}

// inShort is it without its confidence.
func inShort(t *analysis.Task, e rating.Estimate) string {
	if t.InElo() {
		return runs.ShortEstimate(e)
	}
	words, _, _ := strings.Cut(inWords(t, e), " (")
	return words
}

// inVerdict is what an estimate shows, with its numbers.
func inVerdict(t *analysis.Task, e rating.Estimate) string {
	words, _, _ := strings.Cut(e.Verdict(), ":")
	return words + ": " + inWords(t, e)
}
