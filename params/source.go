package params

import "embed"

// Sources are the Go files of parameters, which decide games too; see
// engines.SourceHash. Tests, whose names end in _test.go, are not among them.
//
//go:embed *[^t].go *[^t]est.go
var Sources embed.FS
