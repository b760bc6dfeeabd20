"""The notebooks' own Python environment, and the Go commands they start.

Needs Python 3.11 and its standard library; everything else is installed, as
pinned in requirements.txt, into notebooks/.venv, which git ignores. Nothing
outside that folder changes.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

NOTEBOOKS = Path(__file__).resolve().parent
PROJECT = NOTEBOOKS.parent
VENV = NOTEBOOKS / ".venv"
REQUIREMENTS = NOTEBOOKS / "requirements.txt"
STAMP = VENV / "installed"

_PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def enter(script):
    """Go on in the environment: make it where it is missing or out of date, and
    run script there with the same arguments. Returns only where that has been
    done already, so call it before importing anything installed."""
    if Path(sys.prefix).resolve() == VENV.resolve():
        return
    if sys.version_info < (3, 11):
        sys.exit(f"{sys.executable} is Python {sys.version.split()[0]}; the notebooks need 3.11 or newer")
    _install()
    sys.exit(subprocess.run([_PYTHON, script, *sys.argv[1:]], env=_environ()).returncode)


def commands(folder):
    """Build tune, selfplay and the lab into a folder and put it first on PATH."""
    try:
        subprocess.run(["go", "build", "-o", folder, "./cmd/tune", "./cmd/selfplay", "./cmd/internal/lab"], cwd=PROJECT, check=True)
    except FileNotFoundError:
        sys.exit("cannot build the commands: there is no go on PATH; install it from https://go.dev/dl")
    except subprocess.CalledProcessError as e:
        sys.exit(f"cannot build the commands: go build ended with {e.returncode}")
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"


def _environ():
    """The environment variables, but for those that would let packages from
    elsewhere in or make every start compile all packages again."""
    drop = {"PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE"}
    keep = {k: v for k, v in os.environ.items() if k not in drop}
    return keep | {"MPLCONFIGDIR": str(VENV / "matplotlib"), "PYTHONUTF8": "1"}


def _install():
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()
    if STAMP.exists() and STAMP.read_text() == wanted:
        return
    print(f"installing what {REQUIREMENTS.name} pins into {VENV}: about half a minute", file=sys.stderr)
    _run([sys.executable, "-m", "venv", "--clear", str(VENV)],
         "cannot make a virtual environment (on Debian and Ubuntu: apt install python3-venv)")
    _run([_PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile",
          "--only-binary", ":all:", "--require-hashes", "--requirement", REQUIREMENTS],
         "cannot install the pinned packages (the package index must be reachable)")
    STAMP.write_text(wanted)


def _run(command, complaint):
    done = subprocess.run(command, stdout=sys.stderr, env=_environ())
    if done.returncode != 0:
        sys.exit(f"{complaint}: {' '.join(map(str, command))} ended with {done.returncode}")
