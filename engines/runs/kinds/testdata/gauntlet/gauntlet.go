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
			Use:     "--game GAME --player PLAYER --opponent PLAYER...",
			Long:    "Gauntlet plays one player against each of several opponents.",
			Example: "  selfplay gauntlet --game quoridor --player final --opponent bad",
		},
		New:  func() runs.Config { return &Config{Pairs: 10, MatchRules: runs.DefaultMatchRules()} },
		Spec: func() runs.Spec { return &Spec{} },
	}
}

// Config is a gauntlet in the user's words.
type Config struct {
	runs.Game
	Player   string   `toml:"player" arg:"PLAYER" help:"player that meets all others"`
	Opponent []string `toml:"opponent" arg:"PLAYER" help:"opponent (repeatable)"`
	Pairs    int      `toml:"pairs" arg:"N" help:"game pairs against each opponent"`
	runs.MatchRules
}

// Spec is the [spec] table of a gauntlet's run.toml.
type Spec struct {
	Player    player.Config   `toml:"player"`
	Opponents []player.Config `toml:"opponent"`
	Pairs     int             `toml:"pairs"` // against each
	runs.Terms
}

// Plan implements runs.Config.
func (a *Config) Plan() (*runs.Plan, error) {
	v, err := a.Variant(append([]string{a.Player}, a.Opponent...)...)
	if err != nil {
		return nil, err
	}
	s := &Spec{Pairs: a.Pairs}
	if s.Player, err = runs.Seat(v.Game, "player", a.Player, "limits", v.Game.Limits); err != nil {
		return nil, err
	}
	for _, name := range a.Opponent {
		e, err := runs.Seat(v.Game, "opponent", name, "limits", v.Game.Limits)
		if err != nil {
			return nil, err
		}
		s.Opponents = append(s.Opponents, e)
	}
	if len(s.Opponents) == 0 {
		return nil, config.Wrap("opponent", errors.New("none is given; want at least one"))
	}
	p := &runs.Plan{Kind: Kind(), Variant: v, Seed: a.Seed, Moves: runs.Kept(a.RecordMoves, s.players()...), Spec: s, Players: s.players()}
	if s.Terms, p.Book, err = a.MatchRules.Check(v, s.players()); err != nil {
		return nil, err
	}
	return p, s.CheckPairs("pairs", s.Pairs)
}

func (s *Spec) players() []player.Config { return append([]player.Config{s.Player}, s.Opponents...) }

// Check implements runs.Spec.
func (s *Spec) Check(v engines.Variant) error {
	for _, p := range s.players() {
		if err := p.Check(v.Game); err != nil {
			return err
		}
	}
	return errors.Join(s.CheckTerms(s.players()), s.CheckPairs("pairs", s.Pairs))
}

// Limits implements runs.Spec.
func (s *Spec) Limits() string { return runs.LimitsOf(s.players()...) }

// Setup implements runs.Spec.
func (s *Spec) Setup() (runs.Setup, error) {
	return runs.Setup{UsefulCores: func() (int, string) { return runs.FeedsUnordered(int64(s.Pairs * len(s.Opponents))) }}, nil
}

// Words implements runs.Spec.
func (s *Spec) Words(v engines.Variant) []string {
	words := []string{"--player", runs.PlayerWord(v, s.Player)}
	for _, e := range s.Opponents {
		words = append(words, "--opponent", runs.PlayerWord(v, e))
	}
	return append(append(words, "--pairs", fmt.Sprint(s.Pairs)), s.Terms.Words()...)
}

// trial is the games against an opponent.
func (s *Spec) trial(i int) schedule.Trial {
	return schedule.Trial{
		Phase: Name, Seats: [2]player.Config{s.Player, s.Opponents[i]}, Pairs: s.Pairs,
		Stream: play.Stream(Name), Openings: uint64(i) << 32, Book: play.Drawn,
	}
}

// Play implements runs.Spec.
func (s *Spec) Play(ctx context.Context, session *runs.Session) error {
	list := &schedule.Listed{}
	for i := range s.Opponents {
		list.Trials = append(list.Trials, s.trial(i))
	}
	return session.Run(ctx, list)
}

// Result is the result of a gauntlet so far.
type Result struct {
	Head  *runs.Head
	Spec  *Spec
	Pairs []rating.Pairs // against each opponent
	Games int64
}

// NewResult implements runs.Spec.
func (s *Spec) NewResult(h *runs.Head) (runs.Result, error) {
	return &Result{Head: h, Spec: s, Pairs: make([]rating.Pairs, len(s.Opponents))}, nil
}

// Add implements runs.Result.
func (t *Result) Add(f schedule.Finished) error {
	t.Games += int64(f.Trial.Games)
	t.Pairs[f.Trial.Trial] = t.Pairs[f.Trial.Trial].Plus(f.Trial.PairCounts())
	return nil
}

func (t *Result) planned() int64 { return 2 * int64(t.Spec.Pairs*len(t.Spec.Opponents)) }

// Summary implements runs.Result.
func (t *Result) Summary() (runs.Summary, error) {
	what := fmt.Sprintf("%s v %s", t.Spec.Player.Name, text.Plural(len(t.Spec.Opponents), "opponent"))
	return runs.Summary{What: what, Finished: t.Games >= t.planned(), Result: text.Plural(t.Games, "game")}, nil
}

// Progress implements runs.Result.
func (t *Result) Progress(string, [5]int) runs.Progress {
	return runs.Progress{Phase: Name, Games: t.Games, Planned: t.planned()}
}

// rows are a table, an opponent each.
func (t *Result) rows() (rows [][]string) {
	for i, e := range t.Spec.Opponents {
		rows = append(rows, []string{e.Name, text.Percent(t.Pairs[i].Score()), t.Pairs[i].Estimate(t.Spec.Level).String()})
	}
	return rows
}

// Page implements runs.Result.
func (t *Result) Page() (reports.Page, error) {
	table := reports.Table{Columns: []reports.Column{{Name: "opponent"}, {Name: "score", Right: true}, {Name: "Elo"}}, Rows: t.rows()}
	return reports.Page{
		Title:    fmt.Sprintf("The gauntlet of %s", t.Spec.Player.Name),
		Sections: []reports.Section{{Title: "Scores", Blocks: []reports.Block{table}}},
		Facts:    gamestats.Facts(t.Head.Meta, t.Head.Sessions, t.Spec.Facts()...),
	}, nil
}

// JSON implements runs.Result.
func (t *Result) JSON() (runs.Object, error) {
	return runs.Object{{Name: "player", Value: t.Spec.Player.Name}, {Name: "pairs", Value: t.Pairs}, {Name: "run", Value: t.Head.Dir}}, nil
}

// Text implements runs.Result.
func (t *Result) Text(out io.Writer, _ runs.Ended) error {
	text.Table(append([][]string{{"opponent", "score of " + t.Spec.Player.Name, "Elo"}}, t.rows()...)).Print(out, 1)
	return nil
}

// Files implements runs.Result.
func (t *Result) Files() (map[string][]byte, error) { return nil, nil }

// Part implements runs.Result.
func (t *Result) Part(row datasets.TrialRow) (runs.Part, bool) {
	return runs.Part{Name: t.Spec.Opponents[row.Trial].Name, Seats: t.Spec.trial(int(row.Trial)).Seats}, true
}

// Trial implements runs.Result.
func (t *Result) Trial(row datasets.TrialRow) (schedule.Trial, error) {
	return t.Spec.trial(int(row.Trial)), nil
}
