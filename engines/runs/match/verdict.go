package match

import (
	"fmt"

	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Verdict implements runs.Result.
func (r *Result) Verdict() (reports.Verdict, error) {
	word, test := "match", r.Test()
	if test != nil {
		word = "sequential test"
	}
	v := r.Head.Verdict(word, r.question(), r.finished())
	r.Head.AnswerElo(&v, r.Estimate(), r.answer(), r.finished(), "Not decided")
	played := text.Plural(r.Pairs.N(), "pair")
	if !r.finished() {
		played = fmt.Sprintf("%s of %s pairs", text.Count(r.Pairs.N()), text.Count(r.Config.Pairs))
	}
	v.Facts = append([]string{played}, v.Facts...)
	if test == nil {
		if plot, ok := r.running(); ok {
			v.Picture = &plot
		}
		if r.Head.Running && !r.finished() && r.answer() != runs.Undecided {
			v.Hint = "The interval excludes 0: the match may be stopped now."
		}
		return v, nil
	}
	if answer := r.answer(); answer != runs.Undecided {
		v.Detail = runs.EloText(r.Estimate()) + ", " + v.Detail
		v.Answer = map[string]string{runs.Yes: "Yes, the test passed", runs.No: "No, the test failed"}[answer]
	}
	v.Facts = append([]string{fmt.Sprintf("LLR %s of %.2f to %.2f", text.Fixed(test.LLR, 2), test.Lower, test.Upper)}, v.Facts...)
	if v.Scale != nil {
		v.Scale.Mark = &figure.Level{Y: test.Test.Elo1, Label: fmt.Sprintf("%+g: tested", test.Test.Elo1)}
		if test.Test.Model == rating.Normalized {
			v.Scale.Mark = nil // the mark is on another scale
		}
	}
	if r.Pairs.N() > 0 {
		v.Picture = new(r.walk(*test))
	}
	return v, nil
}

// running returns the Elo by pairs played, with the band that holds at any time.
func (r *Result) running() (reports.Plot, bool) {
	steps := r.steps(rating.MinSequence)
	if len(steps) == 0 {
		return reports.Plot{}, false
	}
	level := text.Level(r.Config.Level)
	fig := figure.Curve{
		Title: "Elo, pair by pair", Level: level + " at any time", Name: "Elo so far", XLabel: "game pairs",
	}
	if e := r.Estimate(); r.finished() && !e.AnyTime {
		fig.Measured = []figure.Point{{X: float64(e.N), Y: e.Elo, Lo: e.EloRange.Low, Hi: e.EloRange.High, N: e.N}}
		fig.Level = "holds at any pair"
	}
	band := r.Config.sequence()
	for _, p := range steps {
		e := band.Estimate(p)
		fig.Line = append(fig.Line, figure.Point{X: float64(p.N()), Y: e.Elo, Lo: e.EloRange.Low, Hi: e.EloRange.High, N: p.N()})
	}
	return reports.Plot{Name: "running", Figure: fig}, true
}

// walk returns the way of the sequential test between its bounds.
func (r *Result) walk(test rating.Progress) reports.Plot {
	llr := figure.Series{Name: "log-likelihood ratio"}
	unit := "Elo"
	if test.Test.Model == rating.Normalized {
		unit = "normalized Elo"
	}
	low := figure.Series{Name: fmt.Sprintf("accept ≤ %v %s", test.Test.Elo0, unit)}
	high := figure.Series{Name: fmt.Sprintf("accept ≥ %v %s", test.Test.Elo1, unit)}
	for _, p := range r.steps(1) {
		at := test.Test.Pairs(p)
		x := float64(p.N())
		llr.Points = append(llr.Points, figure.Point{X: x, Y: at.LLR})
		low.Points = append(low.Points, figure.Point{X: x, Y: at.Lower})
		high.Points = append(high.Points, figure.Point{X: x, Y: at.Upper})
	}
	return reports.Plot{Name: "test", Figure: figure.Lines{
		Title: "Log-likelihood ratio, pair by pair", Subtitle: test.Test.String(), XLabel: "game pairs", YLabel: "log-likelihood ratio",
		Series: []figure.Series{llr, high, low},
	}}
}
