"""Computes the numbers of attention_numpy.py again with PyTorch's own functions where they exist. Checks that file, not the engine."""
import numpy as np
import torch


def check(spec, steps):
    """Asserts that PyTorch agrees with NumPy's intermediate results of one spec. Returns the names of the functions that were compared."""
    calls = []
    for call in (embedding, linear, softmax, tanh, layer):
        if call(spec, steps):
            calls.append(call.__name__)
    return calls


def tensor(values):
    return torch.from_numpy(np.ascontiguousarray(values))


def agree(name, ours, theirs, amplified=1.0):
    """Asserts near equality, since both round differently: 64 ε of the largest number, times a softmax's amplification of errors in its scores."""
    theirs = theirs.detach().numpy()
    assert ours.shape == theirs.shape, f'{name}: {ours.shape} in NumPy, {theirs.shape} in PyTorch'
    assert (np.isfinite(ours) == np.isfinite(theirs)).all(), f'{name}: other cells are not finite'
    finite = np.isfinite(ours)
    np.testing.assert_array_equal(ours[~finite], theirs[~finite], err_msg=name)
    if not finite.any():
        return
    allowed = 64 * np.finfo(ours.dtype).eps * amplified * max(np.abs(ours[finite]).max(), np.finfo(ours.dtype).tiny)
    worst = np.abs(ours[finite] - theirs[finite]).max()
    assert worst <= allowed, f'{name}: NumPy and PyTorch differ by {worst}, allowed {allowed}'


def embedding(spec, steps):
    if 'table' not in steps:
        return False
    ids = torch.tensor(steps['tokens'][:, -1].astype(np.int64))
    agree('embedding', steps['embedding'], torch.nn.functional.embedding(ids, tensor(steps['table'])))
    return True


def linear(spec, steps):
    """torch.nn.functional.linear is x·Wᵀ + b."""
    done = False
    turn = (lambda w: w.T) if spec['convention'] == 'XW' else (lambda w: w)
    sources = {'q': 'x', 'k': 'context', 'v': 'context', 'o': 'concat'}
    for letter, source in sources.items():
        if 'w' + letter not in steps:
            continue
        fallback = 'attended' if letter == 'o' else 'x'
        rows = steps[source if source in steps else fallback]
        bias = steps.get('b' + letter)
        name = 'output' if letter == 'o' else letter
        if np.isfinite(rows).all():
            made = torch.nn.functional.linear(
                tensor(rows), tensor(turn(steps['w' + letter])), None if bias is None else tensor(bias[0])
            )
            size = np.abs(rows).max() * np.abs(steps['w' + letter]).max() * rows.shape[-1]
            agree(name, steps[name], made, max(1.0, size / max(np.abs(steps[name]).max(), 1e-300)))
            done = True
    return done


def softmax(spec, steps):
    if 'masked' not in steps:
        return False
    theirs = torch.softmax(tensor(steps['masked']), dim=-1)
    if spec.get('fullyMasked') == 'zero':
        theirs[tensor(np.isneginf(steps['masked']).all(axis=-1))] = 0
    agree('weights', steps['weights'], theirs)
    return True


def tanh(spec, steps):
    if 'capped' not in steps:
        return False
    before = steps.get('biased', steps['scaled'])
    agree('capped', steps['capped'], spec['softcap'] * torch.tanh(tensor(before) / spec['softcap']))
    return True


def layer(spec, steps):
    """torch.nn.MultiheadAttention, where the spec is one: h·d_k = h·d_v = d_model, scaled by √d_k, masked with −inf."""
    if not is_layer(spec, steps):
        return False
    x = steps['x']
    d_model, heads = x.shape[1], spec['heads']
    made = torch.nn.MultiheadAttention(d_model, heads, bias=True, batch_first=True, dtype=tensor(x).dtype)
    turn = (lambda w: w.T) if spec['convention'] == 'XW' else (lambda w: w)
    width = {'q': steps['q'].shape[1], 'k': steps['k'].shape[1], 'v': steps['v'].shape[1]}
    identity = spec['projections']['from'] == 'none'
    w = {l: np.eye(d_model, dtype=x.dtype) if identity else turn(steps['w' + l]) for l in 'qkv'}
    b = {l: steps['b' + l][0] if 'b' + l in steps else np.zeros(width[l], x.dtype) for l in 'qkv'}
    repeats = {'q': 1, 'k': heads // spec.get('kvHeads', heads), 'v': heads // spec.get('kvHeads', heads)}
    with torch.no_grad():
        made.in_proj_weight.copy_(tensor(np.concatenate([repeat_heads(w[l], repeats[l], d_model // heads) for l in 'qkv'])))
        made.in_proj_bias.copy_(tensor(np.concatenate([repeat_heads(b[l], repeats[l], d_model // heads) for l in 'qkv'])))
        made.out_proj.weight.copy_(tensor(turn(steps['wo']) if 'wo' in steps else np.eye(d_model, dtype=x.dtype)))
        made.out_proj.bias.copy_(tensor(steps['bo'][0] if 'bo' in steps else np.zeros(d_model, x.dtype)))
    source = tensor(steps.get('context', x))[None]
    output, weights = made(
        tensor(x)[None], source, source, attn_mask=layer_mask(spec, steps), need_weights=True, average_attn_weights=False
    )
    logits = np.abs(steps['scaled'][np.isfinite(steps['scaled'])])
    magnitude = 1 + d_model * (np.abs(steps['q']).max() * np.abs(steps['k']).max() if logits.size else 1)
    agree('weights of MultiheadAttention', steps['weights'].reshape(heads, *steps['weights'].shape[-2:]), weights[0], magnitude)
    size = max(1.0, float(np.nanmax(np.abs(steps['v']))) * d_model)
    agree('output of MultiheadAttention', steps['output'], output[0], magnitude * size * d_model)
    return True


def repeat_heads(rows, times, d):
    """Turns grouped-query attention into a layer without groups: repeats each key and value head for each of its query heads."""
    return np.repeat(rows.reshape(-1, d, *rows.shape[1:]), times, axis=0).reshape(-1, *rows.shape[1:])


def is_layer(spec, steps):
    x = steps.get('x')
    return (
        x is not None
        and np.isfinite(x).all()
        and spec['scale'] == 'sqrt_d_k'
        and 'capped' not in steps
        and 'tempered' not in steps
        and 'qRotations' not in steps
        and spec.get('fullyMasked') != 'zero'
        and (not is_boolean(spec['mask']) or spec['maskFill'] == '-inf')
        and steps['q'].shape[1] == x.shape[1]
        and steps['output'].shape[1] == x.shape[1]
        and value_width(spec, steps) == x.shape[1]
    )


def is_boolean(mask):
    return mask == 'causal' or isinstance(mask, dict) and mask['kind'] != 'additive'


def value_width(spec, steps):
    return steps['v'].shape[1] * spec['heads'] // spec.get('kvHeads', spec['heads'])


def layer_mask(spec, steps):
    """True hides; a float mask is added. ALiBi is such a mask, one for each head."""
    mask = steps.get('mask')
    boolean = is_boolean(spec['mask'])
    if 'alibi' in steps:
        if mask is not None:
            mask = np.where(mask == 1, -np.inf, 0) if boolean else mask
        total = steps['alibi'] if mask is None else steps['alibi'] + mask.astype(steps['alibi'].dtype)
        return tensor(total)
    if mask is None:
        return None
    return tensor(mask == 1) if boolean else tensor(mask)
