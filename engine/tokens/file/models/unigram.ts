import { t } from '../../../text';
import { charLength } from '../aligned';
import { countAt, flagAt, listAt, pathWithin, addWrongValue, type Node } from '../reader';
import { prefixesAt, trieOf, type Trie } from '../trie';
import { byteTokens } from './bpe';
import type { Emit, Model } from './model';

interface Rules {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly written: readonly string[];
  /** Log probabilities of the pieces, by id. */
  readonly scores: readonly number[];
  readonly trie: Trie;
  readonly unknown: number;
  /** Score of an unknown character. */
  readonly unknownScore: number;
  readonly byteFallback: boolean;
}

/** An unknown character scores this much less than the least probable piece, as in SentencePiece (`kUnkPenalty`). */
const UNKNOWN_PENALTY = 10;

/** The unigram language model (Kudo 2018): the most probable segmentation of a part. */
export function unigramOf(node: Node): Model {
  const pieces = piecesAt(node);
  const vocabulary = new Map(pieces.map(([piece], id) => [piece, id]));
  const scores = pieces.map(([, score]) => score);
  const unknown = countAt(node, 'unk_id');
  if (unknown >= pieces.length)
    addWrongValue(node.findings, pathWithin(node.path, 'unk_id'), unknown, t('below {0}', pieces.length));
  const rules: Rules = {
    vocabulary,
    written: pieces.map(([piece]) => piece),
    scores,
    trie: trieOf(vocabulary),
    unknown,
    unknownScore: scores.reduce((least, score) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY,
    byteFallback: flagAt(node, 'byte_fallback', false),
  };
  return { name: 'Unigram', vocabulary, tokenize: (part, emit) => tokenize(rules, part, emit) };
}

function piecesAt(node: Node): (readonly [string, number])[] {
  const pieces: (readonly [string, number])[] = [];
  for (const [i, entry] of listAt(node, 'vocab').entries()) {
    const [piece, score] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    if (typeof piece !== 'string' || typeof score !== 'number') {
      addWrongValue(node.findings, pathWithin(pathWithin(node.path, 'vocab'), i), entry, t('[piece, score]'));
      break;
    }
    pieces.push([piece, score]);
  }
  return pieces;
}

/** Viterbi's algorithm: for each offset the best segmentation up to it; ties go to the first found. */
function tokenize(rules: Rules, part: string, emit: Emit): void {
  const { trie, scores, unknown, unknownScore } = rules;
  const size = part.length;
  const best = new Float64Array(size + 1);
  const came = new Int32Array(size + 1).fill(-1);
  const ids = new Int32Array(size + 1);
  for (let at = 0; at < size;) {
    const next = at + charLength(part, at);
    const here = best[at] as number;
    const offer = (end: number, id: number, score: number): void => {
      if ((came[end] as number) >= 0 && here + score <= (best[end] as number)) return;
      best[end] = here + score;
      came[end] = at;
      ids[end] = id;
    };
    let single = false;
    prefixesAt(trie, part, at, (end, id) => {
      offer(end, id, scores[id] as number);
      single ||= end === next;
    });
    if (!single) offer(next, unknown, unknownScore);
    at = next;
  }
  emitPath(rules, part, came, ids, emit);
}

/** Emits the tokens. Adjacent unknown characters become one token, or their byte tokens if the vocabulary has them. */
function emitPath(rules: Rules, part: string, came: Int32Array, ids: Int32Array, emit: Emit): void {
  const cuts: number[] = [];
  for (let end = part.length; end > 0; end = came[end] as number) {
    const fused = ids[end] === rules.unknown && cuts.length > 0 && ids[cuts.at(-1) as number] === rules.unknown;
    if (!fused) cuts.push(end);
  }
  let from = 0;
  for (const to of cuts.reverse()) {
    const text = part.slice(from, to);
    const id = rules.vocabulary.get(text);
    const bytes = id === undefined && rules.byteFallback ? byteTokens(text, rules.vocabulary) : undefined;
    if (bytes) for (const byte of bytes) emit(byte, rules.written[byte] ?? '', from, to);
    else emit(id ?? rules.unknown, text, from, to);
    from = to;
  }
}
