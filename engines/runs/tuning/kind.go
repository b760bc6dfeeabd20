package tuning

import (
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
)

// Kind returns the kind.
func Kind() runs.Kind {
	kind := kindOf(Name, Methods()[0].Info().Name, Methods, "Verification", "Parameters", analysis.ImportanceTitle)
	kind.PlayerFile, kind.StartFile, kind.CandidateFile = tunedName, startFile, candidateName
	kind.Former = []runs.Kind{gridKind()}
	return kind
}

// gridKind is the kind as experiment files ask for it under the name of grid: a tuning
// by that method unless another is said. Its runs are of kind tune.
func gridKind() runs.Kind {
	return kindOf((&gridMethod{}).Info().Name, (&gridMethod{}).Info().Name, Methods, "Every point against the start")
}

// kindOf is a kind with other methods than the list has; sections are runs.Kind's.
func kindOf(name, method string, methods func() []Method, sections ...string) runs.Kind {
	return runs.Kind{
		Name: name, Short: "tune parameters by self-play and verify the result on new games",
		Sections: sections, Command: command(), Files: []string{tunedName, candidateName, startFile, rowsName, typedName, answersName},
		New: func() runs.Config { return newAsked(method, methods) },
	}
}

// New returns a tuning with the defaults.
func New() *Config { return newAsked(Methods()[0].Info().Name, Methods) }

func newAsked(method string, methods func() []Method) *Config {
	a := &Config{Method: method, MatchRules: runs.DefaultMatchRules(), methods: methods}
	for _, n := range []*int{&a.Pairs, &a.AgainstPairs, &a.Seeds, &a.SelectPairs, &a.FitPairs, &a.ScreenPairs, &a.VerifyPairs, &a.VerifyMin, &a.RatePairs} {
		*n = config.Unsaid
	}
	for _, m := range methods() {
		a.Methods = append(a.Methods, m)
	}
	return a
}
