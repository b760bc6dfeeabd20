package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// coded is an error with the HTTP status of its answer. Other errors have StatusBadRequest.
type coded struct {
	code int
	error
}

func (c coded) Unwrap() error { return c.error }

// codeOf returns the status of the answer of an error.
func codeOf(err error) int {
	if c, ok := errors.AsType[coded](err); ok {
		return c.code
	}
	return http.StatusBadRequest
}

// unreadable returns the error of a run that was found and cannot be read.
func unreadable(err error) error {
	if err == nil {
		return nil
	}
	return coded{http.StatusInternalServerError, err}
}

// script answers a script with the result of find as JSON, or with its error.
func script(find func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer, err := find(r)
		if err != nil {
			fail(w, err)
			return
		}
		reply(w, answer)
	}
}

// fail answers a script with an error.
func fail(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(codeOf(err))
	_ = json.NewEncoder(w).Encode(map[string]string{"error": err.Error()}) // the reader may be gone
}

// reply answers a script with v as JSON.
func reply(w http.ResponseWriter, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		fail(w, coded{http.StatusInternalServerError, err})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(data) // the reader may be gone
}

// attach has the browser save the answer under a name of letters and digits.
func attach(w http.ResponseWriter, name, kind string) {
	plain := []rune(name)
	for i, c := range plain {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.') {
			plain[i] = '_'
		}
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", string(plain)))
}
