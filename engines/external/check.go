package external

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/params"
)

// Report is the result of Check, as plain data.
type Report struct {
	Engine   string // name in its file
	Protocol string // name of the protocol
	Game     string // name of the game
	Rules    string // canonical text of the rules

	// Refused is the reason why the engine could not be opened; "" if it was. The other fields
	// are then empty.
	Refused  string
	Identity identity
	Options  []protocol.Option
	Space    params.Space   // the tunable parameters
	Limits   engines.Limits // limits of the games

	Games []CheckedGame // two pairs: the engine has the first side, then the second
	Lost  bool          // the engine lost a game, or its repetition, by a fault

	Claims  bool // the engine file says that the engine repeats its decisions
	Judged  bool // the two pairs were played twice to the end
	Repeats bool // both times were equal

	// Nodes states how the engine keeps a fixed number of nodes, and whether it then repeats
	// its decisions.
	Nodes string
	// Late is the largest delay of some moves beyond their time. Timed reports whether this was
	// tried, because some protocols have no time.
	Late  time.Duration
	Timed bool
	// NoEffect has the first parameters without effect on a decision, each tried at the end of
	// its range that is farther from its default. Tried is the number of parameters tried.
	NoEffect []string
	Tried    int
	// Scaled has the ratio groups that were tried at other values of the same ratios.
	Scaled []string

	// Problems lists faults and advice, a sentence each, the worst first.
	Problems []string
}

// Failed reports whether the engine could not be opened or lost a game by its own fault.
func (r *Report) Failed() bool { return r.Refused != "" || r.Lost }

// CheckedGame is one of the games of Check, against a player of random moves.
type CheckedGame struct {
	Side    engines.Side    // the engine's side
	Moves   []string        // in the game's notation
	Outcome engines.Outcome // Ongoing if the game was stopped after checkPlies
	Reason  engines.Reason  // why the game ended
	Fault   string          // the engine's fault; "" without one
	// Differs is a difference between the engine's view of the game and the referee's, ""
	// without one. Some protocols cannot ask for it.
	Differs string
	Nodes   int64
}

// Repeatable reports whether runs may rely on the engine to repeat its decisions: its file says
// so, two pairs played twice were equal, and no clock was used.
func (r *Report) Repeatable() bool { return r.Claims && r.Repeats && r.Limits.Repeatable() }

// checkPlies is the number of plies after which a game of
// Check ends: enough to see an engine open, fight and capture.
const checkPlies = 60

// checkStall is the longest wait of Check for a decision without a time limit.
// A program that never answers is a common mistake, and a match would wait ten minutes.
const checkStall = time.Minute

// checkLimits are tried in turn for an engine whose file has no limits.
var checkLimits = []engines.Limits{{}, {Nodes: 1000}, {Depth: 2}, {Time: 100 * time.Millisecond}}

// Check starts an engine, reports its identity and options, plays two pairs of short games with
// it, twice to judge whether it repeats its decisions, and lists problems, also those of a
// match or a tuning. It ends early when ctx ends, and says so in Problems.
func Check(ctx context.Context, e *Engine, v engines.Variant) Report {
	return check(ctx, e, v, checkStall)
}

// check does the work of Check, with any bound on decisions without a time limit.
func check(ctx context.Context, e *Engine, v engines.Variant, stall time.Duration) Report {
	r := Report{Engine: e.Name, Protocol: e.Protocol, Game: v.Game.Name, Rules: v.Rules, Claims: e.Repeatable}
	p, err := e.Open(ctx, v, process.Options{Patience: process.Patience{Stall: stall}})
	if err != nil {
		r.Refused = err.Error()
		r.Problems = append(r.Problems, "It cannot be used: "+err.Error())
		return r
	}
	defer p.Close()
	r.Identity, r.Options, r.Space = p.Identity(), p.offer.Options, p.Space()
	r.chooseLimits(p, e)
	first, ok := r.round(ctx, p, v)
	r.Games = first
	if ok {
		second, again := r.round(ctx, p, v)
		r.Judged = again
		r.Repeats = again && slices.EqualFunc(first, second, func(a, b CheckedGame) bool { return slices.Equal(a.Moves, b.Moves) })
		if !again {
			r.faults(second)
		}
	}
	r.faults(first)
	r.advise(e, p)
	r.asMatch(p, e, v)
	if n := len(r.Games); r.Games[n-1].Reason != engines.Stall { // it would stall again
		r.asTune(ctx, p, v)
	}
	if !r.Failed() {
		r.asTimed(ctx, p, v, e)
		r.asNodes(ctx, p, v)
		r.asIgnored(ctx, p, v)
		r.asScaled(ctx, p, v)
	}
	if ctx.Err() != nil {
		r.Problems = append(r.Problems, "The check was ended early: "+context.Cause(ctx).Error())
	}
	return r
}

// chooseLimits selects the limits of the engine's file,
// or the first of checkLimits that its protocol supports.
func (r *Report) chooseLimits(p *Player, e *Engine) {
	r.Limits = e.Limits
	for _, l := range checkLimits {
		if e.Limits.IsZero() && p.Admits(l) == nil {
			r.Limits = l
			return
		}
	}
}

// asMatch reports problems of a match without a budget:
// limits that the engine's protocol does not support.
func (r *Report) asMatch(p *Player, e *Engine, v engines.Variant) {
	if !e.Limits.IsZero() {
		return
	}
	if err := p.Admits(v.Game.Limits); err != nil {
		r.Problems = append(r.Problems, fmt.Sprintf("It cannot use the default limits of %s, %s: without --limits both sides get 1 s per move. For "+
			"other limits, add a line such as limits = %q to %s.", v.Game.Name, v.Game.Limits, "time=100ms", e.File))
	}
}

// asTune gives every parameter another value, as a tuning does, and requests a decision.
func (r *Report) asTune(ctx context.Context, p *Player, v engines.Variant) {
	if len(r.Space) == 0 {
		return
	}
	x := r.Space.Default()
	for i, param := range r.Space {
		if x[i] = param.Clip(param.Value(param.Coordinate(x[i]) + 1)); x[i] == param.Default {
			x[i] = param.Clip(param.Value(param.Coordinate(x[i]) - 1))
		}
	}
	if _, err := decide(ctx, p, v, x, r.Limits); err != nil && ctx.Err() == nil {
		r.Problems = slices.Insert(r.Problems, 0, fmt.Sprintf("It cannot be tuned: with every parameter changed by one step: %v", err))
	}
}

// decide requests a move of the first opening, with vector x.
func decide(ctx context.Context, p *Player, v engines.Variant, x params.Vector, l engines.Limits) (d engines.Decision, err error) {
	return decideAfter(ctx, p, v, v.Opening(rand.New(rand.NewPCG(0, 1)), 2), x, l)
}

// decideAfter requests a move of an opening, with vector x.
func decideAfter(ctx context.Context, p *Player, v engines.Variant, open engines.Opening, x params.Vector, l engines.Limits) (
	d engines.Decision, err error) {
	if err := p.Configure(x); err != nil {
		return d, err
	}
	if err := p.Reset(open.Position, 0); err != nil {
		return d, err
	}
	return p.Choose(ctx, open.Moves, l)
}

// Sizes of the tests.
const (
	timedMoves = 3                      // of Report.Late
	timedMove  = 100 * time.Millisecond // of Report.Late
	fixedNodes = 1000                   // of Report.Nodes
	maxTried   = 40                     // of Report.NoEffect, in parameters

	scaledMoves = 20 // of Report.Scaled, each after a ply more
)

// unplayable reports the problem of a match under other
// limits than the games, which it would lose by err.
func (r *Report) unplayable(ctx context.Context, l engines.Limits, err error) {
	if ctx.Err() == nil {
		l.Margin = 0
		r.Problems = append(r.Problems, fmt.Sprintf("With limits %s it does not play: %v", l, err))
	}
}

// asTimed measures the delay of moves under a time limit.
func (r *Report) asTimed(ctx context.Context, p *Player, v engines.Variant, e *Engine) {
	l := engines.Limits{Time: timedMove, Margin: time.Minute}
	if p.Admits(l) != nil {
		return
	}
	for range timedMoves {
		if _, err := decide(ctx, p, v, r.Space.Default(), l); err != nil {
			r.unplayable(ctx, l, err)
			return
		}
		r.Late = max(r.Late, p.Thought()-timedMove)
	}
	if r.Timed = true; r.Late > e.TimeMargin {
		r.Problems = append(r.Problems, fmt.Sprintf("Its moves come up to %v after their time of %v, and it loses by time beyond %v: set a larger timemargin in %s, "+
			"or its own option for such delays (Move Overhead).", r.Late.Round(time.Millisecond), timedMove, e.TimeMargin, e.File))
	}
}

// asNodes requests a decision twice at a fixed number of nodes.
func (r *Report) asNodes(ctx context.Context, p *Player, v engines.Variant) {
	l := engines.Limits{Nodes: fixedNodes}
	if err := p.Admits(l); err != nil {
		r.Nodes = "not supported: " + err.Error()
		return
	}
	var n [2]engines.Decision
	for i := range n {
		var err error
		if n[i], err = decide(ctx, p, v, r.Space.Default(), l); err != nil {
			r.Nodes = err.Error()
			r.unplayable(ctx, l, err)
			return
		}
	}
	if most := max(n[0].Nodes, n[1].Nodes); most > 0 && most < fixedNodes/20 {
		r.Problems = append(r.Problems, fmt.Sprintf("With %d nodes to search it stopped after %d: if it does not know fixed nodes, it answers such "+
			"limits at once and plays far below its strength. Give it a depth or time.", fixedNodes, most))
	}
	r.Nodes = fmt.Sprintf("it searched %d of %d, twice, and chose the same move", n[0].Nodes, fixedNodes)
	switch {
	case same(n[0], n[1]):
	case n[0].Nodes == n[1].Nodes:
		r.Nodes = fmt.Sprintf("it does not repeat: it searched %d of %d nodes, twice, and decided otherwise; look for what it draws at random",
			n[0].Nodes, fixedNodes)
	default:
		r.Nodes = fmt.Sprintf("it does not repeat: of %d nodes it searched %d, then %d; look for threads, the clock, or tables kept from the game before",
			fixedNodes, n[0].Nodes, n[1].Nodes)
	}
}

// same reports whether two decisions are equal.
func same(a, b engines.Decision) bool {
	return a.Move == b.Move && a.Nodes == b.Nodes && engines.SameScore(a.Score, b.Score) && a.Depth == b.Depth
}

// asIgnored finds parameters that change nothing,
// because the engine reads them wrongly or not at all.
func (r *Report) asIgnored(ctx context.Context, p *Player, v engines.Variant) {
	if !r.Repeats || !r.Limits.Repeatable() {
		return
	}
	standard, err := decide(ctx, p, v, r.Space.Default(), r.Limits)
	for i := 0; i < min(len(r.Space), maxTried) && err == nil; i++ {
		x, param := r.Space.Default(), r.Space[i]
		if x[i] = param.Max; param.Max-param.Default < param.Default-param.Min {
			x[i] = param.Min
		}
		var d engines.Decision
		if d, err = decide(ctx, p, v, x, r.Limits); err != nil && ctx.Err() == nil {
			r.Problems = append(r.Problems, fmt.Sprintf("With %s = %s it does not play, so that range is too wide: %v", param.Name, param.Format(x[i]), err))
			return
		}
		r.Tried++
		if same(d, standard) {
			r.NoEffect = append(r.NoEffect, param.Name)
		}
	}
}

// asScaled multiplies the weights of each ratio group (params.Param.Ratio), as far as their ranges
// allow, and compares the decisions.
func (r *Report) asScaled(ctx context.Context, p *Player, v engines.Variant) {
	if !r.Repeats || !r.Limits.Repeatable() {
		return
	}
	for i, param := range r.Space {
		first := slices.IndexFunc(r.Space, func(q params.Param) bool { return q.Ratio == param.Ratio })
		x, factor := scaled(r.Space, param.Ratio)
		if param.Ratio == "" || first < i || x == nil {
			continue
		}
		r.Scaled = append(r.Scaled, param.Ratio)
		for n := range uint64(scaledMoves) {
			open := v.Opening(rand.New(rand.NewPCG(n, 1)), int(n))
			standard, err := decideAfter(ctx, p, v, open, r.Space.Default(), r.Limits)
			var d engines.Decision
			if err == nil {
				d, err = decideAfter(ctx, p, v, open, x, r.Limits)
			}
			if err != nil {
				return // the other tests report it
			}
			if d.Move != standard.Move {
				r.Problems = append(r.Problems, fmt.Sprintf("With the weights of the group ratio = %q times %v it decides otherwise, so more than their "+
					"ratios matters: take ratio out of their [[param]] tables.", param.Ratio, factor))
				break
			}
		}
	}
}

// scaled returns the defaults with the weights of a group multiplied by a factor; nil if their ranges
// allow no factor.
func scaled(s params.Space, group string) (x params.Vector, factor float64) {
	for _, factor := range []float64{2, 0.5, 3, 1.5} {
		x := s.Default()
		for i, p := range s {
			if p.Ratio == group {
				x[i] *= factor
			}
		}
		if s.Check(x) == nil {
			return x, factor
		}
	}
	return nil, 0
}

// round plays two pairs, up to a game in which the engine does
// not answer. ok reports that no game was lost by a fault.
func (r *Report) round(ctx context.Context, p *Player, v engines.Variant) (games []CheckedGame, ok bool) {
	ok = true
	for pair := range uint64(2) {
		open := v.Opening(rand.New(rand.NewPCG(pair, 1)), 2)
		for side := range engines.Side(2) {
			g, err := r.play(ctx, p, v, open, side, pair)
			if err != nil && g.Fault == "" { // the protocol has no such opening
				g, err = r.play(ctx, p, v, engines.Opening{}, side, pair)
			}
			if err != nil && g.Fault == "" {
				g.Fault, g.Reason = err.Error(), engines.Crash
			}
			games = append(games, g)
			if ok = ok && g.Fault == ""; ctx.Err() != nil || g.Reason == engines.Stall {
				return games, false
			}
		}
	}
	return games, ok
}

// play plays one game of the engine against random legal moves.
// It returns refusals as an error and records the engine's faults in the game.
func (r *Report) play(ctx context.Context, p *Player, v engines.Variant, open engines.Opening, side engines.Side,
	seed uint64) (CheckedGame, error) {
	g := CheckedGame{Side: side}
	ref := v.NewReferee()
	if err := ref.Reset(open.Position); err != nil {
		return g, err
	}
	if err := p.Reset(open.Position, seed); err != nil {
		return g, g.failed(err)
	}
	var history []engines.Move
	put := func(m engines.Move) {
		g.Moves = append(g.Moves, ref.MoveString(m))
		ref.Play(m)
		history = append(history, m)
	}
	for _, m := range open.Moves {
		put(m)
	}
	random := rand.New(rand.NewPCG(seed, uint64(side)))
	for len(history) < checkPlies {
		if err := g.compare(ctx, p, history); err != nil {
			return g, g.failed(err)
		}
		if g.Outcome, g.Reason = ref.Result(); g.Outcome != engines.Ongoing {
			return g, nil
		}
		if ref.Turn() != side {
			list := ref.Moves(nil)
			put(list[random.IntN(len(list))])
			continue
		}
		d, err := p.Choose(ctx, history, r.Limits)
		if err != nil {
			return g, g.failed(err)
		}
		g.Nodes += d.Nodes
		put(d.Move)
	}
	return g, nil
}

// compare compares the engine's view of the game with the referee's.
func (c *CheckedGame) compare(ctx context.Context, p *Player, history []engines.Move) error {
	differs := p.client.Capabilities().Differs
	if differs == nil || c.Differs != "" {
		return nil
	}
	if err := p.session.Follow(history); err != nil {
		return err
	}
	var err error
	c.Differs, err = differs(ctx, p.link)
	return err
}

// failed records an engine's fault or resignation in the game, and returns other errors.
func (c *CheckedGame) failed(err error) error {
	var fault *engines.Fault
	if !errors.As(err, &fault) {
		return err
	}
	c.Outcome, c.Reason = engines.Win(c.Side.Other()), fault.Reason
	if fault.Reason.Fault() {
		c.Fault = fault.Detail
	}
	return nil
}

// faults puts every fault of games in front of the problems, each kind once.
func (r *Report) faults(games []CheckedGame) {
	add := func(text string) {
		if !slices.Contains(r.Problems, text) {
			r.Problems = append(r.Problems, text)
		}
	}
	differs := false // one example suffices
	for _, g := range games {
		if g.Differs != "" && !differs {
			add("It sees the game otherwise than the referee: " + g.Differs)
			differs = true
		}
		if g.Fault != "" {
			r.Lost = true
			add(fmt.Sprintf("It loses a game by %s: %s", g.Reason, g.Fault))
		}
	}
}

// times returns n as an adverb: once, twice, 3 times.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// advise appends the remaining problems and advice.
func (r *Report) advise(e *Engine, p *Player) {
	say := func(format string, args ...any) { r.Problems = append(r.Problems, fmt.Sprintf(format, args...)) }
	switch {
	case r.Judged && r.Claims && !r.Repeats:
		say("It does not repeat itself, though its file says so: take repeatable = true out of %s, or find what it draws at random (a seed, "+
			"threads, tables kept from the game before).", e.File)
	case r.Judged && !r.Claims && r.Repeats && r.Limits.Repeatable():
		say("It repeated itself: if that holds in general, write repeatable = true in %s.", e.File)
	}
	if r.Limits.Time > 0 {
		say("It was asked by time (%s), which never repeats exactly.", r.Limits)
	}
	if r.Identity.Name == "" {
		say("It does not say its name: runs will know it by the SHA-256 of its program only.")
	}
	for _, o := range r.Options {
		start, err := strconv.ParseInt(o.Default, 10, 64)
		switch {
		case o.Type != "spin" || protocol.Machinery(o.Name):
		case !o.Ranged:
			say("The option %s has no usable min and max: to tune it, describe it as a [[param]] in %s.", o.Name, e.File)
		case err != nil || start < o.Min || start > o.Max:
			say("The default of the option %s, %q, is none of the values it takes, %d to %d: to tune it, correct that, or describe it as a [[param]] in %s.",
				o.Name, o.Default, o.Min, o.Max, e.File)
		}
	}
	if len(r.Space) == 0 {
		say("It offers nothing to tune: describe its parameters as [[param]] in %s, or by tune --space FILE.", e.File)
	}
	more := p.starts - 1 - p.ended - p.killed
	if p.ended > 0 {
		say("It ended by itself %s and was started again.", times(p.ended))
	}
	if p.killed > 0 {
		say("It was killed %s because of what it did, listed above, and started again.", times(p.killed))
	}
	if more > 0 && !e.Restart && !p.protocol.Fresh {
		say("It cannot begin another game, and was started again %s: write restart = true in %s.", times(more), e.File)
	}
}
