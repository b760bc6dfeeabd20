package tuning

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestAskTellDiskFull expects no answer where the disk takes only a part of it, and nothing in the
// way of the next answers.
func TestAskTellDiskFull(t *testing.T) {
	r := create(t, askTold(t, nil))
	x := openAskTell(t, r)
	var a handed
	do(t, x, `{"ask": 1}`, &a)
	name := filepath.Join(r.Head.Dir, answersName)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	answer := []byte(answerTo(t, a.Questions[0]))
	atMost(t, uint64(info.Size())+5, func() {
		if reply, err := x.Do(answer); err == nil {
			t.Errorf("a full disk took it: %v", reply)
		}
	})
	for _, request := range []string{`{"ask": 1}`, string(answer)} {
		if _, err := x.Do([]byte(request)); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if err := openAskTell(t, resume(t, r.Head.Dir, Methods)).Close(); err != nil {
		t.Error(err)
	}
}

// atMost calls do while no file can grow beyond a number of bytes.
func atMost(t *testing.T, bytes uint64, do func()) {
	t.Helper()
	var defaults syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &defaults); err != nil {
		t.Skip(err)
	}
	limit := defaults
	limit.Cur = min(limit.Cur, bytes)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skip(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &defaults)
	do()
}
