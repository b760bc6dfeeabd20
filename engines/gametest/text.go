package gametest

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// positionText checks that String returns one line from which Reset makes the same position.
func (s *subject) positionText() error {
	again := s.v.NewReferee()
	for p := range s.spots(2 * spotsAGame) {
		v := look(p.ref)
		if v.text == "" || strings.ContainsAny(v.text, "\n\r\t") || strings.TrimSpace(v.text) != v.text {
			return fmt.Errorf("%v: text %q; want one trimmed line", p, v.text)
		}
		if err := again.Reset(v.text); err != nil {
			return fmt.Errorf("%v: its own text is refused: %w", p, err)
		}
		if err := v.differs(look(again), "read from its own text"); err != nil {
			return err
		}
		o, why := p.ref.Result()
		if got, gotWhy := again.Result(); !byBounds(why) && (got != o || gotWhy != why) {
			return fmt.Errorf("%v: result %v %q, but %v %q when read from its text", p, o, why, got, gotWhy)
		}
	}
	return nil
}

// moveText checks that a move's text is one word that reads back as the move, and that any
// number can be written, because errors name illegal moves.
func (s *subject) moveText() error {
	pool := s.pool()
	for p := range s.spots(spotsAGame) {
		for _, m := range p.ref.Moves(nil) {
			text := p.ref.MoveString(m)
			if text == "" || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' }) {
				return fmt.Errorf("%v: move %#x is written %q; want one word", p, uint32(m), text)
			}
			if got, err := p.ref.ParseMove(text); err != nil || got != m {
				return fmt.Errorf("%v: move %#x is written %q, which reads as %#x (error %v)", p, uint32(m), text, uint32(got), err)
			}
		}
		for _, m := range s.candidates(p.random, nil, pool) {
			if err := guard(func() error { p.ref.MoveString(m); return nil }); err != nil {
				return fmt.Errorf("%v: MoveString(%#x): %w", p, uint32(m), err)
			}
		}
	}
	return nil
}

// garbage holds texts that are neither a position nor a move of any game.
var garbage = []string{"\x00", "?!", "no such thing", "%s%d%n", "💥", strings.Repeat("9", 400), strings.Repeat("(", 400)}

// mangle changes a text in one to three places.
func mangle(r *rand.Rand, text string) string {
	b := []byte(text)
	const others = " /,.:-+019azABWx\x00\xff"
	for range 1 + r.IntN(3) {
		i := r.IntN(len(b) + 1)
		c := others[r.IntN(len(others))]
		if len(b) > 0 && r.IntN(2) == 0 {
			c = b[r.IntN(len(b))] // a character from the text itself
		}
		switch kind := r.IntN(4); {
		case kind == 0:
			b = slices.Insert(b, i, c)
		case i == len(b):
		case kind == 1:
			b[i] = c
		case kind == 2:
			b = slices.Delete(b, i, i+1)
		case r.IntN(4) == 0:
			b = b[:i]
		}
	}
	return string(b)
}

// named checks that an error quotes the text.
func named(err error, text string) error {
	if quoted := strconv.Quote(text); len(text) < 100 && !strings.Contains(err.Error(), quoted) {
		return fmt.Errorf("%s is refused without being quoted: %w", quoted, err)
	}
	return nil
}

// badMoveText checks that ParseMove rejects texts that are not moves, and reads all others as
// written.
func (s *subject) badMoveText() error {
	ref := s.v.NewReferee()
	for _, text := range append([]string{"", " "}, garbage...) {
		m, err := ref.ParseMove(text)
		if err == nil {
			return fmt.Errorf("ParseMove(%q) gives %#x and no error", text, uint32(m))
		}
		if err := named(err, text); err != nil {
			return fmt.Errorf("ParseMove: %w", err)
		}
	}
	const tries = 40 // tries at each position
	for p := range s.spots(spotsAGame) {
		list := p.ref.Moves(nil)
		for range tries {
			if len(list) == 0 {
				break
			}
			text := mangle(p.random, p.ref.MoveString(list[p.random.IntN(len(list))]))
			m, err := p.ref.ParseMove(text)
			if err != nil {
				continue
			}
			if again, err := p.ref.ParseMove(p.ref.MoveString(m)); err != nil || again != m {
				return fmt.Errorf("%v: ParseMove(%q) gives %#x, which is written %q, which reads as %#x (error %v)",
					p, text, uint32(m), p.ref.MoveString(m), uint32(again), err)
			}
			if got, want := p.ref.Legal(m), slices.Contains(list, m); got != want {
				return fmt.Errorf("%v: move %q: Legal is %v, but Moves lists it: %v", p, text, got, want)
			}
		}
	}
	return nil
}

// badPositionText checks that Reset rejects texts that are not positions. Positions that it
// accepts can be written, read and played.
func (s *subject) badPositionText() error {
	ref := s.v.NewReferee()
	for _, text := range garbage {
		err := ref.Reset(text)
		if err == nil {
			return fmt.Errorf("Reset(%q) gives %q and no error", text, ref)
		}
		if err := named(err, text); err != nil {
			return fmt.Errorf("position text: %w", err)
		}
	}
	if err := ref.Reset(""); err != nil {
		return fmt.Errorf("the initial position after a bad text: %w", err)
	}
	for text := range s.odd(nil) {
		if err := guard(func() error { return s.sound(ref, text) }); err != nil {
			return fmt.Errorf("position %q: %w", text, err)
		}
	}
	return nil
}

// odd yields the given texts, and misspelt position texts, which are mostly wrong.
func (s *subject) odd(also []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, text := range also {
			if !yield(text) {
				return
			}
		}
		for p := range s.spots(spotsAGame) {
			text := p.ref.String()
			for range 20 {
				if !yield(mangle(p.random, text)) {
					return
				}
			}
		}
	}
}

// sound checks that a text is rejected, or is a position that can be written and played.
func (s *subject) sound(ref engines.Referee, text string) error {
	if ref.Reset(text) != nil {
		return nil
	}
	v := look(ref)
	if err := ref.Reset(v.text); err != nil {
		return fmt.Errorf("is taken, but its own text is refused: %w", err)
	}
	if err := v.differs(look(ref), "read from its own text"); err != nil {
		return err
	}
	for _, m := range v.moves {
		if !ref.Legal(m) {
			return fmt.Errorf("move %#x is listed by Moves and not Legal", uint32(m))
		}
	}
	r := random(3, v.key)
	for range 20 {
		o, _ := ref.Result()
		list := ref.Moves(nil)
		if o == engines.Ongoing && len(list) == 0 {
			return fmt.Errorf("leads to %q, where the game goes on without a move to make", ref)
		}
		if o != engines.Ongoing {
			break
		}
		ref.Play(list[r.IntN(len(list))])
	}
	return nil
}
