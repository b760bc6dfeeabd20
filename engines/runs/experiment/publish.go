package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/reports"
)

// Comparison holds results against published ones.
type Comparison struct {
	Same        int // results compared count by count
	Within      int // results within chance of the full budget's
	Differences []difference
}

// Compare holds new results against the published ones.
func (p *Publication) Compare(got Results, quick bool) Comparison {
	var c Comparison
	want := p.Full
	if quick {
		want = p.Quick
		c.Within, c.Differences = within(got, p.Full)
	}
	same, differences := same(got, want)
	c.Same, c.Differences = same, append(differences, c.Differences...)
	return c
}

// JSON returns the entries of a comparison.
func (c Comparison) JSON() runs.Object {
	differences := []runs.Object{}
	for _, d := range c.Differences {
		differences = append(differences, runs.Object{{"id", d.ID}, {"detail", d.Detail}})
	}
	return runs.Object{{"same", c.Same}, {"within", c.Within}, {"differences", differences}}
}

// CheckPublish reports why results cannot be published in the folder of the experiment's
// file: before hours of play, not after.
func (s *Study) CheckPublish() error {
	if s.File == "" {
		return errors.New("this experiment is part of the program: there is no file whose folder could take the results")
	}
	if _, err := os.Lstat(filepath.Join(s.Here(), outcomeName)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	name := filepath.Join(s.Here(), reports.ReadmeName)
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there, and no published experiment: it would be replaced; give the experiment a folder of its own", name)
	}
	return nil
}

// Publish writes the results to the folder of the experiment's file: the page with its figures and
// counts for a full run, the counts for a quick one. The warnings of the runs' reports stay in the
// run's folder; reading.md repeats the warnings that matter to the claims.
func (s *Study) Publish(t Result, page reports.Page) error {
	if err := s.CheckPublish(); err != nil {
		return err
	}
	outcome, err := s.outcome(t)
	if err != nil {
		return err
	}
	data, err := outcome.encode()
	if err != nil {
		return err
	}
	if err := datasets.WriteFile(filepath.Join(s.Here(), outcomeName), data); err != nil {
		return err
	}
	folder := s.Here()
	if s.Quick {
		folder = filepath.Join(folder, quickFolder)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
	}
	if err := writeCounts(folder, t.Results); err != nil || s.Quick {
		return err
	}
	page.Nav, page.Warnings = nil, t.cautions() // the runs stay where they were played
	return page.WriteReadme(s.Here(), datasets.WriteFile)
}

// outcome returns the outcome, with the one published before for the other budget.
func (s *Study) outcome(t Result) (Outcome, error) {
	name := filepath.Join(s.Here(), outcomeName)
	data, err := datasets.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return t.Outcome, nil
	}
	before, bad := decodeOutcome(name, data)
	if err := cmp.Or(err, bad); err != nil {
		return Outcome{}, err
	}
	if s.Quick {
		before.Quick = t.Outcome.Quick
		return before, nil
	}
	t.Outcome.Quick = before.Quick
	return t.Outcome, nil
}

// JSON returns the result as one object.
func (t Result) JSON() (runs.Object, error) {
	answers, err := t.Answers()
	if err != nil {
		return nil, err
	}
	rows, searches, claims := []runs.Object{}, []runs.Object{}, []runs.Object{}
	for _, r := range t.Results.Rows {
		games := r.games()
		rows = append(rows, runs.Object{
			{"id", r.ID()}, {"a", r.A}, {"b", r.B}, {"pairs", r.Pairs()}, {"wins", games.Wins}, {"draws", games.Draws}, {"losses", games.Losses},
			{"estimate", r.Pairs().Estimate(Level)}, {"first_player", r.first().Estimate(Level)}, {"compared", r.Compared},
			{"differing", r.Differing}, {"repeatable", r.Repeats},
		})
	}
	for _, s := range t.Results.Searches {
		searches = append(searches, runs.Object{
			{"id", s.ID()}, {"positions", s.Positions}, {"nodes", s.Nodes}, {"seconds", s.Seconds}, {"same_score", s.SameScore},
			{"same_move", s.SameMove},
		})
	}
	for _, a := range answers {
		claims = append(claims, runs.Object{{"says", a.Says}, {"measured", a.Measured}, {"verdict", a.Verdict}})
	}
	return runs.Object{
		{"name", t.Name}, {"quick", t.Quick}, {"results", rows}, {"searches", searches}, {"claims", claims}, {"left_out", append([]string{}, t.LeftOut...)},
		{"run", t.Dir},
	}, nil
}
