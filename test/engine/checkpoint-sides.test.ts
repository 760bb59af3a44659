// Two runs beside each other, pairs of sentences, small pictures, how far the kernels are from float64, and files that were chosen in a page.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createModelServer,
  diskFolder,
  pickedFiles,
  pictureOf,
  scoreHead,
  type FromModel,
  type ModelPlace,
  type ModelQuestion,
  type ModelReply,
} from '../../engine/checkpoint';
import { fail } from '../../engine/text';

const shipped = join(__dirname, '../../extension/models');
const config = { model_type: 'gpt2', n_embd: 64, n_head: 4, n_layer: 2, n_positions: 256, vocab_size: 77, n_inner: 256, activation_function: 'gelu' }; // prettier-ignore

/** All that were opened, to be closed at the end. */
const folders: { close(): Promise<void> }[] = [];

/** A server of models, asked as the editor asks it; `told` has what came before the replies. */
function server() {
  const told: FromModel[] = [];
  const folderAt = (place: ModelPlace) =>
    typeof place === 'string' ? diskFolder({ open, stat }, place) : pickedFiles(place);
  const answer = createModelServer({
    folder(place) {
      const made = folderAt(place);
      folders.push(made);
      return made;
    },
    bundledGpt2: () => Promise.resolve(fail({ code: 'test', message: 'none' })),
    reply: (message) => void told.push(message),
  });
  let id = 0;
  const ask = async (question: ModelQuestion): Promise<ModelReply> => {
    id++;
    await answer({ id, question });
    const last = told.at(-1);
    if (!last || 'progress' in last || 'read' in last || 'heads' in last) assert.fail('no reply');
    if ('problems' in last) assert.fail(last.problems.map(({ message }) => message).join('\n'));
    return last;
  };
  const refusal = async (question: ModelQuestion): Promise<string> => {
    await answer({ id: ++id, question });
    const last = told.at(-1);
    return last && 'problems' in last ? last.problems.map(({ message }) => message).join('\n') : 'accepted';
  };
  return { ask, refusal, told };
}

describe('a model’s server', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'sides-'));
  const files = ['model.safetensors', 'tokenizer.json', 'config.json'];
  before(() => {
    copyFileSync(join(shipped, 'characters-1.safetensors'), join(folder, 'model.safetensors'));
    copyFileSync(join(shipped, 'characters-1.tokenizer.json'), join(folder, 'tokenizer.json'));
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  });
  after(async () => {
    await Promise.all(folders.map((one) => one.close()));
    rmSync(folder, { recursive: true });
  });
  const opened = async (place: ModelPlace = folder) => {
    const made = server();
    await made.ask({ kind: 'open', folder: place });
    return made;
  };

  it('tells the tokens before any head, and the first layer before the second is computed', async () => {
    const { ask, told } = await opened();
    await ask({ kind: 'run', asked: { text: 'Zadok met Hur; Zadok met' } });
    const kinds = told.map((one) => ('read' in one ? 'read' : 'heads' in one ? `layer ${one.heads[0]?.layer}` : 'progress' in one ? `${one.progress}` : 'reply')); // prettier-ignore
    assert.deepEqual(kinds, ['reply', 'read', '0', 'layer 0', '0.5', 'layer 1', '1', 'reply']);
  });

  it('compares two texts cell by cell, where both have the same number of tokens', async () => {
    const { ask } = await opened();
    await ask({ kind: 'open', folder, side: 'second' });
    const run = (text: string, side: 'first' | 'second') => ask({ kind: 'run', asked: { text }, side });
    await run('Zadok met Hur; Zadok met', 'first');
    await run('Zadok met Hur; Zadok met', 'second');
    const same = await ask({ kind: 'compare' });
    assert.ok('compared' in same && same.compared.length === 8);
    assert.ok(same.compared.every(({ difference }) => difference?.largest === 0));
    await run('Zadok met Hur; Zadok mat', 'second');
    const other = await ask({ kind: 'compare' });
    assert.ok('compared' in other);
    // The model is causal: rows before the changed character, the 24th of 25 tokens, are the same.
    for (const { difference } of other.compared) assert.ok(difference && difference.row >= 23 && difference.largest !== 0); // prettier-ignore
    const [one] = other.compared;
    const head = async (side: 'first' | 'second') => {
      const reply = await ask({ kind: 'head', place: { stack: 'layers', layer: 0, head: 0 }, side });
      return 'head' in reply ? weightsOf(reply.head.q, reply.head.k, 16) : [];
    };
    const [a, b] = [await head('first'), await head('second')];
    const at = (one?.difference?.row ?? 0) * 25 + (one?.difference?.column ?? 0);
    assert.ok(Math.abs((b[at] ?? 0) - (a[at] ?? 0) - (one?.difference?.largest ?? 0)) < 1e-5);
    assert.ok(a.every((x, i) => Math.abs((b[i] ?? 0) - x) <= Math.abs(one?.difference?.largest ?? 0) + 1e-5));
    await run('Zadok', 'second');
    const shorter = await ask({ kind: 'compare' });
    assert.ok('compared' in shorter && shorter.compared.every(({ difference }) => difference === undefined));
  });

  it('measures the kernels against float64: float32 sums of 64 terms are apart, and not far', async () => {
    const { ask } = await opened();
    await ask({ kind: 'run', asked: { text: 'Zadok met Hur' } });
    const reply = await ask({ kind: 'measure' });
    assert.ok('measured' in reply);
    const { tokens, weights, logits } = reply.measured;
    assert.equal(tokens, 8);
    assert.ok(weights > 0 && weights < 1e-5, String(weights));
    assert.ok(logits !== undefined && logits > 0 && logits < 1e-5, String(logits));
  });

  it('reads files that were chosen in a page as it reads a folder, and names one that is not there', async () => {
    const chosen = files.map((name) => new File([readFileSync(join(folder, name))], name));
    const { ask } = await opened(chosen);
    const inPage = await ask({ kind: 'run', asked: { text: 'Zadok met' } });
    const onDisk = await (await opened()).ask({ kind: 'run', asked: { text: 'Zadok met' } });
    assert.ok('ran' in inPage && 'ran' in onDisk);
    assert.deepEqual(inPage.ran, onDisk.ran);
    const missing = await server().refusal({ kind: 'open', folder: chosen.slice(1) });
    assert.match(missing, /neither model\.safetensors nor model\.safetensors\.index\.json is in the folder/);
  });

  it('refuses a pair where the model reads one text, and a comparison of one run', async () => {
    const { refusal } = await opened();
    assert.match(await refusal({ kind: 'run', asked: { text: 'a', second: 'b' } }), /gpt2 reads one text, not a pair/);
    assert.match(await refusal({ kind: 'compare' }), /no model is open/);
  });

  it('joins a pair as BERT and RoBERTa were trained: [CLS] a [SEP] b [SEP], and <s> a </s></s> b </s>', async () => {
    for (const [kind, specials, tokens, types] of pairs) {
      const place = mkdtempSync(join(tmpdir(), 'pair-'));
      writeFileSync(join(place, 'tokenizer.json'), JSON.stringify(tokenizerWith(specials)));
      writeModel(place, kind);
      const { ask } = await opened(place);
      const ran = await ask({ kind: 'run', asked: { text: 'a b', second: 'c' } });
      assert.ok('ran' in ran);
      assert.deepEqual(ran.ran.first.tokens, tokens);
      // Rows of types that differ by one in the first column alone show which token got which: a pair of the same tokens with types all 0 is another.
      const reply = await ask({ kind: 'head', place: { stack: 'layers', layer: 0, head: 0 } });
      assert.ok('head' in reply);
      const marks = Array.from({ length: tokens.length }, (_, i) => Math.round(reply.head.v[i * 2] ?? NaN));
      assert.deepEqual(marks, types);
      rmSync(place, { recursive: true });
    }
  });
});

/** softmax(q·kᵀ/√d) with a causal mask, in float64 and written from the definition. */
function weightsOf(q: Float32Array, k: Float32Array, d: number): number[] {
  const n = q.length / d;
  const rows = Array.from({ length: n }, (_, i) => {
    const dot = (j: number): number => Array.from({ length: d }, (_, t) => (q[i * d + t] ?? 0) * (k[j * d + t] ?? 0)).reduce((a, b) => a + b, 0); // prettier-ignore
    const scores = Array.from({ length: n }, (_, j) => (j > i ? -Infinity : dot(j) / Math.sqrt(d)));
    const exps = scores.map((s) => Math.exp(s - Math.max(...scores)));
    return exps.map((e) => e / exps.reduce((a, b) => a + b, 0));
  });
  return rows.flat();
}

const pairs = [
  ['bert', ['[CLS]', '[SEP]'], ['[CLS]', 'a', 'b', '[SEP]', 'c', '[SEP]'], [0, 0, 0, 0, 1, 1]],
  ['roberta', ['<s>', '</s>'], ['<s>', 'a', 'b', '</s>', '</s>', 'c', '</s>'], [0, 0, 0, 0, 0, 0, 0]],
] as const;

const tokenizerWith = ([first, last]: readonly [string, string]) => ({
  version: '1.0',
  added_tokens: [first, last].map((content, id) => ({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true })), // prettier-ignore
  normalizer: null,
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: { type: 'BertProcessing', sep: [last, 1], cls: [first, 0] },
  decoder: null,
  model: { type: 'WordLevel', vocab: { [first]: 0, [last]: 1, a: 2, b: 3, c: 4, '[UNK]': 5 }, unk_token: '[UNK]' },
});

/**
 * One layer of two columns whose words are all (−1, 1): the norm of the embeddings makes (−1, 1) of type 0 and (1, −1) of type 1, and V = (x + 1) / 2 reads the
 * type in the first column.
 */
function writeModel(folder: string, kind: string): void {
  const root = `${kind}.`;
  const at = `${root}encoder.layer.0`;
  const zeros = (n: number): number[] => Array<number>(n).fill(0);
  const tensors: Record<string, readonly [readonly number[], readonly number[]]> = {
    [`${root}embeddings.word_embeddings.weight`]: [[6, 2], Array.from({ length: 6 }, () => [-1, 1]).flat()],
    [`${root}embeddings.position_embeddings.weight`]: [[32, 2], zeros(64)],
    [`${root}embeddings.token_type_embeddings.weight`]: [[2, 2], [0, 0, 4, -4]],
    [`${root}embeddings.LayerNorm.weight`]: [[2], [1, 1]],
    [`${root}embeddings.LayerNorm.bias`]: [[2], [0, 0]],
    ...Object.fromEntries(['attention.self.query', 'attention.self.key', 'attention.output.dense', 'intermediate.dense', 'output.dense'].flatMap((name) => [[`${at}.${name}.weight`, [[2, 2], zeros(4)] as const], [`${at}.${name}.bias`, [[2], [0, 0]] as const]])),
    [`${at}.attention.self.value.weight`]: [[2, 2], [0.5, 0, 0, 0.5]],
    [`${at}.attention.self.value.bias`]: [[2], [0.5, 0.5]],
    ...Object.fromEntries(['attention.output.LayerNorm', 'output.LayerNorm'].flatMap((name) => [[`${at}.${name}.weight`, [[2], [1, 1]] as const], [`${at}.${name}.bias`, [[2], [0, 0]] as const]])),
  }; // prettier-ignore
  const header: Record<string, unknown> = {};
  let end = 0;
  for (const [name, [shape, values]] of Object.entries(tensors)) {
    header[name] = { dtype: 'F32', shape, data_offsets: [end, end + 4 * values.length] };
    end += 4 * values.length;
  }
  const json = JSON.stringify(header);
  const head = new TextEncoder().encode(json + ' '.repeat((8 - (json.length % 8)) % 8));
  const size = new Uint8Array(new BigUint64Array([BigInt(head.length)]).buffer);
  const numbers = new Uint8Array(Float32Array.from(Object.values(tensors).flatMap(([, values]) => [...values])).buffer);
  writeFileSync(join(folder, 'model.safetensors'), Buffer.concat([size, head, numbers]));
  const own = { model_type: kind, hidden_size: 2, num_attention_heads: 1, num_hidden_layers: 1, intermediate_size: 2, vocab_size: 6, max_position_embeddings: 32, type_vocab_size: 2, pad_token_id: 1 }; // prettier-ignore
  writeFileSync(join(folder, 'config.json'), JSON.stringify(own));
}

describe('a small picture of a head', () => {
  it('has the cells themselves up to 64, then the largest of each block by magnitude, and NaN where one is', () => {
    const small = pictureOf([1, 2, 3, 4, 5, 6], 2, 3);
    assert.deepEqual([small.rows, small.columns, [...small.values]], [2, 3, [1, 2, 3, 4, 5, 6]]);
    const n = 100;
    const cells = new Float32Array(n * n);
    cells[0] = 0.25;
    cells[n + 1] = -0.5;
    cells[99 * n + 99] = NaN;
    const large = pictureOf(cells, n, n);
    assert.deepEqual([large.rows, large.columns], [50, 50]);
    assert.equal(large.values[0], -0.5);
    assert.ok(Number.isNaN(large.values[50 * 50 - 1]));
    assert.equal(large.values.filter((x) => x !== 0).length, 2);
  });

  it('names the cell that shows most what a head does', () => {
    // a b a b, each row on what followed the same token before.
    const weights = [1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.1, 0.8, 0.1, 0, 0, 0.05, 0.9, 0.05];
    const { kind, shows } = scoreHead(weights, [1, 2, 1, 2]);
    assert.equal(kind, 'induction');
    assert.deepEqual(shows, { row: 3, key: 2, weight: 0.9 });
  });
});
