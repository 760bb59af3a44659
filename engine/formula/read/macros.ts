/** Macros that a document defines for its formulas: `\newcommand`, `\def`, `\DeclareMathOperator`. */
import { groupAt } from './braces';

export interface Macro {
  readonly body: string;
  readonly arguments: number;
}

export type Macros = ReadonlyMap<string, Macro>;

const definition =
  /\\(?:(?:re)?newcommand\*?|providecommand\*?|DeclareMathOperator\*?|def|gdef)\s*\{?\s*\\([A-Za-z]+)\s*\}?/g;

/** Those that are defined anywhere in a text; the last definition of a name. */
export function macrosOf(text: string): Macros {
  const found = new Map<string, Macro>();
  if (!/\\(?:def|gdef|(?:re)?newcommand|providecommand|DeclareMathOperator)/.test(text)) return found;
  for (const one of text.matchAll(definition)) {
    const name = one[1] ?? '';
    let at = one.index + one[0].length;
    const count = /^\s*\[(\d)\]/.exec(text.slice(at, at + 8));
    if (count) at += count[0].length;
    const plain = /^(?:#\d)+/.exec(text.slice(at, at + 18));
    if (plain) at += plain[0].length;
    const body = groupAt(text, at, text.length);
    if (!body || /\[/.test(text.charAt(at))) continue;
    const written = text.slice(body.start, body.end);
    const operator = one[0].startsWith('\\DeclareMathOperator');
    const number = count ? Number(count[1]) : plain ? plain[0].length / 2 : 0;
    found.set(name, { body: operator ? `\\operatorname{${written}}` : written, arguments: number });
  }
  return found;
}
