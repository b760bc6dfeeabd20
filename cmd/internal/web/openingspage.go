package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/replay"
)

// maxTrees is how many trees are kept, of some megabytes at most, and shownMoves how far an
// answer goes beyond the line that a page shows.
const (
	maxTrees   = 4
	shownMoves = 1
)

// tree returns a tree that fits the question, or begins one.
func (s *site) tree(ids []string, phase string, least int) (*tree, error) {
	switch n := len(ids); {
	case n == 0:
		return nil, errors.New("no run is chosen: open one and press Openings")
	case n > maxCompared:
		return nil, fmt.Errorf("%d runs: want at most %d", n, maxCompared)
	}
	var stamp string
	var dirs []string
	for _, id := range ids {
		dir, err := s.library.dir(id)
		if err != nil {
			return nil, err
		}
		dirs, stamp = append(dirs, dir), stamp+fmt.Sprint(stampOf(dir))
	}
	of := fmt.Sprintf("%q %q %d", ids, phase, least)
	l := &s.trees
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.list, func(t *tree) bool { return t.of == of }); i >= 0 {
		t := l.list[i]
		if l.list = slices.Delete(l.list, i, i+1); !t.late(stamp) {
			l.list = append(l.list, t)
			t.expiry.Reset(firstSilence)
			return t, nil
		}
	}
	ctx, cancel := context.WithCancel(s.searches.life)
	t := &tree{of: of, stamp: stamp, cancel: cancel, expiry: time.AfterFunc(firstSilence, cancel), done: make(chan struct{})}
	if l.list = append(l.list, t); len(l.list) > maxTrees {
		l.list[0].cancel()
		l.list = slices.Delete(l.list, 0, 1)
	}
	s.searches.group.Go(func() {
		l.making.Lock()
		defer l.making.Unlock()
		defer close(t.done)
		start := time.Now()
		var list []*runs.Recorded
		if list, t.err = s.kinds.OpenAll(dirs); t.err == nil {
			t.all, t.err = replay.NewOpenings(ctx, list, phase, least, &t.far)
		}
		t.made, t.cost = time.Now(), time.Since(start)
	})
	return t, nil
}

// openings shows the page of the opening tree of runs; its script requests the tree.
func (s *site) openings(w http.ResponseWriter, r *http.Request) {
	type run struct{ ID, Call string }
	var list []run
	for _, id := range r.URL.Query()["run"] {
		_, call, err := s.names(id)
		if err != nil {
			s.refuse(w, r, page{Title: "These openings cannot be shown", Here: "openings"}, err)
			return
		}
		list = append(list, run{id, call})
	}
	s.show(w, r, "openings", page{Title: "Openings", Here: "openings", Data: list})
}

// dataOpenings answers with a line of the opening tree of runs and the moves after it, or
// with how many games are read so far.
func (s *site) dataOpenings(r *http.Request) (any, error) {
	q := r.URL.Query()
	least, _ := strconv.Atoi(q.Get("min")) // none is 0
	t, err := s.tree(q["run"], q.Get("phase"), max(0, least))
	if err != nil {
		return nil, coded{http.StatusNotFound, err}
	}
	select {
	case <-t.done:
	case <-r.Context().Done():
		return nil, r.Context().Err()
	case <-time.After(atOnce):
		return map[string]int64{"read": t.far.Read.Load(), "of": t.far.Of.Load()}, nil
	}
	var at *replay.Openings
	if err = t.err; err == nil {
		at, err = t.all.At(q.Get("line"), shownMoves)
	}
	if err != nil { // readers see no folders of the server
		err = errors.New(strings.ReplaceAll(err.Error(), s.library.root+string(filepath.Separator), ""))
	}
	return at, err
}
