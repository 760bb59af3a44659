import { t } from '../../../text';

/** State of the parser. */
export interface Parser {
  readonly source: string;
  at: number;
  /** Number of open groups. */
  depth: number;
  /** Inside `(?i:…)`. */
  fold: boolean;
}

/** Thrown to leave the parser; always caught in `readPattern`. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

export function refuse({ at }: Pick<Parser, 'at'>, message: string): never {
  throw new Refusal(message, at);
}

/** The next character; empty at the end. */
export const peek = ({ source, at }: Parser): string =>
  at < source.length ? String.fromCodePoint(source.codePointAt(at) ?? 0) : '';

export const hex = (c: string): string => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`;

/** The class of one character, with its other case inside `(?i:…)`. */
export function character(parser: Parser, c: string): string {
  if (!parser.fold) return hex(c);
  if (c > '\u007f' && c.toLowerCase() !== c.toUpperCase()) refuse(parser, t('(?i:{0}) is not supported', c));
  if (!/[a-z]/i.test(c)) return hex(c);
  const cases = [c.toLowerCase(), c.toUpperCase(), ...(/s/i.test(c) ? ['ſ'] : /k/i.test(c) ? ['\u212a'] : [])];
  return `[${cases.map(hex).join('')}]`;
}
