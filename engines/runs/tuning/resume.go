package tuning

import (
	"cmp"
	"errors"
	"fmt"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// firstTuner is the version of the tuner of a run that records none.
const firstTuner = 1

// record is what a run that is resumed has of its phases.
type record struct {
	over   int // number of the first phases, in order, that have all their trials
	games  int64
	values params.Vector // recommended after these games of the tunings
}

// resume implements runs.Setup.Resume. A phase that has all its trials is read, and nobody is
// asked for them again. A tuning that lacks some is continued by the version of the tuner that
// began it.
func (c *Config) resume(recorded runs.Result) error {
	r := recorded.(*Result)
	c.recorded = record{over: r.at, games: r.tuningGames(), values: r.Recommend()}
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

// sameTuner reports whether this program has the version of the tuner that began the run.
func (c *Config) sameTuner() bool {
	return cmp.Or(c.Tuner, firstTuner) == cmp.Or(c.method.Info().Version, firstTuner)
}

// source returns the trials of the phase with a number. Those of a phase that is over are only
// read, but a tuner that goes on is told its trials of earlier stages.
func (r *Result) source(number int) (schedule.Source, error) {
	p, over := r.phases[number], number < r.Config.recorded.over
	if t, ok := p.(*tunePhase); ok {
		over = r.Config.recorded.over > lastOf(r.phases, t.name)
	}
	if over {
		return schedule.Past{PhaseName: p.Name(), Over: p.Done}, nil
	}
	return p.Source()
}

// lastOf returns the number of the last phase of a name.
func lastOf(phases []Phase, name string) (last int) {
	for i, p := range phases {
		if p.Name() == name {
			last = i
		}
	}
	return last
}

// diverged adds to the error of a tuning whose tuner asks for other trials than are recorded which
// program continues it. Other errors stay as they are.
func (r *Result) diverged(p Phase, err error) error {
	if _, ok := p.(*tunePhase); !ok || !errors.Is(err, schedule.ErrDiverged) {
		return err
	}
	return fmt.Errorf("%w%s", err, r.Config.remedy(r.Head))
}

// remedy says in further sentences which program continues a tuning, and how to verify the values
// it has found.
func (c *Config) remedy(h *runs.Head) string {
	line := fmt.Sprintf("; it is resumed by the program that began it, %s of revision %s", h.Meta.Program, h.Meta.Revision)
	if c.recorded.games == 0 || c.Objective != nil {
		return line
	}
	space := c.task.Space()
	words := []string{"selfplay", "match", "--game", h.Meta.Game, "--rules", h.Meta.Rules, "--a", c.Start.With(c.recorded.values).Text(space), "--b",
		c.Start.Text(space)}
	return line + fmt.Sprintf(". To verify what it has found by %s: %s", text.Plural(c.recorded.games, "game"), runs.CommandText(words...))
}
