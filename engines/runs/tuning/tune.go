package tuning

import (
	"cmp"
	"fmt"
	"strconv"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports/rating"
)

// tunerSeed separates the draws of the tuner from the draws of games ("tune" in ASCII).
const tunerSeed = 0x74756e65

// seedTuning is one of the tunings of a run, over all stages. Each has its own openings and draws, the
// first the same as if it were alone.
type seedTuning struct {
	*analysis.History
	spec   *Config
	number int // from 0
	seed   uint64

	source     *schedule.TunerSource // see open and tuner; nil before
	played     bool                  // the source gives the tuner its scores
	learned    int                   // trials that tuner has learned, of
	pairs      int                   // in them
	stageIndex int                   // that the last of them was of

	shown    *methodReport      // of all trials so far; nil if not made yet
	standing *analysis.Standing // likewise

	keep bool               // the games, for a fit
	kept []datasets.GameRow // if keep

	games               int64
	stopped             bool            // the tuner has ended within its budget
	half                *analysis.Trial // A has played the opponent and B has not
	compared, differing int64           // decisions
}

// newTunings returns the tunings of a run with its seed.
func newTunings(s *Config, seed uint64) (list []*seedTuning) {
	for k := range s.tunings() {
		h := &analysis.History{Task: s.task, Level: s.Level, Opponent: s.opponentNames(), Best: s.Start.Values}
		list = append(list, &seedTuning{History: h, spec: s, number: k, seed: seed})
	}
	return list
}

// phaseName returns the phase of the tuning's trials.
func (s *seedTuning) phaseName() string {
	if s.number == 0 {
		return phaseTune
	}
	return phaseTune + "-" + strconv.Itoa(s.number+1)
}

// open makes the tuner, with its first trials.
func (s *seedTuning) open() error {
	parts := []uint64{s.seed, tunerSeed}
	if s.number > 0 {
		parts = append(parts, uint64(s.number))
	}
	tuner, err := s.spec.method.Tuner(s.spec.task, engines.Seed(parts...))
	s.source = &schedule.TunerSource{PhaseName: s.phaseName(), Tuner: tuner, Player: s.spec.Start, Opponents: s.spec.drawn(s.seed)}
	return err
}

// tuner returns the tuner after all trials so far: the playing one or, for a record that is read,
// another one with the same trials.
func (s *seedTuning) tuner() (params.Tuner, error) {
	if s.source == nil {
		if err := s.open(); err != nil {
			return nil, err
		}
	}
	for ; !s.played && s.learned < len(s.Trials); s.learned++ {
		trial := &s.Trials[s.learned]
		for s.stageIndex < len(s.spec.Stops) && 2*s.pairs >= s.spec.until(s.stageIndex) {
			s.stageIndex++
		}
		s.stopAfter(s.stageIndex)
		n := trial.Pairs.N()
		if err := s.source.Tuner.Tell(params.Trial{ID: s.learned, A: trial.A, B: trial.B, Pairs: n, Openings: trial.Openings}, trial.Score()); err != nil {
			return nil, err
		}
		s.pairs += n
	}
	return s.source.Tuner, nil
}

func (s *seedTuning) session() session { return session{s.History, s.tuner} }

// stopAfter has the tuner stop at the end of a stage.
func (s *seedTuning) stopAfter(stageIndex int) {
	if e := s.spec.method.Info().Extension; e != nil {
		e.StopAfter(s.source.Tuner, s.spec.until(stageIndex))
	}
}

// report returns the method's part of the report: nothing before the first trial.
func (s *seedTuning) report() (methodReport, error) {
	if s.shown == nil && len(s.Trials) > 0 {
		shown, err := s.spec.method.Report(s.session())
		if err != nil {
			return shown, err
		}
		s.shown = &shown
	}
	return *cmp.Or(s.shown, &methodReport{}), nil
}

// evidence returns the evidence of the tuner's own games; nil for a method without any.
func (s *seedTuning) evidence() *analysis.Standing {
	if find := s.spec.method.Info().Standing; s.standing == nil && find != nil {
		s.standing = find(s.session())
	}
	return s.standing
}

// add counts a trial of the record, which with an opponent is half a trial of the tuner.
func (s *seedTuning) add(f schedule.Finished) error {
	row := f.Trial
	if row.Best == nil {
		return fmt.Errorf("trial %d has no recommendation: the run was made by an earlier version of this program", row.Trial)
	}
	s.games += int64(row.Games)
	s.compared += row.Compared
	s.differing += int64(row.Differing)
	s.Best = row.Best
	if s.keep {
		s.kept = append(s.kept, f.Games...)
	}
	trial := analysis.Trial{A: row.A, B: row.B, Pairs: row.PairCounts(), Openings: row.Openings, Best: row.Best}
	if full := s.spec.Full; full > 0 {
		trial.Margin = schedule.MarginScore(f.Games, full)
	}
	switch {
	case s.spec.Against == nil:
	case s.half == nil:
		trial.Against[0] = trial.Pairs
		s.half = &trial
		return nil
	default:
		a := s.half
		a.B, a.Best, a.Against[1], a.Margin = row.A, row.Best, trial.Pairs, schedule.CombineMargins(a.Margin, trial.Margin)
		a.Pairs = schedule.CombineScores(a.Against[0], trial.Pairs)
		trial, s.half = *a, nil
	}
	s.Trials, s.shown, s.standing = append(s.Trials, trial), nil, nil
	return s.checkStopped()
}

// checkStopped asks a method that may stop early whether it has.
func (s *seedTuning) checkStopped() (err error) {
	if stopped := s.spec.method.Info().Stopped; stopped != nil && s.spec.sameTuner() {
		s.stopped, err = stopped(s.session())
	}
	return err
}

// follow records that a later phase follows: the tuning is over, even if a tuner of another version
// would continue.
func (s *seedTuning) follow() {
	s.stopped = s.stopped || s.spec.method.Info().Stopped != nil
}

// tunePhase is the Phase of a tuning up to the end of a stage.
type tunePhase struct {
	phase
	tuning *seedTuning
}

func newTunePhase(t *seedTuning, stageIndex int) *tunePhase {
	return &tunePhase{phase: newPhase(t.spec, t.phaseName(), stageIndex), tuning: t}
}

func (t *tunePhase) Source() (schedule.Source, error) {
	if t.tuning.source == nil {
		if err := t.tuning.open(); err != nil {
			return nil, err
		}
	}
	t.tuning.played = true
	t.tuning.stopAfter(t.stageIndex)
	return t.tuning.source, nil
}

func (t *tunePhase) Add(_ int64, f schedule.Finished) error { return t.tuning.add(f) }

// Games implements Phase. It includes earlier stages.
func (t *tunePhase) Games() int64 { return t.tuning.games }

// Planned implements Phase: the games of all stages.
func (t *tunePhase) Planned() (games int64, atMost bool) {
	return t.spec.tuneGames(), t.spec.method.Info().Stopped != nil
}

func (t *tunePhase) Done() bool {
	return t.tuning.stopped || t.tuning.games >= t.spec.tunedBy(t.stageIndex)
}

func (t *tunePhase) Note(rating.Pairs) string { return t.spec.method.Note(t.tuning.session()) }

func (t *tunePhase) Seats(n int64, row datasets.TrialRow) ([2]player.Config, error) {
	seats, err := t.phase.Seats(n, row)
	if t.spec.Against != nil {
		seats[1] = t.spec.drawn(t.tuning.seed).Of(row.Openings)
	}
	return seats, err
}

// Part implements Phase: the point of a method that tries given ones.
func (t *tunePhase) Part(n int64, row datasets.TrialRow) (runs.Part, bool) {
	point := t.spec.method.Info().Point
	if point == nil || t.spec.Against != nil && n%2 == 1 { // the start again, on openings that it has played
		return runs.Part{}, false
	}
	a, b := t.spec.Start.With(row.A), t.spec.Start
	if t.spec.Against != nil {
		b = t.spec.drawn(t.tuning.seed).Of(row.Openings)
	}
	a.Name = point(t.spec.task, row.A)
	return runs.Part{Name: a.Name, Seats: [2]player.Config{a, b}}, true
}
