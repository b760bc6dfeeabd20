package protocol

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines/external/process"
	"selfplaylab/params"
	"selfplaylab/params/formats"
	"selfplaylab/reports/text"
)

// Option is a setting that a program offers.
type Option struct {
	Name string // as the program wrote it
	Type string // spin, check, combo, string or button
	// Default is the value before it is set, in the program's form.
	Default  string
	Ranged   bool // Min and Max are known
	Min, Max int64
	Values   []string // values of a combo
}

// Offer is a program's description of itself at its start.
type Offer struct {
	Name, Author string   // as the program introduces itself; "" if it does not
	Options      []Option // in the order of the program
	// Extensions are commands beyond the protocol that it supports.
	Extensions []string

	params   params.Space // parameter rows that it printed
	rowsOnly bool         // its spins are rules and machine settings, not parameters
}

// Option returns the named option, without regard to case, as in UCI.
func (o *Offer) Option(name string) (Option, bool) {
	for _, option := range o.Options {
		if strings.EqualFold(option.Name, name) {
			return option, true
		}
	}
	return Option{}, false
}

// names returns the names of the options.
func (o *Offer) names() []string {
	return text.Each(o.Options, func(o Option) string { return o.Name })
}

// extends reports whether the program supports a command beyond the protocol.
func (o *Offer) extends(word string) bool { return slices.Contains(o.Extensions, word) }

// check returns an error with the possible values if the option does not take value.
func (o Option) check(value string) error {
	switch o.Type {
	case "spin":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fmt.Errorf("option %s = %q: want a whole number%s", o.Name, value, o.span())
		}
		if o.Ranged && (n < o.Min || n > o.Max) {
			return fmt.Errorf("option %s = %d is out of its range%s", o.Name, n, o.span())
		}
	case "check":
		if value != "true" && value != "false" {
			return fmt.Errorf("option %s = %q: want true or false", o.Name, value)
		}
	case "combo":
		if !slices.Contains(o.Values, value) && len(o.Values) > 0 {
			return fmt.Errorf("option %s = %q: want %s", o.Name, value, strings.Join(o.Values, " | "))
		}
	}
	return nil
}

// span returns the range as text, "" without one.
func (o Option) span() string {
	if !o.Ranged {
		return ""
	}
	return fmt.Sprintf(", %d to %d", o.Min, o.Max)
}

// optionWords are the keys of an option line.
// A value ends at the next key; a name ends at the type,
// and the default of a string at the end of the line.
var optionWords = []string{"name", "type", "default", "min", "max", "var"}

// parseOption reads the words after "option" of UGI and UCI.
// Names and values may have spaces.
func parseOption(fields []string) (Option, error) {
	var o Option
	var hasMin, hasMax bool
	for i := 0; i < len(fields); {
		key := fields[i]
		if !slices.Contains(optionWords, key) {
			return Option{}, fmt.Errorf("option line with %q; want one of %s", process.Shorten(key), strings.Join(optionWords, ", "))
		}
		j, ends := i+1, optionWords
		switch {
		case key == "name":
			j, ends = i+2, []string{"type"}
		case key == "default" && o.Type == "string":
			ends = nil
		case o.Type == "combo" && (key == "default" || key == "var"):
			ends = []string{"default", "var"} // a button has no bounds, and a value may be "max power"
			if after := fields[j:]; len(after) > 0 && after[0] == "default" && (len(after) == 1 || slices.Contains(ends, after[1])) {
				j++ // a value with this name
			}
		}
		for j < len(fields) && !slices.Contains(ends, fields[j]) {
			j++
		}
		j = min(j, len(fields))
		value := strings.Join(fields[i+1:j], " ")
		i = j
		var err error
		switch key {
		case "name":
			o.Name = value
		case "type":
			o.Type = value
		case "default":
			o.Default = value
		case "min":
			o.Min, err = strconv.ParseInt(value, 10, 64)
			hasMin = err == nil
		case "max":
			o.Max, err = strconv.ParseInt(value, 10, 64)
			hasMax = err == nil
		case "var":
			o.Values = append(o.Values, value)
		}
		if err != nil && !errors.Is(err, strconv.ErrRange) { // a bound beyond all numbers is no bound
			return Option{}, fmt.Errorf("option %q: %s %q: want a whole number", process.Shorten(o.Name), key, process.Shorten(value))
		}
	}
	if o.Ranged = hasMin && hasMax && o.Min <= o.Max && o.Type != "combo"; !o.Ranged {
		o.Min, o.Max = 0, 0
	}
	if o.Name == "" {
		return Option{}, fmt.Errorf("option line without a name")
	}
	return o, nil
}

// String returns the option as a line of UGI.
func (o Option) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "option name %s type %s", o.Name, o.Type)
	if o.Type != "button" {
		b.WriteString(" default " + o.Default)
	}
	if o.Ranged {
		fmt.Fprintf(&b, " min %d max %d", o.Min, o.Max)
	}
	for _, v := range o.Values {
		b.WriteString(" var " + v)
	}
	return b.String()
}

// Space returns the parameters of an offer: the parameter rows if the program prints any, else
// its spins with both bounds, except spins that set up the machine (hash, threads and the like).
func (o *Offer) Space() params.Space {
	if len(o.params) > 0 || o.rowsOnly {
		return o.params
	}
	var s params.Space
	for _, option := range o.Options {
		p := params.Param{Name: option.Name, Min: float64(option.Min), Max: float64(option.Max), Whole: true}
		x, err := strconv.ParseInt(option.Default, 10, 64)
		if option.Type != "spin" || !option.Ranged || err != nil || Machinery(option.Name) {
			continue
		}
		p.Default = float64(x)
		if formats.Sound(p) != nil || s.Index(p.Name) >= 0 {
			continue
		}
		p.Step = formats.DefaultStep(p)
		s = append(s, p)
	}
	return s
}

// Kinds lists the options with their types.
func (o *Offer) Kinds() string {
	kinds := text.Each(o.Options, func(o Option) string { return o.Name + " (" + o.Type + ")" })
	return cmp.Or(strings.Join(kinds, ", "), "none")
}

// Named reports whether the values of the option are names, not numbers.
func (o Option) Named() bool { return o.Type == "check" || o.Type == "combo" || o.Type == "button" }

// Untunable returns the reason why a tuner cannot change the named option as a number; nil if
// the program offers no such option.
func (o *Offer) Untunable(name string) error {
	option, ok := o.Option(name)
	choices := option.Values
	switch {
	case !ok:
		return nil
	case option.Type == "button":
		return fmt.Errorf("%s is a button and has no value", option.Name)
	case option.Type == "check":
		choices = []string{"false", "true"}
	case option.Type == "spin" && Machinery(option.Name):
		return fmt.Errorf("%s sets up the machine and is not tuned: set it under [options] of the engine file, or give it a range by "+
			"[[param]] or --space to tune it", option.Name)
	case option.Type == "spin":
		return fmt.Errorf("%s is a spin without a usable range; give it one by [[param]] or --space", option.Name)
	case option.Type == "string":
		return fmt.Errorf("%s is a string option; if it takes numbers, give it a range by [[param]] or --space", option.Name)
	}
	return fmt.Errorf("%s is a %s option (%s), not a number; set it under [options] of the engine file, or try its values by --method grid "+
		"and a [[param]] with choices", option.Name, option.Type, strings.Join(choices, ", "))
}

// Machinery reports whether a spin of a UCI or UGI engine
// sets up the machine, so that no tuner may change it.
func Machinery(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "hash", "hash size", "multipv", "seed", "skilllevel", "skill level", "movetime", "movetimems", "searchshuffleseed", "slow mover",
		"nodestime", "uci_elo":
		return true
	}
	return slices.ContainsFunc([]string{"thread", "overhead", "syzygy", "tablebase", "bitbase"}, func(part string) bool {
		return strings.Contains(name, part) // Number of Threads, SyzygyProbeDepth
	})
}
