"""Reads matrices that the product copied: runs NumPy and PyTorch code, parses JSON and CSV. Prints the values.

Standard input: a JSON list of {"notation", "text", "name"}. Standard output: a JSON list of {"shape", "dtype", "hex"}, hex being the
little-endian float64 values. Cells of a CSV that are not numbers are labels, returned as "labels".
"""

import csv
import io
import json
import sys

import numpy as np


def evaluate(text, name, names):
    if name is None:
        return eval(text, names)
    exec(text, names)
    return names[name]


def of_torch(text, name):
    import torch

    tensor = evaluate(text, name, {"torch": torch})
    return tensor.to(torch.float64).numpy(), str(tensor.dtype).removeprefix("torch.")


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def of_csv(text):
    rows = list(csv.reader(io.StringIO(text)))
    labels = [cell for row in rows for cell in row if number(cell) is None]
    body = [[number(cell) for cell in row if number(cell) is not None] for row in rows]
    return np.array([row for row in body if row]), labels


def read(case):
    notation, text, name = case["notation"], case["text"], case.get("name")
    labels = []
    if notation == "torch":
        values, dtype = of_torch(text, name)
    elif notation == "numpy":
        values = evaluate(text, name, {"np": np})
        dtype = str(values.dtype)
    elif notation == "json":
        values = np.array(json.loads(text))
        dtype = str(values.dtype)
    else:
        values, labels = of_csv(text)
        dtype = "text"
    data = values.astype("<f8")
    return {"shape": list(data.shape), "dtype": dtype, "hex": data.tobytes().hex(), "labels": labels}


json.dump([read(case) for case in json.load(sys.stdin)], sys.stdout)
