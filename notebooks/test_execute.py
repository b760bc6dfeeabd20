#!/usr/bin/env python3
"""Tests that executing again catches what it is for: python3 notebooks/test_execute.py"""

import environment

if __name__ == "__main__":
    environment.enter(__file__)

import base64
import contextlib
import copy
import io
import tempfile
import unittest
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

import compare
import execute


def notebook(*cells):
    """A notebook as if executed: a cell for each list of outputs."""
    nb = new_notebook(cells=[new_markdown_cell("text")])
    for i, outputs in enumerate(cells, 1):
        nb.cells.append(new_code_cell(f"cell({i})", outputs=outputs, execution_count=i))
    return nb


def printed(text):
    return new_output("stream", name="stdout", text=text)


def shown(**data):
    return new_output("display_data", data={k.replace("_", "/"): v for k, v in data.items()})


def figure(colour, width=20, dot=None):
    image = Image.new("RGB", (width, 10), colour)
    if dot:
        image.putpixel((3, 3), dot)
    out = io.BytesIO()
    image.save(out, "PNG")
    return shown(image_png=base64.b64encode(out.getvalue()).decode())


class Compare(unittest.TestCase):
    def test_differences(self):
        for name, old, new, want in [
            ("equal", printed("12 games\n"), printed("12 games\n"), None),
            ("a number", printed("12 games\n"), printed("13 games\n"), "-12 games\n+13 games"),
            ("seconds", printed("70,912 games in 8.8 s"), printed("70,912 games in 19.1 s"), None),
            ("seconds of a head", printed("90 pairs, 180 games, 59 s"), printed("90 pairs, 180 games, 2 min"), None),
            ("games of a head", printed("90 pairs, 180 games, 59 s"), printed("90 pairs, 182 games, 59 s"), "182"),
            ("games beside seconds", printed("70,912 games in 8.8 s"), printed("70,911 games in 8.8 s"), "70,911"),
            ("other seconds", printed("limit 8.8 s"), printed("limit 8.9 s"), "limit 8.9 s"),
            ("stdout and stderr", printed("a"), new_output("stream", name="stderr", text="a"), "stderr"),
            ("a table", shown(text_html="<td>1</td>"), shown(text_html="<td>2</td>"), "<td>2</td>"),
            ("another kind", shown(text_html="1"), shown(text_plain="1"), "text/plain"),
            ("JSON", shown(application_json={"a": 1}), shown(application_json={"a": 2}), "application/json differs"),
            ("equal figures", figure("white"), figure("white"), None),
            ("rounding in a figure", figure((200, 200, 200)), figure((201, 200, 199)), None),
            ("a dot in a figure", figure("white"), figure("white", dot=(0, 0, 0)), "differs in 1 pixels"),
            ("size of a figure", figure("white"), figure("white", width=21), "20 x 10 pixels"),
        ]:
            with self.subTest(name):
                found = compare.differences(notebook([], [old]), notebook([], [new]))
                if want is None:
                    self.assertEqual(found, [])
                else:
                    self.assertEqual(len(found), 1)
                    self.assertIn("cell 3, 'cell(2)': ", found[0])
                    self.assertIn(want, found[0])

    def test_outputs_gone(self):
        found = compare.differences(notebook([]), notebook([printed("1")]))
        self.assertIn("outputs are none, executed again", found[0])

    def test_not_in_order(self):
        old, new = notebook([printed("1")]), notebook([printed("1")])
        old.cells[1].execution_count = 7
        self.assertIn("execution count is 7, not 1", compare.differences(old, new)[0])

    def test_varies(self):
        old, new = notebook([printed("yesterday")]), notebook([printed("today")])
        for nb in (old, new):
            nb.cells[1].metadata["tags"] = [compare.VARIES]
        self.assertEqual(compare.differences(old, new), [])
        new.cells[1].outputs = []
        self.assertEqual(len(compare.differences(old, new)), 1)

    def test_other_source(self):
        old, new = notebook([]), notebook([])
        new.cells[1].source = "other"
        with self.assertRaisesRegex(ValueError, "cell 2"):
            compare.differences(old, new)


class Execute(unittest.TestCase):
    """The way of a notebook through refresh, with a real kernel."""

    @classmethod
    def setUpClass(cls):
        work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(work.cleanup)
        cls.work = Path(work.name)
        execute.isolate(cls.work)

    def refresh(self, nb, update=False):
        path = self.work / "case.ipynb"
        nbformat.write(nb, path)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            fine = execute.refresh(path, update)
        return fine, said.getvalue(), nbformat.read(path, as_version=4)

    def test_update_then_check_then_change(self):
        fresh = new_notebook(cells=[new_code_cell("n = 6 * 7\nprint(n)"), new_code_cell("{'n': n}")])
        fine, said, _ = self.refresh(fresh)
        self.assertFalse(fine, said)

        fine, said, written = self.refresh(fresh, update=True)
        self.assertTrue(fine, said)
        self.assertEqual(written.cells[0].outputs[0].text, "42\n")
        self.assertEqual(written.cells[1].outputs[0].data["text/plain"], "{'n': 42}")

        fine, said, again = self.refresh(written)
        self.assertTrue(fine, said)
        self.assertEqual(again, written)

        changed = copy.deepcopy(written)
        changed.cells[0].outputs[0].text = "43\n"
        fine, said, kept = self.refresh(changed)
        self.assertFalse(fine)
        self.assertIn("case.ipynb, cell 1, 'n = 6 * 7': output differs", said)
        self.assertIn("-43\n+42", said)
        self.assertEqual(kept, changed, "a check must not write")

    def test_failing_cell(self):
        fine, said, _ = self.refresh(new_notebook(cells=[new_code_cell("1 / 0")]), update=True)
        self.assertFalse(fine)
        self.assertIn("ZeroDivisionError", said)

    def test_too_large(self):
        long = new_code_cell("print('words words\\n' * 50_000)")
        fine, said, _ = self.refresh(new_notebook(cells=[long]), update=True)
        self.assertFalse(fine)
        self.assertIn("more than 400,000", said)


if __name__ == "__main__":
    unittest.main()
