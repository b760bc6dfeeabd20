package runs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/text"
)

// Source is a part of a merged answer.
type Source struct {
	Dir      string `json:"run"`
	Seed     uint64 `json:"seed"`
	Games    int64  `json:"games"`
	Planned  int64  `json:"planned"`  // games
	Revision string `json:"revision"` // of the program that began it
	Command  string `json:"command"`
}

// Count is how many games the part has, and of how many if it is not finished.
func (s *Source) Count() string {
	if s.Games < s.Planned {
		return text.Count(s.Games) + " of " + text.Count(s.Planned)
	}
	return text.Count(s.Games)
}

// Merge puts runs of one question and different seeds together: the result is that of
// one run as long as all of them. Their games must be independent, so no seed may be
// there twice, and none may have been stopped by its result.
func (k Kinds) Merge(list []*Recorded) (Result, []Source, error) {
	if len(list) < 2 {
		return nil, nil, errors.New("want two runs or more")
	}
	whole, err := Open(list[0].Log.Dir, k.Find) // to be changed
	if err != nil {
		return nil, nil, err
	}
	head := whole.Head
	head.Dir, head.Sessions = "", nil
	var from []Source
	for _, r := range list {
		if err := mergeable(r, list[0], from); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", r.Log.Dir, err)
		}
		m := r.Log.Meta
		from = append(from, Source{Dir: r.Log.Dir, Seed: m.Seed, Games: r.Log.NumGames, Revision: m.Revision, Command: m.Command})
		head.Sessions = append(head.Sessions, r.Head.Sessions...)
	}
	one, err := whole.Config.NewResult(head)
	if err != nil {
		return nil, nil, err
	}
	for i := range from { // all have the same settings
		from[i].Planned = one.Progress("", [5]int{}).Planned
	}
	if err := multiply(whole, len(list)); err != nil {
		return nil, nil, err
	}
	merged, err := whole.Config.NewResult(head)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range list {
		for f, err := range schedule.Recorded(r.Log, datasets.Filter{}) {
			if err == nil {
				err = merged.Add(f)
			}
			if err != nil {
				return nil, nil, err
			}
		}
	}
	return merged, from, nil
}

// multiply makes a run n times as long.
func multiply(r *Recorded, n int) error {
	for _, f := range config.Fields(r.Config) {
		if f.Name == r.Head.Kind.LengthField(r.Config) {
			length, err := strconv.Atoi(f.Texts()[0])
			return errors.Join(err, f.Set(strconv.Itoa(n*length)))
		}
	}
	return nil
}

// mergeable reports whether a run may join others, the first of which is given.
func mergeable(r, first *Recorded, others []Source) error {
	m, f := r.Log.Meta, first.Log.Meta
	switch {
	case r.Head.Unavailable != nil:
		return r.Head.Unavailable
	case r.setup.Unmergeable != nil:
		return r.setup.Unmergeable
	case m.Kind != f.Kind || m.Game != f.Game:
		return fmt.Errorf("is a %s of %s, and %s is a %s of %s", m.Kind, m.Game, first.Log.Dir, f.Kind, f.Game)
	case m.GameVersion != f.GameVersion:
		return fmt.Errorf("was played by version %d of %s, %s by version %d: their games are of other players", m.GameVersion, m.Game,
			first.Log.Dir, f.GameVersion)
	case m.Rules != f.Rules:
		return fmt.Errorf("was played by the rules %s, %s by %s", m.Rules, first.Log.Dir, f.Rules)
	}
	if mine, its := r.settings(), first.settings(); !slices.Equal(mine, its) {
		if a, b := parts(mine), parts(its); without(a, b) != without(b, a) { // else they differ in their order alone
			mine, its = a, b
		}
		return fmt.Errorf("has other settings than %s:\n  %s  %s\n  %s  %s", first.Log.Dir, r.Log.Dir, without(mine, its), first.Log.Dir,
			without(its, mine))
	}
	if rules := r.Config.Conditions(); rules.InOrder() {
		return fmt.Errorf("takes its openings from %s, as it would with every seed, so its games tell little that the others do not",
			rules.Openings)
	}
	if i := slices.IndexFunc(others, func(o Source) bool { return o.Seed == m.Seed }); i >= 0 {
		return fmt.Errorf("has seed %d, and so has %s: the same games would count twice", m.Seed, others[i].Dir)
	}
	return nil
}

// settings are those of the run as texts, names of players left out.
func (r *Recorded) settings() (list []string) {
	for _, said := range settings(r.Head, r.Config, r.setup, false) {
		for _, value := range said.Values {
			list = append(list, said.Name+" "+value)
		}
	}
	return list
}

// parts are the single values of settings that are lists, such as the vectors of players.
func parts(settings []string) (list []string) {
	for _, s := range settings {
		name, values, _ := strings.Cut(s, " ")
		for value := range strings.SplitSeq(values, ",") {
			list = append(list, name+" "+value)
		}
	}
	return list
}

// without are the settings of a list that another list lacks, as text.
func without(list, other []string) string {
	list = slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
	return cmp.Or(strings.Join(list, ", "), "(nothing more)")
}
