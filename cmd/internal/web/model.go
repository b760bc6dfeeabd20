package web

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// model is an open run of a page: view, curves and report.
type model struct {
	mu        sync.Mutex
	kinds     runs.Kinds
	id        string
	dir       string
	view      *view.View // nil before refresh
	charts    *charts    // of the trials that the view has seen
	whole     *charts    // the same with every game, of wholeOf
	wholeOf   runs.Result
	refreshed time.Time

	// The head as made last, and the version it shows.
	headHTML, headTitle, headOf string
	headMade                    time.Time

	// The report as made last.
	page    reports.Page
	body    template.HTML
	bodyOf  string // the version it shows; "" for none
	games   int64  // of it
	made    time.Time
	cost    time.Duration // of making it
	reports int           // made so far
}

// refreshEvery is the time for which a model counts as current.
const refreshEvery = 500 * time.Millisecond

// share bounds the time of reports of a running run to one part in share, because the run needs the
// processors more. With the events of a page, which take some milliseconds a second, pages take
// less than a hundredth.
const share = 200

// minReportAge is the minimum age of a running run's report before another is made. firstReportAge
// replaces it for the first report, whose cost is no measure of the next one's.
const (
	minReportAge   = 5 * time.Second
	firstReportAge = 30 * time.Second
)

// refresh adds the trials that have come, without their games.
func (m *model) refresh(live *view.Live) error {
	if m.view != nil && m.view.Live() == live && time.Since(m.refreshed) < refreshEvery {
		return nil
	}
	m.refreshed = time.Now()
	if m.view == nil {
		recorded, err := m.kinds.Open(m.dir)
		if err != nil {
			return err
		}
		m.charts, m.view = newCharts(recorded), view.Of(recorded)
		m.view.Observe = m.observe
	}
	m.view.Attach(live)
	before := m.view.State()
	if _, err := m.view.Refresh(); err != nil {
		return err
	}
	if before == runs.Running && m.view.State() != runs.Running {
		m.bodyOf = ""
	}
	return nil
}

// observe adds a trial to the curves by trials or, as a whole, to the curves by games.
func (m *model) observe(r runs.Result, f schedule.Finished, whole bool) {
	if !whole {
		m.charts.add(r, f)
		return
	}
	if m.wholeOf != r { // the games are read from the first again
		m.whole, m.wholeOf = m.charts.empty(), r
	}
	m.whole.add(r, f)
}

// curves returns the curves by games once all are read, and before the curves by trials.
func (m *model) curves() []chart {
	if m.whole != nil && m.view.Complete() {
		return m.whole.all()
	}
	return m.charts.all()
}

// status is the progress of a run, as events carry it.
type status struct {
	State   string   `json:"state"`
	Trials  int64    `json:"trials"`
	Games   int64    `json:"games"`
	Rate    float64  `json:"rate"`
	What    string   `json:"what"`
	Result  string   `json:"result"`
	Phase   string   `json:"phase,omitempty"`
	Done    int64    `json:"done"`
	Planned int64    `json:"planned"`
	Unit    string   `json:"unit,omitempty"`
	Note    string   `json:"note,omitempty"`
	Left    float64  `json:"left"` // seconds to the end of the phase at most; 0 if not known
	Mine    bool     `json:"mine"` // this process plays it
	Workers int      `json:"workers,omitempty"`
	Error   string   `json:"error,omitempty"`
	Head    string   `json:"head"`             // its verdict, as a part of the page
	Title   string   `json:"title"`            // the same in a line
	Play    string   `json:"play,omitempty"`   // page of a game against the player that the finished run found
	Next    string   `json:"next"`             // element of the page with the best next action
	Faulty  int64    `json:"faulty"`           // games lost by faults
	Faults  []fault  `json:"faults,omitempty"` // the latest
	Played  []played `json:"played,omitempty"` // machines, the latest session first
	Report  string   `json:"report"`           // version of the report that can be had
}

func (m *model) status() (status, error) {
	summary, err := m.view.Summary()
	if err != nil {
		return status{}, err
	}
	live := m.view.Live()
	now, playing := live.Progress()
	p := m.view.Brief().Progress(now.Phase, [5]int{})
	st := status{
		State: summary.State, Trials: summary.Trials, Games: summary.Games, Rate: summary.Rate, What: summary.What, Result: summary.Result,
		Mine: live != nil, Faulty: m.charts.faults, Faults: faultsOf(live),
		Played: playedBy(m.view.Head.Sessions), Report: m.reportVersion(),
	}
	st.Note = p.Note // of the trials of the result
	if playing {
		p, st.Workers = now, live.Workers
	}
	st.Phase, st.Done, st.Planned, st.Unit = p.Phase, p.Games, p.Planned, p.Unit
	if summary.Games == 0 {
		st.Played = nil // sessions count games
	}
	if err := live.Err(); err != nil {
		st.Error = err.Error()
	}
	if st.State == runs.Finished {
		st.Play = m.playForm()
	}
	switch {
	case st.State == runs.Running:
		st.Next = "watch"
	case st.State == runs.Interrupted:
		st.Next = "resume"
	case st.Play != "":
		st.Next = "playit"
	default:
		st.Next = "list"
	}
	if st.Head, st.Title, err = m.head(st.Error); err != nil {
		return status{}, err
	}
	if st.State == runs.Running && st.Rate > 0 && st.Unit == "" {
		left := max(st.Planned-st.Done, m.planned()-st.Games) // with all phases after this one
		st.Left = float64(max(0, left)) / st.Rate
	}
	return st, nil
}

// headAge is the minimum age of the head of a running run before another is made.
const headAge = 3 * time.Second

// head returns the head of the run as a part of a page, and in a line. A failure is its answer.
func (m *model) head(failure string) (html, title string, err error) {
	version := m.view.Version() + failure
	if version == m.headOf || m.view.State() == runs.Running && time.Since(m.headMade) < headAge {
		return m.headHTML, m.headTitle, nil
	}
	v, err := m.view.Verdict()
	if err != nil {
		return "", "", err
	}
	if failure != "" {
		v.Answer, v.Detail, v.Meaning, v.Scale, v.Hint = "The run failed", failure, figure.Broken, nil, ""
	}
	// Whole sentences are translated; names and steps stand elsewhere on the page.
	v.Question, v.Answer, v.Detail, v.Next = text.Unmarked(v.Question), text.Unmarked(v.Answer), text.Unmarked(v.Detail), nil
	v.Where = slices.DeleteFunc(v.Where, func(s string) bool { return strings.HasPrefix(s, "`") })
	body, err := v.HTML()
	m.headHTML, m.headTitle, m.headOf, m.headMade = string(body), v.Title(), version, time.Now()
	return m.headHTML, m.headTitle, err
}

// reportVersion returns the version of the report that report would return. While the run is
// played this is the last one made, as long as a new one would take too much of the time.
func (m *model) reportVersion() string {
	state := m.view.State()
	if state == runs.Running && m.bodyOf != "" && time.Since(m.made) < m.reportAge() {
		return m.bodyOf
	}
	return fmt.Sprintf("%d-%s", m.view.Trials(), state)
}

// reportAge returns the age at which the report of a running run is made again.
func (m *model) reportAge() time.Duration {
	if m.reports == 1 {
		return max(share*m.cost, firstReportAge)
	}
	return max(share*m.cost, minReportAge)
}

// report renders the report of the recorded part, with the code that writes it.
func (m *model) report() (template.HTML, string, error) {
	version := m.reportVersion()
	if version == m.bodyOf {
		return m.body, m.bodyOf, nil
	}
	if m.view.State() == runs.Running && m.view.Trials() == 0 {
		return `<p class="wait">The report follows the first results.</p>`, version, nil
	}
	start := time.Now()
	page, err := m.view.Page(context.Background(), m.view.State() != runs.Running) // decisions are read from the first each time
	if err != nil {
		return "", "", fmt.Errorf("report of %s: %w", m.dir, err)
	}
	body, err := page.Body()
	if err != nil {
		return "", "", err
	}
	m.page, m.body, m.bodyOf, m.made, m.cost = page, body, version, time.Now(), time.Since(start)
	m.games = m.view.Log.NumGames
	m.reports++
	return body, version, nil
}

// figure returns a chart of the report by its name.
func (m *model) figure(name string) (reports.Plot, error) {
	if _, _, err := m.report(); err != nil {
		return reports.Plot{}, err
	}
	for _, p := range m.page.Plots() {
		if p.Name == name {
			return p, nil
		}
	}
	return reports.Plot{}, fmt.Errorf("the report has no figure %q", name)
}

// figures names the report's charts in their order.
func (m *model) figures() []string {
	return append([]string{}, text.Each(m.page.Plots(), func(p reports.Plot) string { return p.Name })...)
}

// scores returns A's scores in each part of the run so far.
func (m *model) scores() map[string]float64 {
	score := map[string]float64{}
	for _, p := range m.charts.parts {
		score[p.name] = p.pairs.Score()
	}
	return score
}

// planned returns the number of games of all phases, at most; 0 where the kind does not know it.
func (m *model) planned() int64 {
	if c := m.view.Head.Kind.Command; c != nil && c.Games != nil {
		return c.Games(m.view.Config)
	}
	return 0
}

// playForm returns the page of a game against the player found by the run; "" without a player that
// a page can play.
func (m *model) playForm() string {
	head := m.view.Head
	game, err := head.Game()
	if err != nil || head.Kind.PlayerFile == "" {
		return ""
	}
	for _, p := range foundPlayer(m.dir, "", head.Kind, game) {
		return "play#" + url.Values{"game": {game.Name}, "rules": {head.Meta.Rules}, "first": {""}, "second": {"=" + p.Values}, "go": {"1"}}.Encode()
	}
	return ""
}

// verifyForm returns the form of a run of the default kind that compares the player that the
// run found with the one it began with; "" if it found none.
func (m *model) verifyForm() string {
	meta := m.view.Log.Meta
	kind, err := m.kinds.Find(meta.Kind)
	if err != nil || kind.PlayerFile == "" {
		return ""
	}
	found := filepath.Join(m.dir, kind.CandidateFile)
	if _, err := os.Stat(found); err != nil {
		found = filepath.Join(m.dir, kind.PlayerFile)
	}
	return "new?" + url.Values{
		"game": {meta.Game}, "rules": {meta.Rules}, "seed": {strconv.FormatUint(meta.Seed+1, 10)},
		"a": {found}, "b": {filepath.Join(m.dir, kind.StartFile)},
	}.Encode()
}

// fault is a game that was lost by a fault while it was watched.
type fault struct {
	Game   string `json:"game"` // TRIAL:PAIR:GAME
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

func faultsOf(live *view.Live) (list []fault) {
	for _, f := range live.Faults() {
		list = append(list, fault{f.Row.Name(), f.Row.Reason, f.Detail})
	}
	return list
}

// played is the work of one machine in a session of the run.
type played struct {
	Host    string  `json:"host"`
	CPU     string  `json:"cpu"`
	Workers int     `json:"workers"`
	Games   int64   `json:"games"`
	Share   float64 `json:"share"` // of the games of all sessions
	Rate    float64 `json:"rate"`  // games a second; 0 if not known
	// Compared is how many of its pairs were played again to compare them.
	Compared int64 `json:"compared"`
}

// maxPlayed is how many of the latest are listed.
const maxPlayed = 12

// playedBy lists who played the last sessions, the latest first. The machine of a
// session played the games that the others did not.
func playedBy(sessions []datasets.Session) []played {
	list, all := []played{}, int64(0)
	for _, s := range sessions {
		all += s.Games
	}
	share := func(games int64) float64 { return float64(games) / float64(max(1, all)) }
	for i := len(sessions) - 1; i >= 0 && len(list) < maxPlayed; i-- {
		s := sessions[i]
		if s.Seconds > 0 && s.Games == 0 { // a finished run that was resumed
			continue
		}
		rate := func(games int64) float64 {
			if s.Seconds <= 0 {
				return 0
			}
			return float64(games) / s.Seconds
		}
		here := played{Host: s.Host, CPU: s.CPU, Workers: s.Workers, Games: s.Games}
		others := []played{}
		for _, m := range s.Machines {
			here.Games -= m.Games
			others = append(others, played{m.Host, m.CPU, m.Workers, m.Games, share(m.Games), cmp.Or(m.Speed, rate(m.Games)), m.Compared})
		}
		here.Share, here.Rate = share(here.Games), rate(here.Games)
		list = append(append(list, here), others...)
	}
	return list[:min(len(list), maxPlayed)]
}
