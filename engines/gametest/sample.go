package gametest

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"selfplaylab/engines"
	"selfplaylab/params"
)

const (
	// longest is how many plies a random game may take. It leaves room for any
	// sensible bound, and a game without one passes it soon.
	longest = 20_000
	// wholeGames and fewGames are how many games a sample has, under the
	// default rules and under others; the last is played by the game's player.
	wholeGames, fewGames = 8, 3
	// spotsAGame is about how many positions of a game are looked at.
	spotsAGame = 12
)

// subject is a game under fixed rules, with a sample of games to look at.
type subject struct {
	game  *engines.Game
	v     engines.Variant
	rules string // as the group is called
	main  bool   // the default rules, which get the most games

	games   []line
	broken  error // why the sample is not whole
	sampled bool
	own     map[uint64]line // of the player against itself, by number
	spare   engines.Referee // of at
	buf     []engines.Move  // of ask
}

// line is a played game, opening included.
type line struct {
	start   string // as Referee.Reset takes it
	opening int    // plies
	moves   []engines.Move
	outcome engines.Outcome
	reason  engines.Reason
}

// subjects opens the game under its default rules, every listed value of every option and the
// extra rules, equal rules once. Rules that do not open are left to the promise "options".
func subjects(g *engines.Game, extra []string) []*subject {
	texts := []string{""}
	for _, o := range g.Options {
		for _, value := range o.Values {
			texts = append(texts, o.Name+"="+value)
		}
	}
	var list []*subject
	seen := map[string]bool{}
	for _, text := range append(texts, extra...) {
		v, err := open(g, text)
		if err != nil || seen[v.Rules] {
			continue
		}
		seen[v.Rules] = true
		s := &subject{game: g, v: v, rules: text, main: text == "", own: map[uint64]line{}}
		if s.main {
			s.rules = "default rules"
		}
		list = append(list, s)
	}
	return list
}

// open is Game.Open of a text, with a panic made an error.
func open(g *engines.Game, text string) (v engines.Variant, err error) {
	err = guard(func() (err error) {
		v, err = g.OpenText(text)
		return err
	})
	return v, err
}

// random returns the source of randomness of one use; equal uses draw equally.
func random(use ...uint64) *rand.Rand {
	return rand.New(rand.NewPCG(engines.Seed(use...), 0))
}

// sample plays the games once. A game that fails is kept up to the failure.
func (s *subject) sample() []line {
	if s.sampled {
		return s.games
	}
	s.sampled = true
	n := fewGames
	if s.main {
		n = wholeGames
	}
	for i := range n {
		r := random(1, uint64(i))
		l := line{}
		err := guard(func() error { return s.play(&l, r, i == n-1) })
		s.games = append(s.games, l)
		if err != nil && s.broken == nil {
			s.broken = fmt.Errorf("game %d: %w", i, err)
		}
	}
	return s.games
}

// play plays a game from an opening: at random, or by the game's own player, who
// ends games in other ways than chance does. The player's faults are found
// elsewhere; here random moves replace them.
func (s *subject) play(l *line, r *rand.Rand, own bool) error {
	ref := s.v.NewReferee()
	open := s.v.Opening(r, s.game.OpeningPlies)
	l.start = open.Position
	if err := s.follow(ref, l, open); err != nil {
		return err
	}
	var player engines.Player
	if own {
		_ = guard(func() (err error) { player, err = s.player(s.vector(), l.start, 1); return err })
	}
	var buf []engines.Move
	for {
		if l.outcome, l.reason = ref.Result(); l.outcome != engines.Ongoing {
			return nil
		}
		if len(l.moves) >= longest {
			return fmt.Errorf("a game of %d plies has not ended; give it a ply bound", longest)
		}
		buf = ref.Moves(buf[:0])
		if len(buf) == 0 {
			return fmt.Errorf("the game goes on without a move to make in %s", ref)
		}
		m := buf[r.IntN(len(buf))]
		if player != nil {
			_ = guard(func() error {
				d, err := s.ask(player, ref, l.moves, quick(s.game.Limits))
				if err == nil {
					m = d.Move
				}
				return err
			})
		}
		ref.Play(m)
		l.moves = append(l.moves, m)
	}
}

// follow sets up an opening and plays it.
func (s *subject) follow(ref engines.Referee, l *line, open engines.Opening) error {
	if err := ref.Reset(open.Position); err != nil {
		return fmt.Errorf("opening: %w", err)
	}
	for i, m := range open.Moves {
		if o, _ := ref.Result(); o != engines.Ongoing || !ref.Legal(m) {
			return fmt.Errorf("opening: move %d, %s, is not legal in %s", i+1, ref.MoveString(m), ref)
		}
		ref.Play(m)
		l.moves = append(l.moves, m)
	}
	l.opening = len(l.moves)
	return nil
}

// gamesEnd: openings are legal, every unfinished game has a move, and every game ends.
func (s *subject) gamesEnd() error {
	s.sample()
	return s.broken
}

// spot is a position of a game of the sample.
type spot struct {
	ref     engines.Referee // in the position; looked at, not played on
	game    int
	line    *line
	history []engines.Move
	random  *rand.Rand
}

// String names the place of a spot.
func (s spot) String() string {
	return fmt.Sprintf("game %d, ply %d, %s", s.game, len(s.history), s.ref)
}

// spots yields about perGame positions of every game, its last one included,
// both sides to move.
func (s *subject) spots(perGame int) iter.Seq[spot] {
	return func(yield func(spot) bool) {
		ref := s.v.NewReferee()
		for i := range s.sample() {
			l := &s.games[i]
			if ref.Reset(l.start) != nil {
				continue // the promise "random games end" says so
			}
			stride := len(l.moves)/perGame | 1 // odd, for the sides to change
			for ply := 0; ; ply++ {
				last := ply == len(l.moves)
				p := spot{ref: ref, game: i, line: l, history: l.moves[:ply:ply], random: random(2, uint64(i), uint64(ply))}
				if (ply%stride == 0 || last) && !yield(p) {
					return
				}
				if last {
					break
				}
				ref.Play(l.moves[ply])
			}
		}
	}
}

// at returns a referee in a position of a sampled game, to be played on. The
// next call takes it back.
func (s *subject) at(start string, history []engines.Move) (engines.Referee, error) {
	if s.spare == nil {
		s.spare = s.v.NewReferee()
	}
	return s.spare, replay(s.spare, start, history)
}

func replay(ref engines.Referee, start string, history []engines.Move) error {
	if err := ref.Reset(start); err != nil {
		return err
	}
	for _, m := range history {
		ref.Play(m)
	}
	return nil
}

// pool returns moves seen in the sample, legal somewhere if not everywhere.
func (s *subject) pool() []engines.Move {
	var pool []engines.Move
	for _, l := range s.sample() {
		pool = append(pool, l.moves...)
	}
	slices.Sort(pool)
	return slices.Compact(pool)
}

// view is all a referee shows of a position.
type view struct {
	text  string
	key   uint64
	turn  engines.Side
	moves []engines.Move
}

func look(ref engines.Referee) view {
	return view{text: ref.String(), key: ref.Key(), turn: ref.Turn(), moves: ref.Moves(nil)}
}

// differs describes the difference of two views of one position; "" for none.
func (v view) differs(w view, what string) error {
	switch {
	case v.text != w.text:
		return fmt.Errorf("%s: text %q became %q", what, v.text, w.text)
	case v.turn != w.turn:
		return fmt.Errorf("%s: in %q the side to move was %d and became %d", what, v.text, v.turn, w.turn)
	case v.key != w.key:
		return fmt.Errorf("%s: in %q the key was %#x and became %#x", what, v.text, v.key, w.key)
	case !slices.Equal(v.moves, w.moves):
		return fmt.Errorf("%s: in %q the moves were %v and became %v", what, v.text, v.moves, w.moves)
	}
	return nil
}

// vector returns the parameters of the default preset.
func (s *subject) vector() params.Vector {
	p, err := s.game.Preset(s.game.DefaultPreset)
	if err != nil {
		return s.game.Space.Default() // the promise "presets" says so
	}
	return p.Vector.Clone()
}
