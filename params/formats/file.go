package formats

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"selfplaylab/params"
	"selfplaylab/params/tomlx"
)

// File is a file of tunable parameters.
type File struct {
	Path  string       // as given, without its format
	Form  string       // the name of a Format
	Space params.Space // values of the file are the defaults
}

// ReadFile reads the file named by text, FILE or FORMAT:FILE. Without FORMAT the format follows
// from the file's name and content. Errors name the file and the line or parameter.
func ReadFile(text string) (File, error) {
	form, path, _ := strings.Cut(text, ":")
	if !HasForm(text) {
		form, path = "", text
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return File{}, fmt.Errorf("file of parameters: %w", err)
	}
	data = tomlx.WithoutMark(data)
	if form == "" {
		if form, err = guessForm(path, data); err != nil {
			return File{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	s, err := Read(form, data)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", path, err)
	}
	return File{Path: path, Form: form, Space: s}, nil
}

// HasForm reports whether text begins with the name of a format and a colon, as FORMAT:FILE
// does.
func HasForm(text string) bool {
	form, _, named := strings.Cut(text, ":")
	_, err := findFormat(form)
	return named && err == nil
}

// HoldsTables reports whether a file can be read and has [[param]] tables, as in format toml.
func HoldsTables(path string) bool {
	data, err := os.ReadFile(path)
	return err == nil && len(tomlx.KeyLines(data)["param#1"]) > 0
}

// chessTuningTools matches a range of chess-tuning-tools, such as "Real(0.0, 10.0)".
var chessTuningTools = regexp.MustCompile(`:\s*"(Real|Integer|Categorical)\(`)

// guessForm finds a file's format by its name and content.
func guessForm(path string, data []byte) (string, error) {
	text := strings.TrimSpace(string(data))
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case ext == ".toml":
		return "toml", nil
	case ext == ".params":
		return "yaneuraou", nil
	case strings.HasPrefix(text, "{") && chessTuningTools.MatchString(text):
		return "", errors.New("it has the ranges of chess-tuning-tools (Real, Integer, Categorical), which have no start values; " +
			`write each as weather-factory does: "NAME": {"value": 5, "min_value": 0, "max_value": 10, "step": 1}`)
	case strings.HasPrefix(text, "{"):
		return "weather-factory", nil
	case strings.Contains(text, notUsed):
		return "yaneuraou", nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") {
			continue
		}
		switch {
		case strings.HasPrefix(line, "param ") || strings.HasPrefix(line, "info string param "):
			return "rows", nil
		case strings.Count(line, ",") == 5:
			return "fishtest", nil
		case strings.Count(line, ",") == 6:
			return "openbench", nil
		}
		break
	}
	var forms []string
	for _, f := range All() {
		forms = append(forms, f.Doc)
	}
	return "", fmt.Errorf("its form is none that is known; want FORM:FILE, or a file of\n  %s", strings.Join(forms, "\n  "))
}
