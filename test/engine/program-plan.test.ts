// The plan of a program's own steps: each formula as the operation is written in mathematics, axes by their tokens, and what a reader is to know.
import assert from 'node:assert/strict';
import { matrixDefaults, planOf, validateSpec, type AttentionSpec } from '../../engine/index';
import { programRest } from '../../engine/spec';

type Step = Readonly<Record<string, unknown>>;

const given = (id: string, name: string, role: string, values: readonly unknown[], more: object = {}): Step => ({ op: 'given', id, name, role, values, ...more }); // prettier-ignore
const made = (op: string, id: string, name: string, role: string, operands: readonly string[], more: object = {}): Step => ({ op, id, name, role, operands, ...more }); // prettier-ignore

/** Two queries over three keys; `more` are fields beside the steps. */
function planned(steps: readonly Step[], start: object = {}, more: object = {}) {
  const spec = { ...matrixDefaults, ...programRest, ...more, start: { from: 'program', dtype: 'float64', tokens: { queries: 2, keys: 3 }, steps, ...start } }; // prettier-ignore
  const checked = validateSpec(spec);
  assert.ok(checked.ok, JSON.stringify(checked));
  const plan = planOf(spec as unknown as AttentionSpec);
  assert.ok(plan.ok, JSON.stringify(plan));
  return plan.value;
}

const q = given('q', 'Q', 'query', [[1, 2], [3, 4]]); // prettier-ignore
const k = given('k', 'K', 'key', [[1, 0], [0, 1], [1, 1]]); // prettier-ignore
const v = given('v', 'V', 'value', [[1, 2], [3, 4], [5, 6]]); // prettier-ignore
const s = made('matmul', 's', 'S', 'scores', ['q', 'k'], { transposeB: true });
const hidden = given('m', 'M', 'mask', [[0, 1, 1], [0, 0, 1]], { hides: true }); // prettier-ignore
const by = given('b', 'B', 'scores', [[1, 2, 3], [4, 5, 6]]); // prettier-ignore
const square = given('w', 'W', 'parameter', [[1, 2], [3, 4]]); // prettier-ignore
const heads = given('h', 'H', 'x', [[1, 2, 3, 4], [5, 6, 7, 8]]); // prettier-ignore
const split = made('splitHeads', 'h2', 'H_2', 'x', ['h'], { heads: 2 });
const places = { shape: [2, 2], places: [0, 2, 1, 3] };

/** Each operation with the formula that a textbook has for it; what stands between is rubbed out: `\, \cdot {}`. */
const formulas: readonly (readonly [name: string, steps: readonly Step[], latex: RegExp])[] = [
  ['numbers', [q], /^Q\\in\\mathbb\{R\}\^\{2\\times2\}$/],
  ['a product', [q, square, made('matmul', 'o', 'O', 'x', ['q', 'w'], { transposeB: false })], /^O=QW$/],
  ['a product with a transpose', [q, k, { ...s, id: 'o', name: 'O' }], /^O=QK\^\{?\\top\}?$/],
  ['a sum', [q, k, s, by, made('add', 'o', 'O', 'scores', ['s', 'b'])], /^O=S\+B$/],
  ['a difference', [q, k, s, by, made('combine', 'o', 'O', 'scores', ['s', 'b'], { sign: '−' })], /^O=S-B$/],
  ['a product of cells', [q, k, s, by, made('combine', 'o', 'O', 'scores', ['s', 'b'], { sign: '×' })], /^O=S\\odotB$/],
  ['a quotient of cells', [q, k, s, by, made('combine', 'o', 'O', 'scores', ['s', 'b'], { sign: '÷' })], /^O=\\[dt]?frac\{S\}\{B\}$/],
  ['a factor', [q, k, s, made('scale', 'o', 'O', 'scores', ['s'], { by: 0.5 })], /^O=0\.5\\cdotS$/],
  ['a divisor', [q, k, s, made('divide', 'o', 'O', 'scores', ['s'], { by: 8 })], /^O=S\/8$/],
  ['a mask', [q, k, s, hidden, made('mask', 'o', 'O', 'scores', ['s', 'm'], { fill: '-inf' })], /^O=S\\text\{,hiddenby\}M$/],
  ['a softmax', [q, k, s, made('softmax', 'o', 'O', 'weights', ['s'])], /^O=\\operatorname\{softmax\}\(S\)$/],
  ['exponentials', [q, k, s, made('exponential', 'o', 'O', 'scores', ['s'])], /^O=(?:e\^\{S\}|\\exp\(?S\)?)$/],
  ['sums', [q, k, s, made('reduce', 'o', 'O', 'x', ['s'], { of: 'sum', over: 'row' })], /^O=\\textstyle\\sumS$/],
  ['largest', [q, k, s, made('reduce', 'o', 'O', 'x', ['s'], { of: 'max', over: 'row' })], /^O=\\maxS$/],
  ['squares', [q, made('apply', 'o', 'O', 'x', ['q'], { of: 'square' })], /^O=Q\^\{?2\}?$/],
  ['roots', [q, made('apply', 'o', 'O', 'x', ['q'], { of: 'root' })], /^O=\\sqrt\{Q\}$/],
  ['tanh', [q, made('apply', 'o', 'O', 'x', ['q'], { of: 'tanh' })], /^O=\\tanh(?:\\left)?\(Q(?:\\right)?\)$/],
  ['a transpose', [q, made('rearrange', 'o', 'O', 'x', ['q'], { shape: [2, 2], strides: [1, 2], offset: 0 })], /^O=\(Q\)\^\{?\\top\}?$/],
  ['other places', [q, made('rearrange', 'o', 'O', 'x', ['q'], { shape: [2, 2], strides: [0, 1], offset: 0 })], /^O=Q_\{\\text\{rearranged\}\}$/],
  ['picked places', [q, made('pick', 'o', 'O', 'x', ['q'], places)], /^O=Q_\{\\text\{rearranged\}\}$/],
]; // prettier-ignore

describe('the plan of a program', () => {
  for (const [name, steps, latex] of formulas)
    it(`writes ${name}`, () => {
      const step = planned(steps).steps.at(-1);
      const bare = (step?.formula.plain ?? '')
        .replace(/\\mathit\{([A-Z](?:_2)?)\}/g, '$1')
        .replace(/\\[,;!]|\{\}|\s|~/g, '');
      assert.match(bare, latex);
    });

  it('writes the index of a letter below it, and other names as they stand in the code', () => {
    const named = (name: string): string | undefined => planned([q, k, made('matmul', 's', name, 'scores', ['q', 'k'], { transposeB: true })]).steps.at(-1)?.formula.plain; // prettier-ignore
    assert.match(named('S_k') ?? '', /^\\mathit\{S\}_\{\\mathit\{k\}\} = /);
    assert.match(named('attn_scores') ?? '', /^\\mathit\{attn\\_scores\} = /);
  });

  it('splits and joins heads in the shapes that they have', () => {
    const plan = planned([heads, split, made('concatHeads', 'o', 'O', 'x', ['h2'])]);
    assert.deepEqual(plan.steps.map(({ shape }) => [...shape]), [[2, 4], [2, 2, 2], [2, 4]]); // prettier-ignore
    const formula = plan.steps.at(-1)?.formula.plain ?? '';
    assert.ok(formula.includes('O') && /Concat|concat/.test(formula), formula);
  });

  it('names rows and columns by the tokens that they are', () => {
    const labels = { queries: ['a', 'b'], keys: ['x', 'y', 'z'] };
    const all = [q, k, v, s, made('softmax', 'weights', 'A', 'weights', ['s']), made('matmul', 'output', 'O', 'output', ['weights', 'v'], { transposeB: false }), square]; // prettier-ignore
    const plan = planned(all, {}, { labels });
    const of = (id: string) => {
      const step = plan.steps.find((one) => one.id === id);
      // Where an axis is not of tokens it has numbers.
      const named = (list: readonly string[] | undefined) => (list?.[0] === '0' ? null : list);
      return [named(step?.rowLabels), named(step?.columnLabels)];
    };
    assert.deepEqual(of('q'), [labels.queries, null]);
    assert.deepEqual(of('k'), [labels.keys, null]);
    assert.deepEqual(of('v'), [labels.keys, null]);
    assert.deepEqual(of('s'), [labels.queries, labels.keys]);
    assert.deepEqual(of('weights'), [labels.queries, labels.keys]);
    assert.deepEqual(of('output'), [labels.queries, null]);
    assert.deepEqual(of('w'), [null, null]);
  });

  it('says over what weights sum, which numbers stand in, another type, and fields without effect', () => {
    const weights = [q, k, s, made('softmax', 'weights', 'A', 'weights', ['s'])];
    const notes = (start: object, more: object = {}, steps: readonly Step[] = weights) => planned(steps, start, more).notes.map(({ code, message, path }) => `${code} ${path ?? ''}: ${message}`); // prettier-ignore
    assert.deepEqual(notes({}), []);
    assert.match(
      notes({ sumsOver: 'queries' }).join(),
      /^softmax weights: .*over the queries.*the weights of a key sum to 1/,
    );
    assert.match(
      notes({ sumsOver: 'matrix' }).join(),
      /^softmax weights: .*whole matrix.*all weights together sum to 1/,
    );
    assert.match(notes({ sumsOver: 'other' }).join(), /^softmax weights: .*another axis.*do not sum to 1/);
    assert.match(notes({ seed: 7 }, {}, [{ ...q, origin: 'stand-in' }, ...weights.slice(1)]).join(), /^stand-in : .*Q.*seed 7/); // prettier-ignore
    assert.deepEqual(notes({ dtype: 'float32' }, { dtype: 'float64' }), ['dtype dtype: Computed in float64; the code has float32.']); // prettier-ignore
    assert.deepEqual(notes({}, { mask: 'causal' }), ['ignored mask: mask is ignored: the steps are those of a program']); // prettier-ignore
    assert.deepEqual(notes({}, { scale: 'sqrt_d_k' }), ['ignored scale: scale is ignored: the steps are those of a program']); // prettier-ignore
  });

  it('hatches hidden cells up to the weights, through what keeps −∞ where it is', () => {
    const masked = made('mask', 'o', 'O', 'scores', ['s', 'm'], { fill: '-inf' });
    const after = (op: string, more: object = {}) => made(op, 'p', 'P', 'scores', ['o'], more);
    const hatched = (...steps: readonly Step[]) => planned([q, k, v, s, hidden, by, masked, ...steps]).steps.flatMap(({ id, hiddenBy }) => (hiddenBy === undefined ? [] : [`${id} ${hiddenBy}`])); // prettier-ignore
    assert.deepEqual(hatched(after('scale', { by: 2 })), ['o m', 'p m']);
    assert.deepEqual(hatched(after('divide', { by: 2 })), ['o m', 'p m']);
    assert.deepEqual(hatched(after('exponential')), ['o m']);
    const weights = made('softmax', 'weights', 'A', 'weights', ['o']);
    const output = made('matmul', 'output', 'O', 'output', ['weights', 'v'], { transposeB: false });
    assert.deepEqual(hatched(weights, output), ['o m', 'weights m']);
  });

  it('says what a step is, where it stands in the code, and whether its numbers stand in', () => {
    const weights = made('softmax', 'weights', 'A', 'weights', ['s'], { line: 7, range: [30, 41] });
    const bias = given('c', 'C', 'mask', [[0, 1, 1], [0, 0, 1]]); // prettier-ignore
    const late = made('scale', 'k2', 'K2', 'key', ['k'], { by: 2 });
    const { steps } = planned([{ ...q, origin: 'stand-in' }, k, late, { ...v, standsIn: true }, s, weights, hidden, bias, square]); // prettier-ignore
    const of = (id: string) => {
      const step = steps.find((one) => one.id === id);
      assert.ok(step, id);
      return step;
    };
    const are = (id: string): string => [of(id).kind, of(id).place].join(' ');
    assert.deepEqual(['q', 'k', 'k2', 'v', 's', 'weights', 'm', 'c', 'w'].map(are), ['signed branch', 'signed branch', 'signed branch', 'signed branch', 'signed main', 'weights main', 'mask input', 'signed input', 'signed input']); // prettier-ignore
    // What is made of a number that stands in does so too.
    assert.equal(steps.filter(({ standIn }) => standIn).map(({ id }) => id).join(' '), 'q v s weights'); // prettier-ignore
    assert.deepEqual([of('weights').line, of('weights').range, of('s').line, of('s').range], [7, { start: 30, end: 41 }, undefined, undefined]); // prettier-ignore
  });

  it('is refused at the step that does not fit, with both shapes', () => {
    const refused = (...steps: readonly Step[]) => {
      const spec = { ...matrixDefaults, ...programRest, start: { from: 'program', dtype: 'float64', tokens: { queries: 2, keys: 3 }, steps } }; // prettier-ignore
      const plan = planOf(spec as unknown as AttentionSpec);
      return plan.ok ? [] : plan.problems.map(({ code, path, message }) => `${code} ${path}: ${message}`);
    };
    // Q is 2×2, K 3×2: Q·K has no sense, Q·Kᵀ is 2×3.
    assert.match(refused(q, k, { ...s, transposeB: false }).join(), /^shape-mismatch start\.steps\[2\]: start\.steps\[2\]: the shapes do not fit: .*2×2.*3×2/); // prettier-ignore
    assert.match(refused(q, k, s, made('add', 'o', 'O', 'x', ['s', 'k'])).join(), /^shape-mismatch start\.steps\[3\]: .*2×3.*3×2/); // prettier-ignore
    // A view has the places offset + Σ i·stride, which are 0 to 3 in Q.
    const view = (shape: readonly number[], strides: readonly number[], offset: number) => refused(q, made('rearrange', 'o', 'O', 'x', ['q'], { shape, strides, offset })); // prettier-ignore
    const leaves = ['shape-mismatch start.steps[1]: start.steps[1]: the shapes do not fit: a view leaves its operand'];
    assert.deepEqual([view([2, 2], [2, 1], 0), view([2, 1], [2, 0], 1)], [[], []]);
    assert.deepEqual(
      [view([2, 2], [2, 1], 1), view([3, 1], [2, 0], 0), view([1, 2], [0, 4], 0)],
      [leaves, leaves, leaves],
    );
    const picked = (at: number) => refused(q, made('pick', 'o', 'O', 'x', ['q'], { shape: [1, 1], places: [at] })); // prettier-ignore
    assert.deepEqual([picked(3), picked(4)], [[], leaves]);
  });

  it('is refused with more numbers than a page holds', () => {
    const view = (id: string, shape: readonly number[]) => made('rearrange', id, 'O', 'x', ['q'], { shape, strides: [0, 0], offset: 0 }); // prettier-ignore
    const refused = (rows: number): string => {
      const whole = ['a', 'b', 'c'].map((id) => view(id, [1024, 1024]));
      const steps = [q, ...whole, view('d', [rows, 4])];
      const spec = { ...matrixDefaults, ...programRest, start: { from: 'program', dtype: 'float64', tokens: { queries: 2, keys: 3 }, steps } }; // prettier-ignore
      const plan = planOf(spec as unknown as AttentionSpec);
      return plan.ok ? '' : plan.problems.map(({ code, path, message }) => `${code} ${path}: ${message}`).join();
    };
    // Q has 4 numbers, three views 2²⁰ each.
    const rest = (2 ** 20 - 4) / 4;
    assert.equal(refused(rest), '');
    assert.equal(refused(rest + 1), 'too-large start.steps[4]: the program’s steps have more than 4194304 numbers');
  });
});
