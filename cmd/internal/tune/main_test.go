package tune

import (
	"os"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/testmode"
)

func TestMain(m *testing.M) { clitest.Main(m, "tune", func() { Main(os.Args[1:]) }, nil) }

func TestScripts(t *testing.T) { clitest.Scripts(t) }

func TestLongScripts(t *testing.T) {
	testmode.SkipUnlessLong(t)
	clitest.LongScripts(t)
}
