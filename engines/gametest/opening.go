package gametest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// openings checks drawn openings: they have the requested length (except under other rules, if
// the board has no room), are equal for equal draws, leave the game unfinished, and vary.
func (s *subject) openings() error {
	seeds := uint64(20)
	if s.main {
		seeds = 200
	}
	plies := s.game.OpeningPlies
	for _, n := range []int{0, 1} {
		if _, err := s.drawn(1, n); err != nil {
			return err
		}
	}
	different := map[string]bool{}
	for seed := range seeds {
		o, err := s.drawn(seed, plies)
		if err != nil {
			return err
		}
		different[fmt.Sprint(o)] = true
	}
	if plies > 0 && uint64(len(different)) <= seeds/2 {
		return fmt.Errorf("%d seeds gave only %d different openings of %d plies (OpeningPlies): want more than %d", seeds, len(different), plies, seeds/2)
	}
	return nil
}

// drawn draws one opening and checks it.
func (s *subject) drawn(seed uint64, plies int) (engines.Opening, error) {
	o := s.v.Opening(random(4, seed), plies)
	s.v.Opening(random(5, seed), plies) // must leave no state behind
	again := s.v.Opening(random(4, seed), plies)
	if o.Position != again.Position || !slices.Equal(o.Moves, again.Moves) {
		return o, fmt.Errorf("seed %d, %d plies: equal draws gave %v and %v", seed, plies, o, again)
	}
	if n := len(o.Moves); n > plies || s.main && n != plies {
		return o, fmt.Errorf("seed %d: asked for %d plies, got %d", seed, plies, n)
	}
	ref, l := s.v.NewReferee(), line{}
	if err := s.follow(ref, &l, o); err != nil {
		return o, fmt.Errorf("seed %d, %d plies: %w", seed, plies, err)
	}
	if outcome, why := ref.Result(); outcome != engines.Ongoing {
		return o, fmt.Errorf("seed %d, %d plies: the game is over, %v by %q, in %s", seed, plies, outcome, why, ref)
	}
	return o, nil
}

// evaluation checks that Evaluate names each of its terms once, with values that JSON can
// express, for every preset and position of an unfinished game.
func (s *subject) evaluation() error {
	if s.v.Evaluate == nil {
		return errors.New("its Variant has no Evaluate")
	}
	for i := range s.game.Presets {
		p := &s.game.Presets[i]
		perGame := 3
		if p.Name != s.game.DefaultPreset {
			if perGame = 1; !s.main {
				continue
			}
		}
		for at := range s.spots(perGame) {
			if o, _ := at.ref.Result(); o != engines.Ongoing {
				continue
			}
			if err := s.evaluate(at, p.Vector); err != nil {
				return fmt.Errorf("%v, preset %s: %w", at, p.Name, err)
			}
		}
	}
	for _, text := range garbage {
		if terms, err := s.v.Evaluate(text, nil, s.vector()); err == nil {
			return fmt.Errorf("position %q is evaluated as %v", text, terms)
		}
	}
	return nil
}

// evaluate checks the terms of one position, reached by moves and read from text.
func (s *subject) evaluate(at spot, v params.Vector) error {
	given := v.Clone()
	var first string
	for range 2 {
		terms, err := s.v.Evaluate(at.line.start, slices.Clone(at.history), given)
		if err != nil {
			return err
		}
		text, err := spell(terms)
		if err != nil {
			return err
		}
		first = cmp.Or(first, text)
		if !slices.Equal(given, v) {
			return fmt.Errorf("its vector was changed to %v", given)
		}
		if text != first {
			return fmt.Errorf("evaluated as %s and then as %s", first, text)
		}
	}
	terms, err := s.v.Evaluate(at.ref.String(), nil, given)
	if err != nil {
		return fmt.Errorf("given as text: %w", err)
	}
	_, err = spell(terms)
	return err
}

// spell returns terms as text. It is an error if two share a name or a value cannot be written.
func spell(terms []engines.Term) (string, error) {
	if len(terms) == 0 {
		return "", fmt.Errorf("no terms")
	}
	names := map[string]bool{}
	for _, t := range terms {
		if t.Name == "" || names[t.Name] {
			return "", fmt.Errorf("term name %q is empty or there twice", t.Name)
		}
		names[t.Name] = true
		if _, err := json.Marshal(t.Value); err != nil {
			return "", fmt.Errorf("term %s: %w", t.Name, err)
		}
	}
	text, err := json.Marshal(terms)
	return string(text), err
}
