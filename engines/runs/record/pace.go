package record

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
)

// Games returns the largest number of games of a plan's run; 0 for a kind without games.
func Games(p *runs.Plan) (int64, error) {
	if c := p.Kind.Command; c != nil && c.Games != nil {
		return c.Games(p.Config), nil
	}
	r, err := New(p, Origin{})
	if err != nil {
		return 0, err
	}
	if at := r.Result.Progress("", [5]int{}); at.Unit == "" {
		return at.Planned, nil
	}
	return 0, nil
}

// Pace measures how fast players play here, and remembers it.
type Pace struct {
	mu    sync.Mutex
	known map[string]float64
}

const (
	// paceLong is how long players are measured, together.
	paceLong = 400 * time.Millisecond
	// pacePatience is how long the first pair of a player may take.
	pacePatience = 3 * time.Second
	// paced bounds the players that are measured.
	paced = 4
)

// Seconds returns the mean time between the ends of two games of the plan with a number of
// workers, measured with its players against themselves. It is 0 if it cannot be measured before
// the run: players are programs, or a pair of games takes longer than three seconds.
func (p *Pace) Seconds(ctx context.Context, plan *runs.Plan, workers int) (float64, error) {
	var list []player.Config
	for _, e := range plan.Players {
		if e.Engine != nil || e.Custom != nil {
			return 0, nil
		}
		if !slices.ContainsFunc(list, e.Same) {
			list = append(list, e)
		}
	}
	if len(list) == 0 || plan.Variant.Game == nil || plan.Variant.NewReferee == nil {
		return 0, nil
	}
	if n := len(list); n > paced { // from the first to the last player, whose times often differ most
		for i := range paced {
			list[i] = list[i*(n-1)/(paced-1)]
		}
		list = list[:paced]
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := 0.0
	for _, e := range list {
		one, err := p.one(ctx, plan, e, workers, paceLong/time.Duration(len(list)))
		if err != nil || one == 0 {
			return 0, err
		}
		sum += one / float64(len(list))
	}
	return sum, nil
}

func (p *Pace) one(ctx context.Context, plan *runs.Plan, e player.Config, workers int, long time.Duration) (float64, error) {
	key := fmt.Sprint(plan.Variant.Game.Name, plan.Variant.Rules, e.Values, e.Limits, workers)
	if seconds, ok := p.known[key]; ok {
		return seconds, nil
	}
	waiting, cancel := context.WithTimeout(ctx, pacePatience)
	defer cancel()
	speed, err := Measure(waiting, plan.Variant, e, workers, long)
	switch {
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	case err != nil && !errors.Is(waiting.Err(), context.DeadlineExceeded):
		return 0, err
	}
	seconds := 0.0
	if err == nil && speed.Games > 0 {
		seconds = speed.Seconds / float64(speed.Games)
	}
	if p.known == nil {
		p.known = map[string]float64{}
	}
	p.known[key] = seconds
	return seconds, nil
}
