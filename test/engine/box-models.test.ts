import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  boxModels,
  chooseModel,
  explainCell,
  hashTrace,
  modelFile,
  planOf,
  programOf,
  readBox,
  readModel,
  validateSpec,
  type AttentionSpec,
} from '../../engine/index';
import { boxOf, modelFolder, modelOf, textSpec } from './box-support';
import { run } from './specs';

interface Case {
  readonly model: string;
  readonly text: string;
  readonly ids: readonly number[];
  readonly logits: readonly (readonly number[])[];
  readonly changes?: AttentionSpec['headChanges'];
  /** Of each layer, heads×n×n; of a case without changes. */
  readonly weights?: readonly (readonly (readonly (readonly number[])[])[])[];
}

/** What an independent program measured of a head: means of weights on random tokens repeated once. */
interface Measured {
  readonly layer: number;
  readonly head: number;
  readonly induction: number;
  readonly duplicate: number;
  readonly previous: number;
  readonly sink: number;
}
/** Of a head of the last layer: how often it looks most at the word that it was trained to point to, in sentences written by hand. */
interface Pointed {
  readonly kind: 'pronoun' | 'agreement';
  readonly head: number;
  readonly share: number;
  readonly n: number;
}

const { cases, heads } = JSON.parse(gunzipSync(readFileSync('test/fixtures/models.json.gz')).toString()) as {
  cases: readonly Case[];
  heads: Readonly<Record<string, { readonly scores: readonly Measured[]; readonly pointed?: readonly Pointed[] }>>;
};

/** Largest difference of a step from nested lists. */
function apart(trace: ReturnType<typeof run>, id: string, expected: unknown, index: readonly number[] = []): number {
  if (!Array.isArray(expected)) return Math.abs(trace.value(id, index) - Number(expected));
  return expected.reduce<number>((most, of, i) => Math.max(most, apart(trace, id, of, [...index, i])), 0);
}

/** Over the whole vocabulary. */
function softmax(z: readonly number[]): readonly number[] {
  const e = z.map((x) => Math.exp(x - Math.max(...z)));
  const sum = e.reduce((a, b) => a + b, 0);
  return e.map((x) => x / sum);
}

describe('the models of the extension', () => {
  it('have a case each', () => {
    const named = new Set(cases.map(({ model }) => model));
    assert.deepEqual(boxModels.map(({ name }) => name).filter((name) => !named.has(name)), []); // prettier-ignore
  });

  for (const { model, text, ids, logits, weights = [], changes } of cases) {
    it(`${model} reads ${JSON.stringify(text)} as a NumPy program does${changes ? `, with ${JSON.stringify(changes)}` : ''}`, async () => {
      const whole = await textSpec(boxOf(model), text);
      const spec = changes ? { ...whole, headChanges: changes } : whole;
      assert.ok(spec.start.from === 'text' && 'pieces' in spec.start);
      assert.deepEqual(spec.start.pieces?.map(([id]) => id), ids); // prettier-ignore
      const checked = validateSpec(JSON.parse(JSON.stringify(spec)));
      assert.ok(checked.ok, checked.ok ? '' : JSON.stringify(checked.problems));
      const trace = run(checked.value);
      const last = weights.length - 1;
      weights.forEach((of, i) => {
        const difference = apart(trace, i === last ? 'weights' : `layer${i + 1}_weights`, of);
        assert.ok(difference <= 2e-8, `weights of layer ${i + 1} differ by ${difference}`);
      });
      const difference = apart(trace, 'logits', logits);
      assert.ok(difference <= 2e-8, `logits differ by ${difference}`);
      const next = apart(trace, 'probabilities', logits.map(softmax));
      assert.ok(next <= 1e-7, `probabilities differ by ${next}`);
    });
  }

  it('have heads of the kinds that a NumPy program measures', async () => {
    for (const box of boxModels) {
      const { evidence } = await modelOf(box);
      const measured = heads[box.name]?.scores ?? [];
      assert.equal(measured.length, evidence.length, box.name);
      for (const { layer, head, kind, scores, control } of evidence) {
        const own = measured.find((one) => one.layer === layer && one.head === head);
        assert.ok(own);
        for (const of of ['induction', 'duplicate', 'previous', 'sink'] as const) {
          const said = scores[of] ?? NaN;
          assert.ok(
            Math.abs(said - own[of]) < 0.1,
            `${box.name}, layer ${layer}, head ${head}: ${of} ${said}, measured ${own[of]}`,
          );
        }
        if (kind === 'induction' || kind === 'duplicate' || kind === 'previous') {
          assert.ok(own[kind] > 0.25, `${box.name}, layer ${layer}, head ${head}: ${kind} ${own[kind]}`);
          assert.ok(control < 0.1, `untrained ${control}`);
        }
      }
    }
  });

  it('point to the right word in sentences that the training did not write: 0.95 and more, or no question may be asked', async () => {
    const { evidence } = await modelOf(boxOf('words-1'));
    for (const kind of ['pronoun', 'agreement'] as const) {
      const pointing = evidence.filter((one) => one.kind === kind);
      assert.equal(pointing.length, 1);
      const [{ head, layer, pointed, scores } = { head: -1, layer: -1, pointed: undefined, scores: {} }] = pointing;
      assert.ok(pointed && layer === 1 && (scores[`${kind}Picks`] ?? 0) >= 0.95);
      const own = heads['words-1']?.pointed?.find((one) => one.kind === kind && one.head === head);
      assert.ok(own && own.n >= 20 && own.share >= 0.95, JSON.stringify(own));
    }
  });

  it('are the same layers untrained without the model', async () => {
    const { model: _, ...untrained } = await textSpec(boxOf('characters-1'), 'the cat');
    const trace = run(untrained);
    const trained = run(await textSpec(boxOf('characters-1'), 'the cat'));
    assert.deepEqual(
      trace.plan.steps.filter(({ id }) => /weights$/i.test(id)).map(({ id, shape }) => [id, shape]),
      trained.plan.steps.filter(({ id }) => /weights$/i.test(id)).map(({ id, shape }) => [id, shape]),
    );
    assert.notEqual(hashTrace(trace), hashTrace(trained));
  });

  it('say of a weight where it stands in the file', async () => {
    const box = boxOf('characters-1');
    const trace = run(await textSpec(box, 'the cat'));
    const made = explainCell(trace, 'wk', [3, 5]);
    assert.ok(made.kind === 'learned');
    assert.deepEqual([made.tensor, made.at], ['h.1.attn.c_attn.weight', [3, 69]]);
    const model = await modelOf(box);
    assert.equal(made.value, model.tensors.get('h.1.attn.c_attn.weight')?.values[3 * 192 + 69]);
  });

  it('refuse another file, more tokens than they read, and an unknown model', async () => {
    const box = boxOf('characters-1');
    const bytes = new Uint8Array(readFileSync(modelFolder + modelFile(box)));
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const other = await readModel(bytes, box.sha256);
    assert.ok(!other.ok);
    assert.match(other.problems[0]?.message ?? '', /SHA-256/);
    const long = planOf(await textSpec(box, 'a'.repeat(256)));
    assert.ok(!long.ok);
    assert.match(long.problems[0]?.message ?? '', /256 tokens.*at most 255/);
    const spec = await textSpec(box, 'a');
    const unknown = planOf({ ...spec, model: { name: 'other', sha256: '0'.repeat(64) } });
    assert.ok(!unknown.ok);
    assert.equal(unknown.problems[0]?.code, 'model-needed');
  });

  it('say which words they do not know, and which model reads the text instead', async () => {
    const models = await Promise.all(
      ['words-1', 'characters-1'].map(async (name) => {
        const read = await readBox(name, (file) => Promise.resolve(readFileSync(modelFolder + file)));
        return read.ok ? read.value : assert.fail(name);
      }),
    );
    const choose = (text: string): string => {
      const { why, ...rest } = chooseModel(text, models);
      return `${'model' in rest ? rest.model.name : 'none'}: ${why}`;
    };
    // The vocabulary file: 519 entries, of them <s>, <unknown> and three marks.
    assert.equal(choose('The keys to the cabinet are lost.'), 'words-1: ');
    assert.equal(
      choose('The keyz to the Transformer are lost.'),
      'characters-1: words-1 knows 514 English words, but not “keyz” (it knows “key”), “Transformer”',
    );
    assert.match(choose('Alpha beta gamma delta epsilon zeta zeta eta.'), /^characters-1: .*“gamma” and 4 more$/);
    // A rocket scientist is three signs, of which one cannot be seen.
    assert.equal(
      choose('The \u{1F469}\u200D\u{1F680} is here.'),
      'characters-1: words-1 knows 514 English words, but not “\u{1F469}”, “\u{1F680}”',
    );
    assert.match(
      choose('Привет, мир!'),
      /^none: words-1 .*“Привет”, “мир”, “!”; characters-1 does not know 9 of 12 tokens$/,
    );
    assert.match(
      choose('the cat '.repeat(200)),
      /^none: words-1 reads at most 255 tokens, and this text has 400; characters-1 reads at most 255 tokens, and this text has 1600$/,
    );
    assert.match(choose('a'.repeat(255)), /^characters-1: /);
    assert.match(choose('a'.repeat(256)), /; characters-1 reads at most 255 tokens, and this text has 256$/);
  });

  it('read what is seen as one character as one token: emoji of several parts, flags, letters with a mark', async () => {
    const text =
      'a\u{1F469}\u{1F3FD}\u200D\u{1F680}b\u2600\uFE0F\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}e\u0301\r\nc1\uFE0F\u20E3';
    const { start } = await textSpec(boxOf('characters-1'), text);
    const pieces = start.from === 'text' && 'pieces' in start ? (start.pieces ?? []) : [];
    // Unicode's grapheme clusters (UAX 29), but a line break of two characters, of which the model knows one.
    const seen = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].flatMap(({ segment }) =>
      segment === '\r\n' ? ['\r', '\n'] : [segment],
    );
    assert.deepEqual(
      pieces.slice(1).map(([, from, to]) => text.slice(from, to)),
      seen,
    );
    assert.equal(seen.length, 11);
  });

  it('are read from their file by the exported program', async () => {
    const spec = await textSpec(boxOf('characters-1'), 'the cat');
    const plan = planOf(spec);
    assert.ok(plan.ok);
    const { code } = programOf(spec, plan.value, 'numpy');
    assert.match(code, /model = read\("characters-1\.safetensors"\)/);
    assert.match(code, /W_k = model\['h\.1\.attn\.c_attn\.weight'\]\[:, 64:128\]/);
  });
});
