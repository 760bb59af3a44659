// Attention in half precision: its own steps, with the digits that PyTorch computes.
import assert from 'node:assert/strict';
import { explainAttention } from '../../engine/index';
import { explaining } from '../../engine/program/explain/explain';
import { runProgram } from '../../engine/program/program';
import { findAttention } from '../../engine/program/recognise/index';
import { valuesOf } from '../../engine/run/hash';
import { finish } from '../../engine/text';
import { pythonOrSkip } from '../reference/python';
import { runPython } from './program-compare';

// Of one input: PyTorch 1.13 adds up products of batches in bfloat16, 2 in float32, as here.
const layer = (bias: string, softmax: string, end = 'w @ v'): string => `import torch
from torch import nn
torch.manual_seed(0)
class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(d, d, bias=${bias}, dtype=torch.bfloat16) for _ in range(4))
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        s = q @ k.transpose(-1, -2) * 0.5
        w = ${softmax}
        return ${end}
out = Attention(8)(torch.randn(5, 8).to(torch.bfloat16))
`;
const [plain, wide] = ['torch.softmax(s, dim=-1)', 'torch.softmax(s.float(), dim=-1).to(q.dtype)'];

function explained(text: string) {
  const program = runProgram(text);
  const attention = findAttention(program.graph).at(-1);
  assert.ok(attention);
  const made = finish(explaining(text, program, attention));
  assert.ok(made.ok, made.ok ? '' : JSON.stringify(made.problems));
  const trace = explainAttention(made.value.spec);
  assert.ok(trace.ok);
  return { ...made.value, trace: trace.value, ops: trace.value.plan.steps.map(({ id, call }) => `${id} ${call.op}`) };
}

describe('attention in half precision', function () {
  this.timeout(120_000);

  for (const [what, softmax] of [
    ['in half precision', plain],
    ['in float32, rounded behind it', wide],
  ] as const)
    // prettier-ignore
    it(`is explained by its own steps, with softmax ${what}`, function () {
      const python = pythonOrSkip(this, 'torch');
      const text = layer('False', softmax);
      const { spec, replaced, ops, trace } = explained(text);
      assert.equal(spec.dtype, 'bfloat16');
      assert.deepEqual(replaced, []);
      for (const step of ['q matmul', 'k matmul', 'scores matmul', 'scaled scale', 'weights softmax', 'output matmul']) assert.ok(ops.includes(step), `${step}: ${ops.join()}`); // prettier-ignore
      const [ran] = runPython(python, [`${text}layer_weights = None\n`]);
      const own = ran?.functions.find(({ names }) => names['w'])?.names['w']?.values;
      const weights = trace.plan.steps.find(({ id }) => id === 'weights');
      assert.ok(own && weights, ran?.error ?? 'no weights');
      assert.deepEqual(Array.from(valuesOf(trace, weights)), own.map(Number));
    });

  it('gives what a layer with a bias made, which rounds product and bias once', () => {
    const { replaced, ops } = explained(layer('True', wide));
    assert.equal(replaced.length, 3);
    for (const step of ['scores matmul', 'weights softmax', 'output matmul']) assert.ok(ops.includes(step), ops.join());
  });

  it('ends before such a W_O, and says so', () => {
    const { said, ops } = explained(layer('True', wide, 'self.out(w @ v)'));
    assert.match(said.map(({ message }) => message).join(), /ends before W_O/);
    assert.ok(ops.at(-1)?.startsWith('output matmul'), ops.join());
  });
});
