package gametest

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// Forms of names. A game's name is a flag's value; names of options and parameters stand before
// "=", names of values and presets after it and in lists.
var (
	gameName   = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	optionName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	paramName  = regexp.MustCompile(`^[A-Za-z0-9_]+$`)
	plainWord  = regexp.MustCompile(`^[^\s,=]+$`)
)

// description returns the promises that need no game in progress.
func description(g *engines.Game, extra []string) []promise {
	return []promise{
		{name: "names", holds: func() error { return names(g) }},
		{name: "space", holds: func() error { return space(g.Space) }},
		{name: "presets", holds: func() error { return presets(g) }},
		{name: "options", holds: func() error { return options(g, extra) }},
		{name: "bad rules", holds: func() error { return badRules(g) }},
		{name: "budgets", holds: func() error { return budgets(g) }},
		{name: "margins declared", holds: func() error { return marginsDeclared(g) }},
	}
}

// names checks the description of the game as a whole.
func names(g *engines.Game) error {
	switch {
	case !gameName.MatchString(g.Name):
		return fmt.Errorf("name %q is not of the form %s", g.Name, gameName)
	case g.Title == "" || g.Doc == "":
		return errors.New("no Title or no Doc")
	case g.Version < 1:
		return fmt.Errorf("its Version is %d; count from 1", g.Version)
	case g.OpeningPlies < 0:
		return fmt.Errorf("OpeningPlies is %d", g.OpeningPlies)
	case !g.Limits.Repeatable():
		return fmt.Errorf("default Limits %q have a clock, so that no run would repeat", g.Limits)
	}
	if l, err := engines.ParseLimits(g.Limits.String()); err != nil || l != g.Limits {
		return fmt.Errorf("its Limits %q read back as %q (error %v)", g.Limits, l, err)
	}
	return nil
}

// space checks every parameter.
func space(s params.Space) error {
	active := len(s) == 0
	for i, p := range s {
		if !paramName.MatchString(p.Name) {
			return fmt.Errorf("parameter %d: name %q is not of the form %s", i, p.Name, paramName)
		}
		if s.Index(p.Name) != i {
			return fmt.Errorf("parameter %s is listed twice", p.Name)
		}
		if err := parameter(p); err != nil {
			return fmt.Errorf("parameter %s: %w", p.Name, err)
		}
		active = active || !p.Frozen
	}
	if !active {
		return errors.New("every parameter is frozen: there is nothing to tune")
	}
	return nil
}

// parameter checks one parameter: its text, range, step, default and labels.
func parameter(p params.Param) error {
	finite := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	switch {
	case strings.TrimSpace(p.Doc) == "":
		return errors.New("no Doc")
	case !finite(p.Min) || !finite(p.Max) || p.Min >= p.Max && len(p.Labels) != 1:
		return fmt.Errorf("range %v to %v; want finite numbers, Min < Max, or a single label", p.Min, p.Max)
	case !finite(p.Step) || p.Step <= 0:
		return fmt.Errorf("its Step is %v; want a finite number above 0", p.Step)
	case p.Log && p.Min <= 0:
		return fmt.Errorf("its Min is %v; a Log parameter wants one above 0", p.Min)
	case p.Whole && (p.Min != math.Trunc(p.Min) || p.Max != math.Trunc(p.Max)):
		return fmt.Errorf("its range is %v to %v; a Whole parameter wants whole bounds", p.Min, p.Max)
	}
	if err := p.Check(p.Default); err != nil {
		return fmt.Errorf("its Default: %w", err)
	}
	return labels(p)
}

// labels checks that a parameter's labels name exactly its values.
func labels(p params.Param) error {
	if len(p.Labels) == 0 {
		return nil
	}
	if top := float64(len(p.Labels) - 1); !p.Whole || p.Min != 0 || p.Max != top {
		return fmt.Errorf("%d Labels want Whole, Min 0 and Max %v; it has Whole %v, Min %v, Max %v", len(p.Labels), top, p.Whole, p.Min, p.Max)
	}
	for i, l := range p.Labels {
		if !plainWord.MatchString(l) || slices.Index(p.Labels, l) != i {
			return fmt.Errorf("label %q; want words without spaces, commas and =, each once", l)
		}
	}
	return nil
}

// presets checks the named vectors.
func presets(g *engines.Game) error {
	for i, p := range g.Presets {
		if !plainWord.MatchString(p.Name) {
			return fmt.Errorf("preset name %q; want a word without spaces, commas and =", p.Name)
		}
		if slices.IndexFunc(g.Presets, func(q params.Preset) bool { return q.Name == p.Name }) != i {
			return fmt.Errorf("preset %s is listed twice", p.Name)
		}
		if strings.TrimSpace(p.Doc) == "" {
			return fmt.Errorf("preset %s has no Doc", p.Name)
		}
		if err := g.Space.Check(p.Vector); err != nil {
			return fmt.Errorf("preset %s: %w", p.Name, err)
		}
	}
	if _, err := g.Preset(g.DefaultPreset); err != nil {
		return fmt.Errorf("its DefaultPreset: %w", err)
	}
	if _, err := g.Preset(g.PlayerPreset()); err != nil {
		return fmt.Errorf("its PlayPreset: %w", err)
	}
	if g.WeakPreset == "" {
		return nil
	}
	if _, err := g.Preset(g.WeakPreset); err != nil {
		return fmt.Errorf("its WeakPreset: %w", err)
	}
	return nil
}

// options checks that every listed value opens the game, and so do the extra
// rules.
func options(g *engines.Game, extra []string) error {
	for i, o := range g.Options {
		if !optionName.MatchString(o.Name) {
			return fmt.Errorf("option name %q is not of the form %s", o.Name, optionName)
		}
		if slices.IndexFunc(g.Options, func(p engines.Option) bool { return p.Name == o.Name }) != i {
			return fmt.Errorf("option %s is listed twice", o.Name)
		}
		if err := option(g, o); err != nil {
			return fmt.Errorf("option %s: %w", o.Name, err)
		}
	}
	if _, err := g.Open(nil); err != nil {
		return fmt.Errorf("the default rules: %w", err)
	}
	for _, text := range extra {
		if _, err := open(g, text); err != nil {
			return err
		}
	}
	return nil
}

// option checks one option: its text and default, and that every listed value opens the game.
func option(g *engines.Game, o engines.Option) error {
	if strings.TrimSpace(o.Doc) == "" {
		return errors.New("no Doc")
	}
	if o.Values != nil && !slices.Contains(o.Values, o.Default) {
		return fmt.Errorf("its Default %q is not among its Values %q", o.Default, o.Values)
	}
	if err := offered(g, o); err != nil {
		return err
	}
	for i, value := range append(slices.Clone(o.Values), o.Default) {
		if !plainWord.MatchString(value) || i < len(o.Values) && slices.Index(o.Values, value) != i {
			return fmt.Errorf("value %q; want words without spaces, commas and =, each once", value)
		}
		if _, err := g.Open(engines.Rules{o.Name: value}); err != nil {
			return err
		}
	}
	for value, sets := range o.Sets {
		if o.Values != nil && !slices.Contains(o.Values, value) {
			return fmt.Errorf("its Sets has %q, which is not among its Values %q", value, o.Values)
		}
		if _, err := g.Open(sets); err != nil {
			return fmt.Errorf("what %s sets: %w", value, err)
		}
	}
	return nil
}

// offered checks the choices for people if the game itself parses the value.
func offered(g *engines.Game, o engines.Option) error {
	if (o.Values == nil) != (o.Offered != nil) {
		return errors.New("it wants either Values or, where any text may be allowed, Offered")
	}
	hasValue := func(value string) func(engines.Choice) bool {
		return func(c engines.Choice) bool { return c.Value == value }
	}
	if o.Values == nil && !slices.ContainsFunc(o.Offered, hasValue(o.Default)) {
		return fmt.Errorf("its Default %q is not Offered", o.Default)
	}
	for i, c := range o.Offered {
		if strings.TrimSpace(c.Label) == "" || slices.IndexFunc(o.Offered, hasValue(c.Value)) != i ||
			slices.IndexFunc(o.Offered, func(d engines.Choice) bool { return d.Label == c.Label }) != i {
			return fmt.Errorf("it offers %q as %q; want each value and label once", c.Value, c.Label)
		}
		if _, err := g.Open(engines.Rules{o.Name: c.Value}); err != nil {
			return fmt.Errorf("of what it offers: %w", err)
		}
	}
	return nil
}

// badRules checks that the error for unknown rules names them.
func badRules(g *engines.Game) error {
	const unknown = "no_such_thing"
	if err := refused(g, engines.Rules{unknown: "1"}, unknown); err != nil {
		return err
	}
	for _, o := range g.Options {
		if err := refused(g, engines.Rules{o.Name: unknown}, unknown, o.Name); err != nil {
			return err
		}
	}
	return nil
}

// refused checks that rules do not open the game and that the error has words.
func refused(g *engines.Game, rules engines.Rules, words ...string) error {
	_, err := g.Open(rules)
	if err == nil {
		return fmt.Errorf("rules %v were accepted", rules)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			return fmt.Errorf("rules %v were refused without naming %q: %w", rules, w, err)
		}
	}
	return nil
}

// kinds holds every kind of budget.
var kinds = []string{engines.BudgetDepth, engines.BudgetNodes, engines.BudgetPlayouts, engines.BudgetTime}

// budgets checks that CheckLimits allows the declared limits up to their bounds, and names
// every other limit in its error.
func budgets(g *engines.Game) error {
	seen := map[string]bool{}
	for _, b := range g.Budgets {
		counts := b.Kind == engines.BudgetNodes || b.Kind == engines.BudgetPlayouts
		if !slices.Contains(kinds, b.Kind) || seen[b.Kind] || b.Max < 0 || b.Slack < 0 || b.Slack > 0 && !counts {
			return fmt.Errorf("budget %+v; want one of %v, each once, Max and Slack not below 0, and Slack only of counts", b, kinds)
		}
		seen[b.Kind] = true
	}
	if err := g.CheckLimits(g.Limits); err != nil {
		return fmt.Errorf("the default Limits: %w", err)
	}
	if g.Proves < 0 {
		return fmt.Errorf("its Proves is %d; want a number of plies, or 0", g.Proves)
	}
	for _, l := range []engines.Limits{{Depth: 1}, {Nodes: 1}, {Playouts: 1}, {Time: engines.MinTime}, {Depth: -1}, {Nodes: -1},
		{Playouts: -1}, {Time: -1}, {Time: engines.MinTime - 1}, {Depth: engines.MaxDepth + 1}, {Nodes: engines.MaxCount + 1},
		{Playouts: engines.MaxCount + 1}, {Time: engines.MaxTime + 1}} {
		if err := refuses(g, l, seen); err != nil {
			return err
		}
	}
	return nil
}

// refuses checks the answer of CheckLimits to limits of one kind.
func refuses(g *engines.Game, l engines.Limits, known map[string]bool) error {
	kind := engines.BudgetTime
	switch {
	case l.Depth != 0:
		kind = engines.BudgetDepth
	case l.Nodes != 0:
		kind = engines.BudgetNodes
	case l.Playouts != 0:
		kind = engines.BudgetPlayouts
	}
	fine := known[kind] && (l.Depth == 1 || l.Nodes == 1 || l.Playouts == 1 || l.Time == engines.MinTime)
	err := g.CheckLimits(l)
	switch {
	case fine && err != nil:
		return fmt.Errorf("limits %+v are among its Budgets and refused: %w", l, err)
	case !fine && err == nil:
		return fmt.Errorf("limits %+v are not among its Budgets, or out of bounds, and allowed", l)
	case !fine && (!strings.Contains(err.Error(), kind) || !strings.Contains(err.Error(), g.Name)):
		return fmt.Errorf("limits %+v are refused without naming %s and %s: %w", l, kind, g.Name, err)
	}
	return nil
}
