"""Writes test/fixtures/math/<function>.f64: correctly rounded values of exp, log, sin, cos, tanh and pow.

Each file is little-endian float64: x, value, x, value, ... (for pow: x, y, value). Values are computed by Python's decimal
module with at least 120 digits and rounded once to float64 by float(), independently of the engine. Half of the points are
hard to round: of millions of random points they are those whose value is nearest to the middle between two float64.
NumPy's long double preselects them.

    python3 test/reference/math_values.py [folder]      needs NumPy with 80-bit long double (x86-64)
"""

import math
import random
import struct
import sys
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Overflow, getcontext, localcontext
from pathlib import Path

import numpy as np

DIGITS = 120
getcontext().prec = DIGITS
getcontext().Emin = MIN_EMIN
getcontext().Emax = MAX_EMAX
getcontext().traps[Overflow] = False

TINY = 5e-324
LEAST_NORMAL = 2.2250738585072014e-308
LARGEST = 1.7976931348623157e308


def pi(digits):
    """pi by Gauss and Legendre's arithmetic-geometric mean."""
    with localcontext(Context(prec=digits + 20)):
        a, b, t, p = Decimal(1), 1 / Decimal(2).sqrt(), Decimal(1) / 4, Decimal(1)
        for _ in range(digits.bit_length() + 2):
            a, b, c = (a + b) / 2, (a * b).sqrt(), a
            t -= p * (c - a) ** 2
            p *= 2
        return (a + b) ** 2 / (4 * t)


PI = {DIGITS: pi(DIGITS), 500: pi(500)}


def quadrant(x):
    """x = n·pi/2 + r with r in [-pi/4, pi/4], to about 100 digits."""
    digits = DIGITS if abs(x) < 1e20 else 500
    with localcontext(Context(prec=digits + 10)):
        half = PI[digits] / 2
        n = (Decimal(x) / half).to_integral_value()
        return int(n) % 4, Decimal(x) - n * half


def taylor(r, k):
    """sin r (k = 1) or cos r (k = 0)."""
    term = total = r if k else Decimal(1)
    while abs(term) > abs(total) * Decimal(10) ** -(DIGITS + 5):
        term = -term * r * r / ((k + 1) * (k + 2))
        k += 2
        total += term
    return total


def sine(x, turns=0):
    n, r = quadrant(x)
    n = (n + turns) % 4
    value = taylor(r, 1 - n % 2)
    return value if n < 2 else -value


def tanh(x):
    with localcontext(Context(prec=DIGITS + 400 if abs(x) < 1 else DIGITS)):
        e = (2 * Decimal(x)).exp()
        return (e - 1) / (e + 1)


FUNCTIONS = {
    "exp": lambda x: Decimal(x).exp(),
    "log": lambda x: Decimal(x).ln(),
    "sin": sine,
    "cos": lambda x: sine(x, 1),
    "tanh": tanh,
    "pow": lambda x, y: power(x, y),
}


def power(x, y):
    if x < 0:
        return power(-x, y) * (-1 if y % 2 else 1)
    exact = y == int(y) and 0 < y < 64
    return Decimal(x) ** int(y) if exact else (Decimal(y) * Decimal(x).ln()).exp()


def hardness(value):
    """Distance of the value from the middle between two float64, in units: 0 is in the middle, 0.5 is on a float64."""
    nearest = float(value)
    if nearest in (0.0, math.inf, -math.inf):
        return 1.0
    return float(abs(abs((value - Decimal(nearest)) / Decimal(math.ulp(nearest))) - Decimal("0.5")))


def check_worst():
    for name, points in WORST.items():
        for x in map(float.fromhex, points):
            distance = hardness(FUNCTIONS[name](x))
            assert min(distance, abs(0.5 - distance)) <= 2**-54, f"{name}({x.hex()}) is not hard"


def spread(rng, low, high):
    """Positive numbers, evenly spread over the exponents from 2^low to 2^high."""
    return math.ldexp(1 + rng.random(), rng.randint(low, high - 1))


def signed(rng, x):
    return -x if rng.random() < 0.5 else x


RANDOM = {
    "exp": [
        lambda r: r.uniform(-745.2, 709.79),
        lambda r: -20 * r.random(),
        lambda r: r.uniform(-745.2, -708),
        lambda r: r.uniform(-708.397, -708.396),
        lambda r: signed(r, spread(r, -60, 0)),
    ],
    "log": [
        lambda r: spread(r, -1022, 1023),
        lambda r: 4 * r.random() or 1.5,
        lambda r: 1 + signed(r, spread(r, -52, -2)),
        lambda r: TINY * r.randint(1, 2**52),
    ],
    "sin": [
        lambda r: r.uniform(-10, 10),
        lambda r: signed(r, spread(r, -30, 20)),
        lambda r: signed(r, spread(r, 18, 1023)),
        lambda r: math.pi / 2 * r.randint(-100000, 100000) * (1 + signed(r, spread(r, -53, -40))),
    ],
    "tanh": [
        lambda r: r.uniform(-4, 4),
        lambda r: r.uniform(-22, 22),
        lambda r: signed(r, spread(r, -30, 0)),
        lambda r: signed(r, spread(r, -1022, -30)),
    ],
    "pow": [
        lambda r: (10000.0, 2 * r.randint(0, 511) / r.choice([4, 6, 8, 10, 16, 64, 100, 512, 768, 1000, 1024])),
        lambda r: (spread(r, -20, 20), r.uniform(-30, 30)),
        lambda r: (spread(r, -1022, 1023), signed(r, spread(r, -10, 0))),
        lambda r: (1 + signed(r, spread(r, -50, -10)), signed(r, spread(r, 10, 40))),
    ],
}
RANDOM["cos"] = RANDOM["sin"]

# Hard cases of the literature (Lefevre & Muller, "Worst cases for correct rounding of the elementary functions in double
# precision", 2001): values within 2^-54 units or less of a middle or of a float64, which main() checks.
WORST = {
    "exp": ["-0x1.ed318efb627eap-27", "0x1.9e9cbbfd6080bp-31", "0x1.accfbe46b4ef0p-1", "0x1.d6336a88077aap+0"],
    "log": ["0x1.62a88613629b6p+678"],
    "sin": ["0x1.e0000000001c2p-20", "0x1.598bae9e632f6p-7", "0x1.fe767739d0f6dp-2"],
    "cos": ["0x1.8000000000009p-23", "0x1.06b505550e6b2p-9", "0x1.34ec2f9fc9c00p+1"],
}

EDGES = {
    "exp": [709.782712893384, 709.7827128933841, -745.1332191019411, -745.1332191019412, -708.3964185322641,
            -708.396418532264, -709.0895657128241, 2.0**-54, -(2.0**-54), 2.0**-53, TINY, -TINY, 1.0, -1.0, 0.5],
    "log": [TINY, LEAST_NORMAL, LARGEST, math.nextafter(1, 0), math.nextafter(1, 2), 2.0, 0.5, 10.0, math.e,
            math.sqrt(2), math.nextafter(math.sqrt(2), 1), math.nextafter(LEAST_NORMAL, 0)],
    "sin": [TINY, LEAST_NORMAL, 2.0**-27, math.nextafter(2.0**-27, 0), 400000.0, math.nextafter(400000, 1e6), LARGEST,
            math.pi, math.pi / 2, 1e22, 6381956970095103 * 2.0**797, 5.319372648326541e255, -1e300, 1.0, 2.0**1000],
    "tanh": [TINY, LEAST_NORMAL, 2.0**-28, math.nextafter(2.0**-28, 0), 19.061547465398495, 19.061547465398498, 22.0,
             math.nextafter(22, 30), 18.714973875118524, 0.5, 1.0],
    "pow": [(2.0, 0.5), (10000.0, 0.5), (4.0, -0.5), (3.0, 33.0), (3.0, 34.0), (5.0, 22.0), (5.0, 23.0), (-3.0, 3.0),
            (-2.0, -1074.0), (2.0, -1074.0), (2.0, -1075.0), (2.0, 1023.0), (-2.5, 4.0), (7.0, -2.0), (10.0, 22.0),
            (10.0, 23.0), (10.0, -308.0), (10.0, -323.0), (9007199254740991.0, 2.0), (1.0000000000000002, 4.5e15),
            (0.9999999999999999, 4.5e15), (LARGEST, 0.5), (TINY, 0.5), (TINY, -0.9), (134217729.0, 2.0), (94906267.0, 2.0)],
}
EDGES["cos"] = EDGES["sin"]


# Ranges from which hard points are picked, each million by million.
POOLS = {
    "exp": [(-700, 700), (-20, 0), (-0.001, 0.001)],
    "log": [(0, 4), (0.999, 1.001), (4, 1e6)],
    "sin": [(-4, 4), (-1e5, 1e5), (-0.01, 0.01)],
    "cos": [(-4, 4), (-1e5, 1e5), (-0.01, 0.01)],
    "tanh": [(-4, 4), (-0.02, 0.02), (-0.0002, 0.0002)],
    "pow": [((10000, 10000), (0, 1)), ((0, 100), (-50, 50)), ((0.9, 1.1), (-1000, 1000))],
}


def hard(name, seed):
    """The 200 hardest points of 6 million from each of the function's pools."""
    rng = np.random.default_rng(seed)
    points = []
    for ranges in POOLS[name]:
        found = [p for _ in range(6) for p in near_middles(name, rng, ranges)]
        found.sort(key=lambda point: hardness(value_of(name, point)))
        points += found[:200]
    return points


def near_middles(name, rng, ranges):
    """Of a million random points, those whose 64-bit value ends in the bits of a middle: 1 and ten zeros."""
    million = 1_000_000
    if name == "pow":
        columns = [rng.uniform(*bounds, million) for bounds in ranges]
        values = columns[0].astype(np.longdouble) ** columns[1].astype(np.longdouble)
    else:
        columns = [rng.uniform(*ranges, million)]
        values = getattr(np, name)(columns[0].astype(np.longdouble))
    significands = values.view(np.uint64).reshape(-1, 2)[:, 0]
    chosen = [column[(significands & 0x7FF) == 0x400].tolist() for column in columns]
    return list(zip(*chosen)) if name == "pow" else chosen[0]


def arguments(name, rng):
    draw = RANDOM[name]
    points = [float.fromhex(h) for h in WORST.get(name, [])] + EDGES[name]
    return points + [draw[i % len(draw)](rng) for i in range(1000)] + hard(name, len(name))


def value_of(name, point):
    return FUNCTIONS[name](*point) if isinstance(point, tuple) else FUNCTIONS[name](point)


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "fixtures" / "math"
    check_worst()
    for name in FUNCTIONS:
        rng = random.Random(name)
        rows = [(*(p if isinstance(p, tuple) else (p,)), float(value_of(name, p))) for p in arguments(name, rng)]
        numbers = [x for row in rows for x in row]
        (folder / f"{name}.f64").write_bytes(struct.pack(f"<{len(numbers)}d", *numbers))
        print(f"{name}: {len(rows)} points")


if __name__ == "__main__":
    main()
