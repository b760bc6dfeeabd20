package selfplay

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/record"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// maxSeconds bounds a measurement of bench.
const maxSeconds = 3600

func benchCommand(stdout io.Writer) *cobra.Command {
	var f gameFlags
	var p vectorFlags
	var seconds float64
	var limits string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "bench --game GAME", Short: "measure games, decisions and nodes per second on this machine",
		Args: cli.NoArgs,
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
			vector, err := p.vector(v.Game)
			if err != nil {
				return err
			}
			name := cmp.Or(p.preset, v.Game.DefaultPreset)
			counts := []int{1}
			if n := runtime.NumCPU(); n > 1 {
				counts = append(counts, n)
			}
			rows := []runs.Object{}
			margins := ""
			t := text.Table{{"workers", "games/s", "decisions/s", "nodes/s", "plies a game", "games", "CPU time", "games per CPU s"}}
			for _, workers := range counts {
				before, _ := cli.CPUTime()
				s, err := record.Measure(cmd.Context(), v, player.Config{Name: name, Player: name, Values: vector, Limits: l}, workers,
					time.Duration(seconds*float64(time.Second)))
				if err != nil {
					return err
				}
				after, known := cli.CPUTime()
				cpu := (after - before).Seconds()
				margins = marginText(s, v.Game)
				rows = append(rows, speedTerms(s, workers, cpu, known))
				words := []string{"unknown", "unknown"}
				if known {
					words = []string{text.Number(cpu, 2) + " s", text.Number(perSecond(s.Games, cpu), 0)}
				}
				t = append(t, append([]string{
					fmt.Sprint(workers), text.Number(s.Rate(s.Games), 0), text.Number(s.Rate(s.Decisions), 0), text.Number(s.Rate(s.Nodes), 0),
					text.Number(float64(s.Plies)/float64(s.Games), 1), text.Number(float64(s.Games), 0),
				}, words...))
			}
			if asJSON {
				return cli.PrintObject(stdout, runs.Object{{"game", v.Game.Name}, {"rules", v.Rules}, {"limits", l.String()}, {"runs", rows}}, true)
			}
			fmt.Fprintf(stdout, "%s, %s\n", v.Game.Title, v.Rules)
			if !l.IsZero() {
				fmt.Fprintf(stdout, "limits %s\n", l)
			}
			t.Print(stdout, 0, 1, 2, 3, 4, 5, 6, 7)
			fmt.Fprint(stdout, margins)
			return nil
		},
	}
	f.register(cmd)
	p.register(cmd)
	cmd.Flags().Float64Var(&seconds, "seconds", 2, "duration of each measurement")
	cmd.Flags().StringVar(&limits, "limits", "", "`BUDGET` of each decision, such as depth=3, nodes=20000, playouts=500 or time=1s, or a game clock such as tc=8+0.08 (default: set by the game)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// perSecond returns a rate; 0 if the clock shows no time passed.
func perSecond(n int64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(n) / seconds
}

// marginText describes the margins of a game, which Margins.Cap is chosen by.
func marginText(s record.Speed, game *engines.Game) string {
	rms, in, pairs := marginRMS(s.Squares)
	if pairs < 2 {
		return ""
	}
	return fmt.Sprintf("margins between equal players: root mean square %.3g %s, %.3g to %.3g at %.0f %%, in %s (margins from %v on count fully)\n",
		rms, game.Margins.Unit, in.Low, in.High, 100*marginLevel, text.Plural(pairs, "pair"), game.Margins.Cap)
}

// marginRMS is the root of the mean of squares, with its interval and their number.
func marginRMS(squares []float64) (rms float64, in rating.Interval, n int) {
	var m rating.Margins
	for _, square := range squares {
		m.Add(square)
	}
	mean, in := m.Interval(marginLevel)
	return math.Sqrt(mean), rating.Interval{Low: math.Sqrt(max(0, in.Low)), High: math.Sqrt(in.High)}, m.N()
}

// marginLevel is the confidence level of the size of margins.
const marginLevel = 0.95

// speedTerms returns a measurement as JSON terms. cpu is null if unknown.
func speedTerms(s record.Speed, workers int, cpu float64, known bool) runs.Object {
	var used, rate any
	if known {
		used, rate = cpu, perSecond(s.Games, cpu)
	}
	o := runs.Object{
		{"workers", workers}, {"games_per_second", s.Rate(s.Games)}, {"decisions_per_second", s.Rate(s.Decisions)},
		{"nodes_per_second", s.Rate(s.Nodes)}, {"plies_per_game", float64(s.Plies) / float64(s.Games)}, {"games", s.Games},
		{"seconds", s.Seconds}, {"cpu_seconds", used}, {"games_per_cpu_second", rate},
	}
	if rms, in, pairs := marginRMS(s.Squares); pairs > 1 {
		o = append(o, runs.Entry{"margin_rms", runs.Object{{"value", rms}, {"low", in.Low}, {"high", in.High}, {"pairs", pairs}}})
	}
	return o
}
