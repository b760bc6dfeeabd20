// Package gauntlet is one player against several: the worked example of a kind of
// runs. A test lays it over the source as engines/runs/gauntlet, adds its line to the
// list of kinds, and expects every command to know it.
package gauntlet

import (
	"context"
	"errors"
	"fmt"
	"io"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Name of the kind, in run.toml and experiment files.
const Name = "gauntlet"

// Kind returns the kind.
func Kind() runs.Kind {
	return runs.Kind{
		Name: Name, Short: "play one player against several",
		Sections: []string{"Scores"},
		Command: &runs.Command{
			Use: "--game GAME --player PLAYER --opponent PLAYER...",
			Help: "Gauntlet plays one player against each of several opponents.\n\nExamples:\n" +
				"  selfplay gauntlet --game quoridor --player final --opponent bad\n",
		},
		New: func() runs.Config { return &Config{Pairs: 10, MatchRules: runs.DefaultMatchRules()} },
	}
}

// Config is a gauntlet.
type Config struct {
	runs.Game `toml:"-"`
	Player    player.Config   `toml:"player" arg:"PLAYER" help:"player that meets all others"`
	Opponents []player.Config `toml:"opponent" arg:"PLAYER" help:"opponent (repeatable)"`
	Pairs     int             `toml:"pairs" arg:"N" help:"game pairs against each opponent"`
	runs.MatchRules
}

// Plan implements runs.Config.
func (a *Config) Plan() (*runs.Plan, error) {
	v, err := a.Variant(a.players()...)
	if err != nil {
		return nil, err
	}
	s := *a
	if s.Player, err = runs.Seat(v.Game, "player", a.Player, "limits", engines.Limits{}); err != nil {
		return nil, err
	}
	s.Opponents = nil
	for _, opponent := range a.Opponents {
		e, err := runs.Seat(v.Game, "opponent", opponent, "limits", engines.Limits{})
		if err != nil {
			return nil, err
		}
		s.Opponents = append(s.Opponents, e)
	}
	if len(s.Opponents) == 0 {
		return nil, config.Wrap("opponent", errors.New("none is given; want at least one"))
	}
	p := &runs.Plan{Kind: Kind(), Variant: v, Config: &s, Players: s.players()}
	if p.Book, err = s.Resolve(v, s.players()); err != nil {
		return nil, err
	}
	return p, s.CheckPairs("pairs", s.Pairs)
}

func (s *Config) players() []player.Config { return append([]player.Config{s.Player}, s.Opponents...) }

// Check implements runs.Config.
func (s *Config) Check(v engines.Variant) error {
	return errors.Join(s.CheckRules(v.Game, s.players()), s.CheckPairs("pairs", s.Pairs))
}

// Budgets implements runs.Config.
func (s *Config) Budgets() string { return runs.LimitsOf(s.players()...) }

// Setup implements runs.Config.
func (s *Config) Setup() (runs.Setup, error) {
	return runs.Setup{UsefulCores: func() (int, string) { return runs.FeedsUnordered(int64(s.Pairs * len(s.Opponents))) }}, nil
}

// trial returns the games against an opponent.
func (s *Config) trial(i int) schedule.Trial {
	return schedule.Trial{
		Phase: Name, Seats: [2]player.Config{s.Player, s.Opponents[i]}, Pairs: s.Pairs,
		Stream: play.Stream(Name), Openings: uint64(i) << 32, Book: play.Drawn,
	}
}

// Play implements runs.Config.
func (s *Config) Play(ctx context.Context, session *runs.Session) error {
	list := &schedule.Listed{}
	for i := range s.Opponents {
		list.Trials = append(list.Trials, s.trial(i))
	}
	return session.Run(ctx, list)
}

// Result is the result of a gauntlet so far.
type Result struct {
	Head   *runs.Head
	Config *Config
	Pairs  []rating.Pairs // against each opponent
	Games  int64
}

// NewResult implements runs.Config.
func (s *Config) NewResult(h *runs.Head) (runs.Result, error) {
	return &Result{Head: h, Config: s, Pairs: make([]rating.Pairs, len(s.Opponents))}, nil
}

// Add implements runs.Result.
func (t *Result) Add(f schedule.Finished) error {
	t.Games += int64(f.Trial.Games)
	t.Pairs[f.Trial.Trial] = t.Pairs[f.Trial.Trial].Plus(f.Trial.PairCounts())
	return nil
}

func (t *Result) planned() int64 { return 2 * int64(t.Config.Pairs*len(t.Config.Opponents)) }

// Summary implements runs.Result.
func (t *Result) Summary() (runs.Summary, error) {
	title := fmt.Sprintf("%s v %s", t.Config.Player.Name, text.Plural(len(t.Config.Opponents), "opponent"))
	return runs.Summary{What: title, Finished: t.Games >= t.planned(), Result: text.Plural(t.Games, "game")}, nil
}

// Verdict implements runs.Result.
func (t *Result) Verdict() (reports.Verdict, error) {
	v := t.Head.Verdict("gauntlet", fmt.Sprintf("How strong is `%s`?", t.Config.Player.Name), t.Games >= t.planned())
	var all rating.Pairs
	for _, p := range t.Pairs {
		all = all.Plus(p)
	}
	v.Answer, v.Detail = "Score "+text.Percent(all.Score()), text.Plural(t.Games, "game")
	return v, nil
}

// Progress implements runs.Result.
func (t *Result) Progress(string, [5]int) runs.Progress {
	return runs.Progress{Phase: Name, Games: t.Games, Planned: t.planned()}
}

// rows returns a table, an opponent each.
func (t *Result) rows() (rows [][]string) {
	for i, e := range t.Config.Opponents {
		rows = append(rows, []string{e.Name, text.Percent(t.Pairs[i].Score()), t.Pairs[i].Estimate(t.Config.Level).String()})
	}
	return rows
}

// Page implements runs.Result.
func (t *Result) Page() (reports.Page, error) {
	table := reports.Table{Columns: []reports.Column{{Name: "opponent"}, {Name: "score", Right: true}, {Name: "Elo"}}, Rows: t.rows()}
	v, err := t.Verdict()
	return reports.Page{
		Title: v.Title(), Verdict: &v,
		Sections: []reports.Section{{Title: "Scores", Blocks: []reports.Block{table}}},
		Facts:    gamestats.Facts(t.Head.Meta, t.Head.Sessions, t.Config.Facts()...),
	}, err
}

// JSON implements runs.Result.
func (t *Result) JSON() (runs.Object, error) {
	return runs.Object{{"player", t.Config.Player.Name}, {"pairs", t.Pairs}, {"run", t.Head.Dir}}, nil
}

// Text implements runs.Result.
func (t *Result) Text(out io.Writer, _ runs.Ended) error {
	text.Table(append([][]string{{"opponent", "score of " + t.Config.Player.Name, "Elo"}}, t.rows()...)).Print(out, 1)
	return nil
}

// Files implements runs.Result.
func (t *Result) Files() (map[string][]byte, error) { return nil, nil }

// Part implements runs.Result.
func (t *Result) Part(row datasets.TrialRow) (runs.Part, bool) {
	return runs.Part{Name: t.Config.Opponents[row.Trial].Name, Seats: t.Config.trial(int(row.Trial)).Seats}, true
}

// Trial implements runs.Result.
func (t *Result) Trial(row datasets.TrialRow) (schedule.Trial, error) {
	return t.Config.trial(int(row.Trial)), nil
}
