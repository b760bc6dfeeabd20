# Tunes UCI options with fastchess as the runner:
#   fastchess.py RUN SPACE ENGINE OPENINGS.epd [FLAGS OF tune ask-tell]
# SPACE names the engine's options. TC, CONCURRENCY and FASTCHESS may be set in the environment.
import os
import re
import subprocess
import sys

from study import Study


def engine(name, command, options):
    return ["-engine", f"name={name}", f"cmd={command}", *(f"option.{key}={value}" for key, value in options.items())]


def play(command, openings, question):
    """Plays a question's games, and returns the pentanomial for A: pairs with 0, 1/2, 1, 3/2 and 2 points."""
    out = subprocess.run(
        [os.environ.get("FASTCHESS", "fastchess"), *engine("A", command, question["a"]), *engine("B", command, question["b"]),
         "-each", "tc=" + os.environ.get("TC", "8+0.08"), "-rounds", str(question["games"] // 2), "-games", "2", "-repeat",
         "-openings", f"file={openings}", "format=epd", "order=random", "-srand", str(question["seed"] % 2**31),
         "-concurrency", os.environ.get("CONCURRENCY", "1"), "-report", "penta=true"],
        capture_output=True, text=True, check=True).stdout
    found = re.findall(r"Ptnml\(0-2\): \[(\d+), (\d+), (\d+), (\d+), (\d+)\]", out)
    if not found:
        raise RuntimeError("fastchess printed no pentanomial:\n" + out)
    return [int(n) for n in found[-1]]


run, space, command, openings, *flags = sys.argv[1:]
study = Study(space, run, *flags)
while not study.finished:
    for question in study.ask(1):
        print(study.tell(question, pentanomial=play(command, openings, question)), flush=True)
best = study.best()
print(best["verdict"], best["tuned"])
study.close()
