package tuning

import (
	"fmt"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// inElo reports whether results are strengths: those of an objective are shares of its
// comparisons.
func inElo(t *analysis.Task) bool { return t.Game.Name != objectiveName }

// unit is that of results, as a heading.
func unit(t *analysis.Task) string {
	if inElo(t) {
		return "Elo"
	}
	return "% better above even"
}

// inUnit is an estimate in it, with its interval.
func inUnit(t *analysis.Task, e rating.Estimate) (float64, rating.Interval) {
	if inElo(t) {
		return e.Elo, e.EloRange
	}
	above := func(score float64) float64 { return 100 * (score - .5) }
	return above(e.Score), rating.Interval{Low: above(e.ScoreRange.Low), High: above(e.ScoreRange.High)}
}

// inWords is an estimate for people.
func inWords(t *analysis.Task, e rating.Estimate) string {
	elo := e.String()
	if inElo(t) || e.N == 0 || e.Unknown() {
		return elo
	}
	return fmt.Sprintf("better in %s, from %s to %s%s", text.Percent(e.Score), text.Percent(e.ScoreRange.Low), text.Percent(e.ScoreRange.High),
		elo[strings.LastIndex(elo, " ("):])
}

// inShort is it without its confidence.
func inShort(t *analysis.Task, e rating.Estimate) string {
	if inElo(t) || e.Few {
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
