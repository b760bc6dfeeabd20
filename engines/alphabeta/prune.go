package alphabeta

// Depths of Options.Prune, in plies.
const (
	passDepth   = 2 // the least at which a side passes
	hintedDepth = 4 // the least at which a node without a move from the table is searched less deeply
	highDepth   = 7 // the largest at which an Eval above the window stands for the search
	lowDepth    = 5 // the largest at which moves of low rank are left out below it
	passReduced = 3 // reduction of the search after a pass, beside a ply for each four
)

// prune tries to value a node of a zero window below beta by its Eval, and by passing, before its
// moves are listed; over reports that value is its value. Otherwise futile bounds the value of a
// move of low rank, if it is below the window; else it is -infinity.
func (s *Search[T, P]) prune(p *T, ply, depth int, beta int32) (value, futile int32, over bool) {
	futile = -infinity
	o := &s.options
	high, low, slack := marginDepth, marginDepth, int32(0)
	if o.Prune {
		high, low, slack = highDepth, lowDepth, o.Margin/2
	}
	if !o.Prune && (o.Margin == 0 || depth > high) {
		return 0, futile, false
	}
	static := P(p).Eval()
	if o.Margin > 0 {
		margin := o.Margin * int32(depth)
		if depth <= high && static-margin >= beta {
			return static, futile, true
		}
		if depth <= low && static+margin+slack < beta {
			futile = static + margin
		}
	}
	if !o.Prune || static < beta || depth < passDepth || s.last[ply] == 0 {
		return 0, futile, false
	}
	value = s.afterPass(p, ply, depth, static, beta)
	return value, futile, value >= beta || s.limits.stop
}

// afterPass returns a bound on the value of p from a shallower search after its side passed, and
// -infinity if it may not pass. No win is proven by it.
func (s *Search[T, P]) afterPass(p *T, ply, depth int, static, beta int32) int32 {
	if s.hooks.Pass == nil {
		return -infinity
	}
	child := p
	if s.hooks.Undo == nil {
		child = &s.stack[ply+1]
		*child = *p
	}
	if !s.hooks.Pass(child) {
		return -infinity
	}
	reduced := passReduced + depth/4
	if s.options.Margin > 0 {
		reduced += int(min((static-beta)/(2*s.options.Margin), 3))
	}
	from := s.path.from
	s.path.from, s.last[ply+1] = ply+1, 0
	value := s.window(child, false, ply, max(depth-1-reduced, 0), beta-1, beta)
	s.path.from = from
	s.undo(child)
	if value >= mateBound {
		return beta
	}
	return value
}
