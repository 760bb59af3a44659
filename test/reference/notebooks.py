"""Ten notebooks in the styles of known tutorials, each with mistakes and without: run by Python, with what the cells print;
and where each mistake stands, by the doctor's name for it. Writes test/fixtures/notebooks/. Run with Python 3 and PyTorch 1.13, NumPy 1.24."""
import ast, contextlib, io, json, os, sys

OUT = os.path.join(os.path.dirname(__file__), '../fixtures/notebooks')


def run(cells):
    """Each cell's printed text, and the repr of its last expression."""
    space, outputs = {}, []
    for kind, source in cells:
        if kind != 'code':
            outputs.append(None)
            continue
        tree = ast.parse(source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        stream, value = io.StringIO(), None
        with contextlib.redirect_stdout(stream):
            exec(compile(tree, 'cell', 'exec'), space)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), 'cell', 'eval'), space)
        outputs.append((stream.getvalue(), None if value is None else repr(value)))
    return outputs


def notebook(cells):
    found, count = [], 0
    for (kind, source), output in zip(cells, run(cells)):
        lines = source.splitlines(keepends=True)
        if kind != 'code':
            found.append({'cell_type': 'markdown', 'metadata': {}, 'source': lines})
            continue
        count += 1
        text, value = output
        outs = []
        if text:
            outs.append({'name': 'stdout', 'output_type': 'stream', 'text': text.splitlines(keepends=True)})
        if value is not None:
            outs.append({'data': {'text/plain': value.splitlines(keepends=True)}, 'execution_count': count, 'metadata': {}, 'output_type': 'execute_result'})
        found.append({'cell_type': 'code', 'execution_count': count, 'metadata': {}, 'outputs': outs, 'source': lines})
    return {'cells': found, 'metadata': {'language_info': {'name': 'python'}}, 'nbformat': 4, 'nbformat_minor': 5}


def md(text):
    return ('markdown', text)


def code(text):
    return ('code', text.strip('\n'))


ALL = {}

# 1. Softmax over the wrong axis, as "LLMs from scratch" writes it.
ALL['01-simple-self-attention'] = ([
    md('# Self-attention with trainable weights'),
    code('''
import torch
inputs = torch.tensor(
  [[0.43, 0.15, 0.89], # Your     (x^1)
   [0.55, 0.87, 0.66], # journey  (x^2)
   [0.57, 0.85, 0.64], # starts   (x^3)
   [0.22, 0.58, 0.33], # with     (x^4)
   [0.77, 0.25, 0.10], # one      (x^5)
   [0.05, 0.80, 0.55]] # step     (x^6)
)
d_in, d_out = 3, 2
'''),
    code('''
import torch.nn as nn

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key   = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        keys = x @ self.W_key
        queries = x @ self.W_query
        values = x @ self.W_value
        attn_scores = queries @ keys.T # omega
        attn_weights = torch.softmax(attn_scores / keys.shape[-1]**0.5, dim=-1)
        context_vec = attn_weights @ values
        return context_vec

torch.manual_seed(123)
sa_v1 = SelfAttention_v1(d_in, d_out)
print(sa_v1(inputs))
'''),
], [('keys.shape[-1]**0.5, dim=-1', 'keys.shape[-1]**0.5, dim=0')])

# 2. A mask that shows one token of the future, as "Let's build GPT" writes it.
ALL['02-head-of-a-gpt'] = ([
    md('## version 4: self-attention!'),
    code('''
import torch
import torch.nn as nn
from torch.nn import functional as F
torch.manual_seed(1337)
B,T,C = 1,6,8
x = torch.randn(B,T,C)

# let's see a single Head perform self-attention
head_size = 4
key = nn.Linear(C, head_size, bias=False)
query = nn.Linear(C, head_size, bias=False)
value = nn.Linear(C, head_size, bias=False)
k = key(x)   # (B, T, 4)
q = query(x) # (B, T, 4)
wei = q @ k.transpose(-2, -1) * head_size**-0.5

tril = torch.tril(torch.ones(T, T))
wei = wei.masked_fill(tril == 0, float('-inf'))
wei = F.softmax(wei, dim=-1)

v = value(x)
out = wei @ v
out.shape
'''),
    code('wei[0]'),
    code('out[0]'),
], [('torch.tril(torch.ones(T, T))', 'torch.tril(torch.ones(T, T), diagonal=1)')])

# 3. Heads that are joined without turning them back, as "The Annotated Transformer" writes it.
ALL['03-multi-headed-attention'] = ([
    md('# Multi-head attention'),
    code('''
import math, copy
import torch
import torch.nn as nn

def clones(module, N):
    "Produce N identical layers."
    return nn.ModuleList([copy.deepcopy(module) for _ in range(N)])

def attention(query, key, value, mask=None, dropout=None):
    "Compute 'Scaled Dot Product Attention'"
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn
'''),
    code('''
class MultiHeadedAttention(nn.Module):
    def __init__(self, h, d_model):
        super(MultiHeadedAttention, self).__init__()
        assert d_model % h == 0
        self.d_k = d_model // h
        self.h = h
        self.linears = nn.ModuleList([nn.Linear(d_model, d_model) for _ in range(3)])
        self.attn = None

    def forward(self, query, key, value, mask=None):
        nbatches = query.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip(self.linears, (query, key, value))
        ]
        x, self.attn = attention(query, key, value, mask=mask)
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return x

torch.manual_seed(0)
mha = MultiHeadedAttention(h=2, d_model=4)
x = torch.randn(1, 3, 4)
out = mha(x, x, x)
print(out)
'''),
], [('x.transpose(1, 2).contiguous().view(nbatches', 'x.contiguous().view(nbatches')])

# 4. One softmax over the whole matrix, as "Illustrated: Self-Attention" has its numbers.
ALL['04-illustrated-integers'] = ([
    md('Three inputs, each with dimension 4'),
    code('''
import numpy as np

x = np.array([[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
w_key = np.array([[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
w_query = np.array([[1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
w_value = np.array([[0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])
keys = x @ w_key
querys = x @ w_query
values = x @ w_value
print(querys)
'''),
    code('''
attn_scores = querys @ keys.T / np.sqrt(3)
e = np.exp(attn_scores - attn_scores.max())
attn_scores_softmax = e / e.sum(axis=-1, keepdims=True)
attn_scores_softmax
'''),
    code('''
outputs = attn_scores_softmax @ values
print(np.round(outputs, 4))
'''),
], [('e.sum(axis=-1, keepdims=True)', 'e.sum()')])

# 5. A fill that is not low enough, as "Dive into Deep Learning" masks.
ALL['05-masked-softmax'] = ([
    md('## Attention pooling with valid lengths'),
    code('''
import math
import torch
from torch import nn

def masked_softmax(X, valid_lens):
    """Perform softmax operation by masking elements on the last axis."""
    maxlen = X.size(-1)
    mask = torch.arange(maxlen)[None, :] < valid_lens[:, None]
    X = X.masked_fill(~mask, -1e6)
    return nn.functional.softmax(X, dim=-1)

class DotProductAttention(nn.Module):
    """Scaled dot product attention."""
    def forward(self, queries, keys, values, valid_lens):
        d = queries.shape[-1]
        scores = torch.matmul(queries, keys.transpose(-2, -1)) / math.sqrt(d)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.matmul(self.attention_weights, values)
'''),
    code('''
torch.manual_seed(5)
queries, keys, values = torch.randn(4, 3), torch.randn(5, 3), torch.randn(5, 2)
valid_lens = torch.tensor([2, 3, 4, 5])
attention = DotProductAttention()
attention(queries, keys, values, valid_lens)
'''),
    code('attention.attention_weights'),
], [('~mask, -1e6', '~mask, -1e-6')])

# 6. Softmax taken twice, as articles in plain NumPy have it.
ALL['06-numpy-from-scratch'] = ([
    md('# The attention mechanism from scratch'),
    code('''
import numpy as np

def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)

# encoder representations of four different words
word_1 = np.array([1, 0, 0])
word_2 = np.array([0, 1, 0])
word_3 = np.array([1, 1, 0])
word_4 = np.array([0, 0, 1])
words = np.array([word_1, word_2, word_3, word_4])

np.random.seed(42) # to allow us to reproduce the same attention values
W_Q = np.random.randint(3, size=(3, 3))
W_K = np.random.randint(3, size=(3, 3))
W_V = np.random.randint(3, size=(3, 3))
Q = words @ W_Q
K = words @ W_K
V = words @ W_V
scores = Q @ K.transpose()
weights = softmax(scores / K.shape[1] ** 0.5)
attention = weights @ V
print(attention)
'''),
], [('weights = softmax(scores / K.shape[1] ** 0.5)', 'weights = softmax(softmax(scores / K.shape[1] ** 0.5))')])

# 7. Two: heads cut by a view alone, and weights scaled after the softmax, in the style of a university's course.
ALL['07-course-two-mistakes'] = ([
    md('### Multi-head attention, tutorial 6'),
    code('''
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def scaled_dot_product(q, k, v):
    d_k = q.size()[-1]
    attn_logits = torch.matmul(q, k.transpose(-2, -1))
    attn_logits = attn_logits / math.sqrt(d_k)
    attention = F.softmax(attn_logits, dim=-1)
    values = torch.matmul(attention, v)
    return values, attention

class MultiheadAttention(nn.Module):
    def __init__(self, input_dim, embed_dim, num_heads):
        super().__init__()
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = nn.Linear(input_dim, embed_dim)
        self.k_proj = nn.Linear(input_dim, embed_dim)
        self.v_proj = nn.Linear(input_dim, embed_dim)
        self.o_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x):
        batch_size, seq_length, _ = x.size()
        q = self.q_proj(x).reshape(batch_size, seq_length, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).reshape(batch_size, seq_length, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).reshape(batch_size, seq_length, self.num_heads, self.head_dim).transpose(1, 2)
        values, attention = scaled_dot_product(q, k, v)
        values = values.transpose(1, 2) # [Batch, SeqLen, Head, Dims]
        values = values.reshape(batch_size, seq_length, self.embed_dim)
        return self.o_proj(values), attention
'''),
    code('''
torch.manual_seed(42)
mha = MultiheadAttention(4, 4, 2)
o, attention = mha(torch.randn(1, 3, 4))
print("Output:")
print(o)
'''),
    code('attention'),
], [
    ('k = self.k_proj(x).reshape(batch_size, seq_length, self.num_heads, self.head_dim).transpose(1, 2)', 'k = self.k_proj(x).reshape(batch_size, self.num_heads, seq_length, self.head_dim)'),
    ('attn_logits = attn_logits / math.sqrt(d_k)\n    attention = F.softmax(attn_logits, dim=-1)', 'attention = F.softmax(attn_logits, dim=-1) / math.sqrt(d_k)'),
])

# 8. A mask that hides the past, with einsum.
ALL['08-einsum'] = ([
    md('Attention with einsum'),
    code('''
import torch
from torch import einsum

torch.manual_seed(8)
q, k, v = torch.randn(3, 1, 2, 4, 3).unbind(0)   # b h n d
sim = einsum('b h i d, b h j d -> b h i j', q, k) * 3 ** -0.5
causal_mask = torch.ones(4, 4, dtype=torch.bool).triu(1)
sim = sim.masked_fill(causal_mask, -torch.finfo(sim.dtype).max)
attn = sim.softmax(dim=-1)
out = einsum('b h i j, b h j d -> b h i d', attn, v)
'''),
    code('print(attn)'),
    code('print(out)'),
], [('.triu(1)', '.tril(-1)')])

# 9. Keys ask the queries, beside padding that is hidden as models of Hugging Face do it.
ALL['09-extended-mask'] = ([
    md('How BERT hides padding'),
    code('''
import math
import torch
from torch import nn

torch.manual_seed(9)
hidden = torch.randn(1, 5, 6)
attention_mask = torch.tensor([[1, 1, 1, 0, 0]])
extended_attention_mask = attention_mask[:, None, :].float()
extended_attention_mask = (1.0 - extended_attention_mask) * -10000.0

query, key, value = nn.Linear(6, 6), nn.Linear(6, 6), nn.Linear(6, 6)
query_layer, key_layer, value_layer = query(hidden), key(hidden), value(hidden)
attention_scores = torch.matmul(query_layer, key_layer.transpose(-1, -2))
attention_scores = attention_scores / math.sqrt(6)
attention_scores = attention_scores + extended_attention_mask
attention_probs = nn.functional.softmax(attention_scores, dim=-1)
context_layer = torch.matmul(attention_probs, value_layer)
'''),
    code('attention_probs'),
    code('context_layer'),
], [('torch.matmul(query_layer, key_layer.transpose(-1, -2))', 'torch.matmul(key_layer, query_layer.transpose(-1, -2))')])

# 10. Two: hidden after the softmax, and over the wrong axis, in the style of minGPT.
ALL['10-mingpt-two-mistakes'] = ([
    md('CausalSelfAttention'),
    code('''
import math
import torch
import torch.nn as nn
from torch.nn import functional as F

class CausalSelfAttention(nn.Module):
    def __init__(self, n_embd, n_head, block_size):
        super().__init__()
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)
        self.register_buffer("bias", torch.tril(torch.ones(block_size, block_size))
                                     .view(1, 1, block_size, block_size))
        self.n_head = n_head
        self.n_embd = n_embd

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias[:,:,:T,:T] == 0, float('-inf'))
        att = F.softmax(att, dim=-1)
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        print(att)
        return self.c_proj(y)
'''),
    code('''
torch.manual_seed(3)
attn = CausalSelfAttention(n_embd=4, n_head=2, block_size=8)
y = attn(torch.randn(1, 4, 4))
y
'''),
], [(
    "att = att.masked_fill(self.bias[:,:,:T,:T] == 0, float('-inf'))\n        att = F.softmax(att, dim=-1)",
    "att = F.softmax(att, dim=-2)\n        att = att.masked_fill(self.bias[:,:,:T,:T] == 0, 0)",
)])


def write(name, cells):
    with open(os.path.join(OUT, name), 'w') as file:
        json.dump(notebook(cells), file, indent=1)
        file.write('\n')


RULES = {
    '01': ['softmax-axis'], '02': ['mask-off-by-one'], '03': ['heads-merged'], '04': ['softmax-matrix'], '05': ['mask-fill'], '06': ['softmax-twice'],
    '07': ['heads-split', 'scale-after-softmax'], '08': ['mask-inverted'], '09': ['queries-keys-swapped'], '10': ['softmax-axis', 'mask-after-softmax'],
}


def places(cells, mistakes):
    """Cell and line of what is wrong, from 1; of two lines the second, which masks, comes after the first."""
    found = []
    for _, wrong in mistakes:
        for number, (kind, source) in enumerate(cells, 1):
            at = source.find(wrong)
            if at >= 0:
                for i, _line in enumerate(wrong.split('\n')):
                    found.append({'cell': number, 'line': source.count('\n', 0, at) + 1 + i})
    return found


expected = {}
for name, (cells, mistakes) in ALL.items():
    write(f'{name}.right.ipynb', cells)
    broken = cells
    for right, wrong in mistakes:
        before = broken
        broken = [(kind, source.replace(right, wrong)) for kind, source in broken]
        assert broken != before, (name, right)
    write(f'{name}.broken.ipynb', broken)
    expected[name] = [{'rule': rule, **place} for rule, place in zip(RULES[name[:2]], places(broken, mistakes), strict=True)]
with open(os.path.join(OUT, 'expected.json'), 'w') as file:
    json.dump(expected, file, indent=1)
    file.write('\n')
print(len(ALL), 'notebooks', sys.version.split()[0])

# Programs with what they printed in comments, and notebooks whose outputs are older than their code or start from draws that nobody can repeat.
PROGRAM = '''import numpy as np

def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

X = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 2.0], [1.0, 1.0, 1.0, 1.0]])
rng = np.random.RandomState(0)
W_q, W_k, W_v = [rng.randn(4, 4) for _ in range(3)]
Q, K, V = X @ W_q, X @ W_k, X @ W_v
scores = Q @ K.T / np.sqrt(4)
attn = softmax(scores, axis=AXIS)
print(attn)
#ATTN
out = attn @ V
print(out)
#OUT
'''


def program(axis, printed=None):
    """With its own output in comments, or with that of the program of another axis."""
    def lines(of):
        space = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(PROGRAM.replace('AXIS', of), space)
        return {name: '# ' + repr_of(space[name]) for name in ('attn', 'out')}

    def repr_of(a):
        return str(a.round(4)).replace('\n', '\n# ')
    shown = lines(printed or axis)
    return PROGRAM.replace('AXIS', axis).replace('#ATTN', shown['attn']).replace('#OUT', shown['out'])


for name, text in {
    'own-broken.py': program('0'), 'own-right.py': program('-1'),
    'older-broken.py': program('-1', printed='0'), 'older-right.py': program('0', printed='-1'),
}.items():
    with open(os.path.join(OUT, name), 'w') as file:
        file.write(text)

UNSEEDED = [
    code('''
import math
import torch
import torch.nn as nn
x = torch.randn(4, 6)
W_q, W_k, W_v = nn.Linear(6, 3), nn.Linear(6, 3), nn.Linear(6, 3)
Q, K, V = W_q(x), W_k(x), W_v(x)
'''),
    code('print(Q)'), code('print(K)'), code('print(V)'),
    code('''
scores = Q @ K.T / math.sqrt(3)
weights = torch.softmax(scores, dim=0)
print(weights)
'''),
    code('weights @ V'),
]
for name, cells in {
    'unseeded.broken.ipynb': UNSEEDED,
    'unseeded.right.ipynb': [(kind, source.replace('dim=0', 'dim=-1')) for kind, source in UNSEEDED],
    'unseeded-unprinted.ipynb': UNSEEDED[:1] + UNSEEDED[4:],
}.items():
    # The draws of all three are the same, and none of their cells says which.
    exec('import torch; torch.manual_seed(77)')
    write(name, cells)
