"""A class of thirty students: the numbers of each one's variant, drawn from the seed with NumPy, responses of every kind, and their marks.

The numbers follow the rule in extension/lessons/README.md ("Variants"). The marks are computed here.
Run: python3 test/reference/lesson_class.py test/fixtures/lessons/class.md > test/fixtures/lessons/class.json
"""
import json
import re
import sys

import numpy as np

START = json.loads(re.search(r"```attention [^\n]*\n(.*?)\n```", open(sys.argv[1]).read(), re.S).group(1))["start"]
STATEMENTS = 3
ORDER = ["scores", "scaled", "weights", "output"]


def draw(stream, matrix):
    """A variant of a matrix. Zeros stay; other numbers are multiples of the grid with as many digits, within the matrix's largest absolute value."""
    flat = [x for row in matrix for x in row]
    grid = next(g for g in (1, 0.5, 0.25) if all(abs(x / g - round(x / g)) < 1e-6 for x in flat))
    most = max(3, round(max(abs(x) for x in flat) / grid))
    signed = any(x < 0 for x in flat)

    def one(x):
        if x == 0:
            return 0
        low = 10 ** (len(str(max(1, round(abs(x) / grid)))) - 1)
        high = min(low * 10 - 1, most)
        size = low + int(stream.randint(0, high - low + 1, 1)[0])
        sign = -1 if signed and stream.randint(0, 2, 1)[0] == 0 else 1
        return sign * size * grid

    return np.array([[one(x) for x in row] for row in matrix], dtype=float)


def softmax(rows):
    e = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def is_tie(values):
    first, second = sorted(values, reverse=True)[:2]
    return first - second <= 1e-4 * (1 + 1e-9)


def confusions(q, k):
    """Which of the right answer and the mistakes that variants keep apart are the same, within twice the tolerance, in each question of numbers."""
    scores = q @ k.T
    scaled = scores / 2
    with np.errstate(all="ignore"):
        weights = {
            "right": softmax(scaled), "noScale": softmax(scores), "softmaxQueries": softmax(scaled.T).T, "swapQK": softmax(scaled.T),
            "noSoftmax": scaled, "sumOnly": scaled / scaled.sum(-1, keepdims=True),
        }
    asked = {
        "score": ({"right": scores[1, 2:], "swapQK": scores.T[1, 2:]}, 0.01),
        "weight": ({name: w[1, :1] for name, w in weights.items()}, 0.001),
        "row": ({name: w[2] for name, w in weights.items()}, 0.001),
    }
    same = lambda a, b, within: bool(np.all(np.isclose(a, b, rtol=0, atol=within) | np.array_equal(a, b, equal_nan=True)))
    return {
        (question, *sorted((a, b)))
        for question, (answers, tolerance) in asked.items()
        for a in answers
        for b in answers
        if a < b and same(answers[a], answers[b], 2 * tolerance * (1 + 1e-9))
    }


WRITTEN = confusions(*(np.array(START[name], dtype=float) for name in "qk"))


def variant(seed):
    stream = np.random.RandomState(seed)
    confused = []
    while True:
        stream.randint(0, 2147483647, 1)  # the seed of what is drawn at random
        q, k, v = (draw(stream, START[name]) for name in "qkv")
        scores = q @ k.T
        weights = softmax(scores / 2)
        # Rejects draws with a tie, or with an answer that is 0.
        if is_tie(scores.ravel()) or is_tie(weights[0]) or scores[1, 2] == 0:
            continue
        if confusions(q, k) <= WRITTEN:
            return scores, weights, weights @ v
        # Passes over at most twelve draws in which two mistakes give one answer.
        confused.append((scores, weights, weights @ v))
        if len(confused) == 12:
            return confused[0]


def place_of(statement, seed):
    """The place of a statement of the last question after the statements are put into another order (Fisher and Yates)."""
    stream = np.random.RandomState(seed)
    items = list(range(STATEMENTS))
    for i in range(len(items) - 1, 0, -1):
        j = int(stream.randint(0, i + 1, 1)[0])
        items[i], items[j] = items[j], items[i]
    return items.index(statement)


def truths(seed):
    scores, weights, output = variant(seed)
    return {
        "seed": seed, "score": scores[1, 2], "weight": weights[1, 0], "shape": list(output.shape), "row": list(weights[2]),
        "pick": [int(i) for i in np.unravel_index(scores.argmax(), scores.shape)],
        "most": int(weights[0].argmax()), "order": ORDER, "wrong": place_of(1, seed),
    }


def right(truth):
    return {**truth, "score": round(truth["score"], 2), "weight": round(truth["weight"], 3), "row": [round(w, 3) for w in truth["row"]]}


def wrong(truth):
    row, column = truth["pick"]
    return {
        "score": round(truth["score"], 2) + 0.5, "weight": round(truth["weight"], 3) + 0.004, "shape": truth["shape"][::-1],
        "row": [w + 0.1 for w in truth["row"]], "pick": [row, (column + 1) % 3], "most": (truth["most"] + 1) % 3,
        "order": ["output", "weights", "scaled", "scores"], "wrong": place_of(2, truth["seed"]),
    }


def partial(truth):
    good = right(truth)
    return {**good, "row": [good["row"][0], None, good["row"][2] + 0.3], "order": ["weights", "output", "scores", "scaled"]}


def half(truth):
    return {name: value for name, value in right(truth).items() if name in ("score", "weight", "shape")}


def mark(name, given, truth):
    if given is None:
        return 0.0
    if name in ("score", "weight"):
        return float(abs(given - truth) <= (0.01 if name == "score" else 0.001))
    if name == "row":
        return sum(g is not None and abs(g - t) <= 0.001 for g, t in zip(given, truth)) / len(truth)
    if name == "order":
        follows = sum(given.index(b) == given.index(a) + 1 for a, b in zip(truth, truth[1:]))
        return follows / (len(truth) - 1)
    return float(given == truth)


PLAYS = [right] * 14 + [wrong] * 8 + [partial] * 4 + [half] * 4
students = []
for i, play in enumerate(PLAYS):
    seed = 1000 + i
    truth = truths(seed)
    given = {name: value.item() if isinstance(value, np.generic) else value for name, value in play(truth).items() if name != "seed"}
    del truth["seed"]
    marks = {name: mark(name, given.get(name), truth[name]) for name in truth}
    students.append({"student": f"s{i:02d}", "seed": seed, "plays": play.__name__, "responses": given, "points": marks})
plain = lambda x: x.item() if isinstance(x, np.generic) else [plain(y) for y in x]
print(json.dumps({"numpy": np.__version__, "students": students}, default=plain))
