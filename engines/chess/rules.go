package chess

import (
	"fmt"
	"strconv"

	"selfplaylab/engines"
)

// The values of the rule variant.
const (
	standard = "standard"
	chess960 = "chess960"
	dfrc     = "dfrc"
)

// options returns the rules a user can choose.
func options() []engines.Option {
	never := engines.Choice{Value: "0", Label: "never"}
	return []engines.Option{
		{Name: "variant", Default: standard, Values: []string{standard, chess960, dfrc},
			Doc: "where the pieces of the first rank start: as usual; in one of 960 orders, drawn with the opening (Fischer Random); or in an " +
				"order for each side (double Fischer Random)"},
		{Name: "fifty", Default: "50",
			Doc:     fmt.Sprintf("this many moves of both sides in a row without a capture or pawn move are a draw: 1 to %d", maxFifty),
			Offered: engines.Choices("50", "75", "100")},
		{Name: "repetition", Default: "3",
			Doc:     fmt.Sprintf("the n-th occurrence of a position is a draw: 2 to %d, or 0 for never", maxRepetition),
			Offered: append(engines.Choices("3", "2", "5"), never)},
		{Name: "max_moves", Default: "0", Doc: fmt.Sprintf("a game of this many moves of both sides is a draw: 1 to %d, or 0 for never",
			maxLength),
			Offered: append([]engines.Choice{never}, engines.Choices("100", "200", "300")...)},
	}
}

// Largest values of the rules.
const (
	maxFifty      = 1000
	maxRepetition = 100
	maxLength     = 5000
)

// setup holds parsed rules.
type setup struct {
	start   Position
	bounds  engines.Bounds
	variant string
}

// read parses complete rules. Errors name the option.
func read(rules engines.Rules) (setup, error) {
	fifty, err := readCount(rules, "fifty", 1, maxFifty, false)
	if err != nil {
		return setup{}, err
	}
	repetition, err := readCount(rules, "repetition", 2, maxRepetition, true)
	if err != nil {
		return setup{}, err
	}
	length, err := readCount(rules, "max_moves", 1, maxLength, true)
	if err != nil {
		return setup{}, err
	}
	s := setup{variant: rules["variant"], bounds: engines.Bounds{MaxPlies: 2 * length, Repetitions: repetition, NoProgress: 2 * fifty}}
	s.start.free = s.variant != standard
	return s, s.start.SetText(initial)
}

// readCount reads a whole number from least to most, or 0 if the option allows it.
func readCount(rules engines.Rules, option string, least, most int, zero bool) (int, error) {
	n, err := strconv.Atoi(rules[option])
	if err == nil && strconv.Itoa(n) == rules[option] && (n >= least && n <= most || zero && n == 0) {
		return n, nil
	}
	want := fmt.Sprintf("want a whole number, %d to %d", least, most)
	if zero {
		want += ", or 0 for never"
	}
	return 0, fmt.Errorf("rule %s=%s: %s", option, rules[option], want)
}
