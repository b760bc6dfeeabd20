package tuning

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Result is the runs.Result of a tuning: each trial counts for its phase. It is built from rows
// alone, without a tuner.
type Result struct {
	Head   *runs.Head
	Config *Config
	Games  gamestats.Games // of all phases
	*stage                 // stage of the last trial

	stages []*stage
	phases []Phase
	at     int         // index of the last trial's phase
	lost   runs.Faults // games lost by a fault
	played int64       // games of all phases
}

// NewResult implements runs.Config. A result needs the parameters of the game, so there is
// none where this program lacks it.
func (c *Config) NewResult(h *runs.Head) (runs.Result, error) {
	if _, err := h.Game(); err != nil {
		return nil, err
	}
	stages := newStages(c, h.Meta.Seed)
	return &Result{Head: h, Config: c, stage: stages[0], stages: stages, phases: phasesOf(stages)}, nil
}

func (c *Config) Play(ctx context.Context, session *runs.Session) error {
	t := session.Result.(*Result)
	if c.Elsewhere != nil && !c.answered.Open {
		return errors.New("the games of this run are played elsewhere, and nobody answers: " +
			"open it with " + runs.CommandText("tune", "ask-tell", "--out", t.Head.Dir))
	}
	for _, g := range t.stages {
		g.contest.begin(t.Head.Variant)
	}
	for i, p := range t.phases {
		source, err := t.source(i)
		if err != nil {
			return err
		}
		if err := session.Run(ctx, source); err != nil {
			return t.diverged(p, err)
		}
	}
	return nil
}

func (r *Result) Add(f schedule.Finished) error {
	if !r.advance(f.Trial) {
		return fmt.Errorf("trial %d, of phase %s: %w", f.Trial.Trial, f.Trial.Phase, schedule.ErrDiverged)
	}
	p := r.phases[r.at]
	state := p.state()
	if state.first < 0 {
		state.first = f.Trial.Trial
	}
	r.stage = r.stages[state.stageIndex]
	if slices.Contains(r.judging()[2:], p) {
		r.contest.over = true // it passed without games
	}
	r.played += int64(f.Trial.Games)
	state.games += int64(f.Trial.Games)
	if r.Config.Elsewhere == nil { // games played elsewhere have scores alone
		for _, g := range f.Games {
			r.Games.Add(g)
			r.lost.Add(g)
		}
	}
	if err := p.Add(f.Trial.Trial-state.first, f); err != nil {
		return err
	}
	r.settle()
	return nil
}

// advance moves to the phase of the next trial; false if no phase left has its name. The tuning of
// the next stage has the same name and follows when this stage is over.
func (r *Result) advance(row datasets.TrialRow) bool {
	here := r.phases[r.at].Name() == row.Phase
	if here && !r.phases[r.at].Done() {
		return true
	}
	for i := r.at + 1; i < len(r.phases); i++ {
		if r.phases[i].Name() == row.Phase {
			if t, ok := r.phases[r.at].(*tunePhase); ok {
				t.tuning.follow()
				r.settle()
			}
			r.at = i
			return true
		}
	}
	return here
}

// phaseOf returns the phase of a trial that was added, and its number there.
func (r *Result) phaseOf(row datasets.TrialRow) (p Phase, n int64, err error) {
	for i := r.at; i >= 0; i-- {
		if first := r.phases[i].state().first; first >= 0 && first <= row.Trial && r.phases[i].Name() == row.Phase {
			return r.phases[i], row.Trial - first, nil
		}
	}
	return nil, 0, fmt.Errorf("trial %d, of phase %s: %w", row.Trial, row.Phase, schedule.ErrDiverged)
}

func (r *Result) Part(row datasets.TrialRow) (runs.Part, bool) {
	p, n, err := r.phaseOf(row)
	if err != nil {
		return runs.Part{}, false
	}
	return p.Part(n, row)
}

func (r *Result) Trial(row datasets.TrialRow) (trial schedule.Trial, err error) {
	p, n, err := r.phaseOf(row)
	if err != nil {
		return trial, err
	}
	seats, err := p.Seats(n, row)
	trial = r.Config.trial(row.Phase, seats[0], seats[1], int(row.Pairs))
	trial.Openings = row.Openings
	return trial, err
}

// next returns the first phase that is not over; nil if none is left.
func (r *Result) next() Phase {
	for _, p := range r.phases[r.at:] {
		if !p.Done() {
			return p
		}
	}
	return nil
}

// Finished reports whether nothing is left to play.
func (r *Result) Finished() bool { return r.next() == nil }

// Played returns the number of games of all phases.
func (r *Result) Played() int64 { return r.played }

func (r *Result) Summary() (runs.Summary, error) {
	s := runs.Summary{Finished: r.Finished(), What: fmt.Sprintf("%s of %s from %s", r.Config.Method, text.Unmarked(r.Config.parameters()),
		r.Config.Start.Name)}
	if n := r.Config.tunings(); n > 1 {
		s.What += fmt.Sprintf(", %d times", n)
	}
	s.Question, s.Answer = text.Unmarked(r.question()), r.answer()
	s.Estimate, _ = r.Verified()
	switch { // a verdict may need the tuner's fits, which pages of a run that is played do not repeat
	case !r.complete():
		s.Result = "unfinished, " + r.soFar()
	case !r.settled():
		s.Result = "unfinished, tuned; the best tuning is not chosen yet"
	case !s.Finished:
		s.Result = "unfinished, tuned; " + r.Conclusion()
	default:
		s.Result = r.Conclusion()
	}
	return s, nil
}

// question returns the question of the tuning.
func (r *Result) question() string {
	if r.Config.Elsewhere != nil {
		return fmt.Sprintf("Do other values of %s give a better result?", r.Config.parameters())
	}
	return fmt.Sprintf("Do other values of %s make `%s` stronger at %s?", r.Config.parameters(), r.Config.Start.Name, r.Head.ShortTitle())
}

// answer returns the answer to it, once the run is finished.
func (r *Result) answer() string {
	if r.Finished() {
		switch r.Outcome() {
		case shownBetter:
			return runs.Yes
		case sameAsStart, shownWorse:
			return runs.No
		}
	}
	return runs.Undecided
}

func (r *Result) Progress(phase string, pairs [5]int) runs.Progress {
	p := r.phases[r.at]
	for _, later := range r.phases[r.at:] {
		if later.Name() == phase && (later != p || !p.Done()) {
			p = later
			break
		}
	}
	partial := rating.Pairs(pairs)
	planned, _ := p.Planned()
	return runs.Progress{Phase: p.Name(), Games: p.Games() + 2*int64(partial.N()), Planned: planned, Note: p.Note(partial)}
}

// warnings returns warnings about the result.
func (r *Result) warnings() []error {
	var list []error
	for _, p := range r.stage.phases() {
		list = append(list, p.Warnings()...)
	}
	if r.Games.Faults > 0 {
		list = append(list, warnf("%s ended by a fault of a player (illegal move, time, clock, crash, stall or garbage); see how games ended.",
			text.Plural(r.Games.Faults, "game")))
	}
	players := r.Config.players()
	if !runs.Repeatable(players...) {
		list = append(list, warning(runs.Unrepeatable("Decisions were limited by wall-clock time: this run does not repeat exactly.",
			players...)))
	}
	for _, sentence := range r.Games.Cut() {
		list = append(list, warning(sentence))
	}
	return list
}

// remarks describes the use of the tuned values; "" if they were shown to be better.
func (r *Result) remarks() string { return r.advice(r.Finished()) }

func (t *Result) JSON() (runs.Object, error) {
	shown, err := t.report()
	if err != nil {
		return nil, err
	}
	ratings := []rating.Rating{}
	if r, err := t.Ratings(); err != nil {
		return nil, err
	} else if r != nil {
		ratings = r.Players
	}
	warnings := append([]string{}, text.Each(t.warnings(), error.Error)...)
	pool, err := t.Pool()
	if err != nil {
		return nil, err
	}
	seeds, err := t.entry()
	if err != nil {
		return nil, err
	}
	verified, test := t.Verified()
	return runs.Object{
		{"game", t.Head.Meta.Game}, {"rules", t.Head.Meta.Rules}, {"method", t.Config.Method}, {"active", t.Config.Active},
		{"standing", t.Standing()}, {"outcome", t.Outcome()}, {"verdict", t.Conclusion()}, {"advice", t.remarks()},
		{"start", t.byName(t.Config.Start.Values)}, {"tuned", t.byName(t.tunedValues())}, {"candidate", t.byName(t.Recommend())},
		{"optima", t.intervals(shown)}, {"estimate", verified}, {"sprt", runs.TestObject(test)},
		{"against", t.Opposed()}, {"over_pool", t.OverPool()}, seeds, t.contest.entry(), {"transfer", t.transfer.Transferred()},
		{"worth", t.Worths()}, {"measured", t.Measured()},
		{"ratings", ratings}, {"pool", pool}, {"model", shown.Analysis}, {"warnings", warnings}, {"games", t.played},
		{"phases", t.playedPhases()}, {"finished", t.Finished()}, {"repeatable", runs.PlaysAgain(&t.Games, t.Config.players()...)},
		{"run", t.Head.Dir},
	}, nil
}

// byName returns values by parameter names; a game's are numbers.
func (r *Result) byName(v params.Vector) (o runs.Object) {
	for i, p := range r.Config.task.Space() {
		value := any(v[i])
		if r.Config.Elsewhere != nil && len(p.Labels) > 0 {
			value = p.Format(v[i])
		}
		o = append(o, runs.Entry{p.Name, value})
	}
	return o
}

// intervals returns the best values by the tuning's own games.
func (r *Result) intervals(shown methodReport) (list runs.Object) {
	for _, o := range shown.Optima {
		name := r.Config.task.Space()[o.Param].Name
		list = append(list, runs.Entry{name, runs.Object{{"value", o.Value}, {"low", o.Low}, {"high", o.High}}})
	}
	return list
}

// playedPhases returns the games of each phase that was planned, in all stages.
func (r *Result) playedPhases() runs.Object {
	phases := runs.Object{}
	for _, planned := range r.Config.planned() {
		games := int64(0)
		for _, p := range r.phases {
			if p.Name() == planned.Phase {
				games += p.state().games
			}
		}
		phases = append(phases, runs.Entry{planned.Phase, games})
	}
	return phases
}

// report returns the method's part of the report.
func (r *Result) report() (methodReport, error) {
	shown, err := r.current().report()
	if note := r.aside(shown.Analysis); note != "" {
		first := shown.Sections[0]
		first.Blocks = append([]reports.Block{reports.Text(note)}, first.Blocks...)
		shown.Sections = append([]reports.Section{first}, shown.Sections[1:]...)
	}
	return shown, err
}

// aside notes that the analysis is about the tuner's values if a contest chose others; else "".
func (r *Result) aside(a *analysis.Analysis) string {
	if a == nil || slices.Equal(r.raw(), r.current().Best) {
		return ""
	}
	return "Importance and interactions are about the tuner's values, not the chosen ones."
}

// analysis returns the analysis of the tuning's own games; nil for a method without a quadratic, and
// before there are enough games.
func (r *Result) analysis() (*analysis.Analysis, error) {
	shown, err := r.report()
	return shown.Analysis, err
}

// Measured returns the measured strength of the recommendation over the start during the tuning: of
// the chosen tuning or, before the choice, of the running one.
func (r *Result) Measured() []analysis.Measured { return r.current().Measured() }

// soFar returns the number of games that the tuner has learned.
func (r *Result) soFar() string {
	return fmt.Sprintf("%s of %s tuning games", text.Count(r.tuningGames()), text.Count(r.Config.tuneGames()*int64(r.Config.tunings())))
}

// source returns the trials of the phase with a number. A finished phase is only read; a tuner that
// continues learns its trials of earlier stages.
func (r *Result) source(number int) (schedule.Source, error) {
	p, over := r.phases[number], number < r.Config.recorded.over
	if t, ok := p.(*tunePhase); ok {
		over = r.Config.recorded.over > lastOf(r.phases, t.name)
	}
	if over {
		return schedule.Past{PhaseName: p.Name(), Over: p.Done}, nil
	}
	return p.Source()
}

// lastOf returns the number of the last phase of a name.
func lastOf(phases []Phase, name string) (last int) {
	for i, p := range phases {
		if p.Name() == name {
			last = i
		}
	}
	return last
}

// diverged names the program that continues a tuning, in the error of a tuner whose trials are not
// the recorded ones. Other errors stay unchanged.
func (r *Result) diverged(p Phase, err error) error {
	if _, ok := p.(*tunePhase); !ok || !errors.Is(err, schedule.ErrDiverged) {
		return err
	}
	return fmt.Errorf("%w%s", err, r.Config.remedy(r.Head))
}
