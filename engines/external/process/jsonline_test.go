package process

import "testing"

// TestDecodeLineNamesKey expects errors that name the key in plain words.
func TestDecodeLineNamesKey(t *testing.T) {
	type inner struct {
		Wins int `json:"wins"`
	}
	for line, want := range map[string]string{
		`{"wins": 1, "name": "x"}`:       "",
		"\ufeff{\"wins\": 1}":            "",
		`{"wins": 1e9}`:                  "wins: number in the place of a whole number",
		`{"value": 1e999}`:               "value: 1e999 is too large",
		`{"wins": 99999999999999999999}`: "wins: 99999999999999999999 is too large",
		`{"name": 1}`:                    "name: number in the place of a text",
		`{"value": "0.5"}`:               "value: string in the place of a number",
		`[1]`:                            "array in the place of an object",
		"fine":                           "no JSON object",
		`{"wins": 1, "time": 3}`:         `unknown field "time"`,
		`{"value": NaN}`:                 "JSON has no NaN and no Infinity",
		`{"value": 1} {"value": 2}`:      "more than one JSON value on a line",
		`{"name": "NaN", "value": 1}`:    "",
	} {
		var into struct {
			inner
			Name  string   `json:"name"`
			Value *float64 `json:"value"`
		}
		got := ""
		if err := DecodeLine(line, &into); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q; want %q", line, got, want)
		}
	}
}
