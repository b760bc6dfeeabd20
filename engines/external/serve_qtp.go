package external

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"selfplaylab/engines"
)

// qtpServer offers our Quoridor player in QTP. Beyond the protocol it has options
// (its rows, joined by ;), setoption NAME VALUE, seed N and limits TEXT.
type qtpServer struct {
	*server
	dialect qtpDialect
	limits  engines.Limits
}

// qtpWords are the commands it knows; those of the dialect come in front.
var qtpWords = []string{"name", "known_command", "list_commands", "quit", "boardsize", "clear_board", "walls",
	"genmove", "undo", "winner", "showboard", "options", "setoption", "seed", "limits"}

func newQTPServer(s *server) (*qtpServer, error) {
	name := s.options.Dialect
	if name == "" {
		name = "qtp-white-bottom"
	}
	for _, d := range qtpDialects() {
		if d.name == name {
			return &qtpServer{server: s, dialect: d, limits: s.options.Limits}, nil
		}
	}
	return nil, fmt.Errorf("unknown dialect %q; known: %s", name, strings.Join(qtpDialectNames(), ", "))
}

func (q *qtpServer) commands() []string {
	list := []string{q.dialect.step, q.dialect.wall}
	return append(slices.Compact(list), qtpWords...)
}

func (q *qtpServer) answer(format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), "\n")
	q.say("%s\n", strings.TrimRight("= "+text, " "))
}

func (q *qtpServer) hear(ctx context.Context, line string) (quit bool) {
	line, _, _ = strings.Cut(line, "#")
	f := words(line)
	if len(f) == 0 {
		return false
	}
	f[0] = strings.ToLower(f[0])
	if f[0] == "quit" {
		q.abandon()
		q.answer("")
		return true
	}
	if q.searching() {
		// The protocol has no word to stop by: a question waits for its answer.
		q.say("%s", q.complaint("%s while thinking", shorten(f[0])))
		return false
	}
	if err := q.act(ctx, f); err != nil {
		q.say("%s", q.complaint("%v", err))
	}
	return false
}

func (q *qtpServer) act(ctx context.Context, f []string) error {
	arg := func(i int) string {
		if i < len(f) {
			return f[i]
		}
		return ""
	}
	if f[0] == q.dialect.step || f[0] == q.dialect.wall {
		return q.play(f)
	}
	switch f[0] {
	case "name":
		q.answer("%s", q.name())
	case "known_command":
		q.answer("%v", slices.Contains(q.commands(), arg(1)))
	case "list_commands":
		q.answer("%s", strings.Join(q.commands(), "\n"))
	case "boardsize":
		if arg(1) != "9" {
			return fmt.Errorf("unacceptable size: only 9 is played")
		}
		q.answer("")
	case "walls":
		if arg(1) != "10" {
			return fmt.Errorf("unacceptable number of walls: only 10 is played")
		}
		q.answer("")
	case "clear_board":
		q.newGame = true
		if err := q.place("", nil); err != nil {
			return err
		}
		q.answer("")
	case "genmove":
		return q.generate(ctx, arg(1))
	case "undo":
		return q.undo(arg(1))
	case "winner":
		q.winner()
	case "showboard":
		q.answer("%s", strings.ReplaceAll(q.ref.Board().Text(), "\n\n", "\n"))
	default:
		return q.extension(f)
	}
	return nil
}

// extension acts on what QTP does not have.
func (q *qtpServer) extension(f []string) error {
	switch {
	case f[0] == "options":
		var rows []string
		for _, o := range q.offered() {
			rows = append(rows, o.String())
		}
		for i, p := range q.game.Space {
			rows = append(rows, ParamRow(p, q.vector[i]))
		}
		q.answer("%s", strings.Join(rows, ";\n"))
	case f[0] == "setoption" && len(f) > 2:
		if err := q.set(f[1], strings.Join(f[2:], " ")); err != nil {
			return err
		}
		q.answer("")
	case f[0] == "seed" && len(f) == 2:
		if err := q.set("seed", f[1]); err != nil {
			return err
		}
		q.answer("")
	case f[0] == "limits":
		l, err := engines.ParseLimits(strings.Join(f[1:], ""))
		if err != nil {
			return err
		}
		if l.Time > 0 {
			l.Time = q.reserve(l.Time)
		}
		q.limits = l
		q.answer("")
	default:
		return fmt.Errorf("unknown command %s, or words missing after it", shorten(f[0]))
	}
	return nil
}

// mover checks that a colour, whole or its first letter, is the one to move.
func (q *qtpServer) mover(colour string) error {
	want := q.dialect.colour(q.ref.Turn())
	if colour = strings.ToLower(colour); colour != want && colour != want[:1] {
		return fmt.Errorf("illegal move: %s is to move", want)
	}
	return nil
}

func (q *qtpServer) play(f []string) error {
	if len(f) < 3 {
		return fmt.Errorf("syntax error: want %s COLOUR MOVE", f[0])
	}
	text, err := q.dialect.move(strings.Join(f[2:], " "))
	if err != nil {
		return fmt.Errorf("syntax error: %w", err)
	}
	isWall := len(text) == 3
	if q.dialect.step != q.dialect.wall && isWall != (f[0] == q.dialect.wall) || isWall && q.dialect.joined != (len(f) == 3) {
		return fmt.Errorf("syntax error: %s does not take %s", f[0], shorten(strings.Join(f[2:], " ")))
	}
	if err := q.mover(f[1]); err != nil {
		return err
	}
	m, err := q.ref.ParseMove(text)
	if err != nil {
		return err
	}
	if o, _ := q.ref.Result(); !q.ref.Legal(m) || o != engines.Ongoing {
		return fmt.Errorf("illegal move %s", text)
	}
	q.ref.Play(m)
	q.history = append(q.history, m)
	q.answer("")
	return nil
}

func (q *qtpServer) generate(ctx context.Context, colour string) error {
	if err := q.mover(colour); err != nil {
		return err
	}
	q.search(ctx, q.limits, false)
	return nil
}

func (q *qtpServer) undo(times string) error {
	n := 1
	if times != "" {
		var err error
		if n, err = strconv.Atoi(times); err != nil || n < 1 {
			return fmt.Errorf("undo %q: want a number from 1", shorten(times))
		}
	}
	if n > len(q.history) {
		return fmt.Errorf("cannot undo %d of %d moves", n, len(q.history))
	}
	texts := make([]string, len(q.history)-n)
	for i := range texts {
		texts[i] = q.ref.MoveString(q.history[i])
	}
	if err := q.place(q.start, texts); err != nil {
		return err
	}
	q.answer("")
	return nil
}

func (q *qtpServer) winner() {
	switch o, _ := q.ref.Result(); o {
	case engines.FirstWins, engines.SecondWins:
		side := engines.First
		if o == engines.SecondWins {
			side = engines.Second
		}
		q.answer("true %s", q.dialect.colour(side))
	default:
		q.answer("false")
	}
}

func (q *qtpServer) tell(d engines.Decision, _ time.Duration, err error) {
	if err != nil {
		q.say("%s", q.complaint("%v", err))
		return
	}
	command, err := q.dialect.command(q.ref.Turn(), q.ref.MoveString(d.Move))
	if err != nil {
		q.say("%s", q.complaint("%v", err))
		return
	}
	q.ref.Play(d.Move)
	q.history = append(q.history, d.Move)
	_, answer, _ := strings.Cut(command, " ")
	_, answer, _ = strings.Cut(answer, " ")
	q.answer("%s", answer)
}
