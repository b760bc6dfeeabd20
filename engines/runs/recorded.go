package runs

import (
	"fmt"
	"iter"
	"path/filepath"

	"selfplaylab/datasets"
	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/rating"
)

// Recorded is a run as its directory records it.
type Recorded struct {
	Log    *datasets.Log
	Head   *Head
	Config Config
	Setup  Setup // of Config
}

// Open reads the settings of a recorded run. find returns the kind of a name. If this program lacks
// the run's game, rules or parameters, Head.Unavailable is set and the run can be read as far as
// its kind permits.
func Open(dir string, find func(name string) (Kind, error)) (*Recorded, error) {
	log, err := datasets.Read(dir)
	if err != nil {
		return nil, err
	}
	return OpenLog(log, find)
}

// OpenLog is Open of a log that is read already.
func OpenLog(log *datasets.Log, find func(name string) (Kind, error)) (*Recorded, error) {
	m := log.Meta
	fail := func(err error) (*Recorded, error) { return nil, fmt.Errorf("%s: %w", log.Dir, err) }
	if gone := removed(m); gone != "" {
		return fail(fmt.Errorf("is %s; selfplay export still reads its rows, and %s of revision %s reports it", gone, m.Program, m.Revision))
	}
	kind, err := find(m.Kind)
	if err != nil {
		return fail(err)
	}
	r := &Recorded{Log: log, Head: &Head{Kind: kind, Dir: log.Dir, Meta: m}, Config: kind.New()}
	config.Clear(r.Config)
	rules := r.Config.Conditions()
	if r.Head.Sessions, err = log.Sessions(); err != nil {
		return nil, err
	}
	if err := log.Spec(r.Config); err != nil {
		return nil, err
	}
	rules.Seed, rules.RecordMoves = m.Seed, Moves(m.RecordMoves)
	if r.Setup, err = r.Config.Setup(); err == nil {
		if e := r.Setup.Elsewhere; e != nil {
			r.Head.Variant = e.Variant
		} else {
			r.Head.Variant, r.Head.Unavailable = r.game().Rule()
		}
		err = rules.CheckRules(nil, nil)
	}
	if err == nil && r.Head.Unavailable == nil {
		err = r.Config.Check(r.Head.Variant)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: [spec]: %w", filepath.Join(log.Dir, "run.toml"), err)
	}
	return r, nil
}

// removed describes a run of a removed kind and its replacement; "" for others.
func removed(m datasets.Meta) string {
	switch {
	case m.Kind == "game":
		return "a game played on a board, which this version saves as a file of games and no longer as a run"
	case m.Game == "objective":
		return "a tuning for a program's scores, which this version leaves to tools such as Optuna; tune ask-tell compares vectors"
	}
	return ""
}

// Playable returns an error unless this program plays the run's game as the recording one did.
func (r *Recorded) Playable() error {
	if r.Setup.Elsewhere != nil {
		return nil
	}
	if _, err := r.game().Open(); err != nil {
		return fmt.Errorf("%s: %w", r.Log.Dir, err)
	}
	return nil
}

// game returns the run's game as its record names it.
func (r *Recorded) game() games.Recorded {
	m := r.Log.Meta
	return games.Recorded{
		Game: m.Game, Version: m.GameVersion, Rules: m.Rules, Parameters: m.Parameters, Revision: m.Revision, Space: r.Setup.Space,
	}
}

// PlaySetup returns the setup that all games of the run share, without its book.
func (r *Recorded) PlaySetup() play.Setup {
	return r.Config.Conditions().PlaySetup(r.Head.Variant, Book{})
}

// Finished iterates over the recorded trials from number from on, with their games if games is
// true.
func (r *Recorded) Finished(from int64, games bool) iter.Seq2[schedule.Finished, error] {
	if games {
		return schedule.Recorded(r.Log, datasets.Filter{From: from})
	}
	return func(yield func(schedule.Finished, error) bool) {
		for row, err := range r.Log.Trials(datasets.Filter{From: from}) {
			if !yield(schedule.Finished{Trial: row, Replayed: true}, err) {
				return
			}
		}
	}
}

// Result returns the result of the recorded trials.
func (r *Recorded) Result() (Result, error) { return r.result(true) }

// Brief is Result without the games, unless the Summary needs them.
func (r *Recorded) Brief() (Result, error) { return r.result(r.Setup.GamesInSummary) }

func (r *Recorded) result(games bool) (Result, error) {
	result, err := r.Config.NewResult(r.Head)
	if err != nil {
		return nil, err
	}
	for f, err := range r.Finished(0, games) {
		if err == nil {
			err = result.Add(f)
		}
		if err != nil {
			return nil, err
		}
	}
	return result, nil
}

// Shown reports why there is no game of the run to show; nil if there may be.
func (r *Recorded) Shown() error {
	if r.Setup.Elsewhere != nil {
		return fmt.Errorf("%s: the games were played elsewhere, so there is no game to show", r.Log.Dir)
	}
	return nil
}

// Charts returns the charts of the run's kind.
func (r *Recorded) Charts() (c Charts) {
	if r.Setup.Charts != nil {
		c = r.Setup.Charts()
	}
	if c.Bands == nil {
		c.Bands = &rating.Sequence{Alpha: 1 - r.Config.Conditions().Level}
	}
	return c
}
