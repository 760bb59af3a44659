import type { LocatedProblem } from '../../webview/protocol';

/** Translates a text and fills its placeholders `{0}`, `{1}` …, as `vscode.l10n.t` does. */
export type Translate = (text: string, ...values: readonly (string | number)[]) => string;

/** Fills the placeholders without translating. */
const plain: Translate = (text, ...values) =>
  text.replace(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)]));

/** One message for several problems: `row 2 has 3 numbers, row 1 has 2 (attention.py, line 3, column 5). Hint. 2 more problems are in the log.` */
export function messageOf(problems: readonly LocatedProblem[], name: string, t: Translate = plain): string {
  const [first] = problems;
  if (!first) return '';
  const more = problems.length - 1;
  const said = describe(first, name, t);
  if (more === 0) return said;
  return `${said} ${more === 1 ? t('1 more problem is in the log.') : t('{0} more problems are in the log.', more)}`;
}

/** One problem as text, with the name of the document or input it was found in, and line and column where they are known. */
export function describe({ message, hint, line, column }: LocatedProblem, name: string, t: Translate = plain): string {
  const where = line === undefined ? name : t('{0}, line {1}, column {2}', name, line, column ?? 1);
  return `${message} (${where}).${hint ? ` ${hint}` : ''}`;
}
