package datasets

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A reader that follows a writer sees every row once, and only whole trials at any moment.
func TestRefreshWhileWriting(t *testing.T) { eachKind(t, testRefreshWhileWriting) }

func testRefreshWhileWriting(t *testing.T, meta Meta) {
	if testing.Short() {
		t.Skip("writes runs again and again")
	}
	t.Parallel()
	const n = 40 // eight parts
	dir := newRunWith(t, meta, 0)
	log := must[*Log](t)(Read(dir))
	w, _, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		for i := range int64(n) {
			err := appendTrial(w, i)
			if err == nil && i%3 != 1 {
				err = w.Checkpoint()
			}
			if err != nil {
				done <- err
				return
			}
		}
		done <- w.Close()
	}()
	var trials []TrialRow
	var games []GameRow
	var moves []MoveRow
	for log.NumTrials < n {
		from := Filter{From: log.NumTrials}
		grown, err := log.Refresh()
		if err != nil {
			t.Fatal(err)
		}
		if grown != (log.NumTrials > from.From) {
			t.Fatalf("grown %v from %d to %d trials", grown, from.From, log.NumTrials)
		}
		if !grown {
			continue
		}
		trials, games = append(trials, collect(t, log.Trials(from))...), append(games, collect(t, log.Games(from))...)
		if meta.RecordMoves != NoMoves {
			moves = append(moves, collect(t, log.Moves(from))...)
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	checkLog(t, log, n)
	if diff := cmp.Diff(collect(t, log.Trials(Filter{})), trials); diff != "" {
		t.Errorf("trials (-want +followed):\n%s", diff)
	}
	if diff := cmp.Diff(collect(t, log.Games(Filter{})), games); diff != "" {
		t.Errorf("games (-want +followed):\n%s", diff)
	}
	if meta.RecordMoves != NoMoves {
		if diff := cmp.Diff(collect(t, log.Moves(Filter{})), moves); diff != "" {
			t.Errorf("moves (-want +followed):\n%s", diff)
		}
	}
	if grown, err := log.Refresh(); grown || err != nil {
		t.Errorf("at the end: %v, %v", grown, err)
	}
}

// Refresh does not read finished parts again. A log that cannot be refreshed stays unchanged.
func TestRefreshLooksAtTheEnd(t *testing.T) {
	whole := contents(t, newRun(t, 17)) // parts of five trials
	dir := newRun(t, 12)
	log := must[*Log](t)(Read(dir))
	put(t, dir, trials0, []byte("PAR1"))
	put(t, dir, games1, []byte("PAR1"))
	for _, name := range []string{games2, "games/part-000003.parquet", trials2, "trials/part-000003.parquet"} {
		if err := WriteFile(filepath.Join(dir, name), []byte(whole[name])); err != nil {
			t.Fatal(err)
		}
	}
	if grown, err := log.Refresh(); !grown || err != nil || log.NumTrials != 17 {
		t.Fatalf("grown %v, %v, %d trials", grown, err, log.NumTrials)
	}
	games := 0
	for i := int64(12); i < 17; i++ {
		trial, _ := testTrial(i)
		games += int(trial.Games)
	}
	if got := collect(t, log.Games(Filter{From: 12})); len(got) != games {
		t.Errorf("%d new games, want %d", len(got), games)
	}
	before := *log
	put(t, dir, "trials/part-000003.parquet", []byte(contents(t, newRun(t, 16))["trials/part-000003.parquet"])) // one trial instead of two
	_, err := log.Refresh()
	wantError(t, err, "part-000003.parquet: changed since the run was opened")
	remove(t, dir, "trials/part-000003.parquet")
	_, err = log.Refresh()
	wantError(t, err, "part-000003.parquet")
	put(t, dir, "trials/part-000003.parquet", []byte(whole[trials2]))
	_, err = log.Refresh()
	wantError(t, err, "part-000003.parquet", "starts at trial 10, trial 15 is next")
	if log.NumTrials != before.NumTrials || log.NumGames != before.NumGames || len(log.spans) != len(before.spans) {
		t.Errorf("a failed refresh changed the log to %d trials", log.NumTrials)
	}
}

// TestVerifyFindsDamageInsideParts has damage that the footers of the parts do not show.
func TestVerifyFindsDamageInsideParts(t *testing.T) {
	whole := contents(t, newRunWith(t, movesMeta, 12))
	if err := must[*Log](t)(Read(newRunFrom(t, whole))).Verify(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{trials0, games1, moves2} {
		dir := newRunFrom(t, whole)
		data := []byte(whole[name])
		data[100] ^= 1
		put(t, dir, name, data)
		wantError(t, must[*Log](t)(Read(dir)).Verify(), name, "checksum", "move part-")
	}
	dir := newRunFrom(t, whole) // valid games, but not of these trials
	_, a := testTrial(10)
	_, b := testTrial(11)
	a[0].Plies++
	put(t, dir, games2, partWith(t, append(a, b...), movesMeta, span{10, 2, 6}))
	wantError(t, must[*Log](t)(Read(dir)).Verify(), games2, trials2, "disagree", "trial 10: plies is 80, its games add up to 81", "trials from 10 on")
}

// TestOnlyLastPartMayGrow compares a part with its older state: equal, or longer if it is the
// last one.
func TestOnlyLastPartMayGrow(t *testing.T) {
	old := span{first: 5, trials: 3, games: 6}
	for _, v := range []struct {
		now  span
		last bool
		want bool
	}{
		{old, false, true}, {span{5, 4, 8}, true, true}, {span{5, 4, 8}, false, false}, {span{4, 4, 8}, true, false}, {span{5, 4, 5}, true, false},
		{span{5, 2, 4}, true, false},
	} {
		if got := v.now.extends(old, v.last); got != v.want {
			t.Errorf("%+v, last %v: %v", v.now, v.last, got)
		}
	}
}
