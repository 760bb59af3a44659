"""Cells of trained models as NumPy has them (box_models.py), for the blocks and questions of the course that name a model.

Reads JSON [{"model", "text", "changes", "cells": [[step, [index …]], …]}, …] and prints, for each, the list of numbers.
"""

import json
import re
import sys
from pathlib import Path

import box_models as box

MODELS = Path(__file__).parents[2] / "extension" / "models"


def cells(asked):
    about, tensors = box.read(MODELS / f"{asked['model']}.safetensors")
    name = re.sub(r"-\d+$", "", asked["model"]) if "training" in asked["model"] else asked["model"]
    tokenizer = json.loads((MODELS / f"{name}.tokenizer.json").read_text())
    steps = box.walk(box.tokens(asked["text"], tokenizer), about, tensors, asked["changes"])
    return [float(steps[step][tuple(index)]) for step, index in asked["cells"]]


print(json.dumps([cells(asked) for asked in json.load(sys.stdin)]))
