package tournament

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Verdict implements runs.Result.
func (r *Result) Verdict() (reports.Verdict, error) { return r.verdict("tournament", r.question()) }

func (r *Result) verdict(word, question string) (reports.Verdict, error) {
	v := r.begun(word, question)
	if r.games == 0 {
		return v, nil
	}
	if !r.Read() {
		best := r.bestMean()
		v.Answer = fmt.Sprintf("`%s` leads so far", r.Config.Players[best].Name)
		v.Detail = "mean score " + text.Percent(r.Mean(best))
		return v, nil
	}
	s, err := r.Standing()
	if err != nil {
		return v, err
	}
	ahead, half := s.Lead()
	v.Answer, v.Detail = "`"+s.Name(0)+"`", fmt.Sprintf("%s Elo ahead of `%s`", text.Signed(ahead, 0), s.Name(1))
	switch {
	case !r.finished():
		v.Answer += " leads so far"
	case s.strongest():
		v.Meaning = figure.Better
	default:
		v.Answer += " leads, but is not shown to be the strongest"
	}
	v.Scale = &figure.Scale{Title: text.Unmarked(v.Detail), Meaning: v.Meaning, Value: ahead, Zero: "0: " + s.Name(1)}
	if r.finished() {
		v.Detail += fmt.Sprintf(", %s to %s", text.Signed(ahead-half, 0), text.Signed(ahead+half, 0))
		v.Scale.Lo, v.Scale.Hi = ahead-half, ahead+half
		v.Facts = append(v.Facts, text.Level(r.Config.Level))
	}
	v.Picture = &reports.Plot{Name: "ratings", Figure: s.bars(r.finished())}
	return v, nil
}

// begun returns the head of a tournament before its result.
func (r *Result) begun(word, question string) reports.Verdict {
	v := r.Head.Verdict(word, question, r.finished())
	v.Answer, v.Detail = "No result yet", "no game is recorded"
	played := text.Plural(r.games, "game")
	if !r.finished() {
		played = fmt.Sprintf("%s of %s games", text.Count(r.games), text.Count(r.Schedule.Games()))
	}
	v.Facts = []string{played}
	return v
}

// Verdict implements runs.Result.
func (l *LadderResult) Verdict() (reports.Verdict, error) {
	if l.Config.Calibrate {
		return l.verdict("ladder", l.question())
	}
	v := l.begun("ladder", l.question())
	if l.Played() == 0 {
		return v, nil
	}
	if !l.Read() {
		v.Answer, v.Detail = text.Percent(l.Mean(0))+" so far", "mean score"
		return v, nil
	}
	placed, err := l.Placed()
	if err != nil {
		return v, err
	}
	in, open := l.interval(placed)
	bound, elo := l.rated(placed)
	if open == 0 {
		elo = text.Signed(placed.Elo, 0)
	}
	v.Answer = text.Capital(strings.TrimSpace(bound+elo) + " Elo")
	if bound == "" {
		v.Answer = elo + " Elo"
	}
	v.Scale = &figure.Scale{Title: v.Answer, Value: placed.Elo, Zero: "0: " + l.Config.Ladder.Anchor}
	if l.finished() {
		v.Meaning = figure.Better
		v.Scale.Lo, v.Scale.Hi = in.Low, in.High
		if open == 0 {
			v.Detail = fmt.Sprintf("%s to %s on the ladder", text.Signed(in.Low, 0), text.Signed(in.High, 0))
		} else {
			v.Detail = "beyond the ladder"
		}
		v.Facts = append(v.Facts, text.Level(l.Config.Level))
	} else {
		v.Answer, v.Detail = v.Answer+" so far", "on the ladder"
	}
	if open < 0 {
		v.Scale.Lo = math.Inf(-1)
	} else if open > 0 {
		v.Scale.Hi = math.Inf(1)
	}
	v.Scale.Meaning = v.Meaning
	v.Picture = &reports.Plot{Name: "ladder", Figure: l.bars(placed)}
	return v, nil
}

// bars returns the ratings, with intervals or without.
func (s *standing) bars(intervals bool) figure.Bars {
	bars := figure.Bars{Title: "Ratings", XLabel: "Elo", ZeroLabel: s.Config.Anchor}
	if intervals {
		bars.Subtitle = "joint fit of all games, " + text.Level(s.Config.Level) + " intervals"
	}
	shown := min(len(s.Order), figure.MaxRows)
	if shown < len(s.Order) {
		bars.Title += fmt.Sprintf(" of the first %d players", shown)
	}
	for _, i := range s.Order[:shown] {
		p, rated := s.Config.Players[i], s.Ratings.Players[i]
		bar := figure.Bar{Name: p.Name, Value: rated.Elo, Lo: rated.Elo, Hi: rated.Elo, Strong: p.Name == s.Config.Gauntlet}
		if in := rated.Interval(s.Config.Level); intervals {
			bar.Lo, bar.Hi = in.Low, in.High
		}
		bars.Bars = append(bars.Bars, bar)
	}
	return bars
}

// bars returns the ratings of the challenger and the rungs.
func (t *LadderResult) bars(placed rating.Rating) figure.Bars {
	l, level := t.Config.Ladder, t.Config.Level
	in, _ := t.interval(placed)
	bars := figure.Bars{Title: "Rating on the ladder", Subtitle: fmt.Sprintf("%s %% intervals", text.Number(100*level, 0)), XLabel: "Elo",
		ZeroLabel: l.Anchor,
		Bars:      []figure.Bar{{Name: t.player(), Value: placed.Elo, Lo: in.Low, Hi: in.High, Strong: true}}}
	for _, r := range l.Rungs {
		in := rating.Rating{Elo: r.Elo, SE: r.SE}.Interval(level)
		bars.Bars = append(bars.Bars, figure.Bar{Name: r.Name, Value: r.Elo, Lo: in.Low, Hi: in.High})
	}
	slices.SortStableFunc(bars.Bars, func(a, b figure.Bar) int { return cmp.Compare(b.Value, a.Value) })
	return bars
}
