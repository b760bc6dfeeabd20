package gametest

import (
	"errors"
	"time"

	"selfplaylab/engines"
)

// SetPatience changes the time to wait for a deaf player. restore resets it.
func SetPatience(d time.Duration) (restore func()) {
	old := patience
	patience = d
	return func() { patience = old }
}

// Promises returns the name of every promise.
func Promises(g *engines.Game) []string {
	var names []string
	for _, group := range groups(g, nil) {
		for _, p := range group.promises {
			names = append(names, p.name)
		}
	}
	return names
}

// Holds checks one promise under the default rules.
func Holds(g *engines.Game, name string) error {
	for _, s := range subjects(g, nil)[:1] {
		for _, p := range s.promises() {
			if p.name == name {
				return guard(p.holds)
			}
		}
	}
	return errors.New("no such promise: " + name)
}

// CheckOne checks only the promise with a name.
func CheckOne(g *engines.Game, name string) []error { return check(g, nil, name) }
