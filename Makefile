# The targets are the steps of .ci/run, which runs all of them: make test, make lint ...
STEPS = fmt tidy vet staticcheck lint build-all browser test long race commands reproduce readers notebooks

.PHONY: all $(STEPS)

all:
	.ci/run

$(STEPS):
	.ci/steps $@
