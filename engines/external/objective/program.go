package objective

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/params"
)

// Program is a program that scores vectors where there is no game: one line of JSON
// in, one line out, under the same rules for processes as engines.
//
// In, for a comparison: {"seed": 7, "x": {"a": 1}, "than": {"a": 2}}; out:
// {"points": 3, "of": 4}, the points of x from 0 to of, where a draw of an equal
// pair is half. In, for a noisy value: {"seed": 7, "x": {"a": 1}}; out:
// {"value": 0.25}, larger being better. A program that cannot score answers
// {"error": "why"}. Everything else is a fault.
type Program struct {
	space   params.Space
	options process.Options
	command process.Command
	ctx     context.Context
	link    *protocol.Link
	fresh   bool // nothing was asked of the process yet
}

// verdict is an objective's answer.
type verdict struct {
	// Points of x out of Of, for a comparison.
	Points, Of float64
	// Value of x, for a question about one vector.
	Value float64
}

// objectiveQuestion is the line in. Its objects keep the order of the space.
type objectiveQuestion struct {
	Seed uint64          `json:"seed"`
	X    json.RawMessage `json:"x"`
	Than json.RawMessage `json:"than,omitempty"`
}

type objectiveAnswer struct {
	Points *float64 `json:"points"`
	Of     *float64 `json:"of"`
	Value  *float64 `json:"value"`
	Error  string   `json:"error"`
}

// OpenProgram finds the program of a command line: words parted by blanks, with
// single or double quotes around those that hold blanks. It is started when it is
// first asked. ctx bounds its life as it does a Player's.
func OpenProgram(ctx context.Context, commandLine string, space params.Space, options process.Options) (*Program, error) {
	f, err := process.SplitWords(commandLine)
	if err != nil {
		return nil, fmt.Errorf("objective %q: %w", commandLine, err)
	}
	path, err := process.LookPath(f[0])
	if err != nil {
		return nil, fmt.Errorf("objective %q: program %s: %w", commandLine, f[0], err)
	}
	return &Program{space: space, options: options, ctx: ctx, command: process.Command{Name: f[0], Path: path, Args: f[1:]}}, nil
}

// Play asks for the points of x against than, or if than is nil for the value of
// x. All randomness of the answer is to come from seed. Its error is an
// engines.Fault if the program failed; the next question then starts another.
func (p *Program) Play(ctx context.Context, x, than params.Vector, seed uint64) (verdict, error) {
	text, err := p.question(x, than, seed)
	if err != nil {
		return verdict{}, err
	}
	if err := p.ready(); err != nil {
		return verdict{}, err
	}
	wait := p.link.Patience.Stall
	if p.fresh { // a vector is not late because the program has to start
		wait += p.link.Patience.Start
	}
	p.fresh = false
	var v verdict
	err = p.link.Ask(ctx, process.Request{What: "judging", Text: text, Wait: wait, Line: func(line string) (bool, error) {
		if strings.TrimSpace(line) == "" {
			return false, nil
		}
		var err error
		v, err = p.read(line, than != nil)
		return err == nil, err
	}})
	return v, err
}

// ready starts the program if none runs, and takes no answer from the past.
func (p *Program) ready() error {
	if p.link != nil && p.link.Alive() {
		return p.link.Drain(func(line string) error {
			if strings.TrimSpace(line) == "" {
				return nil
			}
			return p.link.Garbage("an answer that nobody asked for: %q", process.Shorten(line))
		})
	}
	p.drop()
	var err error
	if p.link, err = protocol.Start(p.ctx, p.command, p.options); err != nil {
		return fmt.Errorf("objective %s: starting it: %w", p.command.Name, err)
	}
	p.fresh = true
	return nil
}

func (p *Program) drop() {
	if p.link != nil {
		p.link.Close("")
		p.link = nil
	}
}

func (p *Program) question(x, than params.Vector, seed uint64) (string, error) {
	q := objectiveQuestion{Seed: seed}
	var err error
	q.X, err = object(p.space, x)
	if err == nil && than != nil {
		q.Than, err = object(p.space, than)
	}
	var data []byte
	if err == nil {
		data, err = json.Marshal(q)
	}
	if err != nil {
		return "", fmt.Errorf("objective %s: %w", p.command.Name, err)
	}
	return string(data) + "\n", nil
}

// object writes a vector by name, in the order of the space.
func object(space params.Space, v params.Vector) (json.RawMessage, error) {
	if err := space.Check(v); err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, p := range space {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(p.Name)
		if err != nil {
			return nil, err
		}
		value := []byte(params.FormatValue(v[i]))
		if len(p.Labels) > 0 { // a choice, by its name
			if value, err = json.Marshal(p.Format(v[i])); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(&b, "%s:%s", name, value)
	}
	b.WriteByte('}')
	return json.RawMessage(b.String()), nil
}

// read reads the line out. What it cannot be is garbage and ends the program; an
// error that the program tells leaves it running.
func (p *Program) read(line string, comparison bool) (verdict, error) {
	v, told, why := readVerdict(line, comparison)
	switch {
	case told != "":
		return v, p.link.Complain(engines.Crash, "cannot score: %s", process.Shorten(told))
	case why != "":
		return v, p.link.Garbage("answered %q: %s such as %s", process.Shorten(line), why, objectiveForm(comparison))
	}
	return v, nil
}

// readVerdict reads a line. told is the error that it tells, and why says what is wrong
// with a line that is no answer.
func readVerdict(line string, comparison bool) (v verdict, told, why string) {
	var a objectiveAnswer
	switch err := process.DecodeLine(line, &a); {
	case err != nil:
		return v, "", err.Error() + "; want one line of JSON"
	case a.Error != "":
		return v, a.Error, ""
	case comparison && a.Value != nil:
		return v, "", "not points of a comparison but the value of one vector, for --direction maximize or minimize; want"
	case !comparison && a.Points != nil:
		return v, "", "not the value of one vector but points of a comparison, for --direction pair; want"
	case comparison && (a.Points == nil || a.Of == nil):
		return v, "", "not points of a comparison; want"
	case !comparison && (a.Value == nil || a.Of != nil):
		return v, "", "not the value of one vector; want"
	case !comparison:
		return verdict{Value: *a.Value}, "", ""
	case !(*a.Of > 0) || *a.Points < 0 || *a.Points > *a.Of:
		return v, "", "points outside 0 to of; want"
	}
	return verdict{Points: *a.Points, Of: *a.Of}, "", ""
}

func objectiveForm(comparison bool) string {
	if comparison {
		return `{"points": 3, "of": 4}`
	}
	return `{"value": 0.25}`
}

// Close ends the program. It returns nil.
func (p *Program) Close() error {
	p.drop()
	return nil
}
