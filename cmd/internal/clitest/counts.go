package clitest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// tree makes a command with all its subcommands.
type tree func(args []string, stdout, stderr io.Writer) *cobra.Command

// maxOfCount is when a command that is given a count is taken to hang.
const maxOfCount = 5 * time.Minute

// Counts gives every flag of a tree that takes whole numbers the largest number, zero and a
// negative one. Each is refused by its name, or has its effect in bounded time. defaults lists the
// other words of each command, by its path, or by its path and flag where that flag needs other
// words. After "fails:" these words alone are an error about an accepted count.
func Counts(t *testing.T, tree tree, execute func(context.Context, *cobra.Command, []string) error, defaults map[string]string) {
	t.Helper()
	run := func(words []string) error {
		ctx, cancel := context.WithTimeout(t.Context(), maxOfCount)
		defer cancel()
		err := execute(ctx, tree(words, io.Discard, io.Discard), words)
		if ctx.Err() != nil {
			return errors.Join(fmt.Errorf("took more than %v", maxOfCount), err)
		}
		return err
	}
	for path, flags := range counts(tree(nil, io.Discard, io.Discard), "") {
		for _, name := range flags {
			words, ok := defaults[strings.TrimSpace(path+" --"+name)]
			if !ok {
				words, ok = defaults[path]
			}
			words, fails := strings.CutPrefix(words, "fails: ")
			alone := run(append(strings.Fields(path), strings.Fields(words)...))
			if !ok || fails != (alone != nil) {
				t.Errorf("%q has counts (%s) and cannot be tried: %v", path, strings.Join(flags, ", "), alone)
				continue
			}
			for _, value := range []string{"9223372036854775807", "0", "-1"} {
				line := append(strings.Fields(path), without(strings.Fields(words), name)...)
				line = append(line, "--"+name+"="+value)
				if err := run(line); err != nil && !strings.Contains(err.Error(), "--"+name) && (alone == nil || err.Error() != alone.Error()) {
					t.Errorf("%s: %v; want an error that names --%s, or none", strings.Join(line, " "), err, name)
				}
			}
		}
	}
}

// counts lists the flags of a tree's commands that take whole numbers, by path.
func counts(cmd *cobra.Command, path string) map[string][]string {
	all := map[string][]string{}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		whole := func(text string) bool { return f.Value.Set(text) == nil }
		if !whole("x") && !whole("1.5") && whole("12") {
			all[path] = append(all[path], f.Name)
		}
	})
	for _, c := range cmd.Commands() {
		for p, flags := range counts(c, strings.TrimSpace(path+" "+c.Name())) {
			all[p] = append(all[p], flags...)
		}
	}
	return all
}

// without leaves a flag and its value out of words.
func without(words []string, name string) (rest []string) {
	for i := 0; i < len(words); i++ {
		if words[i] == "--"+name {
			i++
			continue
		}
		rest = append(rest, words[i])
	}
	return rest
}
