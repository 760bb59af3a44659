"""NumPy's elementary functions over float64 from standard input, float64 to standard output.

    python3 test/reference/math_numpy.py exp|log|sin|cos|tanh < arguments > values
    python3 test/reference/math_numpy.py pow < x, y, x, y, ... > values
"""

import sys

import numpy as np

name = sys.argv[1]
x = np.frombuffer(sys.stdin.buffer.read(), "<f8")
with np.errstate(all="ignore"):
    values = x[0::2] ** x[1::2] if name == "pow" else getattr(np, name)(x)
sys.stdout.buffer.write(values.astype("<f8").tobytes())
