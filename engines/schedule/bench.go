package schedule

import (
	"context"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
)

// Speed is what a measurement counted.
type Speed struct {
	Games, Decisions, Nodes, Plies int64
	Seconds                        float64 // wall time

	// Squares are those of the margins of games, one a pair: the mean of its two; none
	// in games without margins.
	Squares []float64
}

// Rate is a count a second.
func (s Speed) Rate(n int64) float64 { return float64(n) / s.Seconds }

// Measure has a player play itself on workers for some time, and keeps nothing.
func Measure(ctx context.Context, v engines.Variant, e player.Config, workers int, long time.Duration) (Speed, error) {
	var s Speed
	start := time.Now()
	c := Runner{
		Setup: play.Setup{Game: v.Game.ID(), Version: v.Game.Version, Rules: v.Rules, Seed: 1, OpeningPlies: v.Game.OpeningPlies},
		Pool:  Local{Variant: v, Workers: workers},
		Observe: func(f Finished) error {
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
	err := c.Run(ctx, &endless{seat: e, workers: workers, until: start.Add(long)})
	s.Seconds = time.Since(start).Seconds()
	return s, err
}

// endless is a Source of single pairs until a moment, one a worker before any has ended:
// where a game takes longer than that, no more are waited for. Only a measurement may
// look at the clock.
type endless struct {
	seat    player.Config
	workers int
	until   time.Time

	queue
}

func (e *endless) Ask(int) []Trial {
	var trials []Trial
	ahead := e.workers
	if e.told > 0 {
		ahead *= 4
	}
	for ; e.asked < e.told+ahead && (e.asked == 0 || time.Now().Before(e.until)); e.asked++ {
		trials = append(trials, Trial{Phase: "bench", Stream: play.Stream("bench"), Seats: [2]player.Config{e.seat, e.seat}, Pairs: 1,
			Openings: uint64(e.asked), Book: play.Drawn})
	}
	return trials
}
