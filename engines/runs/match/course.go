package match

import "selfplaylab/reports/rating"

// maxSteps keeps figures of long matches small, and what is kept for them.
const maxSteps = 800

// course is how a match went: the running tally at every stride of pairs, evenly
// spaced and at most maxSteps of them. The zero value is empty.
type course struct {
	so     rating.Pairs   // of all pairs
	steps  []rating.Pairs // after stride pairs, after twice as many, ...
	stride int
}

// add counts the next pair, in schedule order, by A's half points.
func (c *course) add(half int) {
	c.so[half]++
	c.stride = max(c.stride, 1)
	if c.so.N()%c.stride != 0 {
		return
	}
	c.steps = append(c.steps, c.so)
	if len(c.steps) <= maxSteps {
		return
	}
	c.stride *= 2
	kept := c.steps[:0]
	for _, p := range c.steps {
		if p.N()%c.stride == 0 {
			kept = append(kept, p)
		}
	}
	c.steps = kept
}

// from calls f with the running tallies of at least that many pairs, and at the end.
func (c *course) from(pairs int, f func(rating.Pairs)) {
	for _, p := range c.steps {
		if p.N() >= pairs && p != c.so {
			f(p)
		}
	}
	if c.so.N() > 0 {
		f(c.so)
	}
}
