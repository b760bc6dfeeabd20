package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// Limits of comments and names, which only developers read, also in tests. Each is the present
// count. Lower it with the code, never raise it.
const (
	maxVagueSentences = 86  // see vague
	maxShortTests     = 123 // tests with names of one or two words, such as "TestX", which do not say what must hold
)

// commentWordings apply to comments, where some are still allowed.
var commentWordings = []wording{
	{`\btold\b`, "reported, given", 21},
	{`\b(am|is|are|was|were|be|been) asked\b`, "is requested, is given", 3},
	{`\bask(s|ed|ing)? for\b`, "requests, requires", 7},
	{`\b(which|that|it|what|also|who|command|protocol|method|game|kind) wants\b|\bwants (the|a|an|at|more|--)`, "requires, needs", 1},
	{`\bsomebody('s)?\b`, "an external engine, another program", 0},
	{`\bwhoever\b`, "a player that, anyone who", 0},
	{`\bso many\b`, "the number", 0},
	{`\bgo(es)? on with\b`, "continue", 5},
	{`\b(mend(s|ed|ing)?|foretells?|flatters?|crew|twins?)\b`, "fix, predict, bias, workers, duplicates", 0},
	{`\busual\b`, "default, standard", 1},
	{`\bthose (that|of|who|which|it|in|with)\b`, "the noun", 51},
	{`\bof (those|which|what|whom|whose)\b`, "the noun, in a sentence of its own", 27},
	{`\bwhat (it|is|was|they|are|were)\b`, "the noun", 35},
	{`\bas (it|they) (is|was|are|were)\b`, "unchanged, as written", 11},
	{`\bunder way\b|\bat hand\b|\bin hand\b`, "running, available", 18},
}

// nameWords are names without a meaning, or from no standard vocabulary, with the number of
// their declarations: of functions, types, variables, constants, fields, parameters and
// results.
var nameWords = map[string]int{
	"told": 3, "asked": 10, "usual": 0, "than": 2, "twins": 0, "crew": 0, "said": 6, "unsaid": 0, "silent": 8, "mine": 1,
	"is": 2, "who": 1, "whom": 1, "whose": 0, "way": 1, "what": 51, "which": 1, "course": 2, "forgot": 0, "stretched": 0,
}

// vagueWord matches words in place of a noun.
var vagueWord = regexp.MustCompile(`(?i)^(that|which|those|ones?|what|its?|they|them|these|who|whom|whose|whoever|whatever|such)$`)

// A sentence of a comment, with the share of words in place of a noun.
type sentence struct {
	at, text string
	share    float64
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?;:]\s+`)
	plainWord   = regexp.MustCompile(`[\pL']+`)
)

// vague returns the sentences with three or more words in place of nouns that are at least a
// fifth of the words, worst first.
func vague(comments []programText) (list []sentence) {
	for _, c := range comments {
		for _, text := range sentenceEnd.Split(c.text, -1) {
			words := plainWord.FindAllString(text, -1)
			count := 0
			for _, w := range words {
				if vagueWord.MatchString(w) {
					count++
				}
			}
			if count >= 3 && 5*count >= len(words) {
				list = append(list, sentence{c.at, text, float64(count) / float64(len(words))})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b sentence) int { return cmp.Compare(b.share, a.share) })
	return list
}

// comments returns the comments of files, each on one line.
func comments(list []source) (texts []programText) {
	for _, s := range list {
		for _, group := range s.file.Comments {
			text := strings.Join(strings.Fields(group.Text()), " ")
			texts = append(texts, programText{s.set.Position(group.Pos()).String(), text})
		}
	}
	return texts
}

// TestCommentsUsePlainWords bounds the worst wordings and the worst sentences of comments.
func TestCommentsUsePlainWords(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads the whole module")
	}
	all := comments(files(t, func(string) bool { return true }))
	for _, w := range commentWordings {
		pattern := regexp.MustCompile(`(?i)` + w.pattern)
		var found []string
		for _, c := range all {
			for _, at := range pattern.FindAllStringIndex(c.text, -1) {
				found = append(found, fmt.Sprintf("%s: ...%s...", c.at, c.text[max(0, at[0]-30):min(len(c.text), at[1]+30)]))
			}
		}
		count(t, found, w.allowed, fmt.Sprintf("comments hold %s: write %s", w.pattern, w.write))
	}
	var worst []string
	for _, s := range vague(all) {
		worst = append(worst, fmt.Sprintf("%s: %.0f %%: %s", s.at, 100*s.share, s.text))
	}
	count(t, worst, maxVagueSentences, "sentences of comments whose words are pronouns to a fifth: write the nouns, one thought a sentence")
}

// TestNamesSayWhatTheyMean bounds names without a meaning, and tests whose names do not say
// what must hold.
func TestNamesSayWhatTheyMean(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads the whole module")
	}
	found, short := map[string][]string{}, []string(nil)
	for _, s := range files(t, func(string) bool { return true }) {
		for _, name := range declarations(s.file) {
			at := fmt.Sprintf("%s: %s", s.set.Position(name.Pos()), name.Name)
			word := strings.ToLower(name.Name)
			found[word] = append(found[word], at)
			if test, ok := strings.CutPrefix(name.Name, "Test"); ok && strings.HasSuffix(s.name, "_test.go") && nameLength(test) <= 2 && test != "Main" {
				short = append(short, at)
			}
		}
	}
	for _, word := range slices.Sorted(maps.Keys(nameWords)) {
		count(t, found[word], nameWords[word], "declarations of "+word)
	}
	count(t, short, maxShortTests, "tests with names of one or two words: say what must hold")
}

// declarations returns the names that a file declares, local ones included.
func declarations(file *ast.File) (names []*ast.Ident) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names = append(names, n.Name)
		case *ast.TypeSpec:
			names = append(names, n.Name)
		case *ast.ValueSpec:
			names = append(names, n.Names...)
		case *ast.Field:
			names = append(names, n.Names...)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				names = append(names, identifiers(n.Lhs...)...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				names = append(names, identifiers(n.Key, n.Value)...)
			}
		}
		return true
	})
	return names
}

func identifiers(expressions ...ast.Expr) (names []*ast.Ident) {
	for _, e := range expressions {
		if name, ok := e.(*ast.Ident); ok {
			names = append(names, name)
		}
	}
	return names
}

// nameLength returns the number of words in a name in mixed case; a sequence of capital letters
// is one word.
func nameLength(name string) (words int) {
	upper := false
	for _, r := range name {
		if unicode.IsUpper(r) && !upper {
			words++
		}
		upper = unicode.IsUpper(r)
	}
	return words
}

// TestVagueFindsPronouns has sentences of nouns, which are not vague, and sentences of
// pronouns, which are.
func TestVagueFindsPronouns(t *testing.T) {
	for text, want := range map[string]bool{
		"those that it has stay":                                                   true,
		"checkText refuses what would not show as what it is":                      true,
		"checkText rejects text that does not display as written.":                 false,
		"of those two of whom it is farthest from it":                              true,
		"warnWorstFit names the two players whose score fits their ratings least.": false,
		"It is one sentence. It has two pronouns that count. They are few.":        false,
	} {
		if got := len(vague([]programText{{"", text}})) > 0; got != want {
			t.Errorf("%q is vague: %t, want %t", text, got, want)
		}
	}
	for name, want := range map[string]int{"Same": 1, "OwnWord": 2, "ResumeGivesSameRows": 4, "RegretOnLOG": 3, "UCIGames": 1} {
		if got := nameLength(name); got != want {
			t.Errorf("%s has %d words, want %d", name, got, want)
		}
	}
}
