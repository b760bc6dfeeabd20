package main

import (
	"testing"

	"selfplaylab/cmd/internal/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m, "lab", main, nil) }

func TestScriptsCompareTuners(t *testing.T) { clitest.Scripts(t) }
