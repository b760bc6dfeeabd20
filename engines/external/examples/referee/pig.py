# Pig: a side rolls as often as it likes. A 1 loses what the turn has made; hold keeps it.
# The dice follow from the seed of the game, which is part of the position.
import hashlib, json, sys

GOAL = 50


def die(seed, rolls):
    return hashlib.sha256(f"{seed} {rolls}".encode()).digest()[0] % 6 + 1


def describe(seed, rolls, turn, made, first, second):
    answer = {"position": f"{seed} {rolls} {turn} {made} {first} {second}", "turn": turn, "moves": ["roll", "hold"] if made else ["roll"],
              "board": f"First has {first}, Second has {second}; the turn has made {made}"}
    if max(first, second) >= GOAL:
        answer["result"], answer["reason"] = "1-0" if first > second else "0-1", "goal"
    return answer


for line in sys.stdin:
    question = json.loads(line)
    seed, rolls, turn, made, first, second = map(int, question.get("position", f"{question.get('seed')} 0 1 0 0 0").split())
    if "move" in question:
        roll = 1
        if question["move"] == "roll":
            roll, rolls = die(seed, rolls), rolls + 1
            made = made + roll if roll > 1 else 0
        first, second = (first + made, second) if roll == 1 and turn == 1 else (first, second + made) if roll == 1 else (first, second)
        turn, made = (3 - turn, 0) if roll == 1 else (turn, made)
    print(json.dumps(describe(seed, rolls, turn, made, first, second)), flush=True)
