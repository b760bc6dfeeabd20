package tuning

import (
	"cmp"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
)

// MarginTarget is what a tuning goes by.
type MarginTarget struct {
	Target string  `group:"Method and parameters" toml:"target,omitempty" arg:"win|margin" help:"score that the tuner maximises: win (points, the default) or margin (the size of the win, if the game defines it); verification uses points"`
	Full   float64 `toml:"full_margin,omitempty" arg:"N" help:"with --target margin: the margin that counts as a full win; smaller margins count proportionally less (default: set by the game)"`
}

// check checks the aim for a method and a game, and fills in what was not said.
func (a *MarginTarget) check(m Method, game *engines.Game) error {
	switch a.Target {
	case "", analysis.TargetWin:
		if a.Target = ""; a.Full != 0 {
			return config.Errorf("full_margin", "%v: requires --target margin", a.Full)
		}
		return nil
	case analysis.TargetMargin:
	default:
		return config.Errorf("target", "%q: unknown target%s", a.Target,
			params.Suggest(a.Target, []string{analysis.TargetWin, analysis.TargetMargin}))
	}
	if !game.Margins.Has() {
		return config.Errorf("target", "%s: games of %s are only won or lost", a.Target, game.Name)
	}
	if !m.Info().Margins {
		return config.Errorf("target", "%s: method %s counts pairs of points; want one of %s", a.Target, m.Info().Name,
			strings.Join(methodNames(Methods(), func(m Method) bool { return m.Info().Margins }), ", "))
	}
	a.Full = cmp.Or(a.Full, game.Margins.Cap)
	if !(a.Full > 0 && a.Full <= maxMargin) {
		return config.Errorf("full_margin", "%v: want a number above 0 and at most %v", a.Full, maxMargin)
	}
	return nil
}

// mostMargin is more than any game is won by.
const maxMargin = 1e9
