"""The frequencies that the transformers library gives YaRN at sizes of published models. Prints one JSON object, which is recorded in
test/fixtures/attention/yarn-library.json: the library is not part of Debian.

    python3 test/reference/yarn_library.py > test/fixtures/attention/yarn-library.json
"""

import json

import torch
from transformers import LlamaConfig, __version__
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

sizes = [
    {"d": 64, "base": 10000.0, "original": 4096, "factor": 4.0},
    {"d": 128, "base": 1000000.0, "original": 32768, "factor": 4.0},
]


def frequencies(d, base, original, factor):
    config = LlamaConfig(
        hidden_size=2 * d,
        num_attention_heads=2,
        head_dim=d,
        max_position_embeddings=int(original * factor),
        rope_parameters={
            "rope_type": "yarn",
            "rope_theta": base,
            "factor": factor,
            "original_max_position_embeddings": original,
        },
    )
    inverse, times = ROPE_INIT_FUNCTIONS["yarn"](config, torch.device("cpu"))
    return {"inverse": [float(x) for x in inverse], "times": float(times)}


versions = f"transformers {__version__}, torch {torch.__version__}"
print(json.dumps({"versions": versions, "cases": [{**size, **frequencies(**size)} for size in sizes]}))
