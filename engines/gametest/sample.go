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
	// longest is the maximum number of plies of a random game. Any sensible bound is lower, and
	// a game without a bound exceeds it soon.
	longest = 20_000
	// wholeGames and fewGames are the numbers of games in a sample, under the default rules and
	// under others. The game's player plays the last one.
	wholeGames, fewGames = 8, 3
	// spotsAGame is about the number of positions to check in a game.
	spotsAGame = 12
)

// subject is a game under fixed rules, with a sample of its games.
type subject struct {
	game  *engines.Game
	v     engines.Variant
	rules string // name of the group
	main  bool   // the default rules, which get most of the games

	games   []line
	broken  error // why the sample is incomplete
	sampled bool
	own     map[uint64]line // games of the player against itself, by number
	spare   engines.Referee // reused by at
	buf     []engines.Move  // reused by ask
}

// line is a played game, opening included.
type line struct {
	start   string // in the form of Referee.Reset
	opening int    // number of its plies
	moves   []engines.Move
	outcome engines.Outcome
	reason  engines.Reason
}

// subjects opens the game under its default rules, every listed value of every option and the
// extra rules, each rules text once. It leaves rules that do not open to the promise "options".
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

// open opens the game under the rules of a text. It returns a panic as an error.
func open(g *engines.Game, text string) (v engines.Variant, err error) {
	err = guard(func() (err error) {
		v, err = g.OpenText(text)
		return err
	})
	return v, err
}

// random returns the source of randomness for one use. Equal uses draw equal numbers.
func random(use ...uint64) *rand.Rand {
	return rand.New(rand.NewPCG(engines.Seed(use...), 0))
}

// sample plays the games once. Of a game that fails it keeps the part before the failure.
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

// play plays a game from an opening: with random moves, or with the game's own player, which
// ends games in other ways than chance does. Random moves replace faulty ones of the player,
// because other promises find its faults.
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

// gamesEnd checks that openings are legal, every unfinished game has a move, and every game
// ends.
func (s *subject) gamesEnd() error {
	s.sample()
	return s.broken
}

// spot is a position of a game of the sample.
type spot struct {
	ref     engines.Referee // in the position, not to be played on
	game    int
	line    *line
	history []engines.Move
	random  *rand.Rand
}

// String names the game, the ply and the position of a spot.
func (s spot) String() string {
	return fmt.Sprintf("game %d, ply %d, %s", s.game, len(s.history), s.ref)
}

// spots yields about perGame positions of every game, including the last one, with both sides
// to move.
func (s *subject) spots(perGame int) iter.Seq[spot] {
	return func(yield func(spot) bool) {
		ref := s.v.NewReferee()
		for i := range s.sample() {
			l := &s.games[i]
			if ref.Reset(l.start) != nil {
				continue // the promise "random games end" reports it
			}
			stride := len(l.moves)/perGame | 1 // odd, so that the sides alternate
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

// at returns a referee in a position of a sampled game, to be played on. It is valid until the
// next call.
func (s *subject) at(start string, history []engines.Move) (engines.Referee, error) {
	if s.spare == nil {
		s.spare = s.v.NewReferee()
	}
	return s.spare, replay(s.spare, start, history)
}

// replay sets a referee to the position after a history, which must be legal.
func replay(ref engines.Referee, start string, history []engines.Move) error {
	if err := ref.Reset(start); err != nil {
		return err
	}
	for _, m := range history {
		ref.Play(m)
	}
	return nil
}

// pool returns moves of the sample, each legal in some position.
func (s *subject) pool() []engines.Move {
	var pool []engines.Move
	for _, l := range s.sample() {
		pool = append(pool, l.moves...)
	}
	slices.Sort(pool)
	return slices.Compact(pool)
}

// view is everything that a referee tells about a position.
type view struct {
	text  string
	key   uint64
	turn  engines.Side
	moves []engines.Move
}

func look(ref engines.Referee) view {
	return view{text: ref.String(), key: ref.Key(), turn: ref.Turn(), moves: ref.Moves(nil)}
}

// differs describes the difference of two views of one position; nil for none.
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
		return s.game.Space.Default() // the promise "presets" reports it
	}
	return p.Vector.Clone()
}
