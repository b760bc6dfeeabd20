package figure

// Number writes x with the given decimals and thousands separated by commas, as
// the charts do.
func Number(x float64, decimals int) string { return fixed(x, decimals) }
