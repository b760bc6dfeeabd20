package experiment

// What tests look at from outside, where the list of kinds is.
const (
	FileName    = fileName
	OutcomeName = outcomeName
)

var (
	Decode          = decode
	DecodeOutcome   = decodeOutcome
	ReadPublication = readPublication
)
