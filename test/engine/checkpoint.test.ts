// Models from a folder: forward passes against plain PyTorch (test/reference/checkpoints.py), and folders that are damaged or hostile.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  computedHead,
  openCheckpoint,
  runForward,
  scoreHead,
  specOfHead,
  type CheckpointFolder,
  type HeadScores,
} from '../../engine/checkpoint';
import { sourceOfBytes } from '../../engine/files';
import fc from 'fast-check';
import { explainAttention } from '../../engine/index';
import { wasmKernels } from '../../engine/run';
import { pythonOrSkip } from '../reference/python';
import { passOf, type Pass, type PassInputs } from './checkpoint-support';

interface Expected extends PassInputs {
  readonly logits: readonly (readonly number[])[];
  /** For each attention and head of a model with one stack: means that name what it does. */
  readonly scores?: readonly (readonly HeadScores[])[];
  /** For each attention in the order in which it is computed: heads × queries × keys. */
  readonly weights: readonly (readonly (readonly (readonly number[])[])[])[];
}

interface Ran extends Pass {
  readonly expected: Expected;
}

/** The files of a folder in memory, some of them replaced. */
const folderOf = (path: string, changed: Readonly<Record<string, Uint8Array | undefined>> = {}): CheckpointFolder => ({
  open(name) {
    const own = Object.hasOwn(changed, name) ? changed[name] : undefined;
    const isThere = !Object.hasOwn(changed, name) && existsSync(join(path, name));
    const bytes = own ?? (isThere ? new Uint8Array(readFileSync(join(path, name))) : undefined);
    return Promise.resolve(bytes && sourceOfBytes(bytes));
  },
});

async function run(path: string): Promise<Ran> {
  const expected = JSON.parse(readFileSync(join(path, 'expected.json'), 'utf8')) as Expected;
  const pass = await passOf(folderOf(path), expected);
  if (!pass.ok) assert.fail(pass.problems.map(({ message }) => message).join('\n'));
  return { ...pass.value, expected };
}

const flat = (nested: unknown): number[] => (Array.isArray(nested) ? nested.flatMap(flat) : [nested as number]);

/** Largest distance, relative to the largest expected number. */
function apart(actual: ArrayLike<number>, expected: readonly number[]): number {
  assert.equal(actual.length, expected.length);
  const most = expected.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  return expected.reduce((worst, x, i) => Math.max(worst, Math.abs(x - (actual[i] as number))), 0) / most;
}

describe('models from a folder', function () {
  this.timeout(120_000);
  let root = '';
  before(function () {
    const python = pythonOrSkip(this, 'torch');
    root = mkdtempSync(join(tmpdir(), 'checkpoints-'));
    const made = spawnSync(python, [join(__dirname, '../reference/checkpoints.py'), root], { encoding: 'utf8', timeout: 120_000 }); // prettier-ignore
    assert.equal(made.status, 0, made.stderr);
  });

  it('equal plain PyTorch in every family: logits within 1e-4, weights within 1e-5', async () => {
    const names = readdirSync(root);
    assert.ok(names.length >= 19, names.join(', '));
    const found: string[] = [];
    for (const name of names) {
      const { result, attentions, expected } = await run(join(root, name));
      assert.ok(result.logits, name);
      const logits = Math.max(...result.logits.map((row, i) => apart(row, [...(expected.logits[i] ?? [])])));
      assert.equal(attentions.length, expected.weights.length, name);
      const weights = Math.max(
        ...attentions.flatMap((one, i) =>
          one.weights.map((own, head) => apart(own, flat(expected.weights[i]?.[head]))),
        ),
      );
      if (!(logits <= 1e-4 && weights <= 1e-5)) found.push(`${name}: logits ${logits}, weights ${weights}`);
    }
    assert.deepEqual(found, []);
  });

  it('score each head as a measurement in Python does', async () => {
    let heads = 0;
    for (const name of readdirSync(root)) {
      const { attentions, expected } = await run(join(root, name));
      for (const [i, own] of (expected.scores ?? []).entries())
        for (const [head, scores] of own.entries()) {
          const made = scoreHead(attentions[i]?.weights[head] ?? [], expected.ids).scores;
          for (const [kind, score] of Object.entries(scores)) assert.ok(Math.abs(made[kind as keyof HeadScores] - score) < 1e-5, `${name} ${i}.${head} ${kind}: ${made[kind as keyof HeadScores]}, Python has ${score}`); // prettier-ignore
          heads++;
        }
    }
    assert.ok(heads > 150, String(heads));
  });

  it('give each head as a spec whose exact weights are those of the pass', async () => {
    for (const name of ['gpt2', 'mistral', 'gemma2', 't5', 'bert']) {
      const { attentions } = await run(join(root, name));
      for (const one of attentions) {
        const labels = { queries: Array.from({ length: one.queries }, (_, i) => `q${i}`), keys: Array.from({ length: one.keys }, (_, i) => `k${i}`) }; // prettier-ignore
        const trace = explainAttention(specOfHead(computedHead(one, 1, labels)));
        if (!trace.ok) assert.fail(`${name}: ${trace.problems.map(({ message }) => message).join('\n')}`);
        const tile = trace.value.read('weights', { batch: 0, head: 0, rows: [0, one.queries], columns: [0, one.keys] });
        assert.ok(apart(tile.min, Array.from(one.weights[1] ?? [])) < 1e-5, `${name} ${one.stack} ${one.layer}`);
      }
    }
  });
});

/** The one problem of a folder that is refused. */
async function refusal(folder: CheckpointFolder): Promise<string> {
  const opened = await openCheckpoint(folder);
  return opened.ok ? 'opened' : opened.problems.map(({ message }) => message).join('; ');
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a folder that cannot be read', function () {
  this.timeout(120_000);
  const models = mkdtempSync(join(tmpdir(), 'checkpoint-faults-'));
  let [gpt2, mistral] = ['', ''];
  let config: Record<string, unknown> = {};
  before(function () {
    const python = pythonOrSkip(this, 'torch');
    const made = spawnSync(python, [join(__dirname, '../reference/checkpoints.py'), models], { encoding: 'utf8', timeout: 120_000 }); // prettier-ignore
    assert.equal(made.status, 0, made.stderr);
    [gpt2, mistral] = [join(models, 'gpt2'), join(models, 'mistral')];
    config = JSON.parse(readFileSync(join(gpt2, 'config.json'), 'utf8')) as Record<string, unknown>;
  });
  const withConfig = (changed: Readonly<Record<string, unknown>>): CheckpointFolder =>
    folderOf(gpt2, { 'config.json': bytesOf(JSON.stringify({ ...config, ...changed })) });

  it('says what is missing, by its name', async () => {
    assert.match(await refusal(folderOf(gpt2, { 'config.json': undefined })), /config\.json is not in the folder/);
    assert.match(await refusal(folderOf(gpt2, { 'model.safetensors': undefined })), /neither model\.safetensors nor/);
    const pickled = { 'model.safetensors': undefined, 'pytorch_model.bin': bytesOf('x') };
    assert.match(await refusal(folderOf(gpt2, pickled)), /pytorch_model\.bin, which can run code/);
    const shard = 'model-00002-of-00002.safetensors';
    assert.match(
      await refusal(folderOf(mistral, { [shard]: undefined })),
      /model-00002-of-00002\.safetensors is not in the folder/,
    );
  });

  it('refuses families and settings that are not built, by their name', async () => {
    assert.match(
      await refusal(withConfig({ model_type: 'mamba' })),
      /models of type mamba are not known here; known are gpt2/,
    );
    assert.match(await refusal(withConfig({ model_type: 'constructor' })), /type constructor are not known/);
    assert.match(
      await refusal(withConfig({ activation_function: 'quick_gelu' })),
      /the activation quick_gelu is not known/,
    );
    assert.match(await refusal(withConfig({ add_cross_attention: true })), /add_cross_attention is not built/);
    assert.match(await refusal(withConfig({ quantization_config: { quant_method: 'gptq' } })), /quantized \(gptq\)/);
  });

  it('names a tensor that does not fit', async () => {
    assert.match(
      await refusal(withConfig({ n_embd: 30 })),
      /transformer\.wte\.weight has shape 50×24, config\.json says 50×30/,
    );
    assert.match(await refusal(withConfig({ n_layer: 4 })), /transformer\.h\.3\.ln_1\.weight 24 is missing/);
    assert.match(await refusal(withConfig({ n_head: 5 })), /width does not divide by the number of heads/);
  });

  it('names damaged files', async () => {
    const weights = new Uint8Array(readFileSync(join(gpt2, 'model.safetensors')));
    assert.match(
      await refusal(folderOf(gpt2, { 'model.safetensors': weights.slice(0, -100) })),
      /model\.safetensors: .*the file ends.*missing/,
    );
    assert.match(await refusal(folderOf(gpt2, { 'config.json': bytesOf('{') })), /config\.json is no JSON/);
    assert.match(await refusal(folderOf(gpt2, { 'config.json': bytesOf('[]') })), /config\.json: expected an object/);
    const index = (map: unknown) =>
      folderOf(mistral, { 'model.safetensors.index.json': bytesOf(JSON.stringify({ weight_map: map })) });
    assert.match(
      await refusal(index({ a: '../../secret.safetensors' })),
      /weight_map should name a file of the folder/,
    );
    assert.match(
      await refusal(index({ a: 'model-00001-of-00002.safetensors' })),
      /a should be in model-00001-of-00002\.safetensors, which does not have it/,
    );
  });

  it('ends no sooner than memory for hostile sizes would be asked for', async () => {
    for (const hostile of [1e9, -1, 0.5, 'x', null, [], {}, 1e308]) {
      for (const name of ['n_layer', 'n_embd', 'n_head', 'vocab_size']) {
        const said = await refusal(withConfig({ [name]: hostile }));
        assert.match(said, /config\.json|is missing|has shape/, `${name} ${JSON.stringify(hostile)}: ${said}`);
      }
    }
  });

  it('says where numbers stop being numbers, and a file that changes meanwhile', async () => {
    const opened = await openCheckpoint(folderOf(gpt2));
    assert.ok(opened.ok);
    const { architecture, weights } = opened.value;
    const through = (read: typeof weights.read) =>
      runForward(architecture, { ...weights, read }, [1, 2], { kernels: wasmKernels(), onAttention: () => undefined });
    const spoilt = await through(async (name, rows) => {
      const found = await weights.read(name, rows);
      if (found.ok && name.includes('h.1.mlp.c_fc.weight')) found.value[7] = NaN;
      return found;
    });
    assert.ok(spoilt.ok);
    assert.deepEqual(spoilt.value.notFinite, {
      at: { stack: 'layers', layer: 1 },
      tensor: 'transformer.h.1.mlp.c_fc.weight',
    });
    const source = sourceOfBytes(new Uint8Array(readFileSync(join(gpt2, 'model.safetensors'))));
    let reads = 0;
    const shrinking: CheckpointFolder = {
      open: (name) =>
        name === 'model.safetensors'
          ? Promise.resolve({
              size: source.size,
              readRange: (a, b) => source.readRange(a, ++reads > 20 ? Math.max(a, b - 8) : b),
            })
          : folderOf(gpt2).open(name),
    };
    const changed = await openCheckpoint(shrinking);
    assert.ok(changed.ok);
    const result = await runForward(changed.value.architecture, changed.value.weights, [1, 2], {
      kernels: wasmKernels(),
      onAttention: () => undefined,
    });
    assert.ok(!result.ok);
    assert.match(result.problems[0]?.message ?? '', /model\.safetensors was changed while it was read/);
  });

  it('stops when it is cancelled', async () => {
    const opened = await openCheckpoint(folderOf(gpt2));
    assert.ok(opened.ok);
    let layers = 0;
    const { architecture, weights } = opened.value;
    const result = await runForward(architecture, weights, [1, 2], {
      kernels: wasmKernels(),
      onAttention: () => void layers++,
      cancelled: () => layers > 0,
    });
    assert.ok(!result.ok && layers === 1);
    assert.equal(result.problems[0]?.code, 'cancelled');
  });

  it('never throws, whatever stands in config.json', async () => {
    const value = fc.oneof(
      fc.integer(),
      fc.double(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.object({ maxDepth: 2 }),
      fc.constantFrom(...Object.values(config)),
    );
    const names = [
      ...Object.keys(config),
      'rope_scaling',
      'rope_parameters',
      'layer_types',
      'sliding_window',
      'num_key_value_heads',
      'head_dim',
    ];
    const kinds = readdirSync(models);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kinds),
        fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }),
        async (kind, changed) => {
          const own = JSON.parse(readFileSync(join(models, kind, 'config.json'), 'utf8')) as object;
          await openCheckpoint(
            folderOf(join(models, kind), { 'config.json': bytesOf(JSON.stringify({ ...own, ...changed })) }),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('scores of a head', () => {
  it('are means over the rows that can show them', () => {
    // a b a b: induction of the third row is the b after the first a, of the fourth the a after the first b.
    const ids = [1, 2, 1, 2];
    const weights = [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.2, 0.6, 0.2, 0], [0.1, 0.1, 0.7, 0.1]].flat(); // prettier-ignore
    const { scores, repeats, kind } = scoreHead(weights, ids);
    assert.deepEqual(
      Object.entries(scores).map(([name, x]) => `${name} ${x.toFixed(4)}`),
      ['previous 0.6500', 'induction 0.6500', 'duplicate 0.1500', 'sink 0.1500', 'self 0.1500', 'next 0.0000'],
    );
    assert.equal(repeats, 2);
    assert.ok(kind === 'induction' || kind === 'previous');
  });
});
