package tuning

import "selfplaylab/datasets"

// Summary is how far a recorded run has come and what it shows so far.
type Summary struct {
	Result
	Spec     Spec
	Finished bool
	Tuned    int64 // games of the tuning itself that are recorded
	Planned  int64 // of those it asks for
}

// Summarize reads a recorded run, finished or not, from its trials alone.
func Summarize(log *datasets.Log) (Summary, error) {
	s, err := readTrials(log)
	if err != nil {
		return Summary{}, err
	}
	return Summary{Result: s.result(), Spec: s.spec, Finished: s.finished, Tuned: s.tuned, Planned: s.planned}, nil
}
