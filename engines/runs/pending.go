package runs

import (
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"selfplaylab/engines/play"
)

// keptPair is how a pair of a trial that is not finished is kept.
type keptPair struct {
	Job  json.RawMessage `json:"job"`
	Pair play.Pair       `json:"pair"`
}

// readPending reads the pairs that earlier sessions kept.
func (r *Run) readPending() error {
	values, err := r.writer.Pending()
	if err != nil {
		return err
	}
	r.kept = map[string]play.Pair{}
	for _, v := range values {
		var k keptPair
		if err := json.Unmarshal(v, &k); err != nil {
			return fmt.Errorf("%s: pairs of unfinished trials: %w; without pending.jsonl they are played again", r.Head.Dir, err)
		}
		r.kept[string(k.Job)] = k.Pair
	}
	return nil
}

// Played implements schedule.Pending. A recorded pair belongs to a job if the job is equal:
// trial, seats, limits and seeds. Empty lists are left out of the comparison, because a new job
// has none where a recorded one has an empty list.
func (r *Run) Played(j play.Job) (p play.Pair, kept bool, err error) {
	if len(r.kept) == 0 {
		return p, false, nil
	}
	job, err := json.Marshal(j)
	if err != nil {
		return p, false, err
	}
	p, kept = r.kept[string(job)]
	delete(r.kept, string(job))
	return p, kept, nil
}

// Keep implements schedule.Pending: pairs are saved as often as trials, and after
// them, so that a pair is on disk as one or the other.
func (r *Run) Keep(played iter.Seq2[play.Job, *play.Pair], last bool) error {
	now := time.Now()
	if !last && now.Sub(r.saved) <= checkpointEvery {
		return nil
	}
	r.saved = now
	if err := r.writer.Checkpoint(); err != nil {
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
	r.pending = 2 * int64(len(values))
	return r.writer.SetPending(values)
}

// Pending returns the number of games kept of unfinished trials, which have no rows yet.
func (r *Run) Pending() int64 { return r.pending }
