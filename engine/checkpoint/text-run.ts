import { fail, ok, t, type Result } from '../text';
import { visibleText } from '../spec';
import { spellings, tokenize, tokenizerFromJson, type Tokenizer } from '../tokens';
import { scoreHead, type ScoredHead } from './evidence';
import { attend, hiddenCells } from './attention';
import { mostProbable, runForward, type ForwardKernels, type ForwardOptions, type LayerAttention } from './forward';
import { computedHead, type ComputedHead, type Labels } from './computed-head';
import { notFiniteWords } from './notes';
import type { Checkpoint } from './open';
import { pictureOf, type Picture } from './picture';
import { telling } from './telling';
import { tokenizerFile, type CheckpointFolder } from './weights';

/** What is run through a model. */
export interface Asked {
  readonly text: string;
  /** A second text, which a model of sentence pairs reads after the first. */
  readonly second?: string;
  /** What the decoder of a model with two stacks reads, after its start token. */
  readonly target?: string;
  /** In place of the text: `1,2,3`. */
  readonly ids?: string;
}

/** Token ids of a text, and how they are written. */
export interface ReadTokens {
  readonly ids: readonly number[];
  readonly tokens: readonly string[];
}

/** A head by its place, and what was measured of it; one that looks across stacks is not scored. */
export interface PlacedHead {
  readonly stack: LayerAttention['stack'];
  /** From 0, as in the file. */
  readonly layer: number;
  readonly head: number;
  readonly crosses?: true;
  readonly scored?: ScoredHead;
  /** Some of its weights are NaN, so that it was not scored. */
  readonly hasNaN?: true;
  /** Where the last query looks most: the key, and its weight. */
  readonly last: { readonly key: number; readonly weight: number };
}

/** A head with a small picture of its weights. */
export interface PicturedHead extends PlacedHead {
  readonly picture: Picture;
}

/** What a run tells while it goes on. */
export interface RunEvents {
  /** The tokens, before any layer. */
  readonly onRead?: (first: ReadTokens, second: ReadTokens | undefined) => void;
  /** The heads of an attention, as soon as they are computed. */
  readonly onHeads?: (heads: readonly PicturedHead[]) => void;
}

/** A head's weights, queries × keys. */
export interface HeadWeights {
  readonly weights: Float32Array;
  readonly queries: number;
  readonly keys: number;
}

/** Which head is meant. */
export type HeadPlace = Pick<PlacedHead, 'stack' | 'layer' | 'head' | 'crosses'>;

/** A text that a model has read. */
export interface TextRun {
  readonly first: ReadTokens;
  /** What the decoder read. */
  readonly second?: ReadTokens;
  readonly heads: readonly PlacedHead[];
  /** The most probable tokens, next or in the last place; none in a model without a head on the vocabulary. */
  readonly predictions: readonly { readonly token: string; readonly probability: number }[];
  /** A sentence on where numbers first were not finite. */
  readonly notFinite?: string;
  /** A head with its real q, k and v. Problems: no such layer, no such head. */
  readonly headAt: (place: HeadPlace) => Result<ComputedHead>;
  /** Its weights, computed again from its q and k by the kernels; undefined where there is no such head. */
  readonly weightsAt: (place: HeadPlace) => HeadWeights | undefined;
}

/** Predictions that are kept. */
const mostPredictions = 5;
/** Most bytes of a tokenizer.json. */
const longestTokenizer = 1 << 26;
/** Size of GPT-2's own vocabulary, which comes with the extension. */
const gpt2Vocabulary = 50257;

/** The tokenizer of a folder; `bundled` where it has none and the model is GPT-2's; else undefined. Problems name the file. Rejects if it cannot be read. */
export async function tokenizerIn(
  folder: CheckpointFolder,
  { architecture: { family, vocabulary } }: Checkpoint,
  bundled: () => Promise<Result<Tokenizer>>,
): Promise<Result<Tokenizer> | undefined> {
  const file = await telling(folder).open(tokenizerFile);
  if (!file) return family === 'gpt2' && vocabulary === gpt2Vocabulary ? bundled() : undefined;
  if (file.size <= longestTokenizer) {
    const found = tokenizerFromJson(new TextDecoder().decode(await file.readRange(0, file.size)));
    return found.ok ? found : fail(...found.problems.map((one) => ({ ...one, message: `${tokenizerFile}: ${one.message}` }))); // prettier-ignore
  }
  const message = t('{0} has {1} bytes, the limit is {2}', tokenizerFile, file.size, longestTokenizer);
  return fail({ code: 'tokenizer', message });
}

/** Runs a text through a model; keeps each head's q, k and v, and its scores. Problems: no tokenizer, too many tokens, those of `runForward`. */
export async function runText(
  checkpoint: Checkpoint,
  tokenizer: Result<Tokenizer> | undefined,
  asked: Asked,
  options: Pick<ForwardOptions, 'kernels' | 'second' | 'progress' | 'cancelled'> & RunEvents,
): Promise<Result<TextRun>> {
  const { architecture, weights } = checkpoint;
  const known = tokenizer?.ok ? spellings(tokenizer.value) : undefined;
  const spelled = (id: number): string => visibleText(known?.(id) ?? `#${id}`);
  const read = readAsked(asked, tokenizer, checkpoint, spelled);
  if (!read.ok) return read;
  const { types } = read.value;
  const first: ReadTokens = { ids: read.value.ids, tokens: read.value.tokens };
  const target = asked.target ? readTokens({ text: asked.target }, tokenizer, checkpoint, spelled) : undefined;
  if (target && !target.ok) return target;
  const hasDecoder = architecture.stacks.length > 1;
  const { start = 0 } = architecture;
  const second = hasDecoder ? { ids: [start, ...(target?.value.ids ?? [])], tokens: [spelled(start), ...(target?.value.tokens ?? [])] } : undefined; // prettier-ignore
  const readBy = ({ stack }: LayerAttention): ReadTokens => (stack === 'decoder' && second ? second : first);
  options.onRead?.(first, second);
  const attentions: LayerAttention[] = [];
  const heads: PlacedHead[] = [];
  const result = await runForward(architecture, weights, first.ids, {
    ...options,
    onAttention: (attention) => {
      const own = placed(attention, readBy(attention).ids);
      heads.push(...own);
      options.onHeads?.(own.map((one, i) => ({ ...one, picture: pictureOf(attention.weights[i] ?? [], attention.queries, attention.keys) }))); // prettier-ignore
      // Of all heads, weights would take n² numbers each; they follow from q and k.
      attentions.push({ ...attention, weights: [] });
    },
    ...(second && { decoderIds: second.ids }),
    ...(types && { types }),
  });
  if (!result.ok) return result;
  const { logits, notFinite } = result.value;
  return ok({
    first,
    ...(second && { second }),
    heads,
    predictions: logits?.[0] ? predicted(options.kernels, logits[0], spelled) : [],
    ...(notFinite && { notFinite: notFiniteWords(notFinite) }),
    headAt: (place) => headAt(place, attentions, (one) => ({ queries: readBy(one).tokens, keys: one.part.crosses ? first.tokens : readBy(one).tokens })), // prettier-ignore
    weightsAt: (place) => weightsAt(place, attentions, options.kernels),
  });
}

const placed = ({ stack, layer, part, keys, weights }: LayerAttention, ids: readonly number[]): readonly PlacedHead[] =>
  weights.map((own, head) => ({
    stack,
    layer,
    head,
    last: strongest(own.subarray(own.length - keys)),
    ...(part.crosses && { crosses: true }),
    ...(own.includes(NaN) ? { hasNaN: true } : !part.crosses && { scored: scoreHead(own, ids) }),
  }));

function strongest(row: Float32Array): PlacedHead['last'] {
  const key = row.reduce((best, weight, j) => (weight > (row[best] as number) ? j : best), 0);
  return { key, weight: row[key] as number };
}

const predicted = (kernels: ForwardKernels, logits: Float32Array, spelled: (id: number) => string): TextRun['predictions'] =>
  mostProbable(kernels, logits, mostPredictions).map(({ id, probability }) => ({ token: spelled(id), probability })); // prettier-ignore

function headAt(
  { stack, layer, head, crosses }: HeadPlace,
  attentions: readonly LayerAttention[],
  labels: (one: LayerAttention) => Labels,
): Result<ComputedHead> {
  const own = attentions.filter((one) => one.stack === stack && one.part.crosses === crosses);
  const found = own.find((one) => one.layer === layer);
  if (!found) return fail({ code: 'layer', message: t('there is no layer {0}; the last is {1}', layer, own.at(-1)?.layer ?? -1) }); // prettier-ignore
  const last = found.part.heads - 1;
  if (head > last) return fail({ code: 'head', message: t('there is no head {0}; the last is {1}', head, last) });
  return ok(computedHead(found, head, labels(found)));
}

function weightsAt({ stack, layer, head, crosses }: HeadPlace, attentions: readonly LayerAttention[], kernels: ForwardKernels): HeadWeights | undefined {
  const found = attentions.find((one) => one.stack === stack && one.layer === layer && one.part.crosses === crosses);
  const values = found?.heads[head];
  if (!found || !values) return undefined;
  const { part, queries, keys, table } = found;
  const mask = hiddenCells(part, queries, keys);
  const inputs = { part, queries, keys, projected: [], ...(table && { table }), ...(mask && { mask }) };
  return { weights: attend(kernels, inputs, values, head).weights, queries, keys };
} // prettier-ignore

type Piece = { readonly id: number; readonly text: string; readonly special?: boolean };

/** The tokens of what was asked, and of which of two texts each is. */
type ReadPair = ReadTokens & { readonly types?: readonly (0 | 1)[] };

function readAsked(
  asked: Asked,
  tokenizer: Result<Tokenizer> | undefined,
  checkpoint: Checkpoint,
  spelled: (id: number) => string,
): Result<ReadPair> {
  const { pairs, family } = checkpoint.architecture;
  if (!asked.second) return readTokens(asked, tokenizer, checkpoint, spelled);
  if (!pairs) return fail({ code: 'pair', message: t('{0} reads one text, not a pair', family) });
  const [first, second] = [piecesOf(asked.text, tokenizer), piecesOf(asked.second, tokenizer)];
  if (!first.ok) return first;
  if (!second.ok) return second;
  const separator = first.value.at(-1);
  if (!separator?.special) return fail({ code: 'pair', message: t('the tokenizer puts no token between two texts') });
  const begin = second.value.findIndex(({ special }) => !special);
  const own = second.value.slice(Math.max(begin, 0));
  const before = pairs === 'two' ? [...first.value, separator] : first.value;
  const found = fitted([...before, ...own], checkpoint);
  // RoBERTa was trained with type 0 alone.
  const types = pairs === 'one' && [...before.map(() => 0 as const), ...own.map(() => 1 as const)];
  return found.ok && types ? ok({ ...found.value, types }) : found;
}

function readTokens(
  { text, ids }: Asked,
  tokenizer: Result<Tokenizer> | undefined,
  checkpoint: Checkpoint,
  spelled: (id: number) => string,
): Result<ReadTokens> {
  const found = ids === undefined ? piecesOf(text, tokenizer) : idsOf(ids, spelled);
  return found.ok ? fitted(found.value, checkpoint) : found;
}

function fitted(pieces: readonly Piece[], { architecture: { context, vocabulary } }: Checkpoint): Result<ReadTokens> {
  const outside = pieces.find(({ id }) => id >= vocabulary);
  const wrong =
    pieces.length === 0
      ? t('the text has no tokens')
      : pieces.length > context
        ? t('the text has {0} tokens, the model reads at most {1}', pieces.length, context)
        : outside && t('token {0} is outside of the vocabulary of {1}', outside.id, vocabulary);
  if (wrong !== undefined) return fail({ code: 'tokens', message: wrong });
  return ok({ ids: pieces.map(({ id }) => id), tokens: pieces.map((one) => visibleText(one.text)) });
}

function piecesOf(text: string, tokenizer: Result<Tokenizer> | undefined): Result<readonly Piece[]> {
  const hint = t('Give token ids: --ids 1,2,3.');
  if (!tokenizer) return fail({ code: 'tokenizer', message: t('{0} is not in the folder', tokenizerFile), hint });
  return tokenizer.ok ? ok(tokenize(tokenizer.value, text)) : fail(...tokenizer.problems.map((one) => ({ hint, ...one }))); // prettier-ignore
}

function idsOf(text: string, spelled: (id: number) => string): Result<readonly Piece[]> {
  const parts = text.split(',').map((one) => one.trim());
  return parts.every((one) => /^\d{1,9}$/.test(one))
    ? ok(parts.map((one) => ({ id: Number(one), text: spelled(Number(one)) })))
    : fail({ code: 'ids', message: t('--ids {0}: expected whole numbers with commas between', text) });
}
