package rating

// AddGames counts single games that were not played in
// pairs, by the results of the player who moved first.
// It panics on players unknown or equal.
func (t *Tournament) AddGames(first, second int, g Games) {
	if first < second {
		c := t.cell(first, second)
		c.first = c.first.Plus(g)
		return
	}
	c := t.cell(second, first)
	c.second = c.second.Plus(g.reversed())
}

// addEven counts games twice, once with each player moving first, so that there is no advantage.
func (t *Tournament) addEven(x, y int, g Games) {
	t.AddGames(x, y, g)
	t.AddGames(y, x, g.reversed())
}
