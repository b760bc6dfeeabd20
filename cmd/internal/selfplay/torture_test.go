//go:build unix

package selfplay

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/testmode"
)

// hurts is the number of workers that are killed or stopped, per kind of run.
const hurts = 20

// asked are runs of every kind that other processes can play, of some seconds of a
// core: the program, its words, and what goes on with it.
var asked = []struct{ kind, program, words, resume string }{
	{"match", "selfplay", "match --game quoridor --a final --b v12.7 --pairs 4000 --record-moves on", "match --resume"},
	{"tournament", "selfplay", "tournament --game quoridor --pairs 400", "tournament --resume"},
	{"ladder", "selfplay", "ladder --game quoridor --player final,a_E=15 --rounds 150", "ladder --resume"},
	{"tune", "tune", "--game quoridor --games 6000 --verify-pairs 800 --rate-pairs 20", "--resume"},
	{"spsa", "tune", "--game quoridor --method spsa --iters 120 --verify-pairs 800 --rate-pairs 20", "--resume"},
	{"grid", "tune", "--game quoridor --method grid --grid b_gain=0:100:10 --alpha 0.05 --pairs 400 --verify-pairs 800 --rate-pairs 20", "--resume"},
	{"run", "selfplay", "run EXPERIMENT", "run --resume"},
}

const tortured = `schema = 1
title = "tortured"

[[run]]
name = "one"
kind = "match"
game = "quoridor"
a = "final,a_E=11"
b = "final"
pairs = 4000

[[run]]
name = "two"
kind = "tournament"
game = "mills"
player = ["paper@depth=2", "paper10@depth=2"]
pairs = 800
`

// TestTorture plays runs with six worker processes that are killed and stopped at
// random, with brokers that are killed and started again empty, and with
// coordinators that are killed and go on while workers wait, to the bytes of one
// worker of one process. Without it, TestCluster kills one worker, and the tests of
// engines/schedule/cluster stop one, kill a broker and end a coordinator.
func TestTorture(t *testing.T) {
	testmode.SkipUnlessLong(t)
	clitest.SkipUnderRace(t)
	t.Parallel()
	bin := t.TempDir()
	clitest.OK(t, ".", "go", "build", "-o", bin+string(filepath.Separator), "selfplaylab/cmd/selfplay", "selfplaylab/cmd/tune")
	for _, a := range asked {
		t.Run(a.kind, func(t *testing.T) {
			tormented(t, rack{selfplay: filepath.Join(bin, "selfplay"), program: filepath.Join(bin, a.program), coordinatorEvery: 8, brokerEvery: 7}, a.words, a.resume)
		})
	}
}

// tormented plays a run with one worker, and again and again on a rack until
// workers were hurt often enough: with the broker in the coordinator, and apart.
func tormented(t *testing.T, k rack, words, resume string) {
	k.dir = t.TempDir()
	file := filepath.Join(k.dir, "tortured.toml")
	if err := os.WriteFile(file, []byte(tortured), 0o666); err != nil {
		t.Fatal(err)
	}
	k.words, k.resume = strings.Fields(strings.ReplaceAll(words, "EXPERIMENT", file)), strings.Fields(resume)
	one := k.folder(t, "one")
	if r := clitest.Run(t, k.dir, k.program, append(k.words, "--workers", "1", "-q", "--out", one)...); r.Code != 0 && r.Code != 3 {
		t.Fatalf("exit code %d\n%s", r.Code, r.Stderr)
	}
	for n := 0; n < 2 || k.hurts < hurts; n++ {
		k.out, k.apart, k.r = k.folder(t, fmt.Sprint("many", n)), n%2 == 1, rand.New(rand.NewPCG(1, uint64(n)))
		k.most = k.hurts + (hurts+1)/2
		began := time.Now()
		k.run(t)
		if err := clitest.Same(one, k.out, clitest.Repeatable); err != nil {
			t.Error(err)
		}
		t.Logf("run %d, broker apart %v, %.0f s: so far %d workers killed, %d stopped, %d coordinators killed, %d brokers killed, %d of both stopped", n+1, k.apart, time.Since(began).Seconds(), k.killed, k.stopped, k.coordinators, k.brokers, k.others)
		if t.Failed() {
			t.Log(k.coordinator.Stderr())
			return
		}
	}
	if k.coordinators == 0 || k.brokers == 0 {
		t.Errorf("%d coordinators and %d brokers were killed: want some of both", k.coordinators, k.brokers)
	}
}

// folder is where a run is to be made, of the same name as all others: tuned
// parameters tell it.
func (r *rack) folder(t *testing.T, name string) string {
	if err := os.Mkdir(filepath.Join(r.dir, name), 0o777); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(r.dir, name, "run")
}

// rack is where runs are tortured.
type rack struct {
	selfplay, program, dir, out string
	words, resume               []string
	apart                       bool // the broker is a process of its own
	r                           *rand.Rand
	most                        int // workers to hurt before the run is left in peace
	// Ticks between two kills of a coordinator and of a broker, of the dozen or two that
	// it takes to hurt the workers.
	coordinatorEvery, brokerEvery int

	address             string
	workers             [6]*child
	broker, coordinator *child
	halted              map[*child]bool

	killed, stopped, hurts        int // workers
	coordinators, brokers, others int
}

// run tortures a run until it has ended by itself.
func (k *rack) run(t *testing.T) {
	k.halted = map[*child]bool{}
	k.address = free(t)
	if k.apart {
		k.listen(t)
	}
	for i := range k.workers {
		k.start(t, i)
	}
	k.coordinate(t, append(k.words, "--out", k.out))
	defer k.end(t)
	for n := 1; !k.coordinator.Ended(); n++ {
		<-time.After(100*time.Millisecond + time.Duration(k.r.IntN(100))*time.Millisecond) // the pace of the torture
		switch {
		case k.hurts >= k.most:
			k.peace(t)
		case n%k.coordinatorEvery == k.coordinatorEvery/4:
			k.coordinators++
			k.coordinator.Kill(t)
			k.coordinate(t, append(k.resume, k.out))
		case k.apart && n%k.brokerEvery == k.brokerEvery/2:
			k.brokers++
			k.broker.Kill(t)
			k.listen(t)
		default:
			k.hurt(t)
		}
	}
	if r := k.coordinator.Wait(t); r.Code != 0 && r.Code != 3 {
		t.Fatalf("exit code %d\n%s", r.Code, r.Stderr)
	}
}

// hurt kills a worker, or stops it, or lets it go on; now and then it stops a
// coordinator or broker, until the next time.
func (r *rack) hurt(t *testing.T) {
	for _, p := range []*child{r.coordinator, r.broker} {
		if r.halted[p] {
			r.goOn(t, p)
			return
		}
	}
	i := r.r.IntN(len(r.workers) + 1)
	if i == len(r.workers) {
		p := r.coordinator
		if r.apart && r.r.IntN(2) == 0 {
			p = r.broker
		}
		r.others++
		r.halt(t, p)
		return
	}
	p := r.workers[i]
	switch {
	case r.halted[p]:
		r.goOn(t, p)
	case r.r.IntN(2) == 0:
		r.stopped++
		r.hurts++
		r.halt(t, p)
	default:
		r.killed++
		r.hurts++
		p.Kill(t)
		r.start(t, i)
	}
}

func (r *rack) halt(t *testing.T, p *child) {
	p.Signal(t, syscall.SIGSTOP)
	r.halted[p] = true
}

func (r *rack) goOn(t *testing.T, p *child) {
	p.Signal(t, syscall.SIGCONT)
	delete(r.halted, p)
}

// peace lets all go on but one worker that is stopped, for which nobody may wait.
func (r *rack) peace(t *testing.T) {
	for p := range r.halted {
		if p != r.workers[0] {
			r.goOn(t, p)
		}
	}
}

// end ends what is left of a run.
func (r *rack) end(t *testing.T) {
	for _, p := range append(r.workers[:], r.broker) {
		if p != nil {
			p.Kill(t)
		}
	}
	r.broker = nil
}

func (r *rack) start(t *testing.T, i int) {
	r.workers[i] = start(t, r.dir, r.selfplay, "worker", "--connect", "nats://"+r.address, "--workers", "1")
}

// listen starts the broker.
func (r *rack) listen(t *testing.T) {
	r.broker = start(t, r.dir, brokerName, r.address)
	r.broker.Said(t, regexp.MustCompile(`(listening)`))
}

// coordinate begins the run, or goes on with it.
func (r *rack) coordinate(t *testing.T, words []string) {
	where := []string{"--listen", r.address}
	if r.apart {
		where = []string{"--nats", "nats://" + r.address}
	}
	r.coordinator = start(t, r.dir, r.program, append(append(words[:len(words):len(words)], "--workers", "0"), where...)...)
	r.coordinator.Said(t, regexp.MustCompile(`(directory: )`))
}

// free is an address where nobody listens.
func free(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}()
	return l.Addr().String()
}
