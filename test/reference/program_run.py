"""Values of the variables of programs, by running them, for test/engine/program-differential.test.ts.

Run: python3 test/reference/program_run.py < programs.json (a list of texts). Prints a JSON list with, for each program, the variables of its module and
the local variables of each function at its last return, as shapes, types and values; or the exception that ended it.

Needs NumPy and PyTorch. Functions that PyTorch 1.13 lacks are written here from the documentation of later versions.
"""
import ast
import contextlib
import io
import json
import math
import re
import sys
import types

import numpy as np
import torch
import torch.nn.functional as F

FILE = "<program>"


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """As torch.nn.functional documents it."""
    rows, columns = query.size(-2), key.size(-2)
    factor = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    bias = torch.zeros(rows, columns, dtype=query.dtype)
    if is_causal:
        bias.masked_fill_(torch.ones(rows, columns, dtype=torch.bool).tril(diagonal=0).logical_not(), float("-inf"))
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            bias = torch.zeros(attn_mask.shape, dtype=query.dtype).masked_fill(attn_mask.logical_not(), float("-inf"))
        else:
            bias = bias + attn_mask
    weights = torch.softmax(query @ key.transpose(-2, -1) * factor + bias, dim=-1)
    return torch.dropout(weights, dropout_p, train=True) @ value


class RMSNorm(torch.nn.Module):
    """As torch.nn documents it."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True):
        super().__init__()
        self.shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.weight = torch.nn.Parameter(torch.ones(self.shape)) if elementwise_affine else None

    def forward(self, x):
        eps = torch.finfo(x.dtype).eps if self.eps is None else self.eps
        axes = tuple(range(-len(self.shape), 0))
        y = x * torch.rsqrt((x * x).mean(dim=axes, keepdim=True) + eps)
        return y if self.weight is None else y * self.weight


if not hasattr(F, "scaled_dot_product_attention"):
    F.scaled_dot_product_attention = scaled_dot_product_attention
if not hasattr(torch.nn, "RMSNorm"):
    torch.nn.RMSNorm = RMSNorm


class EinopsError(RuntimeError):
    pass


def einops_sides(pattern, rank):
    """Both sides as lists of groups of names; an ellipsis stands for the axes that are left."""
    left, right = pattern.split("->")
    words = lambda side: side.replace("(", " ( ").replace(")", " ) ").split()

    def groups(side, rest):
        out, inside = [], None
        for word in words(side):
            if word == "(":
                inside = []
            elif word == ")":
                out.append(inside)
                inside = None
            else:
                names = rest if word == "..." else [] if word == "1" else [word]
                if inside is not None:
                    inside += names
                else:
                    out += [[]] if word == "1" else [[name] for name in names]
        return out

    rest = [f"_{i}" for i in range(rank - len(groups(left, [])))] if "..." in left else []
    return groups(left, rest), groups(right, rest)


def einops_any(x, pattern, reduction, sizes):
    """rearrange, reduce and repeat as in Rogozhnikov 2022: split axes, reduce or repeat those on one side only, transpose, merge."""
    if isinstance(x, (list, tuple)):
        x = torch.stack(list(x))
    left, right = einops_sides(pattern, x.ndim)
    if len(left) != x.ndim:
        raise EinopsError("rank")
    sizes = dict(sizes)
    for group, total in zip(left, x.shape):
        known = math.prod(sizes.get(name, int(name) if name.isdigit() else 1) for name in group)
        for name in group:
            if name not in sizes and not name.isdigit():
                if total % known:
                    raise EinopsError("divide")
                sizes[name] = total // known
        if math.prod(sizes.get(name) or int(name) for name in group) != total:
            raise EinopsError("size")
    names, wanted = sum(left, []), sum(right, [])
    x = x.reshape([sizes[name] if name in sizes else int(name) for name in names])
    for i in reversed([i for i, name in enumerate(names) if name not in wanted]):
        if reduction not in ("mean", "sum", "max", "min", "prod"):
            raise EinopsError("one side")
        x = getattr(x, {"max": "amax", "min": "amin"}.get(reduction, reduction) if isinstance(x, torch.Tensor) else reduction)(i)
    names = [name for name in names if name in wanted]
    for name in wanted:
        if name not in names:
            if reduction != "repeat":
                raise EinopsError("one side")
            n = sizes[name] if name in sizes else int(name)
            x = torch.stack([x] * n) if isinstance(x, torch.Tensor) else np.stack([x] * n)
            names = [name] + names
            sizes[name] = n
    order = [names.index(name) for name in wanted]
    x = x.permute(order) if isinstance(x, torch.Tensor) else x.transpose(order)
    return x.reshape([math.prod(sizes[name] for name in group) for group in right])


einops = types.ModuleType("einops")
einops.rearrange = lambda tensor, pattern, **sizes: einops_any(tensor, pattern, "", sizes)
einops.repeat = lambda tensor, pattern, **sizes: einops_any(tensor, pattern, "repeat", sizes)
einops.reduce = lambda tensor, pattern, reduction, **sizes: einops_any(tensor, pattern, reduction, sizes)
sys.modules.setdefault("einops", einops)


def einops_pack(tensors, pattern):
    """einops' documentation: the asterisk is any number of axes; they become one, and the tensors stand one after another along it."""
    at = pattern.split().index("*")
    after = len(pattern.split()) - 1 - at
    inner = [list(x.shape[at : len(x.shape) - after]) for x in tensors]
    lined = [torch.flatten(x.unsqueeze(at), at, at + len(s)) for x, s in zip(tensors, inner)]
    return torch.cat(lined, at), [torch.Size(s) for s in inner]


def einops_unpack(x, shapes, pattern):
    at, start, parts = pattern.split().index("*"), 0, []
    for shape in shapes:
        count = math.prod(shape)
        parts.append(x.narrow(at, start, count).unflatten(at, tuple(shape)) if len(shape) else x.select(at, start))
        start += count
    return parts


einops.pack, einops.unpack = einops_pack, einops_unpack


def named_einsum(*args):
    """einops.einsum and fancy_einsum: words instead of letters."""
    pattern = next(a for a in args if isinstance(a, str))
    words = sorted(set(re.findall(r"\w+", pattern)))
    equation = re.sub(r"\w+", lambda found: chr(97 + words.index(found.group())), pattern).replace(" ", "")
    tensors = [a for a in args if not isinstance(a, str)]
    return (torch if isinstance(tensors[0], torch.Tensor) else np).einsum(equation, *tensors)


einops.einsum = named_einsum
fancy_einsum = types.ModuleType("fancy_einsum")
fancy_einsum.einsum = named_einsum
sys.modules.setdefault("fancy_einsum", fancy_einsum)


def einops_layer(name):
    class Layer(torch.nn.Module):
        def __init__(self, *words, **sizes):
            super().__init__()
            self.words, self.sizes = words, sizes

        def forward(self, x):
            return getattr(einops, name)(x, *self.words, **self.sizes)

    return Layer


einops_layers = types.ModuleType("einops.layers.torch")
einops_layers.Rearrange, einops_layers.Reduce = einops_layer("rearrange"), einops_layer("reduce")
sys.modules.setdefault("einops.layers", types.ModuleType("einops.layers"))
sys.modules.setdefault("einops.layers.torch", einops_layers)


def flash_attn_func(q, k, v, dropout_p=0.0, softmax_scale=None, causal=False, window_size=(-1, -1), softcap=0.0, alibi_slopes=None):
    """flash-attn's README: the token axis is before the head axis; a causal mask is aligned to the bottom right; consecutive heads of q share a head of k."""
    (B, n, H, d), (_, m, G, _) = q.shape, k.shape
    scale = d**-0.5 if softmax_scale is None else softmax_scale
    out = torch.zeros(B, n, H, v.shape[-1], dtype=q.dtype)
    for b in range(B):
        for h in range(H):
            g = h // (H // G)
            for i in range(n):
                at = i + m - n
                seen = [j for j in range(m) if (not causal or j <= at) and (window_size[0] < 0 or j >= at - window_size[0])
                        and (causal or window_size[1] < 0 or j <= at + window_size[1])]
                scores = torch.stack([(q[b, i, h] * k[b, j, g]).sum() * scale for j in seen])
                if softcap > 0:
                    scores = softcap * torch.tanh(scores / softcap)
                if alibi_slopes is not None:
                    scores = scores - alibi_slopes[h] * torch.tensor([abs(at - j) for j in seen])
                weights = torch.softmax(scores, 0)
                out[b, i, h] = sum(w * v[b, j, g] for w, j in zip(weights, seen))
    return out


flash_attn = types.ModuleType("flash_attn")
flash_attn.flash_attn_func = flash_attn_func
flash_attn.flash_attn_qkvpacked_func = lambda qkv, *args, **kwargs: flash_attn_func(*qkv.unbind(2), *args, **kwargs)
flash_attn.flash_attn_kvpacked_func = lambda q, kv, *args, **kwargs: flash_attn_func(q, *kv.unbind(2), *args, **kwargs)
sys.modules.setdefault("flash_attn", flash_attn)


class RotaryEmbedding(torch.nn.Module):
    """rotary-embedding-torch's README, as Su et al. 2021 (34): neighbours 2i and 2i+1 are a complex number, turned by the angle of its position."""

    def __init__(self, dim, theta=10000):
        super().__init__()
        self.register_buffer("freqs", theta ** (-torch.arange(0, dim, 2) / dim))

    def rotate_queries_or_keys(self, t, seq_dim=-2, offset=0):
        rows, width = t.transpose(seq_dim, -2), 2 * len(self.freqs)
        angles = torch.outer(torch.arange(rows.shape[-2]) + offset, self.freqs)
        pairs = torch.view_as_complex(rows[..., :width].unflatten(-1, (-1, 2)).contiguous())
        turned = torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)
        return torch.cat([turned, rows[..., width:]], -1).transpose(seq_dim, -2)

    def rotate_queries_with_cached_keys(self, q, k):
        return self.rotate_queries_or_keys(q, offset=k.shape[-2] - q.shape[-2]), self.rotate_queries_or_keys(k)


rotary = types.ModuleType("rotary_embedding_torch")
rotary.RotaryEmbedding = RotaryEmbedding
sys.modules.setdefault("rotary_embedding_torch", rotary)


class LowerTriangularMask:
    pass


def memory_efficient_attention(query, key, value, attn_bias=None, p=0.0, scale=None):
    """xFormers' documentation: softmax(query @ key.T * scale + attn_bias) @ value, for each head."""
    if query.dim() == 3:
        return memory_efficient_attention(*(x.unsqueeze(2) for x in (query, key, value)), attn_bias, p, scale).squeeze(2)
    scores = torch.einsum("bihd,bjhd->bhij", query, key) * (query.shape[-1] ** -0.5 if scale is None else scale)
    n, m = scores.shape[-2:]
    if isinstance(attn_bias, LowerTriangularMask):
        scores = scores + torch.tensor([[0.0 if j <= i else -math.inf for j in range(m)] for i in range(n)])
    elif attn_bias is not None:
        scores = scores + attn_bias
    return torch.einsum("bhij,bjhd->bihd", scores.softmax(-1), value)


xformers_ops = types.ModuleType("xformers.ops")
xformers_ops.LowerTriangularMask, xformers_ops.memory_efficient_attention = LowerTriangularMask, memory_efficient_attention
xformers = types.ModuleType("xformers")
xformers.ops = xformers_ops
sys.modules.setdefault("xformers", xformers)
sys.modules.setdefault("xformers.ops", xformers_ops)


def number(x):
    if isinstance(x, (bool, np.bool_)):
        return int(x)
    if isinstance(x, (int, np.integer)):
        return int(x)
    x = float(x)
    return "nan" if math.isnan(x) else "inf" if x == math.inf else "-inf" if x == -math.inf else x


def described(value):
    if isinstance(value, torch.Tensor):
        value = value.detach()
        if value.is_complex():
            return None
        dtype = str(value.dtype).replace("torch.", "")
        flat = value.to(torch.float64) if value.dtype in (torch.float16, torch.bfloat16) else value
        return dict(kind="tensor", shape=list(value.shape), dtype=dtype, values=[number(x) for x in flat.reshape(-1).tolist()])
    if isinstance(value, (np.ndarray, np.generic)):
        a = np.asarray(value)
        if a.dtype.kind in "biuf":
            return dict(kind="tensor", shape=list(a.shape), dtype=str(a.dtype), values=[number(x) for x in a.ravel()])
        return None
    if isinstance(value, (bool, int, float)):
        return dict(kind=type(value).__name__, value=number(value) if abs(value) < 2**53 or isinstance(value, float) else str(value))
    if isinstance(value, str):
        return dict(kind="str", value=value)
    if value is None:
        return dict(kind="none")
    if type(value) is dict and len(value) <= 64:
        items = [described((key, entry)) for key, entry in value.items()]
        return dict(kind="dict", items=items)
    if isinstance(value, (list, tuple)) and len(value) <= 64:
        items = [described(item) for item in value]
        return dict(kind=type(value).__name__, items=items) if type(value) in (list, tuple) else None
    return None


def names_of(space):
    found = {name: described(value) for name, value in space.items() if not name.startswith("__")}
    return {name: value for name, value in found.items() if value is not None}


def run(text, traced_too=True):
    """Without tracing where PyTorch traces functions itself (flex_attention): local names are left out then."""
    functions = {}

    def traced(frame, event, _):
        code = frame.f_code
        # A generator of a program before this one may be let go of now.
        if code.co_filename != FILE or code.co_name.startswith("<") or frame.f_globals is not space:
            return None
        if event == "return":
            lines = [line for _, _, line in code.co_lines() if line is not None]
            names = names_of({k: v for k, v in frame.f_locals.items() if k not in code.co_freevars})
            functions[f"{code.co_name}:{code.co_firstlineno}"] = dict(first=code.co_firstlineno, last=max(lines), names=names)
        return traced

    space = {"__name__": "__main__"}
    error, end = None, None
    printed = io.StringIO()
    if traced_too:
        sys.settrace(traced)
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(text, FILE, "exec"), space)
    except Exception as exception:  # What the program itself raises is what is compared.
        error = f"{type(exception).__name__}: {exception}"
        line = exception.__traceback__.tb_next.tb_lineno
        end = next(node.end_lineno for node in ast.parse(text).body if node.end_lineno >= line)
    finally:
        sys.settrace(None)
    return dict(names=names_of(space), functions=list(functions.values()), error=error, end=end, printed=printed.getvalue())


if __name__ == "__main__":
    json.dump([run(text) for text in json.load(sys.stdin)], sys.stdout)
