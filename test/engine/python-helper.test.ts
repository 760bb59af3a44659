// extension/python/explain_attention.py in PyTorch's own process, beside the model's tensors (test/reference/capture_checks.py).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceOfBytes, openTensorFile } from '../../engine/index';
import { freshFolder, root } from '../host/paths';
import { pythonOrSkip } from '../reference/python';

describe('the Python helper', function () {
  this.timeout(300_000);
  let folder: string;
  let found: readonly (readonly [name: string, wrong: string | null])[];

  before(function () {
    const python = pythonOrSkip(this, 'torch', 'numpy');
    folder = freshFolder('captures');
    const run = spawnSync(python, [join(root, 'test/reference/capture_checks.py'), join(root, 'extension/python'), folder], { encoding: 'utf8', timeout: 240_000 }); // prettier-ignore
    assert.equal(run.status, 0, run.stderr.slice(-2000));
    found = JSON.parse(run.stdout) as typeof found;
  });

  it('records each kind of attention as the model has it, changes nothing, and lists what it does not see', () => {
    assert.ok(found.length >= 32, `${found.length} checks ran`);
    assert.deepEqual(found.filter(([, wrong]) => wrong !== null), []); // prettier-ignore
  });

  it('takes no changed tensor for one that was not, knows exp divided by its sum, and the axes of groups and windows', function () {
    const python = pythonOrSkip(this, 'torch', 'numpy');
    const run = spawnSync(python, [join(root, 'test/reference/capture_changes.py'), join(root, 'extension/python')], { encoding: 'utf8', timeout: 240_000 }); // prettier-ignore
    assert.equal(run.status, 0, run.stderr.slice(-3000));
  });

  it('leaves programs as they are that copy, script, checkpoint or share what it records, and names what it does not see', function () {
    const python = pythonOrSkip(this, 'torch', 'numpy');
    const run = spawnSync(python, [join(root, 'test/reference/capture_hostile.py'), join(root, 'extension/python')], { encoding: 'utf8', timeout: 240_000 }); // prettier-ignore
    assert.equal(run.status, 0, run.stderr.slice(-3000));
  });

  it('writes files that the opener of tensor files reads', async () => {
    for (const name of ['kinds', 'run.rank0', 'run.rank1']) {
      const file = await openTensorFile(sourceOfBytes(readFileSync(join(folder, `${name}.safetensors`))), `${name}.safetensors`); // prettier-ignore
      assert.ok(file.ok, JSON.stringify(file));
      const about = JSON.parse(file.value.metadata['explain_attention'] ?? '') as { attentions: unknown[] };
      assert.ok(about.attentions.length > 0 && file.value.tensors.length >= 4 * about.attentions.length - 1);
    }
  });

  it('needs nothing but Python, and no newer one than 3.8', function () {
    const python = pythonOrSkip(this, 'json');
    const source = readFileSync(join(root, 'extension/python/explain_attention.py'), 'utf8');
    const program = `
import ast, json, sys
tree = ast.parse(sys.stdin.read(), feature_version=(3, 8))
print(json.dumps(sorted({a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names} | {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)})))`;
    const run = spawnSync(python, ['-c', program], { input: source, encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    // PyTorch is imported where a model of it is recorded.
    assert.deepEqual(JSON.parse(run.stdout), [
      'ctypes',
      'functools',
      'json',
      'math',
      'os',
      're',
      'struct',
      'sys',
      'torch',
      'weakref',
    ]);
  });
});
