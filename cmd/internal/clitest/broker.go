package clitest

import (
	"fmt"
	"os"

	"selfplaylab/engines/schedule/cluster"
)

// Broker is the name of a NATS server on the PATH of all that tests start: it
// listens on its argument, HOST:PORT, until it is killed.
const Broker = "selfplay-broker"

func broker() {
	b, err := cluster.Listen(os.Args[1], cluster.Access{Alone: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, "listening", b.URL(""))
	select {}
}
