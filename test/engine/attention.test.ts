import assert from 'node:assert/strict';
import {
  explainAttention,
  explainCell,
  matrixDefaults,
  planOf,
  validateSpec,
  laterCells,
  type AttentionSpec,
  type AttentionTrace,
  type SpecMatrix,
} from '../../engine/index';
import { run, sentence, spec000, spec001, spec004, theCat, tutorials } from './specs';
import { assertPrinted, assertSteps } from './tolerance';

describe('attention from text, against NumPy from the same seed', () => {
  it('gives every partial of “The cat sat on the mat”', () => {
    const trace = run(sentence);
    assert.equal(trace.plan.tokens.length, 6);
    assert.deepEqual(
      trace.plan.steps.map((s) => s.id),
      'tokens table embedding positions x wq wk wv q k v scores scaled masked weights output'.split(' '),
    );
    assertSteps(trace, theCat.default);
  });

  it('hides later keys with the causal mask', () => {
    const trace = run({ ...sentence, mask: 'causal' });
    assertSteps(trace, theCat.causal);
    assert.equal(trace.value('masked', [0, 1]), -Infinity);
    assert.equal(trace.value('weights', [0, 1]), 0);
    assert.deepEqual([...trace.read('weights', { rows: [1, 2] }).masked], [0, 0, 1, 1, 1, 1]);
  });

  it('leaves the scores as they are without scaling', () => {
    assertSteps(run({ ...sentence, scale: 'none' }), theCat.unscaled);
  });

  it('marks token offsets in the text', () => {
    const { tokens } = run(sentence).plan;
    assert.deepEqual(
      tokens.map((t) => sentence.start.from === 'text' && sentence.start.text.slice(t.start, t.end)),
      tokens.map((t) => t.text),
    );
  });
});

describe('tutorials', () => {
  it('000: three tokens from seed 3, with biases, give the printed weights and output', () => {
    const trace = run(spec000);
    const { bq: _, bk: __, bv: ___, ...expected } = tutorials['000'];
    assertSteps(trace, expected);
    assertPrinted(trace, 'weights', 0, ['0.00000001', '0.0007469', '0.99925309']);
    assertPrinted(trace, 'weights', 1, ['0.01772', '0.98227757', '0.00000243']);
    assertPrinted(trace, 'weights', 2, ['0.97501898', '0.01332218', '0.01165884']);
    assertPrinted(trace, 'output', 0, ['1.91864032', '1.5888283', '-4.54884773', '0.85013971']);
  });

  it('001: Q and K give the printed masked softmax', () => {
    const trace = run(spec001);
    const { v: _, output: __, ...expected } = tutorials['001'];
    assertSteps(trace, expected);
    // The text prints Q and K with 8 digits, and its scores from the unrounded ones.
    [-1.33923421, -1.95682855, -0.79378427, 6.23532513].forEach((printed, j) =>
      assert.ok(Math.abs(trace.value('scores', [0, j]) - printed) < roundedInputs(trace, [0, j]), `scores[0,${j}]`),
    );
    assertPrinted(trace, 'weights', 1, ['0.52712553', '0.47287447']);
    assertPrinted(trace, 'weights', 2, ['0.39228590', '0.49747004', '0.11024406']);
    assertPrinted(trace, 'weights', 3, ['0.50691084', '0.15507701', '0.19935514', '0.13865700']);
    assert.equal(trace.plan.steps.at(-1)?.id, 'weights');
  });

  it('004: X·Wᵀ in float32 gives the printed weights and y_2', () => {
    const trace = run(spec004);
    assertSteps(trace, tutorials['004']);
    assertPrinted(trace, 'weights', 1, ['0.00466374', '0.5462668', '0.0000032', '0.4490663']);
    assertPrinted(trace, 'output', 1, ['0.11782318', '0.39491105', '-2.4440105', '0.5687822']);
  });

  it('004: X·W and scaling give other numbers, so the switches matter', () => {
    assert.notEqual(
      run({ ...spec004, convention: 'XW' })
        .value('weights', [1, 1])
        .toFixed(3),
      '0.546',
    );
    assert.notEqual(
      run({ ...spec004, scale: 'sqrt_d_k' })
        .value('weights', [1, 1])
        .toFixed(3),
      '0.546',
    );
  });
});

/** How far a score can be off when q and k were rounded to 8 digits: Σ (|q| + |k|)·½·10⁻⁸, and the printed score itself. */
function roundedInputs(trace: AttentionTrace, index: readonly number[]): number {
  const made = explainCell(trace, 'scores', index);
  assert.ok(made.kind === 'products');
  return made.terms.reduce((sum, t) => sum + 0.5e-8 * (Math.abs(t.left.value) + Math.abs(t.right.value)), 0.5e-8);
}

describe('explainCell', () => {
  const trace = run({ ...sentence, mask: 'causal' });

  it('gives terms that add up to every cell of every step', () => {
    for (const step of trace.plan.steps) {
      const [rows = 0, columns = 0] = step.shape;
      for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) assertAddsUp(trace, step.id, [i, j]);
    }
  });

  it('follows a score to its weight', () => {
    const chain = laterCells(trace, 'scores', [2, 1]);
    assert.deepEqual(
      chain.map((c) => c.step),
      ['scaled', 'masked', 'weights'],
    );
    assert.equal(chain.at(-1)?.value, trace.value('weights', [2, 1]));
  });
});

function assertAddsUp(trace: AttentionTrace, step: string, index: readonly number[]): void {
  const made = explainCell(trace, step, index);
  const at = `${step}[${index.join(',')}]`;
  switch (made.kind) {
    case 'products':
      return assert.equal(made.terms.at(-1)?.partialSum, made.value, at);
    case 'sum':
      return assert.equal(made.left.value + made.right.value, made.value, at);
    case 'quotient':
      return assert.equal(made.operand.value / made.by, made.value, at);
    case 'lookup':
      return assert.equal(made.entry.value, made.value, at);
    case 'masked':
      return assert.equal(made.mask.value === 1 ? made.fill : made.operand.value, made.value, at);
    case 'softmax':
      return assert.equal((made.terms[index[1] ?? 0]?.exponential ?? NaN) / made.sum, made.value, at);
    case 'unchanged':
      return assert.equal(made.operand.value, made.value, at);
    default:
      return assert.ok(['given', 'token', 'drawn', 'position', 'hidden'].includes(made.kind), at);
  }
}

describe('trace.read', () => {
  const x = Array.from({ length: 5 }, (_, i) => [i, i + 10, i === 3 ? ('nan' as const) : i + 20]);
  const trace = run({ ...matrixDefaults, start: { from: 'x', x } });

  it('reads a window of cells', () => {
    const tile = trace.read('x', { rows: [1, 3], columns: [1, 3] });
    assert.deepEqual([...tile.mean], [11, 21, 12, 22]);
  });

  it('pools blocks to their extremes and counts NaN', () => {
    const tile = trace.read('x', { level: 1 });
    assert.deepEqual([tile.height, tile.width], [3, 2]);
    assert.deepEqual([...tile.min].slice(0, 4), [0, 20, 2, 22]);
    assert.deepEqual([...tile.max].slice(0, 4), [11, 21, 13, 22]);
    assert.deepEqual([...tile.nan], [0, 0, 0, 1, 0, 0]);
  });

  it('says where NaN reached the weights', () => {
    assert.equal(trace.problems[0]?.code, 'non-finite');
  });
});

describe('bad specs', () => {
  const qk = (q: SpecMatrix, k: SpecMatrix): AttentionSpec => ({ ...matrixDefaults, start: { from: 'qkv', q, k } });
  const message = (spec: AttentionSpec): string | undefined => {
    const result = planOf(spec);
    return result.ok ? undefined : result.problems[0]?.message;
  };

  it('names both shapes of Q and K', () => {
    assert.equal(message(qk([[1, 2, 3, 4]], [[1, 2, 3]])), 'K has 3 columns, Q has 4');
  });

  it('names the row that is ragged', () => {
    assert.equal(
      message({ ...matrixDefaults, start: { from: 'x', x: [[1, 2], [3]] } }),
      'start.x: row 2 has 1 number, row 1 has 2',
    );
  });

  it('refuses a text without tokens and a seed that NumPy would refuse', () => {
    assert.equal(
      message({ ...sentence, start: { from: 'text', text: ' \n', tokenizer: 'words' } }),
      'the text has no tokens',
    );
    assert.match(message({ ...sentence, random: { generator: 'numpy.RandomState', seed: -1 } }) ?? '', /seed -1/);
  });

  it('refuses what does not fit in memory, with the estimate, before allocating', () => {
    const many = 'a '.repeat(20000);
    const wide = { ...sentence, dModel: 4096, start: { from: 'text', text: many, tokenizer: 'words' } } as const;
    const result = explainAttention(wide);
    assert.ok(!result.ok);
    assert.match(result.problems[0]?.message ?? '', /20000 tokens would need \d+ MB, the limit is 1074 MB/);
  });

  it('validates arbitrary JSON with paths', () => {
    const spec = JSON.parse(JSON.stringify(sentence)) as Record<string, unknown>;
    assert.ok(validateSpec(spec).ok);
    const bad = validateSpec({ ...spec, scal: 1, start: { from: 'x', x: [[1, 'two']] } });
    assert.ok(!bad.ok);
    assert.deepEqual(
      bad.problems.map((p) => [p.path, p.hint]),
      [
        ['scal', 'Did you mean scale?'],
        ['start.x[0][1]', undefined],
      ],
    );
  });
});
