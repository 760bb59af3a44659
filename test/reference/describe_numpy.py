"""NumPy's minimum, maximum, mean and standard deviation of float64 values on standard input, in extended precision, as float64."""

import sys

import numpy as np

values = np.frombuffer(sys.stdin.buffer.read(), dtype="<f8").astype(np.longdouble)
found = values[np.isfinite(values)]
numbers = [found.min(), found.max(), np.mean(found), np.std(found)]
sys.stdout.buffer.write(np.array(numbers, dtype="<f8").tobytes())
