// The attention of a stopped program with its process's numbers: every step beside what PyTorch says in that process.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finish, planOf, runReference, valuesOf, type AttentionSpec, type LiveAnswer } from '../../../../engine/index';
import { createAnswering, type Question } from '../../../../engine/program/index';
import { debugProgram, type Debuggee } from '../../../host/debugpy';
import { pythonOrSkip } from '../../../reference/python';
import { loading } from './vscode';

// eslint-disable-next-line @typescript-eslint/no-require-imports
const live = loading(() => require('../../../../extension/live/read') as typeof import('../../../../extension/live/read')); // prettier-ignore
const program = join(__dirname, 'model.py');
const text = readFileSync(program, 'utf8');
const lineOf = (comment: string): number => text.split('\n').findIndex((one) => one.includes(comment)) + 1;

const ask = createAnswering();
const answer = (question: Question) => finish(ask(question)).answer;

type Found = Extract<LiveAnswer, { is: 'found' }>;

/** What the extension does: names, what is needed, its numbers, the explanation. */
async function explained(debuggee: Debuggee, line: number, source = text): Promise<Found & { needed: readonly string[] }> {
  const process = { evaluate: (expression: string) => debuggee.evaluate(expression) };
  const { names } = answer({ kind: 'liveNames', text: source, line }) as { names: readonly string[] };
  const described = await live.describePaths(process, names, 'deep');
  assert.ok(described.ok);
  const stopped = { text: source, line, names: Object.fromEntries(described.value), numbers: {} };
  const needs = answer({ kind: 'live', text: source, stopped }) as LiveAnswer;
  assert.equal(needs.is, 'needs', JSON.stringify(needs));
  if (needs.is !== 'needs') throw new Error('nothing is needed');
  const numbers: Record<string, Float64Array> = {};
  const needed = [...needs.leaves, ...needs.checks];
  for (const path of needed) {
    const info = await live.describePaths(process, [path]);
    const own = info.ok ? info.value.get(path) : undefined;
    assert.equal(own?.kind, 'tensor', path);
    if (own?.kind !== 'tensor') throw new Error(path);
    const read = await live.readNumbers(process, { path }, own);
    assert.ok(read.ok, path);
    numbers[path] = read.value.values;
  }
  const found = answer({ kind: 'live', text: source, stopped: { ...stopped, numbers } }) as LiveAnswer;
  assert.equal(found.is, 'found', JSON.stringify(found).slice(0, 600));
  return { ...(found as Found), needed };
} // prettier-ignore

function specOf({ attention }: Found): AttentionSpec {
  if (attention.is !== 'found') throw new Error('not found');
  return attention.spec;
}

/** A step's numbers. */
function stepIn(spec: AttentionSpec, wanted: string): readonly number[] {
  const plan = planOf(spec);
  assert.ok(plan.ok);
  const trace = runReference(spec, plan.value);
  assert.ok(trace.ok);
  const step = plan.value.steps.find(({ id }) => id === wanted);
  assert.ok(step, `${wanted} among ${plan.value.steps.map(({ id }) => id).join(' ')}`);
  return [...valuesOf(trace.value, step)];
}

async function inProcess(debuggee: Debuggee, expression: string): Promise<readonly number[]> {
  const said = await debuggee.evaluate(`str((${expression}).detach().double().flatten().tolist())`);
  return said.slice(2, -2).split(', ').map((x) => Number(x.replace('inf', 'Infinity'))); // prettier-ignore
}

function close(actual: readonly number[], expected: readonly number[], what: string): void {
  assert.equal(actual.length, expected.length, what);
  actual.forEach((x, i) => assert.ok(x === expected[i] || Math.abs(x - (expected[i] ?? NaN)) < 2e-6, `${what}[${i}]: ${x}, PyTorch ${expected[i]}`)); // prettier-ignore
}

describe('the attention of a stopped program', function () {
  this.timeout(240_000);
  let python = '';
  let debuggee: Debuggee | undefined;
  before(function () {
    python = pythonOrSkip(this, 'debugpy', 'torch', 'numpy');
  });
  afterEach(async () => {
    await debuggee?.close();
    debuggee = undefined;
  });
  const stopAt = async (line: number, ...args: readonly string[]): Promise<Debuggee> => (debuggee = await debugProgram(python, program, line, ['11', ...args])); // prettier-ignore

  it('is computed from the layers of self and the arguments, before a line of it has run', async () => {
    const process = await stopAt(lineOf('# first line'));
    const found = await explained(process, process.stop.line);
    assert.deepEqual([...found.taken].sort(), ['mask', 'self.w_k.bias', 'self.w_k.weight', 'self.w_o.weight', 'self.w_q.bias', 'self.w_q.weight', 'self.w_v.bias', 'self.w_v.weight', 'x']); // prettier-ignore
    const spec = specOf(found);
    const q = 'self.split(self.w_q(x))';
    const weights = `torch.softmax(helper(${q}, self.split(self.w_k(x)), mask), -1)`;
    close(stepIn(spec, 'weights'), await inProcess(process, weights), 'weights');
    close(stepIn(spec, 'output'), await inProcess(process, 'self.forward(x, mask)'), 'output');
    const { start } = spec;
    assert.ok(start.from === 'program' && start.stopped === process.stop.line);
    assert.ok(start.steps.some((step) => step.op === 'given' && step.origin === 'live'));
    assert.equal(start.seed, undefined, 'nothing stands in');
  });

  it('agrees with what the process has computed, at its last line', async () => {
    const process = await stopAt(lineOf('# last line'));
    const found = await explained(process, process.stop.line);
    assert.deepEqual([...found.compared.same].sort(), ['attn', 'k', 'out', 'q', 'scores', 'v']);
    assert.equal(found.compared.first, undefined);
    close(stepIn(specOf(found), 'weights'), await inProcess(process, 'attn'), 'weights');
  });

  it('shows the weights that a kernel never makes, before it runs', async () => {
    const process = await stopAt(lineOf('# before the kernel'));
    const source = text.replace('y = scaled_dot_product_attention(', 'y = F.scaled_dot_product_attention(');
    const found = await explained(process, process.stop.line, source);
    assert.deepEqual([...found.taken].sort(), ['k', 'mask', 'q', 'v']);
    const { start } = specOf(found);
    assert.ok(start.from === 'program');
    const weights = 'torch.softmax(q @ k.transpose(-2, -1) / q.size(-1) ** 0.5 + mask, -1)';
    close(stepIn(specOf(found), 'weights'), await inProcess(process, weights), 'weights');
  });

  it('names the first value that the process has and the code does not compute', async () => {
    const process = await stopAt(lineOf('# behind the kernel'));
    // What the file says is not what runs: the kernel divides by another number there.
    const source = text.replace('s * 1.25', 's * 1.00');
    const found = await explained(process, process.stop.line, source);
    const { first, same } = found.compared;
    assert.equal(first?.path, 'weights');
    assert.equal(first?.line, lineOf('weights = kernel'));
    assert.deepEqual(same, ['scores']);
    const [there] = await inProcess(process, `weights[${first?.index.join(', ')}]`);
    const [here] = await inProcess(process, `torch.softmax(scores, -1)[${first?.index.join(', ')}]`);
    close([first?.there ?? NaN, first?.here ?? NaN], [there ?? NaN, here ?? NaN], 'the first number that differs');
  });

  it('has the numbers of the turn of a loop in which it stopped', async () => {
    const process = await stopAt(lineOf('# in a turn'));
    for (let turn = 0; turn < 2; turn++) {
      const found = await explained(process, process.stop.line);
      assert.equal(found.compared.first, undefined, JSON.stringify(found.compared.first));
      close(stepIn(specOf(found), 'weights'), await inProcess(process, 'attn'), `weights of turn ${turn}`);
      for (let i = 0; i < 6; i++) await process.next();
      assert.equal(process.stop.line, lineOf('# in a turn'));
    }
  });

  it('shows attention where its process drops some of it, and says so', async () => {
    const process = await stopAt(lineOf('# last line'), 'train');
    const found = await explained(process, process.stop.line);
    assert.equal(found.compared.first?.path, 'attn');
    close(stepIn(specOf(found), 'weights'), await inProcess(process, 'torch.softmax(scores, -1)'), 'weights');
  });

  it('goes along for twenty steps and agrees at each', async function () {
    this.timeout(600_000);
    const process = await stopAt(lineOf('# first line'));
    let explanations = 0;
    for (let i = 0; i < 20; i++) {
      const { name, line } = process.stop;
      if (name === 'forward') {
        const found = await explained(process, line);
        assert.equal(found.compared.first, undefined, `line ${line}: ${JSON.stringify(found.compared.first)}`);
        explanations++;
      }
      await process.next();
    }
    assert.ok(explanations >= 7, `${explanations}`);
  });
});
