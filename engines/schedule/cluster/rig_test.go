package cluster

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/connectfour"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
)

// partVariable makes the test binary a worker or a broker; its value is a part as JSON.
const partVariable = "SELFPLAYLAB_TEST_CLUSTER"

// part is the task of a process of the test.
type part struct {
	Kind  string // "worker", "broker" or "engine"
	URL   string // of the broker to connect to, or where to listen
	Slots int
	Build Build
	Fault string // the worker's fault; "" for none
}

// thisBuild is the build of all processes in these tests.
var thisBuild = Build{Identity: engines.Identity{Source: "same"}, Revision: "test", Go: "go", Processor: "processor"}

// TestMain runs the part in partVariable, if there is one.
func TestMain(m *testing.M) {
	text := os.Getenv(partVariable)
	if text == "" {
		os.Exit(m.Run())
	}
	var p part
	err := json.Unmarshal([]byte(text), &p)
	if err == nil {
		err = p.run()
	}
	if err != nil {
		fmt.Println("ended:", err)
		os.Exit(1)
	}
}

// run does the part until the process is told to stop.
func (p part) run() error {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	switch p.Kind {
	case "engine": // this project's server of connect four, by UGI
		return protocol.Serve(ctx, os.Stdin, os.Stdout, protocol.ServeOptions{Game: connectfour.Game(), Protocol: "ugi"})
	case "broker":
		b, err := Listen(p.URL, Access{Alone: true})
		if err != nil {
			return err
		}
		fmt.Println("listening", b.URL(""))
		<-ctx.Done()
		return b.Close()
	}
	w := &Worker{Slots: max(1, p.Slots), Build: p.Build}
	w.beat = 200 * time.Millisecond
	w.hooks.taken = func(w workMessage) { fmt.Println("taken", w.Number) }
	w.Say = func(text string) {
		fmt.Println(text)
		if strings.HasPrefix(text, "playing for ") {
			fmt.Println("worker", idOf(w.key.Public().(ed25519.PublicKey)))
		}
	}
	if fault := faults[p.Fault]; fault != nil {
		fault(&w.hooks)
	}
	err := w.Run(ctx, p.URL, Access{})
	if ctx.Err() != nil {
		fmt.Println("left")
		return nil
	}
	return err
}

// process is a process that a test started.
type process struct {
	*exec.Cmd
	lines chan string // its output lines, closed at its end
}

// start starts a process with a part.
func start(t testing.TB, p part) *process {
	t.Helper()
	if p.Build == (Build{}) {
		p.Build = thisBuild
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), partVariable+"="+string(text), "GOMAXPROCS=1")
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	q := &process{Cmd: c, lines: make(chan string, 1<<16)}
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(q.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			select {
			case q.lines <- s.Text():
			default: // nobody reads that many lines
			}
		}
	})
	t.Cleanup(func() {
		_ = c.Process.Kill() // it may have ended
		reading.Wait()
		_ = c.Wait()
	})
	return q
}

// until waits for a line that starts with prefix.
func (p *process) until(t testing.TB, prefix string) string {
	t.Helper()
	for line := range p.lines {
		if strings.HasPrefix(line, prefix) {
			return line
		}
	}
	t.Fatalf("the process ended without saying %q", prefix)
	return ""
}

// joined waits until a worker plays for the coordinator, and returns its ID.
func (p *process) joined(t testing.TB) string {
	t.Helper()
	return strings.TrimPrefix(p.until(t, "worker "), "worker ")
}

// silences are the workers that a coordinator treats as silent. On a busy machine the real
// times could select any worker.
type silences struct{ ids sync.Map }

// decide makes the dispatcher of a pool treat only these workers as silent.
func (s *silences) decide(p *Pool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dispatcher.expired = func(m *worker) bool {
		_, ok := s.ids.Load(m.ID)
		return ok
	}
}

// ended adds a worker when its process ends.
func (s *silences) ended(p *process, id string) {
	for range p.lines { // until the process ends
	}
	s.ids.Store(id, true)
}

func (p *process) signal(t testing.TB, s os.Signal) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// memory is a schedule.Recorder that keeps rows.
type memory struct {
	trials []datasets.TrialRow
	games  []datasets.GameRow
	moves  []datasets.MoveRow
	seen   func(n int) // called after every trial
}

func (m *memory) Append(t datasets.TrialRow, g []datasets.GameRow, moves []datasets.MoveRow) error {
	m.trials, m.games, m.moves = append(m.trials, t), append(m.games, g...), append(m.moves, moves...)
	if m.seen != nil {
		m.seen(len(m.trials))
	}
	return nil
}

func (m *memory) equal(t testing.TB, want *memory) {
	t.Helper()
	if len(want.games) == 0 || !reflect.DeepEqual(m.trials, want.trials) || !reflect.DeepEqual(m.games, want.games) || !reflect.DeepEqual(m.moves, want.moves) {
		t.Errorf("other rows: %d trials, %d games, %d decisions; want %d, %d, %d", len(m.trials), len(m.games), len(m.moves), len(want.trials), len(want.games), len(want.moves))
	}
}

// question is a match to play.
type question struct {
	game  string
	pairs int
	notes bool
	book  int // number of openings of a book played in order; 0 for no book
}

func (q question) setup(t testing.TB) (play.Setup, *schedule.Match) {
	t.Helper()
	game, err := games.Find(q.game)
	if err != nil {
		t.Fatal(err)
	}
	v, err := game.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	preset, err := game.Preset(game.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	limits := game.Limits
	limits.Depth, limits.Playouts = min(limits.Depth, 2), min(limits.Playouts, 50)
	e := player.Config{Name: "x", Values: preset.Vector, Limits: limits}
	setup := play.Setup{Game: game.Name, Version: game.Version, Rules: v.Rules, Seed: 3, OpeningPlies: game.OpeningPlies, Notes: q.notes}
	for i := range q.book {
		setup.Book = append(setup.Book, v.Opening(rand.New(rand.NewPCG(uint64(i), 0)), 8))
	}
	return setup, &schedule.Match{PhaseName: "match", Seats: [2]player.Config{e, e}, Pairs: q.pairs, InOrder: q.book > 0}
}

// play plays a question on a pool, nil for this process alone.
func (q question) play(t testing.TB, ctx context.Context, pool schedule.Pool, rows *memory) error {
	t.Helper()
	setup, src := q.setup(t)
	if pool == nil {
		v, err := games.Open(setup.Game, setup.Rules)
		if err != nil {
			t.Fatal(err)
		}
		pool = schedule.Local{Variant: v, Workers: 1}
	}
	c := schedule.Runner{Setup: setup, Pool: pool, Record: rows}
	return c.Run(ctx, src)
}

// aloneRows stores the rows of alone for tests of the same question.
var aloneRows = struct {
	sync.Mutex
	of map[question]*memory
}{of: map[question]*memory{}}

// alone returns the rows of one worker of one process.
func (q question) alone(t testing.TB) *memory {
	t.Helper()
	aloneRows.Lock()
	defer aloneRows.Unlock()
	if rows := aloneRows.of[q]; rows != nil {
		return rows
	}
	rows := &memory{}
	if err := q.play(t, t.Context(), nil, rows); err != nil {
		t.Fatal(err)
	}
	aloneRows.of[q] = rows
	return rows
}

// said collects the lines of a pool.
type output struct {
	mu    sync.Mutex
	lines []string
	more  chan struct{}
}

func (s *output) say(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, text)
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// until waits for a line that contains a text.
func (s *output) until(t testing.TB, text string) {
	t.Helper()
	for {
		s.mu.Lock()
		for _, l := range s.lines {
			if strings.Contains(l, text) {
				s.mu.Unlock()
				return
			}
		}
		s.mu.Unlock()
		select {
		case <-s.more:
		case <-t.Context().Done():
			t.Fatalf("nobody said %q", text)
		}
	}
}

// coordinator returns a pool with a broker of its own on a free port.
func coordinator(t testing.TB) (*Pool, *Broker, *output) {
	t.Helper()
	b, err := Listen("127.0.0.1:0", Access{})
	if err != nil {
		t.Fatal(err)
	}
	words := &output{more: make(chan struct{}, 1)}
	p, err := Open(Options{Broker: b, Build: thisBuild, Say: words.say})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			words.mu.Lock()
			defer words.mu.Unlock()
			t.Log(strings.Join(words.lines, "\n"))
		}
	})
	return p, b, words
}
