package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"selfplaylab/datasets"
)

// MovesFlag is --record-moves.
type MovesFlag struct{ Value datasets.RecordMoves }

// Register adds the flag to a command that makes runs.
func (f *MovesFlag) Register(cmd *cobra.Command) {
	cmd.Flags().Var(f, "record-moves", "keep a row for every decision, with position key, move, score, nodes and depth, in moves/: off, on, or time (with the wall time of each, the one column that does not repeat)")
}

// On reports whether moves are kept.
func (f *MovesFlag) On() bool { return f.Value != datasets.NoMoves }

// String implements pflag.Value.
func (f *MovesFlag) String() string { return cmp.Or(string(f.Value), "off") }

// Set implements pflag.Value.
func (f *MovesFlag) Set(text string) (err error) {
	f.Value, err = datasets.ParseRecordMoves(text)
	return err
}

// Type implements pflag.Value.
func (f *MovesFlag) Type() string { return "off|on|time" }
