import type { TextToken, TokenizeOptions, TokenizerFacts } from '../types';
import { partsOf, type AddedTokens } from './added';
import { endOf, original, startOf, type Aligned } from './aligned';
import { charactersAsText } from './bytelevel';
import type { Model } from './models';
import type { Normalizer } from './normalizers';
import type { Found, PostProcessor } from './postprocessors';
import type { PreTokenizer } from './pretokenizers';
import { tokenizeWord } from './words';

/** A tokenizer from a file; its fields are in the order in which a text passes through them (Hugging Face's `TokenizerImpl`). */
export interface Pipeline extends TokenizerFacts {
  readonly kind: 'file';
  readonly added: AddedTokens;
  readonly normalize: Normalizer;
  readonly preTokenize: PreTokenizer;
  readonly model: Model;
  readonly postProcess: PostProcessor;
  /** Whether tokens are bytes encoded as visible characters, which are decoded for display. */
  readonly bytes: boolean;
}

/** The tokens of a text. Throws only TooMuchWork; a lone surrogate counts as U+FFFD. */
export function tokenizeByFile(pipeline: Pipeline, text: string, options: TokenizeOptions): TextToken[] {
  const whole = original(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  const found: Found[] = [];
  for (const { text: part, added } of partsOf(pipeline.added, whole, pipeline.normalize, options.specials === 'text')) {
    if (added) add(found, part, added.id, part.text, 0, part.text.length, added.special);
    else if (part.text) addTokens(pipeline, part, found);
  }
  return pipeline.postProcess(found, options.template ?? true, text).map(({ written, id, start, end, special }) => {
    const said = pipeline.bytes && !pipeline.added.ids.has(id) ? charactersAsText(written) : written;
    return special ? { text: said, id, start, end, special } : { text: said, id, start, end };
  });
}

function addTokens({ preTokenize, model }: Pipeline, part: Aligned, found: Found[]): void {
  for (const piece of preTokenize(part)) {
    if (piece.text)
      tokenizeWord(model, piece.text, (id, written, from, to) => add(found, piece, id, written, from, to, false));
  }
}

/** Copies fields one by one: object spread took most of the time. */
function add(
  found: Found[],
  piece: Aligned,
  id: number,
  written: string,
  from: number,
  to: number,
  special: boolean,
): void {
  found.push({ written, id, start: startOf(piece, from), end: endOf(piece, from, to), special });
}
