package tune

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/web"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/engines/runs/view"
	"selfplaylab/reports/text"
)

// maxRequest bounds a line of standard input.
const maxRequest = 1 << 20

// askTellCommand is the tuning whose games are played elsewhere, as a conversation.
func askTellCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	cmd := &cobra.Command{
		Use: "ask-tell --space FILE [flags]", Short: "tune with games that another program, or a person, plays",
		Long: `Ask-tell tunes without playing: it says which vectors are to be compared, and learns from
the results. It reads a request per line of standard input and writes an answer per line,
both JSON:

  {"ask": 4}                               at most 4 questions, each with vectors a and b and a number of games
  {"tell": "7", "wins": 3, "losses": 1}    the result of question 7, for a
  {"best": true}                           recommendation, values to use, intervals

A result is wins, draws and losses, a pentanomial, points, margins, or "better": "A". It may
come late, twice or in any order; a question without one is handed out again once all others
were. The run is recorded like any other and goes on after a kill: --out names its folder.
tune ask, tune tell and tune best do the same in one call per step.`,
		Example: "  tune ask-tell --space weights.toml --out runs/mine --games 2000",
	}
	cli.OpenCommand(cmd, tuning.Kind(), tuning.NewAskTell(), web.ServeRun(kinds.All()), args, stderr,
		func(ctx context.Context, r *record.Run, o runs.Options) error {
			return withAskTell(ctx, r, o, func(x *tuning.AskTell) error {
				return converse(ctx, x, stdout)
			})
		})
	for _, name := range tuning.OfGames() {
		cmd.Flags().Lookup(strings.ReplaceAll(name, "_", "-")).Hidden = true
	}
	return cmd
}

// converse answers the lines of standard input until it ends, or ctx does.
func converse(ctx context.Context, x *tuning.AskTell, stdout io.Writer) error {
	lines, failed := make(chan []byte), make(chan error, 1)
	go func() { // nothing ends a read of a terminal but the end of the process
		in := bufio.NewScanner(os.Stdin)
		in.Buffer(nil, maxRequest)
		for in.Scan() {
			lines <- bytes.Clone(in.Bytes())
		}
		failed <- in.Err()
	}()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-failed:
			return err
		case line := <-lines:
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			reply, err := x.Do(line)
			if err != nil {
				reply = runs.Object{{Name: "error", Value: err.Error()}}
			}
			if err := json.NewEncoder(stdout).Encode(reply); err != nil {
				return err
			}
		}
	}
}

// stepCommand is a command that makes one request of a run.
func stepCommand(name, use, short string, stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: name + " " + use, Short: "ask-tell: " + short, Long: text.Capital(short) + ".\nThis is one step of tune ask-tell, whose help explains the run.",
		Args: func(c *cobra.Command, words []string) error {
			if len(words) == 0 {
				return fmt.Errorf("want the folder of a run: %s", c.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, words []string) error {
			request, err := tuning.Request(append([]string{name}, words[1:]...)...)
			if err != nil {
				return err
			}
			r, err := record.Resume(words[0], kinds.All().Find, record.Origin{ReadOnly: name == "best"})
			if err != nil {
				return err
			}
			return withAskTell(cmd.Context(), r, runs.Options{}, func(x *tuning.AskTell) error {
				reply, err := x.Do(request)
				if err != nil {
					return err
				}
				return json.NewEncoder(stdout).Encode(reply)
			})
		},
	}
}

// withAskTell opens a run for use. If the run is then complete, it writes the report.
func withAskTell(ctx context.Context, r *record.Run, o runs.Options, use func(*tuning.AskTell) error) error {
	x, err := tuning.OpenAskTell(ctx, r.Head, r.Result, func(ctx context.Context) error { return r.Play(ctx, o) })
	if err != nil {
		return errors.Join(err, r.Abandon())
	}
	err = use(x)
	finished := x.Finished()
	if closed := x.Close(); err == nil {
		err = closed
	}
	if err == nil && finished {
		err = view.ReportPlayed(ctx, r.Reread)
	}
	return err
}
