import type { LocatedProblem } from '../webview/protocol';

/** `row 2 has 3 numbers, row 1 has 2 (attention.py, line 3, column 5). Hint. 2 more problems are in the log.` */
export function messageOf(problems: readonly LocatedProblem[], name: string): string {
  const [first] = problems;
  if (!first) return '';
  const more = problems.length - 1;
  const rest = more > 0 ? ` ${more} more ${more === 1 ? 'problem is' : 'problems are'} in the log.` : '';
  return `${describe(first, name)}${rest}`;
}

/** One problem, with the name of what was read and the place in it. */
export function describe({ message, hint, line, column }: LocatedProblem, name: string): string {
  const where = line === undefined ? name : `${name}, line ${line}, column ${column ?? 1}`;
  return `${message} (${where}).${hint ? ` ${hint}` : ''}`;
}
