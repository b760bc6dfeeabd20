# A player of tic-tac-toe with five weights. Two sets of weights play a pair of
# games from one opening, each moving first once.
import json
import random
import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
PLACE = ["corner", "edge", "corner", "edge", "centre", "edge", "corner", "edge", "corner"]


def winner(board):
    for i, j, k in LINES:
        if board[i] and board[i] == board[j] == board[k]:
            return board[i]
    return 0


def choose(board, side, weights):
    """The square with the highest value: its place, a line to fill, a line to stop."""
    def value(square):
        v = weights[PLACE[square]] + random.random()
        for line in LINES:
            if square in line:
                others = [board[i] for i in line if i != square]
                v += weights["fill"] * (others == [side, side]) + weights["stop"] * (others == [-side, -side])
        return v
    return max((s for s in range(9) if not board[s]), key=value)


def game(first, second, opening):
    """Points of the first player: 1, 0.5 or 0."""
    board, side = [0] * 9, 1
    for turn in range(9):
        square = opening if turn == 0 else choose(board, side, first if side == 1 else second)
        board[square] = side
        if winner(board):
            return 1 if side == 1 else 0
        side = -side
    return 0.5


for line in sys.stdin:
    question = json.loads(line)
    random.seed(question["seed"])
    x, than, opening = question["x"], question["than"], random.randrange(9)
    points = game(x, than, opening) + 1 - game(than, x, opening)
    print(json.dumps({"points": points, "of": 2}), flush=True)
