package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

func TestCommandLineQuotesWords(t *testing.T) {
	if got, want := CommandLine([]string{"--a", "x y"}), filepath.Base(os.Args[0])+" --a 'x y'"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestPlainProgressLinesAreRare expects a line now and then where there is no terminal, and none
// about games of the record.
func TestPlainProgressLinesAreRare(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out)
	overdue := func() { p.printed = time.Now().Add(-2 * lineEvery) }
	p.Show("tune", 0, 1000, false, "") // begins
	p.Show("tune", 10, 1000, true, "replayed")
	overdue()
	p.Show("tune", 20, 1000, true, "replayed")
	if out.Len() > 0 {
		t.Errorf("a line about replayed games: %q", &out)
	}
	p.Show("tune", 40, 1000, false, "iteration 2 of 50")
	if got := out.String(); !strings.HasPrefix(got, "tune: 40/1000 games, ") || !strings.HasSuffix(got, " left; iteration 2 of 50\n") {
		t.Errorf("line %q", got)
	}
	out.Reset()
	p.Show("tune", 60, 1000, false, "too soon")
	p.Show("verify", 10, 100, false, "a new phase starts anew")
	if out.Len() > 0 {
		t.Errorf("a line too soon: %q", &out)
	}
	overdue()
	p.Show("verify", 20, 100, false, "+3")
	if got := out.String(); !strings.HasPrefix(got, "verify: 20/100 games, ") || strings.Count(got, "\n") != 1 {
		t.Errorf("line %q", got)
	}
	p.Close()
}

// TestRateCountsPlayedGamesAlone leaves the games of the record out of the rate.
func TestRateCountsPlayedGamesAlone(t *testing.T) {
	now := time.Now()
	at := standing{unit: "games", start: now.Add(-20 * time.Second), grew: now, skipped: 1000, total: 2100}
	for _, c := range []struct {
		done  int64
		pause time.Duration
		want  string
	}{
		{1200, 0, "1200/2100 games, 10/s, at most 1.5 min left"},
		{1010, 0, "1010/2100 games, 30.0/min, at most 36 min left"},
		{1000, 0, "1000/2100 games, 20 s so far"},
		{2100, 15 * time.Second, "2100/2100 games, 55/s"},
		{1200, 15 * time.Second, "1200/2100 games, 10/s, at most 1.5 min left, none ended for 15 s"},
	} {
		at.done, at.grew = c.done, now.Add(-c.pause)
		if got := at.status(now); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	at.grew = now
	at.done, at.total = 1001, 5_000_000_000_000_000
	if got := at.status(now); !strings.HasSuffix(got, "more than 1,000 years left") {
		t.Errorf("%q", got)
	}
}

// TestLinesMoveUntilClosed expects lines while no game ends, and none after Close.
func TestLinesMoveUntilClosed(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p := NewProgress(file)
	p.Show("match", 0, 10, false, "slow")
	for range 3 {
		p.mu.Lock()
		p.printed = time.Now().Add(-2 * lineEvery)
		p.mu.Unlock()
		p.print(time.Now()) // as the ticker does
	}
	p.Close()
	data, err := os.ReadFile(name)
	if lines := strings.Count(string(data), " so far; slow\n"); err != nil || lines < 3 {
		t.Errorf("%d lines, %v:\n%s", lines, err, data)
	}
	if lively("dumb", 1) || lively("xterm", int(file.Fd())) {
		t.Error("a dumb terminal, or a file, is drawn on")
	}
	if lineEvery > 2*time.Second {
		t.Error("progress is to move every two seconds")
	}
}

// TestInterruptedFindsNothingElse expects true for interruptions alone, also wrapped and joined.
func TestInterruptedFindsNothingElse(t *testing.T) {
	full := errors.New("disk full")
	for _, err := range []error{
		ErrInterrupted, context.Canceled, errors.Join(ErrInterrupted), errors.Join(nil, ErrInterrupted, context.Canceled),
		fmt.Errorf("playing: %w", ErrInterrupted), fmt.Errorf("run: %w", errors.Join(errors.Join(ErrInterrupted))),
	} {
		if !Interrupted(err) {
			t.Errorf("%v is an interruption and nothing else", err)
		}
	}
	for _, err := range []error{nil, full, errors.Join(ErrInterrupted, full), fmt.Errorf("a: %w", errors.Join(full, ErrInterrupted)), errors.Join(full)} {
		if Interrupted(err) {
			t.Errorf("%v is more than an interruption", err)
		}
	}
}

// TestOutputKeepsFirstError expects every write to be passed on, and the first error to be kept.
func TestOutputKeepsFirstError(t *testing.T) {
	first := errors.New("disk full")
	w := &failing{errs: []error{nil, first, errors.New("later")}}
	o := &output{to: w}
	for range 3 {
		io.WriteString(o, "x")
	}
	if o.err != first || w.n != 3 {
		t.Errorf("error %v after %d writes, want %v after 3", o.err, w.n, first)
	}
}

// TestOutputOnTerminal expects escape codes to be shown as text on a terminal, and to pass
// unchanged through a pipe.
func TestOutputOnTerminal(t *testing.T) {
	for terminal, want := range map[bool]string{true: "a\\u001b[31m\tb\n", false: "a\x1b[31m\tb\n"} {
		var b strings.Builder
		o := &output{to: &b, terminal: terminal}
		if n, err := io.WriteString(o, "a\x1b[31m\tb\n"); n != 9 || err != nil || b.String() != want {
			t.Errorf("terminal %v: %q, %d, %v", terminal, b.String(), n, err)
		}
	}
}

type failing struct {
	errs []error
	n    int
}

func (f *failing) Write(b []byte) (int, error) {
	f.n++
	return len(b), f.errs[f.n-1]
}

// TestMistypedFlagSuggestsMeantOne expects the flag meant, not a list or another flag with dashes.
func TestMistypedFlagSuggestsMeantOne(t *testing.T) {
	for args, want := range map[string]string{
		"--wrokers=3":      "unknown flag: --wrokers; did you mean --workers?\nSee \"play --help\".",
		"--seed=3":         "unknown flag: --seed\nSee \"play --help\".",
		"-z":               "unknown shorthand flag: 'z' in -z\nSee \"play --help\".",
		"sevre":            "unexpected argument \"sevre\"; did you mean serve?\nSee \"play --help\".",
		"sevre --port 3":   "unexpected argument \"sevre\"; did you mean serve?\nSee \"play --help\".",
		"--game --pairs 3": "unexpected argument \"3\"; --game took --pairs as its value: want --game string\nSee \"play --help\".",
	} {
		cmd := &cobra.Command{Use: "play", Args: NoArgs, RunE: func(*cobra.Command, []string) error { return nil }}
		cmd.Flags().Int("workers", 1, "")
		cmd.Flags().String("game", "", "")
		cmd.AddCommand(&cobra.Command{Use: "serve", Run: func(*cobra.Command, []string) {}})
		var out bytes.Buffer
		err := Execute(t.Context(), cmd, strings.Fields(args), &out, &out)
		if err == nil || err.Error() != want || out.Len() > 0 {
			t.Errorf("%s: error %v and output %q, want %q", args, err, &out, want)
		}
	}
}
