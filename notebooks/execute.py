#!/usr/bin/env python3
"""Execute the notebooks from scratch and check, or write, their outputs.

  python3 notebooks/execute.py             check: outputs must equal the committed ones
  python3 notebooks/execute.py --update    write the outputs that differ
  python3 notebooks/execute.py 1-tour.ipynb ...

Makes its own environment in notebooks/.venv (half a minute, once), builds the
Go commands and plays every game again. Ends with 1 where a notebook differs.
"""

import environment

if __name__ == "__main__":
    environment.enter(__file__)

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import nbclient
import nbformat
from traitlets.config import Config

import compare

MAX_BYTES = 400_000  # of a committed notebook


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--update", action="store_true", help="write the outputs that differ, instead of failing")
    p.add_argument("notebooks", nargs="*", help="only these (default: all in the folder)")
    args = p.parse_args()
    paths = [environment.NOTEBOOKS / Path(n).name for n in args.notebooks]
    paths = paths or sorted(environment.NOTEBOOKS.glob("*.ipynb"))
    if not paths:
        p.error(f"there is no notebook in {environment.NOTEBOOKS}")
    for path in paths:
        if not path.exists():
            p.error(f"there is no {path.name} in {environment.NOTEBOOKS}")
    with tempfile.TemporaryDirectory() as work:
        isolate(Path(work))
        environment.commands(Path(work, "commands"))
        failed = [path.name for path in paths if not refresh(path, args.update)]
    if failed:
        sys.exit(f"{', '.join(failed)}: if the new outputs are right, write and commit them:"
                 " python3 notebooks/execute.py --update")


def isolate(work):
    """Keep the reader's own settings out, and all that is written inside work."""
    for name in ["TMPDIR", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"]:
        folder = work / name.lower()
        folder.mkdir()
        os.environ[name] = str(folder)
    os.environ["TZ"] = "UTC"
    (work / "commands").mkdir()


def refresh(path, update):
    """Execute one notebook. Reports whether its file now holds what came out."""
    committed = nbformat.read(path, as_version=4)
    start = time.monotonic()
    try:
        executed = execute(committed)
    except nbclient.exceptions.CellExecutionError as e:
        print(f"{path.name}: a cell failed\n{e}")
        return False
    took = f"{time.monotonic() - start:.0f} s"
    found = compare.differences(committed, executed)
    if update and found:
        nbformat.write(executed, path)
        print(f"{path.name}: written, {took}")
        found = []
    if (size := path.stat().st_size) > MAX_BYTES:
        found.append(f"{size:,} bytes, more than {MAX_BYTES:,}: draw fewer or smaller figures")
    for text in found:
        print(f"{path.name}, {text}")
    print(f"{path.name}: {f'{len(found)} differences' if found else 'as committed'}, {took}", flush=True)
    return not found


def execute(notebook):
    """Return a copy of the notebook, executed from nothing in a kernel of its own."""
    fresh = nbformat.from_dict(notebook)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    fresh.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    client = nbclient.NotebookClient(fresh, timeout=600, record_timing=False, coalesce_streams=True,
                                     resources={"metadata": {"path": str(environment.NOTEBOOKS)}}, config=sockets())
    executed = client.execute()
    executed.metadata = {**fresh.metadata, "language_info": {"name": "python"}}
    executed.metadata.pop("widgets", None)
    return executed


def sockets():
    """Talk to the kernel through files of ours where the system can, not through open ports."""
    folder = Path(os.environ["JUPYTER_RUNTIME_DIR"])
    return Config({} if os.name == "nt" else {"KernelManager": {"transport": "ipc", "ip": str(folder / "kernel")}})


if __name__ == "__main__":
    main()
