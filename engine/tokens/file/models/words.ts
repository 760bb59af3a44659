import { countAt, textAt, type Node } from '../reader';
import { unknownId, vocabularyAt, type Model } from './model';

/** WordLevel: each part is one token, or unknown. */
export function wordLevelOf(node: Node): Model {
  const vocabulary = vocabularyAt(node, 'vocab');
  const unknown = textAt(node, 'unk_token');
  const unknownAs = unknownId(node, 'unk_token', unknown, vocabulary);
  return {
    name: 'WordLevel',
    vocabulary,
    tokenize: (part, emit) => {
      const id = vocabulary.get(part);
      emit(id ?? unknownAs, id === undefined ? unknown : part, 0, part.length);
    },
  };
}

/**
 * WordPiece (Schuster and Nakajima 2012; Devlin et al. 2019): the longest matching piece at the beginning, then the longest continuations,
 * marked `##`. A word that cannot be completed is unknown as a whole.
 */
export function wordPieceOf(node: Node): Model {
  const vocabulary = vocabularyAt(node, 'vocab');
  const unknown = textAt(node, 'unk_token');
  return wordPiece({
    vocabulary,
    unknown,
    unknownAs: unknownId(node, 'unk_token', unknown, vocabulary),
    prefix: textAt(node, 'continuing_subword_prefix'),
    longestWord: countAt(node, 'max_input_chars_per_word'),
  });
}

export interface WordPieceRules {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly unknown: string;
  readonly unknownAs: number;
  readonly prefix: string;
  /** Length in characters above which a word is unknown. */
  readonly longestWord: number;
}

export function wordPiece(rules: WordPieceRules): Model {
  const { vocabulary, unknown, unknownAs } = rules;
  let longest = 0;
  for (const piece of vocabulary.keys()) longest = Math.max(longest, piece.length);
  return {
    name: 'WordPiece',
    vocabulary,
    tokenize: (word, emit) => {
      const pieces = piecesOf(word, rules, longest);
      if (!pieces) emit(unknownAs, unknown, 0, word.length);
      else for (const { id, written, from, to } of pieces) emit(id, written, from, to);
    },
  };
}

interface Piece {
  readonly id: number;
  readonly written: string;
  readonly from: number;
  readonly to: number;
}

/** The pieces of a word. Takes at most its length times the length of the longest piece. */
function piecesOf(
  word: string,
  { vocabulary, prefix, longestWord }: WordPieceRules,
  longest: number,
): Piece[] | undefined {
  if (word.length > longestWord && [...word].length > longestWord) return undefined;
  const pieces: Piece[] = [];
  for (let from = 0; from < word.length;) {
    let to = Math.min(word.length, from + longest);
    let found: Piece | undefined;
    for (; to > from && !found; to--) {
      const written = (from > 0 ? prefix : '') + word.slice(from, to);
      const id = vocabulary.get(written);
      if (id !== undefined) found = { id, written, from, to };
    }
    if (!found) return undefined;
    pieces.push(found);
    from = found.to;
  }
  return pieces;
}
