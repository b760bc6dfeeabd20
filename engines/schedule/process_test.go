package schedule

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"sync"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/testmode"
)

// workerVariable makes the test binary play jobs from its standard input.
const workerVariable = "SELFPLAYLAB_TEST_WORKER"

// TestMain starts a worker if workerVariable is set.
func TestMain(m *testing.M) {
	if os.Getenv(workerVariable) != "" {
		if err := serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// serve plays jobs, a line of JSON each, under the setup of the first line.
func serve(in io.Reader, out io.Writer) error {
	jobs, results := json.NewDecoder(bufio.NewReader(in)), json.NewEncoder(out)
	var s play.Setup
	if err := jobs.Decode(&s); err != nil {
		return err
	}
	game, err := games.Find(s.Game)
	if err != nil {
		return err
	}
	rules, err := engines.ParseRules(s.Rules)
	if err != nil {
		return err
	}
	v, err := game.Open(rules)
	if err != nil {
		return err
	}
	w := play.NewWorker(v, s)
	for {
		var j play.Job
		if err := jobs.Decode(&j); errors.Is(err, io.EOF) {
			return w.Close()
		} else if err != nil {
			return err
		}
		pairs, err := w.Play(context.Background(), j)
		if err != nil {
			return err
		}
		if err := results.Encode(pairs); err != nil {
			return err
		}
	}
}

// processes is a Pool of other processes, each with a pipe to and from it. It proves that jobs
// are plain data.
type processes struct {
	LocalPool
	n int
}

// Size implements Pool.
func (p processes) Size() int { return p.n }

// Play implements Pool.
func (p processes) Play(ctx context.Context, s play.Setup, jobs <-chan play.Job, results chan<- Result) error {
	var wait sync.WaitGroup
	errs := make([]error, p.n)
	for i := range errs {
		wait.Go(func() { errs[i] = remote(ctx, s, jobs, results) })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// remote lets one other process play the jobs.
func remote(ctx context.Context, s play.Setup, jobs <-chan play.Job, results chan<- Result) error {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), workerVariable+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	err = converse(ctx, json.NewEncoder(in), json.NewDecoder(out), s, jobs, results)
	closed := in.Close()
	if err := cmd.Wait(); err != nil && ctx.Err() == nil {
		return err
	}
	if ctx.Err() != nil {
		return nil
	}
	return errors.Join(err, closed)
}

func converse(ctx context.Context, in *json.Encoder, out *json.Decoder, s play.Setup, jobs <-chan play.Job, results chan<- Result) error {
	if err := in.Encode(s); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case j, ok := <-jobs:
			if !ok {
				return nil
			}
			if err := in.Encode(j); err != nil {
				return err
			}
			var pairs []play.Pair
			if err := out.Decode(&pairs); err != nil {
				return err
			}
			select {
			case results <- Result{Trial: j.Trial, Pairs: pairs}:
			case <-ctx.Done():
				return nil
			}
		}
	}
}

// TestPoolOfProcessesGivesSameRows plays every game over a pipe: the rows are the same.
func TestPoolOfProcessesGivesSameRows(t *testing.T) {
	for _, game := range games.Games() {
		t.Run(game.Name, func(t *testing.T) {
			if game.Name != "quoridor" {
				testmode.Raced(t, "one game stands for all")
			}
			v, err := game.Open(nil)
			if err != nil {
				t.Fatal(err)
			}
			preset, err := game.Preset(game.DefaultPreset)
			if err != nil {
				t.Fatal(err)
			}
			pairs := map[string]int{"quoridor": 80}[game.Name]
			rows := func(pool Pool) *memory {
				m := &memory{}
				c := Runner{
					Setup: play.Setup{Game: game.Name, Version: game.Version, Rules: v.Rules, Seed: 3, OpeningPlies: game.OpeningPlies, Notes: true},
					Pool:  pool, Record: m,
				}
				f := Fixed{X: preset.Vector, Than: preset.Vector, Pairs: max(pairs, 2)}
				if err := c.Run(t.Context(), f.source(&rig{Limits: quick(game.Limits)})); err != nil {
					t.Fatal(err)
				}
				return m
			}
			want, got := rows(Local{Variant: v, Workers: 2}), rows(processes{n: 3})
			if len(want.moves) == 0 || !reflect.DeepEqual(got, want) {
				t.Errorf("other rows over the pipe: %d games, %d decisions; want %d and %d", len(got.games), len(got.moves), len(want.games), len(want.moves))
			}
		})
	}
}

// TestJobPlaysSameGamesFromItsBytes writes and reads setups, jobs and pairs without loss.
func TestJobPlaysSameGamesFromItsBytes(t *testing.T) {
	c, _ := campaign(t, 1)
	c.Moves = datasets.KeepMoves
	c.Setup.Adjudication.Resign = play.Resign{Score: 150, Moves: 2}
	c.Setup.Notes = true
	f := Fixed{X: vector(t, "final"), Than: vector(t, "bad"), Pairs: 3}
	job := play.Job{Trial: 7, Seats: f.seats(c), Stream: 1 << 63, Openings: 9, Book: play.Drawn, From: 1, To: 3}
	w := play.NewWorker(c.Variant, c.Setup)
	pairs, err := w.Play(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct{ value, back any }{{c.Setup, &play.Setup{}}, {job, &play.Job{}}, {pairs, &[]play.Pair{}}} {
		text, err := json.Marshal(v.value)
		if err == nil {
			err = json.Unmarshal(text, v.back)
		}
		if back := reflect.ValueOf(v.back).Elem().Interface(); err != nil || !reflect.DeepEqual(back, v.value) {
			t.Errorf("%v\nwrote %+v\nread  %+v\nas %s", err, v.value, back, text)
		}
	}
}
