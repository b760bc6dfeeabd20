package engines

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// meterKey is the key of a context's meter.
type meterKey struct{}

// WithMeter returns a context with a meter, which adds up the processor time in
// nanoseconds of what Metered runs under it.
func WithMeter(ctx context.Context) (context.Context, *atomic.Int64) {
	spent := new(atomic.Int64)
	return context.WithValue(ctx, meterKey{}, spent), spent
}

// Metered runs f, and adds the processor time of its thread to ctx's meter if there is
// one. A player whose decision is the work of several goroutines runs each of them by it.
func Metered(ctx context.Context, f func()) {
	spent, ok := ctx.Value(meterKey{}).(*atomic.Int64)
	if !ok {
		f()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cost, before := readingCost(), threadTime()
	defer func() { spent.Add(max(0, int64(threadTime()-before-cost))) }() // also after a panic
	f()
}

// readingCost is the time that one reading of the clock takes.
var readingCost = sync.OnceValue(func() time.Duration {
	cost := time.Duration(-1)
	for range 64 {
		before := threadTime()
		if d := threadTime() - before; cost < 0 || d < cost {
			cost = d
		}
	}
	return cost
})
