"""What recording costs: a forward pass with capture() beside the same pass without it, in turn, on a processor and one thread.

capture_costs.py HELPER_FOLDER [ROUNDS] [OTHER_HELPER_FOLDER]

Prints for each model milliseconds of the plain pass, then how many times that the pass takes within a mode that does nothing,
with the recorder off, with two heads and 128 tokens recorded, and with all. Time of the thread, the fastest fifth of the rounds.
"""
import importlib.util
import math
import os
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


def helper(folder):
    spec = importlib.util.spec_from_file_location('helper' + str(len(sys.modules)), os.path.join(folder, 'explain_attention.py'))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.capture


class Attention(nn.Module):
    """Softmax by hand, causal, as GPT-2 has it."""

    def __init__(self, width, heads, tokens, fused):
        super().__init__()
        self.heads, self.fused = heads, fused
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.register_buffer('later', torch.ones(tokens, tokens, dtype=torch.bool).triu(1))

    def forward(self, x):
        b, n, width = x.shape
        q, k, v = (t.view(b, n, self.heads, -1).transpose(1, 2) for t in self.qkv(x).split(width, dim=2))
        if self.fused and hasattr(F, 'scaled_dot_product_attention'):
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        elif self.fused:
            y = F._scaled_dot_product_attention(q, k, v, None, 0.0, False, True)[0]
        else:
            scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
            y = F.softmax(scores.masked_fill(self.later[:n, :n], float('-inf')), dim=-1) @ v
        return self.out(y.transpose(1, 2).reshape(b, n, width))


class Multi(nn.Module):
    def __init__(self, width, heads, tokens, _):
        super().__init__()
        self.inner = nn.MultiheadAttention(width, heads, batch_first=True)
        self.register_buffer('later', torch.ones(tokens, tokens, dtype=torch.bool).triu(1))

    def forward(self, x):
        return self.inner(x, x, x, attn_mask=self.later, need_weights=False)[0]


class Block(nn.Module):
    def __init__(self, kind, width, *rest):
        super().__init__()
        self.ln1, self.attn, self.ln2 = nn.LayerNorm(width), kind(width, *rest), nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class Nothing(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **kwargs) if kwargs else func(*args)


def timed(run):
    begin = time.thread_time()
    run()
    return time.thread_time() - begin


def fastest(times):
    """The mean of the fastest fifth: on a busy machine the others tell of the machine."""
    times = sorted(times)[:max(1, len(times) // 5)]
    return sum(times) / len(times)


@torch.no_grad()
def main(folders, rounds):
    recorders = [(folder, helper(folder)) for folder in folders]
    kinds = (('by hand', Attention, False), ('SDPA', Attention, True), ('MultiheadAttention', Multi, False))
    sizes = ((12, 32, 4, 8), (12, 64, 4, 32), (4, 256, 4, 128), (4, 256, 4, 512))
    for layers, width, heads, tokens in sizes:
        for name, kind, fused in kinds:
            torch.manual_seed(0)
            model = nn.Sequential(*[Block(kind, width, heads, tokens, fused) for _ in range(layers)]).eval()
            x = torch.randn(1, tokens, width)

            def recorded(capture, **options):
                with capture(model, **options):
                    model(x)

            def in_mode():
                with Nothing():
                    model(x)

            runs = [('pass', lambda: model(x)), ('mode', in_mode)]
            for i, (_, capture) in enumerate(recorders):
                runs += [('off', lambda capture=capture: recorded(capture, enabled=False)),
                         ('two heads', lambda capture=capture: recorded(capture, heads=[0, 1], tokens=128)),
                         ('all', lambda capture=capture: recorded(capture))]
            for _, run in runs * 2:
                run()
            many = max(10, min(rounds, int(rounds / (100 * timed(runs[0][1])))))
            times = [[] for _ in runs]
            for _ in range(many):
                for own, (_, run) in zip(times, runs):
                    own.append(timed(run))
            own, *others = map(fastest, times)
            print(f'{layers} layers, {tokens} × {width}, {name}: {1000 * own:.2f} ms', end='')
            print(*[f'; {label} {took / own:.2f}' for (label, _), took in zip(runs[1:], others)], f'; {many} rounds', sep='', flush=True)


if __name__ == '__main__':
    main([sys.argv[1], *sys.argv[3:4]], int(sys.argv[2]) if len(sys.argv) > 2 else 300)
