"""Tutorial 000: three inputs of four numbers, weights and biases, all drawn from NumPy's seed 3; attention without scaling.

Select everything from X to b_v (or the whole file) and run "Explain Attention". The weights stand at the left of column
vectors (A_q @ x), so switch to X·Wᵀ, and switch scaling off: the first row of the output is 1.91864032, 1.5888283,
-4.54884773, 0.85013971.
"""

import numpy as np

X = np.array([
    [1.7886284734303186, 0.43650985051198943, 0.09649746807200862, -1.8634927033644908],
    [-0.27738820251439905, -0.35475897926898675, -0.08274148148245977, -0.6270006768238473],
    [-0.04381816897592824, -0.47721803035950267, -1.3138647533626822, 0.8846223804995846],
])

A_q = np.array([
    [0.8813180422075299, 1.7095730636529485, 0.05003364217686021, -0.40467741460089085],
    [-0.5453599476195304, -1.5464773155829683, 0.9823674342581601, -1.1010676301114757],
    [-1.1850465270201729, -0.20564989942254108, 1.4861483550745902, 0.23671626722691233],
    [-1.0237851399264681, -0.7129932001120494, 0.6252449661628293, -0.1605133631869239],
])

A_k = np.array([
    [-0.76883635031923, -0.23003072227793905, 0.7450562664053708, 1.9761107831263025],
    [-1.244123328955937, -0.6264169111883692, -0.8037660945765764, -2.4190831731786697],
    [-0.9237920216957886, -1.0238757608428377, 1.1239779589574683, -0.1319142328009009],
    [-1.6232854458352473, 0.6466754522701722, -0.35627075944674486, -1.7431410369534588],
])

A_v = np.array([
    [-0.5966496416841992, -0.5885943796882429, -0.8738822977622994, 0.02971381536101662],
    [-2.248257767576606, -0.2677618648460562, 1.0131834418864945, 0.8527978409541495],
    [1.1081874999349925, 1.1193906553188915, 1.4875431319925396, -1.118300684400365],
    [0.845833407057182, -1.8608895289421137, -0.6028851040072183, -1.9144720434058142],
])

b_q = np.array([
    [1.0481475122462551],
    [1.3337378194424867],
    [-0.1974146791582499],
    [1.7746450314059348],
])

b_k = np.array([
    [-0.6747275103117134],
    [0.15061686536502228],
    [0.15294570276248168],
    [-1.0641952739365244],
])

b_v = np.array([
    [0.43794661128008205],
    [1.9389784604004943],
    [-1.0249308746080865],
    [0.8993384458408142],
])

# The same numbers from the seed, in the order in which the tutorial draws them.
np.random.seed(3)
drawn = [np.random.normal(size=(4, 1)) for _ in range(3)]
assert np.array_equal(X, np.hstack(drawn).T)
for written in (A_q, A_k, A_v):
    assert np.array_equal(written, np.random.normal(size=(4, 4)))
for written in (b_q, b_k, b_v):
    assert np.array_equal(written, np.random.normal(size=(4, 1)))

Q = X @ A_q.T + b_q.T
K = X @ A_k.T + b_k.T
V = X @ A_v.T + b_v.T
scores = Q @ K.T
weights = np.exp(scores - scores.max(axis=1, keepdims=True))
weights /= weights.sum(axis=1, keepdims=True)
print("weights\n", weights.round(8))
print("output\n", (weights @ V).round(8))
