import type { Problem, TextRange } from '../text';
import { leafWords, placeWords, type RaggedRow, type Words } from './nested-words';

/** Collects the problems of one literal: the first of each kind, by position. */
export interface NestedProblems {
  readonly list: () => readonly Problem[];
  readonly leaf: (kind: 'complex' | 'malformed' | 'string' | 'null', start: number, end: number) => void;
  readonly unknownName: (start: number, end: number, word: string) => void;
  readonly elided: (start: number, end: number) => void;
  readonly ragged: (range: TextRange, row: RaggedRow, ofRows: boolean) => void;
  readonly empty: (start: number, end: number, inner: boolean) => void;
  readonly tooDeep: (at: number) => void;
  readonly unclosed: (open: number, at: number) => void;
  readonly mismatched: (open: number, at: number) => void;
  readonly mixedDepth: (at: number, found: string, expected: string) => void;
  readonly unevenDepth: (at: number) => void;
  readonly missing: (at: number, message: string) => void;
  readonly noComma: (at: number) => void;
  readonly joined: (at: number) => void;
  readonly unexpected: (at: number) => void;
}

export function problemsOf(text: string): NestedProblems {
  const found = new Map<string, Problem>();
  const put = (code: string, start: number, end: number, [message, hint]: Words): void => {
    if (!found.has(code)) found.set(code, { code, message, hint, range: { start, end } });
  };
  const char = (at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 32);
  const putAt = (code: string, at: number, words: Words): void =>
    put(code, at, at + (at < text.length ? char(at).length : 0), words);
  return {
    list: () => inOrder(found),
    leaf: (kind, start, end) => {
      const what = shorten(text, start, end);
      const words = kind === 'malformed' && isOctal(what) ? leafWords.octal : leafWords[kind];
      put(kind, start, end, words(what));
    },
    unknownName: (start, end, word) => put('unknown-name', start, end, placeWords.unknownName(word)),
    elided: (start, end) => put('elided', start, end, placeWords.elided(text.slice(start, end))),
    ragged: ({ start, end }, row, ofRows) => put('ragged', start, end, placeWords.ragged(row, ofRows)),
    empty: (start, end, inner) => put('empty', start, end, placeWords.empty(inner)),
    tooDeep: (at) => putAt('too-deep', at, placeWords.tooDeep()),
    unclosed: (open, at) => putAt('unbalanced', open, placeWords.unclosed(char(open), text, at)),
    mismatched: (open, at) => putAt('unbalanced', at, placeWords.mismatched(char(open), char(at))),
    mixedDepth: (at, what, expected) => putAt('mixed-depth', at, placeWords.mixedDepth(what, expected)),
    unevenDepth: (at) => putAt('mixed-depth', at, placeWords.unevenDepth()),
    missing: (at, message) => putAt('missing-number', at, placeWords.missing(message)),
    noComma: (at) => putAt('separator', at, placeWords.noComma()),
    joined: (at) => putAt('unexpected', at, placeWords.unexpected(char(at))),
    unexpected: (at) => putAt('unexpected', at, placeWords.unexpected(char(at))),
  };
}

/** Whether a number begins with a 0 that makes it octal in C and decimal in other languages: `010`, `-0'17L`. */
const isOctal = (written: string): boolean => /^[+−-]?\s*0[\d_']+[a-z]*$/i.test(written);

/** Sorted by position. Problems of row lengths and depths are dropped if numbers were elided or the reader gave up. */
function inOrder(found: ReadonlyMap<string, Problem>): Problem[] {
  const [elided, mixed] = [found.has('elided'), found.has('mixed-depth')];
  return [...found.values()]
    .filter((p) => !(elided && p.code === 'mixed-depth') && !((elided || mixed) && p.code === 'ragged'))
    .sort((a, b) => (a.range?.start ?? 0) - (b.range?.start ?? 0));
}

const shorten = (text: string, start: number, end: number): string =>
  end - start > 40 ? `${text.slice(start, start + 39)}…` : text.slice(start, end);
