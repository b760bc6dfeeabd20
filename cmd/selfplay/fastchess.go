package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// takeFastchess gives the command of a match the flag by which a command line of fastchess
// stands for its flags.
func takeFastchess(cmd *cobra.Command, stderr io.Writer) {
	var line string
	cmd.Flags().StringVar(&line, "from", "", "a command line of fastchess, `\"fastchess -engine ...\"`, to be played by this program; names "+
		"what it cannot translate")
	play := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if line != "" {
			if err := fromFastchess(cmd, line, stderr); err != nil {
				return fmt.Errorf("--from: %w", err)
			}
		}
		return play(cmd, args)
	}
}

// fromFastchess sets the flags that a command line stands for, unless they are given too,
// writes its engine files and says both.
func fromFastchess(cmd *cobra.Command, line string, stderr io.Writer) error {
	t, err := translateFastchess(line)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(t.Files)) {
		if err := writeOnce(name, t.Files[name]); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "engine file: %s\n", name)
	}
	typed := "selfplay match"
	for _, f := range t.Flags {
		name, value := f[0], f[1]
		if flag := cmd.Flags().Lookup(name); flag.Changed {
			value = flag.Value.String()
		} else if err := cmd.Flags().Set(name, value); err != nil {
			return fmt.Errorf("--%s %s: %w", name, value, err)
		}
		typed += " --" + name + " " + value
	}
	fmt.Fprintln(stderr, strings.Join(append([]string{typed}, t.Notes...), "\n"))
	return nil
}

// writeOnce writes a file, or leaves it alone where it holds the same.
func writeOnce(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if os.IsExist(err) {
		if had, err := os.ReadFile(name); err != nil || string(had) != text {
			return fmt.Errorf("%s is there already and says something else: move it, or give an engine another name=", name)
		}
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
