package tuning

import (
	"fmt"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
)

// Names of the phases, as recorded, in the order in which they are played. A phase
// without games is left out.
const (
	phaseScreen   = "screen"    // sensitivity test around the start: each parameter alone, a step up against a step down
	phaseTune     = "tune"      // the trials of the tuner; those of a second tuning are "tune-2", and so on
	phaseSelect   = "select"    // the results of several tunings against each other
	phaseFit      = "fit"       // tuned, fitted and midpoint against each other
	phaseRecheck  = "recheck"   // sensitivity test around the tuned values, of parameters that changed nothing
	phaseEffects  = "probe"     // of an objective: each parameter a step from the tuned values
	phaseVerify   = "verify"    // tuned against start
	phaseBest     = "remeasure" // of an objective: the vector with the best value of a single call, again
	phaseAgainst  = "against"   // start and tuned against the opponents
	phaseRate     = "rate"      // start, tuned, opponents and presets against each other
	phaseTransfer = "transfer"  // start and tuned values at other limits
)

// Phase is a part of a tuning: trials that follow each other in the record under one
// name. A tuning is a list of phases, played in order. Trials of a phase are numbered
// from 0.
type Phase interface {
	// Name is that of its trials in the record.
	Name() string
	// Source returns the trials to play; it may be empty.
	Source() (schedule.Source, error)
	// Add counts the n-th trial.
	Add(n int64, f schedule.Finished) error
	// Games is the number of games so far.
	Games() int64
	// Planned is the number of games of the whole phase; with atMost it may end sooner.
	Planned() (games int64, atMost bool)
	// Done reports whether nothing is left to play.
	Done() bool
	// Note says in a few words where the phase stands, with the first pairs of a trial
	// that is not finished.
	Note(partial rating.Pairs) string
	// Seats are the players of the n-th trial.
	Seats(n int64, row datasets.TrialRow) ([2]player.Config, error)
	// Part is what the n-th trial counts for in tables of results; ok is false if for
	// nothing.
	Part(n int64, row datasets.TrialRow) (p runs.Part, ok bool)
	// Sections are its part of the report.
	Sections() ([]reports.Section, error)
	// Warnings are what a reader must know before believing its result.
	Warnings() []error

	state() *phase
}

// phase is what all phases have in common, with defaults for what few of them have.
type phase struct {
	spec  *Config
	name  string
	stage int
	games int64
	first int64 // number of its first trial in the record; -1 before it
}

func newPhase(s *Config, name string, stage int) phase {
	return phase{spec: s, name: name, stage: stage, first: -1}
}

func (p *phase) state() *phase { return p }

// Name implements Phase.
func (p *phase) Name() string { return p.name }

// Games implements Phase.
func (p *phase) Games() int64 { return p.games }

// Seats implements Phase: both play with the values of the row.
func (p *phase) Seats(_ int64, row datasets.TrialRow) ([2]player.Config, error) {
	a, b := p.spec.Start.With(row.A), p.spec.Start.With(row.B)
	a.Name, b.Name = "A", "B"
	return [2]player.Config{a, b}, nil
}

// Part implements Phase.
func (p *phase) Part(int64, datasets.TrialRow) (runs.Part, bool) { return runs.Part{}, false }

// Sections implements Phase.
func (p *phase) Sections() ([]reports.Section, error) { return nil, nil }

// Warnings implements Phase.
func (p *phase) Warnings() []error { return nil }

// diverged is the error of a trial that the phase did not ask for.
func (p *phase) diverged(row datasets.TrialRow) error {
	return fmt.Errorf("trial %d, of phase %s: %w", row.Trial, row.Phase, schedule.ErrDiverged)
}

// suffix distinguishes the parts of stages before the last.
func (p *phase) suffix() string {
	if p.stage < len(p.spec.Stops) {
		return fmt.Sprintf(" by %d games", p.spec.Stops[p.stage])
	}
	return ""
}

// trial is one of a phase that plays all its trials on the same openings.
func (s *Config) trial(phase string, a, b player.Config, pairs int) schedule.Trial {
	return schedule.Trial{Phase: phase, Stream: play.Stream(phase), Seats: [2]player.Config{a, b}, Pairs: pairs, Book: play.Drawn}
}

// stream is the first stream of openings of a stage: each is verified on openings that
// the stages before it did not have.
func stream(stage int) uint64 { return uint64(stage) << 32 }

// atStage moves trials to the openings of a stage.
func atStage(stage int, l *schedule.Listed) *schedule.Listed {
	for i := range l.Trials {
		l.Trials[i].Openings += stream(stage)
	}
	return l
}
