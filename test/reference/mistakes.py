"""Attention (Vaswani et al. 2017, equation 1) with one or two mistakes, in NumPy: the planted results of test/precision/mistakes.ts.

    python3 test/reference/mistakes.py INPUTS [PAIRS [FIRST]]
    python3 test/reference/mistakes.py --asked

The second reads lines of JSON, {"input", "sets"} or {"spec", "sets"}, and writes the rows that each set of mistakes gives of it (null where it cannot be
made).
The first writes a line of JSON for each input: {"spec", "planted": [{"ids", "rows"}]}; the first planted has no mistake. Every mistake is programmed here in a few
lines of NumPy that share nothing with the engine's. The same hand wrote both: a mistake that is misunderstood in both would not show.
"""

import json
import sys

import numpy as np


def soft(S, axis=-1, extra=0.0):
    top = S.max(axis, keepdims=True)
    E = np.exp(S - top)
    return E / (E.sum(axis, keepdims=True) + extra * (np.exp(-top) if extra == 1 else 1))


def norm(x, b, m):
    """LayerNorm (Ba et al. 2016) or RMSNorm, with the gains and biases of a block."""
    layer = (b["of"] == "layer") != ("normKind" in m)
    axis = 0 if "normTokens" in m else -1
    if axis == 0:
        layer = True
    mean = x.mean(axis, keepdims=True) if layer else 0 * x[:, :1]
    var = ((x - mean) ** 2).mean(axis, keepdims=True)
    more = ((x - mean) ** 2).sum(axis, keepdims=True) / max(x.shape[axis] - 1, 1e-300)
    eps = b["epsilon"]
    if "normUnbiased" in m:
        by = np.sqrt(more + eps)
    elif "normEpsilonOutside" in m:
        by = np.sqrt(var) + eps
    elif "normStandard" in m:
        by = np.sqrt(more) + eps
    elif "normNoRoot" in m:
        by = var + eps
    elif "normRootTwice" in m:
        by = np.sqrt(np.sqrt(var) + eps)
    elif "normNoEpsilon" in m:
        by = np.sqrt(var)
    else:
        by = np.sqrt(var + eps)
    y = (x - mean) / by
    return y if "noGains" in m else y * b["gains"] + b["biases"]


def sines(n, d, m, halves=False):
    """Section 3.5 of the paper, or tensor2tensor's halves."""
    pos = np.arange(n, dtype=float)[:, None]
    if "positionsFromOne" in m:
        pos = pos + 1
    if "positionsReversed" in m:
        pos = pos[::-1]
    if "positionsLayout" in m:
        halves = not halves
    col = np.arange(d)
    i = col % (d // 2) if halves else col // 2
    up = 2.0 * i / d
    if "positionsColumn" in m:
        up = 1.0 * col / d
    if "positionsDouble" in m:
        up = 2.0 * col / d
    base = 1000.0 if "positionsBase" in m else 10000.0
    angle = pos * base**up if "positionsTimes" in m else pos / base**up
    first = col < d // 2 if halves else col % 2 == 0
    if "positionsSwapped" in m:
        first = ~first
    return np.where(first, np.sin(angle), np.cos(angle))


def rotate(x, pos, rope, m, width):
    """RoPE (Su et al. 2021) of one head."""
    d = x.shape[-1]
    i = np.arange(d // 2)
    base = rope["base"]
    if "ropeBase" in m:
        base = 500000.0 if base == 10000 else 10000.0
    up = i / d if "ropeExponent" in m else 2.0 * i / width if "ropeByWidth" in m else 2.0 * i / d
    t = pos[:, None] * base**up if "ropeTimes" in m else pos[:, None] / base**up
    if "ropeBackwards" in m:
        t = -t
    if "ropeMixed" in m:
        t = np.repeat(t, 2, -1)
        return x * np.cos(t) + np.concatenate([-x[:, d // 2 :], x[:, : d // 2]], -1) * np.sin(t)
    half = (rope["layout"] == "half") != ("ropeLayout" in m)
    a, b = (slice(0, d // 2), slice(d // 2, d)) if half else (slice(0, d, 2), slice(1, d, 2))
    y = np.empty_like(x)
    y[:, a] = x[:, a] * np.cos(t) - x[:, b] * np.sin(t)
    y[:, b] = x[:, a] * np.sin(t) + x[:, b] * np.cos(t)
    return y


class Cannot(Exception):
    """The mistake cannot be made here: shapes, or the part is not there."""


def need(condition):
    if not condition:
        raise Cannot


def attention(c, m):
    """The printed result of case c with the mistakes m."""
    h, kv = c["h"], c["kv"]
    x, context, b, rope = c["x"], c.get("context"), c.get("block"), c.get("rope")
    need(not [i for i in m if i.startswith("positions") or i == "noPositions"] or c.get("sines"))
    need(not [i for i in m if i.startswith("rope") or i == "noRope"] or rope)
    n0, d0 = x.shape
    scaled_x = x * np.sqrt(d0) if "embeddingScaled" in m else x
    if c.get("sines"):
        P = sines(n0, d0, m, c["sines"] == "concatenated")
        if "noPositions" in m:
            P = 0
        if "positionsTwice" in m:
            P = 2 * P
        x = scaled_x * P if "positionsMultiplied" in m else scaled_x + P
    else:
        x = scaled_x

    # The norm before attention.
    before = b and (b["norm"] == "before") != (("normOrder" in m) and b["norm"] != "none")
    normal = [i for i in m if i.startswith("norm") and i not in ("normUnasked", "normOfOutput", "normQueriesOnly")] + [i for i in m if i in ("noGains", "noNorm")]
    need(not normal or (b and b["norm"] != "none"))
    need("normQueriesOnly" not in m or (before and context is None and "noNorm" not in m))
    z = x
    if before and "noNorm" not in m:
        z = norm(x, b, m)
    if "normUnasked" in m:
        need(not b)
        z = norm(x, dict(of="layer", epsilon=1e-5, gains=1, biases=0), m)
    zq, zk, zv = z, z if context is None else context, z if context is None else context
    if "normQueriesOnly" in m:
        zk = zv = x
    if "selfForCross" in m:
        need(context is not None)
        zk = zv = z
    if "contextForQueries" in m:
        need(context is not None)
        zq, zk, zv = context, z, z
    if "valuesOfX" in m:
        need(context is not None and len(context) == len(x))
        zv = z

    # Projections.
    Wq, Wk, Wv, bq, bk, bv = c["wq"], c["wk"], c["wv"], c["bq"], c["bk"], c["bv"]
    has_bias = bq is not None
    need(has_bias or not [i for i in m if i in ("noBq", "noBk", "noBv", "noBias", "biasTwice", "biasBefore")])
    bq, bk, bv = [0 if a is None else a for a in (bq, bk, bv)]
    if "sharedWq" in m:
        Wk, Wv, bk, bv = Wq, Wq, bq, bq
    if "sharedWk" in m:
        Wq, Wv, bq, bv = Wk, Wk, bk, bk
    if m & {"weightsSwappedQK", "weightsSwappedKV", "weightsSwappedQV"}:
        need(has_bias)  # without biases that is q, k and v exchanged
        if "weightsSwappedQK" in m:
            Wq, Wk = Wk, Wq
        if "weightsSwappedKV" in m:
            Wk, Wv = Wv, Wk
        if "weightsSwappedQV" in m:
            Wq, Wv = Wv, Wq
        need(Wq.shape == c["wq"].shape and Wk.shape == c["wk"].shape)
    square = lambda W: need(W.shape[0] == W.shape[1])
    if "transposedWq" in m or "transposedAll" in m:
        square(Wq)
        Wq = Wq.T
    if "transposedWk" in m or "transposedAll" in m:
        square(Wk)
        Wk = Wk.T
    if "transposedWv" in m or "transposedAll" in m:
        square(Wv)
        Wv = Wv.T
    if "biasBefore" in m:
        need(bq.shape[-1] == zq.shape[1] and bk.shape[-1] == zk.shape[1] and bv.shape[-1] == zv.shape[1])
        q, k, v = (zq + bq) @ Wq, (zk + bk) @ Wk, (zv + bv) @ Wv
    else:
        times = 2 if "biasTwice" in m else 1
        q = zq @ Wq + times * bq * ("noBq" not in m and "noBias" not in m)
        k = zk @ Wk + times * bk * ("noBk" not in m and "noBias" not in m)
        v = zv @ Wv + times * bv * ("noBv" not in m and "noBias" not in m)
    if "swapQK" in m:
        q, k = k, q
    if "swapKV" in m:
        k, v = v, k
    if "swapQV" in m:
        q, v = v, q
    if "valuesAreKeys" in m:
        v = k
    if "valuesAreQueries" in m:
        v = q
    if "keysAreQueries" in m:
        k = q
    if "keysAreValues" in m:
        k = v
    if "queriesAreX" in m:
        q = zq
    if "keysAreX" in m:
        k = zk
    if "valuesAreX" in m:
        v = zv
    if m & {"fusedByHead", "fusedColumns", "fusedRolled", "fusedRolledBack"}:
        if "fusedRolled" in m or "fusedRolledBack" in m:
            q, k, v = (k, v, q) if "fusedRolled" in m else (v, q, k)
        else:
            need(q.shape == k.shape == v.shape)
            F = np.concatenate([q, k, v], 1)
            if "fusedByHead" in m:
                G = F.reshape(len(F), h, 3, -1)
                q, k, v = [G[:, :, i].reshape(len(F), -1) for i in range(3)]
            else:
                G = F.reshape(len(F), -1, 3)
                q, k, v = [G[:, :, i] for i in range(3)]
    need(q.shape[1] % h == 0 and k.shape[1] % kv == 0 and v.shape[1] % kv == 0 and len(k) == len(v))
    need(q.shape[1] // h == k.shape[1] // kv)

    # Heads.
    heads_only = {"viewHeads", "strideHeads", "oneHead", "viewQueries", "headsRolled"}
    need(not (m & heads_only) or h > 1)
    groups_only = {"groupsTiled", "groupsFirst", "groupsReversed", "groupsAveraged"}
    need(not (m & groups_only) or kv < h)
    right = lambda a, count: a.reshape(len(a), count, -1).transpose(1, 0, 2)
    view = lambda a, count: a.reshape(count, len(a), -1)
    stride = lambda a, count: a.reshape(len(a), -1, count).transpose(2, 0, 1)
    cut = view if "viewHeads" in m else stride if "strideHeads" in m else right
    width = q.shape[1]
    if "oneHead" in m:
        need(h == kv)
        Q, K, V = q[None], k[None], v[None]
    else:
        Q, K, V = (view if "viewQueries" in m else cut)(q, h), cut(k, kv), cut(v, kv)
        g = h // kv
        if "groupsTiled" in m:
            pick = np.tile(np.arange(kv), g)
        elif "groupsFirst" in m:
            pick = np.zeros(h, int)
        elif "groupsReversed" in m:
            pick = np.repeat(np.arange(kv)[::-1], g)
        else:
            pick = np.repeat(np.arange(kv), g)
        if "groupsAveraged" in m:
            K, V = np.stack([K.mean(0)] * h), np.stack([V.mean(0)] * h)
        else:
            K, V = K[pick], V[pick]
        if "headsRolled" in m:
            V = np.roll(V, -1, axis=0)

    # RoPE.
    d = Q.shape[-1]
    if rope and "noRope" not in m:
        need(d % 2 == 0 and ("ropeByWidth" not in m or h > 1))
        pq, pk = np.arange(Q.shape[1], dtype=float) + c.get("start", 0), np.arange(K.shape[1], dtype=float)
        if "ropeQueriesFromOne" in m:
            pq = pq + 1
        if "ropeCacheRestart" in m:
            pq = pq - c.get("start", 0)
        turn = lambda A, p: np.stack([rotate(a, p if "ropeByHead" not in m else np.full(len(a), float(i)), rope, m, c["wq"].shape[1]) for i, a in enumerate(A)])
        for _ in range(2 if "ropeTwice" in m else 1):
            Q = Q if "ropeKeysOnly" in m else turn(Q, pq)
            K = K if "ropeQueriesOnly" in m else turn(K, -pk if "ropeOpposite" in m else pk)
        if "ropeValues" in m and V.shape[-1] % 2 == 0:
            V = np.stack([rotate(a, pk, rope, m, width) for a in V])

    # Scores.
    n, mk = Q.shape[1], K.shape[1]
    if "keysViewed" in m:
        need(d > 1)
        S = Q @ K.reshape(len(K), d, mk)
    elif "cosine" in m:
        unit = lambda a: a / np.sqrt((a**2).sum(-1, keepdims=True))
        S = unit(Q) @ unit(K).transpose(0, 2, 1)
    else:
        S = Q @ K.transpose(0, 2, 1)
    own = c.get("scale", np.sqrt(d))
    W = c["wq"].shape[1]
    by = {
        "noScale": 1, "scaleRoot": d**0.5, "scaleD": d, "scaleModel": W**0.5, "scaleInput": c["x"].shape[1] ** 0.5 if "x" in c else np.nan, "scaleWidth": W, "scaleBoth": (d * c["x"].shape[1]) ** 0.5 if "x" in c else (d * W) ** 0.5, "scaleKeys": c["keys"] ** 0.5, "scaleHeads": h**0.5,
        "scaleTimes": d**-0.5, "scaleTimesD": 1 / d, "scaleFourth": d**0.25, "scaleZero": np.inf, "scaleEight": 8, "scaleHalf": d / 2,
        "scaleInteger": int(d**0.5), "scaleValues": (c["wv"].shape[1] // kv) ** 0.5, "scaleAfter": 1,
    }  # fmt: skip
    for i in m & set(by):
        need(i in ("noScale", "scaleAfter") or by[i] != 1)  # to divide by 1 is not to divide
        own = by[i]
    if "scaleFloor" in m:
        S = S // own
    else:
        S = S / own if np.isfinite(own) else 0 * S
    if "scoresWhole" in m:
        S = S.astype(int).astype(float)
    if "scoresRounded2" in m:
        S = np.floor(S * 100 + 0.5) / 100
    if "scoresRounded1" in m:
        S = np.floor(S * 10 + 0.5) / 10

    # Mask.
    i, j = np.arange(n)[:, None], np.arange(mk)[None]
    hide, window = c["hidden"], c.get("window")
    masks = [x for x in m if x.startswith(("mask", "window", "causal")) or x == "noMask"]
    need(not masks or hide is not None or "causalToo" in m)
    need(hide is None or hide.shape == (n, mk))
    causal = hide is not None and any(np.array_equal(hide, j > i + s) for s in (0, mk - n))
    need(not [x for x in m if x.startswith("window")] or window)
    after = None
    if hide is not None or "causalToo" in m:
        H = np.zeros((n, mk), bool) if hide is None else hide
        own = mk - n if causal or window or n == 1 else 0
        if "maskInverted" in m:
            H = ~H
        if "maskTransposed" in m:
            need(n == mk)
            H = H.T
        if "maskReversed" in m:
            H = H[:, ::-1]
        if "maskFirstRow" in m:
            H = np.repeat(H[:1], n, 0)
        if "maskLastRow" in m:
            need(H[-1].any())
            H = np.repeat(H[-1:], n, 0)
        if "maskStrict" in m:
            H = H | (i + own == j)
        if "maskLoose" in m:
            H = H & (j != i + own + 1)
        if "causalToo" in m:
            need(not causal)
            H = H | (j > i)
        if "causalForgotten" in m:
            need(not causal)
            H = H & (j <= i)
        if "maskStart" in m or "maskEnd" in m:
            need(causal and n != mk)
            H = j > i + (0 if "maskStart" in m else mk - n)
        if window:
            r, future = window["reach"], (j > i) & window["causal"]
            need(not (m & {"windowForgotten", "windowBoth"}) or window["causal"])
            if "windowShort" in m:
                H = future | (abs(i - j) > r - 1)
            if "windowLong" in m:
                H = future | (abs(i - j) > r + 1)
            if "windowForgotten" in m:
                H = j > i
            if "windowBoth" in m:
                H = abs(i - j) > r
            if "windowBlocks" in m:
                H = future | (i // (r + 1) != j // (r + 1))
        if "noMask" in m:
            pass
        elif m & {"maskAfter", "maskInfiniteAfter"}:
            after = H
        elif "maskAdded" in m:
            S = S + H
        elif "maskAddedSeen" in m:
            S = S + ~H
        elif "maskTaken" in m:
            S = S - H
        elif "maskNaN" in m:
            S = S + H * -np.inf
        else:
            fill = {"maskZero": 0, "maskTiny": 1e-9, "maskMinusOne": -1, "maskMinusTen": -10, "maskPositive": 1e9}
            value = next((fill[x] for x in m if x in fill), -np.inf)
            if "maskFirstHead" in m:
                need(len(S) > 1)
                S = np.concatenate([np.where(H, value, S[:1]), S[1:]])
            else:
                S = np.where(H, value, S)

    # Softmax.
    if "softmaxQueries" in m:
        A = soft(S, 1)
    elif m & {"maxUnkept", "sumUnkept", "bothUnkept"}:
        need(S.shape[1] == S.shape[2])
        rows = []
        for s in S:  # one head: two axes, of which numpy.max and numpy.sum drop the last
            e = np.exp(s - (s.max(-1, keepdims=True) if "sumUnkept" in m else s.max(-1)))
            rows.append(e / (e.sum(-1, keepdims=True) if "maxUnkept" in m else e.sum(-1)))
        A = np.stack(rows)
    elif "softmaxMixed" in m:
        E = np.exp(S - S.max(-1, keepdims=True))
        A = E / E.sum(1, keepdims=True)
    elif "softmaxWhole" in m:
        A = np.stack([soft(s.ravel()).reshape(s.shape) for s in S])
    elif "softmaxHeads" in m:
        need(len(S) > 1)
        A = soft(S, 0)
    elif "noSoftmax" in m:
        A = np.where(S == -np.inf, 0, S)
    elif "sigmoid" in m:
        A = 1 / (1 + np.exp(-S))
    elif "relu" in m:
        A = np.where(S > 0, S, 0)
    elif "sumOnly" in m:
        A = np.where(np.isfinite(S), S, 0)
        A = A / A.sum(-1, keepdims=True)
    elif "noSum" in m:
        A = np.exp(S)
    elif "softmaxTwice" in m:
        A = soft(soft(S))
    elif "softmaxPlusOne" in m:
        A = soft(S, extra=1)
    elif "softmaxEpsilon" in m:
        A = soft(S, extra=1e-6)
    elif "softmaxEpsilonLarge" in m:
        A = soft(S, extra=1e-3)
    elif "logSoftmax" in m:
        A = np.log(soft(S))
    elif "argmax" in m:
        A = np.eye(mk)[S.argmax(-1)]
    elif "softmaxNegative" in m:
        A = soft(np.where(S == -np.inf, S, -S))
    elif "softmaxBaseTwo" in m:
        A = 2.0**S / (2.0**S).sum(-1, keepdims=True)
    elif "headsMeanFirst" in m:
        need(len(S) > 1)
        A = np.stack([soft(S.mean(0))] * len(S))
    elif "noMax" in m:
        E = np.where(S > np.log(np.finfo(np.float32).max), np.inf, np.exp(S))
        A = E / E.sum(-1, keepdims=True)
    else:
        A = soft(S)
    if "weightsRounded2" in m:
        A = np.floor(A * 100 + 0.5) / 100
    if "weightsRounded1" in m:
        A = np.floor(A * 10 + 0.5) / 10
    if "weightsWhole" in m:
        A = np.trunc(A)
    if after is not None:
        A = np.where(after, -np.inf if "maskInfiniteAfter" in m else 0, A)
    if "scaleAfter" in m:
        A = A / c.get("scale", np.sqrt(d))

    # The sum of values.
    if "weightsTransposed" in m:
        need(n == mk)
        O = A.transpose(0, 2, 1) @ V
    elif "valuesTransposed" in m:
        need(V.shape[1] == V.shape[2])
        O = A @ V.transpose(0, 2, 1)
    elif "turnedKeysAsValues" in m:
        need(V.shape == K.shape)
        O = A @ K
    elif "elementwise" in m:
        need(A.shape == V.shape)
        O = A * V
    elif "meanOfValues" in m:
        O = np.stack([np.repeat(v.mean(0, keepdims=True), n, 0) for v in V])
    else:
        O = A @ V

    # Heads together.
    few = {"viewMerge", "strideMerge", "headsReversed", "headsStacked", "headsAveraged", "headsMeanRepeated", "headsSummed", "firstHead", "lastHead"}
    need(not (m & few) or len(O) > 1)
    beside = lambda a: a.transpose(1, 0, 2).reshape(n, -1)
    if "viewMerge" in m:
        Z = O.reshape(n, -1)
    elif "strideMerge" in m:
        Z = O.transpose(1, 2, 0).reshape(n, -1)
    elif "headsReversed" in m:
        Z = beside(O[::-1])
    elif "headsStacked" in m:
        Z = O.reshape(-1, O.shape[-1])
    elif "headsAveraged" in m:
        Z = O.mean(0)
    elif "headsMeanRepeated" in m:
        Z = np.concatenate([O.mean(0)] * len(O), 1)
    elif "headsSummed" in m:
        Z = O.sum(0)
    elif "firstHead" in m:
        Z = O[0]
    elif "lastHead" in m:
        Z = O[-1]
    else:
        Z = beside(O)

    # W_O.
    wo, bo = c["wo"], c["bo"]
    need(wo is not None or not (m & {"noWo", "transposedWo", "woTwice"}))
    need(bo is not None or not (m & {"noBo", "boTwice"}))
    zero = 0 if bo is None else bo
    if wo is not None and "noWo" not in m:
        if "transposedWo" in m or "woTwice" in m:
            square(wo)
        need(Z.shape[1] == wo.shape[0])
        Y = Z @ (wo.T if "transposedWo" in m else wo) + zero * (0 if "noBo" in m else 2 if "boTwice" in m else 1)
        if "woTwice" in m:
            Y = Y @ wo + zero
    else:
        Y = Z
    if "outputWhole" in m:
        Y = np.trunc(Y)

    # The sum with X.
    only_block = {"noResidual", "residualNormed", "normOfOutput"}
    need(b or not (m & only_block))
    if not b:
        if "residual" in m:
            need(Y.shape == x.shape)
            Y = Y + x
        return Y
    need("residual" not in m and Y.shape == x.shape)
    need("residualNormed" not in m or (b["norm"] == "before" and before and "noNorm" not in m))
    if "normOfOutput" in m:
        need(b["norm"] == "after")
        return norm(Y, b, set()) + x
    T = Y if "noResidual" in m else Y + (z if "residualNormed" in m else x)
    end = (b["norm"] == "after") != ("normOrder" in m and b["norm"] != "none")
    return norm(T, b, m) if end and "noNorm" not in m else T


ids = """noPositions positionsTwice positionsMultiplied embeddingScaled positionsFromOne positionsReversed positionsLayout positionsSwapped positionsColumn
positionsDouble positionsTimes positionsBase normUnbiased normEpsilonOutside normStandard normNoRoot normRootTwice normNoEpsilon normTokens normKind noGains
noNorm normOrder normUnasked transposedWq transposedWk transposedWv transposedAll noBq noBk noBv noBias biasTwice biasBefore swapQK swapKV swapQV
valuesAreKeys valuesAreQueries keysAreQueries keysAreValues sharedWq sharedWk weightsSwappedQK weightsSwappedKV weightsSwappedQV queriesAreX keysAreX valuesAreX fusedByHead fusedColumns fusedRolled fusedRolledBack
selfForCross contextForQueries valuesOfX normQueriesOnly viewHeads viewQueries strideHeads oneHead headsRolled groupsTiled groupsFirst groupsReversed
groupsAveraged keysViewed cosine noRope ropeLayout ropeMixed ropeBase ropeExponent ropeByWidth ropeTimes ropeBackwards ropeTwice ropeValues ropeKeysOnly
ropeQueriesOnly ropeOpposite ropeByHead ropeQueriesFromOne ropeCacheRestart noScale scaleRoot scaleD scaleModel scaleInput scaleWidth scaleBoth scaleKeys scaleHeads scaleValues scaleTimes
scaleTimesD scaleFourth scaleHalf scaleEight scaleZero scaleAfter scaleInteger scaleFloor scoresWhole scoresRounded2 scoresRounded1 noMask maskInverted
maskTransposed maskReversed maskFirstRow maskLastRow maskFirstHead maskAdded maskAddedSeen maskTaken maskNaN maskAfter maskInfiniteAfter maskZero maskTiny maskMinusOne
maskMinusTen maskPositive maskStrict maskLoose causalToo causalForgotten maskStart maskEnd windowShort windowLong windowForgotten windowBoth windowBlocks
softmaxQueries maxUnkept sumUnkept bothUnkept softmaxMixed softmaxWhole softmaxHeads noSoftmax sigmoid relu sumOnly noSum logSoftmax argmax softmaxNegative softmaxBaseTwo softmaxTwice softmaxPlusOne
softmaxEpsilon softmaxEpsilonLarge headsMeanFirst noMax weightsRounded2 weightsRounded1 weightsWhole weightsTransposed valuesTransposed turnedKeysAsValues
elementwise meanOfValues viewMerge strideMerge headsReversed headsStacked headsAveraged headsMeanRepeated headsSummed firstHead lastHead noWo transposedWo
woTwice noBo boTwice outputWhole residual noResidual residualNormed normOfOutput""".split()


def case(seed):
    """An input, by its number: sizes 2 to 64, 1 to 8 heads, and what else attention may have."""
    r = np.random.RandomState(1800 + seed)
    n = [2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64][seed % 13] if seed else 6
    h = [1, 2, 2, 4, 8, 1][seed % 6] if seed else 2
    d = int(r.choice([2, 4, 6] if h < 8 else [2, 4]))
    if seed == 0:
        d = 4
    D = h * d
    kind = seed % 5
    kv = h // 2 if kind == 1 and h > 1 else h
    num = lambda *shape: r.randn(*shape).round(3)
    c = dict(h=h, kv=kv, x=num(n, D))
    cross = kind == 4
    mk = n if not cross else max(2, n - int(r.randint(0, 2)))
    if cross:
        c["context"] = num(mk, D)
    c["keys"] = mk
    half = lambda W: (W * 0.5).round(4)
    c.update(wq=half(num(D, D)), wk=half(num(D, kv * d)), wv=half(num(D, kv * d)), bq=None, bk=None, bv=None, wo=None, bo=None)
    if seed % 2 == 0 or kind == 2:
        c.update(bq=num(D), bk=num(kv * d), bv=num(kv * d))
    if seed % 3 != 1:
        c["wo"] = half(num(D, D))
        if seed % 2 == 0:
            c["bo"] = num(D)
    i, j = np.arange(n)[:, None], np.arange(mk)[None]
    spec = dict(version=1, dModel=D, heads=h, mask="none", maskFill="-inf", scale="sqrt_d_k", positions="none", convention="XW")
    c["hidden"] = None
    style = seed % 4
    if cross and style == 1:
        seen = max(1, mk - 1)
        c["hidden"], spec["mask"] = np.repeat(j >= seen, n, 0), dict(kind="padding", visible=seen)
    elif not cross and style in (0, 2):
        c["hidden"], spec["mask"] = j > i, "causal"
    elif not cross and style == 1:
        reach = int(r.randint(1, 3))
        c["window"] = dict(reach=reach, causal=bool(seed % 3))
        c["hidden"] = ((j > i) & c["window"]["causal"]) | (abs(i - j) > reach)
        spec["mask"] = dict(kind="window", size=reach, causal=c["window"]["causal"])
    if kind == 1 or seed % 7 == 2:
        c["rope"] = dict(layout="half" if seed % 2 else "interleaved", base=[10000.0, 500000.0][seed % 4 == 1])
        spec["positions"], spec["rope"] = "rope-" + c["rope"]["layout"], dict(base=c["rope"]["base"])
    elif kind == 3 and D % 2 == 0:
        c["sines"] = ["interleaved", "concatenated"][seed % 3 == 0]
        spec["positions"] = "sinusoidal-" + c["sines"]
    if kind in (2, 3) and not cross:
        place = ["before", "after"][seed % 2]
        gains, biases = num(D), num(D)
        rms = seed % 9 == 2
        c["block"] = dict(norm=place, of="rms" if rms else "layer", epsilon=1e-5, gains=gains, biases=0 * biases if rms else biases)
        weights = dict(norm1=gains.tolist()) if rms else dict(norm1=gains.tolist(), norm1Bias=biases.tolist())
        spec["block"] = dict(norm=place, of=c["block"]["of"], weights=[weights])
    if seed % 11 == 7:
        c["scale"], spec["scale"] = 3.0, dict(divideBy=3)
    if kv != h:
        spec["kvHeads"] = kv
    start = {"from": "x", "x": c["x"].tolist()}
    if cross:
        start["context"] = c["context"].tolist()
    given = {"from": "given", **{w: c[w].tolist() for w in ("wq", "wk", "wv")}}
    if c["bq"] is not None:
        given.update({w: c[w].tolist() for w in ("bq", "bk", "bv")})
    spec.update(start=start, projections=given)
    if c["wo"] is not None:
        out = {"from": "given", "wo": c["wo"].tolist()}
        if c["bo"] is not None:
            out["bo"] = c["bo"].tolist()
        spec["outputProjection"] = out
    return c, spec


def numbers(rows):
    """JSON has no NaN: words, as specs have them."""
    word = lambda x: x if np.isfinite(x) else "nan" if np.isnan(x) else "inf" if x > 0 else "-inf"
    return [[word(float(x)) for x in row] for row in rows]


def planted(c, sets):
    found = []
    for m in sets:
        try:
            with np.errstate(all="ignore"):
                found.append({"ids": list(m), "rows": numbers(attention(c, set(m)))})
        except Cannot:
            pass
    return found


def of_spec(spec):
    """The case that a spec says, as far as the cases above have its fields."""
    array = lambda x: None if x is None else np.array(x, float)
    start, given, out = spec["start"], spec["projections"], spec.get("outputProjection", {})
    c = dict(h=spec["heads"], kv=spec.get("kvHeads", spec["heads"]), x=array(start["x"]), context=array(start.get("context")))
    c.update({name: array(given.get(name)) for name in ("wq", "wk", "wv", "bq", "bk", "bv")}, wo=array(out.get("wo")), bo=array(out.get("bo")))
    n = len(c["x"])
    c["keys"] = n if c["context"] is None else len(c["context"])
    i, j = np.arange(n)[:, None], np.arange(c["keys"])[None]
    mask, c["hidden"] = spec["mask"], None
    if mask == "causal":
        c["hidden"] = j > i
    elif mask != "none" and mask["kind"] == "padding":
        c["hidden"] = np.repeat(j >= mask["visible"], n, 0)
    elif mask != "none":
        c["window"] = dict(reach=mask["size"], causal=mask["causal"])
        c["hidden"] = ((j > i) & mask["causal"]) | (abs(i - j) > mask["size"])
    if spec["positions"].startswith("rope"):
        c["rope"] = dict(layout=spec["positions"][5:], base=spec.get("rope", {}).get("base", 10000.0))
    elif spec["positions"] != "none":
        c["sines"] = spec["positions"][11:]
    if "block" in spec:
        c["block"] = dict(norm=spec["block"]["norm"], of=spec["block"].get("of", "layer"), epsilon=1e-5, gains=1, biases=0)
    if isinstance(spec["scale"], dict):
        c["scale"] = spec["scale"]["divideBy"]
    return c


def asked():
    for line in sys.stdin:
        one = json.loads(line)
        c = of_spec(one["spec"]) if "spec" in one else case(one["input"])[0]
        made = [planted(c, [tuple(ids)]) for ids in one["sets"]]
        print(json.dumps([rows[0]["rows"] if rows else None for rows in made]), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--asked":
        asked()
        sys.exit()
    inputs, pairs = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    for seed in range(first, first + inputs):
        c, spec = case(seed)
        r = np.random.RandomState(seed)
        chosen, tries = [], 0
        while len(chosen) < pairs and tries < 200:
            tries += 1
            chosen += planted(c, [tuple(r.choice(ids, 2, replace=False))])
        print(json.dumps({"spec": spec, "planted": planted(c, [()] + [(i,) for i in ids]) + chosen}))
