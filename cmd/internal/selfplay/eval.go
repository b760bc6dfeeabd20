package selfplay

import (
	"fmt"
	"io"
	"reflect"
	"strconv"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines"
	"selfplaylab/engines/runs"
	"selfplaylab/reports/text"
)

func evalCommand(stdout io.Writer) *cobra.Command {
	var f positionFlags
	var p vectorFlags
	cmd := &cobra.Command{
		Use: "eval --game GAME", Short: "print every term of the evaluation of a position",
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v, ref, moves, err := f.start()
			if err != nil {
				return err
			}
			vector, err := p.vector(v.Game)
			if err != nil {
				return err
			}
			terms, err := v.Evaluate(f.position, moves, vector)
			if err != nil {
				return err
			}
			if f.json {
				return cli.PrintObject(stdout, termsObject(terms, ref.String()), true)
			}
			fmt.Fprintf(stdout, "%s, %s\nposition  %s\n", v.Game.Title, v.Rules, ref)
			printTerms(stdout, terms)
			return nil
		},
	}
	f.register(cmd)
	p.register(cmd)
	return cmd
}

// termsObject holds the values of an evaluation by their names, the position, and
// all that is known of each term.
func termsObject(terms []engines.Term, position string) runs.Object {
	var o runs.Object
	all := []runs.Object{}
	for _, t := range terms {
		o = append(o, runs.Entry{t.Name, t.Value})
		term := runs.Object{{"name", t.Name}}
		if t.Sides {
			for i, name := range []string{"own", "opponent", "worth"} {
				term = append(term, runs.Entry{name, reflect.ValueOf(t.Value).Index(i).Interface()})
			}
		} else {
			term = append(term, runs.Entry{"value", t.Value})
		}
		all = append(all, append(term, runs.Entry{"meaning", t.Doc}))
	}
	return append(o, runs.Entry{"position", position}, runs.Entry{"terms", all})
}

// printTerms prints an evaluation as tables: terms counted for both sides, lists of equal
// length, and single values, in their order.
func printTerms(out io.Writer, terms []engines.Term) {
	for len(terms) > 0 {
		n := 1
		for n < len(terms) && shape(terms[n]) == shape(terms[0]) {
			n++
		}
		group := terms[:n]
		terms = terms[n:]
		fmt.Fprintln(out)
		switch {
		case group[0].Sides:
			table := text.Table{{"term", "own", "opponent's", "worth", "meaning"}}
			for _, t := range group {
				list := reflect.ValueOf(t.Value)
				table = append(table, []string{t.Name, cell(list.Index(0)), cell(list.Index(1)), cell(list.Index(2)), t.Doc})
			}
			table.Print(out, 1, 2, 3)
		case shape(group[0]) >= 0 && len(group) > 1:
			printLists(out, group)
		default:
			table := text.Table(text.Each(group, func(t engines.Term) []string { return []string{t.Name, cell(reflect.ValueOf(t.Value)), t.Doc} }))
			table.Print(out)
		}
	}
}

// shape returns how a term is printed: the length of a list, -1 for a single value, -2 for a
// term counted for both sides.
func shape(t engines.Term) int {
	if t.Sides {
		return -2
	}
	if v := reflect.ValueOf(t.Value); v.IsValid() && v.Kind() == reflect.Slice {
		return v.Len()
	}
	return -1
}

// printLists prints lists of equal length side by side, with their meanings below.
func printLists(out io.Writer, group []engines.Term) {
	table := make(text.Table, 1+shape(group[0]))
	var right []int
	for column, t := range group {
		right = append(right, column)
		table[0] = append(table[0], t.Name)
		for i := range shape(t) {
			table[1+i] = append(table[1+i], cell(reflect.ValueOf(t.Value).Index(i)))
		}
	}
	table.Print(out, right...)
	meanings := text.Table{}
	for _, t := range group {
		meanings = append(meanings, []string{t.Name, t.Doc})
	}
	meanings.Print(out)
}

// cell writes a value of a term for people; "-" for none.
func cell(v reflect.Value) string {
	if v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch {
	case !v.IsValid():
		return "-"
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', 4, 64)
	case v.Kind() == reflect.Slice && v.Len() == 0:
		return "none"
	}
	return fmt.Sprint(v.Interface())
}
