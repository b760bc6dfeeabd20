"""Tables and the figure of 5-exam.ipynb, from rows as `lab tuners --csv` prints them."""

import io
import subprocess

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import environment
import lab

PUBLISHED = environment.PROJECT / "reports" / "published" / "tuners" / "others" / "regret.csv"
METHODS = ["quad", "spsa", "cma", "tpe", "gp"]


def play(*arguments):
    """Run the lab; returns its rows."""
    done = subprocess.run(["lab", "tuners", *arguments, "--csv"], capture_output=True, text=True, check=True)
    return pd.read_csv(io.StringIO(done.stdout))


def others(rows):
    """The problems that are not CLOP's."""
    return [p for p in rows.problem.unique() if p.startswith(("QRS", "NG", "FISHTEST"))]


def ratio(rows, method, games, problems, column="regret"):
    """Geometric mean of a column by quad's, over the problems that both have, with its 95 %
    interval by the delta method."""
    if method == "quad":
        return "1"
    own, quad = (rows[(rows.games == games) & (rows.method == m) & rows.problem.isin(problems)].set_index("problem")
                 for m in (method, "quad"))
    own, quad = own.align(quad, join="inner", axis=0)
    log = np.log(own[column] / quad[column]).mean()
    error = 1.96 * np.sqrt(sum(((x.se / x.regret) ** 2).sum() for x in (own, quad))) / len(own)
    less = f" of {len(own)}" if len(own) < len(problems) else ""
    return f"{np.exp(log):.2f} ({np.exp(log - error):.2f} to {np.exp(log + error):.2f}){less}"


def overview(rows):
    """Every method by quad, at 1,000 and 10,000 games."""
    table = {}
    for games in (1000, 10000):
        for method in METHODS:
            at = rows[(rows.games == games) & (rows.method == method)]
            if len(at):
                table[f"{games:,}", method] = {
                    "n": at.repeats.min(), "13 others": ratio(rows, method, games, others(rows)),
                    "all 23": ratio(rows, method, games, list(rows.problem.unique())),
                    "tail": ratio(rows, method, games, others(rows), "p95").split(" ")[0],
                    "worse than the start": f"{100 * at.worse_than_start.sum() / at.repeats.sum():.1f} %"}
    return pd.DataFrame(table).T


def figure(rows, games):
    """Mean and 95th percentile of the regret by that of the start, for each problem and method."""
    names = list(rows.problem.unique())
    fig, axes = plt.subplots(1, len(METHODS), figsize=(9.6, 3.9), sharey=True, sharex=True)
    for axis, method in zip(axes, METHODS, strict=True):
        own = rows[(rows.games == games) & (rows.method == method)].set_index("problem").reindex(names)
        y = np.arange(len(names))[::-1]
        axis.hlines(y, own.regret / own.start_regret, own.p95 / own.start_regret, color=lab.GREY, linewidth=1)
        axis.plot(own.regret / own.start_regret, y, "o", markersize=3.5, color=lab.BLUE)
        axis.axvline(1, color=lab.RED, linewidth=1)
        axis.set_xscale("log")
        axis.set_title(method, fontsize=9)
    axes[0].set_yticks(y, names, fontsize=7)
    axes[0].set_xlim(3e-4, 2e2)
    fig.supxlabel(f"regret by that of the start, {games:,} games", fontsize=9)


def lost(rows):
    """The cells in which others have a smaller mean than quad, by 2 standard errors of the
    difference or more, and the number of all cells."""
    quad = rows[rows.method == "quad"]
    other = rows[rows.method != "quad"].merge(quad, on=["problem", "games"], suffixes=("", "_quad"))
    other = other[other.regret_quad - other.regret >= 2 * np.hypot(other.se, other.se_quad)]
    other["by"] = other.method + " " + (1000 * other.regret).map("{:.2g}".format)
    cells = other.groupby(["problem", "games"]).agg(quad=("regret_quad", lambda x: f"{1000 * x.iloc[0]:.2g}"), by=("by", ", ".join))
    table = (cells.quad + ": " + cells.by).unstack(fill_value="").reindex([p for p in rows.problem.unique() if p in cells.index])
    return table.rename_axis(columns=f"{len(cells)} of {len(quad)} cells")
