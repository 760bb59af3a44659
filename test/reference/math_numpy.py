"""NumPy's elementary functions. Reads float64 arguments from standard input and writes float64 values: first all values of the
float64 function, then all values of the long double function, rounded to float64. On x86-64 long double has 80 bits, so these
are nearly always correctly rounded. The float64 functions are vectorised and can be 3 units in the last place off.

    python3 test/reference/math_numpy.py exp|log|sin|cos|tanh < arguments > values
    python3 test/reference/math_numpy.py pow < x, y, x, y, ... > values
"""

import sys

import numpy as np

name = sys.argv[1]
numbers = np.frombuffer(sys.stdin.buffer.read(), "<f8")


def evaluate(dtype):
    x = numbers.astype(dtype)
    values = x[0::2] ** x[1::2] if name == "pow" else getattr(np, name)(x)
    return values.astype("<f8").tobytes()


with np.errstate(all="ignore"):
    sys.stdout.buffer.write(evaluate(np.float64) + evaluate(np.longdouble))
