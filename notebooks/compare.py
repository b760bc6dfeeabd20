"""Says where two executions of one notebook differ.

Runs repeat, so outputs must be equal: texts and tables to the letter, figures
to the pixel but for rounding. What cannot repeat is left out, and no more:

  - the seconds in a line such as "70,912 games in 8.8 s";
  - lines that begin with "CPU time";
  - the outputs of cells tagged "varies", of which only the kinds are compared.
"""

import base64
import difflib
import io
import re

import numpy
from PIL import Image

VARIES = "varies"

_SECONDS = re.compile(r"(games in |, )(?:\d+(?:\.\d)? (?:s|min)|under a second)$", re.MULTILINE)
_CPU = re.compile(r"^CPU time .*\n?", re.MULTILINE)


def differences(committed, executed):
    """List the differences of two notebooks of equal sources, a text each that
    begins with the cell. Empty where there are none."""
    found = []
    for i, (old, new) in enumerate(zip(committed.cells, executed.cells, strict=True), 1):
        if old.source != new.source:
            raise ValueError(f"cell {i} of the two notebooks is not the same")
        if new.cell_type != "code":
            continue
        for text in _cell(old, new):
            found.append(f"cell {i}, {_first_line(new.source)}: {text}")
    return found


def _cell(old, new):
    if old.execution_count != new.execution_count:
        yield f"execution count is {old.execution_count}, not {new.execution_count}: never executed, or not in order"
    kinds, now = _kinds(old), _kinds(new)
    if kinds != now:
        yield f"outputs are {kinds or 'none'}, executed again {now or 'none'}"
    elif VARIES not in new.metadata.get("tags", []):
        for a, b in zip(old.outputs, new.outputs, strict=True):
            yield from _output(a, b)


def _kinds(cell):
    return [(o.get("name") or o.output_type, *sorted(o.get("data", {}))) for o in cell.outputs]


def _output(old, new):
    if old.output_type == "stream":
        yield from _text(old.text, new.text)
        return
    for kind, value in old.data.items():
        if kind == "image/png":
            yield from _image(value, new.data[kind])
        elif isinstance(value, str):
            yield from _text(value, new.data[kind])
        elif value != new.data[kind]:
            yield f"{kind} differs"


def _text(old, new):
    old, new = (_SECONDS.sub(r"\1… s", _CPU.sub("", t)).splitlines() for t in (old, new))
    if old != new:
        yield "output differs\n" + "\n".join(difflib.unified_diff(old, new, "committed", "executed", n=0, lineterm=""))


def _image(old, new):
    """A pixel may be off by rounding; one letter or bar that moved is more."""
    a, b = _pixels(old), _pixels(new)
    if a.shape != b.shape:
        yield f"figure is {a.shape[1]} x {a.shape[0]} pixels, executed again {b.shape[1]} x {b.shape[0]}"
    elif (off := int((numpy.abs(a - b).max(axis=2) > 16).sum())) > 0:
        yield f"figure differs in {off} pixels"


def _pixels(png):
    image = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB")
    return numpy.asarray(image, dtype=int)


def _first_line(source):
    return repr(source.strip().partition("\n")[0][:60])
