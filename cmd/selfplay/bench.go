package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
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
			t := text.Table{{"workers", "games/s", "decisions/s", "nodes/s", "plies a game", "games", "CPU time", "games per CPU s"}}
			for _, workers := range counts {
				before, _ := cli.CPUTime()
				s, err := schedule.Measure(cmd.Context(), v, player.Config{Name: name, Player: name, Values: vector, Limits: l}, workers,
					time.Duration(seconds*float64(time.Second)))
				if err != nil {
					return err
				}
				after, known := cli.CPUTime()
				cpu := (after - before).Seconds()
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
				return cli.PrintObject(stdout, runs.Object{{Name: "game", Value: v.Game.Name}, {Name: "rules", Value: v.Rules},
					{Name: "limits", Value: l.String()}, {Name: "runs", Value: rows}}, true)
			}
			fmt.Fprintf(stdout, "%s, %s\n", v.Game.Title, v.Rules)
			if !l.IsZero() {
				fmt.Fprintf(stdout, "limits %s\n", l)
			}
			t.Print(stdout, 0, 1, 2, 3, 4, 5, 6, 7)
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

// perSecond is a rate; 0 where no time has passed, as far as the clock tells.
func perSecond(n int64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(n) / seconds
}

// speedTerms is a measurement as JSON; cpu is null where nothing tells.
func speedTerms(s schedule.Speed, workers int, cpu float64, known bool) runs.Object {
	var used, rate any
	if known {
		used, rate = cpu, perSecond(s.Games, cpu)
	}
	return runs.Object{
		{Name: "workers", Value: workers}, {Name: "games_per_second", Value: s.Rate(s.Games)},
		{Name: "decisions_per_second", Value: s.Rate(s.Decisions)}, {Name: "nodes_per_second", Value: s.Rate(s.Nodes)},
		{Name: "plies_per_game", Value: float64(s.Plies) / float64(s.Games)}, {Name: "games", Value: s.Games},
		{Name: "seconds", Value: s.Seconds},
		{Name: "cpu_seconds", Value: used}, {Name: "games_per_cpu_second", Value: rate},
	}
}
