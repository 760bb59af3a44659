import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  asColumns,
  explainAttention,
  hashTrace,
  validateSpec,
  type AttentionSpec,
  type Plan,
} from '../../engine/index';
import { programOf } from '../../engine/write/code/index';
import { useTexts, type Texts } from '../../engine/text/l10n';
import { specFromText } from '../../engine/parse/index';
import { planOf } from '../../engine/plan/planner';
import { attentionWords } from '../../engine/plan/words/attention';
import { inputWords } from '../../engine/plan/words/inputs';
import { matrixDefaults, textDefaults } from '../../engine/spec/spec';
import { sentence, spec000, spec001, spec004 } from './specs';

const bundle = join(__dirname, '../../extension/l10n/bundle.l10n.de.json');
const german = JSON.parse(readFileSync(bundle, 'utf8')) as Texts;

function inGerman<T>(make: () => T): T {
  useTexts(german);
  try {
    return make();
  } finally {
    useTexts({});
  }
}

const x = [[1, 0, 2, 1], [0, 1, 1, 3], [2, 1, 0, 1]]; // prettier-ignore
const [square, row] = [[[1, 0, 2, 1], [0, 1, 1, 3], [2, 1, 0, 1], [1, 1, 0, 2]], [1, 2, 3, 4]]; // prettier-ignore
const row6 = [1, 2, 0, 1, 3, 1];
const fromX: AttentionSpec = { ...matrixDefaults, start: { from: 'x', x } };
const given: AttentionSpec = {
  ...fromX,
  projections: { from: 'given', wq: square, wk: square, wv: square, bq: row, bk: row, bv: row },
  outputProjection: { from: 'given', wo: square, bo: row },
};

/** Together they have every step that words are said of. */
const specs: readonly AttentionSpec[] = [
  sentence,
  spec000,
  spec001,
  spec004,
  { ...sentence, mask: 'causal', positions: 'learned-random', scale: 'none' },
  { ...textDefaults, start: { from: 'ids', ids: [3, 1, 3] }, positions: 'rope-half', heads: 2, kvHeads: 1, softcap: 3 },
  { ...given, heads: 2, mask: { kind: 'window', size: 1, causal: true }, temperature: 2, convention: 'XWT' },
  { ...given, positions: 'sinusoidal-concatenated', mask: { kind: 'padding', visible: 2 }, maskFill: 'min' },
  { ...fromX, start: { from: 'x', x, context: [...x].reverse() }, positions: 'alibi' },
  { ...fromX, start: { from: 'x', x, values: x } },
  { ...fromX, start: { from: 'x', x, context: x, values: x }, projections: { from: 'none' } },
  { ...fromX, sink: { from: 'random' } },
  { ...fromX, heads: 2, headChanges: [{ head: 0 }, { head: 1, weightsOf: 0 }] },
  { ...fromX, heads: 2, averageWeights: true },
  {
    ...fromX,
    mask: {
      kind: 'additive',
      values: [
        [0, 1, 2],
        ['-inf', 0, 0],
        [0, 0, 0],
      ],
    },
    alsoHidden: { causal: true, keys: { values: [1, 0, 1], oneMeans: 'visible' } },
  },
  { ...fromX, alsoHidden: { keys: { values: [1, 0, 0], oneMeans: 'hidden' }, segments: { queries: [0, 1, 1] } } },
  { ...fromX, weighting: { by: 'sigmoid' }, mask: 'causal' },
  { ...fromX, weighting: { by: 'linear' }, mask: 'causal' },
  { ...fromX, scoring: { by: 'additive' } },
  { ...fromX, heads: 2, differential: { lambda: 'random' } },
  { ...fromX, block: { norm: 'before' }, decode: { step: 1 } },
  { ...fromX, heads: 2, differential: { lambda: 'init', gain: [1, 2, 3, 4] } },
  ...(['blocks', 'heads'] as const).flatMap((order) =>
    (['XW', 'XWT'] as const).map(
      (convention): AttentionSpec => ({
        ...fromX,
        start: { from: 'x', x: [[1, 0]] },
        heads: 2,
        convention,
        projections: { from: 'fused', order, wqkv: convention === 'XW' ? [row6, row6] : row6.map((a) => [a, 1]), bqkv: row6 },
      }),
    ),
  ), // prettier-ignore
  { ...fromX, relativeBias: { bidirectional: true }, scale: 'none' },
  { ...fromX, mask: { kind: 'additive', values: [[0, '-inf', 0], [0, 0, 0], [1, 0, 0]] } }, // prettier-ignore
  { ...fromX, mask: { kind: 'boolean', values: [[1, 0, 0], [0, 1, 0], [1, 1, 1]], trueMeans: 'visible' } }, // prettier-ignore
  { ...fromX, mask: { kind: 'boolean', values: [[1, 0, 0], [1, 1, 0], [1, 1, 1]], trueMeans: 'visible' }, decode: { step: 1 } }, // prettier-ignore
  {
    ...matrixDefaults,
    start: { from: 'scores', scores: x.map((r) => r.slice(1)), dK: 4, v: x },
    scale: { divideBy: -2 },
  },
  { ...matrixDefaults, start: { from: 'weights', weights: x.map((r) => r.slice(1)), v: x } },
];

function planned(spec: AttentionSpec): Plan {
  const plan = planOf(spec);
  assert.ok(plan.ok, JSON.stringify(plan));
  return plan.value;
}

/** What is the same in both languages: names of the field, symbols and numbers. */
const shared = new Set([
  'Tokens',
  'Embedding',
  'Scores',
  'Query',
  'Key',
  'Value',
  'Bias b_q',
  'Bias b_k',
  'Bias b_v',
  'Bias b_qkv',
  'Bias b_O',
]);
const sayings = (plan: Plan): [where: string, said: string][] =>
  plan.steps.flatMap(({ id, words }) =>
    Object.entries(words).map(([key, said]): [string, string] => [`${id}.${key}`, String(said)]),
  );

describe('the engine in German', () => {
  it('has words for every step in the specs of this test', () => {
    const seen = new Set(specs.flatMap((spec) => planned(spec).steps.map(({ id }) => id)));
    const told = [...Object.keys(inputWords), ...Object.keys(attentionWords)];
    assert.deepEqual(told.filter((id) => !seen.has(id)), []); // prettier-ignore
  });

  it('computes the same traces', () => {
    const hashes = (): string[] =>
      specs.map((spec) => {
        const trace = explainAttention(spec);
        return trace.ok ? hashTrace(trace.value) : JSON.stringify(trace.problems.map(({ code }) => code));
      });
    assert.deepEqual(inGerman(hashes), hashes());
  });

  for (const [layout, turned] of [
    ['rows', (plan: Plan) => plan],
    ['columns', asColumns],
  ] as const)
    // prettier-ignore
    it(`leaves no English sentence of the words, with tokens as ${layout}`, () => {
      for (const spec of specs) {
        const english = new Map(sayings(turned(planned(spec))));
        for (const [where, said] of inGerman(() => sayings(turned(planned(spec))))) {
          assert.ok(said !== english.get(where) || shared.has(said), `${where}: ${said}`);
          assert.doesNotMatch(said.replace(/“[^”]*”/g, ''), /\b(?:the|of|is|row|rows|column|columns|which|what)\b/i, where);
        }
      }
    });

  it('turns rows into columns in its own words', () => {
    const said = inGerman(() =>
      asColumns(planned(spec004)).steps.flatMap(({ words }) => Object.values(words).map(String)),
    );
    assert.ok(said.some((text) => /^W_qᵀ? mal Spalte /.test(text)), said.join('\n')); // prettier-ignore
    assert.ok(
      said.some((text) => text.includes('wie angegeben, transponiert')),
      said.join('\n'),
    );
    assert.ok(!said.some((text) => /^Zeile .* mal W_/.test(text)), said.join('\n'));
  });

  it('says Problems, of a spec and of a text', () => {
    const unfit = inGerman(() => planOf({ ...fromX, heads: 3 }));
    assert.ok(!unfit.ok);
    assert.equal(unfit.problems[0]?.message, '3 Köpfe teilen 4 Spalten von X nicht gleichmäßig');
    const field = inGerman(() => validateSpec({ ...fromX, heads: 'two' }));
    assert.ok(!field.ok);
    assert.equal(field.problems[0]?.message, 'heads: erwartet wird eine Zahl, gefunden "two"');
    const ragged = inGerman(() => specFromText('[[1, 2], [3]]'));
    assert.ok(!ragged.ok);
    assert.equal(ragged.problems[0]?.message, 'Zeile 2 hat 1 Zahl, Zeile 1 hat 2');
    assert.equal(ragged.problems[0].hint, 'Jeder Zeile 2 Zahlen geben.');
  });

  it('writes programs in English', () => {
    for (const spec of [sentence, spec004]) {
      const english = programOf(spec, planned(spec), 'numpy');
      const written = inGerman(() => programOf(spec, planned(spec), 'numpy'));
      assert.equal(written.code, english.code);
      assert.deepEqual(written.steps, english.steps);
    }
  });
});
