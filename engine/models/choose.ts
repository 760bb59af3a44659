import { fail, t, type Problem, type Result } from '../text';
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
export type ModelChoice = { readonly spec: AttentionSpec } | { readonly why: string };

/**
 * The word model where it knows every word, else the character model, else neither: the text is too long or in another script. `models`: in the order in
 * which they are asked.
 */
export function chooseModel(text: string, models: readonly ReadModel[]): ModelChoice {
  let why = t('no trained model is there');
  for (const read of models) {
    const spec = readsWhole(read, text);
    if (spec.ok) return { spec: spec.value };
    why = reasonOf(spec.problems);
  }
  return { why };
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

function misfitOf({ kind, name, context }: Model, { start }: AttentionSpec): string | undefined {
  const pieces = (start.from === 'text' && 'pieces' in start && start.pieces) || [];
  if (pieces.length > context) return t('{0} reads at most {1} tokens, and this text has {2}', name, context, pieces.length);
  const unknown = pieces.filter(([id]) => id === unknownId).length;
  const most = kind === 'words' ? 0 : unknownShare * pieces.length;
  return unknown > most ? t('{0} does not know {1} of {2} tokens', name, unknown, pieces.length) : undefined;
} // prettier-ignore
