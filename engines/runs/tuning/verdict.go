package tuning

import (
	"fmt"
	"path/filepath"
	"slices"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning/analysis"
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
	v.Picture = r.strength()
	if !finished {
		v.Hint = outlook(r.Measured())
	}
	if finished && r.Head.Dir != "" && r.Config.Elsewhere == nil && r.Config.Program == nil && !r.candidateOnly() && !r.same() {
		v.Next[0].Name = "Play against it" // its page offers that first
		compare := runs.CommandText("selfplay", "match", "--game", r.Head.Meta.Game, "--a", filepath.Join(r.Head.Dir, tunedName), "--b", "PLAYER")
		v.Next = append(v.Next, reports.Step{Name: "Compare it", Command: compare})
	}
	panels, err := r.panels()
	v.More = []reports.Block{panels}
	return v, err
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
		if now, ok := latest(r.Measured()); ok {
			v.Answer = text.Signed(now.Elo, 0) + " Elo so far"
			v.Detail = fmt.Sprintf("%s to %s, not verified yet", text.Signed(now.Low, 0), text.Signed(now.High, 0))
			v.Scale = &figure.Scale{Title: v.Answer, Meaning: v.Meaning, Value: now.Elo, Lo: now.Low, Hi: now.High}
			v.Facts = append(v.Facts, "measured with "+text.Plural(now.Pairs, "pair"), text.Level(r.Config.Level)+" at any time")
			return
		}
	default:
		v.Answer, v.Detail = "Tuned, not verified", "nothing is known about the strength of the values"
	}
	if s := r.Standing(); s != nil && !r.Head.Running { // the tuner's fits may take time from a running run
		v.Detail = s.String()
	}
}

// latest returns the latest measured strength; ok is false before there is an interval.
func latest(list []analysis.Measured) (now analysis.Measured, ok bool) {
	if len(list) > 0 {
		now = list[len(list)-1]
	}
	return now, len(list) > 0 && !now.Few
}

// strength returns the chart of the measured strength by games, with the verification at its end; nil before
// the first value.
func (r *Result) strength() *reports.Plot {
	fig := figure.Curve{Title: "Strength by games played", Subtitle: "recommendations against the start", XLabel: "tuning games",
		Name: "measured while tuning", Level: text.Level(r.Config.Level) + " at any time"}
	for _, m := range r.Measured() {
		if !m.Few {
			fig.Line = append(fig.Line, figure.Point{X: float64(m.Games), Y: m.Elo, Lo: m.Low, Hi: m.High, N: m.Pairs})
		}
	}
	if e, _ := r.Verified(); e != nil && !e.Few {
		fig.Subtitle += ", and the verification"
		fig.Measured = []figure.Point{{X: float64(r.tuningGames()), Y: e.Elo, Lo: e.EloRange.Low, Hi: e.EloRange.High, N: e.N}}
	}
	if len(fig.Line) == 0 && len(fig.Measured) == 0 {
		return nil
	}
	return &reports.Plot{Name: "strength", Figure: fig}
}

// outlook compares the latest measured strength with earlier ones: it still grows if its interval is
// above one of the second half of the tuning, and is flat for as long as all intervals overlap it. It is
// "" before there are two intervals.
func outlook(list []analysis.Measured) string {
	now, ok := latest(list)
	if !ok {
		return ""
	}
	since := now
	for _, m := range slices.Backward(list) {
		if m.Few {
			break
		}
		if m.High < now.Low && 2*m.Games >= now.Games {
			return fmt.Sprintf("Still improving: %s Elo in the last %s games.", text.Signed(now.Elo-m.Elo, 0), text.Count(now.Games-m.Games))
		}
		if m.High < now.Low || m.Low > now.High {
			break
		}
		since = m
	}
	if since.Games == now.Games {
		return ""
	}
	return fmt.Sprintf("Flat for %s games: no change of its strength is shown.", text.Count(now.Games-since.Games))
}

// progress returns the number of games, of the tuning until its end.
func (r *Result) progress() string {
	if r.complete() {
		return text.Plural(r.played, "game")
	}
	return r.soFar()
}

// progressPlot returns the strength of the recommendation over the tuning; ok is false for a
// method that tries given points.
func (r *Result) progressPlot() (plot reports.Plot, ok bool) {
	if r.Config.method.Info().Point != nil {
		return plot, false
	}
	e, _ := r.Verified()
	return r.current().Progress(e, r.tally())
}
