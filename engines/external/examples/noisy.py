# How good are these two numbers? A measurement with noise; smaller is better.
import json
import random
import sys

for line in sys.stdin:
    question = json.loads(line)
    random.seed(question["seed"])  # all chance comes from the seed
    a, b = question["x"]["a"], question["x"]["b"]
    if not isinstance(b, int):
        print(json.dumps({"error": "b must be whole"}), flush=True)
        continue
    seconds = 2 + (a - 3) ** 2 / 10 + (b - 6) ** 2 / 20 + random.gauss(0, 1)
    print(json.dumps({"value": seconds}), flush=True)
