package experiment

// Names for tests in another package, which has the list of kinds.
const (
	FileName    = fileName
	OutcomeName = outcomeName
)

var (
	Decode          = decode
	DecodeOutcome   = decodeOutcome
	ReadPublication = readPublication
)
