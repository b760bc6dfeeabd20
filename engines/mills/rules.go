package mills

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// lawValues has the option values that set a law.
var lawValues = []struct {
	option, value string
	law           laws
}{
	{"diagonals", "yes", diagonals},
	{"closed_points", "yes", closedPoints},
	{"opens", "first_placer", firstOpens},
	{"capture", "may", mayDecline},
	{"double_mill", "per_mill", perMill},
	{"targets", "loose_first", looseFirst},
	{"fly_at", "3", flyAtThree},
	{"reform", "restricted", noReform},
	{"full_board", "first_loses", fullFirst},
	{"full_board", "draw", fullDraw},
}

// rulePresets are the named sets of rules, by their differences
// from the options' defaults, which are the paper's.
var rulePresets = []struct {
	name  string
	rules engines.Rules
}{
	{"paper", nil},
	{"dasanqi", engines.Rules{"full_board": "first_loses"}},
	{"ninechess", engines.Rules{"full_board": "first_loses", "double_mill": "per_mill", "targets": "loose_first"}},
	{"morris", engines.Rules{"men": "9", "diagonals": "no", "targets": "loose_first", "opens": "first_placer", "closed_points": "no",
		"fly_at": "3"}},
	{"chengsan9", engines.Rules{"men": "9", "diagonals": "no", "targets": "loose_first", "opens": "first_placer"}},
}

// options returns the rules a user can choose.
func options() []engines.Option {
	preset := engines.Option{
		Name: "preset", Default: "paper", Sets: map[string]engines.Rules{},
		Doc: "defaults of the other rules: paper 成三棋 (Shen and Chen), dasanqi 打三棋 (paper, the first side loses on a full board), " +
			"ninechess (dasanqi, a man for every mill, loose men first), chengsan9 成三棋 with 9 men (9 men, no diagonals, loose men first, the " +
			"first placer opens), morris (standard nine men's morris: as chengsan9, no closed points, a side with three men flies)",
	}
	for _, p := range rulePresets {
		preset.Values = append(preset.Values, p.name)
		preset.Sets[p.name] = p.rules
	}
	never := engines.Choice{Value: "0", Label: "never"}
	return []engines.Option{
		preset,
		{Name: "men", Default: "12", Values: []string{"9", "10", "11", "12"}, Doc: "men a side (棋子数)"},
		{Name: "diagonals", Default: "yes", Values: []string{"yes", "no"}, Doc: "lines of three from corner to corner (斜线)"},
		{Name: "closed_points", Default: "yes", Values: []string{"yes", "no"},
			Doc: "a point where a man was taken while placing stays empty until placing ends (放棋阶段不得再放)"},
		{Name: "opens", Default: "last_placer", Values: []string{"last_placer", "first_placer"}, Doc: "who takes the first step (走棋)"},
		{Name: "capture", Default: "must", Values: []string{"must", "may"},
			Doc: "whether a mill must take (成三吃子); with may, a turn takes all it is due or nothing"},
		{Name: "double_mill", Default: "one", Values: []string{"one", "per_mill"},
			Doc: "men taken when several lines are completed at once (双三)"},
		{Name: "targets", Default: "any", Values: []string{"any", "loose_first"},
			Doc: "which men may be taken (吃子范围); with loose_first, men in a mill only when all are"},
		{Name: "fly_at", Default: "0", Values: []string{"0", "3"},
			Doc: "a side with this many men steps to any free point (飞子); 0: nobody flies"},
		{Name: "reform", Default: "free", Values: []string{"free", "restricted"},
			Doc: "with restricted, the man that closed a mill with its side's last step may not step straight back from mill to mill (重复成三)"},
		{Name: "full_board", Default: "stm_loses", Values: []string{"stm_loses", "first_loses", "draw"},
			Doc: "result when placing fills the board (满盘)"},
		{Name: "repetition", Default: "3",
			Doc:     fmt.Sprintf("the n-th occurrence of a board and side to move is a draw (重复局面): 2 to %d, or 0 for never", maxRepetition),
			Offered: append(engines.Choices("3", "2", "5"), never)},
		{Name: "no_capture", Default: "100",
			Doc:     fmt.Sprintf("this many steps in a row without a capture are a draw (无吃子和棋): 1 to %d, or 0 for never", maxNoCapture),
			Offered: append(engines.Choices("100", "20", "50", "200"), never)},
	}
}

// Largest values of the rules.
const (
	maxRepetition = 100
	maxNoCapture  = 10000
	// openStretch replaces the no-capture limit in maxPlies for games without such a limit.
	openStretch = 100
)

// setup holds parsed rules.
type setup struct {
	start  position
	bounds engines.Bounds
	text   string
}

// read parses complete rules. order are the options. Errors name the option.
func read(rules engines.Rules, order []engines.Option) (setup, error) {
	var l laws
	for _, v := range lawValues {
		if rules[v.option] == v.value {
			l |= v.law
		}
	}
	men, err := readCount(rules, "men", 9, 12)
	if err != nil {
		return setup{}, err
	}
	repetition, err := readCount(rules, "repetition", 2, maxRepetition)
	if err != nil {
		return setup{}, err
	}
	quiet, err := readCount(rules, "no_capture", 1, maxNoCapture)
	if err != nil {
		return setup{}, err
	}
	bounds := engines.Bounds{MaxPlies: maxPlies(men, quiet), Repetitions: repetition, NoProgress: quiet}
	return setup{newPosition(l, men), bounds, canonical(rules, order)}, nil
}

// readCount reads a whole number from least to most, or 0 if the option allows none.
func readCount(rules engines.Rules, option string, least, most int) (int, error) {
	n, err := strconv.Atoi(rules[option])
	off := n == 0 && option != "men"
	if err != nil || strconv.Itoa(n) != rules[option] || !off && (n < least || n > most) {
		want := fmt.Sprintf("want a whole number, %d to %d", least, most)
		if option != "men" {
			want += ", or 0 for never"
		}
		return 0, fmt.Errorf("rule %s=%s: %s", option, rules[option], want)
	}
	return n, nil
}

// maxPlies bounds the length of a game: the placements, one stretch without capture
// for every capture that leaves both sides three men, and one more to the end.
// With a no-capture limit no game is longer.
// Without one, longer games are draws.
func maxPlies(men, noCapture int) int {
	if noCapture == 0 {
		noCapture = openStretch
	}
	return 2*men + (2*(men-3)+1)*noCapture
}

// canonical returns every rule in order.
// Equal rules give equal texts.
// The preset is the one that the others equal, or paper.
func canonical(rules engines.Rules, order []engines.Option) string {
	rules = maps.Clone(rules)
	rules["preset"] = "paper"
	for _, p := range rulePresets {
		if amountsTo(rules, p.rules, order) {
			rules["preset"] = p.name
		}
	}
	fields := make([]string, len(order))
	for i, o := range order {
		fields[i] = o.Name + "=" + rules[o.Name]
	}
	return strings.Join(fields, ",")
}

// amountsTo reports whether rules equal a preset.
func amountsTo(rules, preset engines.Rules, order []engines.Option) bool {
	for _, o := range order {
		want := o.Default
		if v, set := preset[o.Name]; set {
			want = v
		}
		if o.Name != "preset" && rules[o.Name] != want {
			return false
		}
	}
	return true
}
