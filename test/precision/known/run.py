"""Cuts programs to their definitions where asked: reads a list of [text, whole] as JSON, writes the texts."""
import ast
import json
import re
import sys


def plain(node):
    return isinstance(node, (ast.Import, ast.ImportFrom, ast.Try, ast.FunctionDef, ast.ClassDef)) or (
        isinstance(node, ast.Assign) and not any(isinstance(part, (ast.Call, ast.Subscript, ast.ListComp)) for part in ast.walk(node)))


def cut(text, whole):
    lines = [re.sub(r"^(\s*)[%!]\w.*", r"\1pass", line) for line in text.split("\n")]
    if not whole:
        kept = set()
        for node in ast.parse("\n".join(lines)).body:
            if plain(node):
                first = min([node.lineno, *[d.lineno for d in getattr(node, "decorator_list", [])]])
                kept.update(range(first, node.end_lineno + 1))
        lines = [line if i + 1 in kept else "" for i, line in enumerate(lines)]
    return "\n".join(lines)


json.dump([cut(*each) for each in json.load(sys.stdin)], sys.stdout)
