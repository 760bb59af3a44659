import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  decoded,
  explainAttention,
  fieldControls,
  matrixDefaults,
  readSwitches,
  textDefaults,
  type AttentionSpec,
  type AttentionTrace,
  type Mask,
} from '../../engine/index';
import { run, sentence } from './specs';

/*
 * Decoding as a walk: step t of a growing cache is row t of the full pass, bit for bit, whatever says where tokens stand. The comparison here is one of its
 * own; what the page and the terminal say of it is held to it.
 */

const rowsOf = (trace: AttentionTrace, id: string, row: number, columns?: number): number[] => {
  const { shape = [] } = trace.plan.steps.find((step) => step.id === id) ?? {};
  const wide = columns ?? shape.at(-1) ?? 0;
  const lead = shape.slice(0, -2);
  const count = lead.reduce((product, size) => product * size, 1);
  return Array.from({ length: count }, (_, at) => at).flatMap((at) => {
    const index = lead.map(
      (size, d) => Math.floor(at / lead.slice(d + 1).reduce((product, n) => product * n, 1)) % size,
    );
    return Array.from({ length: wide }, (__, j) => trace.value(id, [...index, row, j]));
  });
};

const entry = fc.integer({ min: -256, max: 256 }).map((x) => x / 64);
const table = (rows: number, columns: number): fc.Arbitrary<number[][]> =>
  fc.array(fc.array(entry, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows });
const schemes = fc.constantFrom<AttentionSpec['positions'][]>(
  'none',
  'sinusoidal-interleaved',
  'sinusoidal-concatenated',
  'learned-random',
  'rope-half',
  'rope-interleaved',
  'alibi',
);
/** Heads here have 4 or 8 columns. */
const turnings: readonly NonNullable<AttentionSpec['rope']>[] = [
  { base: 100, dims: 2 },
  { scaling: { kind: 'linear', factor: 3 } },
  { scaling: { kind: 'ntk', factor: 3 } },
  { scaling: { kind: 'dynamic', factor: 3, original: 2 } },
  { base: 20, scaling: { kind: 'yarn', factor: 4, original: 16 } },
  { base: 60, scaling: { kind: 'llama3', factor: 8, lowFrequency: 1, highFrequency: 4, original: 64 } },
];
const later = (n: number): number[][] =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => (j > i ? 1 : 0)));

/** Masks that hide what comes after a query. */
const masksOf = (n: number): fc.Arbitrary<Mask> =>
  fc.constantFrom<Mask[]>(
    'causal',
    { kind: 'causal', alignment: 'end' },
    { kind: 'window', size: 0, causal: true },
    { kind: 'window', size: 2, causal: true },
    { kind: 'boolean', trueMeans: 'hidden', values: later(n) },
    { kind: 'additive', values: later(n).map((row) => row.map((one, j) => (one === 1 ? '-inf' : j / 8))) },
  );

/** Masks beside the mask, with numbers for all inputs or for each. */
function besides(n: number, batch: number): fc.Arbitrary<AttentionSpec['alsoHidden']> {
  const list = (most: number): fc.Arbitrary<number[]> => fc.array(fc.integer({ min: 0, max: most }), { minLength: n, maxLength: n });
  const lists = (most: number): fc.Arbitrary<number[] | number[][]> =>
    batch ? fc.oneof(list(most), fc.array(list(most), { minLength: batch, maxLength: batch })) : list(most);
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    fc.tuple(lists(1), fc.constantFrom('visible' as const, 'hidden' as const)).map(([values, oneMeans]) => ({ keys: { values, oneMeans } })),
    fc.tuple(lists(1), lists(2)).map(([values, queries]) => ({ causal: true, keys: { values, oneMeans: 'visible' as const }, segments: { queries } })),
  );
} // prettier-ignore

/** A matrix of 8 rows, from which heads of 4 columns are cut. */
const fusedOf = (order: 'blocks' | 'heads', heads: number): AttentionSpec['projections'] => ({
  from: 'fused',
  order,
  wqkv: Array.from({ length: 8 }, (_, i) => Array.from({ length: heads * 12 }, (__, j) => ((7 * i + 5 * j) % 11) / 8 - 0.6)),
}); // prettier-ignore

interface Drawn {
  readonly spec: AttentionSpec;
  readonly n: number;
}

const specs: fc.Arbitrary<Drawn> = fc
  .record({
    n: fc.integer({ min: 1, max: 6 }),
    batch: fc.constantFrom(0, 2),
    heads: fc.constantFrom(1, 2),
    kind: fc.constantFrom('x', 'qkv', 'ids'),
  })
  .chain(({ n, batch, heads, kind }) => {
    const of = (columns: number): fc.Arbitrary<number[][] | number[][][]> =>
      batch ? fc.array(table(n, columns), { minLength: batch, maxLength: batch }) : table(n, columns);
    const perHead = fc.array(fc.array(table(n, 4), { minLength: heads, maxLength: heads }), {
      minLength: 2,
      maxLength: 2,
    });
    const matrices: fc.Arbitrary<AttentionSpec['start']> =
      kind === 'x'
        ? fc
            .tuple(of(8), fc.option(of(8), { nil: undefined }))
            .map(([x, values]) => ({ from: 'x', x, ...(values && { values }) }))
        : kind === 'ids'
          ? fc
              .array(fc.integer({ min: 0, max: 9 }), { minLength: n, maxLength: n })
              .map((ids) => ({ from: 'ids', ids }))
          : batch
            ? fc.tuple(perHead, perHead, perHead).map(([q, k, v]) => ({ from: 'qkv', q, k, v }))
            : fc.tuple(table(n, 8), table(n, 8), table(n, 8)).map(([q, k, v]) => ({ from: 'qkv', q, k, v }));
    const places = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: n, maxLength: n });
    return fc
      .record({
        start: matrices,
        positions: schemes,
        mask: masksOf(n),
        kvHeads: fc.constantFrom(undefined, kind === 'x' || batch ? undefined : 1),
        dtype: fc.constantFrom<AttentionSpec['dtype'][]>('float32', 'float64', 'float16', 'bfloat16'),
        softcap: fc.constantFrom(undefined, 3),
        weighting: fc.constantFrom(
          undefined,
          undefined,
          { by: 'sigmoid' as const },
          { by: 'sigmoid' as const, bias: 0.5 },
          { by: 'linear' as const },
        ),
        scoring: fc.constantFrom(undefined, undefined, { by: 'additive' as const }),
        differential: fc.constantFrom(
          undefined,
          undefined,
          { lambda: 'init' as const, layer: 4 },
          { lambda: 'random' as const },
        ),
        fused: fc.constantFrom(undefined, undefined, 'blocks' as const, 'heads' as const),
        averageWeights: fc.constantFrom(undefined, true),
        alsoHidden: besides(n, kind === 'ids' ? 0 : batch),
        sink: fc.constantFrom(undefined, { from: 'one' as const }, { from: 'random' as const }),
        rope: fc.constantFrom<AttentionSpec['rope'][]>(undefined, ...turnings),
        positionsDtype: fc.constantFrom(undefined, 'float32' as const),
        relativeBias: fc.constantFrom<AttentionSpec['relativeBias'][]>(
          undefined,
          { bidirectional: true, buckets: 8, maxDistance: 9 },
          { bidirectional: false, buckets: 4, maxDistance: 5 },
        ),
        qkNorm: fc.constantFrom(undefined, { over: 'head' as const }),
        output: fc.constantFrom('none' as const, 'random' as const),
        fullyMasked: fc.constantFrom(undefined, 'zero' as const),
        offset: fc.constantFrom(undefined, kind === 'qkv' ? undefined : 3),
        queries: fc.option(places, { nil: undefined }),
        keys: fc.option(places, { nil: undefined }),
      })
      .map(
        ({
          positions,
          kvHeads,
          softcap,
          qkNorm,
          output,
          fullyMasked,
          offset,
          queries,
          keys,
          rope,
          positionsDtype,
          relativeBias,
          sink,
          averageWeights,
          alsoHidden,
          weighting,
          scoring,
          differential,
          fused,
          ...rest
        }): Drawn => {
          const known =
            kind === 'qkv' && typeof positions === 'string' && /sinus|learned/.test(positions) ? 'none' : positions;
          // V has a matrix for each head there, and half as many would be needed.
          const pairs = heads > 1 && !(kind === 'qkv' && batch);
          const ids = { ...(offset !== undefined && { offset }), ...(queries && { queries }), ...(keys && { keys }) };
          return {
            n,
            spec: {
              ...matrixDefaults,
              ...rest,
              heads,
              dModel: 8,
              ...(kind === 'ids' && { projections: { ...textDefaults.projections } }),
              ...(fused && kind === 'x' && { projections: fusedOf(fused, heads) }),
              positions: known,
              ...(kvHeads !== undefined && kind !== 'qkv' && { kvHeads }),
              ...(softcap !== undefined && { softcap }),
              ...(rope && { rope }),
              ...(sink && { sink }),
              ...(averageWeights && { averageWeights }),
              ...(alsoHidden && { alsoHidden }),
              ...(weighting && { weighting }),
              ...(scoring && { scoring }),
              ...(differential && pairs && kvHeads === undefined && !weighting && { differential }),
              ...(relativeBias && { relativeBias }),
              ...(positionsDtype && { positionsDtype }),
              ...(qkNorm && { qkNorm }),
              ...(fullyMasked && { fullyMasked }),
              outputProjection: { from: output },
              ...(Object.keys(ids).length > 0 && { positionIds: ids }),
            },
          };
        },
      );
  });

describe('decoding as a walk', () => {
  it('step t is row t of the full pass, bit for bit, over positions, masks, heads, batches and dtypes', function () {
    this.timeout(240_000);
    let steps = 0;
    const seen = new Set<string>();
    fc.assert(
      fc.property(specs, ({ spec, n }) => {
        const whole = explainAttention(spec);
        fc.pre(whole.ok);
        if (!whole.ok) return;
        for (let t = 0; t < n; t++) {
          const step = run({ ...spec, decode: { step: t } });
          for (const [id, columns] of [['scores', t + 1], ['weights', t + 1], ...(spec.differential ? [['differences', t + 1] as const] : []), ['output', undefined]] as const)
            assert.deepEqual(rowsOf(step, id, 0), rowsOf(whole.value, id, t, columns), `${id} of step ${t}: ${JSON.stringify(spec)}`);
          assert.equal(decoded(step)?.equal, true, JSON.stringify(step.spec));
          steps++;
        }
        seen.add(JSON.stringify([spec.positions, typeof spec.mask === 'object' ? spec.mask.kind : spec.mask]));
      }),
      { numRuns: 100 },
    );
    assert.ok(steps > 200 && seen.size > 20, `${steps} steps, ${seen.size} pairs of positions and masks`);
  });

  it('step t is row t over every position scheme beside every mask, with what else changes scores or weights in turn', function () {
    this.timeout(120_000);
    const n = 5;
    const qkv = (seed: number): number[][] => Array.from({ length: n }, (_, i) => Array.from({ length: 8 }, (__, j) => ((seed + 37 * i + 61 * j + 17 * i * j) % 101) / 47 - 1.03));
    const start: AttentionSpec['start'] = { from: 'x', x: qkv(1) };
    const heads = { projections: { from: 'random', dK: 4, dV: 4 }, heads: 2 } as const;
    const placing: readonly Partial<AttentionSpec>[] = [
      ...(['none', 'sinusoidal-interleaved', 'sinusoidal-concatenated', 'learned-random', 'rope-half', 'rope-interleaved', 'alibi'] as const).map((positions) => ({ positions })),
      { positions: { learned: qkv(5) } },
      ...turnings.map((rope) => ({ positions: 'rope-half' as const, rope })),
      { relativeBias: { bidirectional: true, buckets: 8, maxDistance: 9 } }, { relativeBias: { bidirectional: false, buckets: 4, maxDistance: 5 } },
      { positions: 'rope-interleaved', positionsDtype: 'float32', positionIds: { offset: 3 } },
      { positions: 'alibi', positionIds: { queries: [4, 4, 7, 0, 2], keys: [1, 0, 3, 9, 2] } },
    ];
    // With a finite fill the first key stays visible: a row that sees nothing attends evenly to all keys of the full pass, later ones too.
    const masks: readonly Partial<AttentionSpec>[] = [
      ...(['causal', { kind: 'causal', alignment: 'end' }, { kind: 'window', size: 1, causal: true }, { kind: 'window', size: 3, causal: true, counts: 'self' }, { kind: 'boolean', trueMeans: 'hidden', values: later(n) }, { kind: 'boolean', trueMeans: 'visible', values: later(n).map((row) => row.map((one) => 1 - one)) },
        { kind: 'additive', values: later(n).map((row) => row.map((one, j) => (one === 1 ? '-inf' : j / 8))) }] as const).map((mask) => ({ mask })),
      { mask: { kind: 'padding', visible: 4 }, alsoHidden: { causal: true } },
      { mask: { kind: 'window', size: 4, causal: false, counts: 'self' }, alsoHidden: { causal: true, segments: { queries: [0, 0, 1, 1, 1] } } },
      { mask: 'causal', maskFill: 'min', alsoHidden: { keys: { values: [1, 0, 1, 0, 1], oneMeans: 'visible' } } },
    ];
    const beside: readonly Partial<AttentionSpec>[] = [
      {}, { sink: { from: 'one' } }, { sink: { from: 'random' }, dtype: 'float32' }, { softcap: 2 }, { qkNorm: { over: 'head' } }, { qkNorm: { over: 'all', epsilon: 0.1 }, dtype: 'bfloat16' }, { kvHeads: 1 }, { differential: { lambda: 'random' } },
      { differential: { lambda: 'init', layer: 3 }, softcap: 3 }, { temperature: 0.7, dtype: 'float16' }, { scoring: { by: 'additive' } }, { scale: { divideBy: 3 }, averageWeights: true }, { weighting: { by: 'sigmoid' } },
    ];
    let checked = 0;
    placing.forEach((where, a) => masks.forEach((hiding, b) => [0, 5].forEach((turn) => {
      const spec: AttentionSpec = { ...matrixDefaults, start, dModel: 8, ...heads, fullyMasked: 'zero', ...where, ...hiding, ...beside[(a + 3 * b + turn) % beside.length] };
      const whole = run(spec);
      for (let t = 0; t < n; t++) {
        const step = run({ ...spec, decode: { step: t } });
        for (const [id, columns] of [['scores', t + 1], ['weights', t + 1], ['output', undefined]] as const)
          assert.deepEqual(rowsOf(step, id, 0), rowsOf(whole, id, t, columns), `${id} of step ${t}: ${JSON.stringify(spec)}`);
        assert.equal(decoded(step)?.equal, true, JSON.stringify(spec));
        checked++;
      }
    })));
    assert.equal(checked, placing.length * masks.length * 2 * n);
  });

  it('of a block or of layers is its row too, in every step behind attention', () => {
    let checked = 0;
    for (const norm of ['before', 'after', 'none'] as const)
      for (const layers of [1, 2, 3])
        for (const [positions, of, dtype] of [['rope-half', 'rms', 'float64'], ['alibi', 'layer', 'float32'], ['none', 'rms', 'bfloat16']] as const) {
          const spec: AttentionSpec = {
            ...sentence, heads: 2, dtype, positions, mask: layers === 2 ? { kind: 'window', size: 2, causal: true } : 'causal', outputProjection: { from: 'random' },
            block: { norm, of, layers, shown: layers, ...(layers === 2 && { layerTypes: of === 'rms' ? ['full_attention', 'sliding_attention'] : ['sliding_attention', 'full_attention'] }), gains: 'random', ...(norm === 'before' && { finalNorm: true }) }, feedForward: { of: 'swiglu', width: 5, bias: true },
            unembedding: { from: 'tied', ...(layers === 3 && { topK: 2 }) },
          };
          const whole = run(spec);
          for (let t = 0; t < 6; t++) {
            const step = run({ ...spec, decode: { step: t } });
            const ids = step.plan.steps.map(({ id }) => id);
            const from = ids.indexOf('residual');
            assert.ok(from > 0, ids.join());
            for (const { id, shape, operands } of step.plan.steps.slice(from)) {
              if (operands.length === 0) continue;
              assert.equal(shape.at(-2), 1, id);
              assert.deepEqual(rowsOf(step, id, 0), rowsOf(whole, id, t), `${id} of step ${t}, ${norm}, ${layers}`);
              checked++;
            }
            assert.equal(decoded(step)?.equal, true);
          }
        }
    assert.ok(checked > 1000, `${checked} steps`);
  });

  it('has one query beside a cache of the tokens up to it', () => {
    const { plan } = run({ ...sentence, mask: 'causal', positions: 'rope-half', decode: { step: 3 } });
    const shapes = Object.fromEntries(plan.steps.map(({ id, shape }) => [id, shape.join('×')]));
    assert.deepEqual([shapes['q'], shapes['qStep'], shapes['kStep'], shapes['vStep'], shapes['weights']], ['6×8', '1×8', '4×8', '4×8', '1×4']);
    const weights = plan.steps.find(({ id }) => id === 'weights');
    assert.deepEqual([weights?.rowLabels, weights?.columnLabels], [['on'], ['The', 'cat', 'sat', 'on']]);
  });

  it('is found to differ where the full pass sees later keys, and not in the last step', () => {
    for (const step of [0, 2, 5]) {
      const found = decoded(run({ ...sentence, mask: 'none', decode: { step } }));
      assert.equal(found?.equal, step === 5);
      assert.equal((found?.later ?? 0) > 0, step !== 5);
    }
  });

  it('is offered where each query has a cache of its own, and stays where it is asked for', () => {
    const offered = (start: AttentionSpec['start'], decode?: AttentionSpec['decode']): string[] => {
      const spec: AttentionSpec = { ...matrixDefaults, start, ...(decode && { decode }) };
      return fieldControls.filter(({ id, applies }) => /^decode/.test(id) && applies(spec, readSwitches(spec))).map(({ id }) => id);
    };
    const [one, two] = [[[1, 2]], [[1, 2], [3, 4]]];
    assert.deepEqual(offered({ from: 'qkv', q: two, k: two }), ['decode']);
    assert.deepEqual(offered({ from: 'qkv', q: [two, two], k: [two, two] }, { step: 1 }), ['decode', 'decodeStep']);
    assert.deepEqual(offered({ from: 'qkv', q: one, k: two }), []);
    assert.deepEqual(offered({ from: 'qkv', q: [[one]], k: [[two]] }), []);
    // It was asked for: the choice goes back from it.
    assert.deepEqual(offered({ from: 'qkv', q: one, k: two }, { step: 0 }), ['decode']);
    assert.deepEqual(offered({ from: 'x', x: two, context: two }), []);
  });

  for (const [change, path, message] of [
    [{ decode: { step: 6 } }, 'decode.step', /decode\.step is 6, expected a whole number from 0 to 5/],
    [{ decode: { step: 0.5 } }, 'decode.step', /is 0\.5/],
    [{ start: { from: 'qkv', q: [[1]], k: [[1], [2]] }, decode: { step: 0 } }, 'decode', /as many queries as keys, found 1 and 2/],
    [{ mask: 'causal', outputProjection: { from: 'random' }, block: { norm: 'before', layers: 2 }, decode: { step: 1 } }, 'block.shown', /block\.shown is 1: a step of a decoder is shown in the last layer, 2/],
    [{ mask: 'none', outputProjection: { from: 'random' }, block: { norm: 'before', layers: 2, shown: 2 }, decode: { step: 1 } }, 'mask', /a decoder with 2 layers needs a causal mask/],
    [{ start: { from: 'scores', scores: [[1]], dK: 1 }, decode: { step: 0 } }, 'decode', /found a start from "scores"/],
  ] as const)
    it(`is refused where it stands: ${JSON.stringify(change)}`, () => {
      const found = explainAttention({ ...sentence, ...(change as Partial<AttentionSpec>) });
      assert.ok(!found.ok);
      assert.equal(found.problems[0]?.path, path);
      assert.match(found.problems[0].message, message);
    });
}); // prettier-ignore
