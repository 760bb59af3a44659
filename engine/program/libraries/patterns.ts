/** Python's regular expressions by the host's, where a pattern means the same in both; others are not known. */
import { t } from '../../text';
import { wholeOf } from '../evaluate';
import {
  bool,
  builtin,
  int,
  list,
  none,
  str,
  tuple,
  unknown,
  type Instance,
  type Machine,
  type Value,
} from '../machine';

class Other extends Error {}

const other = (): never => {
  throw new Other();
};

/** What a part of a pattern may do. */
interface Part {
  readonly text: string;
  readonly isEmpty: boolean;
  /** Most quantifiers without an upper bound on one way through it: its work grows with the text's length to this power. */
  readonly loops: number;
  readonly repeats: boolean;
  readonly captures: boolean;
}

const end = '(?![^])';

/** A pattern in the host's syntax. */
function translated(pattern: string, flags: number): Part & { readonly groups: number } {
  let [at, groups, isOdd] = [0, 0, false];
  const eat = (found: RegExp): RegExpExecArray | null => {
    found.lastIndex = at;
    const match = found.exec(pattern);
    if (match) at = found.lastIndex;
    return match;
  };

  const single = (text: string): Part => ({ text, isEmpty: false, loops: 0, repeats: false, captures: false });
  const empty = (text: string): Part => ({ ...single(text), isEmpty: true });

  function either(): Part {
    const ways = [sequence()];
    while (eat(/\|/y)) ways.push(sequence());
    const part: Part = {
      text: ways.map(({ text }) => text).join('|'),
      isEmpty: ways.some(({ isEmpty }) => isEmpty),
      loops: Math.max(...ways.map(({ loops }) => loops)),
      repeats: ways.some(({ repeats }) => repeats),
      captures: ways.some(({ captures }) => captures),
    };
    // Python looks for what is longer where it has just found nothing.
    if (ways.length > 1 && part.isEmpty) isOdd = true;
    return part;
  }

  function sequence(): Part {
    const parts: Part[] = [];
    while (at < pattern.length && !/[|)]/.test(pattern.charAt(at))) parts.push(repeated());
    return {
      text: parts.map(({ text }) => text).join(''),
      isEmpty: parts.every(({ isEmpty }) => isEmpty),
      loops: parts.reduce((sum, { loops }) => sum + loops, 0),
      repeats: parts.some(({ repeats }) => repeats),
      captures: parts.some(({ captures }) => captures),
    };
  }

  function repeated(): Part {
    const start = at;
    const part = atom();
    const isGroup = pattern.charAt(start) === '(';
    const how = eat(/[*+?]|\{\d+(?:,\d*)?\}|\{,\d+\}/y)?.[0];
    if (how === undefined) return part;
    const isLazy = eat(/\?/y) !== null;
    // A group that repeats what repeats may take for ever; of what it captures each keeps something else.
    if (eat(/[*+{]/y) || (how !== '?' && isGroup && (part.repeats || part.isEmpty || /\(.*\((?!\?)/.test(pattern.slice(start, at)))) || (isGroup && part.isEmpty)) other(); // prettier-ignore
    if (isLazy) isOdd = true;
    return {
      ...part,
      text: part.text + how.replace('{,', '{0,') + (isLazy ? '?' : ''),
      isEmpty: part.isEmpty || /^[*?]|^\{0*[,}]/.test(how),
      loops: part.loops + (/^[*+]|,\}/.test(how) ? 1 : 0),
      repeats: true,
    };
  }

  function atom(): Part {
    if (eat(/\(/y)) return group();
    if (eat(/\[/y)) return single(set());
    if (eat(/\./y)) return single(flags & 16 ? '[^]' : '[^\\n]');
    if (eat(/\^/y)) return empty(flags & 8 ? '(?<![^\\n])' : '(?<![^])');
    if (eat(/\$/y)) return empty(flags & 8 ? '(?![^\\n])' : `(?=\\n?${end})`);
    if (eat(/\\A/y)) return empty('(?<![^])');
    if (eat(/\\Z/y)) return empty(end);
    const edge = eat(/\\[bB]/y);
    if (edge) return empty(edge[0]);
    if (pattern.charAt(at) === '\\') return single(escaped());
    if (/[*+?]/.test(pattern.charAt(at))) other();
    const [char] = eat(/[^]/y) ?? [''];
    return single(/[{}\]/]/.test(char) ? `\\${char}` : char);
  }

  const escaped = (): string => eat(/\\(?:[wWdDsSnrtfv]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|[^\w\s]| )/y)?.[0] ?? other();

  /** A set of characters, behind its bracket. */
  function set(): string {
    let text = eat(/\^/y) ? '[^' : '[';
    if (eat(/\]/y)) text += '\\]';
    while (!eat(/\]/y)) {
      const char = pattern.charAt(at);
      if (char === '' || /\[:|&&|~~|\|\|/y.test(pattern.slice(at, at + 2))) other();
      if (char === '\\') text += escaped();
      else text += eat(/[^]/y)?.[0].replace('[', '\\[') ?? '';
      if (/\\[wWdDsS]$/.test(text) && /^-[^\]]/.test(pattern.slice(at))) other();
    }
    return `${text}]`;
  }

  function group(): Part {
    const kind = eat(/\?(?:P?<(?!=|!)\w+>|:|=|!|<=|<!)/y)?.[0] ?? '';
    if (kind === '' && pattern.charAt(at) === '?') other();
    // Python names groups by `?P<`.
    if (/^\?</.test(kind) && !/^\?<[=!]/.test(kind)) other();
    const captures = kind === '' || kind.startsWith('?P');
    if (captures) groups++;
    const part = either();
    if (!eat(/\)/y)) other();
    const looks = /[=!]$/.test(kind);
    if (looks && (part.captures || (kind.startsWith('?<') && (part.repeats || part.text.includes('|'))))) other();
    return {
      ...part,
      text: `(${kind.replace('?P', '?')}${part.text})`,
      isEmpty: looks || part.isEmpty,
      captures: captures || part.captures,
    };
  }

  const whole = either();
  if (at < pattern.length || (isOdd && whole.isEmpty)) other();
  return { ...whole, groups };
}

/** How long a text may be, by how many loops of a pattern may each try all of it. */
const longest = [200_000, 20_000, 2_000, 400];

const isPlain = (text: string): boolean => /^[\t-\r -~\u2010-\u2027]*$/.test(text);

interface Compiled {
  readonly source: string;
  readonly flags: number;
  readonly part: ReturnType<typeof translated>;
}

/** 2 ignores case, 8 takes lines, 16 lets a dot take them all, 32 is Unicode, 256 ASCII. */
function compiled(pattern: string, flags: number, text: string): Compiled {
  const [, letters = ''] = /^\(\?([imsua]+)\)/.exec(pattern) ?? [];
  const rest = pattern.slice(letters ? letters.length + 3 : 0);
  const all = [...letters].reduce((sum, one) => sum | (({ i: 2, m: 8, s: 16, u: 32, a: 256 })[one] ?? 0), flags); // prettier-ignore
  const part = translated(rest, all);
  // Letters, digits and blanks beyond ASCII are Python's own.
  const asks = (all & 2) !== 0 || /\\[wWdDsSbB]/.test(rest);
  const isLong = text.length > (longest[Math.min(part.loops, 3)] ?? 0);
  if (all & ~(2 | 8 | 16 | 32 | 256) || isLong || /[\ud800-\udfff]/.test(text + rest) || (asks && !isPlain(text + rest))) other(); // prettier-ignore
  return { source: part.text, flags: all, part };
}

/** The matches in a text from a place on, each once. */
function found({ source, flags }: Compiled, text: string, how: string, from: number, most: number): RegExpExecArray[] {
  const isAt = how === 'match' || how === 'fullmatch';
  const search = new RegExp(how === 'fullmatch' ? `(?:${source})${end}` : source, `d${isAt ? 'y' : 'g'}${flags & 2 ? 'i' : ''}`); // prettier-ignore
  const out: RegExpExecArray[] = [];
  search.lastIndex = from;
  while (out.length < most) {
    const match = search.lastIndex > text.length ? null : search.exec(text);
    if (!match) break;
    out.push(match);
    if (isAt || how === 'search') break;
    if (match[0] === '') search.lastIndex++;
  }
  return out;
}

/** What `\1`, `\g<name>` and others of a replacement stand for. */
function expanded(template: string, match: RegExpExecArray): string {
  return template.replace(
    /\\(?:g<(\w+)>|([1-9]\d?)|([nrtfv\\])|[^])/g,
    (all, name?: string, place?: string, char?: string) => {
      // prettier-ignore
      const key = name ?? place;
      if (char) return { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }[char] ?? '\\';
      if (key === undefined) return /\\[A-Za-z\d]/.test(all) ? other() : all;
      if (!/^\d+$/.test(key)) return match.groups && key in match.groups ? (match.groups[key] ?? '') : other();
      return Number(key) < match.length ? (match[Number(key)] ?? '') : other();
    },
  );
}

const text = (one: string | undefined, otherwise: Value): Value => (one === undefined ? otherwise : str(one));

/** What `split` leaves: texts between the matches, with what these captured. */
function parts(matches: readonly RegExpExecArray[], whole: string): Value {
  let from = 0;
  const out: Value[] = [];
  for (const { 0: all, index, ...rest } of matches) {
    out.push(str(whole.slice(from, index)));
    for (let i = 1; i in rest; i++) out.push(text(rest[i], none));
    from = index + all.length;
  }
  return list([...out, str(whole.slice(from))]);
}

/** A match as its definition in Python takes it: the places of each group, and the names that some have. */
function spans(match: RegExpExecArray): Value {
  const indices = match.indices ?? [];
  const names = Object.entries(match.indices?.groups ?? {}).map(([name, of]) => tuple([str(name), int(indices.findIndex((one, i) => i > 0 && one === of))])); // prettier-ignore
  return tuple([list(Array.from(indices, (one) => tuple([int(one?.[0] ?? -1), int(one?.[1] ?? -1)]))), list(names)]);
}

function answered(how: string, matches: readonly RegExpExecArray[], whole: string, template: string): Value {
  if (how === 'split') return parts(matches, whole);
  if (how === 'findall')
    return list(
      matches.map((match) => {
        const groups = match.slice(1).map((one) => text(one, str('')));
        return groups.length > 1 ? tuple(groups) : (groups[0] ?? str(match[0]));
      }),
    );
  if (how !== 'subn') return list(matches.map(spans));
  let [out, from] = ['', 0];
  for (const match of matches) {
    out += whole.slice(from, match.index) + expanded(template, match);
    from = match.index + match[0].length;
  }
  return tuple([str(out + whole.slice(from)), int(matches.length)]);
}

/** `_re(how, pattern, flags, text, from, most, template)`. */
export function matched(m: Machine, args: readonly Value[]): Value {
  const [how, pattern, flags, whole, from, most, template = str('')] = args;
  const [bits, start, count] = [flags, from, most].map((one) => one && wholeOf(one));
  const open = args.find((one) => one.kind === 'unknown');
  if (open) return open;
  if (how?.kind !== 'str' || pattern?.kind !== 'str' || whole?.kind !== 'str' || template.kind !== 'str' || bits === undefined || start === undefined || count === undefined) return unknown(m, t('{0} is not known', 're')); // prettier-ignore
  try {
    const one = compiled(pattern.value, Number(bits), whole.value);
    const matches = found(one, whole.value, how.value, Number(start), Number(count) || Infinity);
    return answered(how.value, matches, whole.value, template.value);
  } catch (error) {
    if (error instanceof Other || error instanceof SyntaxError)
      return unknown(m, t('{0} is not known', `re (${pattern.value.slice(0, 40)})`));
    throw error;
  }
}

/** `re.I`, which is no number: what it is told apart by is its class. */
export function flag(value: number): Instance {
  const bits = (of: Value | undefined): number => Number((of?.kind === 'instance' && wholeOf(of.attributes.get('value') ?? none)) || 0); // prettier-ignore
  const or = builtin('__or__', function* ({ positional: [a, b] }) {
    yield;
    return flag(bits(a) | bits(b));
  });
  return {
    kind: 'instance',
    of: { kind: 'class', name: 'RegexFlag', bases: [], attributes: new Map([['__or__', or], ['__bool__', builtin('__bool__', function* () { yield; return bool(value !== 0); })]]) }, // prettier-ignore
    attributes: new Map([['value', int(value)]]),
  };
}
