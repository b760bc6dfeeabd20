package runs

import (
	"strconv"
	"strings"

	"selfplaylab/engines/runs/config"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// CanonicalCommand returns the command line of a run for its record: equal for runs with equal
// games, on all systems. It is "" for a kind without a command.
func CanonicalCommand(h *Head, c Config, setup Setup) string {
	return strings.Join(text.Each(commandWords(h, c, setup), QuotePOSIX), " ")
}

func commandWords(h *Head, c Config, setup Setup) []string {
	words := h.Kind.Words()
	if words == nil {
		return nil
	}
	if e := setup.Elsewhere; e != nil {
		words = append(words, e.Command)
	} else {
		words = append(words, "--game", h.Meta.Game, "--rules", h.Meta.Rules)
	}
	for _, s := range settings(h, c, setup) {
		words = append(words, s.Words()...)
	}
	return append(words, "--seed", strconv.FormatUint(h.Meta.Seed, 10))
}

// CommandLine returns the command line of such a run, in the game of h, for the shells of this
// system.
func CommandLine(h *Head, c Config) string {
	setup, err := c.Setup()
	if err != nil {
		return ""
	}
	return CommandText(commandWords(h, c, setup)...)
}

// settings returns the config of a run without game, rules and seed: everything else that decides
// its games.
func settings(h *Head, c Config, setup Setup) (list []config.Setting) {
	var space params.Space
	if h.Variant.Game != nil {
		space = h.Variant.Game.Space
	}
	for _, s := range config.All(c, space) {
		s, ok := c.Conditions().canonical(s)
		if ok && (setup.Implied == nil || !setup.Implied(s)) {
			list = append(list, s)
		}
	}
	return list
}
