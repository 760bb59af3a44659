import { t } from '../../../text';

/** Where reading a pattern stands. */
export interface Parser {
  readonly source: string;
  at: number;
  /** Groups that are open. */
  depth: number;
  /** Inside `(?i:…)`. */
  fold: boolean;
}

/** Leaves the parser; caught where it was entered, so it reaches no one. */
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

/** The character to be read; empty at the end. */
export const peek = ({ source, at }: Parser): string =>
  at < source.length ? String.fromCodePoint(source.codePointAt(at) ?? 0) : '';

export const hex = (c: string): string => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`;

/** One character, with its other case inside `(?i:…)`. */
export function character(parser: Parser, c: string): string {
  if (!parser.fold) return hex(c);
  if (c > '\u007f' && c.toLowerCase() !== c.toUpperCase()) refuse(parser, t('(?i:{0}) is not supported', c));
  if (!/[a-z]/i.test(c)) return hex(c);
  const cases = [c.toLowerCase(), c.toUpperCase(), ...(/s/i.test(c) ? ['ſ'] : /k/i.test(c) ? ['\u212a'] : [])];
  return `[${cases.map(hex).join('')}]`;
}
