//go:build !js

package games

import "selfplaylab/engines/external/referee"

var (
	isSource   = referee.IsSource
	openSource = referee.Open
	trust      = referee.Trust
	trusted    = referee.Trusted
)

// Label is a game's name for lists, of the name or source in a record.
func Label(source string) string { return referee.Label(source) }
