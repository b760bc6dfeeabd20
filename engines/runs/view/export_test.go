package view

// WorthKeeping is worthKeeping, for tests.
const WorthKeeping = worthKeeping
