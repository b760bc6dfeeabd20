package figure

import "testing"

// One of the figures with the most to draw.
func BenchmarkLayout(b *testing.B) {
	p := exampleElo(37, 5000, "verdict")
	for b.Loop() {
		if _, err := p.Draw(Wide); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	p := exampleElo(37, 5000, "verdict")
	for b.Loop() {
		if _, err := File(p, "svg"); err != nil {
			b.Fatal(err)
		}
	}
}
