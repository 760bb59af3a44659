// `explain-attention doctor FILE.py`, `FILE.ipynb`: where the attention of Python code departs from attention.
import { readFileSync } from 'node:fs';
import { positionAt } from '../index';
import { diagnosingText, isRule, ruleIds, rules, severities, type Finding, type RuleId, type Severity } from '../program'; // prettier-ignore
import { finish, ok, t, type Result } from '../text';
import { importsBeside } from './imports';
import { errorText, failedOutcome, type Outcome } from './lesson';
import { orderLine, readNotebook, type NotebookCode } from './notebook';

const doctorUsage = (): string =>
  t(`Usage: explain-attention doctor FILE... [--json] [--rule RULE=SEVERITY]

Says where attention in Python code (FILE.py, FILE.ipynb) departs from attention, each with the numbers before and after, and what to write instead where that is certain.
The code is read and not run. A comment "# explain-attention: ignore[RULE]" on the line, or on a line above it, keeps a rule silent.

Options:
  --rule RULE=SEVERITY  error, warning, information, hint or off; may be repeated
  --json                {"files": [{"file", "attentions", "computed", "findings": [{"rule", "severity", "cell", "line", "column", "message", "mend"}], "causes": [{"kind", "cell", "line", "column", "message"}]}]}
                        causes: where Python would stop (kind error); where no attention was found, what was not followed first (kind unknown)

Rules: {0}

Exit status: 0 no warning and no error; 1 some; 2 bad input.
`, ruleIds.map((id) => `${id} (${rules[id].severity})`).join(', ')); // prettier-ignore

interface Asked {
  readonly files: readonly string[];
  readonly json: boolean;
  readonly severities: ReadonlyMap<RuleId, Severity>;
}

interface OfFile {
  readonly file: string;
  readonly attentions: number;
  readonly computed: number;
  readonly findings: readonly Shown[];
  readonly causes: readonly ShownCause[];
}

/** Where Python would stop, or what is not followed. */
interface ShownCause extends Pick<Shown, 'cell' | 'line' | 'column' | 'message'> {
  readonly kind: 'error' | 'unknown';
}

interface Shown {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** Of a notebook: the number of its cell, from 1. `line` counts in it. */
  readonly cell?: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly source: string;
  /** The lines that the mend changes, as they are then. */
  readonly mend?: { readonly title: string; readonly text: string };
}

/** Runs the command with the words after `doctor`. */
export function diagnoseFiles(words: readonly string[]): Outcome {
  if (words.includes('--help') || words.includes('-h')) return { status: 0, out: doctorUsage(), error: '' };
  const asked = readWords(words);
  if (typeof asked === 'string') return failedOutcome(2, `explain-attention doctor: ${asked}\n\n${doctorUsage()}`);
  const all: OfFile[] = [];
  let error = '';
  for (const file of asked.files)
    try {
      const read = codeOf(file, readFileSync(file, 'utf8'));
      if (!read.ok) return failedOutcome(2, read.problems.map(({ message }) => `${file}: ${message}\n`).join(''));
      error += orderLine(file, read.value);
      all.push(ofFile(file, read.value, asked));
    } catch (cause) {
      return failedOutcome(2, `explain-attention doctor: ${t('cannot read {0}: {1}', file, errorText(cause))}\n`);
    }
  const loud = all.some(({ findings }) => findings.some(({ severity }) => severity === 'error' || severity === 'warning')); // prettier-ignore
  const out = asked.json ? `${JSON.stringify({ files: all })}\n` : all.map(linesOf).join('');
  return { status: loud ? 1 : 0, out, error };
}

function readWords(words: readonly string[]): Asked | string {
  const files: string[] = [];
  const chosen = new Map<RuleId, Severity>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--json') continue;
    if (!word.startsWith('--')) {
      files.push(word);
      continue;
    }
    if (!/^--rule(=|$)/.test(word)) return t('unknown option {0}', word);
    const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[++i] ?? '');
    const [rule = '', severity = ''] = value.split('=');
    const known = severities.find((one) => one === severity);
    if (!isRule(rule) || !known) return t('{0} is no rule with a severity: {1}', '--rule', value);
    chosen.set(rule, known);
  }
  return files.length === 0 ? t('expected a file') : { files, json: words.includes('--json'), severities: chosen };
}

type Code = Pick<NotebookCode, 'text' | 'cells' | 'ran' | 'order'>;

const codeOf = (file: string, text: string): Result<Code> =>
  file.endsWith('.ipynb') ? readNotebook(text) : ok({ text, cells: [], ran: [] });

function ofFile(file: string, code: Code, { severities: chosen }: Asked): OfFile {
  const {
    findings,
    attentions,
    computed,
    causes: all,
  } = finish(diagnosingText(code.text, { files: importsBeside(file) }));
  const causes = all.filter(({ kind, range: { start } }) => kind !== 'error' || !code.ran.some((cell) => cell.start <= start && start < cell.end)); // prettier-ignore
  return {
    file,
    attentions,
    computed,
    findings: findings.flatMap((one) => shownOf(code, one, chosen)),
    causes: causes.map(({ kind, text, range }) => ({ kind, ...placeOf(code, range.start), message: text })),
  };
}

function shownOf(code: Code, found: Finding, chosen: ReadonlyMap<RuleId, Severity>): readonly Shown[] {
  const { rule, message, range, mend, source } = found;
  const severity = chosen.get(rule) ?? found.severity;
  if (severity === 'off') return [];
  const written = mend && {
    title: mend.title,
    text: mend.edits
      .map((edit) => edit.text)
      .join('\n')
      .trim(),
  };
  return [{ rule, severity, ...placeOf(code, range.start), message, source, ...(written && { mend: written }) }];
}

function placeOf({ text, cells }: Code, at: number): Pick<Shown, 'cell' | 'line' | 'column'> {
  const cell = cells.findLast(({ start }) => start <= at);
  return cell ? { cell: cell.number, ...positionAt(text.slice(cell.start), at - cell.start) } : positionAt(text, at);
}

function linesOf({ file, attentions, computed, findings, causes }: OfFile): string {
  const at = ({ cell, line, column }: Pick<Shown, 'cell' | 'line' | 'column'>): string =>
    `${cell === undefined ? file : `${file}: ${t('cell {0}', cell)}`}:${line}:${column}`;
  const said = findings.map(({ cell, line, column, severity, message, rule, mend }) => {
    const instead = mend ? `  ${mend.title}: ${mend.text.replaceAll('\n', '\n  ')}\n` : '';
    return `${at({ ...(cell !== undefined && { cell }), line, column })}: ${word(severity)}: ${message} [${rule}]\n${instead}`;
  });
  for (const cause of causes)
    said.push(`${at(cause)}: ${cause.kind === 'error' ? `${t('Python stops here: {0}', cause.message)} [python-error]` : t('not followed: {0}', cause.message)}\n`);
  return `${said.join('')}${file}: ${t('attentions found: {0}, computed: {1}, departures: {2}', attentions, computed, findings.length)}\n`;
} // prettier-ignore

function word(severity: Severity): string {
  switch (severity) {
    case 'error':
      return t('error');
    case 'warning':
      return t('warning');
    case 'hint':
      return t('hint');
    default:
      return t('information');
  }
}
