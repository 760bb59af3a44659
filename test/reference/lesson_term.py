"""An independent grader: reads what lies in a class's folder, each student's own Markdown and results file, and marks it with NumPy.

It knows nothing of how numbers are drawn, of seeds or of our tolerances: the matrices stand in the student's text, statements are matched by their words.
A number is right within one unit of the last digit asked for. Of a question with several right statements the share of the true ones counts, less the false.
Run: python3 test/reference/lesson_term.py FOLDER [CORRECTED.md]   (FOLDER has students/*/term.md and *.results.json)
Prints, by student, the points of every question; null where it is not marked.
"""
import glob
import json
import os
import re
import sys

import numpy as np


def questions_of(text):
    return [json.loads(body) for body in re.findall(r"```attention-question\n(.*?)\n```", text, re.S)]


def steps_of(text):
    block = re.search(r"```attention [^\n]*\n(.*?)\n```", text, re.S).group(1)
    q, k, v = (np.array(json.loads(re.search(rf"^{name} = (\[\[.*?\]\])", block, re.S | re.M).group(1)), dtype=float) for name in "QKV")
    scores = q @ k.T
    scaled = scores / np.sqrt(q.shape[1])
    e = np.exp(scaled - scaled.max(-1, keepdims=True))
    weights = e / e.sum(-1, keepdims=True)
    return {"scores": scores, "scaled": scaled, "weights": weights, "output": weights @ v}


def quantity(of, steps):
    if not isinstance(of, dict):
        return of
    values = steps[of["step"]]
    if "cell" in of:
        return values[tuple(of["cell"])]
    part = values[of["row"]] if "row" in of else values
    return {"variance": np.var, "max": np.max, "sum": np.sum}[of["take"]](part)


def holds(claim, steps):
    value, to = quantity(claim["value"], steps), quantity(claim["to"], steps)
    true = {"more": value > to, "less": value < to, "equal": abs(value - to) < 1e-9}[claim["is"]]
    return true == claim.get("holds", True)


def credit(asked, seen, given, steps):
    """`asked` is the question that marks, `seen` the one that the student saw, whose statements may be in another order."""
    kind = asked["kind"]
    within = 10.0 ** -asked.get("digits", 4) * (1 + 1e-9)
    if kind == "text" or given is None:
        return None if kind == "text" else 0.0
    if kind == "number":
        return float(abs(given - quantity(asked["of"], steps)) <= (0.5 if asked.get("digits") == 0 else within))
    if kind == "matrix":
        right = [x is not None and abs(x - steps[asked["step"]][tuple(cell)]) <= within for x, cell in zip(given, asked["cells"])]
        return float(np.mean(right)) if asked.get("partial", True) else float(all(right))
    if kind == "order-steps":
        return float(given == ["scores", "scaled", "weights", "output"])
    if "among" in asked:
        return float(given == int(np.argmax(steps[asked["among"]["step"]][asked["among"]["row"]])))
    claims = {option["text"]: option["claim"] for option in asked["options"]}
    true = {text for text, claim in claims.items() if holds(claim, steps)}
    chosen = {seen["options"][i]["text"] for i in given}
    return max(0.0, (len(chosen & true) - len(chosen - true)) / len(true))


folder = sys.argv[1]
corrected = {q["id"]: q for q in questions_of(open(sys.argv[2]).read())} if len(sys.argv) > 2 else None
marks = {}
for place in sorted(glob.glob(os.path.join(glob.escape(folder), "students", "*"))):
    text = open(os.path.join(place, "term.md")).read()
    steps = steps_of(text)
    own = json.load(open(os.path.join(place, "explain-attention.variant.json")))["student"]
    for file in sorted(glob.glob(os.path.join(glob.escape(place), "*.results.json"))):
        results = json.load(open(file))
        if results["student"] != own:
            continue
        given = {answer["question"]: answer["response"] for answer in results["answers"]}
        points = {}
        for seen in questions_of(text):
            asked = seen if corrected is None else corrected[seen["id"]]
            part = credit(asked, seen, given.get(seen["id"]), steps)
            points[seen["id"]] = None if part is None else part * asked.get("points", 1)
        marks[f"{own}\t{os.path.basename(file)}"] = points
print(json.dumps(marks, indent=1, sort_keys=True))
