package web

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
)

// model is a run that is open in a page. Its rows are read once: what comes later
// is added, from the record or, of a run that this process plays, from its hands.
type model struct {
	mu   sync.Mutex
	id   string
	dir  string
	rec  *runs.Recorded
	live *live // nil unless this process plays it

	cache string // folder to keep finished pages in; "" for none
	saved *saved // the page as it was kept: nothing below is read then; else nil

	brief  runs.Result  // of trials alone: what there is at once
	came   runs.Summary // see summary
	cameOf string       // the rows that it is of
	charts *charts      // of the same trials
	tracks int64        // trials in them

	whole runs.Result // with games: what the report is made of
	told  int64       // trials in it

	looked time.Time
	state  string

	body    template.HTML // of the report, as made last
	page    reports.Page
	bodyOf  string // the version it shows
	made    time.Time
	cost    time.Duration // of making it
	reports int           // made
	counted int64         // games at a moment before, and when, for the rate
	since   time.Time
	rate    float64
}

// refreshEvery is how long what is known of a run counts as new.
const refreshEvery = 500 * time.Millisecond

// share is how much of the time the making of a running run's report may take, one
// part in so many: the run needs the processors more. With the events of a page,
// which take some milliseconds a second, that is below a hundredth.
const share = 200

// soonest is how old the report of a running run is at least before another one is
// made, and second that for the first one that was made: one of a run that has just
// begun tells nothing of what the next will cost. By the default way to tune, those
// of the first eight seconds took a tenth of the processor time.
const (
	soonest = 5 * time.Second
	second  = 30 * time.Second
)

// model opens a run, or returns it as it is open.
func (s *Server) model(id string) (*model, error) {
	dir, err := s.library.dir(id)
	if err != nil {
		return nil, err
	}
	l := s.library
	l.mu.Lock()
	i := slices.IndexFunc(l.models, func(m *model) bool { return m.id == id })
	var m *model
	if i >= 0 {
		m = l.models[i]
		l.models = append(slices.Delete(l.models, i, i+1), m)
	} else {
		m = &model{id: id, dir: dir, cache: s.options.Cache}
		l.models = append(l.models, m)
		if len(l.models) > maxModels {
			l.models = slices.Delete(l.models, 0, 1)
		}
	}
	l.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.live = s.jobs.live(dir)
	if err := m.refresh(); err != nil {
		return nil, err
	}
	return m, nil
}

// refresh takes in the trials that have come, without their games.
func (m *model) refresh() error {
	if m.rec != nil && time.Since(m.looked) < refreshEvery {
		return nil
	}
	m.looked = time.Now()
	same, err := m.stillSaved()
	if same || err != nil {
		return err
	}
	if m.rec == nil {
		if err := m.open(); err != nil {
			return err
		}
		if m.recall() {
			m.measure()
			return nil
		}
	} else if _, err := m.rec.Log.Refresh(); err != nil {
		return err
	}
	if err := m.track(); err != nil {
		return err
	}
	if m.rec.Head.Sessions, err = m.rec.Log.Sessions(); err != nil {
		return err
	}
	summary, err := m.summary()
	if err != nil {
		return err
	}
	before := m.state
	m.state = stateOf(m.dir, summary.Finished)
	if before == running && m.state != running {
		m.bodyOf = ""
	}
	m.measure()
	return nil
}

// stillSaved reports whether the page is the one that was kept and nothing has
// happened since. Else the rows are read.
func (m *model) stillSaved() (bool, error) {
	if m.saved == nil {
		return false, nil
	}
	grown, err := m.rec.Log.Refresh()
	if err != nil {
		return false, err
	}
	sessions, err := m.rec.Log.Sessions()
	if err != nil {
		return false, err
	}
	if !grown && len(sessions) == len(m.rec.Head.Sessions) && !datasets.Busy(m.dir) {
		return true, nil
	}
	return false, m.wake()
}

func (m *model) open() error {
	rec, err := kinds.Open(m.dir)
	if err != nil {
		return err
	}
	brief, err := rec.Spec.NewResult(rec.Head)
	if err != nil {
		return err
	}
	if k, ok := brief.(runs.Keeper); ok {
		if err := k.ReadDir(m.dir); err != nil {
			return err
		}
	}
	m.rec, m.brief, m.charts, m.tracks, m.whole, m.told, m.cameOf = rec, brief, newCharts(rec), 0, nil, 0, ""
	return nil
}

// track adds trials that are recorded, and then those that are on their way to the
// record.
func (m *model) track() error {
	add := func(row datasets.TrialRow) error {
		if err := m.brief.Add(schedule.Finished{Trial: row}); err != nil {
			return err
		}
		m.charts.add(m.brief, row)
		m.tracks++
		return nil
	}
	if m.tracks < m.rec.Log.NumTrials {
		for row, err := range m.rec.Log.Trials(datasets.Filter{From: m.tracks}) {
			if err == nil {
				err = add(row)
			}
			if err != nil {
				return err
			}
		}
	}
	for _, f := range m.live.after(m.tracks) {
		if err := add(f.Trial); err != nil {
			return err
		}
	}
	m.live.forget(min(m.rec.Log.NumTrials, m.told))
	return nil
}

// measure tells the games a second of a run that goes on.
func (m *model) measure() {
	games, now := m.games(), time.Now()
	if m.state != running {
		m.rate, m.since = 0, time.Time{}
		if n := len(m.rec.Head.Sessions); n > 0 && m.rec.Head.Sessions[n-1].Seconds > 0 {
			last := m.rec.Head.Sessions[n-1]
			m.rate = float64(last.Games) / last.Seconds
		}
		return
	}
	if m.since.IsZero() {
		m.counted, m.since = games, now
		return
	}
	if over := now.Sub(m.since); games > m.counted && over > 2*time.Second {
		m.rate, m.counted, m.since = float64(games-m.counted)/over.Seconds(), games, now
	}
}

// curves are the run's charts.
func (m *model) curves() []Chart {
	if m.saved != nil {
		return m.saved.Charts
	}
	return m.charts.all()
}

// games that are played, those of unfinished trials included where that is known.
func (m *model) games() int64 {
	games := m.rec.Log.NumGames
	if p, ok := m.live.progress(); ok {
		games = max(games, p.all)
	}
	return games
}

// version changes with everything that a page shows.
func (m *model) version() string {
	v := fmt.Sprintf("%d-%s", m.tracks, m.state)
	if m.readWhole() {
		v += "-whole"
	}
	if list := m.live.faulted(); len(list) > 0 {
		v += "-" + list[len(list)-1].Game
	}
	if p, ok := m.live.progress(); ok {
		v += fmt.Sprintf("-%s-%d", p.Phase, p.Games)
	}
	return v
}

// Status is where a run stands: what an event tells.
type Status struct {
	State   string  `json:"state"`
	Trials  int64   `json:"trials"`
	Games   int64   `json:"games"`
	Rate    float64 `json:"rate"`
	What    string  `json:"what"`
	Result  string  `json:"result"`
	Phase   string  `json:"phase,omitempty"`
	Done    int64   `json:"done"`
	Planned int64   `json:"planned"`
	Unit    string  `json:"unit,omitempty"`
	Note    string  `json:"note,omitempty"`
	Left    float64 `json:"left"` // seconds to the end of the phase at most; 0 if not known
	Mine    bool    `json:"mine"` // this process plays it
	Workers int     `json:"workers,omitempty"`
	Error   string  `json:"error,omitempty"`
	Gauges  []Gauge `json:"gauges"`
	Faulty  int64   `json:"faulty"` // games that were lost by faults
	Faults  []Fault `json:"faults,omitempty"`
	Crew    []Crew  `json:"crew,omitempty"` // who played, the latest session first
	Report  string  `json:"report"`         // version of the report that is to be had
}

func (m *model) status() (Status, error) {
	if m.saved != nil {
		st := m.saved.Status
		st.Mine, st.Error, st.Report = m.live != nil, m.live.failure(), m.reportVersion()
		return st, nil
	}
	summary, err := m.summary()
	if err != nil {
		return Status{}, err
	}
	p := m.brief.Progress("", [5]int{})
	st := Status{
		State: m.state, Trials: m.tracks, Games: m.games(), Rate: m.rate, What: summary.What, Result: summary.Result,
		Phase: p.Phase, Done: p.Games, Planned: p.Planned, Unit: p.Unit, Note: p.Note, Gauges: m.charts.gauges(summary.Estimate), Mine: m.live != nil,
	}
	if now, ok := m.live.progress(); ok {
		st.Phase, st.Done, st.Planned, st.Unit, st.Note, st.Workers = now.Phase, now.Games, now.Planned, now.Unit, now.Note, m.live.workers
	}
	st.Error, st.Faulty, st.Faults, st.Crew = m.live.failure(), m.charts.faults, m.live.faulted(), crewOf(m.rec.Head.Sessions)
	if st.State == running && st.Rate > 0 && st.Planned > st.Done && st.Unit == "" {
		st.Left = float64(st.Planned-st.Done) / st.Rate
	}
	st.Report = m.reportVersion()
	return st, nil
}

// summary is what the run has come to, made once for all who look: of trials alone
// while it goes on, and then, once the games are read, in the words of the report.
func (m *model) summary() (runs.Summary, error) {
	told, of := m.brief, fmt.Sprint(m.tracks)
	if m.readWhole() {
		told, of = m.whole, of+" with games"
	}
	if of == m.cameOf {
		return m.came, nil
	}
	s, err := told.Summary()
	if err == nil {
		m.came, m.cameOf = s, of
	}
	return s, err
}

// readWhole reports whether all games of a run that nobody plays are read.
func (m *model) readWhole() bool { return m.state != running && m.whole != nil && m.told == m.tracks }

// reportVersion is that of the report that report would return: while a run goes on
// the last one made, for as long as a new one would take too much of the time.
func (m *model) reportVersion() string {
	now := fmt.Sprintf("%d-%s", m.tracks, m.state)
	if m.state == running && m.bodyOf != "" && time.Since(m.made) < m.lasts() {
		return m.bodyOf
	}
	return now
}

// lasts is how long a report of the running run stays.
func (m *model) lasts() time.Duration {
	if m.reports == 1 {
		return max(share*m.cost, second)
	}
	return max(share*m.cost, soonest)
}

// report makes the report of what is recorded, by the code that writes it.
func (m *model) report() (template.HTML, string, error) {
	want := m.reportVersion()
	if want == m.bodyOf {
		return m.body, m.bodyOf, nil
	}
	start := time.Now()
	if err := m.catchUp(); err != nil {
		return "", "", err
	}
	page, err := m.whole.Page()
	if err != nil {
		return "", "", fmt.Errorf("report of %s: %w", m.dir, err)
	}
	if m.state != running { // they are read whole every time
		moves, kept, err := m.rec.Moves(m.whole)
		if err != nil {
			return "", "", fmt.Errorf("report of %s: %w", m.dir, err)
		}
		if kept {
			page.Sections = append(page.Sections, moves)
		}
	}
	body, err := page.Body()
	if err != nil {
		return "", "", err
	}
	m.page, m.body, m.bodyOf, m.made, m.cost = page, body, want, time.Now(), time.Since(start)
	m.reports++
	m.keep()
	return body, want, nil
}

// catchUp adds to the whole what the tracks have.
func (m *model) catchUp() error {
	if _, keeps := m.whole.(runs.Keeper); m.whole == nil || keeps { // a record of its own is read whole
		told, err := m.rec.Spec.NewResult(m.rec.Head)
		if err != nil {
			return err
		}
		if k, ok := told.(runs.Keeper); ok {
			if err := k.ReadDir(m.dir); err != nil {
				return err
			}
		}
		m.whole, m.told = told, 0
	}
	if m.told < m.rec.Log.NumTrials {
		for f, err := range schedule.Recorded(m.rec.Log, datasets.Filter{From: m.told}) {
			if err == nil {
				err = m.whole.Add(f)
			}
			if err != nil {
				m.whole = nil
				return err
			}
			m.told++
		}
	}
	for _, f := range m.live.after(m.told) {
		if err := m.whole.Add(f); err != nil {
			m.whole = nil
			return err
		}
		m.told++
	}
	return nil
}

// figure returns a chart of the report by its name.
func (m *model) figure(name string) (reports.Plot, error) {
	if err := m.wake(); err != nil {
		return reports.Plot{}, err
	}
	if _, _, err := m.report(); err != nil {
		return reports.Plot{}, err
	}
	for _, s := range m.page.Sections {
		for _, b := range s.Blocks {
			if p, ok := b.(reports.Plot); ok && p.Name == name {
				return p, nil
			}
		}
	}
	return reports.Plot{}, fmt.Errorf("the report has no figure %q", name)
}

// figures names the report's charts in their order.
func (m *model) figures() []string {
	if m.saved != nil {
		return m.saved.Figures
	}
	names := []string{}
	for _, s := range m.page.Sections {
		for _, b := range s.Blocks {
			if p, ok := b.(reports.Plot); ok {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// live is a run that this process plays. A nil one plays nothing.
type live struct {
	dir     string
	workers int
	stop    func() // ends it so that it can be gone on with

	mu   sync.Mutex
	rows []schedule.Finished // not yet forgotten
	held int                 // rows of trials and games in them
	at   runs.Progress
	seen bool
	all  int64 // games of finished trials that this process saw, replayed ones included
	over bool
	err  error

	faults []Fault           // the latest
	window play.Window       // on one of its games
	newest schedule.Finished // with its last game alone; zero for none
}

// told are a run's progress and its games of all phases.
type told struct {
	runs.Progress
	all int64
}

// mostRows bounds what is held for pages of a run that nobody looks at: they read
// the record later.
const maxRows = 200_000

// Observe takes a trial that counts.
func (l *live) Observe(f schedule.Finished) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all += int64(f.Trial.Games)
	if f.Replayed {
		return
	}
	if n := len(f.Games); n > 0 {
		l.newest = schedule.Finished{Trial: f.Trial, Games: f.Games[n-1:]}
	}
	l.rows = append(l.rows, f)
	if l.held += 1 + len(f.Games); l.held > maxRows {
		l.rows, l.held = nil, 0
	}
}

// Progress takes where the run stands.
func (l *live) Progress(p runs.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at, l.seen = p, true
}

// after returns the trials from number n on, without a gap.
func (l *live) after(n int64) (list []schedule.Finished) {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.rows {
		if f.Trial.Trial == n+int64(len(list)) {
			list = append(list, f)
		}
	}
	return list
}

// forget drops the trials before number n.
func (l *live) forget(n int64) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	i, _ := slices.BinarySearchFunc(l.rows, n, func(f schedule.Finished, n int64) int { return cmp.Compare(f.Trial.Trial, n) })
	for _, f := range l.rows[:i] {
		l.held -= 1 + len(f.Games)
	}
	l.rows = slices.Delete(l.rows, 0, i)
}

func (l *live) progress() (told, bool) {
	if l == nil {
		return told{}, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return told{l.at, l.all}, l.seen && !l.over
}

func (l *live) failure() string {
	if l == nil {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil || errors.Is(l.err, errStopped) {
		return ""
	}
	return l.err.Error()
}

func (l *live) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over, l.err = true, err
}

// Runs played by this process are found by their folder.
func sameDir(a, b string) bool {
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	return errX == nil && errY == nil && x == y
}
