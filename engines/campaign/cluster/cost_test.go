package cluster

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// BenchmarkAnswers measures what an answer of one pair costs this process as
// coordinator, broker and two workers together, the games included: messages,
// bytes over the wire, and memory that stays.
func BenchmarkAnswers(b *testing.B) {
	p, broker, _ := coordinator(b)
	p.schedule.lostAfter = time.Hour
	p.schedule.hear(Greeting{ID: "for show", Slots: 1 << 12}, time.Now()) // so many cores make pieces of one pair
	ctx, cancel := context.WithCancel(context.Background())
	w := &Worker{Slots: 2, Build: thisBuild}
	ended := make(chan error)
	go func() { ended <- p.Work(ctx, w) }()
	before, err := broker.server.Varz(&server.VarzOptions{})
	if err != nil {
		b.Fatal(err)
	}
	inMsgs, outMsgs, bytes := before.InMsgs, before.OutMsgs, before.InBytes+before.OutBytes
	b.ResetTimer()
	q := question{game: "quoridor", pairs: b.N}
	if err := q.play(b, ctx, p, &memory{}); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	after, err := broker.server.Varz(&server.VarzOptions{})
	if err != nil {
		b.Fatal(err)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	n := float64(b.N)
	b.ReportMetric(float64(after.InMsgs-inMsgs)/n, "messages-in/op")
	b.ReportMetric(float64(after.OutMsgs-outMsgs)/n, "messages-out/op")
	b.ReportMetric(float64(after.InBytes+after.OutBytes-bytes)/n, "wire-B/op")
	b.ReportMetric(float64(m.HeapInuse)/(1<<20), "heap-MB")
	cancel()
	<-ended
}
