package cluster

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"selfplaylab/engines/play"
	"selfplaylab/reports/text"
)

// Worker plays for a coordinator. It runs no command that it is sent: players are
// those of this program, or of its own engine files.
type Worker struct {
	Slots int   // pairs at the same time, at least 1
	Build Build // of this program
	// Say, if not nil, is called with a line for people. It is called from several
	// goroutines, one at a time.
	Say func(string)
	// Engines are this machine's engine files. An engine of a run plays here only if
	// a file of the same base name is among them, and what it starts has the hash
	// that the run knows.
	Engines []string
	// Once has it end with its first coordinator, and at once if there is none.
	Once bool
	// Played, if not nil, is called with how many games were just answered.
	Played func(games int)

	hooks hooks
	beat  time.Duration // between two greetings; 0 is beat
	own   *Pool         // the coordinator whose process this is, which must not end; nil elsewhere
	files sync.Map      // this machine's files of engines, by the key of the engine
	// reasons are those that it could not play for, as told.
	reasons sync.Map

	key   ed25519.PrivateKey // with which it signs
	beats atomic.Int64       // greetings
	once  sync.Once
	say   sync.Mutex
}

// hooks are where tests have a worker do wrong; nil for nothing.
type hooks struct {
	taken  func(workMessage)     // before it is played
	meddle func([]play.Job)      // with what is played, the sample too
	lies   func(*held)           // the same, once the worker is let in
	alter  func([]play.Pair)     // before they are answered
	sends  func([]byte) [][]byte // in place of one answer
}

// greeting is what the worker says of itself.
func (w *Worker) greeting() greeting {
	w.once.Do(func() {
		var err error
		if _, w.key, err = ed25519.GenerateKey(rand.Reader); err != nil {
			panic(err) // the system has no randomness
		}
	})
	return greeting{
		ID: idOf(w.key.Public().(ed25519.PublicKey)), Beat: w.beats.Add(1), Host: hostname(), CPU: runtime.GOOS + "/" + runtime.GOARCH,
		Cores: runtime.NumCPU(),
		Slots: max(1, w.Slots), Build: w.Build,
	}
}

func (w *Worker) tell(format string, values ...any) {
	if w.Say != nil {
		w.say.Lock()
		defer w.say.Unlock()
		w.Say(fmt.Sprintf(format, values...))
	}
}

// unreachable says why there is no broker.
const unreachable = "%s; trying again until it can be reached"

// absence says why a broker is gone; otherwise, where that is not known or it is there.
func absence(nc *nats.Conn, address, otherwise string) string {
	if err := nc.LastError(); err != nil && !nc.IsConnected() {
		return fmt.Sprintf(unreachable, explain(err, address))
	}
	return otherwise
}

// Run connects to a broker and plays for whatever coordinator is there, one after
// the other, until ctx ends, whose cause it returns. A broker or coordinator that
// is gone is waited for, unless the worker is to play once. A *RefusedError says that
// the coordinator does not want it.
func (w *Worker) Run(ctx context.Context, address string, a Access) error {
	said := ""
	for {
		nc, err := connect(address, a, nats.Timeout(beat), nats.NoCallbacksAfterClientClose(),
			nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
				if ctx.Err() == nil {
					w.tell("the connection is lost; waiting for the coordinator")
				}
			}),
			nats.ErrorHandler(func(nc *nats.Conn, _ *nats.Subscription, err error) {
				if nc.IsConnected() { // else the loss of the connection is told
					w.tell("broker: %v", err)
				}
			}))
		if err == nil {
			defer nc.Close()
			return w.work(ctx, nc, address)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var no *addressError
		if err = explain(err, address); w.Once || errors.As(err, &no) {
			return err
		}
		if text := err.Error(); text != said {
			said = text
			w.tell(unreachable, text)
		}
		if !pause(ctx, beat/2) {
			return context.Cause(ctx)
		}
	}
}

// work plays for one coordinator after the other.
func (w *Worker) work(ctx context.Context, nc *nats.Conn, address string) error {
	said, played := "", false
	for {
		if played && w.Once {
			return nil
		}
		welcome, err := w.greet(ctx, nc)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && w.Once:
			return errors.New("the broker can be reached, but no run is there that takes workers")
		case err != nil:
			if line := absence(nc, address, "waiting for a coordinator"); line != said {
				said = line
				w.tell("%s", line)
			}
			if !pause(ctx, beat/4) {
				return context.Cause(ctx)
			}
			continue
		case welcome.Refused != "":
			return &RefusedError{welcome.Refused}
		}
		said, played = "", true
		w.tell("playing for the coordinator %.6s on %s", welcome.Session, text.Plural(max(1, w.Slots), "core"))
		if err := w.session(ctx, nc, welcome.Session); err != nil {
			return err
		}
	}
}

// pause waits; false says that ctx has ended.
func pause(ctx context.Context, long time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(long):
		return true
	}
}

// ask sends a signed request and reads the answer to it.
func (w *Worker) ask(ctx context.Context, nc *nats.Conn, subject string, request, answer any) error {
	data, ok := request.([]byte)
	if !ok {
		var err error
		if data, err = json.Marshal(request); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, beat) // asking twice does no harm
	defer cancel()
	reply, err := nc.RequestWithContext(ctx, subject, sealed(w.key, subject, data))
	if err != nil {
		return err
	}
	return json.Unmarshal(reply.Data, answer)
}

func (w *Worker) greet(ctx context.Context, nc *nats.Conn) (welcome welcome, err error) {
	err = w.ask(ctx, nc, subjectHello, w.greeting(), &welcome)
	return welcome, err
}

// errGone ends a session whose coordinator is gone or has been followed by
// another.
var errGone = errors.New("the coordinator is gone")

// errNotIn says that the coordinator has not let the worker in.
var errNotIn = errors.New("not let in")

// maxRest is how long a worker waits at most before it tries whether it can play.
const maxRest = time.Minute

// send publishes a signed message.
func (w *Worker) send(nc *nats.Conn, subject string, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		err = nc.Publish(subject, sealed(w.key, subject, data))
	}
	return err
}

func hostname() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "unnamed"
	}
	return name
}
