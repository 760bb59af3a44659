// `explain-attention check FILE.md`: what a document says of its own numbers and does not hold.
import { checkingDocument, formulasOf, type Mark } from '../formula';
import { pythonIn } from '../parse';
import { finish, positionAt, t } from '../text';
import type { Outcome } from './lesson';

const languageOf = (path: string): string => (/\.(?:tex|ltx)$/i.test(path) ? 'latex' : 'markdown');

/** A text with prose: by its name, or since it has blocks of code or formulas of attention. */
export const isDocument = (path: string, text: string): boolean =>
  /\.(?:md|markdown|qmd|rmd|tex|ltx|rst)$/i.test(path) ||
  (/\.txt$/i.test(path) && (pythonIn(text) !== undefined || formulasOf(text, 'markdown').hasAttention));

export function checkDocument(path: string, text: string, json: boolean): Outcome {
  const marks = finish(checkingDocument(text, languageOf(path)));
  const out = json
    ? JSON.stringify({ marks: marks.map((mark) => jsonOf(text, mark)) })
    : marks.length === 0
      ? `${path}: ${t('nothing was found that does not hold')}`
      : marks.map((mark) => wordsOf(path, text, mark)).join('\n');
  return { status: marks.length > 0 ? 1 : 0, out: `${out}\n`, error: '' };
}

function jsonOf(text: string, { rule, range, message, instead, because }: Mark): unknown {
  const [from, to] = [positionAt(text, range.start), positionAt(text, range.end)];
  return {
    rule,
    ...from,
    endLine: to.line,
    endColumn: to.column,
    message,
    ...(instead === undefined ? {} : { instead }),
    ...(because && { codeLine: positionAt(text, because.start).line }),
  };
}

function wordsOf(path: string, text: string, { rule, range, message, instead }: Mark): string {
  const { line, column } = positionAt(text, range.start);
  return `${path}:${line}:${column}: ${message} [${rule}]${instead === undefined ? '' : `\n  ${instead}`}`;
}
