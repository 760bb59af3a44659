import type { CodeLine } from './code-lines';
import { argumentsIn } from './weight-product';

/* Scopes of names in Python code, from its lines: assignments, functions and their parameters. Nothing is executed. */

/** Most lines with the name that are searched before and after the end of the selection, and most lines that are returned. */
const [mostLines, mostUses] = [200, 100];

/** Indices of lines in which a name has its value from the selection; the selection ends after `own` lines. */
export function linesInScope(lines: readonly CodeLine[], own: number, name: string): readonly number[] {
  const word = escaped(name);
  const assigned = assignment(word);
  const all = lines.flatMap(({ code }, i) => (code.includes(name) && new RegExp(word).test(code) ? [i] : []));
  const mentions = [
    ...all.filter((i) => i < own).slice(-mostLines),
    ...all.filter((i) => i >= own).slice(0, mostLines),
  ];
  const defs = new Map(mentions.map((i) => [i, defAround(lines, i)]));
  const isParameter = (i: number): boolean =>
    defs.get(i)?.some((d) => parametersOf(lines[d])?.includes(name) === true) === true;
  const outside = mentions.filter((i) => !isParameter(i));
  const set = outside.filter((i) => assigned.test(lines[i]?.code ?? ''));
  const from = set.findLast((i) => i < own) ?? -1;
  const to = set.find((i) => i > from) ?? Infinity;
  // A function above the only assignment can only be called after it.
  const counts = (i: number): boolean =>
    (i > from && i < to) || (i < from && set.length === 1 && (defs.get(i)?.length ?? 0) > 0);
  return outside.filter(counts).slice(0, mostUses);
}

/** A pattern that matches a name as a whole word. */
export const escaped = (name: string): string => `(?<![\\w.])${name.replace(/[^\w]/g, '\\$&')}(?!\\w)`;

/** `W_q = …`, `W_q, W_k = …`, `W_q[0] = …`, `W_q *= 2`, `for W_q in …`, `W_q.mul_(2)`. */
export const assignment = (word: string): RegExp =>
  new RegExp(
    `^[^=(;<>!]{0,200}${word}[^=(;<>!]{0,200}=(?!=)|^for\\b[^=(]{0,200}${word}.{0,200}\\bin\\b|${word}(?:\\.data)?\\.(?!requires_grad_)\\w{1,40}_\\(|${word}\\s*:=`,
  );

const header = /^(?:async\s+)?def\s+(\w+)\s*\(/;

/** The line of each function by name; −1 for one that is defined twice. */
export function functionsIn(lines: readonly CodeLine[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [i, { code }] of lines.entries()) {
    const name = header.exec(code)?.[1];
    if (name !== undefined) found.set(name, found.has(name) ? -1 : i);
  }
  return found;
}

/** The names of a function's parameters, without defaults. */
export function parametersOf(line: CodeLine | undefined): readonly string[] | undefined {
  const found = line && header.exec(line.code);
  return found ? argumentsIn(line.code, found[0].length - 1).map((p) => /^\w*/.exec(p)?.[0] ?? '') : undefined;
}

/** The lines of the functions that enclose a line, innermost first. */
function defAround(lines: readonly CodeLine[], at: number): readonly number[] {
  const found: number[] = [];
  let indent = lines[at]?.indent ?? 0;
  if (header.test(lines[at]?.code ?? '')) found.push(at);
  for (let i = at - 1; i >= 0 && indent > 0; i--) {
    const line = lines[i] as CodeLine;
    if (line.code === '' || line.indent >= indent) continue;
    indent = line.indent;
    if (header.test(line.code)) found.push(i);
  }
  return found;
}
