"""Classes whose papers are independent, classes in which one student took another's answers, and one probability by permutation.

"same": all have the same numbers. An answer is 0 (right) or the number of a wrong answer; wrong answers are not equally frequent.
"vary": everybody has numbers of their own. `right` has the right answers of the class, `others` those of a hundred sets of numbers that nobody has,
`given` what was answered. Questions 2i and 2i + 1 follow from each other: who has the first wrong carries the error into the second.
Run: python3 test/reference/close_papers.py > test/fixtures/lessons/close-papers.json
"""
import json

import numpy as np

STUDENTS, QUESTIONS, CLASSES = 30, 10, 150
rng = np.random.default_rng(2026)


def same_class(copies):
    ability = rng.beta(4, 2.5, STUDENTS)
    hard = rng.normal(0, 0.15, QUESTIONS)
    wrong = rng.random((STUDENTS, QUESTIONS)) > np.clip(ability[:, None] + hard, 0.05, 0.97)
    frequent = [1 / np.arange(1, 9) ** rng.uniform(0.2, 1.5) for _ in range(QUESTIONS)]
    answers = np.stack([rng.choice(np.arange(1, 9), STUDENTS, p=p / p.sum()) for p in frequent], axis=1)
    given = np.where(wrong, answers, 0)
    if copies:
        given[1] = given[0]
    return ["".join(map(str, row)) for row in given]


SIZES = [4, 4, 12, 12, 60, 60, 2000, 2000, 2000, 2000]


def vary_class(copies):
    right = np.stack([rng.integers(0, size, STUDENTS) for size in SIZES], axis=1)
    others = np.stack([rng.integers(0, size, 100) for size in SIZES], axis=1)
    wrong = rng.random((STUDENTS, QUESTIONS)) > rng.beta(4, 2.5, STUDENTS)[:, None]
    wrong[:, 1::2] |= wrong[:, ::2]
    shift = rng.integers(1, 4, (STUDENTS, QUESTIONS))
    shift[:, 1::2] = np.where(wrong[:, ::2], shift[:, ::2], shift[:, 1::2])
    given = np.where(wrong, (right + shift) % np.array(SIZES), right)
    if copies:
        given[1] = given[0]
    return {"right": right.tolist(), "others": others.tolist(), "given": given.tolist()}


def permuted():
    """Three students, all wrong in each of seven questions, two with the same answer: how often a permutation of the answers gives a pair as much."""
    answers = np.array([1, 1, 2])
    runs = 400_000
    agree = np.zeros(runs, dtype=int)
    for _ in range(7):
        order = rng.permuted(np.tile(answers, (runs, 1)), axis=1)
        agree += order[:, 0] == order[:, 1]
    return {"questions": 7, "answers": answers.tolist(), "probability": float((agree == 7).mean()), "runs": runs}


chances = [0.05, 0.2, 0.5, 0.5, 0.9, 0.01]
hits = np.array([[bool(i >> k & 1) for k in range(6)] for i in range(64)])
each = np.prod(np.where(hits, chances, 1 - np.array(chances)), axis=1)
sums = {"chances": chances, "atLeast": [float(each[hits.sum(1) >= least].sum()) for least in range(8)]}

print(json.dumps({
    "numpy": np.__version__, "sums": sums, "permuted": permuted(),
    "same": [same_class(False) for _ in range(CLASSES)], "sameCopied": [same_class(True) for _ in range(30)],
    "vary": [vary_class(False) for _ in range(40)], "varyCopied": [vary_class(True) for _ in range(12)],
}, separators=(",", ":")))
