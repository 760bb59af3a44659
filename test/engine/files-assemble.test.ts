import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bytesHeld,
  cutParts,
  explainAttention,
  fileRoleOf,
  fitOf,
  memoryLimit,
  planOf,
  roleSymbols,
  numberLimit,
  specFromTensors,
  valuesOf,
  type AttentionSpec,
  type FileRole,
  type TensorPart,
} from '../../engine/index';
import { opened, read, told } from './files-support';

const part = (role: FileRole, shape: readonly number[], more: Partial<TensorPart> = {}): TensorPart => ({
  name: role.toUpperCase(),
  role,
  shape,
  dtype: 'float64',
  values: Float64Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i % 7),
  ...more,
});

function made(...parts: readonly TensorPart[]): { spec: AttentionSpec; notes: readonly string[] } {
  const result = specFromTensors(parts);
  assert.ok(result.ok, result.ok ? '' : result.problems[0]?.message);
  return result.value;
}

function refusal(...parts: readonly TensorPart[]): string {
  const result = specFromTensors(parts);
  assert.ok(!result.ok, 'it is refused');
  return result.problems.map(({ code, message }) => `${code}: ${message}`).join('; ');
}

const example = (name: string) => Uint8Array.from(readFileSync(join(__dirname, '../../extension/examples', name)));

describe('the roles of tensors in files', () => {
  const roles: readonly [name: string, role: FileRole | undefined][] = [
    ['Q', 'q'], ['query', 'q'], ['W_q', 'wq'], ['attn/W_k', 'wk'], ['b_v', 'bv'],
    ['model.layers.0.self_attn.q_proj.weight', 'wq'], ['layers.3.attention.self.key.weight', 'wk'],
    ['model.layers.0.self_attn.o_proj.weight', 'wo'], ['self_attn.out_proj.bias', 'bo'], ['encoder.value.bias', 'bv'],
    ['attn_mask', 'mask'], ['scores', 'scores'], ['attn_weights', 'weights'], ['memory', 'context'], ['X', 'x'], ['embeddings', 'x'],
    ['x_1', undefined], ['mlp.up_proj.weight', undefined], ['', undefined], ['constructor', undefined],
  ]; // prettier-ignore
  for (const [name, role] of roles)
    it(`${name || 'no name'}: ${role ?? 'none'}`, () => assert.equal(fileRoleOf(name), role));
});

describe('a walk from tensors', () => {
  it('begins with what was chosen', () => {
    const [x, w] = [part('x', [3, 4]), (role: FileRole) => part(role, [4, 2])];
    assert.equal(made(x).spec.start.from, 'x');
    assert.deepEqual(made(x).notes[0], 'One tensor is chosen: Q = K = V = X.');
    assert.equal(made(x, w('wq'), w('wk'), w('wv')).spec.projections.from, 'given');
    assert.equal(made(part('q', [3, 4]), part('k', [5, 4])).spec.start.from, 'qkv');
    assert.equal(made(part('scores', [3, 4]), part('v', [4, 2])).spec.scale, 'none');
    assert.equal(made(part('weights', [3, 4]), part('v', [4, 2])).spec.start.from, 'weights');
    const cross = made(x, part('context', [5, 4]), w('wq'), w('wk'), w('wv')).spec.start;
    assert.ok(cross.from === 'x' && cross.context?.length === 5);
  });

  it('takes X·Wᵀ where only that fits, or where linear layers keep their weights so', () => {
    const weights = (shape: readonly number[], suffix = ''): TensorPart[] =>
      (['wq', 'wk', 'wv'] as const).map((role) => part(role, shape, { name: `${role}${suffix}` }));
    assert.equal(made(part('x', [3, 4]), ...weights([4, 2])).spec.convention, 'XW');
    assert.equal(made(part('x', [3, 4]), ...weights([2, 4])).spec.convention, 'XWT');
    assert.equal(made(part('x', [3, 4]), ...weights([4, 4])).spec.convention, 'XW');
    assert.equal(made(part('x', [3, 4]), ...weights([4, 4], '.weight')).spec.convention, 'XWT');
    assert.match(refusal(part('x', [3, 4]), ...weights([5, 2])), /X·W needs 4 rows/);
  });

  it('keeps heads, also where several share a key', () => {
    const { spec, notes } = made(part('q', [4, 3, 2]), part('k', [2, 5, 2]), part('v', [2, 5, 6]));
    assert.deepEqual([spec.heads, spec.kvHeads], [4, 2]);
    assert.ok(spec.start.from === 'qkv');
    assert.deepEqual(spec.start.q[1], [
      [6, 0],
      [1, 2],
      [3, 4],
    ]);
    assert.match(notes[0] ?? '', /first axis of Q is taken as 4 heads/);
    assert.match(refusal(part('q', [4, 3, 2]), part('k', [3, 5, 2])), /kvHeads is 3, expected a divisor/);
    assert.match(refusal(part('wq', [2, 4, 4]), part('x', [3, 4])), /WQ is 2×4×4, expected one sequence for W_q/);
    assert.match(refusal(part('x', [2, 2, 3, 4])), /X is 2×2×3×4, expected one sequence for X/);
    assert.match(refusal(part('q', [2, 4, 3, 2]), part('k', [4, 3, 2])), /Q is 2×4×3×2, expected one sequence/);
    assert.equal(made(part('q', [1, 4, 3, 2]), part('k', [1, 4, 3, 2])).spec.heads, 4);
  });

  it('takes a leading axis of X, the context and a mask beside them as inputs of a batch', () => {
    const { spec, notes } = made(part('x', [2, 3, 4]));
    assert.ok(spec.start.from === 'x');
    assert.deepEqual(spec.start.x, [
      [[0, 1, 2, 3], [4, 5, 6, 0], [1, 2, 3, 4]],
      [[5, 6, 0, 1], [2, 3, 4, 5], [6, 0, 1, 2]],
    ]); // prettier-ignore
    assert.ok(notes.includes('X is 2×3×4: 2 inputs of 3×4.'), notes.join('\n'));
    assert.match(refusal(part('x', [2, 3, 4]), part('context', [3, 5, 4])), /CONTEXT is 3×5×4, X is 2×3×4/);
    const masked = (mask: TensorPart) => made(part('x', [2, 3, 4]), mask).spec.mask;
    const ones = (shape: readonly number[], name = 'mask') =>
      part('mask', shape, { name, dtype: 'bool', values: Float64Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => i % 2) }); // prettier-ignore
    const cells = (mask: AttentionSpec['mask']) => (typeof mask === 'object' && 'values' in mask ? mask.values : mask);
    const rows = [[0, 1, 0], [1, 0, 1]].map((row) => [row, row, row]); // prettier-ignore
    assert.deepEqual(cells(masked(ones([2, 3]))), rows);
    assert.deepEqual(cells(masked(ones([2, 1, 3]))), rows);
    assert.equal(JSON.stringify(cells(masked(ones([3, 3])))), '[[0,1,0],[1,0,1],[0,1,0]]');
    const square = made(part('x', [2, 2, 4]), ones([2, 2], 'key_padding_mask'));
    assert.deepEqual(cells(square.spec.mask), [[[0, 1], [0, 1]], [[0, 1], [0, 1]]]); // prettier-ignore
    assert.match(square.notes.join(' '), /1 in key_padding_mask means hidden/);
    const diagonal = part('mask', [2, 2], { name: 'key_padding_mask', values: Float64Array.of(1, 0, 0, 1) });
    assert.match(made(part('x', [2, 2, 4]), diagonal).notes.join(' '), /1 in key_padding_mask means hidden/);
    const fit = fitOf([part('x', [2, 3, 4])]);
    assert.ok(fit.ok && fit.value.fits && fit.value.rows === 3);
  });

  it('computes a batch as its inputs by themselves', () => {
    const parts = (['wq', 'wk', 'wv'] as const).map((role) => part(role, [4, 2]));
    const x = part('x', [2, 3, 4]);
    const inputs = [0, 1].map((i) =>
      part('x', [3, 4], { values: x.values?.slice(i * 12, i * 12 + 12) ?? new Float64Array() }),
    );
    const [both, ...each] = [x, ...inputs].map((one) => explainAttention(made(one, ...parts).spec));
    assert.ok(both?.ok);
    each.forEach((one, i) => {
      assert.ok(one.ok);
      for (const [row, column] of [[0, 0], [1, 1], [2, 0]] as const)
        assert.equal(both.value.value('output', [i, row, column]), one.value.value('output', [row, column]));
    }); // prettier-ignore
  });

  it('computes in float32 when no tensor has more, and says when types differ', () => {
    const of = (...types: string[]) =>
      made(part('q', [2, 2], { dtype: types[0] ?? '' }), part('k', [2, 2], { dtype: types[1] ?? '' }));
    assert.equal(of('float32', 'float32').spec.dtype, 'float32');
    assert.equal(of('float32', 'float64').spec.dtype, 'float64');
    assert.equal(of('int64', 'float16').spec.dtype, 'float32');
    assert.equal(of('int64', 'int64').spec.dtype, 'float64');
    assert.ok(of('bfloat16', 'float32').notes.includes('The file has bfloat16 and float32; computed in float32.'));
    assert.ok(!of('float32', 'float32').notes.some((note) => note.includes('computed in')));
  });

  it('takes a mask by its numbers', () => {
    const mask = (rows: readonly (readonly number[])[], dtype: string) =>
      made(
        part('q', [2, 2]),
        part('k', [rows[0]?.length ?? 0, 2]),
        part('mask', [2, rows[0]?.length ?? 0], { dtype, values: Float64Array.from(rows.flat()) }),
      );
    const causal = mask(
      [
        [0, 1],
        [0, 0],
      ],
      'bool',
    );
    assert.deepEqual(causal.spec.mask, {
      kind: 'boolean',
      values: [
        [0, 1],
        [0, 0],
      ],
      trueMeans: 'hidden',
    });
    assert.ok(causal.notes.includes('1 in MASK means hidden, since the diagonal is 0.'));
    const kept = mask(
      [
        [1, 0],
        [1, 1],
      ],
      'float32',
    ).spec.mask;
    assert.ok(typeof kept === 'object' && kept.kind === 'boolean' && kept.trueMeans === 'visible');
    const added = mask(
      [
        [0, -Infinity],
        [0, 0],
      ],
      'float32',
    ).spec.mask;
    assert.deepEqual(added, {
      kind: 'additive',
      values: [
        [0, '-inf'],
        [0, 0],
      ],
    });
    assert.match(
      mask(
        [
          [0, 0, 1],
          [0, 0, 0],
        ],
        'bool',
      ).notes.join(),
      /MultiheadAttention/,
    );
  });

  it('says what is missing, what does not fit and what is not used', () => {
    assert.match(refusal(part('q', [2, 2])), /^missing: Q without K$/);
    assert.match(refusal(part('wq', [2, 2])), /^missing: WQ without X, W_k, W_v$/);
    assert.match(refusal(part('weights', [2, 2])), /^missing: WEIGHTS without V$/);
    assert.match(refusal(part('mask', [2, 2])), /^missing: MASK without X$/);
    assert.match(refusal(part('q', [2, 2]), part('q', [2, 2], { name: 'Q2' })), /^duplicate: Q and Q2 are both Q$/);
    assert.match(refusal(part('q', [2, 3]), part('k', [2, 4])), /K has 4 columns, Q has 3/);
    assert.match(refusal(part('x', [0, 3])), /empty: X is 0×3/);
    assert.match(refusal(part('x', [])), /single number/);
    assert.ok(made(part('x', [2, 2]), part('bq', [2])).notes.includes('Not used: BQ (2).'));
    const wo = made(part('q', [2, 2]), part('k', [2, 2]), part('v', [2, 2]), part('wo', [2, 2]), part('bo', [2]));
    assert.deepEqual(wo.spec.outputProjection, {
      from: 'given',
      wo: [
        [0, 1],
        [2, 3],
      ],
      bo: [0, 1],
    });
    assert.deepEqual(wo.notes, []);
  });
});

describe('what fits in the panel', () => {
  const shapes = (...parts: readonly (readonly [FileRole, ...number[]])[]): TensorPart[] =>
    parts.map(([role, ...shape]) => ({ name: role, role, shape, dtype: 'float32' }));

  const sets: readonly (readonly TensorPart[])[] = [
    [part('q', [2, 30, 8]), part('k', [2, 40, 8]), part('v', [2, 40, 4])],
    [part('q', [40, 8]), part('k', [30, 8]), part('mask', [40, 30])],
    [part('x', [25, 6])],
    [part('x', [1, 6])],
    [part('x', [25, 6]), part('mask', [25, 25])],
    [
      part('x', [9, 6]),
      part('wq', [6, 4]),
      part('wk', [6, 4]),
      part('wv', [6, 4]),
      part('bq', [4]),
      part('wo', [4, 6]),
    ],
    [part('x', [9, 6]), part('context', [13, 6]), part('wq', [6, 4]), part('wk', [6, 4]), part('wv', [6, 5])],
    [part('scores', [7, 9]), part('v', [9, 3])],
    [part('scores', [9, 9]), part('mask', [9, 9])],
    [part('weights', [3, 7, 9]), part('v', [3, 9, 3])],
  ];
  for (const parts of sets)
    it(`is told from shapes alone, as the plan of the same numbers tells it: ${parts.map(({ name }) => name).join(', ')}`, () => {
      const fit = fitOf(parts);
      const trace = explainAttention(made(...parts).spec);
      assert.ok(fit.ok && trace.ok);
      const { numbers, bytes, fits } = fit.value;
      const count = parts.reduce((sum, { values }) => sum + (values?.length ?? 0), 0);
      assert.deepEqual({ numbers, bytes, fits }, { numbers: count, bytes: trace.value.plan.bytes, fits: true });
    });

  it('gives the most rows that fit: one more does not', () => {
    for (const parts of [
      shapes(['x', 40000, 64]),
      shapes(['q', 70000, 16], ['k', 70000, 16]),
      [...shapes(['x', 20000, 64]), { ...part('mask', [1, 1]), shape: [20000, 20000], values: new Float64Array() }],
    ]) {
      const fit = fitOf(parts);
      assert.ok(fit.ok && !fit.value.fits);
      const { mostRows } = fit.value;
      const cut = (rows: number) => fitOf(cutParts(parts, { start: 0, end: rows }));
      const [same, more] = [cut(mostRows), cut(mostRows + 1)];
      assert.ok(same.ok && same.value.fits && more.ok && !more.value.fits, `${mostRows} rows`);
      assert.ok(mostRows > 1000);
    }
  });

  it('counts what is held: steps of a large plan that are computed when they are looked at need no memory', () => {
    for (const parts of [
      shapes(['x', 16384, 64]),
      shapes(['x', 131072, 16]),
      shapes(['q', 16384, 64], ['k', 16384, 64]),
      shapes(['x', 4000, 64]),
    ]) {
      const fit = fitOf(parts);
      assert.ok(fit.ok && fit.value.fits && fit.value.mostRows === parts[0]?.shape[0], JSON.stringify(fit));
    }
    const parts = [part('x', [6500, 8]), part('wq', [8, 8]), part('wk', [8, 8]), part('wv', [8, 8])];
    const [fit, planned] = [fitOf(parts), planOf(made(...parts).spec)];
    assert.ok(fit.ok && planned.ok && planned.value.bytes > memoryLimit);
    assert.equal(fit.value.bytes, bytesHeld(planned.value, 'float64'));
  });

  it('counts what a large plan holds beside its steps, by hand', () => {
    // q, k and v: 16,384×64 each, 2^20 numbers.
    const parts = shapes(['q', 16384, 64], ['k', 16384, 64], ['v', 16384, 64]);
    const fit = fitOf(parts);
    assert.ok(fit.ok);
    const steps = 3 * 4 * 2 ** 20;
    const rows = 2 ** 27;
    // Scores (scaled ones have the same picture) and weights in 512×512 blocks, the output in 512×2, 20 bytes a block.
    const pictures = 20 * (2 * 512 * 512 + 512 * 2);
    // Output, largest score, sum, and whether it is there.
    const kept = 16384 * (64 * 4 + 4 + 4 + 1);
    // k and v as they are, and packed.
    const kernels = 2 * 2 * 4 * 2 ** 20;
    assert.equal(fit.value.bytes, steps + rows + pictures + kept + kernels);
    assert.equal(fit.value.bytes, 178_425_856);
  });

  it('refuses queries, keys and values that nobody could hold, wide ones from a narrow input', () => {
    const parts = shapes(['x', 100_000, 4], ['wq', 4, 1024], ['wk', 4, 1024], ['wv', 4, 1024]);
    const fit = fitOf(parts);
    assert.ok(fit.ok && !fit.value.fits, JSON.stringify(fit));
    // Q, K and V alone: 3 · 100,000 · 1024 · 4 bytes, and X and the weights.
    assert.ok(fit.value.bytes > 3 * 100_000 * 1024 * 4 + 100_000 * 16 + 3 * 4 * 1024 * 4, String(fit.value.bytes));
    const { mostRows } = fit.value;
    assert.ok(mostRows > 10_000 && mostRows < 40_000, String(mostRows));
  });

  it('refuses them in words before it computes', () => {
    const wide = (role: 'wq' | 'wk' | 'wv'): TensorPart => part(role, [4, 1024]);
    const { spec } = made(part('x', [40_000, 4]), wide('wq'), wide('wk'), wide('wv'));
    const refused = explainAttention(spec);
    assert.ok(!refused.ok);
    assert.equal(refused.problems[0]?.code, 'too-large');
    assert.match(refused.problems[0]?.message ?? '', /^40000 tokens would need \d+ MB, the limit is 1074 MB$/);
  });

  it('is refused where fewer rows would not help', () => {
    const wide = shapes(['x', 4, 2048], ['wq', 2048, 2048], ['wk', 2048, 2048], ['wv', 2048, 2048]);
    const result = fitOf(wide);
    assert.ok(!result.ok);
    assert.equal(result.problems[0]?.code, 'too-large');
    assert.match(result.problems[0]?.message ?? '', new RegExp(`^12591104 numbers, and .* ${numberLimit} numbers`));
  });

  it('never throws, and what it lets pass is computed', () => {
    const roles = Object.keys(roleSymbols) as FileRole[];
    const shape = fc.array(fc.oneof(fc.constantFrom(1, 2, 4), fc.nat(5)), { maxLength: 4 });
    const some = fc.uniqueArray(fc.constantFrom(...roles), { minLength: 1, maxLength: 6 });
    let [passed, refused] = [0, 0];
    fc.assert(
      fc.property(some, fc.array(shape, { minLength: 6, maxLength: 6 }), fc.boolean(), (chosen, sizes, square) => {
        const parts = chosen.map((role, i) => part(role, square ? [4, 4] : (sizes[i] ?? [])));
        const fit = fitOf(parts);
        const spec = specFromTensors(parts);
        const trace = spec.ok ? explainAttention(spec.value.spec) : spec;
        assert.equal(fit.ok, trace.ok, `${chosen.join()} ${JSON.stringify(sizes)}`);
        if (fit.ok && trace.ok) assert.equal(fit.value.bytes, trace.value.plan.bytes);
        if (trace.ok) passed++;
        else refused++;
      }),
      {
        numRuns: 3000,
        examples: [
          [['x'], [[0, 1], [], [], [], [], []], false],
          [['x', 'mask'], [[1], [], [], [], [], []], false],
        ],
      },
    );
    assert.ok(passed > 100 && refused > 300, `${passed} passed, ${refused} refused`);
  });

  it('takes the same rows of each, and the same rows and columns of a mask', () => {
    const parts = [part('q', [2, 4, 2]), part('k', [2, 3, 2]), part('mask', [4, 3]), part('wo', [4, 4])];
    const [q, k, mask, wo] = cutParts(parts, { start: 1, end: 4 });
    assert.deepEqual([q?.shape, k?.shape, mask?.shape, wo?.shape], [[2, 3, 2], [2, 2, 2], [3, 2], [4, 4]]);
    assert.deepEqual([...(q?.values ?? [])], [2, 3, 4, 5, 6, 0, 3, 4, 5, 6, 0, 1]);
    assert.deepEqual([...(mask?.values ?? [])], [4, 5, 0, 1, 3, 4]);
    const [, square] = cutParts([part('x', [4, 2]), part('mask', [4, 4])], { start: 1, end: 4 });
    assert.deepEqual([...(square?.values ?? [])], [5, 6, 0, 2, 3, 4, 6, 0, 1]);
    const [scores, v] = cutParts([part('scores', [4, 6]), part('v', [6, 2])], { start: 0, end: 2 });
    assert.deepEqual([scores?.shape, v?.shape], [[2, 6], [6, 2]]);
  }); // prettier-ignore

  it('takes the keys of a padding mask of a batch, whatever numbers of tokens are left', () => {
    const bits = (shape: readonly number[], name: string) =>
      part('mask', shape, { name, dtype: 'bool', values: Float64Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Number(i % 3 === 0)) }); // prettier-ignore
    const cells = (...parts: readonly TensorPart[]): number[][][] => {
      const { mask } = made(...parts).spec;
      if (typeof mask !== 'object' || mask.kind !== 'boolean') throw new Error(`no mask of truth values: ${JSON.stringify(mask)}`);
      assert.equal(mask.trueMeans, 'hidden');
      return mask.values as number[][][];
    };
    const beside = (keys: number) => (keys === 5 ? [part('x', [3, 5, 4])] : [part('x', [3, 5, 4]), part('context', [3, keys, 4])]); // prettier-ignore
    for (const keys of [5, 3, 7])
      for (const shape of [[3, keys], [3, 1, keys]])
        for (const name of ['mask', 'key_padding_mask'])
          for (const [start, end] of [[1, 4], [0, 3], [2, 3], [0, 5]] as const) {
            const parts = [...beside(keys), bits(shape, name)];
            const some = cutParts(parts, { start, end });
            const rows = cells(...parts).map((input) => input[0]?.slice(Math.min(start, keys - 1), Math.min(end, keys)));
            assert.deepEqual(cells(...some), rows.map((row) => new Array(end - start).fill(row)), `${shape} ${name} ${start}:${end}`);
            const fit = fitOf(some);
            assert.ok(fit.ok && fit.value.fits, `${shape} ${name} ${start}:${end}`);
          }
  }); // prettier-ignore

  it('reads no diagonal in rows of keys of as many inputs as keys', () => {
    const eye = part('mask', [3, 3], { dtype: 'bool', values: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) });
    const { mask } = made(part('x', [3, 5, 4]), part('context', [3, 3, 4]), eye).spec;
    assert.equal(typeof mask === 'object' && mask.kind === 'boolean' && mask.trueMeans, 'hidden');
  });

  it('asks for rows of a batch with a padding mask', () => {
    for (const shape of [[2, 9000], [2, 1, 9000]]) {
      const parts = [part('x', [2, 9000, 4], { values: new Float64Array() }), part('mask', shape)];
      const fit = fitOf(parts);
      assert.ok(fit.ok && !fit.value.fits && fit.value.rows === 9000, JSON.stringify(fit));
      const cut = fitOf(cutParts(parts.map(({ values: _, ...one }) => one), { start: 100, end: 100 + fit.value.mostRows }));
      assert.ok(cut.ok && cut.value.fits && cut.value.numbers === fit.value.mostRows * (2 * 4 + 2), JSON.stringify(cut));
    }
  }); // prettier-ignore
});

describe('the example files', () => {
  it('projections.npz: the walk of tutorial 000 without biases, as NumPy computes it', async () => {
    const file = await opened(example('projections.npz'), 'projections.npz');
    const parts = await Promise.all(
      file.tensors.map(async ({ name, dtype }) => {
        const role = fileRoleOf(name);
        assert.ok(role, name);
        return { name, role, dtype, ...(await read(file, name)) };
      }),
    );
    const trace = explainAttention({ ...made(...parts).spec, convention: 'XWT', scale: 'none' });
    assert.ok(trace.ok);
    // NumPy 1.24: x = X; a = softmax((x @ W_q.T) @ (x @ W_k.T).T); a @ (x @ W_v.T), see make_tensor_files.py
    const expected = JSON.parse(readFileSync(join(__dirname, '../fixtures/files/tensor-files.json'), 'utf8')) as {
      walk: number[];
    };
    const output = trace.value.plan.steps.find(({ id }) => id === 'output');
    assert.ok(output);
    const found = valuesOf(trace.value, output);
    assert.equal(found.length, expected.walk.length);
    expected.walk.forEach((value, i) =>
      assert.ok(Math.abs((found[i] ?? NaN) - value) <= 1e-13 * Math.max(1, Math.abs(value)), `[${i}]`),
    );
  });

  it('heads.safetensors: two heads with a mask', async () => {
    const file = await opened(example('heads.safetensors'), 'heads.safetensors');
    assert.deepEqual(
      file.tensors.map(({ name, shape, dtype }) => `${name} ${shape.join('×')} ${dtype} ${fileRoleOf(name)}`),
      [
        'attn.query 1×2×5×4 float32 q',
        'attn.key 1×2×6×4 float32 k',
        'attn.value 1×2×6×4 float32 v',
        'attn.mask 5×6 bool mask',
      ],
    );
    assert.equal(told(await file.read('attn.queries')), 'missing');
  });
});
