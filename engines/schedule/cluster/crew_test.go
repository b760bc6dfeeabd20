package cluster

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
)

// TestCrewText: few workers are named with speed and share, many told by their
// range; the silent are named, the gone are not counted.
func TestCrewText(t *testing.T) {
	a := schedule.Member{Name: "a/1", Slots: 2, Speed: 100, Share: 0.25}
	b := schedule.Member{Name: "b/2", Slots: 2, Speed: 300, Share: 0.75, Silent: 8}
	gone := schedule.Member{Name: "c/3", Slots: 9, Gone: true}
	for _, c := range []struct {
		crew []schedule.Member
		want string
	}{
		{nil, "no worker yet"},
		{[]schedule.Member{gone}, "no worker any more"},
		{[]schedule.Member{a}, "1 worker, 2 cores, a/1 100/s (25 %)"},
		{[]schedule.Member{a, gone, b}, "2 workers, 4 cores, a/1 100/s (25 %), b/2 300/s (75 %), b/2 silent for 8 s"},
		{[]schedule.Member{a, a, b, a}, "4 workers, 8 cores of 100 to 300 games/s, b/2 silent for 8 s"},
		{[]schedule.Member{b, b, b, b, b}, "5 workers, 10 cores of 300 to 300 games/s, b/2 silent for 8 s, b/2 silent for 8 s, b/2 silent for 8 s, 2 more are silent"},
	} {
		if text := Describe(c.crew); text != c.want {
			t.Errorf("%q, want %q", text, c.want)
		}
	}
}

// TestSeen: what is known of every worker adds up, in the pool and in the record,
// which is told of each answer once.
func TestSeen(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts workers")
	}
	p, b, _ := coordinator(t)
	for range 2 {
		start(t, part{Kind: "worker", URL: b.URL("")}).until(t, "playing for")
	}
	rows := &memory{}
	if err := quick.play(t, t.Context(), p, rows); err != nil {
		t.Fatal(err)
	}
	members, machines := p.Members(), p.Machines()
	games, share := int64(0), 0.0
	for _, m := range members {
		games, share = games+m.Games, share+m.Share
		if m.Gone || m.Speed <= 0 || m.Silent < 0 || m.Silent > time.Minute.Seconds() {
			t.Errorf("%+v", m)
		}
	}
	if len(members) != 2 || games != int64(len(rows.games)) || share < 0.999 || share > 1.001 {
		t.Errorf("%d games of %d, shares of %v: %+v", games, len(rows.games), share, members)
	}
	for _, m := range machines {
		games -= m.Games
		share -= m.Share
	}
	if games != 0 || share > 0.001 || len(p.Machines()) != 0 {
		t.Errorf("the record lacks %d games: %+v", games, machines)
	}
	if err := quick.play(t, t.Context(), p, &memory{}); err != nil {
		t.Fatal(err)
	}
	compared := int64(0)
	for _, m := range append(machines, p.Machines()...) {
		compared += m.Compared
	}
	if _, all, _ := p.Compared(); compared != all {
		t.Errorf("the records have %d compared pairs of %d", compared, all)
	}
}

// TestReopenedNumber: what a liar answered is given out under a number that nobody has had,
// for an honest worker that played a copy of it takes none twice.
func TestReopenedNumber(t *testing.T) {
	s, now := newSchedule(newSecret([32]byte{1})), time.Now()
	s.begin(false)
	for _, who := range []string{"honest", "liar"} {
		s.hear(greeting{ID: who, Slots: 1}, now)
	}
	s.add(play.Job{Trial: 7, From: 0, To: 1})
	w, _, _ := s.give(now)
	old := w.number
	for _, who := range []string{"liar", "honest"} {
		s.took(old, who, now)
	}
	if v, _ := s.answer(old, "liar", []uint64{1}, 1, 1, now); v != waits {
		t.Fatal(v)
	}
	s.checks = append(s.checks, w)
	s.expose(s.crew["liar"], now)
	again, _, ok := s.give(now)
	if !ok || again.number == old || len(again.jobs) != 1 || again.jobs[0].Trial != 7 || s.idle != 1 {
		t.Fatalf("%+v, number %d before, %d idle", again, old, s.idle)
	}
	if more, _, ok := s.give(now); ok || s.out != 1 {
		t.Errorf("%+v, %d out", more, s.out)
	}
	if v, _ := s.answer(old, "honest", []uint64{2}, 1, 1, now); v != stale {
		t.Error(v)
	}
	s.took(again.number, "honest", now)
	if v, _ := s.answer(again.number, "honest", []uint64{2}, 1, 1, now); v != waits || s.out != 0 || s.idle != 1 {
		t.Errorf("%v, %d out, %d idle", v, s.out, s.idle)
	}
}

// TestOldCopies: that an older answer of a worker is confirmed says nothing of those that were
// used since without a check.
func TestOldCopies(t *testing.T) {
	s, now := newSchedule(newSecret([32]byte{1})), time.Now()
	s.begin(false)
	for _, who := range []string{"worker", "own"} {
		s.hear(greeting{ID: who, Slots: 1}, now)
	}
	m := s.crew["worker"]
	s.crew["own"].own = true
	var list []*work
	for i := range int64(2) {
		s.add(job(i, true))
		w, _, _ := s.give(now)
		s.answer(w.number, "worker", []uint64{uint64(i)}, 1, 1, now)
		list = append(list, w)
	}
	s.use(m, 2)
	m.unsure = true
	for i, unsure := range []bool{true, false} {
		s.confirmed(list[i], s.crew["own"])
		if m.passed != i+1 || m.unsure != unsure {
			t.Errorf("answer %d: %d passed, unsure %v", i, m.passed, m.unsure)
		}
	}
}

// job is one of a pair whose players repeat themselves or not.
func job(trial int64, exact bool) play.Job {
	j := play.Job{Trial: trial, To: 1}
	if !exact {
		j.Seats[1].Limits.Time = time.Second
	}
	return j
}

// TestDiffering: an answer that differs where play repeats is wrong, not one of those that may differ.
func TestDiffering(t *testing.T) {
	for exact, want := range map[bool]int{true: 0, false: 1} {
		s, now := newSchedule(newSecret([32]byte{1})), time.Now()
		s.begin(false)
		s.add(job(0, exact))
		w, _, _ := s.give(now)
		for i, who := range []string{"honest", "liar"} {
			s.hear(greeting{ID: who, Slots: 1}, now)
			s.took(w.number, who, now)
			s.answer(w.number, who, []uint64{uint64(i)}, 1, 1, now)
		}
		if _, _, differing := (&Pool{schedule: s}).Compared(); differing != want {
			t.Errorf("play that repeats %v: %d answers differ, want %d", exact, differing, want)
		}
	}
}

// TestForgets: used answers beyond those that are remembered leave the memory.
func TestForgets(t *testing.T) {
	s, m := newSchedule(newSecret([32]byte{})), &member{}
	s.here = maxUsed // one of each worker
	m.held = []*work{{jobs: []play.Job{{Trial: 7}}}, {jobs: []play.Job{{Trial: 8}}}, {jobs: []play.Job{{Trial: 9}}}}
	older := weak.Make(&m.held[1].jobs[0])
	s.use(m, 3)
	runtime.GC()
	if older.Value() != nil || len(m.used) != 1 || m.forgot.jobs[0].Trial != 7 {
		t.Errorf("%d remembered, the first forgotten one %+v", len(m.used), m.forgot)
	}
	runtime.KeepAlive(m)
}

// TestExactJobs: of the players of a run some may repeat themselves and others not. No piece of
// work has jobs of both, and only those that repeat are compared.
func TestExactJobs(t *testing.T) {
	s, now := newSchedule(newSecret([32]byte{1})), time.Now()
	s.begin(false)
	s.hear(greeting{ID: "honest", Slots: 8}, now)
	s.measure(&work{pairs: 1}, nil, 1e-3, 1)
	for i := range int64(6) {
		s.add(job(i, i%3 != 2))
	}
	pairs := 0
	for w, _, ok := s.give(now); ok; w, _, ok = s.give(now) {
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
		if v, _ := s.answer(w.number, "honest", make([]uint64, w.pairs), 1, 1, now); v != want {
			t.Errorf("%+v: %v, want %v", w.jobs, v, want)
		}
	}
	if pairs != 6 || s.pending != 0 {
		t.Errorf("%d pairs given out, %d left", pairs, s.pending)
	}
}

// TestOwnWord: a worker that answers again what another was asked to check vouches for nothing.
func TestOwnWord(t *testing.T) {
	s, now := newSchedule(newSecret([32]byte{1})), time.Now()
	s.begin(false)
	m, _ := s.hear(greeting{ID: "liar", Slots: 1}, now)
	s.add(job(0, true))
	w, _, _ := s.give(now)
	for _, want := range []verdict{waits, repeat} {
		if v, _ := s.answer(w.number, "liar", []uint64{1}, 1, 1, now); v != want {
			t.Fatal(v)
		}
	}
	w.cross = true
	if used := s.confirmed(w, m); len(used) > 0 || m.passed > 0 {
		t.Errorf("%d answers are used, %d checks passed", len(used), m.passed)
	}
}

// TestTermsAgain: a liar can have spoilt earlier trials of its run, but none of another run
// under the same terms, which begins with trial 0.
func TestTermsAgain(t *testing.T) {
	p := &Pool{schedule: newSchedule(newSecret([32]byte{1})), specs: map[string]*terms{"spec": {}}}
	m, _ := p.schedule.hear(greeting{ID: "worker", Slots: 1}, time.Now())
	m.used = []past{{jobs: []play.Job{job(0, true)}}}
	for trial, want := range map[int64]int{1: 1, 0: 0} {
		again := *p.schedule
		q := &Pool{schedule: &again, specs: p.specs}
		trust := m.trust
		q.begin(&turn{spec: "spec"}, job(trial, true))
		if len(m.used) != want {
			t.Errorf("trial %d: %d used answers are remembered, want %d", trial, len(m.used), want)
		}
		m.trust = trust
	}
}

// TestSeconds: nobody can have played longer than there was something to play.
func TestSeconds(t *testing.T) {
	s, now := newSchedule(newSecret([32]byte{1})), time.Now()
	s.begin(false)
	s.hear(greeting{ID: "liar", Slots: 1}, now)
	s.add(job(0, true))
	w, _, _ := s.give(now)
	if s.answer(w.number, "liar", []uint64{1}, 1e300, 1, now.Add(time.Second)); s.pace.value != 1 {
		t.Errorf("a pair takes %g seconds", s.pace.value)
	}
}
