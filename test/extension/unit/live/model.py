"""Attention of several kinds in a program that is stopped: with layers of its own class, with a fused kernel, in a loop. Nothing of it is seeded."""
import math
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F


def helper(q, k, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    return scores.masked_fill(mask == 0, float('-inf'))


class Heads(nn.Module):
    def __init__(self, d_model, heads):
        super().__init__()
        self.heads, self.d_k = heads, d_model // heads
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_model) for _ in range(3))
        self.w_o = nn.Linear(d_model, d_model, bias=False)
        self.drop = nn.Dropout(0.5)

    def split(self, x):
        return x.view(x.size(0), x.size(1), self.heads, self.d_k).transpose(1, 2)

    def forward(self, x, mask=None):
        x = x * 1.0  # first line
        q = self.split(self.w_q(x))
        k, v = self.split(self.w_k(x)), self.split(self.w_v(x))
        scores = helper(q, k, mask)
        attn = self.drop(F.softmax(scores, dim=-1))
        out = (attn @ v).transpose(1, 2).reshape(x.size(0), x.size(1), -1)
        return self.w_o(out)  # last line


def turns(x, w):
    note = x
    h = x * 0.5
    for turn in range(4):
        h = h + 1
        scores = x @ w @ h.transpose(-2, -1)
        attn = torch.softmax(scores, dim=-1)
        y = attn @ x  # in a turn
        x = x + y
    return x, note, h


def fused(q, k, v, mask):
    with torch.no_grad():
        n = q.size(-2)
        for _ in range(2):
            y = scaled_dot_product_attention(q, k, v, attn_mask=mask)  # before the kernel
        return y, n


def scaled_dot_product_attention(q, k, v, attn_mask):
    return torch.softmax(q @ k.mT / math.sqrt(q.size(-1)) + attn_mask, -1) @ v


def odd(q, k, v):
    scores = q @ k.transpose(-2, -1)
    weights = kernel(scores)
    return weights @ v  # behind the kernel


def kernel(s):
    return torch.softmax(s * 1.25, dim=-1)


F.scaled_dot_product_attention = scaled_dot_product_attention
seed = int(sys.argv[1]) if len(sys.argv) > 1 else 7
torch.manual_seed(seed)
turns(torch.randn(4, 3), torch.randn(3, 3))
layer = Heads(12, 3).train(len(sys.argv) > 2)
causal = torch.tril(torch.ones(5, 5))
for turn in range(3):
    layer(torch.randn(2, 5, 12), causal)
Q, K, V = torch.randn(1, 2, 4, 6), torch.randn(1, 2, 7, 6), torch.randn(1, 2, 7, 6)
hidden = torch.zeros(4, 7).masked_fill(torch.ones(4, 7).triu(2).bool(), float('-inf'))
fused(Q, K, V, hidden)
odd(Q, K, V)
