package main

import (
	"io"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
)

func paramsCommand(stdout io.Writer) *cobra.Command { return cli.ParamsCommand("selfplay", stdout) }
