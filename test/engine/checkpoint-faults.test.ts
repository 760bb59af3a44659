// Folders of models that are damaged, hostile or change while they are read: each is named, nothing throws, nothing hangs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { diskFolder, openCheckpoint, runForward } from '../../engine/checkpoint';
import { wasmKernels } from '../../engine/run';
import { folderIn, jsonBytes, ruled, safetensorsOf } from './checkpoint-support';

const config = {
  model_type: 'gpt2', n_embd: 4, n_head: 2, n_layer: 1, n_positions: 8, vocab_size: 6, activation_function: 'gelu_new',
}; // prettier-ignore

const shapes: Readonly<Record<string, readonly number[]>> = {
  'wte.weight': [6, 4], 'wpe.weight': [8, 4], 'h.0.ln_1.weight': [4], 'h.0.ln_1.bias': [4], 'h.0.attn.c_attn.weight': [4, 12], 'h.0.attn.c_attn.bias': [12],
  'h.0.attn.c_proj.weight': [4, 4], 'h.0.attn.c_proj.bias': [4], 'h.0.ln_2.weight': [4], 'h.0.ln_2.bias': [4], 'h.0.mlp.c_fc.weight': [4, 16], 'h.0.mlp.c_fc.bias': [16],
  'h.0.mlp.c_proj.weight': [16, 4], 'h.0.mlp.c_proj.bias': [4], 'ln_f.weight': [4], 'ln_f.bias': [4],
}; // prettier-ignore

const tensorsOf = (names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => {
      const shape = shapes[name] ?? [];
      return [name, { dtype: 'float32' as const, shape, values: ruled(name, shape, 'float32', 1) }];
    }),
  );
const weights = safetensorsOf(tensorsOf(Object.keys(shapes)));
const [first, second] = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
const names = Object.keys(shapes);
const halves = [names.slice(0, 8), names.slice(8)] as const;
const sharded = {
  'config.json': jsonBytes(config),
  [first]: safetensorsOf(tensorsOf(halves[0])),
  [second]: safetensorsOf(tensorsOf(halves[1])),
  'model.safetensors.index.json': jsonBytes({
    weight_map: Object.fromEntries(names.map((name) => [name, halves[0].includes(name) ? first : second])),
  }),
};

type Files = Readonly<Record<string, Uint8Array>>;
const said = async (files: Files): Promise<string> => {
  const opened = await openCheckpoint(folderIn(files));
  return opened.ok ? 'opened' : opened.problems.map(({ message }) => message).join('; ');
};
const withConfig = (text: string): Files => ({ 'config.json': new TextEncoder().encode(text), 'model.safetensors': weights }); // prettier-ignore
const withFields = (fields: string): Files => withConfig(`${JSON.stringify(config).slice(0, -1)}, ${fields}}`);

/** A file with this header in front of `bytes` bytes. */
function withHeader(header: unknown, bytes: number): Files {
  const text = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const file = new Uint8Array(Buffer.concat([length, text, new Uint8Array(bytes)]));
  return { 'config.json': jsonBytes(config), 'model.safetensors': file };
}

describe('a folder of a model that is damaged or hostile', function () {
  this.timeout(60_000);

  it('opens where it is whole, in one file and in shards', async () => {
    assert.equal(await said({ 'config.json': jsonBytes(config), 'model.safetensors': weights }), 'opened');
    assert.equal(await said(sharded), 'opened');
  });

  it('names a shard that is missing, cut off, or has tensors that the index puts elsewhere', async () => {
    const { [second]: _, ...one } = sharded;
    assert.equal(await said(one), `${second} is not in the folder; model.safetensors.index.json names it`);
    const cut = await said({ ...sharded, [second]: sharded[second]?.slice(0, -5) ?? new Uint8Array() });
    assert.match(cut, /^model-00002-of-00002\.safetensors: byte \d+: the file ends, .* 5 bytes are missing$/);
    assert.match(await said({ ...sharded, [second]: sharded[second]?.slice(0, 5) ?? new Uint8Array() }), /^model-00002-of-00002\.safetensors: byte 5: the file ends/); // prettier-ignore
    assert.match(await said({ ...sharded, [second]: new Uint8Array() }), /^model-00002-of-00002\.safetensors: byte 0: the file ends/); // prettier-ignore
    const swapped = { ...sharded, [first]: sharded[second] ?? weights, [second]: sharded[first] ?? weights };
    assert.match(await said(swapped), /^wte\.weight should be in model-00001-of-00002\.safetensors, which does not have it$/); // prettier-ignore
  });

  it('names offsets that overlap, leave a gap, go backwards or beyond the end', async () => {
    const header = (b: readonly [number, number], a: readonly [number, number] = [0, 8]) => ({ a: { dtype: 'F32', shape: [2], data_offsets: a }, b: { dtype: 'F32', shape: [2], data_offsets: b } }); // prettier-ignore
    assert.match(await said(withHeader(header([4, 12]), 12)), /model\.safetensors: byte \d+: b begins before a ends/);
    assert.match(await said(withHeader(header([12, 20]), 20)), /4 bytes between a and b belong to no tensor/);
    assert.match(await said(withHeader(header([16, 8]), 16)), /b: data_offsets 16 to 8 end before they begin/);
    assert.match(await said(withHeader(header([8, 16]), 12)), /the file ends, b needs bytes up to/);
    assert.match(await said(withHeader(header([8, 16]), 20)), /4 bytes after b belong to no tensor/);
    assert.match(await said(withHeader(header([-8, 0]), 20)), /b: data_offsets should be two whole numbers from 0/);
    assert.match(await said(withHeader(header([8, 1e300]), 16)), /b: data_offsets should be two whole numbers from 0/);
    assert.match(await said(withHeader(header([8, 16], [0, 9]), 16)), /a: F32 2 needs 8 bytes, data_offsets give 9/);
  });

  it('names a header that promises more than there is, and shapes whose product is no number', async () => {
    const file = weights.slice();
    new DataView(file.buffer).setBigUint64(0, 2n ** 63n, true);
    const long = { 'config.json': jsonBytes(config), 'model.safetensors': file };
    assert.match(await said(long), /the header would have 9223372036854776000 bytes, the limit is 25000000/);
    const huge = { dtype: 'F32', shape: [9007199254740991, 9007199254740991], data_offsets: [0, 8] };
    assert.match(await said(withHeader({ a: huge }, 8)), /a: shape .* has too many numbers/);
  });

  it('names keys that stand twice: the last one would win in silence', async () => {
    assert.equal(await said(withFields('"n_head": 1')), 'config.json: n_head stands there twice');
    const entry = '{"dtype":"F32","shape":[2],"data_offsets":[0,8]}';
    assert.match(await said(withHeader(`{"a":${entry},"a":${entry}}`, 8)), /a stands in the header twice/);
    const index = new TextEncoder().encode(`{"weight_map": {"a": "${first}", "a": "${second}"}}`);
    assert.equal(await said({ ...sharded, 'model.safetensors.index.json': index }), 'model.safetensors.index.json: a stands there twice'); // prettier-ignore
  });

  it('takes names of Object.prototype for names like others', async () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      assert.match(await said(withConfig(JSON.stringify({ ...config, model_type: name }))), new RegExp(`models of type ${name} are not known here`)); // prettier-ignore
      assert.match(await said(withConfig(JSON.stringify({ ...config, activation_function: name }))), new RegExp(`the activation ${name} is not known here`)); // prettier-ignore
    }
    const llama = JSON.stringify({ model_type: 'llama', hidden_size: 4, num_attention_heads: 2, num_hidden_layers: 1, intermediate_size: 4, vocab_size: 6, rope_scaling: { type: 'constructor', factor: 2 } }); // prettier-ignore
    assert.match(await said(withConfig(llama)), /rope_scaling constructor is not known here/);
    assert.equal(await said(withFields('"__proto__": {"n_layer": 7}')), 'opened');
    const own = await said({
      'config.json': jsonBytes({ ...config, n_head: undefined }),
      'model.safetensors': weights,
    });
    assert.equal(own, 'config.json has no n_head');
    assert.match(await said(withConfig('{"__proto__": {"model_type": "gpt2"}}')), /config\.json has no model_type/);
  });

  it('names what is nested without an end, and numbers that are none', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const objects = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
    for (const nested of [deep, objects]) {
      assert.match(await said(withConfig(nested)), /^config\.json/);
      assert.match(await said(withFields(`"n_layer_": ${nested}`)), /^opened$|^config\.json/);
      assert.match(await said(withConfig(JSON.stringify({ ...config, n_head: 'X' }).replace('"X"', nested))), /^config\.json/); // prettier-ignore
      assert.match(await said(withHeader(`{"a":${nested}}`, 0)), /^model\.safetensors: /);
      assert.match(await said({ ...sharded, 'model.safetensors.index.json': new TextEncoder().encode(`{"weight_map":${nested}}`) }), /^model\.safetensors\.index\.json/); // prettier-ignore
    }
    for (const [number, what] of [['1e400', 'null'], ['123456789012345678901234567890', '1.2345678901234568e+29'], ['-0', '0'], ['0.1', '0.1']] as const)
      assert.equal(await said(withConfig(JSON.stringify({ ...config, n_head: 'X' }).replace('"X"', number))), `config.json: n_head is ${what}, expected a whole number from 1 to 16777216`); // prettier-ignore
    assert.match(await said(withConfig(JSON.stringify(config).replace('"gpt2"', '"\xff"'))), /models of type ÿ/);
    const files = withConfig(JSON.stringify(config));
    files['config.json']?.set([0xff], 3);
    assert.match(await said(files), /config\.json is no JSON: .*/);
  });

  it('says in which layer numbers stop being numbers: NaN and infinity in weights', async () => {
    for (const [name, value] of [
      ['h.0.mlp.c_fc.weight', NaN],
      ['h.0.attn.c_attn.bias', Infinity],
      ['wpe.weight', NaN],
    ] as const) {
      const tensors = tensorsOf(names);
      tensors[name]?.values.set([value], 1);
      const opened = await openCheckpoint(folderIn({ 'config.json': jsonBytes(config), 'model.safetensors': safetensorsOf(tensors) })); // prettier-ignore
      assert.ok(opened.ok);
      const result = await runForward(opened.value.architecture, opened.value.weights, [1, 2], { kernels: wasmKernels(), onAttention: () => undefined }); // prettier-ignore
      assert.ok(result.ok);
      const at = name === 'wpe.weight' ? 'embedding' : { stack: 'layers', layer: 0 };
      assert.deepEqual(result.value.notFinite, { at, tensor: name });
    }
  });

  it('never throws, whichever byte of a file is another', async () => {
    const files = [{ 'config.json': jsonBytes(config), 'model.safetensors': weights }, sharded] as const;
    const places = files.flatMap((own) => Object.keys(own).map((name) => ({ own, name })));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.array(fc.tuple(fc.nat(1500), fc.nat(255)), { minLength: 1, maxLength: 4 }), fc.nat(3), async ({ own, name }, changes, cut) => {
        const bytes = own[name as keyof typeof own].slice();
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        await said({ ...own, [name]: cut === 0 ? bytes.slice(0, changes[0]?.[0]) : bytes });
      }),
      { numRuns: 500 },
    ); // prettier-ignore
  });
});

describe('a folder on the disk', function () {
  this.timeout(60_000);
  let place = '';
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'model-faults-'));
    writeFileSync(join(place, 'config.json'), jsonBytes(config));
    writeFileSync(join(place, 'model.safetensors'), weights);
  });
  afterEach(() => rmSync(place, { recursive: true }));

  it('is named when a file of it was written while it is read, even in the same length', async () => {
    const folder = diskFolder({ open, stat }, place);
    const opened = await openCheckpoint(folder);
    assert.ok(opened.ok);
    let layers = 0;
    const result = await runForward(opened.value.architecture, opened.value.weights, [1, 2], {
      kernels: wasmKernels(),
      onAttention() {
        layers++;
        writeFileSync(join(place, 'model.safetensors'), weights.map((byte, i) => (i < weights.length - 9 ? byte : 0))); // prettier-ignore
      },
    });
    await folder.close();
    assert.equal(layers, 1);
    assert.ok(!result.ok);
    assert.equal(
      result.problems[0]?.message,
      'model.safetensors cannot be read: the file was changed while it was read',
    );
  });

  it('is named when it was written between its headers and its tensors, and when it is gone', async () => {
    const folder = diskFolder({ open, stat }, place);
    let opens = 0;
    const changing = {
      async open(name: string) {
        const source = await folder.open(name);
        // The first time it is only asked whether it is there.
        if (name === 'model.safetensors' && ++opens === 2) writeFileSync(join(place, name), weights.slice(0, 100));
        return source;
      },
    };
    const opened = await openCheckpoint(changing);
    assert.ok(!opened.ok);
    assert.match(opened.problems[0]?.message ?? '', /^model\.safetensors cannot be read: the file was changed/);
    await folder.close();
    rmSync(join(place, 'model.safetensors'));
    const gone = diskFolder({ open, stat }, place);
    const refused = await openCheckpoint(gone);
    assert.ok(!refused.ok && /neither model\.safetensors nor/.test(refused.problems[0]?.message ?? ''));
    await gone.close();
  });

  it('does not wait for a pipe that nobody writes, and names a folder in place of a file', async function () {
    rmSync(join(place, 'config.json'));
    if (spawnSync('mkfifo', [join(place, 'config.json')]).status !== 0) this.skip();
    const folder = diskFolder({ open, stat }, place);
    const opened = await openCheckpoint(folder);
    assert.ok(!opened.ok);
    assert.equal(opened.problems[0]?.message, 'config.json cannot be read: config.json is no file');
    rmSync(join(place, 'config.json'));
    mkdirSync(join(place, 'config.json'));
    const again = await openCheckpoint(folder);
    assert.ok(!again.ok);
    assert.equal(again.problems[0]?.message, 'config.json cannot be read: config.json is no file');
    await folder.close();
  });
});
