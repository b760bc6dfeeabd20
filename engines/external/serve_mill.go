package external

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"selfplaylab/engines"
)

// millServer offers our mills player in Sanmill's UCI: a turn's parts are tokens
// of their own. It searches whole turns; asked again after the first part, it
// answers with the rest of the turn it found.
type millServer struct {
	*server
	prefix  string // parts of a turn that the position ends with, joined; "" for none
	rest    []string
	after   string // the position and parts that rest belongs to
	logical bool   // the search under way is a go logical
	budget  int64
}

func (u *millServer) hear(ctx context.Context, line string) (quit bool) {
	return u.hearUCI(ctx, line, u.act)
}

func (u *millServer) act(ctx context.Context, f []string) error {
	switch f[0] {
	case "uci":
		u.say("id name %s\nid author the selfplaylab authors", u.name())
		u.sayOptions()
		u.say("uciok")
	case "setoption":
		err := setoption(u.server, f[1:])
		if err != nil {
			u.say("info string unsupported setoption: %s", shorten(strings.Join(f[1:], " ")))
		}
		return err
	case "ucinewgame":
		u.newGame, u.prefix, u.rest = true, "", nil
		return u.place("", nil)
	case "position":
		return u.position(f[1:])
	case "go":
		return u.start(ctx, f[1:])
	default:
		return fmt.Errorf("unknown command %q", shorten(f[0]))
	}
	return nil
}

// position joins the tokens of turns: a token that begins with x belongs to the
// one before.
func (u *millServer) position(f []string) error {
	if len(f) == 0 || f[0] != "startpos" || len(f) > 1 && f[1] != "moves" {
		return fmt.Errorf("want position startpos [moves ...]")
	}
	var turns []string
	if len(f) > 1 {
		for _, token := range f[2:] {
			if strings.HasPrefix(token, "x") && len(turns) > 0 {
				turns[len(turns)-1] += token
			} else {
				turns = append(turns, token)
			}
		}
	}
	err := u.place("", turns)
	u.prefix = ""
	if err == nil || len(turns) == 0 {
		return err
	}
	// The last turn may want its capture yet.
	last := turns[len(turns)-1]
	if u.place("", turns[:len(turns)-1]) == nil && len(u.completions(last)) > 0 {
		u.prefix = last
		return nil
	}
	return err
}

// completions lists the legal turns that begin with some parts and go on.
func (u *millServer) completions(prefix string) (list []engines.Move) {
	for _, m := range u.ref.Moves(nil) {
		if strings.HasPrefix(u.ref.MoveString(m), prefix+"x") {
			list = append(list, m)
		}
	}
	return list
}

func (u *millServer) start(ctx context.Context, f []string) error {
	limits, endless, err := u.limits(f)
	if err != nil {
		return err
	}
	if u.prefix != "" {
		if u.logical {
			return fmt.Errorf("go logical in the middle of a turn")
		}
		return u.complete(ctx)
	}
	u.search(ctx, limits, endless)
	return nil
}

// complete answers the next part of a turn: the one found before, or if the
// parts are not ours the first legal one.
func (u *millServer) complete(ctx context.Context) error {
	if u.after == u.spot()+" "+u.prefix && len(u.rest) > 0 {
		u.say("info depth 0 score cp 0 nodes 0 bestmove %s", u.rest[0])
		u.after, u.rest = u.after+u.rest[0], u.rest[1:]
		return nil
	}
	text := u.ref.MoveString(u.completions(u.prefix)[0])
	u.say("info depth 0 score cp 0 nodes 0 bestmove %s", millTokens(strings.TrimPrefix(text, u.prefix))[1:][0])
	return nil
}

// spot names the position.
func (u *millServer) spot() string { return fmt.Sprint(u.history) }

// limits reads go [logical] [depth N] [nodes N] [movetime MS] [infinite].
func (u *millServer) limits(f []string) (l engines.Limits, endless bool, err error) {
	u.logical, u.budget = false, 0
	words := u.goWords(&l, &endless)
	words.alone["logical"] = func() { u.logical = true }
	if err := words.read(f, "logical, depth, nodes, movetime or infinite"); err != nil {
		return l, false, err
	}
	if l.IsZero() {
		l = u.options.Limits
	}
	if u.budget = l.Nodes; u.logical && l.Nodes == 0 {
		return l, false, fmt.Errorf("go logical: want nodes N")
	}
	return l, endless, nil
}

func (u *millServer) tell(d engines.Decision, elapsed time.Duration, err error) {
	switch {
	case err != nil && u.logical:
		u.say("info string sanmill_error %s", jsonText(map[string]string{"status": "error", "command": "go", "message": err.Error()}))
		return
	case err != nil:
		u.say("%s", u.complaint("%v", err))
		u.say("bestmove none")
		return
	}
	if u.ref.Turn() == engines.Second { // scores are White's
		d.Score, d.Mate = -d.Score, -d.Mate
	}
	tokens := millTokens(u.ref.MoveString(d.Move))
	if u.logical {
		u.say("info string sanmill_logical_turn %s", jsonText(logicalTurn{
			Status: "ok", Actions: tokens, Depth: d.Depth, Kind: "cp", Score: d.Score, View: "white", Nodes: d.Nodes,
		}))
		return
	}
	u.after, u.rest = u.spot()+" "+tokens[0], tokens[1:]
	u.say("%s bestmove %s", u.infoLine(d, elapsed), tokens[0])
}

func jsonText(x any) string {
	data, err := json.Marshal(x)
	if err != nil {
		return fmt.Sprintf("{%q:%q}", "message", err)
	}
	return string(data)
}
