"""Checks with NumPy the claims of the course that contain numbers.

Reads JSON {"claim": [the numbers in the sentence]} and prints {"claim": true or false}. Written from the definitions, not from the engine.
"""

import json
import sys

import numpy as np

np.seterr(over="ignore")


def softmax(z):
    e = np.exp(np.asarray(z, float) - np.max(z))
    return e / e.sum()


def slower(by, d_model=4):
    """How many times slower columns 2 and 3 rotate than columns 0 and 1, for a width of 4."""
    return np.isclose(10000.0 ** (2 / d_model), by)


def degrees(radians, said):
    return round(float(np.degrees(radians))) == said


def differences(*numbers):
    large, small = np.split(np.array(numbers, float), 2)
    return np.array_equal(softmax(large), softmax(small)) and softmax(large).max() < 0.9


def overflow(double, single):
    """The smallest integers x for which exp(x) is infinite."""
    return (
        np.isinf(np.exp(float(double))) and np.isfinite(np.exp(double - 1.0))
        and np.isinf(np.exp(np.float32(single))) and np.isfinite(np.exp(np.float32(single - 1)))
    )  # fmt: skip


def scaled_variance(d_k, to, tokens=8):
    """The mean over many texts is `to`; some texts are above it and some below."""
    found = []
    for seed in range(200):
        random = np.random.RandomState(seed)
        q, k = random.standard_normal((2, tokens, d_k))
        found.append((q @ k.T / np.sqrt(d_k)).var())
    return abs(np.mean(found) - to) < 0.05 and min(found) < to - 0.2 and max(found) > to + 0.2


def rounded(score):
    """The weight of a score that is 1000 below the largest: positive in exact arithmetic, but rounded to 0."""
    return softmax([score, score + 1000])[0] == 0 and softmax([score, score + 1])[0] > 0


def exchanged(largest):
    """Without a mask exchanged tokens exchange outputs; under a causal mask they do not."""
    random = np.random.RandomState(0)
    x = random.standard_normal((4, 3))
    order = [1, 0, 2, 3]

    def attend(rows, causal):
        s = rows @ rows.T / np.sqrt(3)
        if causal:
            s[np.triu_indices(4, 1)] = -np.inf
        e = np.exp(s - s.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True) @ rows

    free, masked = (np.abs(attend(x[order], c) - attend(x, c)[order]).max() for c in (False, True))
    return bool(free < largest and masked > 0.1)


def long_row(*numbers):
    """Some row gives another row at least as much weight as itself."""
    x = np.array(numbers, float).reshape(3, 3)
    weights = np.array([softmax(row) for row in x @ x.T])
    return any(weights[i, j] >= weights[i, i] for i in range(3) for j in range(3) if i != j)


def mixed(d, n, columns):
    """X (d×n) times a matrix of `columns` rows is not defined, since n != columns. With tokens as rows, x·Wᵀ is the transpose of W·X."""
    x, w = np.arange(12.0).reshape(3, 4), np.arange(16.0).reshape(4, 4)
    return n != columns and x.shape == (n, d) and np.array_equal(x @ w.T, (w @ x.T).T)


def zeroed(power, value):
    return np.exp(power) == value


claims = {
    "slower": slower, "degrees": degrees, "differences": differences, "overflow": overflow, "variance": scaled_variance,
    "rounded": rounded, "exchanged": exchanged, "long row": long_row, "mixed": mixed, "zeroed": zeroed,
    "bytes": lambda n: n == len({bytes([i]) for i in range(256)}),
    "√4": lambda d_k, root: np.sqrt(d_k) == root,
    "products": lambda n, d_k: n == 7 * 7 and d_k == 4,
    "order kept": lambda less, more: softmax([less, more])[0] < softmax([less, more])[1],
    "heads": lambda d_k, d_model: d_k == 8 / 2 and d_model == 8,
}  # fmt: skip

print(json.dumps({name: bool(claims[name](*given)) for name, given in json.load(sys.stdin).items()}))
