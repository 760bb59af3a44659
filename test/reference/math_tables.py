"""Writes engine/math/tables.ts: values to 107 bits, as a double and what is left of it, by Python's decimal with 60 digits.

Run: python3 test/reference/math_tables.py > engine/math/tables.ts
"""
from decimal import Decimal as D, getcontext

getcontext().prec = 60


def pair(value):
    hi = float(value)
    return hi, float(value - D(hi))


def sine_cosine(x):
    """Taylor series; |x| < 1."""
    term, sine, cosine, n = D(1), D(0), D(0), 0
    while n < 60:
        (cosine, sine) = (cosine + term * (1, 0, -1, 0)[n % 4], sine + term * (0, 1, 0, -1)[n % 4])
        n += 1
        term = term * x / n
    return sine, cosine


def pi():
    """Gauss-Legendre."""
    a, b, t, p = D(1), 1 / D(2).sqrt(), D("0.25"), D(1)
    for _ in range(8):
        a, b, t, p = (a + b) / 2, (a * b).sqrt(), t - p * ((a - b) / 2) ** 2, 2 * p
    return (a + b) ** 2 / (4 * t)


def lines(name, comment, values):
    flat = [x for v in values for x in pair(v)]
    rows = [", ".join(repr(x) for x in flat[i:i + 4]) for i in range(0, len(flat), 4)]
    return f"/** {comment} */\nexport const {name}: readonly number[] = [\n  " + ",\n  ".join(rows) + ",\n];\n"


def three(value, bits=33):
    """A constant in three parts; the first two have so few bits that their products with small integers are exact."""
    parts, rest = [], value
    for _ in range(2):
        hi = float(rest)
        scale = D(2) ** (bits - rest.adjusted() * D("3.3219").to_integral_value() - 1)
        hi = float((rest * scale).to_integral_value() / scale)
        parts.append(hi)
        rest -= D(hi)
    return parts + [float(rest)]


print("// Written by test/reference/math_tables.py; each value is followed by what the double leaves of it.")
print(lines("powersOfTwo", "2^(j/64), j = 0 … 63.", [D(2) ** (D(j) / 64) for j in range(64)]))
print(lines("logarithms", "log(1 + j/128), j = −38 … 53 (offset 38).", [(D(1) + D(j) / 128).ln() for j in range(-38, 54)]))
print(lines("sines", "sin(j/64), j = 0 … 52.", [sine_cosine(D(j) / 64)[0] for j in range(53)]))
print(lines("cosines", "cos(j/64), j = 0 … 52.", [sine_cosine(D(j) / 64)[1] for j in range(53)]))
print("/** log(2) in three parts, the first two of 33 bits. */\nexport const ln2: readonly [number, number, number] = " + str([*map(float, three(D(2).ln()))]) + ";")
print("/** π/2 in three parts, the first two of 33 bits. */\nexport const halfPi: readonly [number, number, number] = " + str([*map(float, three(pi() / 2))]) + ";")


def two_over_pi(bits):
    """floor(2/π · 2^bits), π by Machin's formula in integers."""
    one = 1 << (bits + 64)

    def arctan_inverse(x):
        term = total = one // x
        n, sign = 3, -1
        while term:
            term //= x * x
            total += sign * (term // n)
            n, sign = n + 2, -sign
        return total

    pi_scaled = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))
    return (2 * one * one // pi_scaled) >> 64


print("/** floor(2/π · 2^1280): enough for the largest double. */\nexport const twoOverPi = 0x%xn;" % two_over_pi(1280))
