"""Marks the results of a class, with NumPy alone. Reads each student's lesson (its blocks hold the student's numbers) and each results file,
computes the right answers, and prints the points of every answer of every file.

Run: python3 test/reference/lesson_room.py FOLDER, a folder as `explain-attention class` writes it, with results files in students/.
Reads what test/fixtures/lessons/room.md uses: Q, K and V, mask=causal, from=, scale=none, and every kind of question.
"""
import codecs
import json
import pathlib
import re
import sys

import numpy as np

FENCE = re.compile(r"^```(attention(?:-question)?)([^\n]*)\n(.*?)^```$", re.M | re.S)


def read_text(path):
    data = path.read_bytes()
    encoding = "utf-16" if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
    return data.decode(encoding).replace("\r\n", "\n")


def steps_of(q, k, v, scale):
    scores = q @ k.T
    scaled = scores / np.sqrt(q.shape[1]) if scale else scores
    masked = np.where(np.tri(*scores.shape) == 1, scaled, -np.inf)
    e = np.exp(masked - masked.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return {"q": q, "k": k, "v": v, "scores": scores, "scaled": scaled, "masked": masked, "weights": weights, "output": weights @ v}


ORDER = ["scores", "scaled", "masked", "weights", "output"]


def read_lesson(text):
    """Blocks by their ids, and questions with the block each is about."""
    blocks, inputs, questions, last = {}, {}, [], None
    for language, info, body in FENCE.findall(text):
        if language == "attention-question":
            question = json.loads(body)
            questions.append({"about": last, **question})
            continue
        words = dict(word.split("=", 1) for word in info.split())
        last = words["id"]
        if "from" in words:
            inputs[last] = inputs[words["from"]]
        else:
            found = re.findall(r"^([QKV]) = (\[\[.*?\]\])$", body, re.M | re.S)
            inputs[last] = tuple(np.array(json.loads(matrix), dtype=float) for _, matrix in found)
        blocks[last] = steps_of(*inputs[last], scale=words.get("scale") != "none")
    return blocks, questions


def quantity(blocks, about, q):
    step = blocks[q.get("about", about)][q["step"]]
    if "cell" in q:
        return step[tuple(q["cell"])]
    return {"max": np.max, "min": np.min, "variance": np.var}[q["take"]](step)


def holds(blocks, about, claim):
    if claim["is"] == "shape":
        return list(blocks[about][claim["step"]].shape) == claim["shape"]
    if claim["is"] == "property":
        return bool(np.allclose(blocks[about]["weights"].sum(axis=1), 1))
    left, right = quantity(blocks, about, claim["value"]), quantity(blocks, about, claim["to"])
    return bool(left < right if claim["is"] == "less" else left > right)


def number(given):
    return {"inf": np.inf, "-inf": -np.inf, "nan": np.nan}.get(given, given) if isinstance(given, (str, int, float)) else None


def near(given, truth, digits):
    given = number(given)
    if given is None:
        return False
    return given == truth or abs(given - truth) <= 10.0 ** -digits * (1 + 1e-9)


def points(question, blocks, given):
    about, kind, digits = question["about"], question["kind"], question.get("digits", 4)
    steps = blocks[about]
    if given is None:
        return 0.0
    if kind == "number":
        return float(near(given, quantity(blocks, about, question["of"]), digits))
    if kind == "shape":
        return float(given == list(steps[question["step"]].shape))
    if kind == "matrix":
        truths = [steps[question["step"]][tuple(cell)] for cell in question["cells"]]
        return sum(near(g, t, digits) for g, t in zip(given, truths)) / len(truths)
    if kind == "pick-cell":
        step = steps[question["step"]]
        return float(given == [int(i) for i in np.unravel_index(step.argmin(), step.shape)])
    if kind == "choose" and "among" in question:
        return float(given == int(steps[question["among"]["step"]][question["among"]["row"]].argmax()))
    if kind == "order-steps":
        truth = [step for step in ORDER if step in question["steps"]]
        return sum(given.index(b) == given.index(a) + 1 for a, b in zip(truth, truth[1:])) / (len(truth) - 1)
    statements, wanted = (question["options"], True) if kind == "choose" else (question["steps"], False)
    (right,) = [i for i, s in enumerate(statements) if holds(blocks, about, s["claim"]) == wanted]
    return float(given == right)


def main(folder):
    lessons = {}
    for path in sorted(folder.glob("students/*/explain-attention.variant.json")):
        own = json.loads(read_text(path))
        lessons[own["student"]] = read_lesson(read_text(path.parent / own["lesson"]))
    marks = {}
    for path in sorted(folder.glob("students/**/*.results.json")):
        name = path.relative_to(folder).as_posix()
        try:
            results = json.loads(read_text(path))
        except ValueError:
            results = {}
        if results.get("version") != 1:
            marks[name] = None
            continue
        blocks, questions = lessons[results["student"]]
        given = {a["question"]: a["response"] for a in results["answers"]}
        marks[name] = {q["id"]: points(q, blocks, given.get(q["id"])) for q in questions}
    print(json.dumps(marks, ensure_ascii=False, indent=1, sort_keys=True))


main(pathlib.Path(sys.argv[1]))
