package tuning

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
)

// Result is what shows of a tuning so far. It is made of rows alone: no tuner is
// asked again.
type Result struct {
	Head *runs.Head
	Spec *Spec

	History *History           // of the tuner; of several tunings that under way, then the one chosen
	Screen  []Screened         // around the start
	Recheck []Screened         // around the tuned values
	Verify  []rating.Pairs     // tuned against start: running tally after every trial
	Against [][2]rating.Pairs  // against each opponent: start, tuned
	Games   gamestats.Games    // of all phases
	Fresh   gamestats.Openings // of the verification
	Lost    runs.Faults        // games lost by a fault
	Margins rating.Margins     // of the tuned values, in the verification

	all                 int64                // games of all phases
	games               map[string]int64     // by phase, of the stage but for those of screen and tune
	first               map[stagePhase]int64 // trial, by phase
	stage               int                  // of the last trial
	starts              []int64              // first trials of the stages after the first
	last                string               // phase of the last trial
	pairMargin          gamestats.PairMargin
	graded              *params.MarginScore // of the last trial, where margins are the target
	compared, differing int64               // decisions in the tuner's trials
	over                bool                // the tuner asks for no more, within its budget
	half                *Trial              // X has played the opponent and Than has not

	courses  []*History     // of all tunings
	chosen   []rating.Pairs // of the match among their results, one a tuning; nil before it
	agreed   []Agreement    // of so many trials
	agreedAt int

	field  []player.Config    // who is rated, once the tuning is over
	joint  *rating.Tournament // their games; nil for none
	others *rating.Tournament // of these, without those of start and tuned values against each other
}

// NewResult implements run.Spec. All that is told of a tuning is about the parameters of
// its game, so there is nothing to tell where this program lacks it.
func (s *Spec) NewResult(h *runs.Head) (runs.Result, error) {
	if _, err := h.Game(); err != nil {
		return nil, err
	}
	t := &Result{Head: h, Spec: s, games: map[string]int64{}, first: map[stagePhase]int64{}}
	for range s.tunings() {
		t.courses = append(t.courses, &History{Task: s.task, Level: s.Level, Opponent: s.opposition(), Best: s.Start.Values})
	}
	t.History, t.Against = t.courses[0], make([][2]rating.Pairs, len(s.opponents()))
	return t, nil
}

// Recommend is what the tuner recommends so far: the start before its first trial.
func (t *Result) Recommend() params.Vector { return t.History.Best }

// Add implements run.Result.
func (t *Result) Add(f schedule.Finished) error {
	row := f.Trial
	if row.Phase == PhaseTune && t.tuned() && t.stage+1 < t.Spec.stages() {
		t.goOn(row.Trial)
	}
	if _, seen := t.first[stagePhase{t.stage, row.Phase}]; !seen {
		t.first[stagePhase{t.stage, row.Phase}] = row.Trial
	}
	if t.field == nil && t.tuned() {
		t.field = t.Spec.field(t.Recommend())
	}
	t.last = row.Phase
	t.all += int64(row.Games)
	t.games[row.Phase] += int64(row.Games)
	for _, g := range f.Games {
		if t.Spec.Objective != nil {
			break // nothing is known of them but who won
		}
		t.Games.Add(g)
		t.Lost.Add(g)
		if row.Phase == PhaseVerify {
			if margin, ok := t.pairMargin.Add(g); ok {
				t.Margins.Add(margin)
			}
			t.Fresh.Add(g)
		}
	}
	t.graded = nil
	if full := t.Spec.Full; full > 0 {
		t.graded = schedule.MarginScore(f.Games, full)
	}
	return t.count(f)
}

// stagePhase is a phase of a stage.
type stagePhase struct {
	stage int
	phase string
}

// goOn begins a stage: what was shown of the values tuned before it is let go.
func (t *Result) goOn(trial int64) {
	t.stage++
	t.Margins = rating.Margins{}
	t.starts = append(t.starts, trial)
	for _, phase := range []string{PhaseRecheck, PhaseVerify, PhaseAgainst, PhaseRate} {
		delete(t.games, phase)
	}
	delete(t.games, PhaseSelect)
	t.Recheck, t.Verify, t.Fresh = nil, nil, gamestats.Openings{}
	clear(t.Against)
	t.field, t.joint, t.others, t.chosen = nil, nil, nil, nil
}

// stageOf is the stage of a trial that was added.
func (t *Result) stageOf(row datasets.TrialRow) int {
	n := 0
	for n < len(t.starts) && t.starts[n] <= row.Trial {
		n++
	}
	return n
}

// firstOf is the first trial of the phase that a trial is of.
func (t *Result) firstOf(row datasets.TrialRow) int64 {
	return t.first[stagePhase{t.stageOf(row), row.Phase}]
}

// count adds a trial to its phase.
func (t *Result) count(f schedule.Finished) error {
	row := f.Trial
	fail := func() error {
		return fmt.Errorf("trial %d, of phase %s: %w", row.Trial, row.Phase, schedule.ErrDiverged)
	}
	space := t.Spec.task.Space()
	if k, ok := t.Spec.tuning(row.Phase); ok {
		t.History = t.courses[k]
		return t.tune(row)
	}
	switch row.Phase {
	case PhaseScreen:
		if len(t.Screen) >= len(t.Spec.Active) {
			return fail()
		}
		t.Screen = append(t.Screen, screened(space, t.Spec.Active[len(t.Screen)], row))
	case PhaseSelect:
		if !t.choose(row) {
			return fail()
		}
	case PhaseRecheck:
		names := t.idle()
		if len(t.Recheck) >= len(names) {
			return fail()
		}
		t.Recheck = append(t.Recheck, screened(space, names[len(t.Recheck)], row))
	case PhaseVerify:
		var so rating.Pairs
		if n := len(t.Verify); n > 0 {
			so = t.Verify[n-1]
		}
		t.Verify = append(t.Verify, so.Plus(row.PairCounts()))
		t.meet("tuned", "start", f)
	case PhaseAgainst:
		i, k := t.opposing(row)
		t.Against[k][i] = t.Against[k][i].Plus(row.PairCounts())
		t.meet([]string{"start", "tuned"}[i], "opponent "+t.Spec.opponents()[k].Name, f)
	case PhaseRate:
		p, ok := t.pairing(row)
		if !ok {
			return fail()
		}
		t.rate(p.A, p.B, f.Games)
	default:
		return fail()
	}
	return nil
}

// tune counts a trial of the tuner.
func (t *Result) tune(row datasets.TrialRow) error {
	t.compared += row.Compared
	t.differing += int64(row.Differing)
	if row.Best == nil {
		return fmt.Errorf("trial %d has no recommendation: the run was made by an earlier version of this program", row.Trial)
	}
	t.History.Best = row.Best
	pairs := rating.Pairs(row.PairCounts())
	switch trial := (Trial{A: row.A, B: row.B, Pairs: pairs, Best: row.Best, Margin: t.graded}); {
	case t.Spec.Against == nil:
		t.History.Trials = append(t.History.Trials, trial)
	case t.half == nil:
		trial.Own[0] = pairs
		t.half = &trial
	default:
		trial = *t.half
		trial.B, trial.Best, trial.Own[1], trial.Margin = row.A, row.Best, pairs, schedule.CombineMargins(trial.Margin, t.graded)
		trial.Pairs = schedule.CombineScores(trial.Own[0], pairs)
		t.History.Trials, t.half = append(t.History.Trials, trial), nil
	}
	if err := t.stopped(); err != nil {
		return err
	}
	if t.tunedAll() {
		t.settle()
	}
	return nil
}

// meet counts the games of two players of the field for the joint rating. The
// opponent or the tuned values may be another of the field under another name.
func (t *Result) meet(x, than string, f schedule.Finished) {
	place := func(name string) int {
		return slices.IndexFunc(t.field, func(e player.Config) bool { return e.Name == name })
	}
	if i, j := place(x), place(than); i >= 0 && j >= 0 {
		t.rate(i, j, f.Games)
	}
}

// pairing is who meets in a trial of the rating.
func (t *Result) pairing(row datasets.TrialRow) (schedule.Pairing, bool) {
	list := schedule.RoundRobin(len(t.field))
	i := row.Trial - t.firstOf(row)
	if i < 0 || i >= int64(len(list)) {
		return schedule.Pairing{}, false
	}
	return list[i], true
}

// idle names what changed no decision around the start.
func (t *Result) idle() []string { return idle(t.Spec.task.Space(), t.Screen) }

// tuned reports whether what is tuned is known, for its stage: the tuner has had all
// its games or wants no more, and of several tunings one is chosen.
func (t *Result) tuned() bool { return t.tunedAll() && t.selected() }

// tunedAll reports whether all tunings have had their games.
func (t *Result) tunedAll() bool {
	return t.over || t.tuningOver(t.Spec.tunings()-1) // they follow each other
}

func (t *Result) tuningOver(k int) bool {
	return t.games[t.Spec.tunePhase(k)] >= t.Spec.tunedBy(t.stage)
}

// tuningGames are those of all tunings so far.
func (t *Result) tuningGames() (n int64) {
	for k := range t.Spec.tunings() {
		n += t.games[t.Spec.tunePhase(k)]
	}
	return n
}

// stopped asks a method that may stop early whether it has.
func (t *Result) stopped() error {
	m, ok := t.Spec.method.(Stopper)
	if !ok || t.half != nil {
		return nil
	}
	var err error
	t.over, err = m.Over(t.History)
	return err
}

// planned is the number of games of a phase, at most, as far as it is known.
func (t *Result) planned(phase string) int64 {
	s := t.Spec
	if _, ok := s.tuning(phase); ok {
		return s.tuneGames()
	}
	switch phase {
	case PhaseScreen:
		return 2 * int64(s.ScreenPairs) * int64(len(s.Active))
	case PhaseSelect:
		finalists, _ := t.finalists()
		return s.selectGames(len(finalists))
	case PhaseRecheck:
		return 2 * int64(s.ScreenPairs) * int64(len(t.idle()))
	case PhaseVerify:
		return 2 * int64(s.VerifyPairs)
	case PhaseAgainst:
		return 2 * int64(s.AgainstPairs) * int64(len(s.againstSeats(t.Recommend()))*len(s.opponents()))
	}
	return 2 * int64(s.RatePairs) * int64(len(schedule.RoundRobin(len(s.field(t.Recommend())))))
}

// next is the first phase that is not over; "" if none is left.
func (t *Result) next() string {
	for _, phase := range []string{PhaseScreen, PhaseTune, PhaseSelect, PhaseRecheck, PhaseVerify, PhaseAgainst, PhaseRate} {
		over := t.games[phase] >= t.planned(phase)
		switch phase {
		case PhaseTune:
			over = t.tunedAll()
		case PhaseVerify:
			over = t.verified()
		}
		if !over {
			return phase
		}
	}
	if t.stage+1 < t.Spec.stages() {
		return PhaseTune
	}
	return ""
}

// Finished reports whether nothing is left to play.
func (t *Result) Finished() bool { return t.next() == "" }

// Summary implements run.Result.
func (t *Result) Summary() (runs.Summary, error) {
	what := strings.Join(t.Spec.Active, ", ")
	if len(t.Spec.Active) > 3 {
		what = gamestats.Plural(len(t.Spec.Active), "parameter")
	}
	s := runs.Summary{What: fmt.Sprintf("%s of %s from %s", t.Spec.Method, what, t.Spec.Start.Name), Finished: t.Finished(), Result: t.Verdict()}
	if n := t.Spec.tunings(); n > 1 {
		s.What += fmt.Sprintf(", %d times", n)
	}
	s.Estimate, _ = t.Verified()
	switch {
	case !t.tunedAll():
		s.Result = fmt.Sprintf("unfinished, %s of %s tuning games", gamestats.Count(t.tuningGames()), gamestats.Count(t.Spec.allTuneGames()))
	case !t.tuned():
		s.Result = "unfinished, tuned; nothing is chosen yet"
	case !s.Finished:
		s.Result = "unfinished, tuned; " + s.Result
	}
	return s, nil
}

// Progress implements run.Result.
func (t *Result) Progress(phase string, pairs [5]int) runs.Progress {
	so := rating.Pairs(pairs)
	if phase == "" {
		phase = t.last
	}
	return runs.Progress{Phase: phase, Games: t.games[phase] + 2*int64(so.N()), Planned: t.planned(phase), Note: t.note(phase, so)}
}

// note says in a few words where a phase stands.
func (t *Result) note(phase string, pairs rating.Pairs) string {
	asks := func(names []string, done []Screened) string {
		return "does " + names[min(max(len(done)-1, 0), len(names)-1)] + " change a decision?"
	}
	if _, ok := t.Spec.tuning(phase); ok {
		return t.Spec.method.Note(t.History)
	}
	switch phase {
	case PhaseScreen:
		return asks(t.Spec.Active, t.Screen)
	case PhaseSelect:
		return "which of the tunings is the best?"
	case PhaseRecheck:
		return asks(t.idle(), t.Recheck)
	case PhaseVerify:
		if n := len(t.Verify); n > 0 {
			pairs = pairs.Plus(t.Verify[n-1])
		}
		e, test := t.Spec.judge(pairs)
		if test != nil {
			return test.String() + "; " + e.String()
		}
		return e.String()
	case PhaseAgainst:
		return "start and tuned values against " + t.Spec.opposition()
	}
	return "start, tuned values and presets against each other"
}

// Warning is a sentence about a result that needs nothing but words.
type Warning string

// Error is the sentence.
func (w Warning) Error() string { return string(w) }

func warnf(format string, args ...any) error { return Warning(fmt.Sprintf(format, args...)) }

// Warnings are what a reader must know before believing the result.
func (t *Result) Warnings() []error {
	var list []error
	add := func(err error) {
		if err != nil {
			list = append(list, err)
		}
	}
	add(t.idleWarning())
	best, start := t.Recommend(), t.Spec.Start.Values
	for i, p := range t.Spec.task.Space() {
		if best[i] != start[i] && (best[i] == p.Min || best[i] == p.Max) {
			add(warnf("`%s` ended at its bound, %s: the best value may lie beyond.", p.Name, p.Format(best[i])))
		}
	}
	for _, w := range t.Spec.method.Warnings(t.History) {
		add(w)
	}
	for _, w := range t.seedWarnings() {
		add(w)
	}
	add(t.poolWarning())
	if repeats := t.Fresh.Caution(); repeats != "" {
		add(warnf("In the verification: %s", repeats))
	}
	if t.Games.Faults > 0 {
		add(warnf("%s ended by a fault of a player (illegal move, time, crash or stall); see how games ended.", gamestats.Plural(t.Games.Faults, "game")))
	}
	if !runs.Repeatable(t.Spec.players()...) {
		add(Warning(runs.Unrepeatable("Decisions were limited by wall-clock time: this run does not repeat exactly.", t.Spec.players()...)))
	}
	for _, sentence := range t.Games.Cut() {
		add(Warning(sentence))
	}
	return list
}

// Repeatable reports whether the run plays the same games again.
func (t *Result) Repeatable() bool {
	return runs.Repeatable(t.Spec.players()...) && t.Games.Ends[string(engines.Stall)] == 0
}

// VerifyPart is the part of a run in tables of results that verifies it.
const VerifyPart = "tuned v start"

// Part implements run.Result.
func (t *Result) Part(row datasets.TrialRow) (runs.Part, bool) {
	s := t.Spec
	switch row.Phase {
	case PhaseVerify:
		name := VerifyPart
		if k := t.stageOf(row); k < len(s.Stops) {
			name = fmt.Sprintf("tuned by %d games v start", s.Stops[k])
		}
		return runs.Part{Name: name, Seats: [2]player.Config{s.tuned(row.A), s.Start}}, true
	case PhaseAgainst:
		i, k := t.opposing(row)
		x, than := []player.Config{s.start(), s.tuned(row.A)}[i], s.opponents()[k]
		name := x.Name
		if k := t.stageOf(row); k < len(s.Stops) {
			name += fmt.Sprintf(" by %d games", s.Stops[k])
		}
		return runs.Part{Name: name + " v " + than.Name, Seats: [2]player.Config{x, than}}, true
	case PhaseTune:
		return t.pointPart(row)
	}
	return runs.Part{}, false
}

// pointPart is the part of a point of a method that tries given ones.
func (t *Result) pointPart(row datasets.TrialRow) (runs.Part, bool) {
	points, ok := t.Spec.method.(Pointed)
	if !ok {
		return runs.Part{}, false
	}
	than := t.Spec.Start
	if t.Spec.Against != nil {
		if (row.Trial-t.first[stagePhase{0, PhaseTune}])%2 == 1 { // the start again, on openings that it has played
			return runs.Part{}, false
		}
		than = t.Spec.drawn(t.Head.Meta.Seed).Of(row.Openings)
	}
	x := t.Spec.Start.With(row.A)
	x.Name = points.Point(t.Spec.task, row.A)
	return runs.Part{Name: x.Name, Seats: [2]player.Config{x, than}}, true
}

// Trial implements run.Result.
func (t *Result) Trial(row datasets.TrialRow) (schedule.Trial, error) {
	s := t.Spec
	x, than := s.Start.With(row.A), s.Start.With(row.B)
	x.Name, than.Name = "X", "Than"
	if _, ok := s.tuning(row.Phase); ok && s.Against != nil {
		than = s.drawn(t.Head.Meta.Seed).Of(row.Openings)
	}
	switch row.Phase {
	case PhaseSelect:
		finalists, best := t.finalists()
		i, k, ok := t.selecting(row, len(finalists))
		if !ok {
			return schedule.Trial{}, fmt.Errorf("trial %d: %w", row.Trial, schedule.ErrDiverged)
		}
		x.Name = tunedName(finalists[i])
		if s.Against != nil {
			than = s.opponents()[k]
		} else {
			than = s.Start.With(best[k])
			than.Name = tunedName(finalists[k])
		}
	case PhaseVerify:
		x.Name, than.Name = "tuned", "start"
	case PhaseAgainst:
		i, k := t.opposing(row)
		x.Name, than = []string{"start", "tuned"}[i], s.opponents()[k]
	case PhaseRate:
		p, ok := t.pairing(row)
		if !ok {
			return schedule.Trial{}, fmt.Errorf("trial %d: %w", row.Trial, schedule.ErrDiverged)
		}
		x, than = t.field[p.A], t.field[p.B]
	}
	trial := s.trial(row.Phase, x, than, int(row.Pairs))
	trial.Openings = row.Openings
	return trial, nil
}

// JSON implements run.Result.
func (t *Result) JSON() (runs.Object, error) {
	space := t.Spec.task.Space()
	values := func(v params.Vector) runs.Object {
		o := runs.Object{}
		for i, p := range space {
			o = append(o, runs.Entry{Name: p.Name, Value: v[i]})
		}
		return o
	}
	shown, err := t.shown()
	if err != nil {
		return nil, err
	}
	optima := runs.Object{}
	for _, o := range shown.Optima {
		optima = append(optima, runs.Entry{Name: space[o.Param].Name, Value: runs.Object{{Name: "value", Value: o.Value}, {Name: "low", Value: o.Low}, {Name: "high", Value: o.High}}})
	}
	ratings := []rating.Rating{}
	if r, err := t.Ratings(); err != nil {
		return nil, err
	} else if r != nil {
		ratings = r.Players
	}
	phases := runs.Object{}
	for _, phase := range t.Spec.Planned() {
		phases = append(phases, runs.Entry{Name: phase.Phase, Value: t.games[phase.Phase]})
	}
	warnings := []string{}
	for _, w := range t.Warnings() {
		warnings = append(warnings, w.Error())
	}
	pool, err := t.Pool()
	if err != nil {
		return nil, err
	}
	seeds, err := t.seedEntry()
	if err != nil {
		return nil, err
	}
	verified, test := t.Verified()
	var sprt any // null without one
	if test != nil {
		sprt = runs.Object{{Name: "state", Value: test.State}, {Name: "llr", Value: test.LLR}, {Name: "lower", Value: test.Lower}, {Name: "upper", Value: test.Upper},
			{Name: "pairs", Value: test.N}, {Name: "test", Value: test.Test}, {Name: "verdict", Value: test.Verdict()}}
	}
	return runs.Object{
		{Name: "game", Value: t.Head.Meta.Game}, {Name: "rules", Value: t.Head.Meta.Rules}, {Name: "method", Value: t.Spec.Method}, {Name: "active", Value: t.Spec.Active},
		{Name: "outcome", Value: t.Outcome()}, {Name: "verdict", Value: t.Verdict()}, {Name: "advice", Value: t.Advice()},
		{Name: "start", Value: values(t.Spec.Start.Values)}, {Name: "tuned", Value: values(t.Recommend())}, {Name: "optima", Value: optima},
		{Name: "estimate", Value: verified}, {Name: "sprt", Value: sprt}, {Name: "against", Value: t.Opposed()}, {Name: "over_pool", Value: t.OverPool()}, seeds, {Name: "ratings", Value: ratings}, {Name: "pool", Value: pool}, shown.Analysis.entry(),
		{Name: "warnings", Value: warnings}, {Name: "games", Value: t.all}, {Name: "phases", Value: phases},
		{Name: "finished", Value: t.Finished()}, {Name: "repeatable", Value: t.Repeatable()}, {Name: "run", Value: t.Head.Dir},
	}, nil
}

// shown is the method's part of the report: nothing before its first trial.
func (t *Result) shown() (Shown, error) {
	if len(t.History.Trials) == 0 {
		return Shown{}, nil
	}
	return t.Spec.method.Show(t.History)
}
