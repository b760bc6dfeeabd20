import json, sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
PLACES = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]


def mover(cells):
    return "X" if cells.count("X") == cells.count("O") else "O"


def describe(cells):
    answer = {"position": cells, "turn": 1 if mover(cells) == "X" else 2, "board": "\n".join([cells[:3], cells[3:6], cells[6:]]),
              "moves": [PLACES[i] for i in range(9) if cells[i] == "."]}
    if "." not in cells:
        answer["result"], answer["reason"] = "1/2", "full"
    for a, b, c in LINES:
        if cells[a] == cells[b] == cells[c] != ".":
            answer["result"], answer["reason"] = "1-0" if cells[a] == "X" else "0-1", "row"
    return answer


for line in sys.stdin:
    question = json.loads(line)
    cells = question.get("position", ".........")
    if "move" in question:
        i = PLACES.index(question["move"])
        cells = cells[:i] + mover(cells) + cells[i + 1:]
    print(json.dumps(describe(cells)), flush=True)
