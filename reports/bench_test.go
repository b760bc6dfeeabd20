package reports

import "testing"

// The figure with the most to draw: 25 parameters over 5,000 iterations.
func BenchmarkPathsLayout(b *testing.B) {
	p := examplePaths(25, 5000)
	for b.Loop() {
		if _, err := p.draw(wide); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPathsSVG(b *testing.B) {
	p := examplePaths(25, 5000)
	for b.Loop() {
		if _, err := p.SVG(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPathsPNG(b *testing.B) {
	p := examplePaths(25, 5000)
	for b.Loop() {
		if _, err := p.PNG(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPageHTML(b *testing.B) {
	p := galleryPage()
	for b.Loop() {
		if _, err := p.HTML(); err != nil {
			b.Fatal(err)
		}
	}
}
