// `explain-attention model`: a model from a folder in the terminal. The folder holds the extension's own character model, whose heads are known.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainModel } from '../../engine/cli/model';
import { explainAttention, validateSpec } from '../../engine/index';

const shipped = join(__dirname, '../../extension/models');
const config = { model_type: 'gpt2', n_embd: 64, n_head: 4, n_layer: 2, n_positions: 256, vocab_size: 77, n_inner: 256, activation_function: 'gelu' }; // prettier-ignore

interface Listed {
  readonly tokens: readonly string[];
  readonly heads: readonly { readonly layer: number; readonly head: number; readonly kind: string }[];
  readonly next: readonly { readonly token: string; readonly probability: number }[];
}

describe('the terminal’s model', function () {
  this.timeout(30_000);
  const folder = mkdtempSync(join(tmpdir(), 'model-'));
  const text = 'Zadok met Hur; Zadok met';
  before(() => {
    copyFileSync(join(shipped, 'characters-1.safetensors'), join(folder, 'model.safetensors'));
    copyFileSync(join(shipped, 'characters-1.tokenizer.json'), join(folder, 'tokenizer.json'));
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('names the heads that the model’s card names, from one text', async () => {
    const { status, out, error } = await explainModel([folder, '--text', text, '--json']);
    assert.equal(error, '');
    assert.equal(status, 0);
    const { tokens, heads, next } = JSON.parse(out) as Listed;
    assert.equal(tokens.length, text.length + 1);
    const card = JSON.parse(readFileSync(join(shipped, 'characters-1.card.json'), 'utf8')) as {
      files: readonly Listed[];
    };
    const induction = card.files[0]?.heads.filter(({ kind }) => kind === 'induction') ?? [];
    assert.ok(induction.length > 0);
    for (const { layer, head } of induction)
      assert.equal(
        heads.find((one) => one.layer === layer && one.head === head)?.kind,
        'induction',
        `${layer}.${head}`,
      );
    // The text was "Zadok met Hur": after the second "met" comes a blank.
    assert.equal(next[0]?.token, '·');
  });

  it('explains a head down to a cell, and writes it as a spec that gives the same', async () => {
    const file = join(folder, 'head.json');
    const { status, out } = await explainModel([
      folder,
      '--text',
      text,
      '--layer',
      '1',
      '--head',
      '2',
      '--cell',
      'weights[5,0]',
      '--spec',
      file,
    ]);
    assert.equal(status, 0);
    assert.match(out, /^weights\[5,0\] = 0\.\d{4}\n {2}row maximum/);
    const spec = validateSpec(JSON.parse(readFileSync(file, 'utf8')));
    assert.ok(spec.ok);
    const trace = explainAttention(spec.value);
    assert.ok(trace.ok);
    const tile = trace.value.read('weights', { batch: 0, head: 0, rows: [5, 6], columns: [0, 1] });
    assert.ok(out.startsWith(`weights[5,0] = ${(tile.min[0] as number).toFixed(4)}\n`));
  });

  it('refuses in words: a folder, options, a layer, a text that is too long', async () => {
    const said = async (...words: string[]) => {
      const { status, error } = await explainModel(words);
      return `${status} ${error.split('\n')[0]}`;
    };
    assert.equal(await said('none', '--text', 'a'), '2 explain-attention model: none is no folder');
    assert.equal(await said(folder), '2 explain-attention model: --text is missing');
    assert.equal(
      await said(folder, '--text', 'a', '--layer', '1'),
      '2 explain-attention model: --layer and --head belong together',
    );
    assert.match(await said(folder, '--text', 'abc', '--layer', '7', '--head', '0'), /^1 .*no layer 7; the last is 1/);
    assert.match(await said(folder, '--text', 'abc', '--layer', '1', '--head', '4'), /^1 .*no head 4; the last is 3/);
    assert.match(
      await said(folder, '--text', 'a'.repeat(300)),
      /^1 .*the text has 301 tokens, the model reads at most 256/,
    );
    assert.match(await said(folder, '--ids', '1,x'), /^1 .*--ids 1,x: expected whole numbers/);
    assert.ok(!existsSync(join(folder, 'undefined')));
  });
});
