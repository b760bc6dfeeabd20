# The targets are the steps of .ci/run, which runs all of them: make test, make lint ...
STEPS = fmt tidy vet staticcheck lint browser test long race commands dist-check reproduce readers notebooks

.PHONY: all build size dist rename $(STEPS)

all:
	.ci/run

$(STEPS):
	.ci/steps $@

# Both programs in bin/, which know the hash of the files that decide games.
build:
	go build -ldflags "-X $$(go list -m)/engines.source=$$(go run ./cmd/internal/release)" -o bin/ ./cmd/tune ./cmd/selfplay

# Lines of code and tests by capability, and of the core that needs none of them.
size:
	go run ./cmd/internal/check

# The archives of a release, in dist/: make dist TARGETS=linux/amd64 for one of them.
dist:
	cmd/internal/release/dist $(TARGETS)

# The module under a path that can be fetched: make rename MODULE=example.org/you/selfplaylab
rename:
	cmd/internal/release/rename-module $(MODULE)
