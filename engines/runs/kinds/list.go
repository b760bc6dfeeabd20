package kinds

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/reports/rating"
)

// Listed is one run of a list.
type Listed struct {
	Run      string               `json:"run"`
	Name     string               `json:"name"` // given by people; "" for none
	Tags     []string             `json:"tags"` // in order
	Kind     string               `json:"kind"`
	Game     string               `json:"game"`
	Created  time.Time            `json:"created"`
	What     string               `json:"what"`     // players or method
	Finished bool                 `json:"finished"` // nothing is left to play
	Result   string               `json:"result"`   // or how far it has come; "" if not known
	Estimate *rating.Estimate     `json:"estimate"` // of matches and verified tuning runs
	Trials   int64                `json:"trials"`
	Games    int64                `json:"games"`
	Bytes    int64                `json:"bytes"`
	Moves    datasets.RecordMoves `json:"record_moves"`
	Fault    string               `json:"fault"` // what is wrong with it, or with reading it here; "" if nothing

	title string // of the game, for people; "" if not known
}

// List reads the runs in and below some folders, the newest first. Those whose
// age cannot be read come last.
func List(folders ...string) ([]Listed, error) {
	list := []Listed{}
	for _, folder := range folders {
		infos, err := datasets.List(folder)
		if err != nil {
			return nil, fmt.Errorf("list of runs: %w", err)
		}
		for _, info := range infos {
			list = append(list, judge(info))
		}
	}
	slices.SortStableFunc(list, func(a, b Listed) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Run, b.Run)) })
	return list, nil
}

// judge tells what a run is and what came of it.
func judge(info datasets.Info) Listed {
	l := Listed{
		Run: info.Dir, Name: info.Labels.Name, Tags: append([]string{}, info.Labels.Tags...), Kind: info.Meta.Kind, Game: info.Meta.Game, Created: info.Meta.Created.UTC(),
		Trials: info.Trials, Games: info.Games, Bytes: info.Size, Moves: info.Meta.RecordMoves,
	}
	err := info.Err
	if err == nil {
		err = l.tell(info.Log)
	}
	if err != nil {
		l.Fault = err.Error()
	}
	return l
}

// tell fills in what a readable run was asked and what came of it.
func (l *Listed) tell(log *datasets.Log) error {
	recorded, err := runs.OpenLog(log, Find)
	if err != nil {
		return err
	}
	l.title = recorded.Head.Title()
	told, err := recorded.Result()
	if err != nil {
		return err
	}
	s, err := told.Summary()
	l.What, l.Finished, l.Result, l.Estimate = s.What, s.Finished, s.Result, s.Estimate
	return err
}
