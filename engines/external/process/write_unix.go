//go:build unix

package process

import "syscall"

// writeNow writes as much of text as the pipe takes at once, without waiting, and
// returns the rest for the writer. An error is left to the writer to meet again.
func (p *process) writeNow(text string) (rest string) {
	conn, err := p.stdin.SyscallConn()
	if err != nil {
		return text
	}
	n := 0
	err = conn.Write(func(fd uintptr) bool {
		n, _ = syscall.Write(int(fd), []byte(text)) // -1 if it failed
		return true
	})
	if err != nil || n < 0 {
		return text
	}
	return text[n:]
}
