package tournament

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/published"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// LadderResult is the runs.Result of a challenge or calibration so far: a tournament's, with
// the challenger's place on the ladder.
type LadderResult struct {
	*Result
	Config *LadderConfig
}

func (l *LadderConfig) NewResult(h *runs.Head) (runs.Result, error) {
	contest, err := l.contest()
	if err != nil {
		return nil, err
	}
	t, err := newResult(h, contest)
	return &LadderResult{Result: t, Config: l}, err
}

// player returns the challenger's name.
func (l *LadderResult) player() string { return l.Config.Players[0].Name }

// Placed rates the challenger on the ladder's scale.
func (l *LadderResult) Placed() (rating.Rating, error) {
	r, err := l.ratings()
	if err != nil {
		return rating.Rating{}, err
	}
	return r.Players[len(r.Players)-1], nil
}

// ratings returns the ratings of the rungs and, last, of the challenger.
func (l *LadderResult) ratings() (*rating.Ratings, error) {
	var results []published.Result
	for i, p := range l.Schedule.Pairings {
		results = append(results, published.Result{A: l.player(), B: l.opponent(p.B), Pairs: l.DuplicatePairs[i]})
	}
	return l.Config.Ladder.Place(results)
}

func (l *LadderResult) opponent(i int) string { return l.Schedule.Players[i].Name }

// all counts the challenger's games.
func (l *LadderResult) all() (g rating.Games) {
	for _, p := range l.Schedule.Pairings {
		g = g.Plus(l.Results(p.A, p.B))
	}
	return g
}

func (l *LadderResult) Summary() (runs.Summary, error) {
	if l.Config.Calibrate {
		s, err := l.Result.Summary()
		s.Question = l.question()
		s.What = fmt.Sprintf("%d rungs, measured", len(l.Config.Players))
		return s, err
	}
	return l.summaryOf(l.What(), text.Unmarked(l.question()), l.inWords)
}

// inWords returns the result of an unfinished challenge in words. Without the games there is no
// rating, because it depends on who moved first.
func (l *LadderResult) inWords() (string, error) {
	if !l.Read() {
		return fmt.Sprintf("mean score %s, %s", text.Percent(l.Mean(0)), text.Plural(l.Played(), "game")), nil
	}
	placed, err := l.Placed()
	return l.placing(placed), err
}

// question returns the question of the challenge or calibration.
func (l *LadderResult) question() string {
	if l.Config.Calibrate {
		return fmt.Sprintf("How strong is each of %d levels at %s?", len(l.Config.Players), l.Head.ShortTitle())
	}
	return fmt.Sprintf("How strong is `%s` at %s?", strings.TrimPrefix(l.player(), "player "), l.Head.ShortTitle())
}

func (l *LadderResult) JSON() (runs.Object, error) {
	if l.Config.Calibrate {
		return l.Result.JSON()
	}
	placed, err := l.Placed()
	if err != nil {
		return nil, err
	}
	in, _ := l.interval(placed)
	var rungs []runs.Object
	for _, p := range l.Schedule.Pairings {
		name, g, tally := l.opponent(p.B), l.Results(p.A, p.B), l.Pairs(p.A, p.B)
		rung := runs.Object{
			{"opponent", name}, {"wins", g.Wins}, {"draws", g.Draws}, {"losses", g.Losses},
			{"pairs", tally}, {"estimate", tally.Estimate(l.Config.Level)},
		}
		if r, err := l.Config.Ladder.Rung(name); err == nil {
			rung = append(rung, runs.Entry{"elo", r.Elo}, runs.Entry{"se", r.SE})
		}
		rungs = append(rungs, rung)
	}
	return runs.Object{
		{"player", l.player()}, {"against", l.Config.Against}, {"rungs", rungs}, {"elo", placed.Elo}, {"se", placed.SE},
		{"elo_range", in}, {"margin", runs.MarginObject(l.Margin(0), l.Config.Level)},
		{"anchor", l.Config.Ladder.Anchor}, {"repeatable", l.Repeatable()}, {"run", l.Head.Dir},
	}, nil
}

// Files implements runs.Result: a calibration leaves the ladder with its page.
func (t *LadderResult) Files() (map[string][]byte, error) {
	if !t.Config.Calibrate {
		return nil, nil
	}
	l, err := t.measured()
	if err != nil {
		return nil, err
	}
	data, err := l.Encode()
	if err != nil {
		return nil, err
	}
	page, err := t.readme()
	if err != nil {
		return nil, err
	}
	text, err := page.Markdown(reports.FigureFolder) // the figures are the report's
	return map[string][]byte{published.LadderName: data, reports.ReadmeName: text}, err
}

// measured returns the ladder of a finished calibration, the weakest rung first.
func (t *LadderResult) measured() (published.Ladder, error) {
	s, err := t.Standing()
	if err != nil {
		return published.Ladder{}, err
	}
	m := t.Head.Meta
	l := published.Ladder{
		Schema: published.Schema, Game: m.Game, GameVersion: m.GameVersion, Rules: m.Rules, OpeningPlies: t.Config.OpeningPlies,
		Anchor: t.Config.Anchor, Parameters: m.Parameters, Revision: m.Revision, Command: t.recipe(),
	}
	round := func(x float64) float64 { return math.Round(100*x) / 100 }
	for _, i := range slices.Backward(s.Order) {
		p, rated := t.Config.Players[i], s.Ratings.Players[i]
		l.Rungs = append(l.Rungs, published.Rung{
			Name: p.Name, Player: p.Player, Limits: p.Limits.String(), Values: p.Values,
			Elo: round(rated.Elo), SE: round(rated.SE), Games: rated.Games,
		})
	}
	for k, p := range t.Schedule.Pairings {
		l.Results = append(l.Results, published.Result{A: t.opponent(p.A), B: t.opponent(p.B), Pairs: t.DuplicatePairs[k]})
	}
	if err := l.Check(); err != nil {
		return l, fmt.Errorf("the measured ladder is not fit to publish: %w", err)
	}
	return l, nil
}

// recipe returns the command that measures the ladder again, with players in the
// user's words.
func (l *LadderResult) recipe() string {
	config := *l.Config
	config.Players = nil
	for _, p := range l.Config.Players {
		config.Players = append(config.Players, player.Ask(playerText(p.Name, p.Player, p.Limits.String())))
	}
	return runs.CommandLine(l.Head, &config)
}

// interval returns the interval of the challenger's rating. It is open below (-1) or above (1)
// if the challenger lost or won every game: only the games against the weakest or strongest
// rung then bound the rating, because the rest of the fit comes from its prior.
func (l *LadderResult) interval(placed rating.Rating) (in rating.Interval, open int) {
	level, all := l.Config.Level, l.all()
	in = placed.Interval(level)
	if all.N() == 0 || all.Wins != all.N() && all.Losses != all.N() {
		return in, 0
	}
	low, high := math.Inf(-1), math.Inf(1)
	for _, p := range l.Schedule.Pairings {
		rung, err := l.Config.Ladder.Rung(l.opponent(p.B))
		if err != nil {
			continue // Place has returned the error
		}
		e := l.Pairs(p.A, p.B).Estimate(level)
		at := rating.Rating{Elo: rung.Elo, SE: rung.SE}.Interval(level)
		low, high = max(low, at.Low+e.EloRange.Low), min(high, at.High+e.EloRange.High)
	}
	if all.Losses == all.N() {
		return rating.Interval{Low: min(-rating.MaxElo, in.Low), High: high}, -1
	}
	return rating.Interval{Low: low, High: max(rating.MaxElo, in.High)}, 1
}
