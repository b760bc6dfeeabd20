package cli

import "selfplaylab/reports/text"

// Table is text.Table.
type Table = text.Table

// Clean is text.Clean.
func Clean(s string) string { return text.Clean(s) }
