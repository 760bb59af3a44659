"""Runs Python programs that the product exported, and prints their arrays.

Standard input: JSON lines {"code": …, "variables": [name, …]}. Standard output: one JSON line each: {name: nested lists} with
infinities and NaN as strings, or {"error": …}. The programs' own output is discarded.
"""

import contextlib
import io
import json
import math
import sys
import traceback


def plain(value):
    if isinstance(value, list):
        return [plain(item) for item in value]
    value = float(value)
    if math.isnan(value):
        return "nan"
    return ("inf" if value > 0 else "-inf") if math.isinf(value) else value


def run(task):
    names = {}
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(task["code"], "program", "exec"), names)
        arrays = {name: plain(names[name].tolist()) for name in task["variables"]}
        dtypes = {name: str(names[name].dtype).replace("torch.", "") for name in task["variables"]}
        return {"arrays": arrays, "dtypes": dtypes, "printed": len(printed.getvalue().splitlines())}
    except Exception:
        return {"error": traceback.format_exc()}


for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
