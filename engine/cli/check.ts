// `explain-attention check FILE`: which step of the file's attention a printed result is, or which mistake explains it.
import { existsSync, readFileSync } from 'node:fs';
import { checkResult, digitsFor, printedAs, printedLiteral, wordsOf, type Checked, type Printed } from '../diagnose';
import {
  openTensorFile,
  parseMatrices,
  positionAt,
  sourceOfBytes,
  type AttentionTrace,
  type ParsedMatrix,
  type Problem,
  type Result,
} from '../index';
import { fail, finish, ok, t } from '../text';
import { readArguments, type Arguments } from './arguments';
import { checkProgram, jsonOf as codeJson, linesOf as codeLines, statusOf as codeStatus } from './check-code';
import { checkDocument, isDocument } from './check-document';
import { errorText, failedOutcome, locatedProblems, type Outcome } from './lesson';
import { orderLine, readNotebook, type NotebookCode } from './notebook';
import { pathOf } from './program';

const checkUsage = (): string =>
  t(`Usage: explain-attention check FILE [--result NAME] [--json] [--set FIELD=VALUE]

Says which step of the attention in FILE a printed result is, and if it is none, which known mistake gives all its numbers.
FILE is anything that explain-attention explains. Of a document (FILE.md, FILE.tex) each printed matrix and each sentence that can be computed
is checked: against its code, its other matrices, its formulas; a comment "<!-- explain-attention: ignore[RULE] -->" keeps a rule silent.
Of a program (FILE.py, FILE.ipynb) what its comments and outputs show is checked: against each step of the code, and against attention without its mistakes.

Options:
  --result NAME      a matrix of FILE by its name, of a program by what prints it, or a file of one tensor (.npy, .npz, .safetensors, .csv, .json);
                     without it, each matrix of FILE that its attention does not use
  --set FIELD=VALUE  change a field of the attention; may be repeated
  --json             {"results": [{"name", "line", "is": "step" | "mistake" | "several" | "none", "digits", "words", …}]};
                     of a document {"marks": [{"rule", "line", "column", "message", "instead", "codeLine"}]}; of a program
                     {"results": [{"name", "where", "is", "isRight", "findings", "mistakes", "evidence", "words", …}]}

Exit status: 0 each result is a step of the attention, the code has no mistake, nothing is marked; 1 one differs; 2 bad input.
`);

/** A result that is to be checked: its numbers, and its line in the file. */
interface Given {
  readonly name: string;
  readonly line?: number;
  /** Named by the user; else any matrix that is no input. */
  readonly isAsked: boolean;
  readonly printed: Printed;
}

/** What the terminal's explanation gives: the trace, or what was reported instead of it. */
export type Explain = (args: Arguments, text: string) => Promise<Result<AttentionTrace>>;

/** Runs the command with the words after `check`. */
export async function checkFile(words: readonly string[], explain: Explain): Promise<Outcome> {
  if (words.includes('--help') || words.includes('-h')) return { status: 0, out: checkUsage(), error: '' };
  const { result, rest } = takeResult(words);
  const args = readArguments(rest);
  if ('usageError' in args || args.input === undefined || result === '')
    return failedOutcome(2, `explain-attention check: ${'usageError' in args ? args.usageError : t('expected one file')}\n\n${checkUsage()}`); // prettier-ignore
  const path = pathOf(args.input);
  try {
    const text = readFileSync(args.input === '-' ? 0 : path, 'utf8');
    if (result === undefined && isDocument(path, text)) return checkDocument(path, text, args.json);
    const program = readsAsProgram(path, args) ? await checkedProgram(path, text, result, args.json) : undefined;
    if (program) return program;
    const trace = await explain(args, text);
    if (!trace.ok) return failedOutcome(2, locatedProblems(path, text, trace.problems));
    const given = await resultsOf(text, trace.value, result);
    if (!given.ok) return failedOutcome(2, locatedProblems(result !== undefined && existsSync(result) ? result : path, text, given.problems)); // prettier-ignore
    return checkAll(trace.value, given.value, args.json);
  } catch (error) {
    // A file cannot be read: the file system's message names it.
    return failedOutcome(2, `explain-attention check: ${errorText(error)}\n`);
  }
}

/** Fields cannot be set of what code does, and a line of a file is one of its attentions. */
const readsAsProgram = (path: string, { set, input, asText }: Arguments): boolean =>
  /\.(?:py|ipynb)$/.test(path) && set.length === 0 && input === path && !asText;

/** Undefined where the code has no attention: then its matrices are read as they stand. */
async function checkedProgram(
  path: string,
  text: string,
  result: string | undefined,
  json: boolean,
): Promise<Outcome | undefined> {
  const isNotebook = path.endsWith('.ipynb');
  const code: Result<NotebookCode> = isNotebook ? readNotebook(text) : ok({ text, cells: [], outputs: [], ran: [] });
  if (!code.ok) return failedOutcome(2, locatedProblems(path, text, code.problems));
  const file = result !== undefined && existsSync(result) ? await resultInFile(result) : ok([]);
  if (!file.ok) return failedOutcome(2, locatedProblems(result ?? path, text, file.problems));
  const more = file.value.map(({ name, printed: { rows, digits } }) => ({ name, slices: [rows], digits }));
  const found = checkProgram(code.value, result, more);
  if (!found) return isNotebook ? failedOutcome(2, `${path}: ${t('no attention was found in its code')}\n`) : undefined;
  if (!found.ok) return failedOutcome(2, locatedProblems(path, isNotebook ? '' : text, found.problems));
  const out = json ? JSON.stringify({ results: found.value.map(codeJson) }) : found.value.map(codeLines).join('\n\n');
  return { status: codeStatus(found.value), out: `${out}\n`, error: orderLine(path, code.value) };
}

function takeResult(words: readonly string[]): { readonly result?: string; readonly rest: readonly string[] } {
  const at = words.findIndex((word) => /^--result(=|$)/.test(word));
  if (at < 0) return { rest: words };
  const word = words[at] ?? '';
  const inline = word.includes('=');
  const result = inline ? word.slice(word.indexOf('=') + 1) : (words[at + 1] ?? '');
  return { result, rest: words.filter((_, i) => i !== at && (inline || i !== at + 1)) };
}

function checkAll(trace: AttentionTrace, given: readonly Given[], json: boolean): Outcome {
  const done: { readonly one: Given; readonly checked: Checked }[] = [];
  for (const one of given) {
    const checked = finish(checkResult(trace, one.printed));
    if (!checked.ok) return failedOutcome(2, checked.problems.map(({ message }) => `${one.name}: ${message}\n`).join(''));
    done.push({ one, checked: checked.value });
  }
  const told = done.filter(({ one, checked }) => one.isAsked || !isInput(checked));
  if (told.length === 0) return failedOutcome(2, `${t('no printed result was found')}\n`);
  const status = told.every(({ checked }) => checked.is === 'step') ? 0 : 1;
  const out = json
    ? JSON.stringify({ results: told.map(({ one, checked }) => jsonOf(one, checked)) })
    : told.map(({ one, checked }) => linesOf(one, checked)).join('\n\n');
  return { status, out: `${out}\n`, error: '' };
} // prettier-ignore

/** A matrix that the attention starts from, under a name that does not say so. */
const isInput = (checked: Checked): boolean =>
  checked.is === 'step' && checked.steps.every(({ step }) => step.operands.length === 0);

const saidOf = ({ name, printed }: Given, checked: Checked): readonly string[] =>
  wordsOf(checked, name, printed.rows.flat().length);

const linesOf = (one: Given, checked: Checked): string =>
  saidOf(one, checked)
    .map((line, i) => (i === 0 || checked.is === 'step' ? line : `  ${line}`))
    .join('\n');

function jsonOf(one: Given, checked: Checked): unknown {
  const about = { name: one.name, ...(one.line === undefined ? {} : { line: one.line }), words: saidOf(one, checked) };
  if (checked.is !== 'step') {
    if (checked.is !== 'none' || !checked.nearest) return { ...about, ...checked };
    return { ...about, ...checked, nearest: { ...checked.nearest, step: checked.nearest.step.id } };
  }
  return { ...about, ...checked, steps: checked.steps.map((found) => ({ ...found, step: found.step.id })) };
}

async function resultsOf(
  text: string,
  trace: AttentionTrace,
  asked: string | undefined,
): Promise<Result<readonly Given[]>> {
  const { matrices } = parseMatrices(text);
  const named = matrices.filter(({ name }) => asked !== undefined && name === asked);
  if (asked !== undefined && named.length === 0)
    return existsSync(asked) ? resultInFile(asked) : fail(noResult(asked, matrices));
  const used = new Set(trace.plan.steps.filter(({ operands }) => operands.length === 0).map(({ id }) => id));
  const chosen =
    asked === undefined
      ? matrices.filter(({ role }) => role === undefined || !used.has(role === 'xi' ? 'x' : role))
      : named;
  const given = chosen.flatMap((one) => givenOf(text, one, asked !== undefined) ?? []);
  return given.length > 0 ? ok(given) : fail(noResult(asked, matrices));
}

function noResult(asked: string | undefined, matrices: readonly ParsedMatrix[]): Problem {
  const names = [...new Set(matrices.flatMap(({ name }) => name ?? []))].join(', ') || t('none');
  return {
    code: 'no-result',
    message: asked === undefined ? t('no printed result was found') : t('{0} is no matrix of the file and no file', asked),
    hint: t('Give one with {0}; matrices by name: {1}.', '--result', names),
  };
} // prettier-ignore

/** A literal of rows and columns; undefined where it has more dimensions than numbers beside them, or is computed by the file. */
function givenOf(text: string, matrix: ParsedMatrix, isAsked: boolean): Given | undefined {
  const printed = printedLiteral(text, matrix);
  const { line } = positionAt(text, matrix.range.start);
  return printed && { name: matrix.name ?? t('the matrix of line {0}', line), line, isAsked, printed };
}

const rowsOf = (values: Float64Array, width: number): readonly (readonly number[])[] =>
  Array.from({ length: values.length / width }, (_, i) => [...values.subarray(i * width, (i + 1) * width)]);

/** Significant digits that a number type keeps after some sums. */
const kept: Readonly<Record<string, number>> = { float64: 12, float32: 6, float16: 3, bfloat16: 2 };

async function resultInFile(path: string): Promise<Result<readonly Given[]>> {
  const bytes = readFileSync(path);
  const file = await openTensorFile(sourceOfBytes(bytes), path);
  if (!file.ok) return file;
  const [entry, ...more] = file.value.tensors;
  if (!entry || more.length > 0)
    return fail({ code: 'tensors', message: t('expected one tensor, found {0}', file.value.tensors.length) });
  const read = await file.value.read(entry.name);
  if (!read.ok) return read;
  const { shape, values } = read.value;
  const width = shape.at(-1) ?? 1;
  if (values.length === 0 || values.length !== width * (shape.at(-2) ?? 1))
    return fail({ code: 'shape', message: t('expected a matrix, found {0}', shape.join('×')) });
  const rows = rowsOf(values, width);
  const isText = file.value.format === 'csv' || file.value.format === 'json';
  const exact = { rows, digits: digitsFor(rows, kept[entry.dtype] ?? 12) };
  const printed = isText ? printedAs(rows, bytes.toString('utf8')) : exact;
  return ok([{ name: entry.name || path, isAsked: true, printed }]);
}
