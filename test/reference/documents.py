"""Thirty small documents with numbers as NumPy and PyTorch print them, and the same thirty with one error each.

Writes test/fixtures/documents.json: [{"name", "right", "wrong", "rule", "at"}]; `at` is what the mark has to touch.
Run with /usr/bin/python3 (NumPy 1.24, torch 1.13).
"""
import json, math, os
import numpy as np
import torch

np.set_printoptions(precision=4, suppress=True)
documents = []


def soft(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def add(name, right, wrong, rule, at):
    assert right != wrong, name
    assert at in wrong, (name, at)
    documents.append(dict(name=name, right=right, wrong=wrong, rule=rule, at=at))


def change(text, old, new):
    assert text.count(old) >= 1, old
    return text.replace(old, new, 1)


def r(m, digits=2):
    return '[' + ',\n '.join('[' + ', '.join(f'{x:.{digits}f}' for x in row) + ']' for row in m) + ']'


def tex(m, digits=2):
    return r'\begin{pmatrix}' + r' \\ '.join(' & '.join(f'{x:.{digits}f}' for x in row) for row in m) + r'\end{pmatrix}'


def table(m, words, digits=2):
    head = '| | ' + ' | '.join(words) + ' |\n|' + '---|' * (len(words) + 1)
    return head + '\n' + '\n'.join('| ' + w + ' | ' + ' | '.join(f'{x:.{digits}f}' for x in row) + ' |' for w, row in zip(words, m))


def given(seed, n=3, m=3, d=4, e=2, digits=1):
    g = np.random.RandomState(seed)
    return [np.round(g.normal(size=s), digits) for s in ((n, d), (m, d), (m, e))]


# --- matrices and prose, without code ---------------------------------------------------

for seed, digits in ((1, 2), (2, 3), (3, 4)):
    Q, K, V = given(seed)
    S = Q @ K.T
    T = S / 2
    W = soft(T)
    O = W @ V
    doc = f"""# Attention by hand

Three tokens, each with a query, a key and a value.

Q =
{r(Q, 1)}

K =
{r(K, 1)}

V =
{r(V, 1)}

First every query meets every key: QKᵀ.

scores =
{r(S, digits)}

We divide by √d_k, where d_k = 4, so by 2.

scaled scores =
{r(T, digits)}

Softmax over each row. The rows of the attention weights sum to 1.

attention weights =
{r(W, digits)}

The weights times V:

output =
{r(O, digits)}
"""
    if seed == 1:
        add('divisor 4 in the digits, 2 in the text', doc, change(doc, r(T, digits), r(S / 4, digits)), 'follows', r(S / 4, digits))
        add('transposed scores', doc + '\n', change(doc + '\n', r(S, digits), r(S.T, digits)), 'follows', r(S.T, digits))
    if seed == 2:
        add('softmax over columns', doc, change(doc, r(W, digits), r(soft(T, 0), digits)), 'follows', r(soft(T, 0), digits))
        add('one digit of the output', doc + '\n', change(doc + '\n', r(O, digits), r(O + np.eye(3, 2) * 0.3, digits)), 'follows', r(O + np.eye(3, 2) * 0.3, digits))
    if seed == 3:
        add('softmax over the matrix', doc, change(doc, r(W, digits), r(np.exp(T) / np.exp(T).sum(), digits)), 'follows', r(np.exp(T) / np.exp(T).sum(), digits))
        bad = W.copy()
        bad[1, 0] += 0.1
        add('a row that sums to 1.1', doc + '\n', change(doc + '\n', r(W, digits), r(bad, digits)), 'follows', r(bad, digits))

Q, K, V = given(4, 2, 4, 3, 2)
S = Q @ K.T
W = soft(S / math.sqrt(3))
doc = rf"""## Two queries, four keys

$$Q = {tex(Q, 1)}, \quad K = {tex(K, 1)}, \quad V = {tex(V, 1)}$$

The scores are $QK^\top$. With $d_k = 3$ they are divided by $\sqrt{{3}} \approx 1.732$.

Attention weights:

$$A = {tex(W, 3)}$$

The attention weights have shape 2 × 4. The largest attention weight is {W.max():.3f}.
"""
add('a root that is none', doc, change(doc, r'\sqrt{3} \approx 1.732', r'\sqrt{3} \approx 1.414'), 'divisor', '1.414')

words = ['the', 'cat', 'sat']
Q, K, V = given(5)
S = Q @ K.T
W = soft(S / 2)
doc = f"""# Who looks at whom

Scores:

{table(S, words)}

After scaling with d_k = 4, softmax turns the scores of "cat" into attention weights:

- the: {W[1, 0]:.2f}
- cat: {W[1, 1]:.2f}
- sat: {W[1, 2]:.2f}

So "cat" takes most from where its score is highest.
"""
bad = [W[1, 2], W[1, 0], W[1, 1]]
wrong = doc
for word, old, new in zip(words, W[1], bad):
    wrong = change(wrong, f'- {word}: {old:.2f}\n', f'- {word}: {new:.2f} \n')
add('listed weights in another order', doc, wrong.replace(' \n-', '\n-'), 'follows', f'- the: {bad[0]:.2f}')

# --- blocks of code with what they print ------------------------------------------------

code = """import numpy as np
Q = np.array([[1.0, 0.5], [0.2, -1.0], [0.3, 0.8]])
K = np.array([[0.4, 1.0], [1.5, -0.2], [-0.7, 0.6]])
V = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
scores = Q @ K.T
print(scores)"""
env = {}
exec(code.replace('print(scores)', ''), env)
S, V = env['scores'], env['V']
W = soft(S / math.sqrt(2))
doc = f"""# Scores in NumPy

```python
{code}
```

```
{S}
```

The scores have shape (3, 3).

Now the weights:

```python
weights = np.exp(scores / np.sqrt(2))
weights = weights / weights.sum(axis=-1, keepdims=True)
print(weights)
```

Output:

```
{W}
```

The rows of the weights sum to 1. The largest weight is {W.max():.4f}.
"""
other = S.copy()
other[2] = np.array([0.3, 0.5]) @ env['K'].T
add('an output from before an edit', doc, change(doc, str(S), str(other)), 'printed', str(other))
add('a transposed output', doc + '\n', change(doc + '\n', str(S), str(S.T)), 'printed', str(S.T))
add('a wrong shape in prose', doc + '\n\n', change(doc + '\n\n', 'shape (3, 3)', 'shape (3, 2)'), 'shape', 'shape (3, 2)')
add('columns said for rows', doc + '\n\n\n', change(doc + '\n\n\n', 'The rows of the weights sum', 'The columns of the weights sum'), 'sum', 'columns of the weights')
add('another largest weight', doc + '\n\n\n\n', change(doc + '\n\n\n\n', f'largest weight is {W.max():.4f}', f'largest weight is {W.max() + 0.1:.4f}'), 'number', 'largest weight')
soon = soft(S)
add('printed before it was scaled', doc + ' ', change(doc + ' ', str(W), str(soon)), 'printed', str(soon))

code = """import numpy as np
np.random.seed(0)
X = np.random.randn(4, 6)
W_q, W_k, W_v = (np.random.randn(6, 3) for _ in range(3))
Q, K, V = X @ W_q, X @ W_k, X @ W_v
scores = Q @ K.T / np.sqrt(3)
weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
weights /= weights.sum(axis=-1, keepdims=True)
out = weights @ V"""
env = {}
exec(code, env)
doc = f"""# Self-attention from a seed

```python
{code}
weights.round(3)
```

gives

```text
{np.array2string(env['weights'].round(3), separator=', ')}
```

```python
print(out)
```

prints the following:

```
{env['out']}
```

a 4x3 matrix. `weights[0, 1]` is {env['weights'][0, 1]:.3f}.
"""
add('a shape behind an output', doc, change(doc, 'a 4x3 matrix', 'a 3x4 matrix'), 'shape', 'a 3x4 matrix')
add('a cell by its indices', doc + '\n', change(doc + '\n', f"is {env['weights'][0, 1]:.3f}", f"is {env['weights'][1, 0]:.3f}"), 'number', 'weights[0, 1]')
out = env['out'].copy()
out[2, 1] += 0.25
add('one number of an output', doc + '\n\n', change(doc + '\n\n', str(env['out']), str(out)), 'printed', str(out))

code = """import torch
torch.manual_seed(7)
x = torch.randn(3, 4)
w_q = torch.nn.Linear(4, 4, bias=False)
w_k = torch.nn.Linear(4, 4, bias=False)
q = w_q(x)
k = w_k(x)
scores = q @ k.T
attn = torch.softmax(scores / 4 ** 0.5, dim=-1)"""
env = {}
exec(code, env)
x, scores, attn = env['x'], env['scores'], env['attn']
doc = f"""### In PyTorch

```py
{code}
```

```py
print(x)
print(scores)
```

```
{x}
{scores}
```

```py
attn
```

```
{attn}
```

Each row of `attn` sums to 1, and `attn` has shape (3, 3).
"""
add('PyTorch, scores of K and Q', doc, change(doc, str(scores), str(env['k'] @ env['q'].T)), 'printed', str(env['k'] @ env['q'].T))
add('PyTorch, a shape by name', doc + '\n', change(doc + '\n', 'shape (3, 3)', 'shape (3, 4)'), 'shape', 'shape (3, 4)')

# --- comments ---------------------------------------------------------------------------

code = """import numpy as np
def softmax(x):
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)
Q = np.array([[1., 0.], [0., 2.]])
K = np.array([[1., 1.], [0.5, 0.]])
scores = Q @ K.T
"""
env = {}
exec(code, env)
S = env['scores']
W = soft(S)
note = '# ' + str(S).replace('\n', '\n# ')
last = f'probs = softmax(np.array([1.0, 2.0, 3.0]))  # {soft(np.array([1.0, 2.0, 3.0]))}\n'
doc = f"""# With comments

```python
{code}{note}
{last}```
"""
swapped = '# ' + str(S.T).replace('\n', '\n# ')
add('a comment below a line', doc, change(doc, note, swapped), 'printed', str(S.T).split('\n')[0])
wrong = str(np.array([0.09, 0.2447, 0.7652]))
add('a comment behind a line', doc + '\n', change(doc + '\n', str(soft(np.array([1.0, 2.0, 3.0]))), wrong), 'printed', wrong)

# --- notebooks that were copied as text -------------------------------------------------

rs = np.random.RandomState(11)
Q, K = rs.randn(3, 4), rs.randn(3, 4)
np.set_printoptions(precision=8, suppress=True)
S = Q @ K.T
T = S / 2
W = soft(T)


def copied(extra='', scores=S, scaled=T, weights=W, name='scaled', line='softmax(scaled)', body='np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)'):
    return f"""# Attention in a notebook

In [1]:
import numpy as np
Q = np.random.randn(3, 4)
K = np.random.randn(3, 4)
print("Q\\n", Q)
print("K\\n", K)

Q
 {str(Q).replace(chr(10), chr(10) + ' ')}
K
 {str(K).replace(chr(10), chr(10) + ' ')}

In [2]:
scores = Q @ K.T
scores

{repr(scores)}

In [3]:
scaled = scores / np.sqrt(4)
print("variance:", {name}.var())
scaled

variance: {T.var()}
{repr(scaled)}

In [4]:
def softmax(x):
    return {body}
weights = {line}
print(f'weights:\\n{{weights}}')

weights:
{weights}
{extra}"""


add('a notebook, scores transposed', copied(), copied(scores=S.T), 'printed', repr(S.T)[:20])
add('a notebook, scaled by d', copied() + '\n', copied(scaled=S / 4) + '\n', 'printed', repr(S / 4)[:20])
add('a notebook, a name that is not there', copied() + '\n\n', copied(name='normalized') + '\n\n', 'name', 'normalized')
flat = np.exp(T) / np.exp(T).sum()
say = '\nEach row of the weights sums to 1.\n'
code_right = copied(extra='\nIn [5]:\nV = np.eye(3)\nout = weights @ V\n')
code_wrong = copied(extra='\nIn [5]:\nV = np.eye(3)\nout = weights @ V\n', weights=flat, body='np.exp(x) / np.exp(x).sum()')
add('a notebook, softmax of the matrix', code_right, code_wrong, 'code', 'np.exp(x) / np.exp(x).sum()')
add('a notebook, symmetric scores', copied() + '\n#### Look\n\nThe scores are not symmetric.\n', copied() + '\n#### Look\n\nThe scores are symmetric.\n', 'symmetric', 'The scores are symmetric')

# --- formulas, docstrings, general claims -----------------------------------------------

doc = r"""# In rows

With a query in each row, $Q \in \mathbb{R}^{n \times d}$ and

$$\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right) V$$

The rows of the attention weights sum to one. With $Q = K$ the scores $QK^\top$ are symmetric.
"""
add('V on the left', doc, change(doc, r'\text{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right) V', r'V \, \text{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)'), 'formula', r'V \, \text{softmax}')
add('rows of the output', doc + '\n', change(doc + '\n', 'The rows of the attention weights sum', 'The rows of the output sum'), 'sum', 'rows of the output')
add('symmetric weights', doc + '\n\n', change(doc + '\n\n', 'the scores $QK^\\top$ are symmetric', 'the attention weights are symmetric'), 'symmetric', 'attention weights are symmetric')

doc = '''# A function

```python
import numpy as np

def attention(X, W):
    """Attention without much.

    Args:
        X: X is a NxD matrix, a token in each row
        W: W is a DxD matrix
    """
    Q = X @ W
    S = Q @ X.T
    A = np.exp(S) / np.exp(S).sum(axis=-1, keepdims=True)
    return A @ X

N, D = 5, 2
X = np.ones((N, D))
W = np.eye(D)
out = attention(X, W)
```

The `out` is a 5×2 matrix. Here √9 = 3.
'''
add('a docstring the other way round', doc, change(doc, 'X is a NxD', 'X is a DxN'), 'shape', 'X is a DxN')
add('a matrix by its name', doc + '\n', change(doc + '\n', 'is a 5×2 matrix', 'is a 2×5 matrix'), 'shape', '2×5 matrix')

folder = os.path.join(os.path.dirname(__file__), '..', 'fixtures')
with open(os.path.join(folder, 'documents.json'), 'w') as out:
    json.dump(documents, out, ensure_ascii=False, indent=1)
    out.write('\n')
print(len(documents))
