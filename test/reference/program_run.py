"""What programs make of their names, by running them: for test/engine/program-differential.test.ts.

Run: python3 test/reference/program_run.py < programs.json (a list of texts). Prints a JSON list: for each program its module's names and the local
names of each function at its last return, as shapes, types and values; or the exception that ended it.

Needs NumPy and PyTorch. What PyTorch 1.13 does not have yet is written here from its later documentation.
"""
import ast
import contextlib
import io
import json
import math
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
    """As Rogozhnikov 2022 defines the three of them: split axes, reduce or repeat those on one side only, transpose, merge."""
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


def run(text):
    functions = {}

    def traced(frame, event, _):
        code = frame.f_code
        if code.co_filename != FILE or code.co_name.startswith("<"):
            return None
        if event == "return":
            lines = [line for _, _, line in code.co_lines() if line is not None]
            names = names_of({k: v for k, v in frame.f_locals.items() if k not in code.co_freevars})
            functions[f"{code.co_name}:{code.co_firstlineno}"] = dict(first=code.co_firstlineno, last=max(lines), names=names)
        return traced

    space = {"__name__": "__main__"}
    error, end = None, None
    printed = io.StringIO()
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
