// Runs a text through a model from a folder, for the command line.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCheckpoint, runForward, tokenizerFile, type Checkpoint, type CheckpointFolder, type ForwardResult, type LayerAttention } from '../checkpoint'; // prettier-ignore
import { wasmKernels, type WasmKernels } from '../run';
import { visibleText } from '../spec';
import { fail, ok, t, type Result } from '../text';
import { loadTokenizer, spellings, tokenize, tokenizerFromJson, type Tokenizer } from '../tokens';

/** Token ids of a text, and how they are written. */
export interface Read {
  readonly ids: readonly number[];
  readonly tokens: readonly string[];
}

/** A model that ran: its attentions in order, and the tokens of both stacks. */
export interface Ran {
  readonly checkpoint: Checkpoint;
  readonly attentions: readonly LayerAttention[];
  readonly result: ForwardResult;
  readonly first: Read;
  readonly second?: Read;
  readonly spelled: (id: number) => string;
  readonly kernels: WasmKernels;
}

/** What is run through the model. */
export interface Asked {
  readonly text?: string;
  readonly target?: string;
  /** In place of the text: `1,2,3`. */
  readonly ids?: string;
}

/** Opens a folder and runs a text through its model. */
export async function runModel(asked: Asked, folder: CheckpointFolder): Promise<Result<Ran>> {
  const opened = await openCheckpoint(folder);
  if (!opened.ok) return opened;
  const checkpoint = opened.value;
  const { architecture, weights } = checkpoint;
  const tokenizer = await tokenizerOf(folder, checkpoint);
  const known = tokenizer?.ok ? spellings(tokenizer.value) : undefined;
  const spelled = (id: number): string => visibleText(known?.(id) ?? `#${id}`);
  const first = readTokens(asked.text, asked.ids, tokenizer, checkpoint, spelled);
  if (!first.ok) return first;
  const hasDecoder = architecture.stacks.length > 1;
  const start: Read = { ids: [0], tokens: [spelled(0)] };
  const target = asked.target === undefined ? ok({ ids: [], tokens: [] }) : readTokens(asked.target, undefined, tokenizer, checkpoint, spelled); // prettier-ignore
  if (!target.ok) return target;
  const second = hasDecoder ? { ids: [...start.ids, ...target.value.ids], tokens: [...start.tokens, ...target.value.tokens] } : undefined; // prettier-ignore
  const attentions: LayerAttention[] = [];
  const kernels = wasmKernels();
  const result = await runForward(architecture, weights, first.value.ids, {
    kernels,
    onAttention: (one) => void attentions.push(one),
    ...(second && { decoderIds: second.ids }),
  });
  if (!result.ok) return result;
  return ok({
    checkpoint,
    attentions,
    result: result.value,
    first: first.value,
    ...(second && { second }),
    spelled,
    kernels,
  });
}

/** Most bytes of a tokenizer.json. */
const longestTokenizer = 1 << 26;

/** The folder's tokenizer; GPT-2's own where the folder has none and the model is GPT-2. */
async function tokenizerOf(
  folder: CheckpointFolder,
  { architecture }: Checkpoint,
): Promise<Result<Tokenizer> | undefined> {
  // prettier-ignore
  const file = await folder.open(tokenizerFile);
  if (file && file.size > longestTokenizer)
    return fail({ code: 'tokenizer', message: t('{0} has {1} bytes, the limit is {2}', tokenizerFile, file.size, longestTokenizer) }); // prettier-ignore
  if (file) return tokenizerFromJson(new TextDecoder().decode(await file.readRange(0, file.size)));
  if (architecture.family !== 'gpt2' || architecture.vocabulary !== 50257) return undefined;
  return loadTokenizer('gpt2', (name) => readFile(join(__dirname, 'vocabularies', name)));
}

function readTokens(
  text: string | undefined,
  ids: string | undefined,
  tokenizer: Result<Tokenizer> | undefined,
  { architecture: { context, vocabulary } }: Checkpoint,
  spelled: (id: number) => string,
): Result<Read> {
  if (ids === undefined && !tokenizer)
    return fail({ code: 'tokenizer', message: t('{0} is not in the folder', tokenizerFile), hint: t('Give token ids: --ids 1,2,3.') }); // prettier-ignore
  if (ids === undefined && tokenizer && !tokenizer.ok) return tokenizer;
  const read = ids === undefined && tokenizer?.ok ? tokenize(tokenizer.value, text ?? '').map(({ id, text }) => ({ id, text })) : idsOf(ids ?? '', spelled); // prettier-ignore
  if (!read)
    return fail({ code: 'ids', message: t('--ids {0}: expected whole numbers with commas between', ids ?? '') });
  if (read.length === 0) return fail({ code: 'empty', message: t('the text has no tokens') });
  if (read.length > context)
    return fail({ code: 'too-long', message: t('the text has {0} tokens, the model reads at most {1}', read.length, context) }); // prettier-ignore
  const outside = read.find(({ id }) => id >= vocabulary);
  if (outside) return fail({ code: 'ids', message: t('token {0} is outside of the vocabulary of {1}', outside.id, vocabulary) }); // prettier-ignore
  return ok({ ids: read.map(({ id }) => id), tokens: read.map((one) => visibleText(one.text)) });
}

function idsOf(text: string, spelled: (id: number) => string): { id: number; text: string }[] | undefined {
  const parts = text.split(',').map((one) => one.trim());
  if (!parts.every((one) => /^\d{1,9}$/.test(one))) return undefined;
  return parts.map((one) => ({ id: Number(one), text: spelled(Number(one)) }));
}
