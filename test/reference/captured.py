"""What an attention that explain_attention.py recorded gives, by PyTorch in float64: for the programs that check the recorder."""
import math

import torch


def again(one):
    """Weights and output from what was recorded."""
    about, own = one.about, one.tensors
    v = own['v'][:, about['kv']].double()
    if 'scores' in own:
        weights = with_sink(own, own['scores'].double())
        return weights, weights @ v
    scores = own['q'].double() @ own['k'][:, about['kv']].double().transpose(-2, -1) * about['scale']
    if about['softcap']:
        scores = torch.tanh(scores / about['softcap']) * about['softcap']
    if 'bias' in own:
        scores = scores + own['bias'].double()
    if 'hidden' in own:
        scores = scores.masked_fill(own['hidden'], -math.inf if about['fill'] == '-inf' else about['fill'])
    if about['causal'] is not None:
        i, j = torch.arange(scores.shape[-2])[:, None], torch.arange(scores.shape[-1])[None]
        scores = scores.masked_fill(j > i + about['rows'][0] + about['causal'], -math.inf)
    weights = with_sink(own, scores)
    return weights, weights @ v


def with_sink(own, scores):
    """Softmax over the keys and, where there is one, the head's sink, whose share goes to no value (gpt-oss)."""
    if 'sink' not in own:
        return scores.softmax(-1)
    sink = own['sink'].double().expand(*scores.shape[:-1], 1)
    return torch.cat([scores, sink], dim=-1).softmax(-1)[..., :-1]
