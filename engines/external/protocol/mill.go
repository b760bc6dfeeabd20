package protocol

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// millProtocol describes Sanmill's UCI.
func millProtocol() Protocol {
	return Protocol{
		Name: "uci-mill", Games: []string{"mills"}, Rows: "rows",
		setting: "setoption name %s value %s", env: sanmillEnv, Connect: openMill,
	}
}

// millClient speaks Sanmill's UCI (docs/UCI_CLI_BRIDGE.md of calcitem/Sanmill).
// The parts of a turn are separate tokens, d6-d5 and then
// xc3, so a turn with a capture takes two questions.
// Under a limit of nodes it requests whole turns (go logical), which fixes the work to a node.
type millClient struct {
	ugiClient
	laws engines.Rules
}

// sanmillName is the name by which Sanmill introduces itself.
const sanmillName = "TGF Mill"

// sanmillWeights are Sanmill's evaluation by phase and term, with its default values
// (MillEvalWeights::TUNED, crates/tgf-mill). Sanmill reads them from its environment; the
// option EvalWeights of its documents does not exist. Scores above 48 count as mates there, so
// the range is small.
var (
	sanmillPhases  = []string{"placing", "moving", "prefly", "flying"}
	sanmillTerms   = []string{"piece", "mobility", "mills", "position", "cardinal", "near_fly"}
	sanmillWeights = []float64{5, 1, 1, 0, 0, 0, 5, 2, 1, 0, 0, 0, 5, 1, 1, 0, 0, 0, 5, 0, 1, 0, 0, 0}
)

// sanmillMost is the largest weight.
const sanmillMost = 8

// sanmillSpace returns Sanmill's weights as parameters.
func sanmillSpace() params.Space {
	var s params.Space
	for i, x := range sanmillWeights {
		name := sanmillPhases[i/len(sanmillTerms)] + "_" + sanmillTerms[i%len(sanmillTerms)]
		s = append(s, params.Param{Name: name, Max: sanmillMost, Default: x, Step: 1, Whole: true})
	}
	return s
}

// sanmillEnv returns the weights as variables of Sanmill's environment.
func sanmillEnv(name string, values []Setting) []string {
	if !strings.HasPrefix(name, sanmillName) || len(values) == 0 {
		return nil
	}
	var list []string
	for _, p := range sanmillSpace() {
		text := p.Format(p.Default)
		for _, s := range values {
			if s.Name == p.Name {
				text = s.Value
			}
		}
		list = append(list, text)
	}
	return []string{"TGF_EVAL_WEIGHTS=" + strings.Join(list, ",")}
}

// withoutWeights returns the values that do not belong into the environment.
func (m *millClient) withoutWeights(values []Setting) []Setting {
	if !strings.HasPrefix(m.offer.Name, sanmillName) {
		return values
	}
	s := sanmillSpace()
	return slices.DeleteFunc(slices.Clone(values), func(v Setting) bool { return s.Index(v.Name) >= 0 })
}

// ruleSettings returns the rules as Sanmill's options, in its order, and refuses rules that
// they lack. With BoardFullAction 0 the first side loses on a full board; 4 draws.
func (m *millClient) ruleSettings() ([]Setting, error) {
	r := m.laws
	if r["capture"] == "may" {
		return nil, fmt.Errorf("engine %s: the rule capture=may: Sanmill always takes with a mill", m.engine.Name)
	}
	if r["full_board"] == "stm_loses" {
		return nil, fmt.Errorf("engine %s: the rule full_board=stm_loses: Sanmill knows no such end; play with full_board=first_loses "+
			"(preset=dasanqi) or full_board=draw", m.engine.Name)
	}
	if r["repetition"] != "3" && r["repetition"] != "0" {
		return nil, fmt.Errorf("engine %s: the rule repetition=%s: Sanmill draws by the third occurrence or not at all", m.engine.Name,
			r["repetition"])
	}
	yes := func(rule, value string) string { return strconv.FormatBool(r[rule] == value) }
	placing := map[string]string{"yes": "4", "no": "0"}[r["closed_points"]]
	full := map[string]string{"first_loses": "0", "draw": "4"}[r["full_board"]]
	return []Setting{
		{"PiecesCount", r["men"]},
		{"HasDiagonalLines", yes("diagonals", "yes")},
		{"MillFormationActionInPlacingPhase", placing},
		{"IsDefenderMoveFirst", yes("opens", "last_placer")},
		{"MayRemoveFromMillsAlways", yes("targets", "any")},
		{"MayRemoveMultiple", yes("double_mill", "per_mill")},
		{"MayFly", yes("fly_at", "3")},
		{"RestrictRepeatedMillsFormation", yes("reform", "restricted")},
		{"ThreefoldRepetitionRule", yes("repetition", "3")},
		{"NMoveRule", r["no_capture"]},
		{"EndgameNMoveRule", r["no_capture"]},
		{"BoardFullAction", full},
		{"StalemateAction", "0"},
	}, nil
}

// millExact are the settings with which Sanmill repeats its decisions.
var millExact = []Setting{
	{"StrictFailurePolicy", "true"}, {"Algorithm", "2"}, {"MoveTimeMs", "0"}, {"IDSEnabled", "true"},
	{"Shuffling", "false"}, {"SearchShuffleSeed", "7"}, {"Threads", "1"}, {"UsePerfectDatabase", "false"},
}

// openMill connects to Sanmill.
func openMill(e *EngineFile, v engines.Variant, d *Session) (Client, error) {
	base, rules, err := openUGI(e, v, d)
	if err != nil {
		return nil, err
	}
	u := &millClient{ugiClient: base, laws: rules}
	u.notation, u.words = notation{name: "uci-mill", newGame: "ucinewgame"}, u.goWords
	u.notation.out = func(_, turn string) (string, error) { return strings.Join(millTokens(turn), " "), nil }
	return u, nil
}

// Greet implements Client.
func (m *millClient) Greet(ctx context.Context, l *Link) (Offer, error) {
	_, err := m.greet(ctx, l, "uci", "ugiok")
	o := m.offer
	if o.rowsOnly = true; strings.HasPrefix(o.Name, sanmillName) && len(o.params) == 0 {
		o.params = sanmillSpace()
		for _, p := range o.params {
			o.Options = append(o.Options, Option{Name: p.Name, Type: "string"})
		}
	}
	return *o, err
}

// Set implements Client.
// It sends the rules first, because a change of rules resets the position.
// Rules that the program does not offer are refused by name.
func (m *millClient) Set(ctx context.Context, l *Link, values []Setting) error {
	var b strings.Builder
	values = m.withoutWeights(values)
	if err := refuseOwn(m.engine.Name, values, "game", "rules", "seed"); err != nil {
		return err
	}
	if o, ok := m.offer.Option("rules"); ok {
		writeOptions(&b, Setting{o.Name, m.rules})
	} else {
		rules, err := m.ruleSettings()
		if err != nil {
			return err
		}
		if err := CheckSettings(m.engine.Name, m.offer, rules); err != nil {
			return fmt.Errorf("%w: so it does not accept the rules of this game", err)
		}
		for _, s := range rules {
			if err := refuseOwn(m.engine.Name, values, s.Name); err != nil {
				return err
			}
		}
		writeOptions(&b, rules...)
	}
	for _, s := range millExact {
		given := slices.ContainsFunc(values, func(own Setting) bool { return strings.EqualFold(own.Name, s.Name) })
		if _, ok := m.offer.Option(s.Name); ok && !given {
			writeOptions(&b, s)
		}
	}
	writeOptions(&b, values...)
	return readyAfter(ctx, l, "setting options", b.String(), func(line string) error {
		if text, found := strings.CutPrefix(line, "info string unsupported setoption:"); found {
			return fmt.Errorf("engine %s does not take %s", m.engine.Name, process.Shorten(strings.TrimSpace(text)))
		}
		return nil
	})
}

// goWords returns the command of a search under limits.
func (m *millClient) goWords(limits engines.Limits) (string, error) {
	switch {
	case limits.Playouts > 0:
		return "", fmt.Errorf("limits %q: Sanmill's protocol has depth, nodes and time", limits)
	case limits.Timed() && (limits.Nodes > 0 || limits.Depth > 0):
		return "", fmt.Errorf("limits %q: Sanmill's protocol takes time alone, or depth and nodes", limits)
	case limits.Nodes > 0 && limits.Depth > 0:
		return fmt.Sprintf("go logical nodes %d depth %d", limits.Nodes, limits.Depth), nil
	case limits.Nodes > 0:
		return fmt.Sprintf("go logical nodes %d", limits.Nodes), nil
	case limits.Depth > 0:
		return fmt.Sprintf("go depth %d", limits.Depth), nil
	case !limits.Clock.IsZero(): // the protocol lacks clocks: it gets a share of the clock
		return fmt.Sprintf("go movetime %d", max(limits.MoveTime().Milliseconds(), 1)), nil
	case limits.Time.Milliseconds() >= 1:
		return fmt.Sprintf("go movetime %d", limits.Time.Milliseconds()), nil
	}
	return "", fmt.Errorf("no limit of a decision that counts; give one of depth, nodes or time, or limits in %s", m.engine.File)
}

// Choose implements Client.
// It requests the parts of a turn until they make a legal move, or cannot become one.
func (m *millClient) Choose(ctx context.Context, l *Link, limits engines.Limits) (engines.Decision, error) {
	words, err := m.goWords(limits)
	if err != nil {
		return engines.Decision{}, err
	}
	d := unscored()
	var tokens []string
	for {
		part, err := m.nextPart(ctx, l, words, limits, tokens, &d)
		if errors.Is(err, errBudget) {
			words = strings.Replace(words, "go logical", "go", 1)
			continue
		}
		if err != nil {
			return engines.Decision{}, err
		}
		tokens = append(tokens, part...)
		move := strings.Join(tokens, "")
		m.session.Said = strings.Join(tokens, " ")
		if d.Move, err = m.session.moveOf(l, move); err != nil {
			return engines.Decision{}, err
		}
		if !m.needsMore(move, len(part)) {
			return d, nil
		}
	}
}

// needsMore reports whether legal turns begin with the first got tokens and none ends there.
func (m *millClient) needsMore(move string, got int) bool {
	more := false
	for _, legal := range m.session.ref.Moves(nil) {
		text := m.session.ref.MoveString(legal)
		if text == move {
			return false
		}
		more = more || strings.HasPrefix(text, move+"x")
	}
	return more && got > 0
}

// nextPart requests the next token of a turn, or with go logical all of them.
func (m *millClient) nextPart(ctx context.Context, l *Link, goWords string, limits engines.Limits, tokens []string,
	d *engines.Decision) ([]string, error) {
	text, err := m.positionText("startpos", "", tokens...)
	if err == nil {
		text, err = position(ctx, l, text, limits, func(line string) error {
			_, err := m.readAnswer(l, line, false, d)
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	var part []string
	synced := text == ""
	answer := func(line string) (done bool, err error) {
		if !synced && strings.TrimSpace(line) == "readyok" {
			synced = true
			return false, nil
		}
		part, err = m.readAnswer(l, line, synced, d)
		return part != nil, err
	}
	err = l.Ask(ctx, thinking(l, text+goWords+"\n", "stop\n", limits, len(m.session.moves), answer))
	return part, err
}

// sanmillState is the part of statejson's answer that is read.
type sanmillState struct {
	Status string   `json:"status"`
	Side   string   `json:"side_to_move"`
	Legal  []string `json:"legal_actions"`
	Over   bool     `json:"terminal"`
}

// differs compares side to move, end of the game and legal first parts of turns with statejson's.
func (m *millClient) differs(ctx context.Context, l *Link) (string, error) {
	if !strings.HasPrefix(m.offer.Name, sanmillName) {
		return "", nil
	}
	text, err := m.positionText("startpos", "statejson\n")
	if err != nil {
		return "", err
	}
	var state sanmillState
	err = readyAfter(ctx, l, "asking how it sees the game", text, func(line string) error {
		if text, ok := strings.CutPrefix(line, "info string sanmill_state "); ok {
			if err := json.Unmarshal([]byte(text), &state); err != nil {
				return l.Garbage("a state that is no JSON: %v", err)
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return m.compare(state), nil
}

// compare returns the first difference of state from the session's position, "" without one.
func (m *millClient) compare(state sanmillState) string {
	at := m.session.ref.String()
	outcome, _ := m.session.ref.Result()
	if over := outcome != engines.Ongoing; state.Over != over {
		return fmt.Sprintf("in %q it says that the game is over: %v (%s), and here it is %v", at, state.Over, state.Status, over)
	} else if over {
		return ""
	}
	if side := [...]string{"white", "black"}[m.session.ref.Turn()]; state.Side != side {
		return fmt.Sprintf("in %q it says that %s is to move, and here it is %s", at, state.Side, side)
	}
	ours := text.Each(m.session.ref.Moves(nil), func(move engines.Move) string { return millTokens(m.session.ref.MoveString(move))[0] })
	slices.Sort(ours)
	slices.Sort(state.Legal)
	if ours = slices.Compact(ours); !slices.Equal(ours, state.Legal) {
		return fmt.Sprintf("in %q it allows %v, and here %v are legal", at, state.Legal, ours)
	}
	return ""
}

// millTokens splits d6-d5xc3 into d6-d5 and xc3.
func millTokens(text string) []string {
	parts := strings.Split(text, "x")
	for i := range parts[1:] {
		parts[i+1] = "x" + parts[i+1]
	}
	return parts
}

// logicalTurn is the answer to go logical.
type logicalTurn struct {
	Status  string   `json:"status"`
	Actions []string `json:"full_turn_actions"`
	Depth   int      `json:"completed_depth"`
	Kind    string   `json:"score_kind"`
	Score   float64  `json:"score"`
	View    string   `json:"score_perspective"`
	Nodes   int64    `json:"total_nodes"`
}

// errBudget is Sanmill's error when a turn with its
// capture does not fit into the nodes of go logical.
// The turn's parts are then requested one by one, with all nodes for each.
// That is as repeatable, at up to twice the work.
var errBudget = errors.New("the budget is too small for a whole turn")

// readAnswer reads a line of the answer to a search, and returns the tokens of a turn or nil.
func (m *millClient) readAnswer(l *Link, line string, synced bool, d *engines.Decision) ([]string, error) {
	line = strings.TrimSpace(line)
	if text, ok := strings.CutPrefix(line, "info string sanmill_error "); ok {
		if strings.Contains(text, `"logical_turn_budget_exhausted"`) {
			return nil, errBudget
		}
		return nil, l.Complain(engines.Garbage, "refuses the position or the question: %s", process.Shorten(text))
	}
	if text, ok := strings.CutPrefix(line, "info string sanmill_logical_turn "); ok {
		return m.readLogical(l, text, d)
	}
	before, move, found := strings.Cut(" "+line, " bestmove")
	if !found {
		if rest, ok := strings.CutPrefix(line, "info "); ok && synced {
			m.readWhiteInfo(rest, d)
		}
		return nil, nil
	}
	if !synced {
		return nil, l.Garbage("an answer that nobody asked for: %q", process.Shorten(line))
	}
	if rest, ok := strings.CutPrefix(strings.TrimSpace(before), "info "); ok {
		m.readWhiteInfo(rest, d)
	}
	f := strings.Fields(move)
	if len(f) == 0 || noMove(f[0]) {
		_, err := m.session.moveOf(l, strings.Join(f, " "))
		return nil, err
	}
	return f[:1], nil
}

// readLogical reads the answer to go logical.
func (m *millClient) readLogical(l *Link, text string, d *engines.Decision) ([]string, error) {
	var turn logicalTurn
	if err := json.Unmarshal([]byte(text), &turn); err != nil {
		return nil, l.Garbage("a turn that is no JSON: %v", err)
	}
	if len(turn.Actions) == 0 {
		_, err := m.session.moveOf(l, "none")
		return nil, err
	}
	d.Nodes, d.Depth = turn.Nodes, turn.Depth
	d.Score, d.Mate = turn.Score, 0
	if turn.Kind == "mate" {
		d.Mate, d.Score = int(turn.Score), mateScore(int(turn.Score))
	}
	if turn.View == "white" && m.session.ref.Turn() == engines.Second {
		d.Score, d.Mate = -d.Score, -d.Mate
	}
	return firstTurn(turn.Actions), nil
}

// firstTurn returns the parts of the first turn. Sanmill's logical turn ends when the side to
// move changes. If the same side moves twice (its last placement, then the first step), it
// contains two turns; the second is requested again.
func firstTurn(actions []string) []string {
	n := 1
	for n < len(actions) && strings.HasPrefix(actions[n], "x") {
		n++
	}
	return actions[:n]
}

// readWhiteInfo reads info whose score is White's, the first side's.
func (m *millClient) readWhiteInfo(rest string, d *engines.Decision) {
	nodes := d.Nodes
	got := engines.Decision{Score: d.Score, Mate: d.Mate, Depth: d.Depth}
	scored := strings.Contains(rest, "score ")
	readInfo(rest, &got)
	if scored && m.session.ref.Turn() == engines.Second {
		got.Score, got.Mate = -got.Score, -got.Mate
	}
	got.Nodes = cmp.Or(got.Nodes, nodes)
	got.Move, *d = d.Move, got
}

// Capabilities implements Client.
func (m *millClient) Capabilities() capabilities {
	return capabilities{Limits: m.admits, Differs: m.differs}
}
