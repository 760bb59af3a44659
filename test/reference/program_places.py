"""The values of every expression and every assigned name in programs, by running them, for test/engine/program-places.test.ts.

Run: python3 test/reference/program_places.py < programs.json (a list of texts). Prints a JSON list with, for each program, the exception that ended it
and its places: `line:column-line:column` (columns in bytes, from 0), each with its shapes in order of evaluation and its last value.

Has the requirements of program_run.py.
"""
import ast
import builtins
import contextlib
import io
import json
import sys

from program_run import FILE, described, np, torch


def shape_of(value):
    return list(value.shape) if isinstance(value, (torch.Tensor, np.ndarray, np.generic)) else None


def place(node):
    return f"{node.lineno}:{node.col_offset}-{node.end_lineno}:{node.end_col_offset}"


class Watched(ast.NodeTransformer):
    """Rewrites a program so that each expression and each assigned name is also passed to `__see__`."""

    def see(self, node, value=None):
        call = ast.Call(ast.Name("__see__", ast.Load()), [ast.Constant(place(node)), value or node], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def visit(self, node):
        wraps = (ast.Name, ast.Attribute, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Subscript, ast.IfExp, ast.List, ast.Tuple)
        is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        has_slice = isinstance(node, ast.Tuple) and any(isinstance(one, ast.Slice) for one in node.elts)
        if not isinstance(node, wraps) or not is_read or has_slice:
            return super().visit(node)
        original = node
        node = self.generic_visit(node)
        return self.see(original, node)

    def visit_Call(self, node):
        return self.generic_visit(node)

    def generic_visit(self, node):
        if isinstance(node, ast.Call):
            # A called function is not a value to record.
            if isinstance(node.func, ast.Attribute):
                node.func.value = self.visit(node.func.value)
            elif not isinstance(node.func, ast.Name):
                node.func = self.visit(node.func)
            node.args = [self.visit(one) for one in node.args]
            node.keywords = [ast.keyword(one.arg, self.visit(one.value)) for one in node.keywords]
            return node
        return super().generic_visit(node)

    def bound(self, target):
        if isinstance(target, (ast.Tuple, ast.List)):
            return [one for inner in target.elts for one in self.bound(inner)]
        if isinstance(target, ast.Starred):
            return self.bound(target.value)
        if isinstance(target, ast.Name):
            read = ast.Name(target.id, ast.Load())
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            read = ast.Attribute(ast.Name(target.value.id, ast.Load()), target.attr, ast.Load())
        else:
            return []
        return [ast.fix_missing_locations(ast.copy_location(ast.Expr(self.see(target, read)), target))]

    def visit_Assign(self, node):
        node.value = self.visit(node.value)
        targets = [one for target in node.targets for one in self.bound(target)]
        node.targets = [self.visit(target) for target in node.targets]
        return [node, *targets]

    def visit_AugAssign(self, node):
        node.value = self.visit(node.value)
        return [node, *self.bound(node.target)]

    def visit_AnnAssign(self, node):
        if node.value is None:
            return node
        node.value = self.visit(node.value)
        return [node, *self.bound(node.target)]

    def visit_For(self, node):
        targets = self.bound(node.target)
        node.iter = self.visit(node.iter)
        node.body = targets + self.statements(node.body)
        node.orelse = self.statements(node.orelse)
        return node

    def visit_match_case(self, node):
        # A pattern is no expression.
        node.guard = node.guard and self.visit(node.guard)
        node.body = self.statements(node.body)
        return node

    def visit_FunctionDef(self, node):
        named = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
        reads = [ast.fix_missing_locations(ast.copy_location(ast.Expr(self.see(one, ast.Name(one.arg, ast.Load()))), one)) for one in named]
        node.args.defaults = [self.visit(one) for one in node.args.defaults]
        node.body = reads + self.statements(node.body)
        return node

    def statements(self, body):
        out = []
        for one in body:
            made = self.visit(one)
            out += made if isinstance(made, list) else [made]
        return out


def run(text):
    places = {}

    def see(key, value):
        known = places.setdefault(key, dict(shapes=[], last=None))
        shape = shape_of(value)
        if shape is not None:
            known["shapes"].append(shape)
        known["last"] = described(value)
        return value

    builtins.__see__ = see
    error = None
    tree = ast.fix_missing_locations(Watched().visit(ast.parse(text)))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(tree, FILE, "exec"), {"__name__": "__main__"})
    except Exception as exception:
        error = f"{type(exception).__name__}: {exception}"
        last = exception.__traceback__
        while last.tb_next and last.tb_next.tb_frame.f_code.co_filename == FILE:
            last = last.tb_next
        return dict(places=places, error=error, line=last.tb_lineno)
    return dict(places=places, error=None, line=None)


if __name__ == "__main__":
    json.dump([run(text) for text in json.load(sys.stdin)], sys.stdout)
