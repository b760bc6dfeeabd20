package runs

// WorthKeeping is worthKeeping, for tests.
const WorthKeeping = worthKeeping
