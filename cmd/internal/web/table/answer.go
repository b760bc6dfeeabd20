package table

import (
	"context"
	"encoding/json"
)

// Answer is Ask with question and answer in JSON; an error is {"error": ...}.
func Answer(ctx context.Context, question []byte) []byte {
	var q Question
	err := json.Unmarshal(question, &q)
	var a any
	if err == nil {
		a, err = Ask(ctx, q)
	}
	if err == nil {
		var out []byte
		if out, err = json.Marshal(a); err == nil {
			return out
		}
	}
	out, _ := json.Marshal(map[string]string{"error": err.Error()}) // a map of strings always marshals
	return out
}
