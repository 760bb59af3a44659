"""Layers of Keras on fixed numbers, and shapes of others: writes test/fixtures/keras_layers.json. Recorded with Keras 3.15.1 over PyTorch 2.13."""
import json
import os
from pathlib import Path

os.environ["KERAS_BACKEND"] = "torch"
import keras
import numpy as np
from keras import layers

a = keras.ops.convert_to_tensor(np.arange(12, dtype="float32").reshape(1, 3, 4) / 8)
seen = keras.ops.convert_to_tensor(np.array([[True, False, True]]))
asked = keras.ops.convert_to_tensor(np.array([[True, True, False]]))
calls = {
    "masked": layers.Attention()([a, a], mask=[asked, seen], return_attention_scores=True),
    "causal": layers.Attention(use_scale=True)([a, a], mask=[None, seen], use_causal_mask=True, return_attention_scores=True),
    "concat": layers.Attention(score_mode="concat")([a, a], return_attention_scores=True),
    "additive": layers.AdditiveAttention(use_scale=False)([a, a], mask=[None, seen], return_attention_scores=True),
    "dots": (layers.Dot(axes=1)([a[:, 0], a[:, 2]]), layers.Dot(axes=2, normalize=True)([a, a])),
    "mixed": (layers.Dot(axes=(1, 2))([a[:, 1], a]), layers.Multiply()([a, a])[0, 2]),
}
v = keras.random.normal((2, 5, 8))
inputs = layers.Input((20, 32))
shapes = {
    "layers.MultiHeadAttention(2, 4, output_shape=6)(v, v)": layers.MultiHeadAttention(2, 4, output_shape=6)(v, v),
    "layers.EinsumDense('abc,cd->abd', output_shape=(None, 64), bias_axes='d')(v)": layers.EinsumDense("abc,cd->abd", output_shape=(None, 64), bias_axes="d")(v),
    "layers.EinsumDense('...x,xy->...y', output_shape=32)(v)": layers.EinsumDense("...x,xy->...y", output_shape=32)(v),
    "layers.EinsumDense('abc,cde->abde', output_shape=(None, 2, 3), bias_axes='de')(v)": layers.EinsumDense("abc,cde->abde", output_shape=(None, 2, 3), bias_axes="de")(v),
    "layers.RepeatVector(3)(v[:, 0])": layers.RepeatVector(3)(v[:, 0]),
    "layers.GlobalAveragePooling1D()(v)": layers.GlobalAveragePooling1D()(v),
    "layers.GlobalMaxPooling1D()(v)": layers.GlobalMaxPooling1D()(v),
    "layers.Input((20, 32))": inputs,
    "layers.Dense(3)(layers.Input((20, 32)))": layers.Dense(3)(inputs),
    "keras.Model(inputs, layers.Dense(3)(inputs))(keras.random.normal((4, 20, 32)))": keras.Model(inputs, layers.Dense(3)(inputs))(keras.random.normal((4, 20, 32))),
}
numbers = {name: [[round(float(x), 6) for x in np.asarray(one.detach() if hasattr(one, "detach") else one).ravel()] for one in pair] for name, pair in calls.items()}
written = {"keras": keras.__version__, "numbers": numbers, "shapes": {code: ["None" if n is None else n for n in one.shape] for code, one in shapes.items()}}
Path(__file__).parent.parent.joinpath("fixtures/keras_layers.json").write_text(json.dumps(written, indent=1) + "\n")
