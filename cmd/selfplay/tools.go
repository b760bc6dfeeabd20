package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/match"
	"selfplaylab/params"
	"selfplaylab/reports"
)

func perftCommand(stdout io.Writer) *cobra.Command {
	var f positionFlags
	var depth int
	var divide bool
	cmd := &cobra.Command{
		Use: "perft --game GAME --depth D", Short: "count the move sequences of a depth: proof of a move generator",
		Long:    "Perft counts the sequences of exactly --depth moves. Finished games have no\ncontinuation; draws by bound or repetition are not counted as an end.",
		Example: "  selfplay perft --game quoridor --depth 3\n  selfplay perft --game quoridor --rules variant=standard --depth 2 --divide --json", Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if depth < 0 {
				return fmt.Errorf("--depth %d: want 0 or more", depth)
			}
			_, ref, moves, err := f.start()
			if err != nil {
				return err
			}
			p := perft{ctx: cmd.Context(), ref: ref, position: f.position}
			if !divide || depth == 0 {
				n, err := p.count(moves, depth)
				if err != nil {
					return err
				}
				if f.json {
					return object{{Name: "depth", Value: depth}, {Name: "nodes", Value: n}}.print(stdout, true)
				}
				fmt.Fprintln(stdout, n)
				return nil
			}
			parts, total, err := p.divided(moves, depth)
			if err != nil {
				return err
			}
			if f.json {
				return object{{Name: "depth", Value: depth}, {Name: "nodes", Value: total}, {Name: "divide", Value: parts}}.print(stdout, true)
			}
			fmt.Fprintf(stdout, "%d\n", total)
			return parts.print(stdout, false)
		},
	}
	f.register(cmd)
	cmd.Flags().IntVar(&depth, "depth", 1, "plies")
	cmd.Flags().BoolVar(&divide, "divide", false, "count for each first move")
	return cmd
}

// perft counts move sequences, and stops when ctx ends.
type perft struct {
	ctx      context.Context
	ref      engines.Referee
	position string
}

// atOnce is about how many sequences a referee counts without looking up: some
// tenths of a second.
const atOnce = 1e8

// small guesses from the number of next moves whether a count fits atOnce.
func small(moves, depth int) bool {
	return depth < 2 || math.Pow(float64(moves), float64(depth)) <= atOnce
}

// count counts the sequences of depth moves after legal moves.
func (p *perft) count(moves []engines.Move, depth int) (uint64, error) {
	if p.ctx.Err() != nil {
		return 0, context.Cause(p.ctx)
	}
	next, err := p.after(moves)
	if err != nil {
		return 0, err
	}
	if small(len(next), depth) {
		return p.ref.Perft(depth), nil
	}
	var total uint64
	for _, m := range next {
		n, err := p.count(append(slices.Clip(moves), m), depth-1)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// divided counts the sequences after each first move.
func (p *perft) divided(moves []engines.Move, depth int) (parts object, total uint64, err error) {
	next, err := p.after(moves)
	if err != nil {
		return nil, 0, err
	}
	for _, first := range next {
		if _, err := p.after(moves); err != nil {
			return nil, 0, err
		}
		name := p.ref.MoveString(first)
		n, err := p.count(append(slices.Clip(moves), first), depth-1)
		if err != nil {
			return nil, 0, err
		}
		parts = append(parts, engines.Term{Name: name, Value: n})
		total += n
	}
	return parts, total, nil
}

// after sets the referee up after legal moves and lists the next ones.
func (p *perft) after(moves []engines.Move) ([]engines.Move, error) {
	if err := p.ref.Reset(p.position); err != nil {
		return nil, err
	}
	for _, m := range moves {
		p.ref.Play(m)
	}
	return p.ref.Moves(nil), nil
}

func showCommand(stdout io.Writer) *cobra.Command {
	var f positionFlags
	cmd := &cobra.Command{
		Use: "show --game GAME", Short: "draw a position",
		Example: `  selfplay show --game quoridor --moves "e2 e8 d1h"`, Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, ref, _, err := f.start()
			if err != nil {
				return err
			}
			outcome, why := ref.Result()
			if f.json {
				legal := []string{}
				for _, m := range ref.Moves(nil) {
					legal = append(legal, ref.MoveString(m))
				}
				return object{
					{Name: "position", Value: ref.String()},
					{Name: "turn", Value: ref.Turn()}, {Name: "outcome", Value: outcome.String()}, {Name: "reason", Value: why},
					{Name: "moves", Value: legal}, {Name: "board", Value: ref.Board()},
				}.print(stdout, true)
			}
			fmt.Fprintf(stdout, "%s%s\n", ref.Board(), ref)
			if outcome != engines.Ongoing {
				fmt.Fprintf(stdout, "over: %s (%s)\n", outcome, why)
			}
			return nil
		},
	}
	f.register(cmd)
	return cmd
}

func evalCommand(stdout io.Writer) *cobra.Command {
	var f positionFlags
	var p vectorFlags
	cmd := &cobra.Command{
		Use: "eval --game GAME", Short: "print every term of the evaluator on a position",
		Example: "  selfplay eval --game quoridor --preset v12.7 --moves \"e2 e8\"\n  selfplay eval --game quoridor --set a_E=11 --coin h --json", Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v, _, moves, err := f.start()
			if err != nil {
				return err
			}
			vector, err := p.vector(v.Game)
			if err != nil {
				return err
			}
			terms, err := v.Evaluate(f.position, moves, vector)
			if err != nil {
				return err
			}
			return object(terms).print(stdout, f.json)
		},
	}
	f.register(cmd)
	p.register(cmd)
	return cmd
}

func bestCommand(stdout io.Writer) *cobra.Command {
	var f positionFlags
	var p vectorFlags
	var limits string
	var seed uint64
	cmd := &cobra.Command{
		Use: "best --game GAME", Short: "print the player's move with score, nodes and time",
		Example: `  selfplay best --game quoridor --position "e5 e6 9 9 1 h:a1,e4 v:-" --json`, Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, ref, moves, err := f.start()
			if err != nil {
				return err
			}
			if o, why := ref.Result(); o != engines.Ongoing {
				return fmt.Errorf("no move: the game is over (%s, %s)", o, why)
			}
			vector, err := p.vector(v.Game)
			if err != nil {
				return err
			}
			l, err := budget(v.Game, limits)
			if err != nil {
				return err
			}
			player := v.NewPlayer()
			if err := player.Configure(vector); err != nil {
				return err
			}
			if err := player.Reset(f.position, seed); err != nil {
				return err
			}
			start := time.Now()
			d, err := player.Choose(cmd.Context(), moves, l)
			if cmd.Context().Err() != nil { // some players answer with the best so far
				return context.Cause(cmd.Context())
			}
			if err != nil {
				return err
			}
			elapsed := time.Since(start)
			terms := object{{Name: "move", Value: ref.MoveString(d.Move)}, {Name: "score", Value: d.Score}, {Name: "nodes", Value: d.Nodes}}
			if d.Depth > 0 {
				terms = append(terms, engines.Term{Name: "depth", Value: d.Depth})
			}
			return append(terms, engines.Term{Name: "seconds", Value: elapsed.Seconds()}).print(stdout, f.json)
		},
	}
	f.register(cmd)
	p.register(cmd)
	cmd.Flags().StringVar(&limits, "limits", "", "`BUDGET` of the decision, such as depth=3, nodes=20000, playouts=500 or time=1s (default: the game's own)")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the player's randomness")
	return cmd
}

// maxSeconds bounds a measurement of bench.
const maxSeconds = 3600

func benchCommand(stdout io.Writer) *cobra.Command {
	var f gameFlags
	var seconds float64
	var limits string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "bench --game GAME", Short: "measure games, decisions and nodes a second on this machine",
		Long:    "Bench plays the game's default player against itself from drawn openings, first\non one worker, then on one for each processor, and nothing is kept.",
		Example: "  selfplay bench --game quoridor\n  selfplay bench --game quoridor --rules variant=standard --json", Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, err := f.open()
			if err != nil {
				return err
			}
			if !(seconds > 0 && seconds <= maxSeconds) {
				return fmt.Errorf("--seconds %v: want above 0 and at most %d", seconds, maxSeconds)
			}
			l, err := budget(v.Game, limits)
			if err != nil {
				return err
			}
			preset, err := v.Game.Preset(v.Game.Default)
			if err != nil {
				return err
			}
			counts := []int{1}
			if n := runtime.NumCPU(); n > 1 {
				counts = append(counts, n)
			}
			rows := []object{}
			t := cli.Table{{"workers", "games/s", "decisions/s", "nodes/s", "plies a game", "games"}}
			for _, workers := range counts {
				s, err := measure(cmd, v, preset.Vector, l, workers, seconds)
				if err != nil {
					return err
				}
				rows = append(rows, s.terms(workers))
				t = append(t, []string{
					fmt.Sprint(workers), reports.Number(s.rate(s.games), 0), reports.Number(s.rate(s.decisions), 0), reports.Number(s.rate(s.nodes), 0),
					reports.Number(float64(s.plies)/float64(s.games), 1), reports.Number(float64(s.games), 0),
				})
			}
			if asJSON {
				return object{{Name: "game", Value: v.Game.Name}, {Name: "rules", Value: v.Rules}, {Name: "limits", Value: l.String()}, {Name: "runs", Value: rows}}.print(stdout, true)
			}
			fmt.Fprintf(stdout, "%s, %s\n", v.Game.Title, v.Rules)
			if !l.IsZero() {
				fmt.Fprintf(stdout, "limits %s\n", l)
			}
			t.Print(stdout, 0, 1, 2, 3, 4, 5)
			return nil
		},
	}
	f.register(cmd)
	cmd.Flags().Float64Var(&seconds, "seconds", 2, "time for each measurement")
	cmd.Flags().StringVar(&limits, "limits", "", "`BUDGET` of a decision, such as depth=3, nodes=20000, playouts=500 or time=1s (default: the game's own)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// speed is what a measurement counted.
type speed struct {
	games, decisions, nodes, plies int64
	seconds                        float64
}

func (s speed) rate(n int64) float64 { return float64(n) / s.seconds }

func (s speed) terms(workers int) object {
	return object{
		{Name: "workers", Value: workers}, {Name: "games_per_second", Value: s.rate(s.games)},
		{Name: "decisions_per_second", Value: s.rate(s.decisions)}, {Name: "nodes_per_second", Value: s.rate(s.nodes)},
		{Name: "plies_per_game", Value: float64(s.plies) / float64(s.games)}, {Name: "games", Value: s.games}, {Name: "seconds", Value: s.seconds},
	}
}

// measure plays one pair after another until the time is up.
func measure(cmd *cobra.Command, v engines.Variant, vector params.Vector, l engines.Limits, workers int, seconds float64) (speed, error) {
	var s speed
	start := time.Now()
	src := &endless{vector: vector, workers: workers, until: start.Add(time.Duration(seconds * float64(time.Second)))}
	c := match.Campaign{Variant: v, Seed: 1, OpeningPlies: v.Game.OpeningPlies, Limits: [2]engines.Limits{l, l}, Workers: workers}
	err := c.Run(cmd.Context(), "bench", src, func(t datasets.TrialRow) {
		s.games += int64(t.Games)
		s.decisions += t.Decisions
		s.nodes += t.Nodes
		s.plies += t.Plies
	})
	s.seconds = time.Since(start).Seconds()
	return s, err
}

// endless is a match.Source of single pairs until a moment. Only a benchmark may
// look at the clock.
type endless struct {
	vector      params.Vector
	workers     int
	until       time.Time
	asked, told int
}

// Ask implements match.Source.
func (e *endless) Ask() []params.Trial {
	var trials []params.Trial
	for ; e.asked < e.told+4*e.workers && (e.asked == 0 || time.Now().Before(e.until)); e.asked++ {
		trials = append(trials, params.Trial{ID: e.asked, X: e.vector, Than: e.vector, Pairs: 1, Openings: uint64(e.asked)})
	}
	return trials
}

// Tell implements match.Source.
func (e *endless) Tell(params.Trial, params.Score) error { e.told++; return nil }
