package external

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"selfplaylab/engines"
)

// ugiServer offers a player in UGI. Beyond the protocol it knows go without
// words (the player's own limits), go playouts N and bench.
type ugiServer struct{ *server }

func (u *ugiServer) hear(ctx context.Context, line string) (quit bool) {
	return u.hearUCI(ctx, line, u.act)
}

func (u *ugiServer) act(ctx context.Context, f []string) error {
	switch f[0] {
	case "ugi":
		u.say("id name %s\nid author the selfplaylab authors", u.name())
		u.sayOptions()
		u.say("info string extension go\ninfo string extension bench")
		if u.game.Limits.Playouts > 0 {
			u.say("info string extension go playouts")
		}
		u.say("ugiok")
	case "setoption":
		return setoption(u.server, f[1:])
	case "uginewgame":
		u.newGame = true
		return u.place("", nil)
	case "position":
		return u.position(f[1:])
	case "go":
		return u.start(ctx, f[1:])
	case "query":
		return u.query(f[1:])
	case "bench":
		nodes, hash, err := u.bench(ctx)
		if err != nil {
			return err
		}
		u.say("bench nodes %d hash %016x", nodes, hash)
	default:
		return fmt.Errorf("unknown command %q", shorten(f[0]))
	}
	return nil
}

// position reads "startpos|fen F [moves ...]".
func (u *ugiServer) position(f []string) error {
	start, moves := f, []string(nil)
	for i, word := range f {
		if word == "moves" {
			start, moves = f[:i], f[i+1:]
			break
		}
	}
	switch {
	case len(start) == 1 && start[0] == "startpos":
		return u.place("", moves)
	case len(start) > 1 && start[0] == "fen":
		return u.place(strings.Join(start[1:], " "), moves)
	}
	return fmt.Errorf("want position startpos|fen POSITION [moves ...]")
}

func (u *ugiServer) start(ctx context.Context, f []string) error {
	limits, endless, err := u.limits(f)
	if err != nil {
		return err
	}
	u.search(ctx, limits, endless)
	return nil
}

// limits reads the words after go. Several limits hold together.
func (u *ugiServer) limits(f []string) (l engines.Limits, endless bool, err error) {
	if len(f) == 0 {
		return u.options.Limits, false, nil
	}
	words, clock := u.goWords(&l, &endless), map[string]int64{}
	words.number["playouts"] = func(n int64) { l.Playouts = max(n, 1) }
	for _, key := range []string{"p1time", "p2time", "p1inc", "p2inc"} {
		words.number[key] = func(n int64) { clock[key] = n }
	}
	if err := words.read(f, "p1time, p2time, p1inc, p2inc, movetime, depth, nodes, playouts or infinite"); err != nil {
		return l, false, err
	}
	side := [...]string{"p1", "p2"}[u.ref.Turn()]
	if left, ok := clock[side+"time"]; ok && l.Time == 0 {
		l.Time = u.share(time.Duration(left)*time.Millisecond, time.Duration(clock[side+"inc"])*time.Millisecond)
	} else if !ok && len(clock) > 0 {
		return l, false, fmt.Errorf("go with clocks, but without %stime, whose turn it is", side)
	}
	return l, endless, nil
}

func (u *ugiServer) query(f []string) error {
	o, _ := u.ref.Result()
	switch strings.Join(f, " ") {
	case "p1turn":
		u.say("response %v", u.ref.Turn() == engines.First)
	case "gameover":
		u.say("response %v", o != engines.Ongoing)
	case "result":
		u.say("response %s", [...]string{"none", "p1win", "p2win", "draw"}[o])
	default:
		return fmt.Errorf("query %q: want p1turn, gameover or result", shorten(strings.Join(f, " ")))
	}
	return nil
}

func (u *ugiServer) tell(d engines.Decision, elapsed time.Duration, err error) {
	if err != nil {
		u.say("%s", u.complaint("%v", err))
		u.say("bestmove 0000")
		return
	}
	move := u.ref.MoveString(d.Move)
	u.say("%s pv %s", u.infoLine(d, elapsed), move)
	u.say("info string score %s", formatScore(d.Score))
	u.say("bestmove %s", move)
}

func formatScore(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
