import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';
import { fail, ok, t, type Problem, type Result } from '../text';
import type { HeadEvidence, Model, ModelTensor } from '../models';
import { openSafetensors } from './safetensors';
import { sourceOfBytes } from './source';

/** What a model's file says of itself, as JSON in its metadata under `model`. */
type Card = Omit<Model, 'sha256' | 'tensors'>;

/**
 * Reads a model of the extension: a `.safetensors` file of GPT-2's tensors in float16, whose metadata has its sizes, vocabulary and what was measured of
 * its heads. Problems: another hash than `expected`, no safetensors file, a tensor missing or of another shape.
 */
export async function readModel(bytes: Uint8Array, expected?: string): Promise<Result<Model>> {
  const hash = bytesToHex(sha256(bytes));
  if (expected !== undefined && hash !== expected)
    return refuse(t('the file’s SHA-256 is {0}, expected {1}', hash.slice(0, 12), expected.slice(0, 12)));
  const opened = await openSafetensors(sourceOfBytes(bytes));
  if (!opened.ok) return opened;
  const card = cardOf(opened.value.metadata['model']);
  if (!card) return refuse(t('the file does not say what model it is'));
  const tensors = new Map<string, ModelTensor>();
  for (const [name, shape] of tensorShapes(card)) {
    const read = await opened.value.read(name);
    if (!read.ok) return read;
    if (read.value.shape.join('×') !== shape.join('×'))
      return refuse(t('{0} has shape {1}, expected {2}', name, read.value.shape.join('×'), shape.join('×')));
    tensors.set(name, { shape, values: read.value.values });
  }
  return ok({ ...card, sha256: hash, tensors });
}

const refuse = (message: string) =>
  fail({ code: 'model-file', message, hint: t('Reinstall the extension.') } satisfies Problem);

function cardOf(text: string | undefined): Card | undefined {
  try {
    const card = JSON.parse(text ?? 'null') as Partial<Card> | null;
    const counts = [card?.width, card?.heads, card?.layers, card?.mlp, card?.context];
    const fits =
      card !== null &&
      typeof card.name === 'string' &&
      (card.kind === 'characters' || card.kind === 'words') &&
      counts.every((n) => Number.isInteger(n)) &&
      isTexts(card.vocabulary) &&
      isEvidence(card.evidence);
    return fits ? (card as Card) : undefined;
  } catch {
    return undefined;
  }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isEvidence = (value: unknown): value is readonly HeadEvidence[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null && 'kind' in one);

/** GPT-2's tensors: weights of a layer in × out. */
function* tensorShapes({ width, layers, mlp, context, vocabulary }: Card): Generator<[string, readonly number[]]> {
  yield ['wte.weight', [vocabulary.length, width]];
  yield ['wpe.weight', [context, width]];
  for (let i = 0; i < layers; i++) {
    const norms = mlp > 0 ? ['ln_1', 'ln_2'] : ['ln_1'];
    for (const norm of norms) yield* both(`h.${i}.${norm}`, [width], [width]);
    yield* both(`h.${i}.attn.c_attn`, [width, 3 * width], [3 * width]);
    yield* both(`h.${i}.attn.c_proj`, [width, width], [width]);
    if (mlp === 0) continue;
    yield* both(`h.${i}.mlp.c_fc`, [width, mlp], [mlp]);
    yield* both(`h.${i}.mlp.c_proj`, [mlp, width], [width]);
  }
  yield* both('ln_f', [width], [width]);
}

function* both(
  name: string,
  weight: readonly number[],
  bias: readonly number[],
): Generator<[string, readonly number[]]> {
  yield [`${name}.weight`, weight];
  yield [`${name}.bias`, bias];
}
