package table

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/gamefile"
	"selfplaylab/reports/board"
)

// seat is a position that was set up.
type seat struct {
	v     engines.Variant
	start string // the position before the moves
	ref   engines.Referee
	moves []engines.Move
	texts []string       // of the moves, in the game's notation
	turns []engines.Side // side of each move
	// penalties marks the moves left by an illegal one.
	penalties []bool
}

// maxMoves bounds questions: games are far shorter.
const maxMoves = 5000

// sit sets up the position and makes the moves. An illegal move with a penalty is replaced by the
// penalty.
func (q Question) sit(v engines.Variant) (*seat, error) {
	s := &seat{v: v, start: q.Position, ref: v.NewReferee()}
	if err := s.ref.Reset(q.Position); err != nil {
		return nil, err
	}
	words := strings.Fields(q.Moves)
	if len(words) > maxMoves {
		return nil, fmt.Errorf("%d moves: want at most %d", len(words), maxMoves)
	}
	for i, text := range words {
		if o, why := s.ref.Result(); o != engines.Ongoing {
			return nil, fmt.Errorf("move %d, %s: the game is over (%s, %s)", i+1, text, o, why)
		}
		m, err := s.ref.ParseMove(text)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		s.turns = append(s.turns, s.ref.Turn())
		s.texts = append(s.texts, s.ref.MoveString(m))
		legal := s.ref.Legal(m)
		switch {
		case legal:
			s.ref.Play(m)
		case s.lost(m):
			s.ref.Penalty()
		default:
			return nil, fmt.Errorf("move %d, %s: %s", i+1, text, s.why(text))
		}
		s.moves = append(s.moves, m)
		s.penalties = append(s.penalties, !legal)
	}
	return s, nil
}

// History reads the question's moves, and returns the board after them.
func (q Question) History(v engines.Variant) ([]engines.Move, engines.Referee, error) {
	s, err := q.sit(v)
	if err != nil {
		return nil, nil, err
	}
	if o, why := s.ref.Result(); o != engines.Ongoing {
		return nil, nil, fmt.Errorf("no move: the game is over (%s, %s)", o, why)
	}
	return s.moves, s.ref, nil
}

// lost reports whether m is the move that a penalty leaves here.
func (s *seat) lost(m engines.Move) bool {
	other := s.v.NewReferee()
	return other.Reset(s.ref.String()) == nil && other.Penalty() == m
}

// penalty returns the penalty for an illegal action here: the move that a lost turn leaves,
// or none if the game is lost.
func (s *seat) penalty() map[string]string {
	if m := s.ref.Penalty(); m != 0 {
		return map[string]string{"move": s.ref.MoveString(m)}
	}
	return map[string]string{"move": ""}
}

// legalMoves is a legal move with the places to touch for it.
type legalMoves struct {
	Move  string      `json:"move"`
	Text  string      `json:"text,omitempty"`  // as Shown.Texts
	Steps []board.At  `json:"steps,omitempty"` // from, to, and the captured man if there is a choice
	Wall  *board.Wall `json:"wall,omitempty"`
	// Onto is a further place to touch for the last step: the rook's in castling.
	Onto *board.At `json:"onto,omitempty"`
	// Becomes is the letter of the piece that arrives, if another one departs: a promotion.
	Becomes string `json:"becomes,omitempty"`
	// Button marks a move without a touch on the board: it has no place there, as a pass, or
	// the touches of a shorter move end on its way.
	Button bool `json:"button,omitempty"`
	went   int  // how many of Steps are where it goes from and to
}

// Shown is a position to show.
type Shown struct {
	board.Board
	SVG      string `json:"svg"`
	Sentence string `json:"sentence"`
	Position string `json:"position"`
	Ply      int    `json:"ply"`
	Turns    []int  `json:"turns"` // side of each move; sides do not always alternate
	// Texts are the moves as the game's files write them, such as SAN; nil where that is their
	// own notation.
	Texts  []string `json:"texts,omitempty"`
	Number int      `json:"number"` // of the first move, in games that number moves of both sides
	// Figures are the outlines of the pieces of a Checkered board.
	Figures map[string]string `json:"figures,omitempty"`
	Legal   []legalMoves      `json:"legal"`
	Rules   string            `json:"rules"` // canonical
	Game    string            `json:"game"`
}

func (s *seat) show() Shown {
	b := s.ref.Board()
	var svg strings.Builder
	_ = b.SVG(&svg, board.Options{Bare: true, Targets: true}) // a strings.Builder does not fail
	out := Shown{
		Board: b, SVG: svg.String(), Sentence: b.Sentence(), Position: s.ref.String(), Ply: len(s.moves),
		Turns: s.sides(), Legal: []legalMoves{}, Rules: s.v.Rules, Game: s.v.Game.Name,
	}
	if b.Kind == board.Checkered {
		out.Figures = board.Figures()
	}
	s.countCaptured(&out.Board)
	out.Texts, out.Number = texts(s.v, s.start, s.moves...), gamefile.FirstNumber(s.v, s.start)
	if o, _ := s.ref.Result(); o == engines.Ongoing {
		out.Legal = s.legal()
	}
	return out
}

// countCaptured counts the captured pieces from the start and the moves, because the present position
// does not tell a promoted pawn from a captured pawn.
func (s *seat) countCaptured(b *board.Board) {
	if b.Sides[0].Captured+b.Sides[1].Captured == "" {
		return
	}
	ref := s.v.NewReferee()
	if ref.Reset(s.start) != nil { // sit has set it up before
		return
	}
	before := ref.Board()
	captured := [2]string{before.Sides[0].Captured, before.Sides[1].Captured}
	for _, m := range s.moves {
		ref.Play(m)
		after := ref.Board()
		for _, at := range after.Last.Taken {
			piece, _ := before.PieceAt(at)
			captured[1-piece.Side] += piece.Letter
		}
		before = after
	}
	b.Sides[0].Captured, b.Sides[1].Captured = captured[0], captured[1]
}

// texts returns the moves from a position as the game's files write them; nil where that is the
// game's own notation, and where moves are not legal.
func texts(v engines.Variant, position string, moves ...engines.Move) []string {
	if v.Files == nil {
		return nil
	}
	list, err := v.Files.Moves(position, moves)
	if err != nil {
		return nil
	}
	return list
}

// text returns a legal move of a position as texts does; "" where texts returns nil.
func text(v engines.Variant, position string, m engines.Move) string {
	return strings.Join(texts(v, position, m), "")
}

// sides returns who made each move: as numbers, since JSON has a list of small ones as text.
func (s *seat) sides() (list []int) {
	for _, side := range s.turns {
		list = append(list, int(side))
	}
	return list
}

// legal lists the legal moves with their places on the board.
func (s *seat) legal() []legalMoves {
	list := []legalMoves{}
	position, trial, now := s.ref.String(), s.v.NewReferee(), s.ref.Board()
	for _, m := range s.ref.Moves(nil) {
		l := legalMoves{Move: s.ref.MoveString(m), Text: text(s.v, position, m)}
		if trial.Reset(position) == nil && trial.Legal(m) {
			trial.Play(m)
			after := trial.Board()
			if last := after.Last; last != nil {
				l.Becomes, l.Onto = becomes(&now, &after), along(&now, &after)
				l.Wall = last.Wall
				for _, at := range []*board.At{last.From, last.To} {
					if at != nil {
						l.Steps = append(l.Steps, *at)
					}
				}
				l.went = len(l.Steps)
				for _, at := range last.Taken {
					if last.To == nil || at != *last.To {
						l.Steps = append(l.Steps, at)
					}
				}
			}
		}
		list = append(list, l)
	}
	return untouchable(chosen(list))
}

// becomes returns the letter of the piece that the last move of a board brought to its place, if
// before the move another piece departed.
func becomes(before, after *board.Board) string {
	last := after.Last
	if last.From == nil || last.To == nil {
		return ""
	}
	old, _ := before.PieceAt(*last.From)
	piece, _ := after.PieceAt(*last.To)
	if piece.Letter == old.Letter {
		return ""
	}
	return piece.Letter
}

// along returns where a second piece of the mover stood before the last move, such as the rook before
// castling; nil for none.
func along(before, after *board.Board) *board.At {
	if len(after.Last.Also) == 0 {
		return nil
	}
	at := after.Last.Also[0]
	moved, _ := after.PieceAt(at)
	for _, p := range before.Pieces {
		if now, _ := after.PieceAt(p.At); p.Side == moved.Side && p.Letter == moved.Letter && now.Letter != p.Letter {
			return &p.At
		}
	}
	return &at
}

// untouchable marks the moves that touches never make.
func untouchable(list []legalMoves) []legalMoves {
	made := map[string]bool{}
	key := func(steps []board.At) string { return fmt.Sprint(steps) }
	for i, l := range list {
		if l.Wall == nil {
			list[i].Button = len(l.Steps) == 0
			made[key(l.Steps)] = true
		}
	}
	for i, l := range list {
		for n := 1; n < len(l.Steps); n++ { // the touches of a shorter move end here
			list[i].Button = list[i].Button || made[key(l.Steps[:n])]
		}
	}
	return list
}

// chosen removes captures from every move's steps if the other steps decide them. Castling ends on the rook's
// place if the king does not move, or if another move has the same steps.
func chosen(list []legalMoves) []legalMoves {
	ways := map[string]int{}
	key := func(l legalMoves) string { return fmt.Sprint(l.Steps[:l.went]) }
	for _, l := range list {
		ways[key(l)]++
	}
	for i, l := range list {
		switch {
		case l.Onto != nil && (ways[key(l)] > 1 || l.Steps[0] == l.Steps[1]):
			list[i].Steps, list[i].Onto = []board.At{l.Steps[0], *l.Onto}, nil
		case ways[key(l)] == 1:
			list[i].Steps = l.Steps[:l.went]
		}
	}
	return list
}

// reply is a player's decision.
type reply struct {
	Move   string `json:"move"`
	Text   string `json:"text,omitempty"` // as legalMoves has it
	Turn   int    `json:"turn"`           // side to move
	Score  any    `json:"score"`          // a number, or its text if JSON cannot hold it
	Nodes  int64  `json:"nodes"`
	Depth  int    `json:"depth"`
	Mate   int    `json:"mate"`
	Micros int64  `json:"micros"`
}

func (s *seat) best(ctx context.Context, q Question) (b reply, err error) {
	player, limits, err := s.player(q)
	if err != nil {
		return b, err
	}
	start := time.Now()
	d, err := engines.Decide(ctx, player, q.Seed, s.moves, limits)
	if ctx.Err() != nil {
		return b, context.Cause(ctx)
	}
	if err != nil {
		return b, err
	}
	return BestOf(s.v, s.ref, d, time.Since(start)), nil
}

// player returns the question's player, set up here, and its limits.
func (s *seat) player(q Question) (engines.Player, engines.Limits, error) {
	if o, why := s.ref.Result(); o != engines.Ongoing {
		return nil, engines.Limits{}, fmt.Errorf("no move: the game is over (%s, %s)", o, why)
	}
	vector, err := q.vector(s.v.Game)
	if err != nil {
		return nil, engines.Limits{}, err
	}
	limits, err := q.limits(s.v.Game)
	if err != nil {
		return nil, engines.Limits{}, err
	}
	player := s.v.NewPlayer()
	if err := player.Configure(vector); err != nil {
		return nil, engines.Limits{}, err
	}
	return player, limits, player.Reset(q.Position, q.Seed)
}

// BestOf returns a decision in the position of ref.
func BestOf(v engines.Variant, ref engines.Referee, d engines.Decision, took time.Duration) reply {
	return reply{
		Move: ref.MoveString(d.Move), Text: text(v, ref.String(), d.Move), Turn: int(ref.Turn()),
		Score: score(d.Score), Nodes: d.Nodes, Depth: d.Depth, Mate: d.Mate, Micros: took.Microseconds(),
	}
}

// score returns a number, or its name if JSON cannot hold it.
func score(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return x
}

// evaluationTerm is a line of an evaluation.
type evaluationTerm struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Doc   string `json:"doc,omitempty"` // its meaning
}

func (s *seat) terms(q Question) ([]evaluationTerm, error) {
	vector, err := q.vector(s.v.Game)
	if err != nil {
		return nil, err
	}
	terms, err := s.v.Evaluate(q.Position, s.moves, vector)
	if err != nil {
		return nil, err
	}
	return termsOf(terms), nil
}

func termsOf(terms []engines.Term) []evaluationTerm {
	list := []evaluationTerm{}
	for _, t := range terms {
		list = append(list, evaluationTerm{t.Name, value(t.Value), t.Doc})
	}
	return list
}

// value writes a term's value for people.
func value(v any) string {
	if v == nil {
		return "–"
	}
	if x, ok := v.(float64); ok {
		if math.Abs(x) >= 1e6 {
			return strconv.FormatFloat(x, 'g', 4, 64)
		}
		return strconv.FormatFloat(math.Round(x*1000)/1000, 'f', -1, 64)
	}
	list := reflect.ValueOf(v)
	if list.Kind() != reflect.Slice {
		return fmt.Sprint(v)
	}
	parts, between := make([]string, list.Len()), " "
	for i := range parts {
		part := list.Index(i)
		if part.Kind() == reflect.Slice {
			between = ", "
		}
		parts[i] = value(part.Interface())
	}
	return strings.Join(parts, between)
}

// openingInfo is a random start of a game.
type openingInfo struct {
	Position string `json:"position"`
	Moves    string `json:"moves"`
}

// maxOpening bounds the plies of an opening.
const maxOpening = 40

func opening(v engines.Variant, q Question) (openingInfo, error) {
	plies := cmp.Or(q.Plies, v.Game.OpeningPlies)
	o := v.Opening(rand.New(rand.NewPCG(q.Seed, 1)), min(max(plies, 0), maxOpening))
	ref := v.NewReferee()
	if err := ref.Reset(o.Position); err != nil {
		return openingInfo{}, err
	}
	var moves []string
	for _, m := range o.Moves {
		moves = append(moves, ref.MoveString(m))
	}
	return openingInfo{o.Position, strings.Join(moves, " ")}, nil
}

// again returns the position on a new board.
func (s *seat) again(position string) (engines.Referee, error) {
	after := s.v.NewReferee()
	if err := after.Reset(position); err != nil {
		return nil, err
	}
	return after, follow(after, s.moves)
}
