package cluster

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
)

// Worker plays for a coordinator. It never runs received commands: players come from this
// program or from engine files of its own. Set the fields before Run.
type Worker struct {
	Slots int   // pairs that it plays at the same time, at least 1
	Build Build // of this program
	// Say, if not nil, is called with a line for people. Several goroutines call it, one at a
	// time.
	Say func(string)
	// Engines are this machine's engine files. An engine of a run plays here only if a file of
	// the same base name is among them, and the program that it starts has the hash in the run.
	Engines []string
	// Once ends the worker with its first coordinator, and at once if there is none.
	Once bool
	// Played, if not nil, is called with the number of games just answered.
	Played func(games int)

	hooks hooks
	beat  time.Duration // time between two greetings; 0 means the constant beat
	// local reports whether a run of this process names an engine file; nil for a worker of
	// another process.
	local func(file string) bool
	files sync.Map // this machine's engine files, by the key of the engine
	// reasons holds the errors already reported for work that it cannot play.
	reasons sync.Map

	key   ed25519.PrivateKey // signs its messages
	beats atomic.Int64       // number of greetings
	once  sync.Once
	say   sync.Mutex
}

// hooks let tests make a worker fail; nil does nothing.
type hooks struct {
	options []nats.Option         // of the connection to the broker, after its own
	taken   func(workMessage)     // before a piece of work is played
	meddle  func([]play.Job)      // with the jobs to play, including the sample
	lies    func(workMessage)     // with the jobs to play, after the worker was admitted
	alter   func([]play.Pair)     // before the pairs are answered
	sends   func([]byte) [][]byte // replaces one answer
}

// RefusedError is the error of a worker that a coordinator does not accept.
type RefusedError struct{ Why string } // the coordinator's reason

// Error returns the coordinator's reason.
func (r *RefusedError) Error() string { return "the coordinator refuses this worker: " + r.Why }

// errGone ends a session whose coordinator is gone, or was replaced by another.
var errGone = errors.New("the coordinator is gone")

// errNotIn means that the coordinator has not admitted the worker.
var errNotIn = errors.New("not let in")

// engines replaces the engine files that jobs name by this machine's, and rejects engines
// without a file here.
func (w *Worker) engines(ctx context.Context, setup play.Setup, jobs []play.Job) error {
	for i := range jobs {
		for k := range jobs[i].Seats {
			seat := &jobs[i].Seats[k]
			if seat.Engine == nil {
				continue
			}
			file, err := w.file(ctx, setup, *seat)
			if err != nil {
				return fmt.Errorf("player %q: %w", seat.Name, err)
			}
			seat.Engine.File = file
		}
	}
	return nil
}

// file returns this machine's file of a player's engine: the one with the same base name or, of
// several, the one that starts the engine with the same key. The coordinator's own worker has
// only the files of its run.
func (w *Worker) file(ctx context.Context, setup play.Setup, seat player.Config) (string, error) {
	e := seat.Engine
	if w.local != nil && w.local(e.File) {
		return e.File, nil
	}
	base := e.File[strings.LastIndexAny(e.File, `/\`)+1:]
	if e.Key == "" {
		return "", fmt.Errorf("engine %s comes without a hash", base)
	}
	if known, ok := w.files.Load(base + e.Key); ok {
		return known.(string), nil
	}
	same := slices.DeleteFunc(slices.Clone(w.Engines), func(file string) bool { return filepath.Base(file) != base })
	if len(same) == 0 {
		return "", fmt.Errorf("this worker has no engine file %s of its own: start it with --engine PATH/%s", base, base)
	}
	v, err := games.Open(setup.Game, setup.Rules)
	if err != nil {
		return "", err
	}
	for _, local := range same {
		file, e2 := filepath.Abs(local)
		found := *e
		found.File, found.Key, seat.Engine = file, "", &found
		if e2 == nil && len(same) > 1 {
			e2 = seat.Seat(ctx, v)
		}
		if e2 == nil && (len(same) == 1 || found.Key == e.Key) {
			w.files.Store(base+e.Key, file)
			return file, nil
		}
		err = errors.Join(err, e2)
	}
	return "", errors.Join(fmt.Errorf("none of this worker's engine files %s starts the engine of the run: its program, arguments or options "+
		"differ", strings.Join(same, ", ")), err)
}

// greet greets the coordinator. held are the numbers of the work that is here.
func (w *Worker) greet(ctx context.Context, nc *nats.Conn, held []uint64) (welcome welcome, err error) {
	err = w.ask(ctx, nc, subjectHello, w.greeting(held), &welcome)
	return welcome, err
}

// greeting returns the next greeting of the worker. The first greeting creates its key.
func (w *Worker) greeting(held []uint64) greeting {
	w.once.Do(func() {
		var err error
		if _, w.key, err = ed25519.GenerateKey(rand.Reader); err != nil {
			panic(err) // the system has no randomness
		}
	})
	return greeting{
		ID: idOf(w.key.Public().(ed25519.PublicKey)), Beat: w.beats.Add(1), Held: held, Host: hostname(), CPU: runtime.GOOS + "/" + runtime.GOARCH,
		Cores: runtime.NumCPU(), Slots: w.slots(), Build: w.Build,
	}
}

// slots returns the number of pairs that it plays at the same time.
func (w *Worker) slots() int { return max(1, w.Slots) }

// tell passes a line to Say.
func (w *Worker) tell(format string, values ...any) {
	if w.Say != nil {
		w.say.Lock()
		defer w.say.Unlock()
		w.Say(fmt.Sprintf(format, values...))
	}
}

// ask sends a signed request and reads the answer, waiting for at most a beat. Requests may be
// repeated.
func (w *Worker) ask(ctx context.Context, nc *nats.Conn, subject string, request, answer any) error {
	data, ok := request.([]byte)
	if !ok {
		var err error
		if data, err = json.Marshal(request); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, beat)
	defer cancel()
	reply, err := nc.RequestWithContext(ctx, subject, sealed(w.key, subject, data))
	if err != nil {
		return err
	}
	return json.Unmarshal(reply.Data, answer)
}

// send publishes a signed message.
func (w *Worker) send(nc *nats.Conn, subject string, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		err = nc.Publish(subject, sealed(w.key, subject, data))
	}
	return err
}

// pause waits; it returns false if ctx has ended.
func pause(ctx context.Context, long time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(long):
		return true
	}
}

// hostname returns the name of this machine, "unnamed" if unknown.
func hostname() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "unnamed"
	}
	return name
}
