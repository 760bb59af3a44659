// Models from a folder against the transformers library itself (test/reference/transformers_families.py): every family in its published layouts, and every field of
// config.json changed alone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Checkpoint, LayerAttention } from '../../engine/checkpoint';
import {
  floatsOf64,
  folderIn,
  jsonBytes,
  passOf,
  weightsOf,
  type Library,
  type LibraryCase,
  type LibraryField,
} from './checkpoint-support';

const library = JSON.parse(
  gunzipSync(readFileSync(join(__dirname, '../fixtures/checkpoints.json.gz'))).toString(),
) as Library;

interface Ran {
  readonly checkpoint: Checkpoint;
  readonly logits?: readonly Float32Array[];
  readonly attentions: readonly LayerAttention[];
}

/** The pass of a case with this config.json; a text where the folder is refused. */
async function run(one: LibraryCase, config: unknown): Promise<Ran | string> {
  const files = { 'config.json': jsonBytes(config), 'model.safetensors': weightsOf(one) };
  const pass = await passOf(folderIn(files), one);
  if (!pass.ok) return pass.problems.map(({ message }) => message).join('; ');
  const { checkpoint, attentions, result } = pass.value;
  return { checkpoint, ...(result.logits && { logits: result.logits }), attentions };
}

const joined = (rows: readonly Float32Array[]): Float32Array => Float32Array.from(rows.flatMap((row) => [...row]));

/** Largest distance, relative to the largest expected number. */
function apart(actual: ArrayLike<number>, expected: Float32Array): number {
  if (actual.length !== expected.length) return Infinity;
  const most = expected.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  return expected.reduce((worst, x, i) => Math.max(worst, Math.abs(x - (actual[i] as number))), 0) / most;
}

const isNear = (logits: number, weights: number): boolean => logits <= 1e-4 && weights <= 1e-5;

/** Logits and weights against those of the case; a model without a head on the vocabulary has weights alone. */
function distances({ logits, attentions }: Ran, one: LibraryCase): readonly [logits: number, weights: number] {
  const ofHeads = one.weights.map((expected, i) => apart(joined(attentions[i]?.weights ?? []), floatsOf64(expected)));
  return [one.logits === undefined ? 0 : apart(joined(logits ?? []), floatsOf64(one.logits)), Math.max(...ofHeads)];
}

/** The same of the last row, with a changed field. */
function distancesOfField({ logits = [], attentions }: Ran, one: LibraryCase, { last = '', weights = '' }: LibraryField): readonly [number, number] {
  const final = attentions.at(-1);
  const rows = final?.weights.map((own) => own.subarray((final.queries - 1) * final.keys)) ?? [];
  return [one.logits === undefined ? 0 : apart(logits.at(-1) ?? [], floatsOf64(last)), apart(joined(rows), floatsOf64(weights))];
} // prettier-ignore

const changed = ({ config }: LibraryCase, { field, value }: LibraryField): Record<string, unknown> => {
  const { [field]: _, ...rest } = config;
  return value === '(absent)' ? rest : { ...config, [field]: value };
};
const caseOf = ({ case: name }: LibraryField): LibraryCase => {
  const found = library.cases.find((one) => one.name === name);
  return found ?? assert.fail(name);
};
const nameOf = ({ case: name, field, value }: LibraryField): string => `${name} with ${field} ${JSON.stringify(value)}`;

describe('models from a folder and the transformers library', function () {
  this.timeout(120_000);

  it('has every family of the list', () => {
    const families = new Set(library.cases.map(({ config }) => config['model_type']));
    const listed = ['gpt2', 'gpt_neox', 'bert', 'distilbert', 'roberta', 'xlm-roberta', 'llama', 'smollm3', 'mistral', 'qwen2', 'qwen3', 'phi3', 'olmo2', 'gemma', 'gemma2', 'gemma3_text', 'gemma3', 'phi', 't5', 'mt5']; // prettier-ignore
    assert.deepEqual(listed.filter((one) => !families.has(one)), []); // prettier-ignore
    assert.ok(library.cases.length >= 60);
  });

  it('agree: logits within 1e-4, weights within 1e-5, with config.json as published and as transformers 5 saves it', async () => {
    const found: string[] = [];
    for (const one of library.cases)
      for (const [which, config] of [['published', one.config], ['saved', one.saved]] as const) {
        const ran = await run(one, config);
        if (typeof ran === 'string') found.push(`${one.name} ${which}: ${ran}`);
        else if (!isNear(...distances(ran, one))) found.push(`${one.name} ${which}: ${distances(ran, one).join(', ')}`);
      } // prettier-ignore
    assert.deepEqual(found, []);
  });

  it('leave no field of a published config.json unread', async () => {
    const found: string[] = [];
    for (const one of library.cases)
      for (const config of [one.config, one.saved]) {
        const ran = await run(one, config);
        if (typeof ran !== 'string' && ran.checkpoint.unread.fields.length > 0) found.push(`${one.name}: ${ran.checkpoint.unread.fields.join(', ')}`); // prettier-ignore
      }
    assert.deepEqual(found, []);
  });

  it('name no copy of a table as unread, and one that differs by its name', async () => {
    const [found, alone]: [string[], string[]] = [[], []];
    for (const one of library.cases.filter(({ copies }) => copies)) {
      const ran = await run(one, one.saved);
      if (typeof ran !== 'string' && ran.checkpoint.unread.tensors.length > 0) found.push(`${one.name}: ${ran.checkpoint.unread.tensors.join(', ')}`); // prettier-ignore
      // The same file, in which what was a copy has its own numbers.
      const other = await run({ ...one, copies: {} }, one.saved);
      if (typeof other !== 'string') alone.push(...other.checkpoint.unread.tensors);
    }
    assert.deepEqual(found, []);
    assert.ok(alone.includes('encoder.embed_tokens.weight'), alone.join());
  });

  it('agree where a field that changes the numbers has another value, or refuse it by its name', async () => {
    const fields = library.fields.filter(({ result }) => result === 'changed');
    assert.ok(fields.length > 150, `${fields.length}`);
    const found: string[] = [];
    let agreed = 0;
    for (const field of fields) {
      const one = caseOf(field);
      const ran = await run(one, changed(one, field));
      if (typeof ran === 'string') continue;
      if (isNear(...distancesOfField(ran, one, field))) agreed++;
      else found.push(nameOf(field));
    }
    assert.deepEqual(found, odd);
    assert.ok(agreed > 100, `${agreed}`);
  });

  it('keep the numbers where the library keeps them', async () => {
    const found: string[] = [];
    for (const field of library.fields.filter(({ result }) => result === 'same')) {
      const one = caseOf(field);
      const ran = await run(one, changed(one, field));
      if (typeof ran !== 'string' && !isNear(...distances(ran, one))) found.push(nameOf(field));
    }
    assert.deepEqual(found, sameThere);
  });

  it('name a field that the library does not read, or know that it does nothing', async () => {
    const llama = library.cases.find(({ name }) => name === 'llama') ?? assert.fail();
    const ran = await run(llama, { ...llama.config, attn_logit_softcapping: 2, clip_qkv: 8, rope_scaling: { type: 'linear', factor: 2, mrope_section: [1] }, 'a.b': { c: 1 } }); // prettier-ignore
    assert.ok(typeof ran !== 'string', String(ran));
    assert.deepEqual([...ran.checkpoint.unread.fields].sort(), ['a.b', 'attn_logit_softcapping', 'clip_qkv', 'rope_scaling.mrope_section']); // prettier-ignore
  });

  it('refuse kinds of layers and settings that are not built, by their name', async () => {
    const refused = async (name: string, fields: Readonly<Record<string, unknown>>): Promise<string> => {
      const one = library.cases.find((own) => own.name === name) ?? assert.fail(name);
      const ran = await run(one, { ...one.config, ...fields });
      return typeof ran === 'string' ? ran : 'ran';
    };
    const none = 'config.json: layer 0 has sliding_attention, and no sliding_window is on';
    const chunked = ['full_attention', 'chunked_attention'];
    assert.equal(await refused('gemma2', { layer_types: chunked }), 'layer_types chunked_attention is not built');
    assert.equal(await refused('gemma2', { layer_types: ['full_attention'] }), 'config.json: layer_types has nothing for layer 1'); // prettier-ignore
    assert.equal(
      await refused('gemma2', { sliding_window: null, layer_types: ['sliding_attention', 'full_attention'] }),
      none,
    );
    const both = { use_sliding_window: false, layer_types: ['sliding_attention', 'full_attention'] };
    assert.equal(await refused('qwen3', both), none);
    assert.equal(await refused('gemma3', { use_bidirectional_attention: true }), 'use_bidirectional_attention is not built'); // prettier-ignore
    assert.equal(
      await refused('phi3', { rope_scaling: { type: 'linear', factor: 2 } }),
      'rope_scaling linear is not built',
    );
    assert.equal(await refused('phi3-long-within', { rope_scaling: { type: 'longrope', short_factor: [1, 1], long_factor: [1, 1, 1] } }), 'config.json: longrope should have 3 factors'); // prettier-ignore
    assert.equal(await refused('pythia', { rotary_pct: 0.4 }), 'config.json: 3 columns of a head turn by RoPE, which turns pairs'); // prettier-ignore
    assert.equal(await refused('t5', { decoder_start_token_id: 99 }), 'decoder_start_token_id 99 is not built');
  });

  it('say what is missing where config.json asks for tensors that the file does not have', async () => {
    const found: string[] = [];
    for (const field of library.fields.filter(({ result }) => result === 'other tensors')) {
      const one = caseOf(field);
      const ran = await run(one, changed(one, field));
      if (typeof ran !== 'string' && ran.logits) found.push(nameOf(field));
    }
    assert.deepEqual(found, []);
  });
});

/*
 * Where versions of the library differ, and config.json does not say which was meant.
 */

/** transformers 5 reads Gemma 3's `rope_type` alone and passes over `type`, the name of transformers 4, which read both. */
const odd = ['gemma3 with rope_scaling {"type":"linear","factor":3}'];
/** transformers 5 never scales mT5's output; transformers 4 does where the tables are said to be one. A file that names version 5 is read as 5 reads it. */
const sameThere = ['mt5 with tie_word_embeddings true'];
