"""What goes wrong, one of each: select a statement, run "Explain Attention" and read the message.

This file is not meant to run: NumPy refuses several of these lines, too.
"""

import numpy as np

# Ragged: the third row has one number less.
ragged = [
    [1.0, 2.0, 3.0],
    [4.0, 5.0, 6.0],
    [7.0, 8.0],
]

# Elided: NumPy printed dots in place of numbers.
elided = np.array([[0.1, 0.2, ..., 0.9, 1.0],
                   [1.1, 1.2, ..., 1.9, 2.0]])

# A string where a number should be.
string = [[1.0, 2.0], ["three", 4.0]]

# Q and K of different widths: QKᵀ is not defined.
Q = [[1, 2, 3, 4], [5, 6, 7, 8]]
K = [[1, 2, 3], [4, 5, 6]]

# A bracket that is never closed.
unbalanced = [[1, 2], [3, 4]

# A complex number, and nothing at all.
complex_number = [[1 + 2j, 3], [4, 5]]
empty = np.array([])

# Not wrong: NaN and infinities are shown as they are, with a note.
not_finite = np.array([[1.0, np.nan], [-np.inf, 2.0]])
