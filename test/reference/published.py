"""Mistakes that were published, each as its code did it, in PyTorch on one small input: the table of test/precision/PUBLISHED.md.

    python3 test/reference/published.py

Writes a line of JSON for each: {"source", "was", "spec", "rows", "digits"}. The functions are written after the reports, with the views, axes and fills that
they show, and share nothing with the engine; the attention around them is Vaswani et al. 2017, equation 1, and its section 3.2.2.
"""

import json
import math

import torch
import torch.nn.functional as F

torch.manual_seed(2604)
torch.set_default_dtype(torch.float64)
n, D, h = 5, 8, 2
d = D // h
draw = lambda *shape: torch.randn(*shape).mul(1000).round().div(1000)
x = draw(n, D)
wq, wk, wv, wo = (draw(D, D).mul(0.5).mul(1000).round().div(1000) for _ in range(4))
bq, bk, bv = (draw(D) for _ in range(3))
later = torch.ones(n, n).triu(1).bool()
pad = (torch.arange(n) >= 3)[None].expand(n, n)
base = dict(version=1, dModel=D, heads=h, mask="none", maskFill="-inf", scale="sqrt_d_k", positions="none", convention="XW")


def given(**more):
    start = {"from": "x", "x": x.tolist()}
    projections = {"from": "given", **{name: w.tolist() for name, w in dict(wq=wq, wk=wk, wv=wv, bq=bq, bk=bk, bv=bv).items()}}
    return {**base, "start": start, "projections": projections, "outputProjection": {"from": "given", "wo": wo.tolist()}, **more}


def of_qkv(q, k, v, **more):
    return {**base, "dModel": q.shape[1], "heads": 1, "start": {"from": "qkv", "q": q.tolist(), "k": k.tolist(), "v": v.tolist()}, "projections": {"from": "identity"}, **more}


q, k, v = x @ wq + bq, x @ wk + bk, x @ wv + bv
split = lambda a: a.view(1, n, h, d).transpose(1, 2)
merge = lambda a: a.transpose(1, 2).contiguous().view(1, n, D)
hide = lambda s, mask: s if mask is None else s.masked_fill(mask, -math.inf)


def whole(q=q, k=k, v=v, mask=None, by=math.sqrt(d), split=split, merge=merge, weigh=lambda s: F.softmax(s, dim=-1)):
    a = weigh(hide(split(q) @ split(k).transpose(-2, -1) / by, mask))
    return (merge(a @ split(v)) @ wo)[0]


scores = split(q) @ split(k).transpose(-2, -1) / math.sqrt(d)
out = lambda a: (merge(a @ split(v)) @ wo)[0]
found = []


def case(source, was, rows, spec, digits=4):
    word = lambda y: y if math.isfinite(y) else "nan" if math.isnan(y) else "inf" if y > 0 else "-inf"
    rows = rows if rows.dim() == 2 else rows[None]
    found.append(dict(source=source, was=was, spec=spec, digits=digits, rows=[[word(y) for y in row] for row in rows.double().tolist()]))


# DEFault++ (preprint 2604.28118): those of its eleven reproductions that an attention's numbers show.
q2, k5, v5 = draw(2, 4), draw(5, 4), draw(5, 4)
aligned = torch.ones(2, 5).triu(4).bool()
causal_spec = of_qkv(q2, k5, v5, mask=dict(kind="boolean", trueMeans="hidden", values=aligned.int().tolist()))
attend = lambda q, k, v, mask: F.softmax(hide(q @ k.T / math.sqrt(q.shape[1]), mask), -1) @ v
case("pytorch/pytorch/issues/103082", "is_causal with fewer queries than keys hides from the first key on", attend(q2, k5, v5, torch.ones(2, 5).triu(1).bool()), causal_spec)
q4, k6, v6 = draw(4, 5), draw(6, 5), draw(6, 5)
case("jax-ml/jax/issues/23349", "lengths of keys and values are ignored", attend(q4, k6, v6, None), of_qkv(q4, k6, v6, mask=dict(kind="padding", visible=3)))
q1, k1 = draw(1, 5), draw(6, 5)
v1 = draw(6, 5)
window = torch.tensor([[True, True, True, False, False, False]])
case("lucidrains/native-sparse-attention-pytorch/issues/20", "the step with a cache leaves out the current token", attend(q1, k1, v1, torch.tensor([[True, True, True, False, False, True]])), of_qkv(q1, k1, v1, mask=dict(kind="boolean", trueMeans="hidden", values=window.int().tolist())))
i, j = torch.arange(n)[:, None], torch.arange(n)[None]
in_window = lambda size: (j > i) | (i - j >= size)
windowed = lambda size: given(mask=dict(kind="window", size=size - 1, causal=True))
case("huggingface/transformers/issues/37574", "the sliding cache drops its oldest token one step early", whole(mask=in_window(2)), windowed(3))
case("huggingface/transformers/issues/35896", "a layer that should have a window has none", whole(mask=later), windowed(3))
case("huggingface/transformers/issues/36096", "logsumexp is returned in place of the weights", torch.logsumexp(q4 @ k6.T / math.sqrt(5), -1), of_qkv(q4, k6, v6))

# Scale.
case("omihub777/ViT-CIFAR/pull/11", "divided by the root of all features", whole(by=D**0.5), given())
case("Graylab/DL4Proteins-notebooks/issues/12", "q @ k.transpose(-2, -1) * C**-0.5, C the width of all heads", whole(by=1 / D**-0.5, mask=later), given(mask="causal"))
case("lucidrains/vit-pytorch/issues/65", "scale = dim ** -0.5 in place of dim_head ** -0.5", whole(by=D**0.5), given())
case("juho-lee/set_transformer/issues/18", "divided by the root of dim_V, the width of all heads", whole(by=math.sqrt(D)), given())
case("mlc-ai/mlc-llm/pull/3426", "a fallback has a scale of 1", whole(by=1.0), given())
case("delzac/cntkx/issues/10", "divided by d_k, the root is missing", whole(by=d), given())
case("esceptico/perceiver-io/issues/9", "divided by head_dim ** -0.5", whole(by=d**-0.5), given())
case("SKaiNET-developers/SKaiNET/pull/880", "the scale is 0", out(F.softmax(scores * 0, -1)), given())

# Masks.
case("pytorch/examples/issues/649", "earlier tokens are hidden in place of later ones", whole(mask=later.T), given(mask="causal"))
case("rasbt/LLMs-from-scratch/issues/1061", "a mask that is True where keys are hidden goes to scaled_dot_product_attention, where True is seen", whole(mask=~later), given(mask="causal"))
case("lucidrains/halonet-pytorch/issues/4", "masked_fill with the mask of what is seen", whole(mask=~pad), given(mask=dict(kind="padding", visible=3)))
case("awslabs/gluonts/pull/1401", "masked_fill with 1e-9", out(F.softmax(scores.masked_fill(later, 1e-9), -1)), given(mask="causal"))
case("Shujun-He/RibonanzaNet/issues/5", "masked_fill with -1e-9", out(F.softmax(scores.masked_fill(pad, -1e-9), -1)), given(mask=dict(kind="padding", visible=3)))
case("hyunwoongko/transformer/pull/40", "a mask of keys stands over queries, filled with -10000", out(F.softmax(scores.masked_fill(pad.T, -10000), -1)), given(mask=dict(kind="padding", visible=3), maskFill=-10000))
case("lucidrains/memory-compressed-attention/issues/2", "the mask comes after softmax", out(F.softmax(scores, -1).masked_fill(later, 0)), given(mask="causal"))
case("huggingface/pytorch-image-models/pull/2236", "the mask comes after softmax", out(F.softmax(scores, -1) * ~pad), given(mask=dict(kind="padding", visible=3)))
case("gabrielmittag/NISQA/issues/17", "-inf is filled in after softmax", F.softmax(scores, -1).masked_fill(pad, -math.inf)[0, 0], given(mask=dict(kind="padding", visible=3)))
case("RVC-Boss/GPT-SoVITS/issues/965", "triu(diagonal=2): a token sees the next one", whole(mask=torch.ones(n, n).triu(2).bool()), given(mask="causal"))
single = torch.where(later, torch.tensor(-math.inf, dtype=torch.float32), scores.float() - 1e9)
case("harvard-edge/cs249r_book/pull/1785", "(1 - mask) * -1e9 of a mask that holds -inf and 0, in float32", out(F.softmax(single, -1).double()), given(mask="causal"))

# Softmax.
case("PetrochukM/PyTorch-NLP/issues/2", "softmax over the first axis", whole(weigh=lambda s: F.softmax(s, dim=2)), given())
case("labmlai/annotated_deep_learning_paper_implementations/issues/146", "softmax over queries: dim=1 of i, j", whole(weigh=lambda s: F.softmax(s, dim=-2)), given())
case("FudanNLP/fastNLP/issues/254", "softmax with dim=2 of four dimensions", whole(weigh=lambda s: F.softmax(s, 2)), given())

# Heads and projections.
view = lambda a: a.view(1 * h, -1, d)[None]
case("reczoo/FuxiCTR/issues/30", "view to batch · heads, without a transpose", whole(split=view, merge=lambda a: a.reshape(1, n, D)), given())
case("jsbaan/transformer-from-scratch/pull/6", "reshape without the permute before it", whole(merge=lambda a: a.reshape(1, n, D)), given())
case("649453932/Chinese-Text-Classification-Pytorch/issues/10", "context.view(batch, -1, heads * width)", whole(merge=lambda a: a.contiguous().view(1, -1, h * d)), given())
case("yflyzhang/AnnotatedTransformer/issues/1", "value = k_proj(value)", whole(v=k), given())
case("Khaliladib11/Transformer-from-scratch/issues/1", "query and value go through the projection of keys", whole(q=k, v=k), given())
k_groups, v_groups = x @ wk[:, :4] + bk[:4], x @ wv[:, :4] + bv[:4]
grouped_spec = given(heads=4, kvHeads=2)
grouped_spec["projections"] = {**grouped_spec["projections"], "wk": wk[:, :4].tolist(), "wv": wv[:, :4].tolist(), "bk": bk[:4].tolist(), "bv": bv[:4].tolist()}
tiled = lambda a: a.view(n, 2, 2).transpose(0, 1).repeat(2, 1, 1)
four = F.softmax(q.view(n, 4, 2).transpose(0, 1) @ tiled(k_groups).transpose(-2, -1) / math.sqrt(2), -1) @ tiled(v_groups)
case("onnx/onnx/pull/7274", "keys and values are tiled in place of repeated", four.transpose(0, 1).reshape(n, D) @ wo, grouped_spec)

# Positions.
angles = lambda width: torch.arange(n)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
half = lambda a: torch.cat((-a[..., a.shape[-1] // 2 :], a[..., : a.shape[-1] // 2]), -1)
every_two = lambda a: torch.stack((-a[..., 1::2], a[..., ::2]), -1).flatten(-2)
turned = lambda a, emb, turn: a * emb.cos() + turn(a) * emb.sin()
by_halves, by_pairs = torch.cat((angles(d), angles(d)), -1), angles(d).repeat_interleave(2, -1)
rotated = lambda emb, turn: out(F.softmax(hide(turned(split(q), emb, turn) @ turned(split(k), emb, turn).transpose(-2, -1) / math.sqrt(d), later), -1))
rope = lambda layout: given(mask="causal", positions=f"rope-{layout}", rope=dict(base=10000))
case("huggingface/transformers/issues/25199", "weights for adjacent pairs are turned in halves", rotated(by_halves, half), rope("interleaved"))
case("raiyanyahya/how-to-train-your-gpt/issues/6", "angles for adjacent pairs, turned in halves", rotated(by_pairs, half), rope("interleaved"))
by_head = torch.cat((angles(d)[:h], angles(d)[:h]), -1)[:, None]
case("mlfoundations/open_lm/issues/4", "the position is that of the head", rotated(by_head, half), rope("half"))
sines = lambda up, base=10000: torch.stack((torch.sin(torch.arange(n)[:, None] / base**up[0::2]), torch.cos(torch.arange(n)[:, None] / base**up[1::2])), -1).flatten(1)
even = (torch.arange(D) // 2 * 2) / D
positioned = lambda p: (lambda z: whole(z @ wq + bq, z @ wk + bk, z @ wv + bv))(x + p)
sine_spec = given(positions="sinusoidal-interleaved")
case("maxjcohen/transformer/issues/62", "the base of the positions is 1000", positioned(sines(even, 1000)), sine_spec)
case("DongjunLee/transformer-tensorflow/issues/6", "the exponent is the column's, not its pair's", positioned(sines(torch.arange(D) / D)), sine_spec)
case("shenweichen/DeepCTR/issues/379", "the exponent is twice the column", positioned(sines(2 * torch.arange(D) / D)), sine_spec)

# Norms.
norm = lambda z, root: (z - z.mean(-1, keepdim=True)) / root(z)
block = lambda place: given(block=dict(norm=place, of="layer", epsilon=1e-5))
normed = lambda root: (lambda z: x + whole(z @ wq + bq, z @ wk + bk, z @ wv + bv))(norm(x, root))
proper = lambda z: torch.sqrt(z.var(-1, unbiased=False, keepdim=True) + 1e-5)
case("codertimo/BERT-pytorch/issues/30", "divided by std + eps", normed(lambda z: z.std(-1, keepdim=True) + 1e-5), block("before"), 8)
case("harvardnlp/annotated-transformer/pull/119", "the variance over d - 1", normed(lambda z: torch.sqrt(z.var(-1, keepdim=True) + 1e-5)), block("before"), 8)
case("Howuhh/faster-trajectory-transformer/issues/3", "the normalised input is added", normed(proper) - x + norm(x, proper), block("before"))
case("harvardnlp/annotated-transformer/issues/110", "the output is normalised, then the input added", x + norm(whole(), proper), block("after"))
case("sbryngelson/ANEForge/pull/253", "the biases of Q, K and V are left out", whole(x @ wq, x @ wk, x @ wv), given())
drop = torch.tensor([[1, 0, 1, 1, 0], [1, 1, 0, 1, 1], [0, 1, 1, 1, 1], [1, 1, 1, 0, 1], [1, 1, 0, 1, 1]])
case("pytorch/pytorch/issues/124464", "dropout_p is applied in evaluation", (F.softmax(scores, -1)[0, 0] * drop / 0.8), given())
for one in found:
    print(json.dumps(one))
