package referee

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
)

// question is a question to a referee: about the start of a game, with the
// seed of its chance; about a position; or about the position after a move.
type question struct {
	Seed     *int64        `json:"seed,omitempty"`
	Position string        `json:"position,omitempty"`
	Move     string        `json:"move,omitempty"`
	Rules    engines.Rules `json:"rules,omitempty"`
}

// answer describes a position. Nobody changes it.
type answer struct {
	Position string   `json:"position"`
	Turn     int      `json:"turn"` // 1 or 2
	Moves    []string `json:"moves"`
	Result   string   `json:"result"` // "" while the game goes on
	Reason   string   `json:"reason"`
	Board    string   `json:"board"`
	Error    string   `json:"error"` // reason why there is no other answer

	line    string // the referee's own line
	moves   []engines.Move
	outcome engines.Outcome
}

// Bounds of an answer.
const (
	maxText  = 1 << 14 // bytes of a position
	maxWord  = 64      // bytes of a move
	maxMoves = 1 << 16
)

// isWord reports whether a text can be a move or a reason.
func isWord(text string) bool {
	odd := func(c rune) bool { return unicode.IsSpace(c) || !unicode.IsPrint(c) }
	begins := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
	return len(text) <= maxWord && strings.IndexFunc(text, begins) == 0 && !strings.ContainsFunc(text, odd)
}

// complete checks an answer by itself and reads its result.
func (a *answer) complete() (err error) {
	if a.Result != "" {
		if a.outcome, err = engines.ParseOutcome(a.Result); err != nil || a.outcome == engines.Ongoing {
			return fmt.Errorf("result %q: want 1-0, 0-1 or 1/2, or none while the game goes on", a.Result)
		}
		a.Moves = nil
	}
	word := slices.IndexFunc(a.Moves, func(text string) bool { return !isWord(text) })
	switch {
	case a.Position == "" || len(a.Position) > maxText || strings.ContainsFunc(a.Position, unicode.IsControl):
		return errors.New("position: want a text on one line that says all about it")
	case a.Turn != 1 && a.Turn != 2:
		return fmt.Errorf("turn %d: want 1 or 2, the side to move", a.Turn)
	case a.outcome == engines.Ongoing && len(a.Moves) == 0:
		return errors.New("no legal move and no result: a side that cannot move needs a move such as pass, or the game a result")
	case len(a.Moves) > maxMoves:
		return fmt.Errorf("%d moves: want at most %d", len(a.Moves), maxMoves)
	case word >= 0:
		return fmt.Errorf("move %q: want one word of at most %d characters that begins with a letter or digit", a.Moves[word], maxWord)
	case a.Reason != "" && !isWord(a.Reason):
		return fmt.Errorf("reason %q: want one word", a.Reason)
	}
	seen := map[string]bool{}
	for _, text := range a.Moves {
		if seen[text] {
			return fmt.Errorf("move %q is listed twice", text)
		}
		seen[text] = true
	}
	return nil
}

// differs returns the first difference between two answers about one position, "" without one.
func (a *answer) differs(b *answer) string {
	switch {
	case a.Position != b.Position:
		return "position"
	case a.Turn != b.Turn:
		return "turn"
	case a.Result != b.Result:
		return "result"
	case a.Reason != b.Reason:
		return "reason"
	case !slices.Equal(a.Moves, b.Moves):
		return "moves"
	case a.Board != b.Board:
		return "board"
	}
	return ""
}

// rules are a referee under the user's rules, with its processes and its answers so far.
// Several goroutines may use it at once.
type rules struct {
	file    *file
	chosen  engines.Rules
	timeout time.Duration
	moves   words

	mu    sync.Mutex
	idle  []*process.Link
	known [2]map[string]*known // answers by question and by position; the second map has older ones
}

// known is an answer. It is certain once it was given twice.
type known struct {
	*answer
	sure bool
}

// maxKnown is the largest number of answers in each map of rules.known.
const maxKnown = 1 << 16

// newRules returns the rules of a file's game.
func newRules(f *file, chosen engines.Rules, timeout time.Duration) *rules {
	return &rules{file: f, chosen: chosen, timeout: timeout, moves: words{texts: map[engines.Move]string{},
		numbers: map[string]engines.Move{}},
		known: [2]map[string]*known{{}, {}}}
}

// start returns the answer about the start of a game.
// It panics with the error of ask, which ends the job.
func (r *rules) start(seed int64) *answer {
	a, err := r.ask(question{Seed: &seed})
	if err != nil {
		panic(err)
	}
	return a
}

// after returns the answer about the position after a legal move.
// It panics with the error of ask, which ends the job.
func (r *rules) after(at *answer, m engines.Move) *answer {
	a, err := r.ask(question{Position: at.Position, Move: r.moves.text(m)})
	if err != nil {
		panic(err)
	}
	return a
}

// read returns the answer about a position from outside.
func (r *rules) read(text string) (*answer, error) {
	if text == "" {
		return nil, errors.New("want a position as the referee writes it")
	}
	return r.ask(question{Position: text})
}

// refusal is a referee's own error about a question.
type refusal struct{ text string }

// Error quotes the referee.
func (r *refusal) Error() string { return "the referee says: " + r.text }

// fault returns the error of a referee that failed at a question.
func (r *rules) fault(q question, format string, args ...any) error {
	line, _ := json.Marshal(q)
	return &engines.RefereeFault{Detail: fmt.Sprintf("referee %s (%s): %s; it was asked %s", r.file.Name, r.file.source,
		fmt.Sprintf(format, args...), line)}
}

// ask answers a question from memory if the answer was given twice, and else asks a process.
// Two answers to a question, or about a position, must be equal.
func (r *rules) ask(q question) (*answer, error) {
	if len(r.chosen) > 0 {
		q.Rules = r.chosen
	}
	key := q.Position + "\n" + q.Move
	if q.Seed != nil {
		key = fmt.Sprintf("\n%d", *q.Seed)
	}
	r.mu.Lock()
	k := r.recall(key)
	r.mu.Unlock()
	if k != nil && k.sure {
		return k.answer, nil
	}
	a, err := r.answer(q)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	here := r.recall(a.Position)
	for _, before := range []*known{r.recall(key), here} {
		if before == nil {
			continue
		}
		if what := before.differs(a); what != "" {
			return nil, r.fault(q, "it contradicts itself about the %s: it answered %s and before %s", what, process.Shorten(a.line),
				process.Shorten(before.line))
		}
		a = before.answer
	}
	r.known[0][key] = &known{a, k != nil}
	if here == nil {
		r.known[0][a.Position] = &known{a, false}
	}
	if len(r.known[0]) > maxKnown {
		r.known = [2]map[string]*known{{}, r.known[0]}
	}
	return a, nil
}

// recall returns the known answer to a key: a position, or a question, which has a line end.
func (r *rules) recall(key string) *known {
	if k := r.known[0][key]; k != nil {
		return k
	}
	k := r.known[1][key]
	if k != nil {
		r.known[0][key] = k
	}
	return k
}

// answer asks a process and checks its answer.
func (r *rules) answer(q question) (*answer, error) {
	line, err := r.say(q)
	if err != nil {
		return nil, err
	}
	a := &answer{line: line}
	if err := process.DecodeLine(line, a); err != nil {
		return nil, r.fault(q, "its answer is not what docs/game.md describes: %v: %s", err, process.Shorten(line))
	}
	switch {
	case a.Error != "" && q.Move != "":
		return nil, r.fault(q, "it refuses the move %s, which it listed as legal: %s", q.Move, a.Error)
	case a.Error != "" && q.Seed == nil:
		return nil, &refusal{a.Error}
	case a.Error != "":
		return nil, r.fault(q, "it cannot begin a game: %s", a.Error)
	}
	if err := a.complete(); err != nil {
		return nil, r.fault(q, "%v: it answered %s", err, process.Shorten(line))
	}
	for _, text := range a.Moves {
		a.moves = append(a.moves, r.moves.number(text))
	}
	return a, nil
}

// say sends a question as a line to a process and returns its answer.
// A process that fails is ended, and the next question starts another.
func (r *rules) say(q question) (string, error) {
	line, err := json.Marshal(q)
	if err != nil {
		return "", err
	}
	l, err := r.take()
	if err != nil {
		return "", r.fault(q, "%v", err)
	}
	answer := ""
	err = l.Drain(func(line string) error { return fmt.Errorf("it says %q without being asked", process.Shorten(line)) })
	if err == nil {
		err = l.Ask(context.Background(), process.Request{What: "answering", Text: string(line) + "\n", Wait: r.timeout,
			Line: func(text string) (bool, error) {
				answer = strings.TrimSpace(text)
				return answer != "", nil
			}})
	}
	if err != nil {
		l.Close("")
		return "", r.fault(q, "%s", strings.TrimPrefix(err.Error(), "engine "+r.file.Name+": "))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append([]*process.Link{l}, r.idle...)
	return answer, nil
}

// take returns the process that has been idle for longest, or a new one.
// The processes end with this program, when their input ends.
func (r *rules) take() (*process.Link, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.idle); n > 1 {
		l := r.idle[n-1]
		r.idle = r.idle[:n-1]
		return l, nil
	}
	c, err := r.file.program()
	if err != nil {
		return nil, err
	}
	return process.Start(context.Background(), c, process.Options{MaxLine: 1 << 22})
}

// words numbers moves by their texts. Equal texts have equal numbers in every process, unless
// two texts share a hash. Several goroutines may use it at once.
type words struct {
	mu      sync.RWMutex
	texts   map[engines.Move]string
	numbers map[string]engines.Move
}

// number returns the number of a move's text.
func (w *words) number(text string) engines.Move {
	w.mu.RLock()
	m, ok := w.numbers[text]
	w.mu.RUnlock()
	if ok {
		return m
	}
	h := fnv.New32a()
	h.Write([]byte(text))
	w.mu.Lock()
	defer w.mu.Unlock()
	if m, ok := w.numbers[text]; ok {
		return m
	}
	for m = engines.Move(h.Sum32()); m == 0 || w.texts[m] != ""; m++ {
	}
	w.texts[m], w.numbers[text] = text, m
	return m
}

// text returns a move's text; for an unknown number the number.
func (w *words) text(m engines.Move) string {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if text, ok := w.texts[m]; ok {
		return text
	}
	return fmt.Sprintf("move-%d", m)
}
