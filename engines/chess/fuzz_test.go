package chess

import "testing"

// FuzzSetText expects that the text of an accepted position reads as the
// same position, with the same legal moves, and that each move reads back.
// A refused text must change nothing.
func FuzzSetText(f *testing.F) {
	for _, text := range []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
		"bnrbkrqn/pp1ppppp/8/2pP4/8/8/PPP1PPPP/BNRBKRQN w FCfc c6 hmvc 3;",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
		"3rk3/4P3/8/8/8/8/8/4K3 w - - 99 120",
	} {
		p := Position{free: true}
		if err := p.SetText(text); err != nil {
			f.Fatal(err) // a text of the game itself
		}
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, free bool) {
		before := Position{free: free}
		p := before
		if p.SetText(text) != nil {
			if p != before {
				t.Fatal("an error changed the position")
			}
			return
		}
		again := before
		if err := again.SetText(p.String()); err != nil || again.hash != p.hash {
			t.Fatalf("%q reads back as %q: %v", p.String(), again.String(), err)
		}
		moves := p.Moves(nil)
		if len(moves) != len(again.Moves(nil)) {
			t.Fatalf("%q has %d moves, read again %d", p.String(), len(moves), len(again.Moves(nil)))
		}
		for _, m := range moves {
			for _, written := range []string{p.MoveString(m), p.SAN(m)} {
				if got, err := p.ParseMove(written); err != nil || got != m {
					t.Fatalf("%s: %q reads back as %q, %v", p.String(), written, p.MoveString(got), err)
				}
			}
			if !p.Legal(m) {
				t.Fatalf("%s: %s is listed and not legal", p.String(), p.MoveString(m))
			}
		}
	})
}
