import json, sys

for line in sys.stdin:
    question = json.loads(line)
    sticks, turn = map(int, question.get("position", "21 1").split())
    if "move" in question:
        sticks, turn = sticks - int(question["move"]), 3 - turn
    answer = {"position": f"{sticks} {turn}", "turn": turn, "moves": [str(n) for n in range(1, min(3, sticks) + 1)], "board": "|" * sticks}
    if sticks == 0:
        answer["result"] = "0-1" if turn == 1 else "1-0"
    print(json.dumps(answer), flush=True)
