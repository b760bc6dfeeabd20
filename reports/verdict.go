package reports

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// Verdict is the head of a run: its question, the answer, the certainty of the answer, and the
// next steps. Terminal, report, page and card show the same verdict.
type Verdict struct {
	Where    []string       // game, kind and name of the run
	Question string         // as people ask it
	Answer   string         // in a few words, such as "Yes, +91 Elo"
	Detail   string         // next to the answer: the interval, or the reason; "" for none
	Meaning  figure.Meaning // chooses the colour
	Scale    *figure.Scale  // nil if nothing is measured
	Facts    []string       // the evidence, a few words each
	Hint     string         // advice on continuing, by the evidence; "" for none
	Picture  *Plot          // the most important chart; nil for none
	More     []Block        // below answer and chart, over the whole width; not on a card
	Next     []Step         // next steps, the most important first
}

// Step is an action after reading a result.
type Step struct {
	Name    string // such as "Play against it"
	Command string // performs it in a terminal
}

// Title returns the answer in one line, for the title of a window: "Yes, +91 Elo · Quoridor".
func (v Verdict) Title() string {
	if len(v.Where) == 0 {
		return text.Unmarked(v.Answer)
	}
	return text.Unmarked(v.Answer) + " · " + text.Unmarked(v.Where[0])
}

// Card returns the verdict as one picture.
func (v Verdict) Card() figure.Card {
	c := figure.Card{
		Where: text.Unmarked(strings.Join(v.Where, " · ")), Question: text.Unmarked(v.Question), Answer: text.Unmarked(v.Answer),
		Detail: text.Unmarked(v.Detail), Meaning: v.Meaning, Scale: v.Scale, Facts: text.Each(v.Facts, text.Unmarked),
		Hint: text.Unmarked(v.Hint),
	}
	if v.Picture != nil {
		c.Picture = v.Picture.Figure
	}
	return c
}

// terminalWidth is the width of the axis in letters.
const terminalWidth = 48

// Text writes the verdict for a terminal.
func (v Verdict) Text(out io.Writer) error {
	var b strings.Builder
	line := func(parts ...string) {
		if s := strings.TrimRight(text.Unmarked(strings.Join(parts, "  ")), " "); s != "" {
			b.WriteString(s + "\n")
		}
	}
	line(v.Question)
	b.WriteByte('\n')
	line("  "+v.Answer, v.Detail)
	if v.Scale != nil {
		b.WriteString(letterScale(*v.Scale))
	}
	line(strings.Join(v.Facts, ", "))
	line(v.Hint)
	table := text.Table{}
	for _, s := range v.Next {
		table = append(table, []string{text.Unmarked(s.Name), s.Command})
	}
	if len(table) > 0 {
		b.WriteByte('\n')
		table.Print(&b)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// letterScale draws a scale in letters: zero, the interval and the value on a line, and the ends below it.
func letterScale(s figure.Scale) string {
	low, high := s.Range()
	at := func(x float64) int {
		return int(math.Round((min(max(x, low), high) - low) / (high - low) * (terminalWidth - 1)))
	}
	line := []rune(strings.Repeat("─", terminalWidth))
	for i := at(s.Lo); s.Lo < s.Hi && i <= at(s.Hi); i++ {
		line[i] = '━'
	}
	line[at(0)] = '┼'
	line[at(s.Value)] = '●'
	ends := []rune(strings.Repeat(" ", terminalWidth))
	write := func(x float64, label string) {
		letters := []rune(label)
		from := min(max(at(x)-len(letters)/2, 0), terminalWidth-len(letters))
		if from < 0 || strings.TrimSpace(string(ends[max(from-1, 0):min(from+len(letters)+1, terminalWidth)])) != "" {
			return
		}
		copy(ends[from:], letters)
	}
	write(0, "0")
	if s.Lo < s.Hi && !math.IsInf(s.Lo, 0) && !math.IsInf(s.Hi, 0) {
		write(s.Lo, text.Signed(s.Lo, 0))
		write(s.Hi, text.Signed(s.Hi, 0))
	}
	return "  " + string(line) + "\n  " + strings.TrimRight(string(ends), " ") + "\n"
}

// verdictHTML is the data of the verdict's template.
type verdictHTML struct {
	Verdict
	Axis, Wide, Narrow template.HTML
	Below              []template.HTML
}

// HTML returns the verdict as a part of a page that has the [Style].
func (v Verdict) HTML() (template.HTML, error) {
	data := verdictHTML{Verdict: v}
	if v.Scale != nil {
		d, err := v.Scale.Draw(figure.Narrow)
		if err != nil {
			return "", err
		}
		data.Axis = template.HTML(d.Inline()) // SVG escapes its texts
	}
	if v.Picture != nil {
		for layout, to := range map[figure.Layout]*template.HTML{figure.Half: &data.Wide, figure.Narrow: &data.Narrow} {
			d, err := v.Picture.draw(layout)
			if err != nil {
				return "", err
			}
			*to = template.HTML(d.Inline())
		}
	}
	for _, block := range v.More {
		text, err := blockHTML(block)
		if err != nil {
			return "", err
		}
		data.Below = append(data.Below, text)
	}
	var b strings.Builder
	err := blockTemplates.ExecuteTemplate(&b, "verdict", data)
	return template.HTML(b.String()), err
}

// scaleName is the file name of the drawn axis in a written page.
const scaleName = "answer"

// markdown shows the drawings by their files.
func (v Verdict) markdown(folder string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", spansMD(v.Question))
	if len(v.Where) > 0 {
		fmt.Fprintf(&b, "\n%s\n", sentenceMD(strings.Join(v.Where, " · ")))
	}
	fmt.Fprintf(&b, "\n**%s**", spansMD(v.Answer))
	if v.Detail != "" {
		fmt.Fprintf(&b, ", %s", spansMD(v.Detail))
	}
	b.WriteString("\n")
	if v.Scale != nil {
		fmt.Fprintf(&b, "\n![%s](%s)\n", spansMD(v.Scale.Title), inFolder(folder, scaleName+".svg"))
	}
	if len(v.Facts) > 0 {
		fmt.Fprintf(&b, "\n%s\n", sentenceMD(strings.Join(v.Facts, " · ")))
	}
	if v.Hint != "" {
		fmt.Fprintf(&b, "\n%s\n", sentenceMD(v.Hint))
	}
	if v.Picture != nil {
		picture, err := v.Picture.markdown(folder)
		if err != nil {
			return "", err
		}
		b.WriteString("\n" + picture)
	}
	for _, block := range v.More {
		text, err := block.markdown(folder)
		if err != nil {
			return "", err
		}
		b.WriteString("\n" + text)
	}
	for i, s := range v.Next {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "- %s: `%s`\n", spansMD(s.Name), s.Command)
	}
	return b.String(), nil
}
