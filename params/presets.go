//go:build !js

package params

import "fmt"

func presetTables(filename string, data []byte) (doc presetsTOML, err error) {
	err = DecodeStrict(filename, data, &doc)
	return doc, err
}

// presetLines are the lines of the values of the n-th preset, from 1.
func presetLines(data []byte, n int) map[string]int {
	return KeyLines(data, fmt.Sprintf("preset#%d.values", n))
}
