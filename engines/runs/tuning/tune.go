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

// tunerSeed keeps the tuner's draws apart from those of games: "tune".
const tunerSeed = 0x74756e65

// seedTuning is one of the tunings of a run, over all stages: each has its own openings
// and draws, the first the same as if it were alone.
type seedTuning struct {
	*analysis.History
	spec   *Config
	number int // from 0
	seed   uint64

	source     *schedule.TunerSource // see open and tuner; nil before
	played     bool                  // whoever plays the source tells its tuner
	told       int                   // trials told by tuner, of
	pairs      int                   // in them
	stageIndex int                   // that the last of them was of

	shown    *methodReport      // of all trials so far; nil if not made yet
	standing *analysis.Standing // likewise

	points map[string]*paired // values of the given points that are tried, by their names, and of the start

	keep bool               // the games, for a fit
	kept []datasets.GameRow // if keep

	games               int64
	stopped             bool            // the tuner asks for no more, within its budget
	half                *analysis.Trial // A has played the opponent and B has not
	compared, differing int64           // decisions
}

// newTunings returns the tunings of a run with its seed.
func newTunings(s *Config, seed uint64) (list []*seedTuning) {
	for k := range s.tunings() {
		h := &analysis.History{Task: s.task, Level: s.Level, Opponent: s.opponentNames(), Best: s.Start.Values}
		list = append(list, &seedTuning{History: h, spec: s, number: k, seed: seed, points: map[string]*paired{}})
	}
	return list
}

// phaseName is that of the tuning's trials.
func (t *seedTuning) phaseName() string {
	if t.number == 0 {
		return phaseTune
	}
	return phaseTune + "-" + strconv.Itoa(t.number+1)
}

// open makes the tuner, with the trials it asks for.
func (t *seedTuning) open() error {
	parts := []uint64{t.seed, tunerSeed}
	if t.number > 0 {
		parts = append(parts, uint64(t.number))
	}
	tuner, err := t.spec.method.Tuner(t.spec.task, engines.Seed(parts...))
	t.source = &schedule.TunerSource{PhaseName: t.phaseName(), Tuner: tuner, Player: t.spec.Start, Opponents: t.spec.drawn(t.seed)}
	return err
}

// tuner is the tuner with all trials so far told: the one that plays or, of a record that is
// read, another that is told the same.
func (t *seedTuning) tuner() (params.Tuner, error) {
	if t.source == nil {
		if err := t.open(); err != nil {
			return nil, err
		}
	}
	for ; !t.played && t.told < len(t.Trials); t.told++ {
		trial := &t.Trials[t.told]
		for t.stageIndex < len(t.spec.Stops) && 2*t.pairs >= t.spec.until(t.stageIndex) {
			t.stageIndex++
		}
		t.stopAfter(t.stageIndex)
		n := trial.Pairs.N()
		if err := t.source.Tuner.Tell(params.Trial{ID: t.told, A: trial.A, B: trial.B, Pairs: n, Openings: trial.Openings}, trial.Score()); err != nil {
			return nil, err
		}
		t.pairs += n
	}
	return t.source.Tuner, nil
}

func (t *seedTuning) session() session { return session{t.History, t.tuner} }

// stopAfter has the tuner stop at the end of a stage.
func (t *seedTuning) stopAfter(stageIndex int) {
	if e := t.spec.method.Info().Extension; e != nil {
		e.StopAfter(t.source.Tuner, t.spec.until(stageIndex))
	}
}

// report is the method's part of the report: nothing before the first trial.
func (t *seedTuning) report() (methodReport, error) {
	if t.shown == nil && len(t.Trials) > 0 {
		shown, err := t.spec.method.Report(t.session())
		if err != nil {
			return shown, err
		}
		t.shown = &shown
	}
	return *cmp.Or(t.shown, &methodReport{}), nil
}

// stands is what the tuner's own games show; nil for a method that does not know.
func (t *seedTuning) stands() *analysis.Standing {
	if find := t.spec.method.Info().Standing; t.standing == nil && find != nil {
		t.standing = find(t.session())
	}
	return t.standing
}

// add counts a trial of the record, which with an opponent is half a trial of the tuner.
func (t *seedTuning) add(f schedule.Finished) error {
	row := f.Trial
	if row.Best == nil {
		return fmt.Errorf("trial %d has no recommendation: the run was made by an earlier version of this program", row.Trial)
	}
	t.games += int64(row.Games)
	t.compared += row.Compared
	t.differing += int64(row.Differing)
	t.Best = row.Best
	if t.keep {
		t.kept = append(t.kept, f.Games...)
	}
	if point := t.spec.method.Info().Point; point != nil && t.spec.byValue() {
		name := point(t.spec.task, row.A)
		t.points[name] = cmp.Or(t.points[name], &paired{})
		t.points[name].add(f.Games)
	}
	trial := analysis.Trial{A: row.A, B: row.B, Pairs: row.PairCounts(), Openings: row.Openings, Best: row.Best}
	if full := t.spec.Full; full > 0 {
		trial.Margin = schedule.MarginScore(f.Games, full)
	}
	switch {
	case t.spec.Against == nil:
	case t.half == nil:
		trial.Against[0] = trial.Pairs
		t.half = &trial
		return nil
	default:
		a := t.half
		a.B, a.Best, a.Against[1], a.Margin = row.A, row.Best, trial.Pairs, schedule.CombineMargins(a.Margin, trial.Margin)
		a.Pairs = schedule.CombineScores(a.Against[0], trial.Pairs)
		trial, t.half = *a, nil
	}
	t.Trials, t.shown, t.standing = append(t.Trials, trial), nil, nil
	return t.checkStopped()
}

// checkStopped asks a method that may stop early whether it has.
func (t *seedTuning) checkStopped() (err error) {
	if stopped := t.spec.method.Info().Stopped; stopped != nil {
		t.stopped, err = stopped(t.session())
	}
	return err
}

// tunePhase is the Phase of a tuning up to the end of a stage.
type tunePhase struct {
	phase
	tuning *seedTuning
}

func newTunePhase(t *seedTuning, stageIndex int) *tunePhase {
	return &tunePhase{phase: newPhase(t.spec, t.phaseName(), stageIndex), tuning: t}
}

func (p *tunePhase) Source() (schedule.Source, error) {
	if p.tuning.source == nil {
		if err := p.tuning.open(); err != nil {
			return nil, err
		}
	}
	p.tuning.played = true
	p.tuning.stopAfter(p.stageIndex)
	return p.tuning.source, nil
}

func (p *tunePhase) Add(_ int64, f schedule.Finished) error { return p.tuning.add(f) }

// Games implements Phase: those of earlier stages included.
func (p *tunePhase) Games() int64 { return p.tuning.games }

// Planned implements Phase: the games of all stages.
func (p *tunePhase) Planned() (games int64, atMost bool) {
	return p.spec.tuneGames(), p.spec.method.Info().Stopped != nil
}

func (p *tunePhase) Done() bool {
	return p.tuning.stopped || p.tuning.games >= p.spec.tunedBy(p.stageIndex)
}

func (p *tunePhase) Note(rating.Pairs) string { return p.spec.method.Note(p.tuning.session()) }

func (p *tunePhase) Seats(n int64, row datasets.TrialRow) ([2]player.Config, error) {
	seats, err := p.phase.Seats(n, row)
	if p.spec.Against != nil {
		seats[1] = p.spec.drawn(p.tuning.seed).Of(row.Openings)
	}
	return seats, err
}

// Part implements Phase: the point of a method that tries given ones.
func (p *tunePhase) Part(n int64, row datasets.TrialRow) (runs.Part, bool) {
	point := p.spec.method.Info().Point
	if point == nil || p.spec.Against != nil && n%2 == 1 { // the start again, on openings that it has played
		return runs.Part{}, false
	}
	a, b := p.spec.Start.With(row.A), p.spec.Start
	if p.spec.Against != nil {
		b = p.spec.drawn(p.tuning.seed).Of(row.Openings)
	}
	a.Name = point(p.spec.task, row.A)
	return runs.Part{Name: a.Name, Seats: [2]player.Config{a, b}}, true
}
