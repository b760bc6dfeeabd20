package view

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/params"
)

// Query chooses runs of a list and their order, in the user's words.
type Query struct {
	Game       string `toml:"game" arg:"GAME" help:"only runs of this game"`
	Kind       string `toml:"kind" arg:"KIND" help:"only runs of this kind: {kinds}"`
	Tag        string `toml:"tag" arg:"TAG" help:"only runs with this tag"`
	Name       string `toml:"name" arg:"TEXT" help:"only runs with this text in their name, tags, note, folder, players or result"`
	Since      string `toml:"since" arg:"DATE" help:"only runs started on this day or later, such as 2026-11-20"`
	State      string `toml:"state" arg:"STATE" help:"only runs in this state: running, finished, interrupted or broken"`
	Unfinished bool   `toml:"unfinished" help:"only unfinished runs"`
	Faulty     bool   `toml:"faulty" help:"only runs with faults or errors"`
	Sort       string `toml:"sort" arg:"KEY" help:"sort by created (newest first), run, name, kind, games or size (largest first), or elo (by the lower end of its interval)"`
	Reverse    bool   `toml:"reverse" help:"reverse the order"`
	Last       *int   `toml:"last" arg:"N" help:"list at most N runs"`
}

// orders are the keys of Query.Sort. Runs that are equal by a key stay in the
// order of List.
var orders = []struct {
	key string
	by  func(a, b runs.Summary) int
}{
	{"created", func(runs.Summary, runs.Summary) int { return 0 }}, // List's own
	{"run", func(a, b runs.Summary) int { return cmp.Compare(a.Run, b.Run) }},
	{"name", func(a, b runs.Summary) int {
		return cmp.Or(-compareBool(a.Name != "", b.Name != ""), cmp.Compare(a.Name, b.Name))
	}},
	{"kind", func(a, b runs.Summary) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Game, b.Game)) }},
	{"games", func(a, b runs.Summary) int { return cmp.Compare(b.Games, a.Games) }},
	{"size", func(a, b runs.Summary) int { return cmp.Compare(b.Bytes, a.Bytes) }},
	{"elo", func(a, b runs.Summary) int {
		return cmp.Compare(b.Lowest(), a.Lowest())
	}},
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Choose returns the runs of a list that match the query, in its order. known are the kinds of this
// program. An error is a *config.Error.
func (q *Query) Choose(list []runs.Summary, known runs.Kinds) ([]runs.Summary, error) {
	since, order, err := q.check(known)
	if err != nil {
		return nil, err
	}
	chosen := slices.DeleteFunc(slices.Clone(list), func(l runs.Summary) bool { return !q.wants(l, since) })
	slices.SortStableFunc(chosen, order)
	if q.Reverse {
		slices.Reverse(chosen)
	}
	if q.Last != nil {
		chosen = chosen[:min(*q.Last, len(chosen))]
	}
	return chosen, nil
}

func (q *Query) check(known runs.Kinds) (since time.Time, order func(a, b runs.Summary) int, err error) {
	if q.Since != "" {
		if since, err = time.ParseInLocation("2006-01-02", q.Since, time.Local); err != nil {
			return since, nil, config.Errorf("since", "%q: want a day, such as 2026-11-20", q.Since)
		}
	}
	if q.Kind != "" {
		if _, err := known.Find(q.Kind); err != nil {
			return since, nil, config.Errorf("kind", "%q: no such kind%s", q.Kind, params.Suggest(q.Kind, known.Names()))
		}
	}
	if states := []string{runs.Running, runs.Finished, runs.Interrupted, runs.Broken}; q.State != "" && !slices.Contains(states, q.State) {
		return since, nil, config.Errorf("state", "%q: no such state%s", q.State, params.Suggest(q.State, states))
	}
	if q.Last != nil && *q.Last < 1 {
		return since, nil, config.Errorf("last", "%d: want at least 1", *q.Last)
	}
	var keys []string
	for _, o := range orders {
		if o.key == cmp.Or(q.Sort, "created") {
			return since, o.by, nil
		}
		keys = append(keys, o.key)
	}
	return since, nil, config.Errorf("sort", "%q: no such order%s", q.Sort, params.Suggest(q.Sort, keys))
}

// wants reports whether a run matches the query.
func (q *Query) wants(l runs.Summary, since time.Time) bool {
	find := strings.ToLower(q.Name)
	holds := func(text string) bool { return strings.Contains(strings.ToLower(text), find) }
	switch {
	case q.Game != "" && l.Game != q.Game, q.Kind != "" && l.Kind != q.Kind, q.Tag != "" && !slices.Contains(l.Tags, q.Tag):
		return false
	case !since.IsZero() && l.Created.Before(since):
		return false
	case q.Name != "" && !slices.ContainsFunc(slices.Concat(l.Tags, []string{l.Name, l.Note, l.Run, l.What, l.Result}), holds):
		return false
	case q.State != "" && l.State != q.State:
		return false
	case q.Unfinished && (l.Finished || l.Fault != ""), q.Faulty && l.Fault == "":
		return false
	}
	return true
}
