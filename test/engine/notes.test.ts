import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  matrixDefaults,
  planOf,
  runReference,
  specFromText,
  validateSpec,
  valuesOf,
  type AttentionSpec,
  type Problem,
  type SpecMatrix,
} from '../../engine/index';
import { thorough } from '../host/thorough';
import { changes, matrix, starts, type Change, type Field } from './field-values';
import { sentence, spec000, spec001, spec004 } from './specs';
import './names-support';

/*
 * No field of a spec is dropped in silence: changing one changes the trace, is refused, or is noted in the plan. Every start is
 * tried with every field alone and, in `npm run thorough`, with every pair of fields; a pair is else tried from two of the starts.
 */

/** Changes that ask for what was there already, or whose meaning depends on the numbers. */
function isTheSame(base: AttentionSpec, [field, change]: readonly [Field, Change]): boolean {
  const { start, mask, heads } = base;
  if (JSON.stringify(change[field]) === JSON.stringify(base[field])) return true;
  switch (field) {
    case 'embedding':
      return change.embedding?.from === 'random' && !base.embedding && (start.from === 'text' || start.from === 'ids');
    case 'kvHeads':
      return heads === 1;
    case 'fullyMasked':
      // Whether a row is hidden is the mask's and the numbers' to say.
      return start.from !== 'weights' && !(base.maskFill === '-inf' && /"visible":0|-inf/.test(JSON.stringify(mask)));
    case 'scale':
      return change.scale === 'none' && start.from === 'weights';
    case 'dModel':
      // X's own width.
      return change.dModel === 4 && ('x' in start || base.embedding?.from === 'given');
    default:
      return false;
  }
}

interface Seen {
  readonly print: string;
  readonly notes: readonly Problem[];
}

/** What a person sees of a spec: labels, formulas and values; undefined where it is refused. */
function see(spec: AttentionSpec): Seen | undefined {
  if (!validateSpec(JSON.parse(JSON.stringify(spec))).ok) return undefined;
  const plan = planOf(spec);
  if (!plan.ok) return undefined;
  const trace = runReference(spec, plan.value);
  assert.ok(trace.ok);
  const steps = plan.value.steps.map((step) => [
    step.id,
    step.call,
    step.rowLabels,
    step.columnLabels,
    // √d_model and √d_k may be one number; the words say which it is.
    step.id === 'scaled' ? step.words.what : '',
    Array.from(valuesOf(trace.value, step), String),
  ]);
  return { print: JSON.stringify(steps), notes: plan.value.notes };
}

const alternatives = Object.entries(changes).flatMap(([field, list]) =>
  list.map((change) => [field as Field, change] as const),
);

/** One pair of changes in six: with twelve starts that is each pair from two of them, one that begins before Q, K and V and one that does not. */
const isTried = (turn: number): boolean => thorough || turn % 6 === 0;

const notesOf = (seen: Seen, field: Field): readonly Problem[] =>
  seen.notes.filter(({ code, path = '' }) => code === 'ignored' && (path === field || path.startsWith(`${field}.`)));

/** What is wrong with one change of a spec: dropped in silence, or noted as ignored although it does something. */
function complaint(base: AttentionSpec, before: Seen, [field, change]: readonly [Field, Change]): string | undefined {
  const after = see({ ...base, ...change });
  if (!after || isTheSame(base, [field, change])) return undefined;
  const noted = notesOf(after, field).length > 0;
  if (after.print === before.print)
    return noted ? undefined : `${JSON.stringify(change)} changes nothing, without a note`;
  return noted ? `${JSON.stringify(change)} is said to be ignored and changes the trace` : undefined;
}

describe('every field of a spec', () => {
  for (const [index, [name, from]] of Object.entries(starts).entries()) {
    const base: AttentionSpec = { ...matrixDefaults, ...from };

    it(`changes the trace, is refused or is noted, from ${name}`, () => {
      const before = see(base);
      assert.ok(before);
      assert.deepEqual(before.notes, []);
      assert.deepEqual(
        alternatives.flatMap((change) => complaint(base, before, change) ?? []),
        [],
      );
    });

    it(`does so beside ${thorough ? 'each other field' : 'other fields'}, from ${name}`, function () {
      this.timeout(240_000);
      let pairs = 0;
      for (const [number, [first, change]] of alternatives.entries()) {
        const spec = { ...base, ...change };
        const before = see(spec);
        if (!before) continue;
        const others = alternatives.filter(([field], at) => field !== first && isTried(index + number + at));
        const wrong = others.flatMap((other) => complaint(spec, before, other) ?? []);
        assert.deepEqual(wrong, [], `beside ${JSON.stringify(change)}`);
        pairs += others.length;
      }
      assert.ok(pairs > (thorough ? 300 : 50), `${pairs} pairs`);
    });
  }
});

describe('what is selected', () => {
  const selected = [
    'The cat sat on the mat',
    'X = [[1, 0], [0, 1]]',
    'Q = [[1, 0], [0, 2]]\nK = [[1, 1], [3, 0]]',
    'Q = [[1, 0], [0, 2]]\nK = [[1, 1], [3, 0]]\nV = [[1], [2]]',
    'X = [[1, 2], [3, 4]]\nW_q = [[1, 0], [0, 1]]\nW_k = [[1, 0], [0, 1]]\nW_v = [[1, 0], [0, 1]]',
  ];
  for (const words of selected) {
    it(`asks for nothing that is left out: ${words.slice(0, 30)}`, () => {
      const found = specFromText(words);
      assert.ok(found.ok, JSON.stringify(found));
      assert.deepEqual(see(found.value.spec)?.notes, []);
    });
  }

  it('nor do the tutorials', () => {
    for (const spec of [sentence, spec000, spec001, spec004]) assert.deepEqual(see(spec)?.notes, []);
  });

  it('says what is left out, and why', () => {
    const start = { from: 'qkv', q: matrix(2, 2, 1), k: matrix(2, 2, 2) } as const;
    const dropped = { outputProjection: { from: 'random' }, maskFill: 'min', positions: 'learned-random' } as const;
    assert.deepEqual(see({ ...matrixDefaults, start, ...dropped })?.notes, [
      { code: 'ignored', path: 'positions', message: 'positions is ignored: the walk starts at Q and K' },
      {
        code: 'ignored',
        path: 'outputProjection',
        message: 'outputProjection is ignored: there is no V, so no output',
      },
      { code: 'ignored', path: 'maskFill', message: 'maskFill is ignored: there is no mask' },
    ]);
  });

  it('says that d_k is not read where the scores are not divided by its root', () => {
    const noted = (scale: AttentionSpec['scale'], dK = 7): (string | undefined)[] =>
      see({ ...matrixDefaults, start: { from: 'scores', scores: [[1, 2]], dK }, scale })?.notes.map(
        ({ message }) => message,
      ) ?? ['refused'];
    assert.deepEqual(noted('sqrt_d_k'), []);
    assert.deepEqual(noted('none'), ['start.dK is ignored: the scores are not divided by √d_k']);
    assert.deepEqual(noted({ divideBy: 2 }), ['start.dK is ignored: the scores are not divided by √d_k']);
    assert.deepEqual(noted('none', 1), [], 'a division by 1 is none');
  });

  it('refuses names for another number of rows', () => {
    const start = { from: 'qkv', q: matrix(2, 2, 1), k: matrix(3, 2, 2) } as const;
    const result = validateSpec({ ...matrixDefaults, start, labels: { queries: ['a'], keys: ['a', 'b'] } });
    assert.deepEqual(result.ok ? [] : result.problems.map(({ message }) => message), [
      'labels.queries has 1 name, expected 2',
      'labels.keys has 2 names, expected 3',
    ]);
  });
});

describe('shapes that once passed and gave wrong numbers, or an exception', () => {
  const two = matrix(2, 2, 1);
  const cases: readonly (readonly [string, object, string])[] = [
    ['Q of two batches, K of three', { start: { from: 'qkv', q: [[two], [two]], k: [[two], [two], [two]] } }, 'start.k is 3×1×2×2, start.q is 2×1×2×2'],
    ['batches in K alone', { heads: 2, start: { from: 'qkv', q: matrix(2, 4, 1), k: [[two, two], [two, two]] } }, 'start.k is 2×2×2×2, start.q is 2×4'],
    ['batches without those of V', { heads: 2, start: { from: 'weights', weights: [[two, two], [two, two]], v: [two, two] } }, 'start.v is 2×2×2, start.weights is 2×2×2×2'],
    ['a context without X’s batches', { start: { from: 'x', x: [two, two], context: two } }, 'start.context is 2×2, start.x is 2×2×2'],
    ['W_O of another width', { start: { from: 'x', x: two }, outputProjection: { from: 'given', wo: matrix(3, 2, 1) } }, 'W_O is 3×2, O·W needs 2×d because the heads have 2 columns together'],
    ['W_O the other way round', { convention: 'XWT', start: { from: 'x', x: two }, outputProjection: { from: 'given', wo: matrix(2, 3, 1) } }, 'W_O is 2×3, O·Wᵀ needs d×2 because the heads have 2 columns together'],
    ['b_O of another length', { start: { from: 'x', x: two }, outputProjection: { from: 'given', wo: two, bo: [1] } }, 'outputProjection.bo has 1 number, expected 2'],
    ['a mask for another text', { start: { from: 'text', text: 'a b c', tokenizer: 'words' }, mask: { kind: 'additive', values: two } }, 'the mask is 2×2, the scores are 3×3'],
    ['a mask for each head of each input, of another batch', { heads: 2, start: { from: 'x', x: [two, two, two] }, mask: { kind: 'additive', values: [[two, two], [two, two]] } }, 'the mask is 2×2×2×2, the scores are 3×2×2×2'],
    ['positions for another text', { dModel: 2, start: { from: 'text', text: 'a b c', tokenizer: 'words' }, positions: { learned: two } }, 'positions are 2×2, X is 3×2'],
  ]; // prettier-ignore
  for (const [name, change, message] of cases) {
    it(name, () => {
      const result = validateSpec({ ...matrixDefaults, ...change });
      assert.deepEqual(result.ok ? [] : result.problems.map((p) => p.message), [message]);
    });
  }
});

describe('planning', () => {
  const size = fc.integer({ min: 1, max: 3 });
  const tensor = fc
    .tuple(fc.array(size, { maxLength: 2 }), size, size)
    .map(
      ([lead, n, d]) =>
        lead.reduceRight<unknown>(
          (inner, times) => Array.from({ length: times }, () => inner),
          matrix(n, d, 1),
        ) as SpecMatrix,
    );
  const maybe = (name: string) => fc.option(tensor, { nil: undefined }).map((t) => (t ? { [name]: t } : {}));
  const start = fc.oneof(
    ...Object.values(starts).map((s) => fc.constant(s.start)),
    fc.tuple(tensor, maybe('context'), maybe('values')).map(([x, more, own]) => ({ from: 'x', x, ...more, ...own })),
    fc.tuple(tensor, tensor, maybe('v')).map(([q, k, more]) => ({ from: 'qkv', q, k, ...more })),
    fc.tuple(tensor, maybe('v')).map(([scores, more]) => ({ from: 'scores', scores, dK: 2, ...more })),
    fc.tuple(tensor, tensor).map(([weights, v]) => ({ from: 'weights', weights, v })),
  );
  const changed = fc.array(
    fc.oneof(
      fc.constantFrom(...alternatives.map(([, change]) => change)),
      fc.tuple(size, size).map(([heads, kvHeads]) => ({ heads, kvHeads })),
      tensor.map((values) => ({ mask: { kind: 'additive', values } })),
      tensor.map((learned) => ({ positions: { learned } })),
      tensor.map((wo) => ({ outputProjection: { from: 'given', wo } })),
      fc.tuple(tensor, tensor, tensor).map(([wq, wk, wv]) => ({ projections: { from: 'given', wq, wk, wv } })),
      tensor.map((table) => ({ embedding: { from: 'given', table } })),
    ),
    { maxLength: 4 },
  );

  it('refuses what does not fit, and never throws', () => {
    let planned = 0;
    fc.assert(
      fc.property(start, changed, (from, more) => {
        const spec = Object.assign({ ...matrixDefaults, dModel: 2, start: from }, ...more) as AttentionSpec;
        if (see(spec)) planned++;
      }),
      { numRuns: 4000 },
    );
    assert.ok(planned > 500, `${planned} specs`);
  });
});
