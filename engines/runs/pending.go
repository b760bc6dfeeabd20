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

// Played implements schedule.Pending. A pair is that of a job if the job is the same
// to the last letter: same trial, seats, limits and seeds. Lists without members are left out,
// since a run that is read again has them where a new one has none.
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

// Pending is the number of games that are kept of unfinished trials: no rows tell of
// them yet.
func (r *Run) Pending() int64 { return r.pending }
