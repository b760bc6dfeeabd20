package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/connectfour"
	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
	"selfplaylab/engines/testmode"
)

// faults are the possible faults of a worker.
var faults = map[string]func(*hooks){
	"lies":     func(h *hooks) { h.alter = func(p []play.Pair) { p[0].Games[0].Nodes[0]++ } },
	"constant": func(h *hooks) { h.meddle = func(j []play.Job) { j[0].Seats[0].Values[0]++ } },
	"twice":    func(h *hooks) { h.sends = func(b []byte) [][]byte { return [][]byte{b, b} } },
	"half":     func(h *hooks) { h.sends = func(b []byte) [][]byte { return [][]byte{b[:len(b)/2]} } },
	"fewer":    func(h *hooks) { h.sends = fewer },
	"other": func(h *hooks) { // only the first time, because the worker waits a second for each answer that does not count
		var sent atomic.Int64
		h.sends = func(b []byte) [][]byte {
			if sent.Add(1) > 2 {
				return [][]byte{b}
			}
			other := bytes.Replace(b, []byte(`"session":"`), []byte(`"session":"x`), 1)
			return [][]byte{other}
		}
	},
	"dies": func(h *hooks) {
		h.taken = func(w workMessage) {
			if slices.ContainsFunc(w.Jobs, func(j play.Job) bool { return j.Trial == 1 && j.From <= 3 && 3 < j.To }) {
				os.Exit(7)
			}
		}
	},
}

// fewer leaves out the last pair of an answer.
func fewer(b []byte) [][]byte {
	head, pairs, _, err := readAnswer(b)
	if err == nil {
		b, err = writeAnswer(head, pairs[:len(pairs)-1])
	}
	if err != nil {
		panic(err)
	}
	return [][]byte{b}
}

// quick is a match that takes a fraction of a second.
var quick = question{game: "quoridor", pairs: 600}

// TestDifferentWorkerIsRefusedWithBothLines refuses a worker of another build or another
// evaluator, or with broken answers. Both lines are reported, and the run continues without it.
func TestDifferentWorkerIsRefusedWithBothLines(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	other := thisBuild
	other.Source = "other"
	for _, c := range []struct {
		what string
		part part
		want []string
	}{
		{"another build", part{Build: other}, []string{"coordinator: source same (revision test), go, processor", "worker:      source other (revision test), go, processor"}},
		{"another evaluator", part{Fault: "constant"}, []string{"its numbers are others", "coordinator: source same (revision test), go, processor, quoridor ", "signature", "worker:      source same (revision test), go, processor, quoridor "}},
		{"half an answer", part{Fault: "half"}, []string{"cut short"}},
		{"fewer pairs", part{Fault: "fewer"}, []string{"other pairs than were asked"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			p, b, words := coordinator(t)
			c.part.Kind, c.part.URL = "worker", b.URL("")
			bad := start(t, c.part)
			var last string
			rows, done := &memory{}, make(chan error)
			go func() { done <- quick.play(t, t.Context(), p, rows) }()
			last = bad.until(t, "ended: the coordinator refuses this worker: ")
			words.until(t, "is refused")
			start(t, part{Kind: "worker", URL: b.URL("")})
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			rows.equal(t, quick.alone(t))
			words.mu.Lock()
			defer words.mu.Unlock()
			all := strings.Join(words.lines, "\n") + last
			for _, want := range c.want {
				if !strings.Contains(all, want) {
					t.Errorf("%q is not said:\n%s", want, all)
				}
			}
		})
	}
}

// TestMixedTakesOtherBuildWithSameNumbers admits a worker of another source or Go release with
// the same numbers if mixed workers are allowed, and never one with other numbers. Another
// processor is always allowed.
func TestMixedTakesOtherBuildWithSameNumbers(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts several workers")
	}
	p, b, _ := coordinator(t)
	p.options.Mixed = true
	start(t, part{Kind: "worker", URL: b.URL(""), Fault: "constant", Build: Build{Processor: "third"}})
	start(t, part{Kind: "worker", URL: b.URL(""), Build: Build{Identity: engines.Identity{Source: "other"}}})
	other := thisBuild
	other.Processor = "other"
	if !other.same(thisBuild) {
		t.Error("another processor needs --mixed")
	}
	rows := &memory{}
	if err := quick.play(t, t.Context(), p, rows); err != nil {
		t.Fatal(err)
	}
	rows.equal(t, quick.alone(t))
}

// TestRepeatedAnswersChangeNothing repeats answers, or sends answers to another run: nothing
// changes.
func TestRepeatedAnswersChangeNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, fault := range []string{"twice", "other"} {
		t.Run(fault, func(t *testing.T) {
			p, b, _ := coordinator(t)
			p.dispatcher.lostAfter = 100 * time.Millisecond // for answers to another run, which do not count
			new(silences).decide(p)
			start(t, part{Kind: "worker", URL: b.URL(""), Fault: fault})
			start(t, part{Kind: "worker", URL: b.URL("")})
			rows := &memory{}
			if err := quick.play(t, t.Context(), p, rows); err != nil {
				t.Fatal(err)
			}
			rows.equal(t, quick.alone(t))
			if fault == "twice" && p.dispatcher.differing > 0 {
				t.Errorf("%d answers differ", p.dispatcher.differing)
			}
		})
	}
}

// TestPairThatEndsWorkersIsSetAside has a pair that ends every worker: it is given out alone,
// then set aside. All other pairs are played, and the run ends with an error that names pair
// and workers. A resumed run tries the pair again.
func TestPairThatEndsWorkersIsSetAside(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	p, b, words := coordinator(t)
	p.dispatcher.lostAfter = 100 * time.Millisecond // time until all remaining work is set aside
	p.dispatcher.mostPairs = 20
	var silent silences
	silent.decide(p)
	for range 2*fatal + 1 {
		w := start(t, part{Kind: "worker", URL: b.URL(""), Fault: "dies"})
		go silent.ended(w, w.joined(t))
	}
	rows := &memory{}
	err := quick.play(t, t.Context(), p, rows)
	if want := quick.alone(t); len(rows.trials) != 1 || !reflect.DeepEqual(rows.trials[0], want.trials[0]) {
		t.Errorf("%d trials before the one that was set aside", len(rows.trials))
	}
	words.until(t, "it is set aside")
	for _, want := range []string{"3 workers (", "pair 3 of trial 1 (seed ", "resumed run tries that pair again"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	start(t, part{Kind: "worker", URL: b.URL("")})
	again := &memory{}
	if err := quick.play(t, t.Context(), p, again); err != nil {
		t.Fatal(err)
	}
	again.equal(t, quick.alone(t))
}

// TestEmptyBrokerCostsNoRow kills a broker and starts an empty one: this costs time and no row.
func TestEmptyBrokerCostsNoRow(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	broker := start(t, part{Kind: "broker", URL: "127.0.0.1:0"})
	url := strings.TrimPrefix(broker.until(t, "listening "), "listening ")
	words := &output{more: make(chan struct{}, 1)}
	p, err := Open(Options{URL: url, Build: thisBuild, Say: words.say})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	for range 2 {
		start(t, part{Kind: "worker", URL: url})
	}
	q := question{game: "quoridor", pairs: testmode.Times(1500, 2)}
	rows := &memory{}
	rows.seen = func(n int) {
		if n != 5 {
			return
		}
		broker.signal(t, os.Kill)
		_ = broker.Wait() // of the kill
		again := start(t, part{Kind: "broker", URL: strings.TrimPrefix(url, "nats://")})
		again.until(t, "listening ")
	}
	if err := q.play(t, t.Context(), p, rows); err != nil {
		t.Fatal(err)
	}
	rows.equal(t, q.alone(t))
	const nobody = "nats://127.0.0.1:1"
	if _, err := Open(Options{URL: nobody}); err == nil || !strings.HasPrefix(err.Error(), nobody+": nobody listens there") {
		t.Errorf("without a broker: %v", err)
	}
	if _, err := Open(Options{URL: url, Build: thisBuild}); err == nil || !strings.Contains(err.Error(), "another coordinator") {
		t.Errorf("a second coordinator on the broker: %v", err)
	}
}

// TestNextCoordinatorContinuesTheRecord: workers wait for the next coordinator, which continues
// at the end of the former one's record.
func TestNextCoordinatorContinuesTheRecord(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts workers")
	}
	b, err := Listen("127.0.0.1:0", Access{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	start(t, part{Kind: "worker", URL: b.URL("")})
	rows := &memory{}
	enough := errors.New("enough")
	for n := range 2 {
		p, err := Open(Options{Broker: b, Build: thisBuild})
		if err != nil {
			t.Fatal(err)
		}
		setup, src := quick.setup(t)
		c := schedule.Runner{Setup: setup, Pool: p, Record: rows}
		if n == 0 {
			c.Observe = func(f schedule.Finished) error {
				if f.Trial.Trial == 2 {
					return enough
				}
				return nil
			}
		} else {
			kept := slices.Clone(rows.trials)
			c.Replayed = func(yield func(schedule.Finished, error) bool) {
				for _, r := range kept {
					if !yield(schedule.Finished{Trial: r, Replayed: true}, nil) {
						return
					}
				}
			}
		}
		if err := c.Run(t.Context(), src); (n == 0) != errors.Is(err, enough) || n == 1 && err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	rows.equal(t, quick.alone(t))
}

// TestWorkerStartsOnlyItsOwnEngines: a worker starts its own engine files in place of the
// run's, and no program that a message names.
func TestWorkerStartsOnlyItsOwnEngines(t *testing.T) {
	own := filepath.Join(t.TempDir(), "rapfi.toml")
	w := &Worker{Engines: []string{own}}
	for _, c := range []struct {
		e    player.Engine
		want string // part of the error; "" for none
	}{
		{player.Engine{File: "/home/other/rapfi.toml", Key: "k"}, ""},
		{player.Engine{File: `C:\engines\rapfi.toml`, Key: "k"}, ""},
		{player.Engine{File: "/home/other/rapfi.toml"}, "without a hash"},
		{player.Engine{File: "/bin/evil.toml", Key: "k"}, "--engine PATH/evil.toml"},
	} {
		jobs := []play.Job{{Seats: [2]player.Config{{Name: "a"}, {Name: "b", Engine: &c.e}}}}
		err := w.engines(t.Context(), play.Setup{Game: "gobang"}, jobs)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.e, err, c.want)
		}
		if err == nil && jobs[0].Seats[1].Engine.File != own {
			t.Errorf("it would start %s", jobs[0].Seats[1].Engine.File)
		}
	}
}

// TestLocalWorkerStartsOnlyEnginesOfTheRun: the worker of the run's own process starts the
// engines of the run, and no other that a broker may name.
func TestLocalWorkerStartsOnlyEnginesOfTheRun(t *testing.T) {
	seat := func(file string) [2]player.Config {
		return [2]player.Config{{Name: "a"}, {Name: "b", Engine: &player.Engine{File: file, Key: "k"}}}
	}
	pool := &Pool{dispatcher: newDispatcher(newSecret([32]byte{})), engines: map[string]bool{}}
	pool.add(play.Job{Seats: seat("/mine/rapfi.toml"), To: 1}, nil)
	w := &Worker{local: pool.names}
	jobs := []play.Job{{Seats: seat("/mine/rapfi.toml")}}
	if err := w.engines(t.Context(), play.Setup{Game: "gobang"}, jobs); err != nil || jobs[0].Seats[1].Engine.File != "/mine/rapfi.toml" {
		t.Errorf("it would start %s: %v", jobs[0].Seats[1].Engine.File, err)
	}
	jobs = []play.Job{{Seats: seat("/other/rapfi.toml")}}
	if err := w.engines(t.Context(), play.Setup{Game: "gobang"}, jobs); err == nil {
		t.Errorf("it would start %s", jobs[0].Seats[1].Engine.File)
	}
}

// brain writes an engine file of this project's connect four, with an argument for the program.
func brain(t *testing.T, folder, arg string) string {
	t.Helper()
	engine, err := json.Marshal(part{Kind: "engine"})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "brain.toml")
	text := fmt.Sprintf("protocol = 'ugi'\ngames = ['connectfour']\ncmd = %q\nargs = [%q]\nenv = {%s = %q}\n", os.Args[0], arg, partVariable, engine)
	if err := errors.Join(os.MkdirAll(folder, 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
	return path
}

// brains returns the seats of two engines.
func brains(t *testing.T, files ...string) (seats [2]player.Config) {
	t.Helper()
	variant, err := connectfour.Game().Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		seats[i] = player.Config{Name: []string{"one", "two"}[i], Limits: engines.Limits{Playouts: 10}, Engine: &player.Engine{File: file}}
		if err := seats[i].Seat(t.Context(), variant); err != nil {
			t.Fatal(err)
		}
	}
	return seats
}

// TestWorkWithoutEngineIsPlayedElsewhere has a worker without an engine of the run. Both sides
// report it once. Other workers play instead, or the run's own process if there are none. The
// same holds for an engine that repeats its decisions, which the signature needs.
func TestWorkWithoutEngineIsPlayedElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts workers")
	}
	for _, c := range []struct {
		repeats, others bool
		want            string
	}{{want: "so this process tries them"}, {repeats: true, want: "so this process tries them"}, {others: true, want: "so others play them"}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) { cannotPlay(t, c.repeats, c.others, c.want) })
	}
}

func cannotPlay(t *testing.T, repeats, others bool, want string) {
	b, err := Listen("127.0.0.1:0", Access{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	var mu sync.Mutex
	reported, heard := map[string]int{}, make(chan struct{})
	say := func(name string) func(string) {
		return func(line string) {
			mu.Lock()
			defer mu.Unlock()
			if strings.Contains(line, "--engine PATH/brain.toml") {
				if reported[name]++; name == "run" && reported[name] == 1 && strings.Contains(line, want) {
					close(heard)
				}
			}
		}
	}
	p, err := Open(Options{Broker: b, Build: thisBuild, Say: say("run")})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ctx, stop := context.WithCancel(t.Context())
	var worker sync.WaitGroup
	if others { // other workers must not play before the one without the engine has tried
		able := &Worker{Slots: 1, Build: thisBuild, hooks: hooks{taken: func(workMessage) { <-heard }}}
		worker.Go(func() { _ = p.Work(ctx, able) }) // until the test stops it
	}
	worker.Go(func() { _ = (&Worker{Slots: 1, Build: thisBuild, Say: say("worker")}).Run(ctx, b.URL(""), Access{}) }) // until the test stops it
	rows, file := &memory{}, brain(t, t.TempDir(), "one")
	v, err := games.Open("connectfour", "")
	if err != nil {
		t.Fatal(err)
	}
	setup := play.Setup{Game: "connectfour", Version: v.Game.Version, Rules: v.Rules, Seed: 3}
	c := schedule.Runner{Setup: setup, Pool: p, Record: rows}
	seats := brains(t, file, file)
	seats[0].Engine.Repeats, seats[1].Engine.Repeats = repeats, repeats
	err = c.Run(t.Context(), &schedule.Match{PhaseName: "match", Seats: seats, Pairs: 5})
	<-heard
	stop()
	worker.Wait()
	if err != nil || len(rows.games) != 10 || reported["run"] != 1 || reported["worker"] != 1 {
		t.Errorf("%d games, told %v: %v", len(rows.games), reported, err)
	}
}

// TestEngineFileIsChosenByKey has several engine files of one base name: a worker takes the one
// that starts the run's engine.
func TestEngineFileIsChosenByKey(t *testing.T) {
	dir := t.TempDir()
	file := func(folder, arg string) string { return brain(t, filepath.Join(dir, folder), arg) }
	setup := play.Setup{Game: "connectfour"}
	seats := brains(t, file("runone", "one"), file("runtwo", "two"))
	w := &Worker{Engines: []string{file("x", "two"), file("y", "other"), file("z", "one")}}
	jobs := []play.Job{{Seats: seats}}
	if err := w.engines(t.Context(), setup, jobs); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{w.Engines[2], w.Engines[0]} {
		if got := jobs[0].Seats[i].Engine.File; got != want {
			t.Errorf("player %s: %s, want %s", seats[i].Name, got, want)
		}
	}
	w = &Worker{Engines: w.Engines[:2]}
	jobs[0].Seats[0].Engine.File = "/run/brain.toml"
	if err := w.engines(t.Context(), setup, jobs); err == nil || !strings.Contains(err.Error(), "arguments or options differ") {
		t.Errorf("without the file: %v", err)
	}
}
