import random, sys

skill = 0.8
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":  # options, then ugiok; a tuner can tune each "info string param"
        print("option name seed type string default 0\ninfo string param skill real 0.8 0 1 0.1\nugiok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "setoption" and words[2] == "seed":  # setoption name NAME value VALUE
        random.seed(words[4])
    elif words[0] == "setoption" and words[2] == "skill":
        skill = float(words[4])
    elif words[0] == "position":  # position startpos [moves M M ...], or position fen POSITION [moves M M ...]
        moves = words[words.index("moves") + 1:] if "moves" in words else []
        sticks = (21 if words[1] == "startpos" else int(words[2])) - sum(map(int, moves))
    elif words[0] == "go":
        print("bestmove", sticks % 4 if sticks % 4 and random.random() < skill else random.randint(1, min(3, sticks)))
    elif words[0] == "quit":
        break
    sys.stdout.flush()
