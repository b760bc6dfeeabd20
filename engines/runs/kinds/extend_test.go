package kinds_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"selfplaylab/engines/external/protocol"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning"
)

// TestExtendNamesParts expects every part of an extension in the guide to extending.
func TestExtendNamesParts(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/extend.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []reflect.Type{
		reflect.TypeFor[runs.Kind](), reflect.TypeFor[runs.Command](), reflect.TypeFor[runs.Setup](), reflect.TypeFor[tuning.MethodInfo](),
		reflect.TypeFor[protocol.Protocol](),
	} {
		for _, f := range reflect.VisibleFields(part) {
			if !strings.Contains(string(guide), "`"+f.Name+"`") {
				t.Errorf("docs/extend.md does not name %s of %s", f.Name, part)
			}
		}
	}
}
