import json, sys

def flips(board, size, x, y, own):
    found = []
    for dx, dy in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]:
        line, a, b = [], x + dx, y + dy
        while 0 <= a < size and 0 <= b < size and board[b * size + a] not in (".", own):
            line, a, b = line + [b * size + a], a + dx, b + dy
        if line and 0 <= a < size and 0 <= b < size and board[b * size + a] == own:
            found += line
    return found if board[y * size + x] == "." else []


def moves(board, size, own):
    return [chr(97 + x) + str(size - y) for y in range(size) for x in range(size) if flips(board, size, x, y, own)]


def describe(board, size, turn):
    rows, legal = [board[i:i + size] for i in range(0, size * size, size)], moves(board, size, "XO"[turn - 1])
    answer = {"position": "/".join(rows) + " " + str(turn), "turn": turn, "moves": legal or ["pass"], "board": "\n".join(rows)}
    if not legal and not moves(board, size, "OX"[turn - 1]):
        lead = board.count("X") - board.count("O")
        answer["result"] = "1-0" if lead > 0 else "0-1" if lead < 0 else "1/2"
    return answer


for line in sys.stdin:
    question = json.loads(line)
    size = int(question["rules"]["size"])
    edge = "." * (size // 2 - 1)
    start = "/".join(["." * size] * len(edge) + [edge + "XO" + edge, edge + "OX" + edge] + ["." * size] * len(edge)) + " 1"
    board, turn = question.get("position", start).replace("/", "").split()
    turn, own = int(turn), "XO"[int(turn) - 1]
    if "move" in question:
        if question["move"] != "pass":
            x, y = ord(question["move"][0]) - 97, size - int(question["move"][1:])
            for i in [y * size + x] + flips(board, size, x, y, own):
                board = board[:i] + own + board[i + 1:]
        turn = 3 - turn
    print(json.dumps(describe(board, size, turn)), flush=True)
