package reports

// Ends shows counts by kind, such as how games ended: with one row a bar a
// kind, with several rows one stacked bar of shares a row.
type Ends struct {
	Title, Subtitle string

	Kinds []string // such as "goal reached", "time", "ply bound"
	Rows  []EndsRow
	Noun  string // what is counted; "" is "games"
}

// EndsRow holds the counts of one group, in the order of Kinds.
type EndsRow struct {
	Name   string
	Counts []int
}

// SVG implements [Figure].
func (e Ends) SVG() ([]byte, error) { return svgOf(e) }

// PNG implements [Figure].
func (e Ends) PNG() ([]byte, error) { return pngOf(e) }
