// Package view shows runs, recorded or growing: a View reads each row once for all lists, pages
// and reports, and takes trials from a Live if this process plays the run.
//
// Read view.go and live.go first. list.go, index.go and query.go make, remember and choose lists of
// runs; report.go and moves.go make the report.
package view

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
)

// View is a run for its readers: lists, pages, reports, experiments and commands. It reads each row
// once; Refresh adds later rows, from the record or, if this process plays the run, from its Live.
// Only one goroutine may use a View at a time.
type View struct {
	*runs.Recorded
	// Observe, if not nil, is called with every trial that Refresh adds, and again with every trial that
	// Result adds, then with games. Refresh gives the games of trials that are not recorded yet.
	Observe func(r runs.Result, f schedule.Finished, whole bool)

	live   *Live
	labels datasets.Labels
	brief  runs.Result // of trials without their games; nil before Refresh
	trials int64       // in brief
	played int64       // games of them
	full   runs.Result // of trials with their games; nil before Result
	read   int64       // trials in full

	summary   runs.Summary // the latest, with its version
	summaryOf string
	state     string
	begun     time.Time // first sight of the session that plays it
	rate      float64   // games a second
	counted   int64     // games at the time since
	since     time.Time
}

// Of returns a view of a recorded run.
func Of(r *runs.Recorded) *View { return &View{Recorded: r} }

// Look returns the summary of the run in dir for lists: the note of its latest session, if the
// record has not changed since and this program wrote the note, else the summary of its trials.
// view is nil if they were not read. Summary.Fault is the error.
func Look(dir string, kinds runs.Kinds) (s runs.Summary, view *View) {
	if s, noted := notedSummary(dir); noted {
		return s, nil
	}
	info := datasets.Describe(dir)
	err := info.Err
	if err == nil {
		s, view, err = look(info.Log, kinds)
	}
	s.Describe(info.Meta)
	s.Run, s.Bytes = info.Dir, info.Size
	label(&s, info.Labels)
	s.Trials, s.Games = info.Trials, info.Games
	if err != nil {
		s.State, s.Fault = runs.Broken, err.Error()
	}
	return s, view
}

// label fills in name, tags and note.
func label(s *runs.Summary, l datasets.Labels) {
	s.Name, s.Tags, s.Note = cmp.Or(l.Name, s.Name), append([]string{}, l.Tags...), l.Note
}

func look(log *datasets.Log, kinds runs.Kinds) (s runs.Summary, view *View, err error) {
	r, err := runs.OpenLog(log, kinds.Find)
	if err != nil {
		return s, nil, err
	}
	view = Of(r)
	if _, err = view.Refresh(); err != nil {
		return s, nil, err
	}
	s, err = view.Summary()
	return s, view, err
}

// Attach has the view take trials from l, too, before they are on disk.
func (v *View) Attach(l *Live) { v.live = l }

// Live returns the run as this process plays it; nil if it does not.
func (v *View) Live() *Live { return v.live }

// Refresh adds the trials that came since, without their games if the summary needs none,
// and reports whether anything that a page shows has changed.
func (v *View) Refresh() (changed bool, err error) {
	version := v.Version()
	if _, err := v.Log.Refresh(); err != nil {
		return false, err
	}
	if v.Head.Sessions, err = v.Log.Sessions(); err != nil {
		return false, err
	}
	if v.labels, err = datasets.ReadLabels(v.Log.Dir); err != nil {
		return false, err
	}
	if err := v.addTrials(); err != nil {
		return false, err
	}
	before := v.state
	v.state = ""
	s, err := v.Summary()
	if err != nil {
		return false, err
	}
	if v.state = stateOf(datasets.Busy(v.Log.Dir), s.Finished); v.state == runs.Running && before != runs.Running {
		v.begun = time.Now().UTC()
		if len(v.Head.Sessions) == 0 {
			v.begun = v.Log.Meta.Created.UTC()
		}
	}
	v.measure()
	return v.Version() != version, nil
}

func stateOf(busy, finished bool) string {
	switch {
	case busy:
		return runs.Running
	case finished:
		return runs.Finished
	}
	return runs.Interrupted
}

// addTrials adds the recorded trials to brief, then the trials that wait for the record.
func (v *View) addTrials() (err error) {
	if v.brief == nil {
		if v.brief, err = v.Config.NewResult(v.Head); err != nil {
			return err
		}
	}
	games := v.Setup.GamesInSummary
	if v.trials < v.Log.NumTrials {
		for f, err := range v.Finished(v.trials, games) {
			if err == nil {
				err = v.addTrial(f)
			}
			if err != nil {
				return err
			}
		}
	}
	for _, f := range v.live.after(v.trials) {
		if !games && v.Observe == nil {
			f.Games = nil
		}
		if err := v.addTrial(f); err != nil {
			return err
		}
	}
	v.live.forget(min(v.Log.NumTrials, v.read))
	return nil
}

func (v *View) addTrial(f schedule.Finished) error {
	if err := v.brief.Add(f); err != nil {
		return err
	}
	v.trials++
	v.played += int64(f.Trial.Games)
	if v.Observe != nil {
		v.Observe(v.brief, f, false)
	}
	return nil
}

// measureAfter is how long games are counted for a rate, at least.
const measureAfter = 2 * time.Second

// smoothing is the share of the latest count in the games a second: they change from phase to phase,
// and the time left must not jump with each count.
const smoothing = 0.3

// measure computes the games a second: of the running session, else of the latest one.
func (v *View) measure() {
	if v.state != runs.Running {
		v.rate, v.since = sessionRate(v.Head.Sessions), time.Time{}
		return
	}
	games, now := v.games(), time.Now()
	if v.since.IsZero() {
		v.counted, v.since, v.rate = games, now, 0
	} else if over := now.Sub(v.since); games > v.counted && over > measureAfter {
		rate := float64(games-v.counted) / over.Seconds()
		if v.rate > 0 {
			rate = float64(smoothing*rate) + float64((1-smoothing)*v.rate)
		}
		v.rate, v.counted, v.since = rate, games, now
	}
}

// sessionRate returns the games a second of the latest session that played; 0 if not known.
func sessionRate(sessions []datasets.Session) float64 {
	for _, s := range slices.Backward(sessions) {
		if s.Seconds > 0 && s.Games > 0 {
			return float64(s.Games) / s.Seconds
		}
	}
	return 0
}

// secondsOf returns the duration of sessions.
func secondsOf(sessions []datasets.Session) (sum float64) {
	for _, s := range sessions {
		sum += s.Seconds
	}
	return sum
}

// State returns the state of the run, as of the latest Refresh.
func (v *View) State() string { return v.state }

// Trials returns the number of trials seen so far, including trials that wait for the disk.
func (v *View) Trials() int64 { return v.trials }

// Brief returns the result of the trials without their games, as of the latest Refresh.
func (v *View) Brief() runs.Result { return v.brief }

// games returns the number of games of the summary, as of the latest Refresh.
func (v *View) games() int64 { return max(v.Log.NumGames, v.played) }

// Version changes with everything that a page shows of the run.
func (v *View) Version() string {
	version := fmt.Sprintf("%d-%s", v.trials, v.state)
	if v.Complete() {
		version += "-games"
	}
	if list := v.live.Faults(); len(list) > 0 {
		last := list[len(list)-1].Row
		version += fmt.Sprintf("-%d:%d:%d", last.Trial, last.Pair, last.Game)
	}
	if p, ok := v.live.Progress(); ok {
		version += fmt.Sprintf("-%s-%d", p.Phase, p.Games)
	}
	return version
}

// Complete reports whether all games of a run are read, and no process plays it.
func (v *View) Complete() bool { return v.state != runs.Running && v.full != nil && v.read == v.trials }

// Summary returns the run for a list. While it is played, the trials alone count; after that, the
// note of its last session; and once its games are read, the words of the report.
func (v *View) Summary() (runs.Summary, error) {
	result, of := v.brief, fmt.Sprint(v.trials)
	if v.Complete() || result == nil {
		result, of = v.full, fmt.Sprint(v.read, " with games")
	}
	if result == nil {
		return v.meta(), fmt.Errorf("summary of %s: its rows are not read", v.Log.Dir)
	}
	if of != v.summaryOf {
		s, noted := runs.Summary{}, false
		if !v.Complete() && v.state != runs.Running { // without its games
			s, noted = notedSummary(v.Log.Dir)
		}
		if !noted {
			var err error
			if s, err = result.Summary(); err != nil {
				return v.meta(), err
			}
		}
		v.summary, v.summaryOf = s, of
	}
	s := v.meta()
	s.What, s.Question, s.Answer, s.Finished = v.summary.What, v.summary.Question, v.summary.Answer, v.summary.Finished
	s.Result, s.Estimate = v.summary.Result, v.summary.Estimate
	return s, nil
}

// meta returns the summary without rows.
func (v *View) meta() runs.Summary {
	s := runs.Summary{Run: v.Log.Dir, State: v.state, Trials: max(v.trials, v.read), Games: v.games(), Rate: v.rate,
		Seconds: secondsOf(v.Head.Sessions)}
	if v.state == runs.Running {
		s.Since = new(v.begun)
	}
	s.Describe(v.Log.Meta)
	label(&s, v.labels)
	return s
}

// Result returns the result of the run's trials and games. It reads the rows that are new since the
// last call, until ctx ends; then it returns the cause.
func (v *View) Result(ctx context.Context) (runs.Result, error) {
	if v.full == nil {
		full, err := v.Config.NewResult(v.Head)
		if err != nil {
			return nil, err
		}
		v.full, v.read = full, 0
	}
	if err := v.addGames(ctx); err != nil {
		v.full, v.read = nil, 0
		return nil, err
	}
	return v.full, nil
}

func (v *View) addGames(ctx context.Context) error {
	add := func(f schedule.Finished) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		v.read++
		if err := v.full.Add(f); err != nil {
			return err
		}
		if v.Observe != nil {
			v.Observe(v.full, f, true)
		}
		return nil
	}
	if v.read < v.Log.NumTrials {
		for f, err := range v.Finished(v.read, true) {
			if err == nil {
				err = add(f)
			}
			if err != nil {
				return err
			}
		}
	}
	for _, f := range v.live.after(v.read) {
		if err := add(f); err != nil {
			return err
		}
	}
	return nil
}

// Verdict returns the head of the run, as of the latest Refresh: by the games once Result has read all of
// them, else by the trials alone.
func (v *View) Verdict() (reports.Verdict, error) {
	result := v.brief
	if v.Complete() || result == nil {
		result = v.full
	}
	v.Head.Running = v.state == runs.Running
	verdict, err := result.Verdict()
	v.timed(&verdict)
	return verdict, err
}

// timed adds the time of the finished sessions to the facts of a verdict.
func (v *View) timed(verdict *reports.Verdict) {
	verdict.Facts = append(verdict.Facts, runs.Took(secondsOf(v.Head.Sessions))...)
}

// Page returns the report of the run, finished or not, until ctx ends; then the error is
// the cause. With moves it reads the recorded decisions, too.
func (v *View) Page(ctx context.Context, moves bool) (page reports.Page, err error) {
	result, err := v.Result(ctx)
	if err != nil {
		return page, err
	}
	v.Head.Running = v.state == runs.Running
	if page, err = result.Page(); err != nil {
		return page, err
	}
	if page.Verdict != nil {
		v.timed(page.Verdict)
	}
	if others := runs.OtherBuilds(v.Head); others != "" {
		page.Warnings = append(page.Warnings, others)
	}
	if !moves {
		return page, nil
	}
	section, kept, err := movesSection(v.Recorded, result)
	if kept {
		page.Sections = append(page.Sections, section)
	}
	return page, err
}

// notedSummary returns the summary that the latest session noted of the run in dir, with today's
// labels and state; ok is false as in NotedSummary.
func notedSummary(dir string) (s runs.Summary, ok bool) {
	sessions, err := datasets.Sessions(dir)
	if err != nil {
		return s, false
	}
	if s, ok = runs.NotedSummary(dir, sessions); !ok {
		return s, false
	}
	labels, err := datasets.ReadLabels(dir)
	if err != nil {
		return s, false
	}
	s.Run = dir
	label(&s, labels)
	s.State, s.Rate, s.Seconds = stateOf(false, s.Finished), sessionRate(sessions), secondsOf(sessions)
	return s, true
}
