//go:build unix

package cluster

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// BenchmarkAnswers measures the cost of a pair in the process of coordinator and broker, with
// answers of one pair and of the default length: CPU time, messages, bytes over the wire, and
// memory that stays. Two worker processes play greedy Quoridor.
func BenchmarkAnswers(b *testing.B) {
	b.Run("one-pair", func(b *testing.B) { answers(b, 1) })
	b.Run("usual", func(b *testing.B) { answers(b, maxPairs) })
}

func answers(b *testing.B, most int) {
	p, broker, _ := coordinator(b)
	p.dispatcher.mostPairs = most
	for range 2 {
		start(b, part{Kind: "worker", URL: broker.URL("")}).until(b, "playing for")
	}
	warm := question{game: "quoridor", pairs: 10} // admits the workers
	if err := warm.play(b, b.Context(), p, &memory{}); err != nil {
		b.Fatal(err)
	}
	before, cpu, first := varz(b, broker), cpuTime(b), p.dispatcher.next
	inMsgs, outMsgs, bytes := before.InMsgs, before.OutMsgs, before.InBytes+before.OutBytes
	b.ResetTimer()
	rows := &memory{}
	if err := (question{game: "quoridor", pairs: b.N}).play(b, b.Context(), p, rows); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	cpu = cpuTime(b) - cpu
	after := varz(b, broker)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	n := float64(b.N)
	b.ReportMetric(float64(p.dispatcher.next-first)/n, "answers/op")
	b.ReportMetric(float64(cpu.Microseconds())/n, "cpu-µs/op")
	b.ReportMetric(float64(after.InMsgs-inMsgs)/n, "messages-in/op")
	b.ReportMetric(float64(after.OutMsgs-outMsgs)/n, "messages-out/op")
	b.ReportMetric(float64(after.InBytes+after.OutBytes-bytes)/n, "wire-B/op")
	b.ReportMetric(float64(m.HeapInuse)/(1<<20), "heap-MB")
	runtime.KeepAlive(rows)
}

func varz(b *testing.B, broker *Broker) *server.Varz {
	v, err := broker.server.Varz(&server.VarzOptions{})
	if err != nil {
		b.Fatal(err)
	}
	return v
}

// cpuTime returns the processor time of this process so far.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
