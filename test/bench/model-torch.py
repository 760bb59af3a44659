"""GPT-2's forward pass by PyTorch on one thread, of a folder that model.ts writes: python3 model-torch.py FOLDER IDS.json

Prints one JSON object: the version, milliseconds of seven passes with the weights loaded before, and the scores of the last token.
"""
import json
import math
import struct
import sys
import time

import numpy as np
import torch

torch.set_num_threads(1)
folder, ids = sys.argv[1], json.loads(open(sys.argv[2]).read())
config = json.load(open(f'{folder}/config.json'))
file = np.memmap(f'{folder}/model.safetensors', dtype=np.uint8, mode='r')
(length,) = struct.unpack('<Q', file[:8].tobytes())
header = json.loads(file[8:8 + length].tobytes())
W = {name: torch.from_numpy(file[8 + length + of['data_offsets'][0]:8 + length + of['data_offsets'][1]].copy().view(np.float32).reshape(of['shape']))
     for name, of in header.items()}
heads, n = config['n_head'], len(ids)
later = torch.ones(n, n, dtype=torch.bool).triu(1)


def norm(x, name):
    return torch.nn.functional.layer_norm(x, x.shape[-1:], W[f'{name}.weight'], W[f'{name}.bias'], 1e-5)


def linear(x, name):
    return torch.addmm(W[f'{name}.bias'], x, W[f'{name}.weight'])


def forward():
    x = W['wte.weight'][ids] + W['wpe.weight'][:n]
    d = x.shape[1] // heads
    for i in range(config['n_layer']):
        q, k, v = (t.view(n, heads, d).transpose(0, 1) for t in linear(norm(x, f'h.{i}.ln_1'), f'h.{i}.attn.c_attn').chunk(3, dim=-1))
        weights = (q @ k.transpose(1, 2) / math.sqrt(d)).masked_fill(later, -math.inf).softmax(-1)
        x = x + linear((weights @ v).transpose(0, 1).reshape(n, -1), f'h.{i}.attn.c_proj')
        x = x + linear(torch.nn.functional.gelu(linear(norm(x, f'h.{i}.ln_2'), f'h.{i}.mlp.c_fc'), approximate='tanh'), f'h.{i}.mlp.c_proj')
    return norm(x[-1:], 'ln_f') @ W['wte.weight'].T


times = []
with torch.no_grad():
    for _ in range(9):
        begin = time.perf_counter()
        logits = forward()
        times.append(1000 * (time.perf_counter() - begin))
print(json.dumps({'torch': torch.__version__, 'ms': times[2:], 'logits': logits[0].tolist()}))
