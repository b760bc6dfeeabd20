package tuning

import (
	"fmt"
	"slices"

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
	phaseScreen   = "screen"   // sensitivity test around the start: each parameter alone, a step up against a step down
	phaseTune     = "tune"     // trials of the tuner; of a second tuning "tune-2", and so on
	phaseSelect   = "select"   // the results of several tunings against each other
	phaseFit      = "fit"      // tuned, fitted and midpoint against each other
	phaseRecheck  = "recheck"  // sensitivity test around the tuned values, of parameters that changed nothing
	phaseVerify   = "verify"   // tuned against start
	phaseAgainst  = "against"  // start and tuned against the opponents
	phaseRate     = "rate"     // start, tuned, opponents and presets against each other
	phaseTransfer = "transfer" // start and tuned values at other limits
	phaseWorth    = "worth"    // tuned values against them with one parameter set back
)

// Phase is a part of a tuning: trials that follow each other in the record under one
// name. A tuning is a list of phases, played in order. Trials of a phase are numbered
// from 0.
type Phase interface {
	// Name is the phase of its trials in the record.
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
	// Note describes the state of the phase in a few words, with the first pairs of an unfinished
	// trial.
	Note(partial rating.Pairs) string
	// Seats are the players of the n-th trial.
	Seats(n int64, row datasets.TrialRow) ([2]player.Config, error)
	// Part returns the part that the n-th trial counts for in tables of results; ok is false for
	// none.
	Part(n int64, row datasets.TrialRow) (p runs.Part, ok bool)
	// Sections are its part of the report.
	Sections() ([]reports.Section, error)
	// Warnings returns warnings about its result.
	Warnings() []error

	state() *phase
}

// phase holds the state of every phase, with defaults for rarely used methods.
type phase struct {
	spec       *Config
	name       string
	stageIndex int
	games      int64
	first      int64 // number of its first trial in the record; -1 before it
}

func newPhase(s *Config, name string, stageIndex int) phase {
	return phase{spec: s, name: name, stageIndex: stageIndex, first: -1}
}

func (p *phase) state() *phase { return p }

func (p *phase) Name() string { return p.name }

func (p *phase) Games() int64 { return p.games }

// Seats implements Phase: both play with the values of the row.
func (p *phase) Seats(_ int64, row datasets.TrialRow) ([2]player.Config, error) {
	a, b := p.spec.Start.With(row.A), p.spec.Start.With(row.B)
	a.Name, b.Name = "A", "B"
	return [2]player.Config{a, b}, nil
}

func (p *phase) Part(int64, datasets.TrialRow) (runs.Part, bool) { return runs.Part{}, false }

func (p *phase) Sections() ([]reports.Section, error) { return nil, nil }

func (p *phase) Warnings() []error { return nil }

// diverged returns the error of a trial that the phase did not plan.
func (p *phase) diverged(row datasets.TrialRow) error {
	return fmt.Errorf("trial %d, of phase %s: %w", row.Trial, row.Phase, schedule.ErrDiverged)
}

// suffix distinguishes the parts of stages before the last.
func (p *phase) suffix() string {
	if p.stageIndex < len(p.spec.Stops) {
		return fmt.Sprintf(" by %d games", p.spec.Stops[p.stageIndex])
	}
	return ""
}

// trial returns a trial of a phase with the same openings for all trials.
func (c *Config) trial(phase string, a, b player.Config, pairs int) schedule.Trial {
	return schedule.Trial{Phase: phase, Stream: play.Stream(phase), Seats: [2]player.Config{a, b}, Pairs: pairs, Book: play.Drawn}
}

// stream returns the first stream of openings of a stage: each is verified on openings that
// the stages before it did not have.
func stream(stageIndex int) uint64 { return uint64(stageIndex) << 32 }

// stretch is the number of pairs of a trial in phases that play their matches in rounds.
const stretch = 50

// lineup holds the players and matches of a phase.
type lineup struct {
	players []player.Config
	meets   []schedule.Pairing // by their places among the players
	// open marks values that are not final: only the number of matches counts then, as a maximum.
	open bool
}

// match adds a match of two players.
func (l *lineup) match(a, b player.Config) {
	l.players = append(l.players, a, b)
	l.meets = append(l.meets, schedule.Pairing{A: len(l.players) - 2, B: len(l.players) - 1})
}

// against has each of some players meet every opponent.
func (l *lineup) against(players, opponents []player.Config) {
	l.players = slices.Concat(players, opponents)
	for k := range opponents {
		for i := range players {
			l.meets = append(l.meets, schedule.Pairing{A: i, B: len(players) + k})
		}
	}
}

// matches is shared by phases that play a list of matches on the same openings: all but the tunings
// and the verification.
type matches struct {
	phase
	pairs  int           // of each match; 0 for a phase without games
	rounds bool          // trials of stretch pairs, each match in its turn; else a trial is a match
	named  bool          // players of the lineup have names; else they are A and B
	note   string        // question of the phase, in a few words
	lineup func() lineup // matches that are known so far
	// byOpening are the points a game of each player in each opening, summed over its opponents, in
	// phases of rounds.
	byOpening map[int][]float64
}

// count adds the games of the n-th trial to byOpening.
func (p *matches) count(n int64, l lineup, m schedule.Pairing, f schedule.Finished) error {
	if p.byOpening == nil {
		p.byOpening = map[int][]float64{}
	}
	for _, i := range []int{m.A, m.B} {
		if p.byOpening[i] == nil {
			p.byOpening[i] = make([]float64, p.pairs)
		}
	}
	for _, g := range f.Games {
		opening := int(n)/len(l.meets)*p.trialPairs() + int(g.Pair)
		if opening >= p.pairs {
			return p.diverged(f.Trial)
		}
		p.byOpening[m.A][opening] += g.AScore / 2
		p.byOpening[m.B][opening] += (1 - g.AScore) / 2
	}
	return nil
}

// estimate returns the estimate from the pairs of the i-th player against all of its opponents.
func (m *matches) estimate(i int, pairs rating.Pairs) rating.Estimate {
	if !m.Done() {
		return pairs.Estimate(m.spec.Level)
	}
	return pairs.EstimateByOpening(m.byOpening[i], m.spec.Level)
}

// trialPairs returns the number of pairs of a trial, but for the last round's.
func (m *matches) trialPairs() int {
	if m.rounds {
		return stretch
	}
	return max(m.pairs, 1)
}

func (p *matches) Source() (schedule.Source, error) {
	source, l := &schedule.Listed{}, p.lineup()
	for from := 0; from < p.pairs; from += p.trialPairs() {
		for _, m := range l.meets {
			trial := p.spec.trial(p.name, l.players[m.A], l.players[m.B], min(p.trialPairs(), p.pairs-from))
			trial.Openings = stream(p.stageIndex) + uint64(from/p.trialPairs())
			source.Trials = append(source.Trials, trial)
		}
	}
	return source, nil
}

// meeting returns the players of the n-th trial.
func (p *matches) meeting(n int64, row datasets.TrialRow) (l lineup, m schedule.Pairing, err error) {
	l = p.lineup()
	each := int64(p.trialPairs())
	if rounds := (int64(p.pairs) + each - 1) / each; n >= rounds*int64(len(l.meets)) {
		return l, m, p.diverged(row)
	}
	return l, l.meets[n%int64(len(l.meets))], nil
}

func (m *matches) Planned() (games int64, atMost bool) {
	if m.pairs == 0 {
		return 0, false
	}
	l := m.lineup()
	return 2 * int64(m.pairs) * int64(len(l.meets)), l.open
}

func (m *matches) Done() bool {
	games, atMost := m.Planned()
	return !atMost && m.games >= games
}

func (m *matches) Note(rating.Pairs) string { return m.note }

func (p *matches) Seats(n int64, row datasets.TrialRow) ([2]player.Config, error) {
	if !p.named {
		return p.phase.Seats(n, row)
	}
	l, m, err := p.meeting(n, row)
	if err != nil {
		return [2]player.Config{}, err
	}
	return [2]player.Config{l.players[m.A], l.players[m.B]}, nil
}
