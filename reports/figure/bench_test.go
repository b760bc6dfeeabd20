package figure

import "testing"

// The figure with the most to draw: 25 parameters over 5,000 iterations.
func BenchmarkPathsLayout(b *testing.B) {
	p := examplePaths(25, 5000)
	for b.Loop() {
		if _, err := p.Draw(Wide); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPathsSVG(b *testing.B) {
	p := examplePaths(25, 5000)
	for b.Loop() {
		if _, err := SVG(p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPathsPNG(b *testing.B) {
	p := examplePaths(25, 5000)
	for b.Loop() {
		if _, err := PNG(p); err != nil {
			b.Fatal(err)
		}
	}
}
