"""Values of the variables of short programs, by running them: constructors, random numbers after a seed, expressions.

Run: python3 test/reference/parse_program.py > test/fixtures/parse/program.json
Needs NumPy and PyTorch. `exact` is false where elementary functions or the order of a sum may differ in the last bits.
"""
import json

import numpy as np
import torch

NUMPY = "import numpy as np\nimport math\n"
TORCH = "import torch\nimport torch.nn.functional as F\nimport math\n"
cases = []


def add(name, text, exact=True):
    space = {"print": lambda *values: None}
    exec(text, space)
    names = {}
    for key, value in space.items():
        if key.startswith("__"):
            continue
        if isinstance(value, torch.Tensor):
            value = value.detach().numpy()
        elif isinstance(value, list):
            value = np.array(value)
        if isinstance(value, (int, float, np.ndarray, np.generic)) and not isinstance(value, bool):
            a = np.asarray(value)
            if a.dtype.kind in "bif":
                dtype = None if isinstance(value, (int, float)) and not isinstance(value, np.generic) else str(a.dtype)
                names[key] = dict(shape=list(a.shape), dtype=dtype, values=[number(x) for x in a.ravel()])
    cases.append(dict(name=name, text=text, exact=exact, names=names))


def number(x):
    x = float(x)
    if np.isnan(x):
        return "nan"
    if np.isinf(x):
        return "inf" if x > 0 else "-inf"
    return "-0" if x == 0 and np.signbit(x) else x


add("numpy constructors", NUMPY + """
a = np.eye(3)
b = np.eye(3, 4, k=1)
c = np.identity(2, dtype=int)
d = np.zeros((2, 3))
e = np.ones((2, 2), dtype=np.float32)
f = np.full((2, 3), -np.inf)
g = np.full((2, 2), 7)
h = np.arange(12).reshape(3, 4)
i = np.arange(0.1, 1, 0.3)
j = np.arange(10, 0, -3)
k = np.linspace(0, 1, 7)
l = np.linspace(-2.5, 3, num=4, endpoint=False)
m = np.tril(np.ones((3, 3)))
n = np.triu(np.full((4, 4), float('-inf')), k=1)
o = np.triu(np.arange(12).reshape(3, 4), -1)
p = np.diag([1, 2, 3])
q = np.diag(np.arange(9).reshape(3, 3), k=1)
r = np.zeros_like(h)
s = np.ones_like([[1.5, 2]])
t = np.arange(24).reshape(2, 3, -1)
u = np.tri(3, 4, k=1)
v = np.array([[1, 2.5], [3, -0.0]])
w = np.diag([1., 2.], k=-1)
x = np.full_like(d, 3)
""")
add("numpy expressions", NUMPY + """
Q = np.array([[1.5, -2.25, 3.0], [0.125, 4.0, -1.0]])
K = np.array([[0.5, 1.0, -1.5], [2.0, 0.25, 3.0], [1.0, 1.0, 1.0], [0.1, 0.2, 0.3]])
d_k = K.shape[-1]
n = len(K)
S = Q @ K.T
scaled = S / math.sqrt(d_k)
same = np.matmul(Q, K.T) * d_k ** -0.5
neg = -Q
twice = 2 * Q + 1
half = (Q - 0.5) / 2
dots = np.dot(Q, np.transpose(K))
A, B, C = Q + 1, K * 2, [[1, 2], [3, 4]]
D = np.array(C) @ np.array(C)
E = np.array(C) / 2
D += 1
copied = Q
Q = Q * 10
again = copied + Q
wide = K.reshape(3, 4)
row = Q[0]
x = np.array([1, 2, 3])
outer = x.reshape(3, 1) + x
vec = Q @ x
batch = np.arange(12).reshape(2, 2, 3)
swapped = batch.transpose(0, 2, 1)
prod = batch @ swapped
f32 = Q.astype(np.float32) @ K.T.astype(np.float32)
stacked = np.stack([Q, Q + 1])
joined = np.concatenate([Q, K], axis=0)
v = np.vstack([x, x * 2])
g = np.array([x, x + 1])
m = np.where(np.tril(np.ones((3, 3))) == 0, -np.inf, 0.0)
b = np.triu(np.ones((3, 3)), k=1).astype(bool)
inv = ~b
root = np.sqrt(d_k)
sq = np.sqrt(np.array([[4.0, 2.0]]))
p = Q ** 2
mx = S.max(axis=-1, keepdims=True)
i32 = np.array([[1, 2], [3, 4]], dtype=np.int32) + 1
""")
add("numpy functions", NUMPY + """
S = np.array([[0.3, -1.2, 2.5], [1.0, 1.0, 1.0]])
e = np.exp(S)
weights = e / e.sum(axis=-1, keepdims=True)
shifted = np.exp(S - np.max(S, axis=1, keepdims=True))
out = weights @ np.arange(6).reshape(3, 2)
t = np.tanh(S)
mean = S.mean(axis=0)
total = np.sum(S)
""", exact=False)
add("a mask written in place", NUMPY + """
seq_len, d_k, d_v = 4, 8, 8
mask = np.triu(np.ones((seq_len, seq_len)), k=1)
before = mask.copy()
mask[mask == 1] = -np.inf
""")
add("tutorial 000", NUMPY + """
np.random.seed(3)
N = 3
D = 4
x_1 = np.random.normal(size=(D,1))
x_2 = np.random.normal(size=(D,1))
x_3 = np.random.normal(size=(D,1))
A_q = np.random.normal(size=(D,D))
A_k = np.random.normal(size=(D,D))
A_v = np.random.normal(size=(D,D))
b_q = np.random.normal(size=(D,1))
b_k = np.random.normal(size=(D,1))
b_v = np.random.normal(size=(D,1))
q_1 = A_q @ x_1 + b_q
X = np.array([x_1, x_2, x_3]).squeeze()
Q = X @ A_q.T + b_q.T
K = X @ A_k.T + b_k.T
V = X @ A_v.T + b_v.T
dot_pdts = Q @ K.T
""", exact=False)
add("numpy global draws", NUMPY + """
np.random.seed(42)
a = np.random.rand(3, 2)
b = np.random.randn(2, 3)
c = np.random.normal(5, 2, (2, 2))
print(a.mean(), np.zeros(3))
d = np.random.uniform(-1, 1, size=(2, 2))
e = np.random.randint(0, 10, size=(2, 4))
f = np.random.standard_normal((3,))
g = np.random.random((2, 2))
h = np.random.randint(5, size=3)
i = np.random.randn()
j = np.random.random_sample((1, 2))
k = np.random.randn(3)
np.random.seed(0)
m = np.random.randn(2, 2) * 0.1
""", exact=False)
add("numpy generators", NUMPY + """
rng = np.random.default_rng(7)
rs = np.random.RandomState(7)
a = rng.standard_normal((2, 3))
b = rs.randn(2, 3)
c = rng.normal(1.0, 0.5, size=(2, 2))
d = rng.integers(0, 100, size=(3, 3))
e = rng.random((2, 2))
f = rs.uniform(0, 2, (2,))
g = rng.uniform(-1, 1, 4)
h = np.random.default_rng(3).random(3)
""", exact=False)
add("torch", TORCH + """
torch.manual_seed(3)
Q = torch.randn(4, 8)
K = torch.randn((4, 8))
V = torch.rand(4, 2)
ids = torch.randint(0, 9, (2, 3))
D = torch.randn(2, 3, dtype=torch.float64)
L = torch.randn_like(V)
d_k = K.size(-1)
S = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
W = F.softmax(S, dim=-1)
W2 = torch.softmax(S, -1)
O = torch.matmul(W, V)
eye = torch.eye(2)
m = torch.tril(torch.ones(3, 3))
hidden = torch.zeros(3, 3).masked_fill(m == 0, float('-inf'))
u = torch.full((2, 2), 5)
ar = torch.arange(6).view(2, 3)
af = torch.arange(6).float().reshape(3, 2).T
t = torch.tensor([[1, 2], [3, 4]]) / 2
b = torch.triu(torch.ones(3, 3), diagonal=1).bool()
st = torch.stack([t, t * 2])
ct = torch.cat([t, t], dim=1)
p = t.permute(1, 0)
un = t.unsqueeze(0)
dd = torch.tensor([[1.0, 2.0]], dtype=torch.float64) + 0.1
""", exact=False)

version = {"numpy": np.__version__, "torch": torch.__version__}
print("{\n" + f'"versions": {json.dumps(version)},\n"cases": [\n' + ",\n".join(map(json.dumps, cases)) + "\n]}")
