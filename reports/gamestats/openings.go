package gamestats

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"selfplaylab/datasets"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Openings counts results by opening. The zero value is empty. One goroutine at a time may use
// it.
type Openings struct {
	all  rating.PairMatrix
	each sample[played]   // by opening
	seen sample[int]      // how often each pair was played, by the moves of both games
	lost []lostPair       // openings in which A lost both games, the quickest losses first
	half int              // A's half points in the first game of an incomplete pair
	head datasets.GameRow // the first game of this pair
}

// played is an opening with its pairs.
type played struct {
	name  string
	pairs rating.PairMatrix
}

// lostPair is an opening in which A lost both games.
type lostPair struct {
	opening string
	game    string // as "selfplay replay" takes it
	plies   [2]int32
}

// total returns the plies of both games.
func (l lostPair) total() int32 { return l.plies[0] + l.plies[1] }

// Limits of the report on openings.
const (
	maxLost     = 8  // named lost openings
	oftenPlayed = 5  // number of pairs from which an opening is judged
	maxShown    = 24 // such openings in a figure
)

// Add counts one game. Both games of a pair must follow each other, as recorded.
func (o *Openings) Add(g datasets.GameRow) {
	half := g.Half()
	if g.Game == 0 {
		o.half, o.head = half, g
		return
	}
	o.all.Add(o.half, half)
	if n := o.seen.at(hashOf(o.head.Phase, o.head.Position, o.head.Moves, g.Moves)); n != nil {
		*n++
	}
	name := OpeningName(g)
	if p := o.each.at(hashOf(name)); p != nil {
		if p.name == "" {
			p.name = strings.Clone(name) // a copy, because the substring would keep the whole game's text
		}
		p.pairs.Add(o.half, half)
	}
	if o.half == 0 && half == 0 {
		o.lose(lostPair{name, fmt.Sprintf("%d:%d:0", g.Trial, g.Pair), [2]int32{o.head.Plies, g.Plies}})
	}
}

// hashOf returns a hash of a list of texts.
func hashOf(texts ...string) uint64 {
	h := fnv.New64a()
	for _, text := range texts {
		h.Write([]byte(text))
		h.Write([]byte{0})
	}
	return scatter(h.Sum64())
}

// Caution returns a warning about pairs that repeat others move by move; "" if there are hardly
// any.
func (o *Openings) Caution() string {
	n := 0 // in the sample
	for _, times := range o.seen.kept {
		n += *times
	}
	if different := len(o.seen.kept); 100*different < 99*n {
		only := text.Count(different)
		if !o.seen.whole() {
			n = o.all.N()
			only = "about " + text.Count(min(n, o.seen.different()))
		}
		return fmt.Sprintf("Only %s of %s are different; the others repeat them move by move. The result holds for openings as they were "+
			"drawn here, and says less about others than its interval suggests: start from more openings (--opening-plies, --openings).",
			only, text.Plural(n, "pair"))
	}
	return ""
}

// lose keeps the quickest losses, one for each opening.
func (o *Openings) lose(l lostPair) {
	if i := slices.IndexFunc(o.lost, func(a lostPair) bool { return a.opening == l.opening }); i >= 0 {
		if o.lost[i].total() <= l.total() {
			return
		}
		o.lost = slices.Delete(o.lost, i, i+1)
	}
	at, _ := slices.BinarySearchFunc(o.lost, l.total()+1, func(a lostPair, plies int32) int { return cmp.Compare(a.total(), plies) })
	o.lost = slices.Insert(o.lost, at, l)
	o.lost = o.lost[:min(len(o.lost), maxLost)]
}

// OpeningName returns the opening of a game in its own notation: its
// moves, after the start position unless that is the initial one.
// It is "" for the initial position.
func OpeningName(g datasets.GameRow) string {
	end, moves := 0, g.Moves
	for range g.OpeningPlies {
		i := strings.IndexByte(moves[end:], ' ')
		if i < 0 {
			end = len(moves) + 1
			break
		}
		end += i + 1
	}
	opening := moves[:max(end-1, 0)]
	if g.Position != "" && opening != "" {
		return g.Position + " | " + opening
	}
	return g.Position + opening
}

// Lost returns at most n openings in which A lost both games, the quickest
// losses first: their names, and one game of each in the form of a replay.
func (o *Openings) Lost(n int) (names, games []string) {
	for _, l := range o.lost[:min(n, len(o.lost))] {
		names, games = append(names, l.opening), append(games, l.game)
	}
	return names, games
}

// code returns an opening's name as code in a sentence.
func code(opening string) string {
	if opening == "" {
		return "the initial position"
	}
	return "`" + opening + "`"
}

// label returns an opening's name for a figure. It keeps only the end of a long position, where
// positions differ most.
func label(opening string) string {
	const most = 36
	if opening == "" {
		return "the initial position"
	}
	if runes := []rune(opening); len(runes) > most {
		return "…" + string(runes[len(runes)-most+1:])
	}
	return opening
}

// DuplicatePairs returns all pairs, by the results of both games.
func (o *Openings) DuplicatePairs() rating.PairMatrix { return o.all }

// in returns the openings in the sample in the order of their names.
func (o *Openings) in() []*played {
	return slices.SortedFunc(maps.Values(o.each.kept), func(a, b *played) int { return strings.Compare(a.name, b.name) })
}

// Section returns the section on the openings of two players with the names a and b, who must
// have played at least one pair. level is the confidence of its intervals.
func (o *Openings) Section(level float64, a, b string) reports.Section {
	t := o.DuplicatePairs()
	kinds, n := t.Kinds(), float64(t.N())
	return o.section(level, []kindsRow{openingsRow("as played", t), expectedRow(t)}, []rating.PairMatrix{t}, a, b,
		fmt.Sprintf("Both games were won by %s in %s of the openings, by %s in %s.", a, text.Percent(float64(kinds[rating.BothA])/n), b,
			text.Percent(float64(kinds[rating.BothB])/n)))
}

// SectionOf returns the section on the openings of several matches, at least one pair in all.
// names are the matches' names, such as "one v other".
func (o *Openings) SectionOf(level float64, names []string, matches []rating.PairMatrix) reports.Section {
	played := openingsRow("all", o.DuplicatePairs())
	expected := expectedRow(rating.PairMatrix{})
	var rows []kindsRow
	for i, t := range matches {
		for kind, n := range t.Expected() { // by match, because it depends on the players
			expected.counts[kind] += n
		}
		if t.N() > 0 {
			rows = append(rows, openingsRow(names[i], t))
		}
	}
	if len(rows) > maxShown {
		rows = nil
	}
	return o.section(level, append([]kindsRow{played, expected}, rows...), matches, "the left name", "the right name")
}

// kindsRow counts the kinds of pairs in one match, as played or as expected.
type kindsRow struct {
	name   string
	counts [rating.PairKinds]float64 // openings by kind; expected numbers need not be whole
}

// openingsRow returns the row of the played pairs.
func openingsRow(name string, t rating.PairMatrix) kindsRow {
	row := kindsRow{name: name}
	for kind, n := range t.Kinds() {
		row.counts[kind] = float64(n)
	}
	return row
}

// expectedRow returns the row of a match whose openings make no difference.
func expectedRow(t rating.PairMatrix) kindsRow {
	return kindsRow{"if openings did not matter", t.Expected()}
}

// kindsTable returns rows as shares of the openings. Kinds without pairs have no column.
func kindsTable(rows []kindsRow, a, b string) reports.Table {
	names := [rating.PairKinds]string{
		rating.BothA: a + " won both", rating.MoreA: a + " won and drew",
		rating.BothFirst: "the first player won both", rating.BothSecond: "the second player won both", rating.BothDrawn: "both drawn",
		rating.MoreB: b + " won and drew", rating.BothB: b + " won both",
	}
	table := reports.Table{Columns: reports.Columns("the two games of an opening")}
	cells := make([][]string, len(rows))
	for kind, name := range names {
		if !slices.ContainsFunc(rows, func(r kindsRow) bool { return r.counts[kind] > 0 }) {
			continue // a game without draws
		}
		table.Columns = append(table.Columns, reports.Column{Name: name, Right: true})
		for i, r := range rows {
			cells[i] = append(cells[i], text.Percent(r.counts[kind]/floats.Sum(r.counts[:])))
		}
	}
	for i, r := range rows {
		table.Rows = append(table.Rows, append([]string{r.name}, cells[i]...))
	}
	return table
}

// section is the common part of Section and SectionOf.
// The first two rows are the played and the expected pairs.
func (o *Openings) section(level float64, rows []kindsRow, matches []rating.PairMatrix, a, b string,
	say ...string) reports.Section {
	n := o.DuplicatePairs().N()
	list := append(reports.List{o.count(n)}, say...)
	if len(o.each.kept) == 1 && o.each.whole() {
		rows = slices.Delete(rows, 1, 2) // nothing to compare with
	} else {
		r, in, ok := rating.Shared(level, matches...)
		list = append(list, colour(rows[0], rows[1]), shared(n, r, in, ok, level))
	}
	section := reports.Section{Title: "Scores by opening", Blocks: []reports.Block{list}}
	if n >= rating.MinSample { // with fewer pairs, shares say nothing
		section.Blocks = append(section.Blocks, kindsTable(rows, a, b), reports.Note("Where one colour won both games more often than "+
			"expected, the opening matters, or what else both games of a pair share: random choices, and moves on which both players agree. "+
			"A correlation of 0 means that openings make no difference, of 1 that they decide alone."))
	}
	if len(matches) > 1 {
		section.Blocks = append(section.Blocks, o.repeated(level, "")...)
		return section
	}
	if n >= rating.MinSample {
		section.Blocks = append(section.Blocks, o.scatter(a)...)
	}
	section.Blocks = append(section.Blocks, o.repeated(level, a)...)
	return reports.Section{Title: section.Title, Blocks: append(section.Blocks, o.losses(a)...)}
}

// scatter shows all openings in the sample by A's scores as first and as second. Openings with
// the same scores share a circle.
func (o *Openings) scatter(a string) []reports.Block {
	type place struct{ first, second float64 }
	openings, pairs, names := map[place]int{}, map[place]int{}, map[place]string{}
	for _, p := range o.in() {
		first, second := p.pairs.Games()
		at := place{100 * first.Score(), 100 * second.Score()}
		openings[at]++
		pairs[at] += p.pairs.N()
		names[at] = cmp.Or(p.name, "the initial position")
	}
	fig := figure.Scatter{Title: "Openings by the score in both games", XLabel: a + "'s score as second, %", YLabel: a + "'s score as first, %",
		Even: "as many points for either player", Subtitle: "the area of a circle is the number of pairs"}
	if !o.each.whole() {
		fig.Subtitle += fmt.Sprintf("; of a sample, one in %s openings", text.Count(1<<o.each.bits))
	}
	for at, n := range openings {
		spot := figure.Spot{X: at.second, Y: at.first, N: pairs[at], Tip: names[at]}
		if n > 1 {
			spot.Tip = text.Plural(n, "opening")
		}
		fig.Spots = append(fig.Spots, spot)
	}
	slices.SortFunc(fig.Spots, func(x, y figure.Spot) int {
		return cmp.Or(cmp.Compare(y.N, x.N), cmp.Compare(x.X, y.X), cmp.Compare(x.Y, y.Y))
	})
	return []reports.Block{reports.Plot{Name: "openings", Figure: fig}, reports.Note(fmt.Sprintf("Top right %s won with both colours, bottom "+
		"left the opponent. Top left the first player won both games, bottom right the second one did: there the opening decided, not the "+
		"players.", a))}
}

// count returns the sentence on the number of openings.
func (o *Openings) count(n int) string {
	switch k := o.each.different(); {
	case n == 1:
		return fmt.Sprintf("The only pair began from %s: the result holds for that opening alone.", code(o.in()[0].name))
	case !o.each.whole():
		return fmt.Sprintf("%s from about %s different openings, as a sample of them tells.", text.Plural(n, "pair"), text.Count(min(n, k)))
	case k == 1:
		return fmt.Sprintf("All %s began from %s: the result holds for that opening alone.", text.Plural(n, "pair"), code(o.in()[0].name))
	case k == n:
		return fmt.Sprintf("%s, no two of them the same line of moves.", text.Plural(n, "opening"))
	default:
		return fmt.Sprintf("%s from %s different openings.", text.Plural(n, "pair"), text.Count(k))
	}
}

// colour returns the sentence on openings in which one colour won both games.
func colour(played, expected kindsRow) string {
	share := func(row kindsRow) string {
		return text.Percent((row.counts[rating.BothFirst] + row.counts[rating.BothSecond]) / floats.Sum(row.counts[:]))
	}
	return fmt.Sprintf("In %s of the openings the same colour won both games; %s were to be expected if openings did not matter.",
		share(played), share(expected))
}

// shared returns the sentence on the influence of openings,
// by the correlation between both games of a pair.
func shared(n int, r float64, in rating.Interval, ok bool, level float64) string {
	switch {
	case !ok && n < rating.MinSample:
		return fmt.Sprintf("Whether openings matter is not known from %s alone.", text.Plural(n, "pair"))
	case !ok:
		return "Whether openings matter is not known: with one of the colours the results were all alike."
	}
	number := func(x float64) string { return text.Fixed(x, 2) }
	numbers := fmt.Sprintf("the points of the side playing first correlate by %s between the two games of a pair (%s to %s at %s, %s)",
		number(r), number(in.Low), number(in.High), text.Level(level), text.Plural(n, "pair"))
	switch {
	case in.Low > 0:
		return "Openings matter: " + numbers + "."
	case in.High < 0:
		return "The two games of a pair agree less than chance would have it: " + numbers + "."
	}
	return "It is not shown that openings matter: " + numbers + "."
}

// opening is an opening that was played often.
type opening struct {
	name    string
	pairs   rating.PairMatrix
	first   float64         // score of the side playing first
	in, inA rating.Interval // intervals of first, and of A's score
}

// repeated returns the blocks on openings that were played often, nil without any. a is the
// player whose score is shown too, "" for none.
func (o *Openings) repeated(level float64, a string) []reports.Block {
	list, all := o.often(level)
	if len(list) < 2 {
		return nil
	}
	telling := func(o opening) bool { return o.in.Decided() != 0 || o.in.High-o.in.Low < 0.5 }
	if !slices.ContainsFunc(list, telling) {
		return []reports.Block{reports.Text(fmt.Sprintf("%s were played %d times or more; none of them is shown to favour a side, and the "+
			"intervals of all leave more than half of what is possible.",
			text.Plural(all, "opening"), oftenPlayed))}
	}
	bars := figure.Bars{
		Title: "Score of the side playing first, by opening", XLabel: "score of the first player, %", Zero: 50, ZeroLabel: "even",
		Subtitle: fmt.Sprintf("%s played %d times or more; the %s intervals hold for all of them together", text.Plural(all, "opening"),
			oftenPlayed, text.Level(level)),
	}
	if all > len(list) {
		bars.Subtitle = "the most one-sided of " + bars.Subtitle
	}
	if !o.each.whole() {
		bars.Subtitle += fmt.Sprintf("; of a sample, one in %s openings", text.Count(1<<o.each.bits))
	}
	table := reports.Table{Columns: reports.Columns("opening", ">pairs", ">first player, %")}
	if a != "" {
		table.Columns = append(table.Columns, reports.Column{Name: a + ", %", Right: true})
	}
	for _, p := range list {
		bars.Bars = append(bars.Bars, figure.Bar{
			Name: label(p.name), Value: 100 * p.first, Lo: 100 * p.in.Low, Hi: 100 * p.in.High, Strong: p.in.Decided() != 0,
			Text: fmt.Sprintf("%s, %s", text.Percent(p.first), text.Plural(p.pairs.N(), "pair")),
		})
		row := []string{code(p.name), text.Count(p.pairs.N()), scoreText(p.first, p.in), scoreText(p.pairs.Pairs().Score(), p.inA)}
		table.Rows = append(table.Rows, row[:len(table.Columns)])
	}
	if a != "" { // their circles are drawn
		table.Caption = bars.Subtitle + "."
		return []reports.Block{table, reports.Text(lopsided(list))}
	}
	return []reports.Block{reports.Plot{Name: "repeated", Figure: bars, Caption: lopsided(list)}, table}
}

// scoreText returns a score with its interval, in percent.
func scoreText(score float64, in rating.Interval) string {
	return fmt.Sprintf("%s (%s to %s)", text.Number(100*score, 1), text.Number(100*in.Low, 1), text.Number(100*in.High, 1))
}

// often returns the openings that were played often, from the
// best for the first player to the worst, and their number.
// Of more than maxShown it returns the most one-sided.
func (o *Openings) often(level float64) (list []opening, all int) {
	for _, p := range o.each.kept {
		if p.pairs.N() >= oftenPlayed {
			all++
		}
	}
	// By Bonferroni's inequality all intervals hold together with probability level.
	together := 1 - (1-level)/float64(max(all, 1))
	for _, p := range o.in() {
		if t := p.pairs; t.N() >= oftenPlayed {
			list = append(list, opening{p.name, t, t.First().Score(), t.First().Hoeffding(together), t.Pairs().Hoeffding(together)})
		}
	}
	if len(list) > maxShown {
		slices.SortStableFunc(list, func(a, b opening) int { return cmp.Compare(b.in.Low, a.in.Low) })
		rest := list[maxShown/2:]
		slices.SortStableFunc(rest, func(a, b opening) int { return cmp.Compare(a.in.High, b.in.High) })
		list = list[:maxShown]
	}
	slices.SortStableFunc(list, func(a, b opening) int { return cmp.Compare(b.first, a.first) })
	return list, all
}

// lopsided returns the sentence on openings that are shown to favour a side.
func lopsided(list []opening) string {
	var first, second []string
	for _, p := range list {
		switch p.in.Decided() {
		case 1:
			first = append(first, code(p.name))
		case -1:
			second = append([]string{code(p.name)}, second...)
		}
	}
	if len(first)+len(second) == 0 {
		return "No opening is shown to favour a side."
	}
	var text []string
	for _, side := range []struct {
		name  string
		names []string
	}{{"first", first}, {"second", second}} {
		if len(side.names) > 0 {
			text = append(text, fmt.Sprintf("Shown to favour the %s player: %s.", side.name, some(side.names, 3)))
		}
	}
	return strings.Join(text, " ")
}

// some returns the names as a list in a sentence: the first n, and the number of the others.
func some(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), len(names)-n)
}

// losses returns the block on openings to look at.
func (o *Openings) losses(a string) []reports.Block {
	if len(o.lost) == 0 {
		return nil
	}
	n := o.DuplicatePairs().Kinds()[rating.BothB]
	caption := fmt.Sprintf("Both games were lost by %s in %s", a, text.Plural(n, "pair"))
	if n > len(o.lost) {
		caption += "; here are the quickest, one an opening"
	}
	table := reports.Table{
		Caption: caption + ". `selfplay replay` plays a game again.",
		Columns: reports.Columns("opening", ">plies as first", ">as second", ">game id"),
	}
	for _, l := range o.lost {
		table.Rows = append(table.Rows, []string{code(l.opening), text.Count(l.plies[0]), text.Count(l.plies[1]), l.game})
	}
	return []reports.Block{table}
}
