# Ask and tell in the style of Optuna, for tune ask-tell: study.ask(), study.tell(), study.best().
import json
import random
import subprocess
import sys


class Study:
    """A tuning whose games are played by the caller. The folder out keeps it: after a kill, open it again."""

    def __init__(self, space, out, *flags):
        words = ["tune", "ask-tell", "--space", space, "--out", out, *flags]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.finished = False

    def request(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline() or '{"error": "tune has ended, and says why above"}')
        if "error" in reply:
            raise ValueError(reply["error"])
        self.finished = reply["finished"]
        return reply

    def ask(self, n=1):
        """At most n questions, each a dictionary with id, a, b, games and seed."""
        return self.request(ask=n)["questions"]

    def tell(self, question, **answer):
        """For example wins=3, draws=1, losses=2, or points=3.5, or better="A"."""
        return self.request(tell=question["id"], **answer)

    def best(self):
        """The recommendation, the values to use (tuned) and intervals."""
        return self.request(best=True)

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def quality(vector):
    return -(vector["a"] - 3) ** 2 / 10 - (vector["b"] - 6) ** 2 / 20


if __name__ == "__main__":  # study.py RUN [FLAGS]: "games" that noise decides
    study = Study("noisy.toml", *sys.argv[1:])
    while not study.finished:
        for question in study.ask(4):
            chance = random.Random(question["seed"])
            margin = quality(question["a"]) - quality(question["b"])
            wins = sum(chance.gauss(0, 1) < margin for _ in range(question["games"]))
            study.tell(question, wins=wins, losses=question["games"] - wins)
    print(study.best()["tuned"])
    study.close()
