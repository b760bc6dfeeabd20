//go:build unix

package main

import (
	"flag"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplaylab/cmd/internal/clitest"
)

var torture = flag.Bool("torture", false, "kill and stop workers and coordinators of runs of every kind, some hundred times")

// asked are runs of every kind that take a core some seconds: the program, its
// words, and what goes on with it.
var asked = []struct{ kind, program, words, resume string }{
	{"match", "selfplay", "match --game quoridor --a final --b v12.7 --pairs 9000 --record-moves on", "match --resume"},
	{"tournament", "selfplay", "tournament --game quoridor --pairs 300", "tournament --resume"},
	{"ladder", "selfplay", "ladder --game quoridor --player final,a_E=15 --rounds 800", "ladder --resume"},
	{"tune", "tune", "--game quoridor --method spsa --iters 150 --verify-pairs 2000", "--resume"},
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
pairs = 5000

[[run]]
name = "two"
kind = "tournament"
game = "mills"
player = ["paper@depth=2", "paper10@depth=2"]
pairs = 500
`

// TestTorture plays a run of every kind with six worker processes that are killed
// and stopped at random, and a coordinator that is killed with its broker, to the
// bytes of one worker.
func TestTorture(t *testing.T) {
	if !*torture {
		t.Skip("only with -torture: it takes minutes")
	}
	bin := t.TempDir()
	for _, program := range []string{"selfplay", "tune"} {
		build := exec.Command("go", "build", "-o", filepath.Join(bin, program), "selfplaylab/cmd/"+program)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for _, a := range asked {
		t.Run(a.kind, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "tortured.toml")
			if err := os.WriteFile(file, []byte(tortured), 0o666); err != nil {
				t.Fatal(err)
			}
			words := strings.Fields(strings.ReplaceAll(a.words, "EXPERIMENT", file))
			program, one := filepath.Join(bin, a.program), filepath.Join(dir, "one")
			if r := clitest.Run(t, dir, program, append(words, "--workers", "1", "-q", "--out", one)...); r.Code != 0 && r.Code != 3 {
				t.Fatalf("exit code %d\n%s", r.Code, r.Stderr)
			}
			r := &rack{selfplay: filepath.Join(bin, "selfplay"), program: program, dir: dir, out: filepath.Join(dir, "many"), words: words, resume: strings.Fields(a.resume), r: rand.New(rand.NewPCG(1, 2))}
			r.run(t)
			if err := clitest.Same(one, r.out, clitest.Repeatable); err != nil {
				t.Error(err)
			}
			t.Logf("%s: %d workers killed, %d stopped, %d coordinators killed; 0 rows lost or doubled: %v", a.kind, r.killed, r.stopped, r.ended, !t.Failed())
		})
	}
}

// rack is where a run is tortured.
type rack struct {
	selfplay, program, dir, out string
	words, resume               []string
	address                     string
	r                           *rand.Rand
	workers                     [6]*clitest.Process
	halted                      [6]bool
	killed, stopped, ended      int
}

// run tortures a run until it has ended by itself.
func (k *rack) run(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k.address = l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for i := range k.workers {
		k.start(t, i)
	}
	coordinator := k.coordinate(t)
	tick := time.NewTicker(400 * time.Millisecond) // the pace of the torture
	defer tick.Stop()
	for n := 1; ; n++ {
		<-tick.C
		if coordinator.Ended() {
			r := coordinator.Wait(t)
			if r.Code != 0 && r.Code != 3 {
				t.Fatalf("exit code %d\n%s", r.Code, r.Stderr)
			}
			return
		}
		if n%40 == 30 { // what is played is saved every ten seconds
			k.ended++
			coordinator.Kill(t)
			coordinator = k.coordinate(t)
			continue
		}
		k.hurt(t, k.r.IntN(len(k.workers)))
	}
}

// hurt kills a worker, or stops it, or lets it go on.
func (k *rack) hurt(t *testing.T, i int) {
	switch {
	case k.halted[i]:
		k.workers[i].Signal(t, syscall.SIGCONT)
		k.halted[i] = false
	case k.r.IntN(2) == 0:
		k.workers[i].Signal(t, syscall.SIGSTOP)
		k.halted[i] = true
		k.stopped++
	default:
		k.workers[i].Kill(t)
		k.killed++
		k.start(t, i)
	}
}

func (k *rack) start(t *testing.T, i int) {
	k.workers[i] = clitest.Start(t, k.dir, k.selfplay, "worker", "--connect", "nats://"+k.address, "--workers", "1")
	k.halted[i] = false
}

// coordinate begins the run, or goes on with it, and waits until it plays.
func (k *rack) coordinate(t *testing.T) *clitest.Process {
	words := k.words
	where := []string{"--out", k.out}
	if k.ended > 0 {
		words, where = k.resume, []string{k.out}
	}
	args := append(append([]string{}, words...), where...)
	p := clitest.Start(t, k.dir, k.program, append(args, "--workers", "0", "--listen", k.address)...)
	p.Said(t, regexp.MustCompile(`(has come|selfplay: |tune: )`))
	return p
}
