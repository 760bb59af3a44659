// Folders that a person may choose by mistake, and weights that are no numbers: each is named in words that say what to do.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createModelServer, diskFolder, modelKernels, openCheckpoint, pickedFiles, runText, tokenizerIn, type FromModel, type ModelQuestion, type TextRun } from '../../engine/checkpoint'; // prettier-ignore
import { explainModel } from '../../engine/cli/model';
import { fail } from '../../engine/text';
import { root } from '../host/paths';
import { folderIn, jsonBytes } from './checkpoint-support';

const shipped = (name: string): Uint8Array => new Uint8Array(readFileSync(join(root, 'extension/models', name)));
const config = { model_type: 'gpt2', n_embd: 64, n_head: 4, n_layer: 2, n_positions: 256, vocab_size: 77, n_inner: 256, activation_function: 'gelu' }; // prettier-ignore
const tokenizer = JSON.parse(Buffer.from(shipped('characters-1.tokenizer.json')).toString()) as { model: object };
const whole = {
  'config.json': jsonBytes(config),
  'model.safetensors': shipped('characters-1.safetensors'),
  'tokenizer.json': shipped('characters-1.tokenizer.json'),
};
type Files = Readonly<Record<string, Uint8Array>>;
const none = () => Promise.resolve(fail({ code: 'none', message: 'none' }));
const pointer = new TextEncoder().encode(`version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a'.repeat(16)}\nsize 12345\n`); // prettier-ignore

/** What is said of a folder, with hints in brackets. */
async function said(files: Files): Promise<string> {
  const opened = await openCheckpoint(folderIn(files));
  return opened.ok ? 'opened' : opened.problems.map(({ message, hint }) => (hint ? `${message} (${hint})` : message)).join('; '); // prettier-ignore
}

const without = (...names: readonly string[]): Files =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)));

describe('a folder that was chosen by mistake', () => {
  it('is told from a model: a cache, an adapter, shards without their index, other formats', async () => {
    const commit = '607a30d783dfa663caf39e06633721c8d4cfcd7e';
    const refs = { 'refs/main': new TextEncoder().encode(`${commit}\n`) };
    assert.equal(await said(refs), `config.json is not in the folder (This is a folder of Hugging Face’s cache: choose snapshots/${commit} in it.)`); // prettier-ignore
    const other = { 'refs/main': new TextEncoder().encode('../elsewhere') };
    assert.equal(await said(other), 'config.json is not in the folder (Choose the folder that has config.json and model.safetensors.)'); // prettier-ignore
    const adapter = { 'adapter_config.json': jsonBytes({ peft_type: 'LORA' }) };
    assert.equal(await said(adapter), 'config.json is not in the folder (The folder has an adapter (adapter_config.json), which is not read alone: merge it into its model (merge_and_unload) and save that.)'); // prettier-ignore
    const shards = { ...without('model.safetensors'), 'model-00001-of-00002.safetensors': whole['model.safetensors'] };
    assert.equal(await said(shards), 'neither model.safetensors nor model.safetensors.index.json is in the folder (Shards are read by their index; of other formats (GGUF, .bin, .pt) none is read.)'); // prettier-ignore
  });

  it('has pointers of Git LFS in place of its files', async () => {
    for (const name of ['config.json', 'model.safetensors', 'model.safetensors.index.json'])
      assert.equal(await said({ ...whole, [name]: pointer }), `${name} is a pointer of Git LFS, not the file itself: run git lfs pull in its repository`); // prettier-ignore
    const opened = await openCheckpoint(folderIn(whole));
    assert.ok(opened.ok);
    await assert.rejects(tokenizerIn(folderIn({ ...whole, 'tokenizer.json': pointer }), opened.value, none), /^Error: tokenizer\.json is a pointer of Git LFS/); // prettier-ignore
    // A file that is as small and begins otherwise is read.
    assert.match(await said({ ...whole, 'config.json': jsonBytes({ version: 'https' }) }), /^config\.json has no model_type/); // prettier-ignore
  });

  it('is read on the disk where a file stands in the place of a folder', async () => {
    const place = mkdtempSync(join(tmpdir(), 'model-mistaken-'));
    writeFileSync(join(place, 'refs'), '');
    const folder = diskFolder({ open, stat }, place);
    const opened = await openCheckpoint(folder);
    await folder.close();
    rmSync(place, { recursive: true });
    assert.ok(!opened.ok);
    assert.equal(opened.problems[0]?.message, 'config.json is not in the folder');
  });

  it('has files that were changed since they were chosen in a page', async () => {
    const refused = Object.assign(new Error('The requested file could not be read'), { name: 'NotReadableError' });
    const files = Object.entries(whole).map(([name, bytes]) => ({
      name,
      size: bytes.length,
      slice: (start: number, end: number) => ({
        arrayBuffer: () => (name === 'config.json' ? Promise.resolve(bytes.slice(start, end).buffer as ArrayBuffer) : Promise.reject(refused)), // prettier-ignore
      }),
    }));
    const opened = await openCheckpoint(pickedFiles(files));
    assert.ok(!opened.ok);
    assert.equal(opened.problems[0]?.message, 'model.safetensors cannot be read: it was changed or moved since it was chosen'); // prettier-ignore
  });
});

describe('a folder whose tokenizer is not read', function () {
  this.timeout(30_000);

  const bad: Readonly<Record<string, readonly [Uint8Array, RegExp]>> = {
    'of an unknown kind': [jsonBytes({ ...tokenizer, model: { type: 'Foo', vocab: {} } }), /^tokenizer\.json: model: Foo is not supported$/],
    'cut off': [whole['tokenizer.json'].slice(0, 200), /^tokenizer\.json: no JSON: /],
    'empty': [new Uint8Array(), /^tokenizer\.json: no JSON: /],
    'a list': [jsonBytes([]), /^tokenizer\.json: file: a list of 0, expected an object$/],
    'a pointer': [pointer, /^tokenizer\.json is a pointer of Git LFS/],
  }; // prettier-ignore
  for (const [what, [bytes, words]] of Object.entries(bad))
    it(`still takes token ids, and says why: ${what}`, async () => {
      const replies: FromModel[] = [];
      const files = { ...folderIn({ ...whole, 'tokenizer.json': bytes }), close: () => Promise.resolve() };
      const answer = createModelServer({ folder: () => files, bundledGpt2: none, reply: (message) => void replies.push(message) }); // prettier-ignore
      const ask = async (question: ModelQuestion): Promise<FromModel | undefined> => {
        await answer({ id: 1, question });
        return replies.at(-1);
      };
      const opened = await ask({ kind: 'open', folder: 'x' });
      assert.ok(opened && 'opened' in opened);
      assert.equal(opened.opened.hasTokenizer, false);
      assert.equal(opened.opened.readsPairs, false);
      assert.match(opened.opened.notes.join('; '), words);
      const ran = await ask({ kind: 'run', asked: { text: '', ids: '28, 3, 6' } });
      assert.ok(ran && 'ran' in ran);
      assert.deepEqual(ran.ran.first.tokens, ['#28', '#3', '#6']);
      const text = await ask({ kind: 'run', asked: { text: 'Zadok' } });
      assert.ok(text && 'problems' in text);
      assert.match(text.problems[0]?.message ?? '', what === 'a pointer' ? /Git LFS/ : words);
    });

  it('is said to have none where there is none', async () => {
    const replies: FromModel[] = [];
    const files = { ...folderIn(without('tokenizer.json')), close: () => Promise.resolve() };
    const answer = createModelServer({ folder: () => files, bundledGpt2: none, reply: (message) => void replies.push(message) }); // prettier-ignore
    await answer({ id: 1, question: { kind: 'open', folder: 'x' } });
    const [opened] = replies;
    assert.ok(opened && 'opened' in opened);
    assert.deepEqual(opened.opened.notes, ['tokenizer.json is not in the folder']);
  });
});

describe('weights that are no numbers', function () {
  this.timeout(30_000);

  /** The folder with numbers of a tensor (float16) replaced. */
  function spoilt(name: string, half: number, count: number, at = 0): Files {
    const file = whole['model.safetensors'].slice();
    const view = new DataView(file.buffer, file.byteOffset, file.length);
    const length = Number(view.getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length))) as Record<string, { data_offsets: [number, number] }>; // prettier-ignore
    const from = 8 + length + (header[name]?.data_offsets[0] ?? NaN);
    for (let i = 0; i < count; i++) view.setUint16(from + 2 * (at + i), half, true);
    return { ...whole, 'model.safetensors': file };
  }

  async function ran(files: Files): Promise<TextRun> {
    const folder = folderIn(files);
    const opened = await openCheckpoint(folder);
    assert.ok(opened.ok);
    const run = await runText(opened.value, await tokenizerIn(folder, opened.value, none), { text: 'Zadok met Hur; Zadok met' }, { kernels: modelKernels() }); // prettier-ignore
    assert.ok(run.ok);
    return run.value;
  }

  const [nan, infinity, largest] = [0x7e00, 0x7c00, 0x7bff];

  it('are named with their tensor and the layer, and no token is called the next', async () => {
    for (const [name, half, layer] of [['h.1.mlp.c_fc.weight', nan, 1], ['h.0.attn.c_attn.bias', infinity, 0], ['h.1.ln_1.weight', nan, 1]] as const) {
      const run = await ran(spoilt(name, half, 1));
      assert.equal(run.notFinite, `numbers are NaN or infinite from layer ${layer} on: so is a number of ${name}`);
      assert.deepEqual(run.predictions, []);
    }
    assert.equal((await ran(spoilt('wte.weight', nan, 77 * 64))).notFinite, 'numbers are NaN or infinite from the embedded tokens on: so is a number of wte.weight');
    // The table's row of a token that the text does not have: it is read for the scores alone.
    const unread = await ran(spoilt('wte.weight', nan, 1, 76 * 64));
    assert.equal(unread.notFinite, 'scores of the vocabulary are NaN or infinite');
    assert.deepEqual(unread.predictions, []);
    assert.ok(unread.heads.every(({ hasNaN, scored }) => !hasNaN && scored));
    const last = await ran(spoilt('ln_f.weight', nan, 1));
    assert.equal(last.notFinite, 'scores of the vocabulary are NaN or infinite');
    assert.deepEqual(last.predictions, []);
  }); // prettier-ignore

  it('leave heads that were computed before as they are, and are said of the others', async () => {
    const before = (await ran(whole)).heads;
    const { heads } = await ran(spoilt('h.1.ln_1.weight', nan, 1));
    assert.deepEqual(heads.slice(0, 4), before.slice(0, 4));
    for (const { layer, hasNaN, scored } of heads.slice(4)) assert.deepEqual([layer, hasNaN, scored], [1, true, undefined]); // prettier-ignore
    assert.ok(before.every(({ hasNaN }) => !hasNaN));
  });

  it('are none where they are large', async () => {
    const run = await ran(spoilt('h.0.mlp.c_fc.weight', largest, 64));
    assert.equal(run.notFinite, undefined);
    assert.equal(run.predictions.length, 5);
  });

  it('are printed as such by the terminal', async () => {
    const place = mkdtempSync(join(tmpdir(), 'model-nan-'));
    mkdirSync(place, { recursive: true });
    for (const [name, bytes] of Object.entries(spoilt('wte.weight', nan, 77 * 64))) writeFileSync(join(place, name), bytes); // prettier-ignore
    const { out, error, status } = await explainModel([place, '--text', 'Zadok met']);
    rmSync(place, { recursive: true });
    assert.equal(status, 0);
    assert.match(
      error,
      /^note: numbers are NaN or infinite from the embedded tokens on: so is a number of wte\.weight$/m,
    );
    assert.match(out, /^weights of 8 heads are NaN$/m);
    assert.doesNotMatch(out, /do none of this|next token|NaN %/);
  });
});
