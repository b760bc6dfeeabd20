#!/usr/bin/env python3
"""Read runs by programs that are not ours: DuckDB, pyarrow, pandas and polars.

  python3 notebooks/check_readers.py

Makes small runs with the commands (one is killed), reads them as
datasets/FORMAT.md says, and compares with that text, with run.toml and with
what the commands print. Runs every SQL and Python snippet of the documents.
"""

import environment

if __name__ == "__main__":
    environment.enter(__file__)

import glob
import json
import os
import re
import subprocess
import tempfile
import time
import tomllib
import unittest
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet

import lab

FORMAT = environment.PROJECT / "datasets" / "FORMAT.md"
DOCUMENTS = [FORMAT, environment.PROJECT / "docs" / "data.md", environment.NOTEBOOKS / "README.md"]

# The types of FORMAT.md as each reader names them.
ARROW = {"int64": pyarrow.int64(), "int32": pyarrow.int32(), "uint64": pyarrow.uint64(), "double": pyarrow.float64(),
         "string": pyarrow.string(), "list of double": pyarrow.list_(pyarrow.float64())}
DUCKDB = {"int64": "BIGINT", "int32": "INTEGER", "uint64": "UBIGINT", "double": "DOUBLE", "string": "VARCHAR",
          "list of double": "DOUBLE[]"}
POLARS = {"int64": polars.Int64, "int32": polars.Int32, "uint64": polars.UInt64, "double": polars.Float64,
          "string": polars.String, "list of double": polars.List(polars.Float64)}
PANDAS = {"int64": "int64", "int32": "int32", "uint64": "uint64", "double": "float64", "string": "str",
          "list of double": "object"}

# Each reader takes the files of a table, and gives all rows or some columns.
READERS = {
    "DuckDB": lambda files, columns=None: duckdb.read_parquet(files).select(*columns or ["*"]).df(),
    "pyarrow": lambda files, columns=None: pyarrow.parquet.read_table(folder(files), columns=columns).to_pandas(),
    "pandas": lambda files, columns=None: pandas.read_parquet(folder(files), columns=columns),
    "polars": lambda files, columns=None: polars.read_parquet(files, columns=columns).to_pandas(),
}


def folder(files):
    return str(Path(files).parent)


# tune ends so where its values were not shown to be better than the start: a result, not a failure.
KEEP_START = 3

said = {}  # what the commands with --json printed, by run


def setUpModule():
    work = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(work.cleanup)
    os.chdir(work.name)
    os.mkdir("commands")
    environment.commands(Path(work.name, "commands"))
    run("tune --game quoridor --iters 100 --pairs 32 --verify-min 250 --verify-pairs 500"
        " --record-moves on --out runs/tune")
    said["match"] = run("selfplay match --game quoridor --a final --b v12.7 --pairs 2100 --record-moves on"
                        " --json --out runs/match")
    said["draws"] = run("selfplay match --game mills --a paper --b strong --limits depth=1 --pairs 100 --max-plies 50"
                        " --json --out runs/draws")
    said["tournament"] = run("selfplay tournament --game quoridor --pairs 40 --json --out runs/tournament")
    for c_end in [1, 3]:
        for seed in [1, 2]:
            run("tune --game quoridor --iters 20 --pairs 8 --verify-pairs 0 --rate-pairs 0"
                f" --method spsa --c-end {c_end} --seed {seed} --out hive/c_end={c_end}/seed={seed}")
    for table in ["games", "trials"]:  # exports of two runs, for the documents
        for seed in [1, 2]:
            with open(f"{table}-{seed}.csv", "w") as out:
                subprocess.run(["selfplay", "export", f"hive/c_end=1/seed={seed}", "--table", table], stdout=out, check=True)


def run(command):
    """Run a command to its end; returns the object it printed with --json."""
    done = subprocess.run(command.split(), capture_output=True, text=True)
    if done.returncode not in ([0, KEEP_START] if command.startswith("tune ") else [0]):
        raise RuntimeError(f"{command} ended with {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout) if "--json" in command else None


def described(table):
    """The columns of a table and their types, as FORMAT.md lists them."""
    section = re.search(rf"^## {table}\n(.*?)^## ", FORMAT.read_text(), re.M | re.S)[1]
    return dict(re.findall(r"^\| `(\w+)` \| ([\w ]+) \|", section, re.M))


def tally(trials):
    return trials[lab.CLASSES].sum().tolist()


class Columns(unittest.TestCase):
    """Columns have the names, order and types that FORMAT.md states. Those of format
    version 4 alone are not in these runs."""

    def test_columns(self):
        for table, least in [("Trials", 24), ("Games", 16), ("Moves", 14)]:
            with self.subTest(table):
                columns = {name: kind for name, kind in described(table).items() if not name.startswith("value_")}
                self.assertGreaterEqual(len(columns), least, "columns found in FORMAT.md")
                files = f"runs/match/{table.lower()}/*.parquet"
                self.check(columns, files)

    def check(self, columns, files):
        def want(types):
            return [(name, types[kind.removeprefix("optional ")]) for name, kind in columns.items()]

        arrow = pyarrow.parquet.read_schema(glob.glob(files)[0])
        self.assertEqual([(f.name, f.type if not pyarrow.types.is_list(f.type) else pyarrow.list_(f.type.value_type))
                          for f in arrow], want(ARROW))
        duck = duckdb.execute("DESCRIBE SELECT * FROM read_parquet(?)", [files]).fetchall()
        self.assertEqual([(row[0], row[1]) for row in duck], want(DUCKDB))
        self.assertEqual(list(polars.read_parquet(files).schema.items()), want(POLARS))
        frame = pandas.read_parquet(Path(files).parent)
        self.assertEqual([(c, str(t)) for c, t in frame.dtypes.items()], want(PANDAS))
        optional = [name for name, kind in columns.items() if kind.startswith("optional ")]
        self.assertEqual(int(frame.drop(columns=optional).isna().sum().sum()), 0, "no other column is ever null")
        if "margin" in frame:
            won = frame.margin * frame.outcome.map({"1-0": 1, "0-1": -1})
            self.assertTrue(won.between(1, 40).all(), "Quoridor is won by the steps that the loser had to go")

    def test_vectors(self):
        names = lab.parameters("runs/match")
        asked = tomllib.loads(Path("runs/match/run.toml").read_text())["spec"]
        for reader, read in READERS.items():
            with self.subTest(reader):
                row = read("runs/match/trials/*.parquet").iloc[0]
                self.assertEqual(list(row["a"]), asked["a"]["values"])
                self.assertEqual(list(row["b"]), asked["b"]["values"])
                self.assertEqual(dict(zip(names, row["a"], strict=True))["a_E"], 22)


class Sums(unittest.TestCase):
    """All readers see all rows, and these add up to what the commands printed."""

    def test_matches(self):
        for name in ["match", "draws"]:
            for reader, read in READERS.items():
                with self.subTest(f"{name} by {reader}"):
                    self.match(said[name], *(read(f"runs/{name}/{t}/*.parquet") for t in ["trials", "games"]))
        self.assertGreater(len(glob.glob("runs/match/games/*.parquet")), 1, "a table of several parts")
        self.assertGreater(said["draws"]["draws"], 0, "a match with draws")

    def match(self, want, trials, games):
        self.assertEqual(tally(trials), want["pairs"])
        for column, result in [("wins", 1), ("draws", 0.5), ("losses", 0)]:
            self.assertEqual(trials[column].sum(), want[column])
            self.assertEqual((games.a_score == result).sum(), want[column])
        self.assertEqual(games.reason.value_counts().to_dict(), want["ends"])
        self.assertEqual(games.moves.str.split(" ").str.len().tolist(), games.plies.tolist())
        self.assertAlmostEqual(games.plies.mean(), want["plies"]["mean"])
        self.assertAlmostEqual(trials.first_points.sum() / 2 / len(games), want["first_player"]["score"])

    def test_intervals(self):
        for want in [said["match"], said["draws"], *said["tournament"]["pairings"]]:
            got = lab.estimate(pandas.DataFrame([want["pairs"]], columns=lab.CLASSES)).iloc[0]
            estimate = want["estimate"]
            self.assertAlmostEqual(got.score, estimate["score"])
            self.assertAlmostEqual(got.elo, estimate["elo"])
            self.assertAlmostEqual(got.elo_low, estimate["elo_range"]["low"])
            self.assertAlmostEqual(got.elo_high, estimate["elo_range"]["high"])

    def test_tournament(self):
        asked = tomllib.loads(Path("runs/tournament/run.toml").read_text())["spec"]["player"]
        name = {tuple(p["values"]): p["name"] for p in asked}
        want = {(p["a"], p["b"]): p["pairs"] for p in said["tournament"]["pairings"]}
        self.assertEqual(len(want), 21)
        for reader, read in READERS.items():
            with self.subTest(reader):
                trials = read("runs/tournament/trials/*.parquet")
                sides = [trials[side].map(lambda v: name[tuple(v)]) for side in ["a", "b"]]
                self.assertEqual({pairing: tally(rows) for pairing, rows in trials.groupby(sides)}, want)

    def test_tables_agree(self):
        for name in ["tune", "match"]:
            with self.subTest(name):
                self.assertEqual(duckdb.sql(f"""
                    SELECT count(*) FROM (
                        SELECT trial, count(*) AS games, sum(plies) AS plies, sum(nodes_a + nodes_b) AS nodes,
                               count(*) FILTER (a_score = 1) AS wins, count(*) FILTER (a_score = 0) AS losses
                        FROM 'runs/{name}/games/*.parquet' GROUP BY trial
                    ) g JOIN 'runs/{name}/trials/*.parquet' t USING (trial, games, plies, nodes, wins, losses)
                    JOIN (SELECT trial, count(*) AS decisions, sum(nodes) AS nodes
                          FROM 'runs/{name}/moves/*.parquet' GROUP BY trial) m USING (trial, decisions, nodes)
                    """).fetchall(), duckdb.sql(f"SELECT count(*) FROM 'runs/{name}/trials/*.parquet'").fetchall())
                bad = duckdb.sql(f"""
                    SELECT count(*) FROM 'runs/{name}/trials/*.parquet' WHERE ll + ld + even + wd + ww != pairs
                    """).fetchall()
                self.assertEqual(bad, [(0,)])

    def test_every_move_is_the_game_s(self):
        wrong = duckdb.sql("""
            SELECT count(*) FILTER (string_split(g.moves, ' ')[m.ply + 1] != m.move), count(*)
            FROM 'runs/match/moves/*.parquet' m JOIN 'runs/match/games/*.parquet' g USING (trial, pair, game)
            """).fetchall()[0]
        self.assertEqual(wrong[0], 0)
        self.assertEqual(wrong[1], pyarrow.parquet.read_table("runs/match/moves").num_rows)


class Metadata(unittest.TestCase):
    """The parts say what run.toml says."""

    KEYS = ["schema", "kind", "game", "game_version", "rules", "seed", "limits", "revision", "command"]

    def test_metadata(self):
        for part in sorted(glob.glob("runs/*/*/*.parquet")):
            asked = tomllib.loads(Path(part).parents[1].joinpath("run.toml").read_text())
            duck = duckdb.execute("SELECT decode(key), decode(value) FROM parquet_kv_metadata(?)", [part]).fetchall()
            arrow = {k.decode(): v.decode() for k, v in pyarrow.parquet.read_schema(part).metadata.items()}
            lazy = polars.read_parquet_metadata(part)
            rows = pyarrow.parquet.read_metadata(part).num_rows
            for reader, got in [("DuckDB", dict(duck)), ("pyarrow", arrow), ("polars", lazy)]:
                with self.subTest(part=part, reader=reader):
                    for key in self.KEYS:
                        self.assertEqual(got[f"selfplay.{key}"], str(asked[key]))
                    self.assertEqual(json.loads(got["selfplay.parameters"]), asked["parameters"])
                    self.assertEqual(int(got[f"selfplay.{Path(part).parent.name}"]), rows)


class Folders(unittest.TestCase):
    """Several runs at once: by one glob, and as hive-style folders."""

    def test_glob(self):
        each = duckdb.sql("""
            SELECT split_part(filename, '/', 2) AS run, count(*) AS games
            FROM read_parquet('runs/*/games/*.parquet', filename = true) GROUP BY run""").fetchall()
        want = {name: pyarrow.parquet.read_table(f"runs/{name}/games").num_rows for name in dict(each)}
        self.assertEqual(dict(each), want)
        self.assertLessEqual({"tune", "match", "draws", "tournament"}, set(want))
        self.assertEqual(polars.read_parquet("runs/*/games/*.parquet").height, sum(want.values()))

    def test_hive(self):
        files = "hive/*/*/trials/*.parquet"
        want = {(1, 1): 34, (1, 2): 34, (3, 1): 34, (3, 2): 34}  # 32 of the tuner, 2 of the worth of its changes
        query = "SELECT c_end, seed, count(*) FROM {} GROUP BY ALL"
        partitioned = polars.scan_parquet(files, hive_partitioning=True).group_by("c_end", "seed").len().collect()
        arrow = pyarrow.dataset.dataset(sorted(glob.glob(files)), partitioning="hive").to_table().to_pandas()
        for reader, got in [
            ("DuckDB", duckdb.sql(query.format(f"read_parquet('{files}', hive_partitioning = true)")).fetchall()),
            ("polars", partitioned.rows()),
            ("pyarrow and pandas", [(g, s, len(rows)) for (g, s), rows in arrow.groupby(["c_end", "seed"])]),
        ]:
            with self.subTest(reader):
                self.assertEqual({(g, int(s)): n for g, s, n in got}, want)


class Killed(unittest.TestCase):
    """A run that is killed reads at any moment, and what it holds adds up."""

    def test_killed(self):
        command = "tune --game quoridor --iters 1000000 --pairs 8 --record-moves on --out killed/run"
        process = subprocess.Popen(command.split(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            alive = self.trials_after(process, parts=2)
        finally:
            process.kill()
            process.wait()
        Path("killed/run/games/.part-999999.parquet.tmp").write_bytes(b"PAR1, unfinished")
        left = self.whole()
        self.assertLessEqual(alive, left)

    def trials_after(self, process, parts):
        """Wait for the parts, then read while the writer goes on."""
        deadline = time.monotonic() + 120
        while len(glob.glob("killed/run/trials/*.parquet")) < parts:
            self.assertIsNone(process.poll(), "the run ended before it was killed")
            self.assertLess(time.monotonic(), deadline, "no parts were written")
            time.sleep(0.02)
        return self.whole()

    def whole(self):
        """How many trials every reader finds, with all their games and moves."""
        found = []
        for reader, read in READERS.items():
            trials = read("killed/run/trials/*.parquet", ["trial", "games", "decisions"])  # first: the others run ahead
            for table, column in [("games", "games"), ("moves", "decisions")]:
                rows = read(f"killed/run/{table}/*.parquet", ["trial"]).trial.value_counts()
                self.assertEqual(rows.reindex(trials.trial).tolist(), trials[column].tolist(), f"{table} by {reader}")
            found.append(len(trials))
        return min(found)


class Documents(unittest.TestCase):
    """Snippets of the documents run and find something; links lead somewhere."""

    def snippets(self, language):
        for path in DOCUMENTS:
            for i, code in enumerate(re.findall(rf"^```{language}\n(.*?)^```", path.read_text(), re.M | re.S), 1):
                yield f"{path.relative_to(environment.PROJECT)}, {language} {i}", re.sub(r"\bRUN\b", "runs/tune", code)

    def test_sql(self):
        count = 0
        for name, code in self.snippets("sql"):
            for statement in duckdb.extract_statements(code):
                with self.subTest(name, sql=statement.query):
                    self.assertGreater(len(duckdb.execute(statement).fetchall()), 0)
                count += 1
        self.assertGreaterEqual(count, 7, "statements found in the documents")

    def test_python(self):
        found = dict(self.snippets("python"))
        self.assertGreaterEqual(len(found), 1, "Python found in the documents")
        for name, code in found.items():
            with self.subTest(name):
                names = {}
                exec(compile(code, name, "exec"), names)
                kinds = (pandas.DataFrame, polars.DataFrame, pyarrow.Table)
                frames = [v for v in names.values() if isinstance(v, kinds)]
                self.assertGreater(len(frames), 0)
                for frame in frames:
                    self.assertGreater(frame.shape[0], 0)

    def test_links(self):
        count = 0
        for path in [*DOCUMENTS, *environment.NOTEBOOKS.glob("*.ipynb")]:
            text = path.read_text()
            if path.suffix == ".ipynb":
                cells = json.loads(text)["cells"]
                text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
            for link in re.findall(r"\]\(([^)#\s]+)", text):
                if "://" not in link:
                    with self.subTest(document=path.name, link=link):
                        self.assertTrue((path.parent / link).exists())
                    count += 1
        self.assertGreaterEqual(count, 10, "links found in the documents")


if __name__ == "__main__":
    unittest.main()
