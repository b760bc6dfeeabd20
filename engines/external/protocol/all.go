package protocol

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/reports/text"
)

// All returns the protocols, as a new list. A new protocol adds a line here.
func All() []Protocol {
	return []Protocol{
		ugiProtocol(),
		uciProtocol(),
		gomocupProtocol(),
		millProtocol(),
		qtpProtocol(),
		getpointProtocol(),
	}
}

// Find returns the named protocol. Its error lists all names.
func Find(name string) (Protocol, error) {
	all := All()
	if i := slices.IndexFunc(all, func(p Protocol) bool { return p.Name == name }); i >= 0 {
		return all[i], nil
	}
	known := text.Each(all, func(p Protocol) string { return p.Name })
	return Protocol{}, fmt.Errorf("unknown protocol %q; known: %s", name, strings.Join(known, ", "))
}
