package protocol

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"selfplaylab/engines"
)

// getpointProtocol describes the protocol of hosts of getPoint libraries.
func getpointProtocol() Protocol {
	return Protocol{
		Name: "getpoint", Games: []string{"connectfour"}, Fresh: true, Rows: "rows",
		setting: "setoption name %s value %s",
		Connect: func(e *EngineFile, v engines.Variant, d *Session) (Client, error) { return newUGIClient(e, v, d, true) },
	}
}

//go:embed host/host.c
var hostSource []byte

// HostSource returns the source of the host: a C program that loads one of the course's
// getPoint libraries for connect four and speaks UGI. The library then runs in a process of its
// own, and this program needs no cgo. The caller owns the slice.
func HostSource() []byte { return append([]byte(nil), hostSource...) }

// BuildHost compiles the host with the C compiler cc ("" means cc) into the file out.
// An engine file then has cmd = out, args = [the library] and protocol = "getpoint".
// Its error quotes the compiler.
func BuildHost(ctx context.Context, cc, out string) error {
	cc = cmp.Or(cc, "cc")
	dir, err := os.MkdirTemp("", "getpoint-host")
	if err != nil {
		return fmt.Errorf("building the host: %w", err)
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, "host.c")
	if err := os.WriteFile(source, hostSource, 0o644); err != nil {
		return fmt.Errorf("building the host: %w", err)
	}
	args := []string{"-O2", "-o", out, source}
	if runtime.GOOS != "windows" {
		args = append(args, "-ldl")
	}
	words, err := exec.CommandContext(ctx, cc, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("building the host with %s: %w; name a C compiler that is installed\n%s", cc, err, strings.TrimSpace(string(words)))
	}
	return nil
}
