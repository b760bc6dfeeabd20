package web

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// fail answers a script with an error.
func fail(w http.ResponseWriter, code int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": err.Error()}) // the reader may be gone
}

// reply answers a script with v as JSON.
func reply(w http.ResponseWriter, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
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
