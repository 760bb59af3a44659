// Scopes and bound names by indentation, beside Python's own `ast` and `symtable` of the same texts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { pythonOrSkip } from '../../../reference/python';
import { boundBy, scopeAt, statementLines } from '../../../../extension/live/scopes';

const program = `import torch
x = torch.ones(3)  # y = 1
class A:
    """A text with def f():
    x = 4
    """
    size: int = 3
    def __init__(self, w):
        self.w, b = (w,
            2)
        if w == 3: c = 4
        def inner(z):
            d = z
            return d
        e = f = inner(w) @ (lambda v=1: v)()
        for i, (k, l) in enumerate([]):
            e += 1
        self.e = e == 3
        w[0, size], h = b
        g = "a = 'b" + \\
            'c'
    async def run(self):
        t: dict[str, int] = {}
        t['a'] = 3
        return t
y = A(x)
`;

/** By Python: of each line of a statement the function it stands in, and the plain names and attributes that it assigns. */
const python = `
import ast, json, sys
tree = ast.parse(sys.stdin.read())
found = {}
def path(t):
    if isinstance(t, ast.Name): return [t.id]
    if isinstance(t, ast.Attribute): return [p + '.' + t.attr for p in path(t.value)]
    if isinstance(t, (ast.Tuple, ast.List)): return [p for e in t.elts for p in path(e)]
    return []
def walk(body, name):
    for s in body:
        targets = s.targets if isinstance(s, ast.Assign) else [s.target] if isinstance(s, (ast.AugAssign, ast.AnnAssign, ast.For)) else []
        if not isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)): found[s.lineno] = [name, [p for t in targets for p in path(t)]]
        inner = s.name if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef)) else name
        for part in ('body', 'orelse'):
            if hasattr(s, part) and not (isinstance(s, ast.If) and s.body[0].lineno == s.lineno): walk(getattr(s, part), inner)
walk(tree.body, None)
print(json.dumps(found))
`;

describe('scopes of Python by indentation', () => {
  let expected: Record<string, [string | null, string[]]>;
  before(function () {
    const command = pythonOrSkip(this, 'json');
    expected = JSON.parse(
      execFileSync(command, ['-c', python], { input: program, encoding: 'utf8' }),
    ) as typeof expected;
  });

  it('have the function that Python says, and the names', () => {
    assert.ok(Object.keys(expected).length > 14);
    for (const [line, [name, names]] of Object.entries(expected)) {
      const scope = scopeAt(program, Number(line));
      assert.equal(scope.name ?? null, name, `line ${line}`);
      const own = statementLines(program).find((one) => one.line === Number(line));
      assert.deepEqual(own && boundBy(own.text), names, `line ${line}: ${own?.text}`);
    }
  });

  it('leave out what stands in a function within', () => {
    const { name, statements } = scopeAt(program, 15);
    assert.equal(name, '__init__');
    assert.deepEqual(statements.map(({ line }) => line), [9, 11, 15, 16, 17, 18, 19, 20]); // prettier-ignore
    assert.deepEqual(statements.at(0), { line: 9, last: 10, indent: 8, text: 'self.w, b = (w,\n            2)' });
  });

  it('have a line within a statement of several in its function', () => {
    assert.equal(scopeAt(program, 10).name, '__init__');
    assert.equal(scopeAt(program, 21).name, '__init__');
    assert.equal(scopeAt(program, 26).name, undefined);
  });
});
