package selfplay

import (
	"os"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/testmode"
)

func TestMain(m *testing.M) {
	clitest.Main(m, "selfplay", func() { Main(os.Args[1:]) }, map[string]func(){brokerName: runBroker})
}

func TestScripts(t *testing.T) { clitest.Scripts(t) }

func TestLongScripts(t *testing.T) {
	testmode.SkipUnlessLong(t)
	clitest.LongScripts(t)
}
