// The specs are those whose numbers NumPy has printed into test/fixtures/attention; what is written here is only JSON around them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingValue, withSettings } from '../../engine/spec/settings';
import {
  explainAttention,
  looksLikeSpec,
  specFromJson,
  textDefaults,
  textLimit,
  traceToJson,
  validateSpec,
  type AttentionSpec,
} from '../../engine/index';

const folder = join(__dirname, '../../extension/examples');
const spec: AttentionSpec = { ...textDefaults, start: { from: 'text', text: 'The cat sat', tokenizer: 'words' } };
const qk: AttentionSpec = {
  ...textDefaults,
  dModel: 2,
  positions: 'none',
  projections: { from: 'none' },
  start: { from: 'qkv', q: [[1, 'inf']], k: [[3, '-0']] },
};
const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The problems of a text that is a spec, but not a sound one. */
function problemsOf(text: string) {
  const read = specFromJson(text);
  assert.ok(read && !read.ok, 'it is refused');
  return read.problems.map(({ range, ...rest }) => ({ ...rest, at: range && text.slice(range.start, range.end) }));
}

describe('a spec in JSON', () => {
  it('is read as that spec, whatever its layout', () => {
    for (const one of [spec, qk])
      for (const text of [pretty(one), JSON.stringify(one), `\uFEFF  ${JSON.stringify(one)}\r\n`])
        assert.deepEqual(specFromJson(text), { ok: true, value: { spec: one } });
  });

  it('is read with the view that was saved with it', () => {
    const view = { step: 'weights', cell: [1, 0] };
    assert.deepEqual(specFromJson(pretty({ spec, view })), { ok: true, value: { spec, view } });
    assert.deepEqual(specFromJson(pretty({ view: 7, spec })), { ok: true, value: { spec, view: 7 } });
  });

  it('keeps the sign of −0 in each of its matrices, saved and read again as often as one likes', () => {
    const tensors = (zero: string): string =>
      `"start":{"from":"qkv","q":[[1,${zero}]],"k":[[3,${zero}],[${zero},1]],"v":[[${zero}],[2]]},` +
      `"mask":{"kind":"additive","values":[[${zero},-1]]}`;
    const { start: _, mask: __, ...rest } = qk;
    const text = (zero: string): string => `${JSON.stringify(rest).slice(0, -1)},${tensors(zero)}}`;
    const read = (json: string): AttentionSpec => {
      const found = specFromJson(json);
      assert.ok(found?.ok, JSON.stringify(found));
      return found.value.spec;
    };
    for (const zero of ['-0', '-0.0', '-0e5', '"-0"']) {
      const once = read(text(zero));
      assert.deepEqual(once, JSON.parse(text('"-0"')), zero);
      assert.deepEqual(read(JSON.stringify(once)), once);
      const trace = explainAttention(once);
      assert.ok(trace.ok);
      for (const [step, at] of [
        ['q', [0, 1]],
        ['k', [1, 0]],
        ['v', [0, 0]],
        ['mask', [0, 0]],
      ] as const)
        assert.ok(Object.is(trace.value.value(step, at), -0), `${zero} ${step}`);
      assert.ok(JSON.stringify(traceToJson(trace.value)).includes('"q":[[1,"-0"]]'));
    }
    assert.notDeepEqual(read(text('0')), read(text('-0')));
  });

  it('drops a sign of 0 that says nothing, and leaves a spec without one as it is', () => {
    const ids = { ...spec, start: { from: 'ids', ids: [-0, 1] }, maskFill: -0, random: { ...spec.random, seed: -0 } };
    const read = validateSpec(ids);
    assert.ok(read.ok, JSON.stringify(read));
    assert.deepEqual(read.value, JSON.parse(JSON.stringify(ids)));
    const same = validateSpec(qk);
    assert.ok(same.ok && same.value === qk);
  });

  it('keeps −0 through a setting of the terminal or a lesson', () => {
    const set = withSettings(qk, [
      { path: 'mask', value: settingValue('{"kind":"additive","values":[[-0]]}') },
      { path: 'temperature', value: 2 },
    ]) as AttentionSpec;
    assert.deepEqual(set.mask, { kind: 'additive', values: [['-0']] });
    const zeros = withSettings({ ...qk, start: { from: 'qkv', q: [[1, -0]], k: [[3, 4]] } }, []) as AttentionSpec;
    assert.deepEqual(zeros.start, { from: 'qkv', q: [[1, '-0']], k: [[3, 4]] });
  });

  it('is told from everything else', () => {
    const others = [
      'The cat sat',
      '',
      '{"version": 1, "dtype": "float64"}',
      '[{"version": 1, "dtype": "float64", "start": {}}]',
      '{"q": [[1, 2]], "k": [[3, 4]]}',
      // A trace holds a spec among other things, and is none.
      pretty({ trace: spec, steps: [] }),
    ];
    for (const text of others) assert.equal(specFromJson(text), undefined, text);
    for (const file of readdirSync(folder).filter((name) => /\.(md|py|ipynb)$/.test(name)))
      assert.equal(looksLikeSpec(readFileSync(join(folder, file), 'utf8')), false, file);
  });

  it('names what is wrong in it, and where', () => {
    assert.deepEqual(problemsOf(pretty({ ...spec, heads: 'two' })), [
      { code: 'field', path: 'heads', message: 'heads: expected a number, found "two"', at: '"two"' },
    ]);
    assert.deepEqual(problemsOf(pretty({ view: {}, spec: { ...spec, dtype: 'float8' } }))[0]?.at, '"float8"');
    const [unknown] = problemsOf(pretty({ ...spec, headz: 2 }));
    assert.deepEqual([unknown?.code, unknown?.hint, unknown?.at], ['unknown-field', 'Did you mean heads?', '2']);
  });

  it('names the character at which it stops being JSON', () => {
    const text = pretty(spec).replace('"numpy.RandomState",', '"numpy.RandomState"');
    assert.deepEqual(
      problemsOf(text).map(({ code, at }) => [code, at]),
      [['json', '"']],
    );
    assert.ok(problemsOf(pretty(spec).trimEnd().slice(0, -1))[0]?.message.includes('the text ends'));
  });

  it('has a largest size', () => {
    const long = { ...spec, start: { ...spec.start, text: 'x'.repeat(textLimit) } };
    assert.equal(problemsOf(JSON.stringify(long))[0]?.code, 'too-large');
  });

  it('never throws, whatever is cut out of it', () => {
    const text = pretty({ spec: qk, view: { step: 'scores' } });
    for (let i = 0; i < text.length; i++)
      for (const cut of [text.slice(0, i), text.slice(i), text.slice(0, i) + text.slice(i + 1)]) specFromJson(cut);
    const nested = `{"version":1,"dtype":"float64","start":${'['.repeat(100_000)}`;
    assert.equal(problemsOf(nested)[0]?.code, 'json');
    const closed = `${nested}${']'.repeat(100_000)}}`;
    assert.ok(problemsOf(closed).length > 0);
  });
});
