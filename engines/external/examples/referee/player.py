# A player of any game: it asks the game's referee what its moves lead to, takes a win, avoids
# moves that allow one, and draws among the others. Usage: python3 player.py REFEREE...
import json, random, subprocess, sys

referee = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
care, state = 1.0, {}


def ask(question):
    referee.stdin.write(json.dumps(question) + "\n")
    referee.stdin.flush()
    return json.loads(referee.stdout.readline())


def after(state, move):
    return ask({"position": state["position"], "move": move})


def wins(state, side):
    return state.get("result") == ("1-0" if side == 1 else "0-1")


def value(state, move):
    side, here = state["turn"], after(state, move)
    if wins(here, side):
        return 2
    replies = here["moves"] if "result" not in here and random.random() < care else []
    return -1 if any(wins(after(here, reply), 3 - side) for reply in replies) else random.random()


for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        print("option name seed type string default 0\ninfo string param care real 1 0 1 0.1\nugiok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "setoption" and words[2] == "seed":
        random.seed(words[4])
    elif words[0] == "setoption" and words[2] == "care":
        care = float(words[4])
    elif words[0] == "position":  # startpos|fen POSITION [moves ...]
        i = words.index("moves") if "moves" in words else len(words)
        state = ask({"seed": 0}) if words[1] == "startpos" else ask({"position": " ".join(words[2:i])})
        for move in words[i + 1:]:
            state = after(state, move)
    elif words[0] == "go":
        print("bestmove", max(state["moves"], key=lambda move: value(state, move)))
    elif words[0] == "quit":
        break
    sys.stdout.flush()
