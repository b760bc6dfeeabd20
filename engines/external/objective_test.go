package external_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/external/objective"
	"selfplaylab/engines/external/process"
	"selfplaylab/params"
)

// mockObjective judges by the parameter a, or misbehaves as its argument says.
func mockObjective(args []string) {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var q struct {
			Seed    uint64
			X, Than map[string]float64
		}
		d := json.NewDecoder(strings.NewReader(in.Text()))
		d.DisallowUnknownFields()
		if err := d.Decode(&q); err != nil {
			panic(err)
		}
		switch args[0] {
		case "crash":
			fmt.Fprintln(os.Stderr, "division by zero")
			os.Exit(1)
		case "words":
			fmt.Println("fine")
		case "many":
			fmt.Println(`{"points": 9, "of": 4}`)
		case "error":
			fmt.Println(`{"error": "no data"}`)
		case "hang":
			block()
		default:
			if q.Than != nil {
				fmt.Printf("{\"points\": %g, \"of\": 4}\n", 2+min(max(q.X["a"]-q.Than["a"], -2), 2))
			} else {
				fmt.Printf("\n{\"value\": %g}\n", q.X["a"]*10+float64(q.Seed))
			}
		}
	}
}

var objectiveSpace = params.Space{{Name: "a", Max: 10, Default: 5, Step: 1}, {Name: "b", Max: 1, Default: 0.5, Step: 0.1}}

func openObjective(t *testing.T, kind string, o process.Options) *objective.Program {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(mockKey, "objective")
	obj, err := objective.OpenProgram(context.Background(), "'"+self+"' "+kind, objectiveSpace, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { obj.Close() })
	return obj
}

// TestObjective asks both kinds of question, many times of one process.
func TestObjective(t *testing.T) {
	o := openObjective(t, "good", process.Options{})
	ctx := context.Background()
	for range 100 {
		v, err := o.Play(ctx, params.Vector{6, 0.5}, params.Vector{5, 0.5}, 3)
		if err != nil || v.Points != 3 || v.Of != 4 {
			t.Fatalf("comparison: %+v, %v", v, err)
		}
		v, err = o.Play(ctx, params.Vector{0.25, 1}, nil, 7)
		if err != nil || v.Value != 9.5 {
			t.Fatalf("value: %+v, %v", v, err)
		}
	}
	if _, err := o.Play(ctx, params.Vector{11, 0}, nil, 1); err == nil || !strings.Contains(err.Error(), "0 to 10") {
		t.Errorf("out of range: %v", err)
	}
}

// TestObjectiveFaults: what goes wrong has its name, and the next question starts anew.
func TestObjectiveFaults(t *testing.T) {
	for _, c := range []struct {
		kind   string
		than   params.Vector
		reason engines.Reason
		want   string
	}{
		{"crash", nil, engines.Crash, "division by zero"},
		{"words", nil, engines.Garbage, `answered "fine": no JSON object; want one line of JSON such as {"value": 0.25}`},
		{"many", params.Vector{1, 1}, engines.Garbage, "points outside 0 to of"},
		{"many", nil, engines.Garbage, "not the value of one vector"},
		{"error", nil, engines.Crash, "cannot score: no data"},
		{"hang", nil, engines.Stall, "no answer within 10m10s while judging"},
	} {
		t.Run(c.kind, func(t *testing.T) {
			options := process.Options{Patience: patience}
			if c.kind == "hang" {
				options.Clock = standing(startWait + stallWait) // each is asked of a fresh process
			}
			o := openObjective(t, c.kind, options)
			for range 2 {
				_, err := o.Play(context.Background(), params.Vector{1, 1}, c.than, 1)
				var fault *engines.Fault
				if !errors.As(err, &fault) || fault.Reason != c.reason || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v; want %q with %q", err, c.reason, c.want)
				}
			}
		})
	}
}

// TestObjectiveCommand reads command lines.
func TestObjectiveCommand(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", "no program"}, {"  ", "no program"}, {"'' x", "no program"}, {"python3 'x", "a quote ' is not closed"}, {"./no such/program", "program ./no: "},
	} {
		if _, err := objective.OpenProgram(context.Background(), c.line, objectiveSpace, process.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q in it", c.line, err, c.want)
		}
	}
}
