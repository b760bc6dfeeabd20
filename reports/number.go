package reports

import "selfplaylab/reports/figure"

// Number writes x with the given decimals and thousands separated by commas, as
// the figures do.
func Number(x float64, decimals int) string { return figure.Number(x, decimals) }
