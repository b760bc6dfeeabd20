package cluster

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"selfplaylab/engines/play"
	"selfplaylab/engines/testmode"
)

// stage returns a dispatcher and a time, with workers of one core each.
func stage(workers ...string) (*dispatcher, time.Time) {
	d, now := newDispatcher(newSecret([32]byte{1})), time.Now()
	d.begin(false)
	for _, id := range workers {
		d.hear(greeting{ID: id, Host: id, Slots: 1}, now)
	}
	return d, now
}

// job returns a job of one pair, of players that repeat their decisions or not.
func job(trial int64, exact bool) play.Job {
	j := play.Job{Trial: trial, To: 1}
	if !exact {
		j.Seats[1].Limits.Time = time.Second
	}
	return j
}

// TestLostWorkGoesToOthersAtOnce gives the work of a worker that was lost or left to another
// worker, before any new work, and never to a worker that had it.
func TestLostWorkGoesToOthersAtOnce(t *testing.T) {
	for became, want := range map[take]int{lost: 1, done: 0} {
		d, now := stage("a")
		d.add(play.Job{To: 3})
		first, _ := d.give(now)
		second, _ := d.give(now)
		if w, _ := d.give(now); w != nil || second == nil {
			t.Fatalf("a worker of one core has %v and gets %v", d.workers["a"].has, w)
		}
		d.hear(greeting{ID: "b", Slots: 1}, now)
		d.leave(d.workers["a"], became, now)
		for _, w := range []*work{first, second} {
			if got, m := d.give(now); got != w || m.ID != "b" || len(d.lostWith(w)) != want {
				t.Errorf("given out %+v, lost with %v", got, d.lostWith(w))
			}
		}
	}
}

// TestWorkLostOnItsWayIsGivenAgain: a greeting may have been sent before the piece arrived. If
// the next greeting does not name the piece, it is given out again, also to the same worker.
func TestWorkLostOnItsWayIsGivenAgain(t *testing.T) {
	for _, arrived := range []bool{true, false} {
		d, now := stage("a")
		d.add(play.Job{To: 1})
		w, m := d.give(now)
		d.hear(greeting{ID: "a"}, now)
		if again, _ := d.give(now); again != nil {
			t.Errorf("given again after one greeting: %+v", again)
		}
		var held []uint64
		if arrived {
			held = []uint64{w.number}
		}
		d.hear(greeting{ID: "a", Held: held}, now)
		if again, to := d.give(now); (again == w && to == m) == arrived || (again == nil) != arrived {
			t.Errorf("arrived %v: given again %+v", arrived, again)
		}
	}
}

// TestSilentWorkerThatReturnsWasNotLost counts no loss for the work that the worker had. The
// worker may get the other work again.
func TestSilentWorkerThatReturnsWasNotLost(t *testing.T) {
	d, now := stage("a")
	d.add(play.Job{To: 2})
	kept, m := d.give(now)
	missing, _ := d.give(now)
	later := now.Add(2 * d.lostAfter)
	if gone := d.miss(later); len(gone) != 1 || len(d.lostWith(kept))+len(d.lostWith(missing)) != 2 {
		t.Fatalf("%d workers are silent", len(gone))
	}
	if _, back := d.hear(greeting{ID: "a", Held: []uint64{kept.number}}, later); !back || len(d.lostWith(kept))+len(d.lostWith(missing)) != 0 {
		t.Error("it counts as lost")
	}
	if w, to := d.give(later); w != missing || to != m || kept.copies != 1 {
		t.Errorf("given out %+v to %+v", w, to)
	}
}

// TestWallClockLosesNoWorker sets the wall clock forward and back by a day between two greetings.
func TestWallClockLosesNoWorker(t *testing.T) {
	for _, day := range []int64{86400, -86400} {
		d, now := stage("a", "b")
		d.add(play.Job{To: 2})
		w, _ := d.give(now)
		now = testmode.StepWall(now, day).Add(d.lostAfter / 2)
		if gone := d.miss(now); len(gone) != 0 || len(d.lostWith(w)) != 0 {
			t.Errorf("%d workers count as lost after a step of %d s", len(gone), day)
		}
		if again, _ := d.give(testmode.StepWall(now, -day)); again == w {
			t.Errorf("work counts as slow after a step of %d s", day)
		}
		if gone := d.miss(testmode.StepWall(now, -day).Add(d.lostAfter)); len(gone) != 2 {
			t.Errorf("%d of two silent workers count as lost", len(gone))
		}
	}
}

// TestSlowWorkGoesToIdleWorkersOfOtherMachines: a piece that takes too long has up to maxCopies
// workers, none twice.
func TestSlowWorkGoesToIdleWorkersOfOtherMachines(t *testing.T) {
	d, now := stage("a", "b", "c", "d", "e")
	d.add(play.Job{To: 1})
	w, _ := d.give(now)
	if soon, _ := d.give(now.Add(minPatience / 2)); soon != nil {
		t.Errorf("given again too soon: %+v", soon)
	}
	seen := map[string]bool{}
	for range maxCopies - 1 {
		now = now.Add(minPatience)
		again, m := d.give(now)
		if again != w || seen[m.ID] {
			t.Fatalf("%+v to %+v", again, m)
		}
		seen[m.ID] = true
	}
	if more, _ := d.give(now.Add(time.Hour)); more != nil {
		t.Errorf("%d workers have it", w.copies)
	}
}

// TestUnableWorkerRests gives work that a worker cannot play to another. The worker then pauses
// for a time that doubles until it plays something.
func TestUnableWorkerRests(t *testing.T) {
	d, now := stage("unable")
	d.add(play.Job{To: 1})
	w, m := d.give(now)
	for _, rest := range []time.Duration{beat / 4, beat / 2} {
		d.cannot(w.number, m, true, now)
		if again, _ := d.give(now.Add(rest - 1)); again != nil {
			t.Error("given again too soon")
		}
		now = now.Add(rest)
		if again, to := d.give(now); again != w || to != m {
			t.Errorf("given out %+v", again)
		}
	}
	d.cannot(w.number, m, true, now)
	d.hear(greeting{ID: "able", Slots: 1}, now)
	if again, to := d.give(now); again != w || to.ID != "able" {
		t.Errorf("%+v", to)
	}
}

// TestPairThatEndsWorkersIsFound gives out work that three workers were lost with pair by pair,
// one such pair at a time to a worker. The pair that three more are lost with is set aside
// alone. The coordinator's own process gets no such pair.
func TestPairThatEndsWorkersIsFound(t *testing.T) {
	d, now := stage("own", "a", "b", "c", "d", "e", "f", "last")
	d.workers["own"].own = true
	const bad = 2 // index of the pair
	w := d.newWork(now, play.Job{To: 4})
	for _, id := range []string{"a", "b", "c"} {
		d.hand(w, d.workers[id], now)
		d.leave(d.workers[id], lost, now)
	}
	d.suspects(now)
	if v, _ := d.answer(w.number, "d", make([]uint64, 4), 0, 0, now); v != stale {
		t.Errorf("an answer to work that was split is %v", v)
	}
	var aside []*work
	for range 100 {
		one, m := d.give(now)
		if one == nil {
			break
		}
		if !one.suspect || one.pairs != 1 || m.own || len(m.has) != 1 {
			t.Fatalf("%+v for %s, which has %d", one, m.ID, len(m.has))
		}
		if one.jobs[0].From == bad {
			d.leave(m, lost, now)
		} else {
			d.answer(one.number, m.ID, make([]uint64, 1), 0, 0, now)
		}
		aside = append(aside, d.suspects(now)...)
	}
	if len(aside) != 1 || aside[0].jobs[0].From != bad {
		t.Errorf("set aside: %+v", aside)
	}
}

// TestSuspectsWaitForOtherProcesses sets pairs aside that workers were lost with, if no worker
// of another process comes for some time.
func TestSuspectsWaitForOtherProcesses(t *testing.T) {
	d, now := stage("own")
	d.workers["own"].own = true
	w := d.newWork(now, play.Job{To: 1})
	w.suspect = true
	d.resend = append(d.resend, w)
	if one, _ := d.give(now); one != nil || len(d.suspects(now)) > 0 || d.stuck() {
		t.Errorf("given out %+v", one)
	}
	if aside := d.suspects(now.Add(2 * d.lostAfter)); len(aside) != 1 || !d.stuck() {
		t.Errorf("%d set aside where nobody else is left", len(aside))
	}
}

// TestWorkOfLiarHasNewNumber: an honest worker may have played a copy, and its late answer to
// the old number must not count for the new piece.
func TestWorkOfLiarHasNewNumber(t *testing.T) {
	d, now := stage("liar", "honest")
	d.add(play.Job{Trial: 7, From: 0, To: 1})
	w, liar := d.give(now)
	if liar.ID != "liar" {
		t.Fatal(liar.ID)
	}
	d.hand(w, d.workers["honest"], now)
	old := w.number
	if v, _ := d.answer(old, "liar", []uint64{1}, 1, 1, now); v != waits {
		t.Fatal(v)
	}
	d.checks = append(d.checks, w)
	d.expose(liar, now)
	again, m := d.give(now)
	if again == nil || again.number == old || len(again.jobs) != 1 || again.jobs[0].Trial != 7 || m.ID != "honest" || len(m.has) != 1 {
		t.Fatalf("%+v, number %d before", again, old)
	}
	if more, _ := d.give(now); more != nil || d.out != 1 {
		t.Errorf("%+v, %d out", more, d.out)
	}
	if v, _ := d.answer(old, "honest", []uint64{2}, 1, 1, now); v != stale {
		t.Error(v)
	}
	if v, _ := d.answer(again.number, "honest", []uint64{2}, 1, 1, now); v != waits || d.out != 0 || d.idle != 1 {
		t.Errorf("%v, %d out, %d idle", v, d.out, d.idle)
	}
}

// TestCheckOfOldAnswerVouchesForNoNewerOne: answers that were used later without a check stay
// unsure.
func TestCheckOfOldAnswerVouchesForNoNewerOne(t *testing.T) {
	d, now := stage("worker", "own")
	m := d.workers["worker"]
	d.workers["own"].own = true
	var list []*work
	for i := range int64(2) {
		w := d.newWork(now, job(i, true))
		d.answer(w.number, "worker", []uint64{uint64(i)}, 1, 1, now)
		list = append(list, w)
	}
	d.use(m, 2)
	m.unsure = true
	for i, unsure := range []bool{true, false} {
		d.confirmed(list[i], d.workers["own"])
		if m.passed != i+1 || m.unsure != unsure {
			t.Errorf("answer %d: %d passed, unsure %v", i, m.passed, m.unsure)
		}
	}
}

// TestDifferenceCountsWherePlayDoesNotRepeat: if play repeats, a different answer is wrong and
// is not counted as such a difference.
func TestDifferenceCountsWherePlayDoesNotRepeat(t *testing.T) {
	for exact, want := range map[bool]int{true: 0, false: 1} {
		d, now := stage("honest", "liar")
		w := d.newWork(now, job(0, exact))
		for i, id := range []string{"honest", "liar"} {
			d.hand(w, d.workers[id], now)
			d.answer(w.number, id, []uint64{uint64(i)}, 1, 1, now)
		}
		if _, _, differing := (&Pool{dispatcher: d}).Compared(); differing != want {
			t.Errorf("play that repeats %v: %d answers differ, want %d", exact, differing, want)
		}
	}
}

// TestForgottenAnswersLeaveTheMemory: of more used answers than are remembered only the first
// forgotten one is kept; the garbage collector frees the others.
func TestForgottenAnswersLeaveTheMemory(t *testing.T) {
	d, m := newDispatcher(newSecret([32]byte{})), &worker{}
	d.here = maxUsed // one of each worker
	m.held = []*work{{jobs: []play.Job{{Trial: 7}}}, {jobs: []play.Job{{Trial: 8}}}, {jobs: []play.Job{{Trial: 9}}}}
	older := weak.Make(&m.held[1].jobs[0])
	d.use(m, 3)
	runtime.GC()
	if older.Value() != nil || len(m.used) != 1 || m.firstForgotten.jobs[0].Trial != 7 {
		t.Errorf("%d remembered, the first forgotten one %+v", len(m.used), m.firstForgotten)
	}
	runtime.KeepAlive(m)
}

// TestWorkIsExactOrNot: some players of a run may repeat their decisions and others not. No
// piece of work has jobs of both kinds, and only exact pieces are compared.
func TestWorkIsExactOrNot(t *testing.T) {
	d, now := stage()
	d.hear(greeting{ID: "honest", Slots: 8}, now)
	d.measure(&work{pairs: 1}, nil, 1e-3, 1)
	for i := range int64(6) {
		d.add(job(i, i%3 != 2))
	}
	pairs := 0
	for w, _ := d.give(now); w != nil; w, _ = d.give(now) {
		for _, j := range w.jobs {
			if j.Repeatable() != w.exact {
				t.Errorf("trial %d is in work of others: %+v", j.Trial, w.jobs)
			}
		}
		pairs += w.pairs
		want := counts
		if w.exact {
			want = waits
		}
		if v, _ := d.answer(w.number, "honest", make([]uint64, w.pairs), 1, 1, now); v != want {
			t.Errorf("%+v: %v, want %v", w.jobs, v, want)
		}
	}
	if pairs != 6 || d.pending != 0 {
		t.Errorf("%d pairs given out, %d left", pairs, d.pending)
	}
}

// TestDuplicateAnswerIsNoCheck has a worker repeat its answer to work that another worker must
// check. The repetition confirms nothing.
func TestDuplicateAnswerIsNoCheck(t *testing.T) {
	d, now := stage("liar")
	d.add(job(0, true))
	w, m := d.give(now)
	for _, want := range []verdict{waits, repeat} {
		if v, _ := d.answer(w.number, "liar", []uint64{1}, 1, 1, now); v != want {
			t.Fatal(v)
		}
	}
	w.cross = true
	if used := d.confirmed(w, m); len(used) > 0 || m.passed > 0 {
		t.Errorf("%d answers are used, %d checks passed", len(used), m.passed)
	}
}

// TestUsedAnswersBelongToOneRun: a liar may have falsified earlier trials of its run, but none
// of another run under the same terms, which begins with trial 0.
func TestUsedAnswersBelongToOneRun(t *testing.T) {
	p := &Pool{dispatcher: newDispatcher(newSecret([32]byte{1})), specs: map[string]*terms{"spec": {}}, scores: &scores{}}
	m, _ := p.dispatcher.hear(greeting{ID: "worker", Slots: 1}, time.Now())
	m.used = []past{{jobs: []play.Job{job(0, true)}}}
	for trial, want := range map[int64]int{1: 1, 0: 0} {
		again := *p.dispatcher
		q := &Pool{dispatcher: &again, specs: p.specs}
		trust := m.trust
		q.begin(&turn{spec: "spec"}, job(trial, true))
		if len(m.used) != want {
			t.Errorf("trial %d: %d used answers are remembered, want %d", trial, len(m.used), want)
		}
		m.trust = trust
	}
}

// TestPlayingTimeIsBounded: no worker can have played longer than its work existed.
func TestPlayingTimeIsBounded(t *testing.T) {
	d, now := stage("liar")
	d.add(job(0, true))
	w, _ := d.give(now)
	if d.answer(w.number, "liar", []uint64{1}, 1e300, 1, now.Add(time.Second)); d.pace.value != 1 {
		t.Errorf("a pair takes %g seconds", d.pace.value)
	}
}
