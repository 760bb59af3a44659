"""Cells with dropout in training, and what they print, as a notebook keeps it. Writes test/fixtures/program-dropout.json.
Run with Python 3 and PyTorch 1.13 or 2, not with MKL on a processor of Intel: there PyTorch draws others."""
import contextlib
import io
import json
import os

CELLS = [
    '''import torch
import torch.nn as nn
import torch.nn.functional as F
def show(name, a):
    print(name, a)
torch.manual_seed(5)
x = torch.randn(2, 4, 6)
''',
    '''torch.manual_seed(123)
drop = nn.Dropout(0.5)
print(drop(torch.ones(6, 6)))
''',
    '''torch.manual_seed(11)
weights = torch.softmax(x @ x.transpose(1, 2), dim=-1)
dropped = F.dropout(weights, 0.3)
show("dropped", dropped)
context = F.dropout(dropped @ x, p=0.1, training=True)
show("context", context)
''',
    '''torch.manual_seed(7)
mha = nn.MultiheadAttention(6, 2, dropout=0.2, batch_first=True)
out, attended = mha(x, x, x)
print(out)
print(attended)
''',
    '''torch.manual_seed(9)
b = drop(x.transpose(0, 1))
print(b)
''',
    '''torch.manual_seed(9)
mha.eval()
print(mha(x, x, x)[0])
''',
]

space, cells = {}, []
for source in CELLS:
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        exec(source, space)
    cells.append({'code': source, 'output': stream.getvalue()})
with open(os.path.join(os.path.dirname(__file__), '../fixtures/program-dropout.json'), 'w') as file:
    json.dump({'cells': cells}, file, indent=1)
    file.write('\n')
