# Tunes by a person's taste: prefer.py RUN SPACE [FLAGS OF tune ask-tell]
# Stop with q and go on later: the folder RUN keeps all answers.
import sys

from study import Study

run, space, *flags = sys.argv[1:]
study = Study(space, run, "--ask-games", "2", *flags)
while not study.finished:
    question = study.ask(1)[0]
    print("A:", question["a"], "  B:", question["b"])
    answer = input("Which is better? A, B, = or q: ").strip()
    if answer == "q":
        break
    if answer in ("A", "B", "="):
        study.tell(question, better="equal" if answer == "=" else answer)
best = study.best()
print("recommended:", best["recommended"], "intervals:", best["intervals"])
study.close()
