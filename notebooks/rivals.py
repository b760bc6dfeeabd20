#!/usr/bin/env python3
"""Tuners of others, to be compared with ours on problems whose optimum is known.

  go run ./cmd/internal/lab tuners --program "tpe=python3 notebooks/rivals.py tpe 50"

The first word is cma (CMA-ES of pycma), tpe (Optuna's), gp (a Gaussian process, scikit-optimize's),
sgd (schedule-free SGD, as fishtest-spsa-lab has it), or start, which keeps the start; the last
two need no package. The second is how many points it tries in a run: each plays an equal share
of the games against the start, and its value is the share of points that it wins. That of the
start, 1/2, is given to all of them. Each recommends what its library says is best: the mean of
the distribution, the best trial, the highest point of the model's mean. The points of sgd are
probes, whose two ends play each other; it recommends the mean of its way.

The lab sends a line of JSON, and gets one, as cmd/internal/lab/tuners/program.go describes.
rivals.txt has the packages.
"""

import argparse
import json
import operator
import os
import random
import sys

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # runs are what is parallel


class Run:
    """A run of the lab: points in [0, 1]^d play the start."""

    def __init__(self, opening, args):
        self.space, self.start = opening["space"], opening["start"]
        self.pairs = opening["games"] // 2
        self.each = max(1, self.pairs // args.evaluations)
        self.sigma, self.probe, self.gain = args.sigma, args.probe, args.gain
        self.seed = opening["seed"] % 2**32
        self.best = self.start

    @property
    def done(self):
        return self.pairs == 0

    def unit(self, point):
        return [(x - p["min"]) / (p["max"] - p["min"]) for p, x in zip(self.space, point, strict=True)]

    def point(self, unit):
        values = [min(max(p["min"] + float(u) * (p["max"] - p["min"]), p["min"]), p["max"])
                  for p, u in zip(self.space, unit, strict=True)]
        return [float(round(x)) if p["whole"] else x for p, x in zip(self.space, values, strict=True)]

    def score(self, unit):
        """The share of points that a point wins in its games."""
        counts, pairs = self.play(self.point(unit), self.start)
        return sum(i * n for i, n in enumerate(counts)) / (4 * pairs)

    def play(self, a, b):
        """The pairs in which a wins 0, 1/2, 1, 3/2 and 2 points, and their number."""
        pairs = min(self.each, self.pairs)
        if pairs < 1:
            raise ValueError("no games left")
        self.pairs -= pairs
        return ask({"a": a, "b": b, "pairs": pairs})["pairs"], pairs


def start(run):
    """Play a random point once, and keep the start."""
    run.score([random.Random(run.seed).random() for _ in run.space])


def cma(run):
    import cma

    d = len(run.space)
    at = run.unit(run.start) + [0.5] * (d == 1)  # pycma needs two coordinates: the second has no effect
    es = cma.CMAEvolutionStrategy(at, run.sigma, {"bounds": [0, 1], "seed": run.seed + 1, "verbose": -9})
    while not run.done:
        points = es.ask()
        values = []
        for u in points:
            if not run.done:
                values.append(-run.score(u[:d]))
        if len(values) == len(points):
            es.tell(points, values)
    run.best = run.point(es.result.xfavorite[:d])


def tpe(run):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=run.seed))
    space = {p["name"]: optuna.distributions.FloatDistribution(0, 1) for p in run.space}
    known = dict(zip(space, run.unit(run.start), strict=True))
    study.add_trial(optuna.trial.create_trial(params=known, distributions=space, value=0.5))
    while not run.done:
        trial = study.ask(space)
        study.tell(trial, run.score(trial.params.values()))
    run.best = run.point(study.best_params.values())


def gp(run):
    import warnings

    import skopt
    from skopt.utils import cook_estimator, normalize_dimensions

    warnings.filterwarnings("ignore")  # of scikit-learn: a length scale at its bound
    space = normalize_dimensions([(0.0, 1.0)] * len(run.space))
    # One search of the likelihood and 1,000 candidates a step, not the usual 3 and 10,000: a third of the time.
    process = cook_estimator("GP", space=space, random_state=run.seed, noise="gaussian", n_restarts_optimizer=0)
    model = skopt.Optimizer(space, base_estimator=process, n_initial_points=10, acq_func="EI", acq_optimizer="sampling",
                            acq_optimizer_kwargs={"n_points": 1000}, random_state=run.seed)
    model.tell(run.unit(run.start), -0.5)
    while not run.done:
        u = model.ask()
        model.tell(u, -run.score(u))
    best, _ = skopt.expected_minimum(model.get_result(), n_random_starts=5, random_state=run.seed)
    run.best = run.point(best)


def sgd(run):
    """Schedule-free SGD (Defazio et al. 2024) with SPSA's estimate of the gradient.

    Formulas and settings are those of docs/SF_SGD_derivation.md of fishtest-spsa-lab: a constant
    gain, no clamp of z, probes at a tenth of z and nine tenths of its mean x.
    """
    flips = random.Random(run.seed)
    bounds = [(p["min"], p["max"]) for p in run.space]
    width = [run.probe * p["step"] for p in run.space]
    z, x, played = list(run.start), list(run.start), 0

    def clamp(values):
        return [min(max(v, lo), hi) for v, (lo, hi) in zip(values, bounds, strict=True)]

    while not run.done:
        at = clamp(0.1 * u + 0.9 * v for u, v in zip(z, x, strict=True))
        bits = flips.getrandbits(len(z))
        ends = [w if bits >> i & 1 else -w for i, w in enumerate(width)]
        counts, pairs = run.play(clamp(map(operator.add, at, ends)), clamp(map(operator.sub, at, ends)))
        step = run.gain * sum((i - 2) * n for i, n in enumerate(counts))  # wins less losses
        for i, end in enumerate(ends):
            x[i] = (played * x[i] + pairs * z[i] + step * end * (pairs + 1) / 2) / (played + pairs)
            z[i] += step * end
        x, played = clamp(x), played + pairs
    run.best = x


def ask(line):
    print(json.dumps(line), flush=True)
    return json.loads(sys.stdin.readline())


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    rivals = {f.__name__: f for f in [start, cma, tpe, gp, sgd]}
    p.add_argument("rival", choices=rivals)
    p.add_argument("evaluations", type=int)
    p.add_argument("--sigma", type=float, default=0.25, help="cma: first deviation, as a share of a range (default: as its manual says)")
    p.add_argument("--probe", type=float, default=5, help="sgd: half-width of a probe, in steps")
    p.add_argument("--gain", type=float, default=0.01, help="sgd: share of a probe by which a game moves z (default: the lab's)")
    args = p.parse_args()
    for line in iter(sys.stdin.readline, ""):
        run = Run(json.loads(line), args)
        rivals[args.rival](run)
        print(json.dumps({"best": run.best}), flush=True)


if __name__ == "__main__":
    main()
