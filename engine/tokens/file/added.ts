import { t } from '../../text';
import { original, slice, type Aligned } from './aligned';
import type { Normalizer } from './normalizers';
import { countAt, flagAt, listAt, nodeAt, textAt, pathWithin, type Node } from './reader';
import { prefixesAt, trieOf, type Trie } from './trie';
import { isSpace, wordCharacters } from './unicode';

/** A token that is found in the text before the model sees it. */
export interface AddedToken {
  readonly content: string;
  readonly id: number;
  readonly special: boolean;
  /** Searched for in normalized text. */
  readonly normalized: boolean;
  /** Only matches as a whole word. */
  readonly singleWord: boolean;
  /** `left` absorbs white space before the token, `right` after it. */
  readonly left: boolean;
  readonly right: boolean;
}

/** Tries of the tokens that are searched for in the original and in normalized text; values are indices into `all`. */
export interface AddedTokens {
  readonly all: readonly AddedToken[];
  readonly ids: ReadonlySet<number>;
  readonly plain: Trie;
  readonly normalized: Trie;
}

/** A part of the text; an added token is not split further. */
export interface Part {
  readonly text: Aligned;
  readonly added?: AddedToken;
}

/** Reads `added_tokens`. As in the Rust program, a token that the model knows has the model's id; others are numbered after it. */
export function addedTokensAt(node: Node, vocabulary: ReadonlyMap<string, number>): AddedToken[] {
  const byContent = new Map<string, AddedToken>();
  let next = vocabulary.size;
  listAt(node, 'added_tokens', []).forEach((value, i) => {
    const token = nodeAt(node.findings, pathWithin('added_tokens', i), value);
    const content = textAt(token, 'content');
    const declared = countAt(token, 'id');
    if (!content) return;
    const id = vocabulary.get(content) ?? byContent.get(content)?.id ?? next++;
    if (id !== declared) noteId(token, content, declared, id);
    byContent.set(content, addedToken(token, content, id));
  });
  return [...byContent.values()];
}

function noteId(node: Node, content: string, declared: number, id: number): void {
  const message = t('{0}: {1} has id {2} by its place in the vocabulary, not {3}', node.path, content, id, declared);
  node.findings.notes.push({ code: 'tokenizer-id', path: pathWithin(node.path, 'id'), message });
}

function addedToken(node: Node, content: string, id: number): AddedToken {
  return {
    content,
    id,
    special: flagAt(node, 'special'),
    normalized: flagAt(node, 'normalized'),
    singleWord: flagAt(node, 'single_word'),
    left: flagAt(node, 'lstrip'),
    right: flagAt(node, 'rstrip'),
  };
}

export function addedTokens(all: readonly AddedToken[], normalize: Normalizer): AddedTokens {
  const entries = (normalized: boolean): (readonly [string, number])[] =>
    all
      .map((token, i) => [normalized ? normalize(original(token.content)).text : token.content, i] as const)
      .filter(([text, i]) => text !== '' && all[i]?.normalized === normalized);
  return {
    all,
    ids: new Set(all.map(({ id }) => id)),
    plain: trieOf(entries(false)),
    normalized: trieOf(entries(true)),
  };
}

/** Normalizes a text and splits it at added tokens. With `literally`, special tokens are ordinary text. */
export function partsOf(tokens: AddedTokens, text: Aligned, normalize: Normalizer, literally: boolean): Part[] {
  return splitAtAdded(tokens.all, tokens.plain, text, literally).flatMap((part) =>
    part.added || !part.text.text
      ? [part]
      : splitAtAdded(tokens.all, tokens.normalized, normalize(part.text), literally),
  );
}

function splitAtAdded(all: readonly AddedToken[], trie: Trie, a: Aligned, literally: boolean): Part[] {
  const { text } = a;
  if (trie.edges.size === 0) return text ? [{ text: a }] : [];
  const parts: Part[] = [];
  let done = 0;
  for (let at = 0; at < text.length;) {
    if (!trie.edges.has(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const match = longestAt(all, trie, text, at);
    const { end, token } = match ?? { end: at + 1, token: undefined };
    if (token && !(literally && token.special) && isWholeWord(token, text, at, end)) {
      const [from, to] = [token.left ? spaceBefore(text, at, done) : at, token.right ? spaceAfter(text, end) : end];
      if (from > done) parts.push({ text: slice(a, done, from) });
      parts.push({ text: slice(a, from, to), added: token });
      done = to;
    }
    at = end;
  }
  if (text.length > done) parts.push({ text: slice(a, done, text.length) });
  return parts;
}

function longestAt(
  all: readonly AddedToken[],
  trie: Trie,
  text: string,
  at: number,
): { end: number; token: AddedToken } | undefined {
  let found: { end: number; token: AddedToken } | undefined;
  prefixesAt(trie, text, at, (end, i) => {
    const token = all[i];
    if (token) found = { end, token };
  });
  return found;
}

function isWholeWord({ singleWord }: AddedToken, text: string, start: number, end: number): boolean {
  if (!singleWord) return true;
  const before = new RegExp(`[${wordCharacters}]$`, 'u').test(text.slice(Math.max(0, start - 2), start));
  return !before && !new RegExp(`^[${wordCharacters}]`, 'u').test(text.slice(end, end + 2));
}

function spaceBefore(text: string, at: number, least: number): number {
  let from = at;
  while (from > least && isSpace(text.charAt(from - 1))) from--;
  return from;
}

function spaceAfter(text: string, at: number): number {
  let to = at;
  while (to < text.length && isSpace(text.charAt(to))) to++;
  return to;
}
