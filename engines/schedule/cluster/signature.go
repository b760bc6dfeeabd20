package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
)

// specOf returns the hash of a setup.
func specOf(s play.Setup) (string, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8]), nil
}

// A signature contains the first plies after the opening of a few pairs: some eighty decisions
// with their scores. This shows another evaluator, and is short enough for a slow player (27 ms
// for gobang at depth 3).
const (
	signedPairs = 1
	signedPlies = 40
)

// sampleOf returns the jobs of a signature: a few pairs of the players of a job. The game's own
// budget replaces a clock. An engine that does not repeat its decisions has no signature, so
// its opponent plays in its place.
func sampleOf(s play.Setup, j play.Job) []play.Job {
	j.Trial, j.Stream, j.Openings, j.Book = 0, play.Stream("signature"), 0, play.Drawn
	j.From, j.To = 0, signedPairs
	budget := engines.Limits{Depth: 2, Playouts: 100}
	if game, err := games.Find(s.Game); err == nil && game.Limits.Repeatable() {
		budget = game.Limits
	}
	signs := func(e player.Config) bool { return e.Engine == nil || e.Repeatable() }
	for i := range j.Seats {
		switch e := &j.Seats[i]; {
		case !signs(*e) && !signs(j.Seats[1-i]):
			return nil
		case !signs(*e):
			*e = j.Seats[1-i]
		}
	}
	for i := range j.Seats {
		if e := &j.Seats[i]; !e.Repeatable() {
			e.Limits = budget
		}
	}
	_ = s.Give(&j) // a drawn opening is in the book
	return []play.Job{j}
}

// line returns everything that must be equal, on one line: build, game, spec and the hash of
// all moves, scores and nodes of the sample.
func (t *termsMessage) line(ctx context.Context, b Build, spec string) (string, error) {
	v, err := games.Open(t.Setup.Game, t.Setup.Rules)
	if err != nil {
		return "", err
	}
	s := t.Setup
	s.Notes, s.Times = true, false
	if most := s.OpeningPlies + signedPlies; s.Adjudication.MaxPlies == 0 || s.Adjudication.MaxPlies > most {
		s.Adjudication.MaxPlies = most
	}
	pairs, err := playContext(ctx, s, t.Sample)
	if err != nil {
		return "", fmt.Errorf("signature: %w", err)
	}
	sum := sha256.New()
	for i := range pairs {
		data, clock := encode(nil, &pairs[i])
		sum.Write(data[:clock])
	}
	return fmt.Sprintf("%s, %s %d, spec %s, signature %s", b, v.Game.Name, v.Game.Version, spec, hex.EncodeToString(sum.Sum(nil)[:8])), nil
}

// playContext plays jobs with players that it starts and ends.
func playContext(ctx context.Context, s play.Setup, jobs []play.Job) (pairs []play.Pair, err error) {
	v, err := games.Open(s.Game, s.Rules)
	if err != nil {
		return nil, err
	}
	w := play.NewWorker(v, s)
	defer func() { err = errors.Join(err, w.Close()) }()
	return playBy(ctx, w, jobs)
}

// playBy plays jobs with the players of a worker.
func playBy(ctx context.Context, w *play.Worker, jobs []play.Job) (pairs []play.Pair, err error) {
	for _, j := range jobs {
		list, err := w.Play(ctx, j)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, list...)
	}
	return pairs, nil
}
