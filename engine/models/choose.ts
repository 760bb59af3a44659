import { fail, nearest, t, type Problem, type Result } from '../text';
import { withPieces, type AttentionSpec, type BoxModel } from '../spec';
import type { Tokenizer } from '../tokens';
import { provideModel, unknownId, type Model } from './model';
import { modelSpec } from './spec-of';

/** A model of the box that has been read, with its tokenizer. */
export interface ReadModel {
  readonly box: BoxModel;
  readonly model: Model;
  readonly tokenizer: Tokenizer;
}

const boxes = new Map<string, ReadModel>();

/** Makes a model and its tokenizer known to this thread. The model's hash was checked when it was read. */
export function provideBox(read: ReadModel): void {
  provideModel(read.model);
  boxes.set(read.box.name, read);
}

/** A model by its name, if its files have been read in this thread. */
export const providedBox = (name: string): ReadModel | undefined => boxes.get(name);

/** Share of a text's characters that the character model may not know: an emoji or two in a sentence, not another script. */
const unknownShare = 0.1;

/** The spec of a text as a trained model reads it, or why none does. */
export type ModelChoice = Chosen | { readonly why: string };

export interface Chosen {
  readonly spec: AttentionSpec;
  readonly model: Model;
  /** Why the models that were asked before do not read the text; empty where the first one does. */
  readonly why: string;
}

/**
 * The word model where it knows every word, else the character model, else neither: the text is too long or in another script. `models`: in the order in
 * which they are asked.
 */
export function chooseModel(text: string, models: readonly ReadModel[]): ModelChoice {
  const reasons: string[] = [];
  for (const read of models) {
    const spec = readsWhole(read, text);
    if (spec.ok) return { spec: spec.value, model: read.model, why: reasons.join('; ') };
    reasons.push(reasonOf(spec.problems));
  }
  return { why: reasons.join('; ') || t('no trained model is there') };
}

/** The spec of a text as one model reads it. Problems: it is too long for the model, or the model does not know it. */
export function readsWhole(read: ReadModel, text: string): Result<AttentionSpec> {
  const cut = cutBy(read, text);
  const misfit = cut.ok ? misfitOf(read.model, cut.value) : undefined;
  return misfit === undefined ? cut : fail({ code: 'model', message: misfit });
}

const cutBy = ({ box, model, tokenizer }: ReadModel, text: string): Result<AttentionSpec> =>
  withPieces(modelSpec(model, text, box.tokenizer), tokenizer);

const reasonOf = ([first]: readonly Problem[]): string => first?.message ?? '';

function misfitOf({ kind, name, context, vocabulary }: Model, { start }: AttentionSpec): string | undefined {
  // A model puts its start token before the text: that is none of the reader's.
  const pieces = ((start.from === 'text' && 'pieces' in start && start.pieces) || []).slice(1);
  if (pieces.length >= context) return t('{0} reads at most {1} tokens, and this text has {2}', name, context - 1, pieces.length);
  const unknown = pieces.filter(([id]) => id === unknownId);
  if (kind === 'words' && unknown.length && start.from === 'text')
    return t('{0} knows {1} English words, but not {2}', name, wordsIn(vocabulary), listed(unknown.map(([, from, to]) => start.text.slice(from, to)), vocabulary));
  return unknown.length > unknownShare * pieces.length ? t('{0} does not know {1} of {2} tokens', name, unknown.length, pieces.length) : undefined;
} // prettier-ignore

/** Words of a vocabulary: without the start token, what stands for unknown ones, and marks. */
export const wordsIn = (vocabulary: readonly string[]): number =>
  vocabulary.filter((word, id) => id > unknownId && /\p{L}/u.test(word)).length;

/** Most unknown words that are named. */
const mostNamed = 3;

/** Unknown words, each once, with the known word that is spelled almost like it. */
function listed(words: readonly string[], vocabulary: readonly string[]): string {
  // What cannot be seen, such as what joins two emoji, is no name.
  const each = [...new Set(words)].filter((word) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(word));
  const named = each.slice(0, mostNamed).map((word) => {
    // In a short word one letter is another word.
    const near = word.length < 4 ? undefined : nearest(word, vocabulary.slice(unknownId + 1), 1);
    return near === undefined ? t('“{0}”', word) : t('“{0}” (it knows “{1}”)', word, near);
  });
  return each.length > mostNamed ? t('{0} and {1} more', named.join(', '), each.length - mostNamed) : named.join(', ');
}
