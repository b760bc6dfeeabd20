package runs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/config"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// SeatError is why a program among the players cannot sit down. It wraps an
// *external.Refusal, an *engines.Fault or an *player.changedError.
type SeatError struct {
	Game   string // its name
	Player player.Config
	Err    error
}

// Error names the player.
func (s *SeatError) Error() string { return s.Err.Error() }
func (s *SeatError) Unwrap() error { return s.Err }

// Seat starts every program among the players once, so that errors are reported before anything is
// created or played, as a *SeatError. It stores the programs' names and keys in the plan. A program
// that claims to repeat itself plays the first two pairs against itself twice; the plan records
// whether it does. tell, if not nil, receives lines about that. A plan with programs must be seated
// before a run is created from it. Last, Seat adjusts the budget that makes processor times equal.
func (p *Plan) Seat(ctx context.Context, tell func(string)) (err error) {
	defer engines.CatchReferee(&err)
	if err := Verify(p.Variant); err != nil {
		return err
	}
	if tell == nil {
		tell = func(string) {}
	}
	var claims []player.Config // that none before them has made
	var seated []player.Config
	for _, e := range p.Players {
		if e.Engine == nil || e.Engine.Key != "" && e.Engine.Repeats {
			continue
		}
		if err := e.Seat(ctx, p.Variant); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return &SeatError{p.Variant.Game.Name, e, err}
		}
		if !e.Claims() {
			continue
		}
		seated = append(seated, e)
		if !slices.ContainsFunc(claims, e.Same) {
			claims = append(claims, e)
			tell(fmt.Sprintf("checking whether %s repeats itself: two pairs of games against itself, twice", e.Name))
		}
	}
	repeats, err := p.allRepeat(ctx, claims)
	if err != nil {
		return err
	}
	for _, e := range seated {
		if e.Engine.Repeats = repeats[slices.IndexFunc(claims, e.Same)]; !e.Engine.Repeats {
			tell(fmt.Sprintf("warning: %s did not repeat itself, though its file says so", e.Name))
		}
	}
	if p.Equal == nil {
		return nil
	}
	return p.Equal.adjust(ctx, p.Variant, p.Config.Conditions().PlaySetup(p.Variant, p.Book), tell)
}

// allRepeat reports which programs repeat themselves. It tries as many at a time as there
// are processors.
func (p *Plan) allRepeat(ctx context.Context, claims []player.Config) ([]bool, error) {
	if len(claims) == 0 { // nothing to play, and so nothing to interrupt
		return nil, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	same := make([]bool, len(claims))
	InParallel(0, len(claims), func(k int) {
		if ctx.Err() != nil {
			return
		}
		var err error
		if same[k], err = p.repeats(ctx, claims[k]); err != nil {
			cancel(err)
		}
	})
	return same, context.Cause(ctx)
}

// Verify expects rules that another program keeps to repeat themselves.
func Verify(v engines.Variant) error {
	if v.Verify == nil {
		return nil
	}
	return v.Verify()
}

// engineLimits are the default limits of all players if an external engine does not support the
// game's. The margin is for busy machines.
var engineLimits = engines.Limits{Time: time.Second, Margin: 100 * time.Millisecond}

// SeatedPlan plans the run of a config and seats its players: see Plan.Seat. If a program does not
// support the game's default limits and the config sets none, it plans again with one second per
// move for all and says so in a line; not if an engine file of another player has limits.
func SeatedPlan(ctx context.Context, cfg Config, tell func(string)) (*Plan, error) {
	if tell == nil {
		tell = func(string) {}
	}
	p, err := cfg.Plan()
	if err != nil {
		return nil, err
	}
	err = p.Seat(ctx, tell)
	seat, ok := errors.AsType[*SeatError](err)
	if _, limits := errors.AsType[*player.LimitsError](err); !ok || !limits || seat.Player.Limits != p.Variant.Game.Limits {
		return p, err
	}
	for _, e := range p.Players {
		if own, fileErr := e.FileLimits(); fileErr != nil || !own.IsZero() && own == e.Limits {
			return p, errors.Join(err, fileErr)
		}
	}
	if set, err := config.SetUnset(cfg, "limits", engineLimits.String()); !set || err != nil {
		return p, errors.Join(seat, err)
	}
	again, planErr := cfg.Plan()
	if planErr != nil {
		return p, errors.Join(err, planErr)
	}
	tell(fmt.Sprintf("%s cannot use the default limits, %s, and none are given: a player without its own gets one second per move "+
		"(--limits %s)",
		seat.Player.Name, p.Variant.Game.Limits, engineLimits))
	return again, again.Seat(ctx, tell)
}

// triedPlies is the number of plies played to see whether a program repeats itself. The effects
// of clocks, threads and earlier games show in the first decisions.
const triedPlies = 24

// repeats plays the first two pairs of the run, the player against itself, twice. The second
// time is in the other order, so that effects of an earlier game show.
func (p *Plan) repeats(ctx context.Context, e player.Config) (same bool, err error) {
	defer engines.CatchReferee(&err)
	setup := p.Config.Conditions().PlaySetup(p.Variant, p.Book)
	most := triedPlies + setup.OpeningPlies
	for _, open := range setup.Book {
		most = max(most, triedPlies+len(open.Moves))
	}
	if own := &setup.Adjudication.MaxPlies; *own == 0 || *own > most {
		*own = most
	}
	w := play.NewWorker(p.Variant, setup)
	defer func() { err = errors.Join(err, w.Close()) }()
	job := play.Job{Seats: [2]player.Config{e, e}, Stream: play.Stream(p.Kind.Name), Book: play.Drawn}
	var seen [2]play.Pair
	for i, number := range []int{0, 1, 1, 0} {
		job.From, job.To = number, number+1
		pairs, err := w.Play(ctx, job)
		if err != nil {
			return false, err
		}
		switch {
		case pairs[0].Faulted() != [2]int{}:
			return false, nil
		case i < 2:
			seen[number] = pairs[0]
		case !slices.EqualFunc(seen[number].Games[:], pairs[0].Games[:], sameGame):
			return false, nil
		}
	}
	return true, nil
}

func sameGame(a, b play.Game) bool {
	return a.Moves == b.Moves && a.Outcome == b.Outcome && a.Reason == b.Reason && a.Nodes == b.Nodes
}

// Seated reports whether every program is known.
func (p *Plan) Seated() error {
	for _, e := range p.Players {
		if e.Engine != nil && e.Engine.Key == "" {
			return fmt.Errorf("player %q is a program that was not started yet: Plan.Seat comes before the run is made", e.Name)
		}
	}
	return nil
}

// PlaysAgain reports whether a run plays the same games again: its players are repeatable,
// and none of its games ended because a player did not answer.
func PlaysAgain(played *gamestats.Games, players ...player.Config) bool {
	return Repeatable(players...) && played.Ends[string(engines.Stall)] == 0
}

// Repeatable reports whether no clock and no program that may play otherwise
// decides about moves.
func Repeatable(players ...player.Config) bool {
	return !slices.ContainsFunc(players, func(p player.Config) bool { return !p.Repeatable() })
}

// minAlike is the number of equal decisions that show that players play alike: with 95 %
// confidence at most 5 % of such decisions differ.
const minAlike = 60

// Alike returns a sentence about two players if none of minAlike or more compared decisions
// differed and every pair is even; else "", also if one of them resigned or crashed.
func Alike(a, b string, compared, differing int64, pairs rating.Pairs) string {
	if compared < minAlike || differing > 0 || pairs[2] < pairs.N() {
		return ""
	}
	return fmt.Sprintf("%s and %s decided alike in all of %s decisions that both made: they play alike here, and more pairs will not show a "+
		"difference.", a, b, text.Count(compared))
}

// Unrepeatable returns a sentence on why games of players do not repeat: clock if a time limit
// decides moves, and the programs that were not seen to repeat themselves.
func Unrepeatable(clock string, players ...player.Config) string {
	var list, names []string
	for _, p := range players {
		if !p.Limits.Repeatable() && len(list) == 0 {
			list = append(list, clock)
		}
		if p.MayVary() && p.Limits.Repeatable() && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	if len(names) > 0 {
		verb := "is a program that was"
		if len(names) > 1 {
			verb = "are programs that were"
		}
		list = append(list, fmt.Sprintf("%s %s not seen to repeat: these games do not repeat exactly.", strings.Join(names, " and "), verb))
	}
	return strings.Join(list, " ")
}

// Marked returns a verdict, with a word where it comes from games of programs that do
// not repeat.
func Marked(verdict string, players ...player.Config) string {
	for _, p := range players {
		if p.External() && !p.Repeatable() {
			return verdict + "; by games that do not repeat exactly"
		}
	}
	return verdict
}

// ProgramFacts returns the programs among players as lines of a report.
func ProgramFacts(players ...player.Config) (facts []reports.Fact) {
	for _, e := range players {
		switch {
		case e.Engine != nil:
			facts = append(facts, reports.Fact{Key: "program " + e.Name, Value: describe(e)})
		case e.Custom != nil:
			facts = append(facts, reports.Fact{Key: "player " + e.Name, Value: describeCustom(e.Custom)})
		}
	}
	return facts
}

// describeCustom describes a custom player.
func describeCustom(c *player.Custom) string {
	states := "does not state that it repeats itself"
	if c.Repeatable {
		states = "states that it repeats itself"
	}
	return fmt.Sprintf("custom player `%s`: Go code outside this toolkit, which %s; only a program that has it can resume this run",
		c.Name, states)
}

// describe describes the program of a player.
func describe(e player.Config) string {
	name := cmp.Or(e.Engine.Name, "says no name")
	repeats := "not seen to repeat itself"
	if e.Engine.Repeats {
		repeats = "repeats itself"
	}
	text := fmt.Sprintf("%s, SHA-256 `%s`, %s", name, e.Engine.Program, repeats)
	if len(e.Engine.Options) > 0 {
		text += "; `" + strings.Join(e.Engine.Options, " ") + "`"
	}
	return text
}
