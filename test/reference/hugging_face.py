"""A model that derives from transformers' classes: writes test/fixtures/hugging_face.json. Recorded with transformers 5.18.0 and PyTorch 2.13."""
import json
from pathlib import Path

import torch
import transformers

tests = Path(__file__).parent.parent
names = {"__name__": "program"}
exec(tests.joinpath("fixtures/programs/elsewhere/hugging_face.py").read_text(), names)
# What follows from no weights and no draws.
known = ("cos", "sin", "length", "active", "swished")
written = {
    name: {"shape": list(value.shape), "values": [round(float(x), 6) for x in value.ravel()] if name in known else None}
    for name, value in names.items()
    if isinstance(value, torch.Tensor)
}
tests.joinpath("fixtures/hugging_face.json").write_text(json.dumps({"transformers": transformers.__version__, "names": written}) + "\n")
