//go:build !linux

package schedule

import "errors"

func bind(int) error { return errors.New("workers can be bound to processors on Linux only") }
