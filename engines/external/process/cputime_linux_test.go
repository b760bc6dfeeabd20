package process

import (
	"context"
	"testing"
	"time"
)

// TestCPUTimeCountsChildren expects the time of the program,
// of a child it waited for, and of a running child.
func TestCPUTimeCountsChildren(t *testing.T) {
	if testing.Short() {
		t.Skip("short: waits for a program to work")
	}
	const work = `i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; `
	spent := func(script string) time.Duration {
		l, err := Start(context.Background(), Command{Name: "busy", Path: "/bin/sh", Args: []string{"-c", script + "; read x"}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close("")
		err = l.Ask(context.Background(), Request{What: "working", Wait: time.Minute, Line: func(string) (bool, error) { return true, nil }})
		if err != nil {
			t.Fatal(err)
		}
		used := l.CPUTime()
		l.Close("")
		if l.CPUTime() != 0 {
			t.Error("a program that was ended has a time")
		}
		return used
	}
	idle := spent("echo done")
	for name, script := range map[string]string{
		"own": work + "echo done", "waited for": "(" + work + "); echo done", "running": "(" + work + "echo done; sleep 1000) & wait",
	} {
		if used := spent(script); idle <= 0 || used < idle+10*time.Millisecond {
			t.Errorf("%s: %v, and %v idle", name, used, idle)
		}
	}
}
