package tuning

import (
	"fmt"
	"path/filepath"

	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// Verdict implements runs.Result.
func (r *Result) Verdict() (reports.Verdict, error) {
	finished := r.Finished()
	v := r.Head.Verdict("tuning", r.question(), finished)
	e, test := r.Verified()
	switch {
	case r.settled() && r.same():
		v.Answer, v.Detail = "No gain found", "the best values are the start's"
	case r.Config.byPool():
		r.answerPool(&v)
	case e != nil:
		r.Head.AnswerElo(&v, *e, r.answer(), finished, "No gain shown")
		if !finished && r.complete() {
			v.Detail += ", being verified"
		}
		if test != nil {
			v.Facts = append([]string{fmt.Sprintf("LLR %s of %.2f to %.2f", text.Fixed(test.LLR, 2), test.Lower, test.Upper)}, v.Facts...)
		}
		v.Facts = append([]string{fmt.Sprintf("verified with %s on %s", text.Plural(e.N, "pair"), r.Config.newOpenings())}, v.Facts...)
	default:
		r.answerUnverified(&v)
	}
	if v.Scale != nil {
		v.Scale.Zero = "0: as strong as the start"
	}
	v.Facts = append(v.Facts, r.progress())
	if plot, ok := r.progressPlot(); ok && finished {
		plot.Name = "strength"
		v.Picture = &plot
	}
	if finished && r.Head.Dir != "" && r.Config.Elsewhere == nil && r.Config.Program == nil && !r.candidateOnly() && !r.same() {
		compare := runs.CommandText("selfplay", "match", "--game", r.Head.Meta.Game, "--a", filepath.Join(r.Head.Dir, tunedName), "--b", "PLAYER")
		v.Next = append(v.Next, reports.Step{Name: "Compare it", Command: compare})
	}
	return v, nil
}

// answerPool puts the result against a pool of opponents into a verdict.
func (r *Result) answerPool(v *reports.Verdict) {
	g := r.OverPool()
	if g == nil {
		r.answerUnverified(v)
		return
	}
	v.Answer = map[outcome]string{shownBetter: "Yes, ", shownWorse: "No, ", notShown: "No gain shown, "}[g.outcome()] + g.Gain.points()
	v.Meaning = map[outcome]figure.Meaning{shownBetter: figure.Better, shownWorse: figure.Worse, notShown: figure.Open}[g.outcome()]
	v.Detail = "score over " + text.Plural(g.Opponents, "opponent")
	v.Scale = &figure.Scale{Title: v.Answer, Meaning: v.Meaning, Value: 100 * g.Gain.Value, Lo: 100 * g.Gain.Low, Hi: 100 * g.Gain.High}
	v.Facts = append(v.Facts, text.Plural(g.Pairs, "pair")+" against each", text.Level(g.Level))
}

// answerUnverified describes the state of a tuning without a verification.
func (r *Result) answerUnverified(v *reports.Verdict) {
	switch {
	case r.played == 0:
		v.Answer, v.Detail = "No result yet", "no game is recorded"
	case !r.Finished():
		v.Answer, v.Detail = "No result yet", "not verified yet"
	default:
		v.Answer, v.Detail = "Tuned, not verified", "nothing is known about the strength of the values"
	}
	if s := r.Standing(); s != nil && !r.Head.Running { // the tuner's fits may take time from a running run
		v.Detail = s.String()
	}
}

// progress returns the number of games, of the tuning until its end.
func (r *Result) progress() string {
	if r.complete() {
		return text.Plural(r.played, "game")
	}
	return r.soFar()
}

// progressPlot is the strength of the recommendation over the tuning; ok is false for a
// method that tries given points.
func (r *Result) progressPlot() (plot reports.Plot, ok bool) {
	if r.Config.method.Info().Point != nil {
		return plot, false
	}
	e, _ := r.Verified()
	return r.current().Progress(e, r.tally())
}
