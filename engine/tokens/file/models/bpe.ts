import { t } from '../../../text';
import { mergeAll } from '../../merge';
import { charLength } from '../aligned';
import { emptyPairs, pairRank, setPair, type PairRanks } from '../pairs';
import { flagAt, listAt, optionalTextAt, pathWithin, addWrongValue, addUnsupported, type Node } from '../reader';
import { unknownId, vocabularyAt, type Emit, type Model } from './model';

interface Rules {
  readonly vocabulary: ReadonlyMap<string, number>;
  /** Token texts by id. */
  readonly written: readonly string[];
  /** Ids of the characters below U+0200, −1 where there is none. Byte-level text has no others. */
  readonly characters: Int32Array;
  /** From a pair of adjacent ids to the rank of their merge. */
  readonly ranks: PairRanks;
  /** The resulting id of each merge, by rank. */
  readonly results: readonly number[];
  /** Prefix of all symbols of a word but the first. */
  readonly prefix: string;
  /** Suffix of the last symbol of a word. */
  readonly suffix: string;
  /** Id for characters outside the vocabulary; without one they are dropped. */
  readonly unknown: number | undefined;
  readonly fuseUnknown: boolean;
  readonly byteFallback: boolean;
  /** Whether a part that is a token stays whole regardless of merges. */
  readonly wholeFirst: boolean;
}

/** Byte-pair encoding over characters (Sennrich et al. 2016), or over bytes encoded as characters. */
export function bpeOf(node: Node): Model {
  const vocabulary = vocabularyAt(node, 'vocab');
  const written: string[] = [];
  for (const [token, id] of vocabulary) written[id] = token;
  const unknown = optionalTextAt(node, 'unk_token');
  if (node.value['dropout']) addUnsupported(node, t('dropout (merges left out at random)'));
  const rules: Rules = {
    vocabulary,
    written,
    characters: Int32Array.from({ length: 0x200 }, (_, c) => vocabulary.get(String.fromCharCode(c)) ?? -1),
    ...mergesAt(node, vocabulary),
    suffix: optionalTextAt(node, 'end_of_word_suffix') ?? '',
    unknown: unknown === undefined ? undefined : unknownId(node, 'unk_token', unknown, vocabulary),
    fuseUnknown: flagAt(node, 'fuse_unk', false),
    byteFallback: flagAt(node, 'byte_fallback', false),
    wholeFirst: flagAt(node, 'ignore_merges', false),
  };
  return { name: 'BPE', vocabulary, tokenize: (part, emit) => tokenize(rules, part, emit) };
}

/** Reads merges, `[left, right]` or in older files `"left right"`; a merge's rank is its index in the list. */
function mergesAt(node: Node, vocabulary: ReadonlyMap<string, number>): Pick<Rules, 'ranks' | 'results' | 'prefix'> {
  const prefix = optionalTextAt(node, 'continuing_subword_prefix') ?? '';
  const merges = listAt(node, 'merges');
  const ranks = emptyPairs(merges.length);
  const results: number[] = [];
  for (const [i, merge] of merges.entries()) {
    const pair: readonly unknown[] = typeof merge === 'string' ? merge.split(' ') : Array.isArray(merge) ? merge : [];
    const [left, right] = pair;
    const joined = `${String(left)}${String(right).slice(prefix.length)}`;
    const ids = [String(left), String(right), joined].map((token) => vocabulary.get(token));
    const [a, b, result] = ids;
    if (pair.length !== 2 || a === undefined || b === undefined || result === undefined) {
      const path = pathWithin(pathWithin(node.path, 'merges'), i);
      addWrongValue(
        node.findings,
        path,
        pair.length === 2 ? pair.join(' ') : merge,
        t('two tokens of the vocabulary that together are one'),
      );
      break;
    }
    setPair(ranks, a, b, i);
    results.push(result);
  }
  return { ranks, results, prefix };
}

/** The symbols of a part as columns: their ids and the units they cover. */
interface Symbols {
  readonly ids: number[];
  readonly from: number[];
  readonly to: number[];
}

function tokenize(rules: Rules, part: string, emit: Emit): void {
  const whole = rules.wholeFirst ? rules.vocabulary.get(part) : undefined;
  if (whole !== undefined) return emit(whole, part, 0, part.length);
  const { ids, from, to } = symbolsOf(rules, part);
  const { next } = mergeAll(ids.length, {
    rank: (left, right) => pairRank(rules.ranks, ids[left] as number, ids[right] as number),
    merge: (left, right, rank) => {
      ids[left] = rules.results[rank] as number;
      to[left] = to[right] as number;
    },
  });
  for (let i = 0; i < ids.length; i = next[i] as number) {
    emit(ids[i] as number, rules.written[ids[i] as number] ?? '', from[i] as number, to[i] as number);
  }
}

function symbolsOf(rules: Rules, part: string): Symbols {
  const symbols: Symbols = { ids: [], from: [], to: [] };
  const add = (id: number, from: number, to: number): void => {
    symbols.ids.push(id);
    symbols.from.push(from);
    symbols.to.push(to);
  };
  let unknownEnd = -1;
  for (let at = 0; at < part.length;) {
    const end = at + charLength(part, at);
    const marked = (at > 0 && rules.prefix) || (end === part.length && rules.suffix);
    const known = marked ? -1 : (rules.characters[part.charCodeAt(at)] ?? -1);
    const written = known < 0 ? spelled(rules, part, at, end) : '';
    const id = known < 0 ? rules.vocabulary.get(written) : known;
    const bytes = id === undefined && rules.byteFallback ? byteTokens(written, rules.vocabulary) : undefined;
    if (id !== undefined) add(id, at, end);
    else if (bytes) for (const byte of bytes) add(byte, at, end);
    else if (rules.fuseUnknown && unknownEnd === at) symbols.to[symbols.to.length - 1] = unknownEnd = end;
    else if (rules.unknown !== undefined) add(rules.unknown, at, (unknownEnd = end));
    at = end;
  }
  return symbols;
}

/** The vocabulary's spelling of a character, by its position in the part. */
const spelled = (rules: Rules, part: string, at: number, end: number): string =>
  (at > 0 ? rules.prefix : '') + part.slice(at, end) + (end === part.length ? rules.suffix : '');

/** Ids of the byte tokens (`<0xE2>`) of a string; undefined unless the vocabulary has all of them. */
export function byteTokens(text: string, vocabulary: ReadonlyMap<string, number>): number[] | undefined {
  const ids: number[] = [];
  for (const byte of new TextEncoder().encode(text)) {
    const id = vocabulary.get(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
    if (id === undefined) return undefined;
    ids.push(id);
  }
  return ids;
}
