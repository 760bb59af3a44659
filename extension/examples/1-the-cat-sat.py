""""The cat sat on the mat", scaled, with a causal mask. Q and K are the four tokens that it prints.

Select Q and K and run "Explain Attention"; switch the causal mask on to see the rows that this program prints.
"""

import math

import numpy as np

sentence = "The cat sat on the mat"

Q = np.array([
    [0.09734245, -1.23944871, -1.95007434, -1.21171088, -1.39929826, -0.31226623, 0.31715713, -0.04633441],
    [-1.08375397, 0.66662904, -0.98343286, 0.0560969, 0.89519004, 0.10004913, -1.0552281, 0.69236504],
    [0.28716318, -1.82738228, 0.81813136, -1.68986197, 0.04376673, 0.3502005, -0.0423009, -0.41868561],
    [1.50431526, -0.22491201, -0.05686595, 0.33269655, 0.02673335, -0.1195548, -0.45053287, 0.6156462],
])

K = np.array([
    [0.86628805, 0.94090168, -0.26610346, -0.64998308, 1.0927421, 0.84253231, 0.87369975, 1.05338847],
    [-1.424108, -0.32713153, 0.71388877, 0.61280272, 0.17939416, -0.87583657, -0.52110976, -1.161473],
    [-0.76329217, 1.07186251, -0.48726729, 0.67996207, 0.26643412, -0.89958272, 1.88396001, 0.49325744],
    [-1.71032029, -1.1453007, -0.91363038, -0.85842559, -1.24469381, -0.30221369, 1.13283269, 0.7531194],
])

d_k = Q.shape[1]
scaled = Q @ K.T / math.sqrt(d_k)
masked = np.where(np.triu(np.ones(scaled.shape, dtype=bool), k=1), -np.inf, scaled)
weights = np.exp(masked - masked.max(axis=1, keepdims=True))
weights /= weights.sum(axis=1, keepdims=True)
print(weights.round(8))
