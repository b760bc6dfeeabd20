package selfplay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines/gamefile"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/replay"
	"selfplaylab/reports/text"
)

// forms lists the forms of game files for help.
func forms() string {
	list := text.Each(gamefile.Formats(), func(f gamefile.Format) string { return f.Name })
	return strings.Join(list, ", ")
}

// checkForm reports flags that --format excludes or requires.
func (e *exportFlags) checkForm(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	if !changed("format") {
		if changed("game") {
			return errors.New("--game is for --format; rows are chosen by --trial, --outcome and --reason")
		}
		return nil
	}
	for _, name := range []string{"csv", "jsonl", "parquet", "table"} {
		if changed(name) {
			return fmt.Errorf("--%s is for tables, --format for files of games; want one of the two", name)
		}
	}
	switch {
	case e.form == "":
		return fmt.Errorf("--format: want %s", forms())
	case e.game != "":
		return cli.NoEffect(cmd.Flags(), "with --game, which chooses one", "trial", "phase", "outcome", "reason")
	}
	return nil
}

// exportFiles writes games in the format of the flag.
func (e *exportFlags) exportFiles(ctx context.Context, dir string, stdout, stderr io.Writer) error {
	recorded, err := kinds.All().Open(dir)
	if err != nil {
		return err
	}
	form, err := gamefile.Find(e.form, recorded.Log.Meta.Game)
	if err != nil {
		return fmt.Errorf("--format %w", err)
	}
	if err := e.checkChoice(recorded.Log); err != nil {
		return err
	}
	if e.game != "" {
		found, err := replay.Find(recorded, e.game)
		if err != nil {
			return fmt.Errorf("--game: %w", err)
		}
		e.filter.From, e.filter.To = found.Row.Trial, found.Row.Trial+1
		e.game = gameName(found.Row)
	}
	n := 0
	write := func(out io.Writer) (err error) {
		n, err = e.oneFile(ctx, recorded, form, out)
		return err
	}
	switch {
	case isFolder(e.out):
		n, err = e.eachFile(ctx, recorded, form)
	case e.out == "":
		err = buffered(stdout, write)
	default:
		err = writeWhole("out", e.out, write)
	}
	if err == nil && n == 0 {
		err = e.warnOfNothing(recorded.Log, stderr)
	}
	return err
}

// gameName names a game's file.
func gameName(g datasets.GameRow) string { return fmt.Sprintf("%d-%d-%d", g.Trial, g.Pair, g.Game) }

// isFolder reports whether a name is an existing folder or ends with a separator.
func isFolder(name string) bool {
	if name == "" {
		return false
	}
	info, err := os.Stat(name)
	return os.IsPathSeparator(name[len(name)-1]) || err == nil && info.IsDir()
}

// each calls write with every game that the flags choose, and returns how many.
func (e *exportFlags) each(ctx context.Context, recorded *runs.Recorded, write func(w replay.Written) error) (n int, err error) {
	for w, err := range replay.Games(recorded, e.filter) {
		switch {
		case err != nil:
			return n, err
		case ctx.Err() != nil:
			return n, context.Cause(ctx)
		case e.game != "" && gameName(w.Row) != e.game:
			continue
		}
		n++
		if err := write(w); err != nil {
			return n, fmt.Errorf("game %s: %w", w.Game.Round, err)
		}
	}
	return n, nil
}

// oneFile writes all games to one file.
func (e *exportFlags) oneFile(ctx context.Context, recorded *runs.Recorded, form gamefile.Format, out io.Writer) (int, error) {
	n := 0
	return e.each(ctx, recorded, func(w replay.Written) error {
		if n++; n > 1 && form.Single {
			return fmt.Errorf("a %s file holds one game; choose it with --game, or give --out a folder, such as --out games%c", form.Name,
				filepath.Separator)
		}
		return form.Write(out, &w.Game)
	})
}

// eachFile writes a file for each game into a folder.
func (e *exportFlags) eachFile(ctx context.Context, recorded *runs.Recorded, form gamefile.Format) (int, error) {
	if err := os.MkdirAll(e.out, 0o777); err != nil {
		return 0, fmt.Errorf("--out: %w", err)
	}
	return e.each(ctx, recorded, func(w replay.Written) error {
		return writeWhole("out", filepath.Join(e.out, gameName(w.Row)+"."+form.Name), func(out io.Writer) error { return form.Write(out, &w.Game) })
	})
}
