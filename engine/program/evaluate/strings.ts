/** Methods of text and bytes, as far as they need no other values than their arguments. */
import { raise, bool, int, list, str, tuple, type Value } from '../machine';
import { wholeOf } from './numbers';

/** Arguments by position, keywords at the places where the method has them. */
export type TextMethod = (self: string, args: readonly Value[]) => Value;

const textOf = (value: Value | undefined, otherwise = ''): string => (value?.kind === 'str' ? value.value : otherwise);

const numberOf = (value: Value | undefined, otherwise: number): number => {
  const whole = value && wholeOf(value);
  return whole === undefined ? otherwise : Number(whole);
};

const isSpace = (c: string): boolean => /^\s$/.test(c);

function strip(text: string, set: Value | undefined, left: boolean, right: boolean): string {
  const drops = (c: string | undefined): boolean =>
    c !== undefined && (set?.kind === 'str' ? set.value.includes(c) : isSpace(c));
  let [from, to] = [0, text.length];
  while (left && from < to && drops(text[from])) from++;
  while (right && to > from && drops(text[to - 1])) to--;
  return text.slice(from, to);
}

/** At white space: at most `most` cuts, from the left or from the right. */
function words(text: string, most: number, fromRight: boolean): string[] {
  const all = [...text.matchAll(/\S+/g)];
  if (most < 0 || all.length <= most + 1) return all.map(([word]) => word);
  const cut = fromRight ? all[all.length - 1 - most] : all[most];
  if (!cut) return [];
  if (fromRight)
    return [
      text.slice(0, cut.index + cut[0].length).trimStart(),
      ...all.slice(-most || all.length).map(([word]) => word),
    ];
  return [...all.slice(0, most).map(([word]) => word), text.slice(cut.index).trimEnd()];
}

const split =
  (fromRight: boolean): TextMethod =>
  (text, [mark, limit]) => {
    const most = numberOf(limit, -1);
    if (mark?.kind !== 'str') return list(words(text, most, fromRight).map(str));
    if (mark.value === '') return raise('ValueError', 'empty separator');
    const parts = text.split(mark.value);
    if (most < 0 || parts.length <= most + 1) return list(parts.map(str));
    const cut = parts.length - most;
    return list(
      (fromRight
        ? [parts.slice(0, cut).join(mark.value), ...parts.slice(cut)]
        : [...parts.slice(0, most), parts.slice(most).join(mark.value)]
      ).map(str),
    );
  };

const partition =
  (fromRight: boolean): TextMethod =>
  (text, [mark]) => {
    const by = textOf(mark);
    const at = fromRight ? text.lastIndexOf(by) : text.indexOf(by);
    const parts =
      at < 0 ? (fromRight ? ['', '', text] : [text, '', '']) : [text.slice(0, at), by, text.slice(at + by.length)];
    return tuple(parts.map(str));
  };

/** The part of a text from `start` to `end`, and where it begins. */
function within(
  text: string,
  start: Value | undefined,
  end: Value | undefined,
): { readonly part: string; readonly from: number } {
  const place = (value: Value | undefined, otherwise: number): number => {
    const x = numberOf(value, otherwise);
    return Math.min(Math.max(x < 0 ? x + text.length : x, 0), text.length);
  };
  const from = place(start, 0);
  return { part: text.slice(from, Math.max(from, place(end, text.length))), from };
}

const find =
  (last: boolean, refuses: boolean): TextMethod =>
  (text, [wanted, start, end]) => {
    const { part, from } = within(text, start, end);
    const at = last ? part.lastIndexOf(textOf(wanted)) : part.indexOf(textOf(wanted));
    if (at < 0 && refuses) return raise('ValueError', 'substring not found');
    return int(at < 0 ? -1 : from + [...part.slice(0, at)].length);
  };

const affix =
  (test: (part: string, wanted: string) => boolean): TextMethod =>
  (text, [wanted, start, end]) => {
    const { part } = within(text, start, end);
    return bool((wanted?.kind === 'tuple' ? wanted.items : [wanted]).some((one) => test(part, textOf(one))));
  };

function centred(text: string, [width, fill]: readonly Value[], left: boolean, right: boolean): Value {
  const room = Math.max(0, numberOf(width, 0) - [...text].length);
  const mark = textOf(fill, ' ');
  if (!left || !right) return str(left ? mark.repeat(room) + text : text + mark.repeat(room));
  // Python's own rule for the odd one.
  const before = Math.floor(room / 2) + (room & numberOf(width, 0) & 1);
  return str(mark.repeat(before) + text + mark.repeat(room - before));
}

const capitalized = (text: string): string => {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('').toLowerCase();
};

const test =
  (pattern: RegExp): TextMethod =>
  (text) =>
    bool(pattern.test(text));

const cased = (text: string, wanted: (text: string) => string): Value =>
  bool(wanted(text) === text && text.toLowerCase() !== text.toUpperCase());

function replaced(text: string, [from, to, count]: readonly Value[]): Value {
  let left = numberOf(count, -1);
  if (left < 0) return str(text.replaceAll(textOf(from), () => textOf(to)));
  const parts: string[] = [];
  let at = 0;
  for (let next = text.indexOf(textOf(from)); next >= 0 && left > 0; next = text.indexOf(textOf(from), at), left--) {
    parts.push(text.slice(at, next), textOf(to));
    at = next + textOf(from).length;
  }
  return str(parts.join('') + text.slice(at));
}

const lines = (text: string, keep: boolean): Value =>
  list(
    (
      text.match(keep ? /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g : /[^\r\n]*(?=\r\n|\r|\n)(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []
    ).map((line) => str(keep ? line : line.replace(/[\r\n]+$/, ''))),
  );

const zeros = (text: string, width: number): Value => {
  const [, sign = '', digits = ''] = /^([-+]?)([^]*)$/.exec(text) ?? [];
  return str(sign + digits.padStart(width - sign.length, '0'));
};

export const textMethods: Readonly<Record<string, TextMethod>> = {
  lower: (s) => str(s.toLowerCase()),
  casefold: (s) => str(s.toLowerCase().replaceAll('ß', 'ss')),
  upper: (s) => str(s.toUpperCase()),
  swapcase: (s) => str([...s].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('')),
  title: (s) => str(s.replace(/\p{L}+/gu, capitalized)),
  capitalize: (s) => str(capitalized(s)),
  strip: (s, [set]) => str(strip(s, set, true, true)),
  lstrip: (s, [set]) => str(strip(s, set, true, false)),
  rstrip: (s, [set]) => str(strip(s, set, false, true)),
  split: split(false),
  rsplit: split(true),
  splitlines: (s, [keep]) => lines(s, keep?.kind === 'bool' && keep.value),
  partition: partition(false),
  rpartition: partition(true),
  startswith: affix((part, wanted) => part.startsWith(wanted)),
  endswith: affix((part, wanted) => part.endsWith(wanted)),
  removeprefix: (s, [part]) => str(s.startsWith(textOf(part)) ? s.slice(textOf(part).length) : s),
  removesuffix: (s, [part]) =>
    str(textOf(part) !== '' && s.endsWith(textOf(part)) ? s.slice(0, -textOf(part).length) : s),
  replace: replaced,
  find: find(false, false),
  rfind: find(true, false),
  index: find(false, true),
  rindex: find(true, true),
  count: (s, [wanted, start, end]) => {
    const { part } = within(s, start, end);
    return int(textOf(wanted) === '' ? [...part].length + 1 : part.split(textOf(wanted)).length - 1);
  },
  isdigit: test(/^\d+$/),
  isdecimal: test(/^\p{Nd}+$/u),
  isnumeric: test(/^\p{N}+$/u),
  isalpha: test(/^\p{L}+$/u),
  isalnum: test(/^[\p{L}\p{N}]+$/u),
  isspace: test(/^\s+$/),
  isascii: test(/^[\0-\x7f]*$/),
  isidentifier: test(/^[\p{L}_][\p{L}\p{N}_]*$/u),
  islower: (s) => cased(s, (one) => one.toLowerCase()),
  isupper: (s) => cased(s, (one) => one.toUpperCase()),
  zfill: (s, [width]) => zeros(s, numberOf(width, 0)),
  ljust: (s, args) => centred(s, args, false, true),
  rjust: (s, args) => centred(s, args, true, false),
  center: (s, args) => centred(s, args, true, true),
  expandtabs: (s) => str(s.replaceAll('\t', ' '.repeat(8))),
  encode: (s) => ({ kind: 'bytes', value: String.fromCharCode(...new TextEncoder().encode(s)) }),
};

/** Names that some of these take as keywords, in their order. */
export const textKeywords: Readonly<Record<string, readonly string[]>> = {
  split: ['sep', 'maxsplit'],
  rsplit: ['sep', 'maxsplit'],
  splitlines: ['keepends'],
};

export const decoded = (bytes: string): Value =>
  str(new TextDecoder('utf-8').decode(Uint8Array.from([...bytes].map((c) => c.charCodeAt(0)))));
