package record

import (
	"context"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
)

// Speed holds the counts of a measurement.
type Speed struct {
	Games, Decisions, Nodes, Plies int64
	Seconds                        float64 // wall time

	// Squares are the squared margins, the mean of each pair's two games; none in games
	// without margins.
	Squares []float64
}

// Rate returns a count a second.
func (s Speed) Rate(n int64) float64 { return float64(n) / s.Seconds }

// Measure has a player play itself on workers for some time, and records nothing.
func Measure(ctx context.Context, v engines.Variant, e player.Config, workers int, long time.Duration) (Speed, error) {
	var s Speed
	start := time.Now()
	r := schedule.Runner{
		Setup: play.Setup{Game: v.Game.ID(), Version: v.Game.Version, Rules: v.Rules, Seed: 1, OpeningPlies: v.Game.OpeningPlies},
		Pool:  schedule.Local{Variant: v, Workers: workers},
		Observe: func(f schedule.Finished) error {
			s.Games += int64(f.Trial.Games)
			s.Decisions += f.Trial.Decisions
			s.Nodes += f.Trial.Nodes
			s.Plies += f.Trial.Plies
			for i := 1; i < len(f.Games); i += 2 {
				if a, b := f.Games[i-1].Margin, f.Games[i].Margin; a != nil && b != nil {
					s.Squares = append(s.Squares, (float64(*a**a)+float64(*b**b))/2)
				}
			}
			return nil
		},
	}
	err := r.Run(ctx, &endless{seat: e, workers: workers, until: start.Add(long)})
	s.Seconds = time.Since(start).Seconds()
	return s, err
}

// endless is a Source of single pairs until a moment. It requests one pair a worker until the
// first has ended, because no more are waited for where a game takes longer than the
// measurement. Only a measurement may look at the clock.
type endless struct {
	seat    player.Config
	workers int
	until   time.Time

	begun, done int // pairs
	schedule.Defaults
}

// Ask implements schedule.Source.
func (e *endless) Ask(int) []schedule.Trial {
	var trials []schedule.Trial
	ahead := e.workers
	if e.done > 0 {
		ahead *= 4
	}
	for ; e.begun < e.done+ahead && (e.begun == 0 || time.Now().Before(e.until)); e.begun++ {
		trials = append(trials, schedule.Trial{Phase: "bench", Stream: play.Stream("bench"), Seats: [2]player.Config{e.seat, e.seat}, Pairs: 1,
			Openings: uint64(e.begun), Book: play.Drawn})
	}
	return trials
}

// Tell implements schedule.Source.
func (e *endless) Tell(datasets.TrialRow, *params.MarginScore) error {
	e.done++
	return nil
}
