package runs

import (
	"encoding/json"
	"fmt"
	"math"
	"sync"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/games"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Summary is a run in a list. A Result fills in What to Estimate, a View all fields.
type Summary struct {
	Run      string               `json:"run"`  // its folder
	Name     string               `json:"name"` // given by the user; "" for none
	Tags     []string             `json:"tags"` // in order
	Note     string               `json:"note"` // the user's note, in lines; "" for none
	Kind     string               `json:"kind"`
	Game     string               `json:"game"`
	Created  time.Time            `json:"created"`
	What     string               `json:"what"`     // players or method
	Question string               `json:"question"` // question of the run, in words
	Answer   string               `json:"answer"`   // Yes, No or Undecided; "" where the question is no yes or no
	Finished bool                 `json:"finished"` // nothing is left to play
	Result   string               `json:"result"`   // or how far it has come; "" if not known
	Estimate *rating.Estimate     `json:"estimate"` // of a run about one difference; else nil
	Trials   int64                `json:"trials"`
	Games    int64                `json:"games"`
	Bytes    int64                `json:"bytes"` // of all files; 0 if not measured
	Moves    datasets.RecordMoves `json:"record_moves"`
	Fault    string               `json:"fault"`           // why the run cannot be read; "" if it can
	Title    string               `json:"title"`           // of the game
	State    string               `json:"state"`           // Running, Finished, Interrupted or Broken
	Rate     float64              `json:"rate"`            // games a second of the latest session; 0 if not known
	Seconds  float64              `json:"seconds"`         // how long its finished sessions took
	Since    *time.Time           `json:"since,omitempty"` // first sight of the session that plays it; nil if none does
}

// Caption returns kind, game and players or method of the run in a few words.
func (s Summary) Caption() string {
	caption := s.Kind
	if s.Game != "" {
		caption += " " + s.Game
	}
	if s.What != "" {
		caption += ": " + s.What
	}
	return caption
}

// Lowest returns the lower end of the interval in Elo; -Inf without an interval to rely on.
func (s Summary) Lowest() float64 {
	if s.Estimate == nil || s.Estimate.Early() {
		return math.Inf(-1)
	}
	return s.Estimate.EloRange.Low
}

// Played returns the number of games in words.
func (s Summary) Played() string { return text.Plural(s.Games, "game") }

// Describe fills in the fields that need no rows.
func (s *Summary) Describe(m datasets.Meta) {
	s.Name, s.Kind, s.Game, s.Title = m.Name, m.Kind, games.Label(m.Game), gameTitle(m)
	s.Created, s.Moves = m.Created.UTC(), m.RecordMoves
}

// States of a run.
const (
	Running     = "running" // by this process or another
	Finished    = "finished"
	Interrupted = "interrupted" // can be resumed
	Broken      = "broken"      // cannot be read
)

// Answers to a run's question.
const (
	Yes       = "yes"
	No        = "no"
	Undecided = "undecided" // or not decided yet
)

// Answer returns the answer of an estimate to the question whether A is stronger, for lists and
// reports. Few observations are Undecided; an estimate of a fixed number counts at its end.
func Answer(e rating.Estimate, finished bool) string {
	if e.N < rating.MinSample || !finished && !e.AnyTime {
		return Undecided
	}
	return [...]string{No, Undecided, Yes}[e.Decided()+1]
}

// summaryVersion is raised when the content of summaries changes, because some builds do not know
// their revision.
const summaryVersion = 4

// thisBuild names the program by the revision of its source.
var thisBuild = sync.OnceValue(func() string {
	b := ThisBuild()
	return fmt.Sprintf("%s %s, summary %d", b.Program, b.Revision, summaryVersion)
})

// NotedSummary returns the summary that the latest of a run's sessions noted, with its size in dir.
// ok is false if there is none, another program noted it, the run is being played, or the record
// has changed since. Of the record it reads the parts of the fingerprint: the ends of the parquet
// parts, and run.toml without parsing it.
func NotedSummary(dir string, sessions []datasets.Session) (s Summary, ok bool) {
	if len(sessions) == 0 {
		return s, false
	}
	note := sessions[len(sessions)-1].Summary
	if note == nil || note.By != thisBuild() || json.Unmarshal(note.Summary, &s) != nil || s.Kind == "" || datasets.Busy(dir) {
		return s, false
	}
	now, size, err := datasets.Fingerprint(dir)
	s.Bytes = size
	return s, err == nil && now == note.Of
}

// Cached returns the summary in the form that a session of the run in dir notes for NotedSummary;
// nil if the record cannot be read, whose error the next reader reports.
func (s Summary) Cached(dir string) *datasets.CachedSummary {
	data, err := json.Marshal(s)
	if err != nil {
		return nil
	}
	of, _, err := datasets.Fingerprint(dir)
	if err != nil {
		return nil
	}
	return &datasets.CachedSummary{Of: of, By: thisBuild(), Summary: data}
}

// gameTitle returns the title of a run's game, also of a game that this program lacks.
func gameTitle(m datasets.Meta) string {
	if game, err := games.Find(m.Game); err == nil {
		return game.Title
	}
	return games.Label(m.Game)
}
