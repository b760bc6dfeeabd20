//go:build !unix

package process

// writeNow cannot write without waiting here: the writer gets all of it.
func (p *process) writeNow(text string) (rest string) { return text }
