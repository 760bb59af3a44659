"""Y_2 step by step. Column vectors, so W_q @ x; float32; no scaling.

Select from x_1 to W_v and run "Explain Attention". Switch scaling off and dtype to float32: the second row of weights is
0.00466374, 0.5462668, 0.0000032, 0.4490663.
"""

import numpy as np

x_1 = np.array([[-0.20886648], [0.5476398], [0.72447395], [-1.1310507]], dtype=np.float32)
x_2 = np.array([[0.1870852], [-1.3414632], [-1.1067361], [-1.3406332]], dtype=np.float32)
x_3 = np.array([[-1.4844604], [0.60378075], [0.39966342], [-0.7903915]], dtype=np.float32)
x_4 = np.array([[-0.39180905], [-1.2203115], [1.0298591], [-0.23658466]], dtype=np.float32)

W_q = np.array([
    [0.0558263, -1.7287809, 0.06325671, 0.8925434],
    [0.44502732, 2.3946028, -0.7817421, -0.5631514],
    [0.8664166, 0.14898889, -1.2681427, -1.3942317],
    [-0.52701306, 0.6796619, 0.95935136, -0.8240369],
], dtype=np.float32)
W_k = np.array([
    [1.4865062, 0.53539854, 0.707822, -0.3496642],
    [-0.36981565, -0.43839103, 0.06208184, -0.34790948],
    [1.5218863, -1.1896831, 0.3180406, 1.2518362],
    [0.4551281, -1.190138, 1.8135393, 0.6393279],
], dtype=np.float32)
W_v = np.array([
    [-1.9406502, 0.35411984, -0.59085363, -0.40704426],
    [0.8450196, -0.21295227, 2.219851, -0.58515114],
    [1.1703489, 1.7554591, 1.4085048, -0.09804194],
    [0.40726846, -0.44613966, -0.89044726, 0.1120782],
], dtype=np.float32)

xs = [x_1, x_2, x_3, x_4]
q_2 = W_q @ x_2
scores = np.array([(q_2.T @ (W_k @ x)).item() for x in xs], dtype=np.float32)
weights = np.exp(scores - scores.max())
weights /= weights.sum()
y_2 = sum(w * (W_v @ x) for w, x in zip(weights, xs))
print("weights", weights)
print("y_2", y_2.T)
