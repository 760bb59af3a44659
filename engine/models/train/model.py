"""The transformer of the models in the box: pre-norm blocks, learned positions, tied unembedding: GPT-2's, small.

x_0 = E[ids] + P[0 .. n-1]
x   = x + W_O concat(heads(LN(x)))    (pre-norm as GPT-2: Radford et al. 2019, section 2.3)
x   = x + W_2 GELU(W_1 LN(x))         (left out where `mlp` is 0: attention-only, Elhage et al. 2021)
logits = LN(x) E^T
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, width, heads, mlp):
        super().__init__()
        self.heads = heads
        self.ln_1 = nn.LayerNorm(width)
        self.c_attn = nn.Linear(width, 3 * width)
        self.c_proj = nn.Linear(width, width)
        self.mlp = mlp
        if mlp:
            self.ln_2 = nn.LayerNorm(width)
            self.c_fc = nn.Linear(width, mlp)
            self.m_proj = nn.Linear(mlp, width)

    def forward(self, x, hidden, keep=None, change=None):
        """x: batch x n x width; hidden: n x n, or batch x 1 x n x n, true where a key is hidden.
        keep: a list that takes the weights (batch x heads x n x n).
        change: a function of (weights, values) that gives the heads' outputs instead."""
        b, n, width = x.shape
        q, k, v = [
            t.view(b, n, self.heads, width // self.heads).transpose(1, 2)
            for t in self.c_attn(self.ln_1(x)).split(width, 2)
        ]
        scores = (q @ k.transpose(-1, -2)) / math.sqrt(width // self.heads)
        weights = scores.masked_fill(hidden, -1e9).softmax(-1)
        if keep is not None:
            keep.append(weights)
        context = change(weights, v) if change else weights @ v
        x = x + self.c_proj(context.transpose(1, 2).reshape(b, n, width))
        if self.mlp:
            x = x + self.m_proj(F.gelu(self.c_fc(self.ln_2(x))))
        return x


class Transformer(nn.Module):
    def __init__(self, vocabulary, width, heads, layers, mlp, context, causal=True):
        super().__init__()
        self.shape = dict(
            vocabulary=vocabulary, width=width, heads=heads, layers=layers, mlp=mlp, context=context, causal=causal
        )
        self.wte = nn.Embedding(vocabulary, width)
        self.wpe = nn.Embedding(context, width)
        self.h = nn.ModuleList([Block(width, heads, mlp) for _ in range(layers)])
        self.ln_f = nn.LayerNorm(width)
        for p in self.parameters():
            if p.dim() == 2:
                nn.init.normal_(p, std=0.02)
        self.register_buffer("future", torch.ones(context, context, dtype=torch.bool).triu(1), persistent=False)

    def forward(self, ids, keep=None, change=None, lengths=None):
        """ids: batch x n. change: {layer: function} as in Block. lengths: how much of each row is text (two-way models).
        Returns logits: batch x n x vocabulary."""
        n = ids.shape[1]
        x = self.wte(ids) + self.wpe.weight[:n]
        if self.shape["causal"]:
            hidden = self.future[:n, :n]
        elif lengths is None:
            hidden = torch.zeros(n, n, dtype=torch.bool)
        else:
            hidden = (torch.arange(n)[None] >= lengths[:, None])[:, None, None]
        for layer, block in enumerate(self.h):
            x = block(x, hidden, keep, change.get(layer) if change else None)
        return F.linear(self.ln_f(x), self.wte.weight)


def parameters(model):
    return sum(p.numel() for p in model.parameters())
