package runs

import (
	"strconv"
	"strings"

	"selfplaylab/engines/runs/config"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// CanonicalCommand is the command line of a run as its record keeps it: equal for runs with equal games, whichever
// system records them. It is "" for a kind without a command.
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
	for _, said := range settings(h, c, setup) {
		words = append(words, said.Words()...)
	}
	return append(words, "--seed", strconv.FormatUint(h.Meta.Seed, 10))
}

// CommandLine is the command line of such a run, in the game of h, as this system's
// shells take it.
func CommandLine(h *Head, c Config) string {
	setup, err := c.Setup()
	if err != nil {
		return ""
	}
	return CommandText(commandWords(h, c, setup)...)
}

// settings are what decides the games of a run, but for its game, rules and seed: its
// config.
func settings(h *Head, c Config, setup Setup) (list []config.Said) {
	var space params.Space
	if h.Variant.Game != nil {
		space = h.Variant.Game.Space
	}
	for _, said := range config.All(c, space) {
		said, ok := c.Conditions().said(said)
		if ok && (setup.Implied == nil || !setup.Implied(said)) {
			list = append(list, said)
		}
	}
	return list
}
