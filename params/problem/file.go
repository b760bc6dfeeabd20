package problem

import (
	"fmt"
	"os"

	"selfplaylab/params"
)

// fileTOML is the layout of a problem file: one of the functions of All, or
// parameters whose strength is a quadratic.
type fileTOML struct {
	Name     string    `toml:"name"`
	Function string    `toml:"function"` // a name of All
	Copies   int       `toml:"copies"`   // of a function of one parameter; 0 means 1
	Start    []float64 `toml:"start"`    // with a function; default its own
	Draws    float64   `toml:"draws"`
	Spread   float64   `toml:"spread"`

	Parameter []struct {
		Name    string  `toml:"name"`
		Min     float64 `toml:"min"`
		Max     float64 `toml:"max"`
		Step    float64 `toml:"step"`
		Start   float64 `toml:"start"`
		Optimum float64 `toml:"optimum"`
		Loss    float64 `toml:"loss"` // log-odds lost one step from the optimum
		Whole   bool    `toml:"whole"`
		Log     bool    `toml:"log"`
	} `toml:"parameter"`
	// Cross adds loss log-odds times the product of two parameters' steps from
	// the optimum.
	Cross []struct {
		Of   []string `toml:"of"`
		Loss float64  `toml:"loss"`
	} `toml:"cross"`
}

// Read reads a problem from a TOML file; see decode.
func Read(path string) (Problem, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Problem{}, fmt.Errorf("problem file: %w", err)
	}
	return decode(path, data)
}

// decode reads a problem from TOML text; filename appears in errors. The text
// names a function of All, with copies and start if wished, or lists
// [[parameter]] tables with name, min, max, step, start, optimum, loss, whole and
// log, and [[cross]] tables with of = [two names] and loss. Both kinds take
// name, draws and spread.
func decode(filename string, data []byte) (Problem, error) {
	var f fileTOML
	if err := params.DecodeStrict(filename, data, &f); err != nil {
		return Problem{}, err
	}
	p, err := f.problem()
	if err != nil {
		return Problem{}, fmt.Errorf("%s: %w", filename, err)
	}
	return p, nil
}

func (f *fileTOML) problem() (p Problem, err error) {
	switch {
	case !(f.Draws >= 0) || !(f.Spread >= 0):
		return p, fmt.Errorf("draws %v, spread %v: want 0 or more", f.Draws, f.Spread)
	case f.Function != "" && len(f.Parameter) > 0:
		return p, fmt.Errorf("both a function (%s) and parameters: want one of them", f.Function)
	case f.Function != "":
		p, err = f.named()
	case len(f.Parameter) > 0:
		p, err = f.quadratic()
	default:
		return p, fmt.Errorf("neither a function nor a [[parameter]]: want one of them")
	}
	if err != nil {
		return p, err
	}
	if f.Name != "" {
		p.Name = f.Name
	}
	p.Draws, p.Spread = f.Draws, f.Spread
	if err := p.Space.Check(p.Start); err != nil {
		return p, fmt.Errorf("start: %w", err)
	}
	return p, nil
}

func (f *fileTOML) named() (Problem, error) {
	p, err := Named(f.Function)
	if err != nil {
		return p, err
	}
	switch {
	case len(f.Cross) > 0:
		return p, fmt.Errorf("a [[cross]] belongs to parameters, not to the function %s", f.Function)
	case f.Copies < 0 || f.Copies > 1 && len(p.Space) != 1:
		return p, fmt.Errorf("%d copies of %s: only a function of one parameter has copies", f.Copies, f.Function)
	case f.Copies > 1:
		p = Copies(p, f.Copies)
	}
	if f.Start != nil {
		p.Start = f.Start
	}
	return p, nil
}

func (f *fileTOML) quadratic() (Problem, error) {
	var p Problem
	loss := make([]float64, len(f.Parameter))
	for i, q := range f.Parameter {
		param := params.Param{Name: q.Name, Min: q.Min, Max: q.Max, Default: q.Start, Step: q.Step, Whole: q.Whole, Log: q.Log}
		switch {
		case q.Name == "" || p.Space.Index(q.Name) >= 0:
			return p, fmt.Errorf("parameter %d is called %q: want a name of its own", i+1, q.Name)
		case !(q.Min < q.Max) || !(q.Step > 0) || q.Log && !(q.Min > 0):
			return p, fmt.Errorf("%s: want min < max and step > 0, and min > 0 if log", q.Name)
		}
		p.Space, loss[i] = append(p.Space, param), q.Loss
		p.Start, p.Optimum = append(p.Start, q.Start), append(p.Optimum, q.Optimum)
	}
	type product struct {
		i, j int
		loss float64
	}
	var cross []product
	for _, c := range f.Cross {
		if len(c.Of) != 2 {
			return p, fmt.Errorf("a [[cross]] of %q: want two names", c.Of)
		}
		i, err := p.Space.Lookup(c.Of[0])
		if err != nil {
			return p, err
		}
		j, err := p.Space.Lookup(c.Of[1])
		if err != nil {
			return p, err
		}
		cross = append(cross, product{i, j, c.Loss})
	}
	if err := p.Space.Check(p.Optimum); err != nil {
		return p, fmt.Errorf("optimum: %w", err)
	}
	space, optimum := p.Space, p.Optimum
	p.Name = "quadratic"
	p.Strength = func(v params.Vector) float64 {
		steps := func(i int) float64 { return space[i].Coordinate(v[i]) - space[i].Coordinate(optimum[i]) }
		r := 0.0
		for i := range space {
			r -= loss[i] * steps(i) * steps(i)
		}
		for _, c := range cross {
			r -= c.loss * steps(c.i) * steps(c.j)
		}
		return r
	}
	return p, nil
}
