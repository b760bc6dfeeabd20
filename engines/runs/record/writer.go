package record

import (
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
)

// checkpointEvery bounds how much a kill can lose, in wall time.
const checkpointEvery = 10 * time.Second

// writer writes the trials of a run to its directory, and the finished pairs of unfinished trials.
type writer struct {
	*datasets.Writer
	saved   time.Time            // when the latest rows were
	kept    map[string]play.Pair // pairs that earlier sessions kept of unfinished trials, by job
	pending int64                // games kept of unfinished trials
}

// Append implements schedule.Recorder.
func (w *writer) Append(t datasets.TrialRow, games []datasets.GameRow, moves []datasets.MoveRow) error {
	if err := w.Writer.Append(t, games, moves); err != nil {
		return err
	}
	if now := time.Now(); now.Sub(w.saved) > checkpointEvery {
		w.saved = now
		return w.Checkpoint()
	}
	return nil
}

// keptPair is how a pair of a trial that is not finished is kept.
type keptPair struct {
	Job  json.RawMessage `json:"job"`
	Pair play.Pair       `json:"pair"`
}

// readPending reads the pairs that earlier sessions kept.
func (w *writer) readPending(dir string) error {
	values, err := w.Pending()
	if err != nil {
		return err
	}
	w.kept = map[string]play.Pair{}
	for _, v := range values {
		var k keptPair
		if err := json.Unmarshal(v, &k); err != nil {
			return fmt.Errorf("%s: pairs of unfinished trials: %w; without pending.jsonl they are played again", dir, err)
		}
		w.kept[string(k.Job)] = k.Pair
	}
	return nil
}

// Played implements schedule.Pending. A recorded pair belongs to a job if the job is equal:
// trial, seats, limits and seeds. Empty lists are left out of the comparison, because a new job
// has none where a recorded one has an empty list.
func (w *writer) Played(j play.Job) (p play.Pair, kept bool, err error) {
	if len(w.kept) == 0 {
		return p, false, nil
	}
	job, err := json.Marshal(j)
	if err != nil {
		return p, false, err
	}
	p, kept = w.kept[string(job)]
	delete(w.kept, string(job))
	return p, kept, nil
}

// Keep implements schedule.Pending: pairs are saved as often as trials, and after
// them, so that a pair is on disk as one or the other.
func (w *writer) Keep(played iter.Seq2[play.Job, *play.Pair], last bool) error {
	now := time.Now()
	if !last && now.Sub(w.saved) <= checkpointEvery {
		return nil
	}
	w.saved = now
	if err := w.Checkpoint(); err != nil {
		return err
	}
	var values []json.RawMessage
	for j, p := range played {
		job, err := json.Marshal(j)
		if err != nil {
			return err
		}
		v, err := json.Marshal(keptPair{job, *p})
		if err != nil {
			return err
		}
		values = append(values, v)
	}
	w.pending = 2 * int64(len(values))
	return w.SetPending(values)
}
