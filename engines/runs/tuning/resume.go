package tuning

import (
	"cmp"
	"fmt"

	"selfplaylab/engines/runs"
)

// resume implements runs.Setup.Resume. A phase with all its trials is read, and asks no tuner. An
// unfinished tuning is continued by the version of the tuner that began it.
func (c *Config) resume(recorded runs.Result) error {
	r := recorded.(*Result)
	c.recorded = earlier{over: r.at, games: r.tuningGames(), values: r.Recommend()}
	if r.played > 0 && r.phases[r.at].Done() {
		c.recorded.over++
	}
	if c.sameTuner() {
		return nil
	}
	for _, p := range r.phases[c.recorded.over:] {
		if _, ok := p.(*tunePhase); ok {
			return fmt.Errorf("version %d of the tuner of %s began this tuning, and this program has version %d, which would continue with other "+
				"trials%s", cmp.Or(c.Tuner, firstTuner), c.Method, c.method.Info().Version, c.remedy(r.Head))
		}
	}
	return nil
}
