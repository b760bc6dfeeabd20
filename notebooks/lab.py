"""What the notebooks share: a place for runs, the statistics of game pairs, and
one look for all figures. The formulas are explained in 1-tour.ipynb."""

import json
import os
import shutil
import tempfile
from statistics import NormalDist

import duckdb
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib_inline.backend_inline import set_matplotlib_formats

# The columns of trials that count pairs by A's points: 0, 1/2, 1, 3/2 and 2.
CLASSES = ["ll", "ld", "even", "wd", "ww"]
POINTS = np.arange(5) / 4

MAX_ELO = 400 * np.log10(999)  # the commands report no more than a score of 99.9 % shows
MIN_PAIRS, MIN_CLASSES = 32, 2

BLUE, ORANGE, GREEN, RED, GREY = "#2b6cb0", "#c05621", "#2f855a", "#c53030", "#718096"


def workplace():
    """Go to a new folder, deleted when Python ends, in which runs are made.
    Complains where the commands are missing."""
    for name in ["tune", "selfplay"]:
        if shutil.which(name) is None:
            raise RuntimeError(f"{name} is not on PATH: run 'go install ./cmd/tune ./cmd/selfplay' in the project, or execute.py")
    place = tempfile.TemporaryDirectory(prefix="notebook-", ignore_cleanup_errors=True)
    os.chdir(place.name)
    workplace.kept = place  # until Python ends
    set_matplotlib_formats("png", pil_kwargs={"optimize": True})  # a tenth smaller
    plt.rcParams.update({
        "figure.dpi": 90, "figure.figsize": (7.2, 3.6), "figure.constrained_layout.use": True,
        "font.size": 9.5, "axes.titlesize": 10.5, "axes.titlelocation": "left", "axes.titleweight": "bold",
        "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": GREY,
        "axes.grid": True, "grid.color": "#e2e8f0", "axes.axisbelow": True,
        "legend.frameon": False, "lines.linewidth": 1.6, "errorbar.capsize": 2.5,
        "axes.prop_cycle": plt.cycler(color=[BLUE, ORANGE, GREEN, RED, "#6b46c1", GREY]),
    })
    pd.options.display.float_format = "{:,.4g}".format


def parameters(run):
    """Names of the values in the vectors a and b, in their order."""
    text = duckdb.execute("""
        SELECT decode(value) FROM parquet_kv_metadata(?) WHERE decode(key) = 'selfplay.parameters' LIMIT 1
        """, [f"{run}/trials/part-000000.parquet"]).fetchall()
    return json.loads(text[0][0])


def vectors(trials, column, names):
    """The vectors of a column of trials as a table, a column a parameter."""
    return pd.DataFrame(trials[column].tolist(), columns=names, index=trials.index)


def elo(score):
    """The logistic Elo difference of an expected score."""
    with np.errstate(divide="ignore"):
        return np.clip(400 * np.log10(score / (1 - np.asarray(score, dtype=float))), -MAX_ELO, MAX_ELO)


def estimate(counts, level=0.95, tightest=None):
    """Score and Elo of A with intervals, a row for each row of counts, a table
    with the columns CLASSES.

    Without tightest: for matches whose length was fixed before they began. With
    it: for matches that may stop at any look, with the interval narrowest at so
    many pairs. Needs 32 pairs, not all of one class; with less the commands widen
    their intervals or warn, and nothing should be concluded anyway."""
    n = counts[CLASSES].to_numpy(dtype=float)
    pairs = n.sum(axis=1)
    if (pairs < MIN_PAIRS).any() or ((n > 0).sum(axis=1) < MIN_CLASSES).any():
        raise ValueError("fewer than 32 pairs, or all of one class: no interval worth the name")
    score = n @ POINTS / pairs
    if tightest is None:
        low, high = _bound(level, n), 1 - _bound(level, n[:, ::-1])
    else:
        variance = (n * (POINTS - score[:, None]) ** 2).sum(axis=1) / pairs
        margin = _any_time(level, pairs, variance, tightest)
        low, high = np.clip(score - margin, 0, 1), np.clip(score + margin, 0, 1)
    return pd.DataFrame({
        "pairs": pairs.astype(int), "score": score, "score_low": low, "score_high": high,
        "elo": elo(score), "elo_low": elo(low), "elo_high": elo(high),
    }, index=counts.index)


def _bound(level, n):
    """The lower bound of the likelihood interval of the mean score, as the
    commands take it: the profile likelihood of the five classes with
    Barndorff-Nielsen's correction, and one pair besides those seen, split
    between lost and won; the fewer pairs outside the commonest class, the more
    of it lost (reports/rating/interval.go names the sources)."""
    n = n.copy()
    lost = (1 + np.minimum(1, 5 / (n.sum(axis=1) - n.max(axis=1)))) / 2
    n[:, 0] += lost
    n[:, 4] += 1 - lost
    total = n.sum(axis=1)
    z = NormalDist().inv_cdf((1 - level) / 2)
    near, far = np.zeros(len(n)), np.ones(len(n))  # from the mean itself to a score of 0
    for _ in range(60):
        step = (near + far) / 2
        tilt = -step / (1 - step)
        weights = n / (1 - tilt[:, None] * POINTS)
        score = weights @ POINTS / weights.sum(axis=1)
        t = tilt * weights.sum(axis=1) / total
        tc = t[:, None] * (POINTS - score[:, None])
        r = -np.sqrt(2 * (n * np.log1p(-tc)).sum(axis=1))
        u = -np.sqrt((n * (tc / (1 - tc)) ** 2).sum(axis=1))
        above = r + np.log(u / r) / r > z
        near, far = np.where(above, step, near), np.where(above, far, step)
    return score


def _any_time(level, pairs, variance, tightest):
    """Waudby-Smith et al., "Time-uniform central limit theory", theorem 2.2, with
    the variance widened for what has not shown up yet, as tune does it."""
    alpha = 1 - level
    extra = 2 * np.log(2 / alpha)
    variance = (pairs * variance + extra / 2) / (pairs + 2 * extra)
    c = 1 - 2 * np.log(alpha)
    y = c
    for _ in range(6):  # y - log y = c: where the margin at tightest is smallest
        y -= (y - c - np.log(y)) / (1 - 1 / y)
    u = pairs * (y - 1) / tightest
    return np.sqrt(variance * (u + 1) / (u * pairs) * (np.log1p(u) - 2 * np.log(alpha)))


def curve(run, name):
    """A grid over one parameter: the counts of each value, and the score of each
    pair as a table, an opening a row and a value a column (all values play the
    same openings)."""
    trials = pd.read_parquet(f"{run}/trials")
    trials[name] = vectors(trials, "a", parameters(run))[name]
    games = pd.read_parquet(f"{run}/games", columns=["trial", "pair", "a_score"])
    games = games.merge(trials[["trial", "openings", name]], on="trial")
    scores = games.pivot_table(index=["openings", "pair"], columns=name, values="a_score")
    return trials.groupby(name)[CLASSES].sum(), scores


def top(scores, rng, within=0.12, draws=2000):
    """Where a parabola through the values less than within below the best has its
    top, with an interval of 95 % from resampling openings, for all values
    together. It stays inside these values."""
    near = scores.loc[:, scores.mean() > scores.mean().max() - within]
    low, high = near.columns.min(), near.columns.max()
    weights = rng.multinomial(len(near), np.full(len(near), 1 / len(near)), size=draws) / len(near)
    means = np.vstack([near.mean(), weights @ near.to_numpy()])
    c, b, _ = np.polyfit(near.columns, means.T, 2)
    with np.errstate(divide="ignore"):
        vertex = np.clip(-b / (2 * c), low, high)
    tops = np.where(c < 0, vertex, np.where(b + c * (low + high) > 0, high, low))
    return tops[0], *np.quantile(tops[1:], [0.025, 0.975])


def text(row):
    """A row of estimate in words, as the commands print it."""
    return f"{row.elo:+.1f} ± {(row.elo_high - row.elo_low) / 2:.1f} Elo (95 %, {row.pairs:,.0f} pairs)"
