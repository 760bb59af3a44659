"""Checks with NumPy the claims of the course that contain numbers.

Reads JSON [["claim", [the numbers in the sentence]], …] and prints a list of true and false. Written from the definitions, not from the engine; what is said of a
trained model by box_models.py, which is not the engine either.
"""

import json
import sys
from pathlib import Path

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


def words_ago(k, below):
    """With the halving rule a word counts 1/2 when it is read, and half as much after each further word; k is the first number of words that is enough."""
    return 0.5 * 0.5**k < below <= 0.5 * 0.5 ** (k - 1)


def halving(*numbers):
    """h_0 = x_0, then h_t = h_{t-1}/2 + x_t/2: the state as weights of the words."""
    n = next(n for n in range(1, 9) if len(numbers) == n * n + 2 * n)
    weights = np.array(numbers[: n * n], float).reshape(n, n)
    state, x = np.eye(n)[0], np.eye(n)
    states = [state] + [state := state / 2 + x[t] / 2 for t in range(1, n)]
    return np.array_equal(weights, states)


MODELS = Path(__file__).parents[2] / "extension" / "models"


def names(keys, kind, key):
    vocabulary = json.loads((MODELS / "words-1.tokenizer.json").read_text())["model"]["vocab"]
    return (vocabulary["keys"], vocabulary["kind"], vocabulary["key"]) == (keys, kind, key)


def long_key(*numbers):
    """Key 0 is the query; key 1 points elsewhere and has the larger score; key 2 has a negative one."""
    q, *keys = np.array(numbers, float).reshape(4, 2)
    scores = [q @ k for k in keys]
    cosines = [q @ k / np.linalg.norm(q) / np.linalg.norm(k) for k in keys]
    return scores[1] > scores[0] > 0 > scores[2] and np.isclose(cosines[0], 1) and cosines[1] < 0.5


def wider(times, said, again):
    """Scores of rows that are `times` as wide, by their standard deviation over many draws."""
    random = np.random.RandomState(0)
    spread = lambda d: (random.standard_normal((20000, d)) * random.standard_normal((20000, d))).sum(1).std()
    return said == again and abs(spread(4 * times) / spread(4) / said - 1) < 0.05


def sums(total, last):
    """1, 3, 2 divided by their sum are fractions of `total`; of 1, -1, 2 one share is negative, and 1, -1, `last` cannot be divided."""
    return 1 + 3 + 2 == total and min(np.array([1, -1, 2]) / 2) < 0 and 1 - 1 + last == 0


def quarter(most):
    a = np.linspace(0, 1, 1001)
    return np.isclose((a * (1 - a)).max(), most) and a[(a * (1 - a)).argmax()] == 0.5


def reshaped(r0, c0, r1, c1):
    """What stands at [1, 2, 0] of each of three ways to cut a 4×4 matrix into two heads."""
    q = np.arange(16).reshape(4, 4)
    found = [q.reshape(4, 2, 2).transpose(1, 0, 2), q.reshape(2, 4, 2), q.T.reshape(2, 4, 2)]
    return [int(a[1, 2, 0]) for a in found] == [q[2, 2], q[int(r0), int(c0)], q[int(r1), int(c1)]]


def exponents(angle, cosine, second, second_cosine):
    """Column 1 of position 1 for d_model 4 with exponents column/d and 2·column/d; 0.5403 with that of its pair."""
    told = [1 / 10000 ** (1 / 4), 1 / 10000 ** (2 / 4)]
    digits = [len(str(x).split(".")[1]) for x in (cosine, second_cosine)]
    rounded_cosines = [round(float(np.cos(a)), n) for a, n in zip(told, digits)]
    return np.allclose(told, [angle, second]) and rounded_cosines == [cosine, second_cosine] and round(float(np.cos(1)), 4) == 0.5403


def shrinking(*numbers):
    *numbers, first, second, third = numbers
    n = next(n for n in range(1, 9) if len(numbers) == n * n + 2 * n)
    weights, v = np.array(numbers[: n * n], float).reshape(n, n), np.array(numbers[n * n :], float).reshape(n, 2)
    wide = lambda a: np.ptp(a[:, 0])
    return np.allclose([wide(v), wide(weights @ v), wide(weights @ weights @ v)], [first, second, third])


def matrices(d, cells, thirds):
    attention, mlp = 4 * d * d, 2 * d * 4 * d
    return attention == cells == d * 4 * d and np.isclose(mlp / (attention + mlp), 2 / thirds)


def normalised(mean, variance, last):
    row = np.array([5, 5, 5, 9.0])
    return row.mean() == mean and row.var() == variance and round(float((9 - row.mean()) / row.std()), 3) == last


def differences_left(added):
    row = np.random.RandomState(0).standard_normal(8)
    norm = lambda x: (x - x.mean()) / np.sqrt(x.var() + 1e-5)
    return added is not None and np.allclose(norm(row + added), norm(row))


def source_order(words):
    """Keys and values in another order, each key with its value: the same output. Keys alone in another order: another."""
    random = np.random.RandomState(0)
    q, k, v = random.standard_normal((2, 3)), random.standard_normal((4, 3)), random.standard_normal((4, 3))
    attend = lambda k, v: np.array([softmax(row) for row in q @ k.T / np.sqrt(3)]) @ v
    order = [1, 0, 2, 3]
    moved = sum(i != j for i, j in enumerate(order))
    return moved == words and np.allclose(attend(k[order], v[order]), attend(k, v)) and not np.allclose(attend(k[order], v), attend(k, v))


def meet(n, d, d_wide, n_wide):
    """Where 4·n·d² multiply-adds of Q, K, V and W_O are as many as 2·n²·d of scores and means."""
    return all(4 * a * b**2 == 2 * a**2 * b for a, b in ((n, d), (n_wide, d_wide)))


def kept(layers, width, heads, each, tokens, gib, groups, each_grouped, gib_grouped):
    size = lambda h: 2 * layers * h * width * 2
    whole = [size(h) * tokens / 2**30 for h in (heads, groups)]
    return (size(heads), size(groups)) == (each, each_grouped) and whole == [gib, gib_grouped]


def turned(cosine, sine, before, before_sine):
    """The row 1, 0 turned by 5 and by 4 radians."""
    told = [np.cos(5), -np.sin(5), np.cos(4), np.sin(4)]
    return np.allclose(told, [cosine, sine, before, -before_sine], atol=6e-5)


def shifted(step):
    """Rows turned by angles that are multiples of `step`: both further by five leaves their product; the definition turns by 1 for each place."""
    turn = lambda a: np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    q, k = np.array([2, 1.0]), np.array([1, 0.0])
    here, there = ((q @ turn(step * (2 + by))) @ (k @ turn(step * by)) for by in (0, 5))
    return np.isclose(here, there) and np.isclose(here, 2 * np.cos(2) - np.sin(2))


def once_around(turn, near, far):
    return abs(2 * np.pi - turn) < 0.005 and np.cos(far) > np.cos(near) and turn - far < 1


def lengths(head, start, others):
    """The values of head `head` in layer 1 of characters-1: the length of the start token's, and the mean of the others'."""
    import box_models as box

    about, t = box.read(MODELS / "characters-1.safetensors")
    tokenizer = json.loads((MODELS / "characters-1.tokenizer.json").read_text())
    values = box.walk(box.tokens("brux; can", tokenizer), about, t)["vHeads"]
    found = np.linalg.norm(values[int(head)], axis=-1)
    return round(float(found[0]), 2) == start and round(float(found[1:].mean()), 2) == others


def learned(count, which):
    import box_models as box

    name = ["characters-training-5000", "characters-1", "words-1"][int(which)]
    return sum(t.size for t in box.read(MODELS / f"{name}.safetensors")[1].values()) == count


def printed(*numbers):
    """Softmax of all scores, and zeros for later keys afterwards, as the program of lesson 16 prints it."""
    q, k = np.array([[1, 0], [0, 2], [1, 1.0]]), np.array([[2, 0], [1, 1], [0, 1.0]])
    weights = np.tril([softmax(row) for row in q @ k.T / np.sqrt(2)])
    return np.array_equal(np.round(weights, 4), np.array(numbers).reshape(3, 3))


def rounded(score):
    """The weight of a score that is 1000 below the largest: positive in exact arithmetic, but rounded to 0."""
    return score == 0 == softmax([score, score + 1000])[0] and softmax([score, score + 1])[0] > 0


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
    "products": lambda n, d_k, heads: n == 8 * 8 and d_k * heads == 64 and heads == 4,
    "nine words": words_ago, "a half": halving, "names": names, "long key": long_key, "wider": wider, "sums": sums, "quarter": quarter,
    "eight times": lambda times: times == 0.5 / 0.5**4,
    "powers": lambda d_k: d_k**-0.5 == 0.5,
    "hidden": lambda first, n: first == n - 1 and np.triu(np.ones((int(n), int(n))), 1)[0].sum() == first,
    "exercises": lambda words, pairs: len("the king met the queen".split()) == words == pairs + 1,
    "reshaped": reshaped, "exponents": exponents, "shrinking": shrinking, "twice the matrices": matrices, "normalised": normalised,
    "calculator": lambda said: round(float(np.sin(np.radians(1))), 4) == said,
    "round": lambda angle, many: angle / (2 * np.pi) > many,
    "meet": meet, "kept": kept, "turned": turned, "shifted": shifted, "once around": once_around,
    "differences left": differences_left, "source order": source_order,
    "groups": lambda *said: list(said) == np.repeat([0, 1], 2).tolist() != np.tile([0, 1], 2).tolist(),
    "equal row": lambda n, share: round(1 / n, len(str(share).split(".")[1])) == share,
    "cut off": lambda *said: [round(x, len(str(y).split(".")[1])) for y, x in zip(said[:4], said[4:])] == list(said[:4]),
    "lengths": lengths, "learned": learned, "printed": printed,
    "eighths": lambda least, most, low, high: np.allclose([least / 8, most / 8], [low, high]),
    "order kept": lambda less, more: softmax([less, more])[0] < softmax([less, more])[1],
    "heads": lambda d_k, d_model: d_k == 4 / 2 and d_model == 4,
}  # fmt: skip

print(json.dumps([bool(claims[name](*given)) for name, given in json.load(sys.stdin)]))
