// The nearest standard attention to a program's: which step differs first, and by how much, beside PyTorch (test/reference/program_nearest.py).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSource } from '../../engine/program/explain/values';
import { runProgram } from '../../engine/program/program';
import { nearestStandard, type Nearest } from '../../engine/program/nearest/nearest';
import { findAttention, lastOf } from '../../engine/program/recognise/find';
import { newAllowance } from '../../engine/program/tensor/force';
import { planOf } from '../../engine/plan/planner';
import { valuesOf } from '../../engine/run/hash';
import { runReference } from '../../engine/run/run';
import { validateSpec } from '../../engine/index';
import { finish } from '../../engine/text/pace';

interface Expected {
  readonly text: string;
  readonly first: string | null;
  readonly most: Readonly<Record<string, number>>;
  readonly sameResult: boolean;
  readonly weights: readonly number[];
  readonly joined: readonly number[];
}

const cases = JSON.parse(readFileSync(join(__dirname, '../fixtures/program-nearest.json'), 'utf8')) as Readonly<Record<string, Expected>>; // prettier-ignore

function nearestOf(text: string): Nearest | undefined {
  const attention = lastOf(findAttention(runProgram(text).graph));
  assert.ok(attention);
  return finish(nearestStandard(attention, newSource(0, newAllowance())));
}

const near = (a: number, b: number): boolean => a === b || Math.abs(a - b) <= 2e-5 * Math.max(1, Math.abs(b));

describe('the nearest standard attention', () => {
  for (const [name, expected] of Object.entries(cases))
    it(`${name}: ${expected.first === null ? 'has the same numbers' : `differs first in ${expected.first}`}`, () => {
      const nearest = nearestOf(expected.text);
      assert.ok(nearest);
      assert.equal(nearest.first?.stage ?? null, expected.first);
      assert.equal(nearest.sameResult, expected.sameResult);
      const { first, spec } = nearest;
      if (first) assert.ok(near(first.most, expected.most[first.stage] ?? NaN), `${first.most}, by PyTorch ${expected.most[first.stage]}`); // prettier-ignore
      if (first && first.most !== Infinity) assert.ok(near(Math.abs(first.own - first.standard), first.most));
      // The spec is complete: read from JSON it gives PyTorch's numbers.
      const read = validateSpec(JSON.parse(JSON.stringify(spec)));
      assert.ok(read.ok);
      const plan = planOf(read.value);
      assert.ok(plan.ok);
      const trace = runReference(read.value, plan.value);
      assert.ok(trace.ok);
      for (const [id, numbers] of [['weights', expected.weights], ['output', expected.joined]] as const) {
        const step = plan.value.steps.find((one) => one.id === id);
        assert.ok(step);
        const values = valuesOf(trace.value, step);
        assert.equal(values.length, numbers.length);
        numbers.forEach((x, i) => assert.ok(near(values[i] ?? NaN, x), `${id} ${i}: ${values[i]}, by PyTorch ${x}`));
      }
    }); // prettier-ignore

  it('of PyTorch’s own layer, which scales its queries, has the same numbers', () => {
    const layer = 'import torch\nimport torch.nn as nn\ntorch.manual_seed(0)\nx = torch.randn(2, 5, 8)\nmha = nn.MultiheadAttention(8, 2, batch_first=True)\ny, w = mha(x, x, x)\n'; // prettier-ignore
    const nearest = nearestOf(layer);
    assert.ok(
      nearest && !nearest.first && nearest.sameResult && nearest.agree.some(({ stage }) => stage === 'attended'),
    );
  });

  it('takes no factor of one term for one of the whole query: positions times 0.02', () => {
    const text =
      'import torch\ntorch.manual_seed(2)\nx = torch.randn(4, 6)\ntokens = x + torch.randn(4, 6) * 0.02\nscores = tokens @ tokens.T / 6 ** 0.5\nweights = scores.softmax(dim=-1)\nout = weights @ x\n';
    const nearest = nearestOf(text);
    assert.ok(nearest && !nearest.first && nearest.sameResult);
  });

  it('is not made up where queries and keys do not meet in a product, or weights are turned', () => {
    const additive = 'import torch\nq, k, v, w = (torch.randn(3, 3) for _ in range(4))\ns = (torch.tanh(q.unsqueeze(1) + k.unsqueeze(0)) @ w[0])\ny = torch.softmax(s, dim=-1) @ v\n'; // prettier-ignore
    const [attention] = findAttention(runProgram(additive).graph);
    assert.ok(attention);
    assert.equal(finish(nearestStandard(attention, newSource(0, newAllowance()))), undefined);
  });
});
