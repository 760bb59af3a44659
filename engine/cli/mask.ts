// `explain-attention mask FILE`: what the masks of a file hide and show, by convention.
import { readFileSync } from 'node:fs';
import { maskKindOf, readMask, type ReadMask } from '../diagnose';
import { parseMatrices, positionAt } from '../index';
import { runProgram } from '../program/index';
import { finish, t } from '../text';
import { importsBeside } from './imports';
import { errorText, failedOutcome, type Outcome } from './lesson';
import { readOptionWords } from './words';

const maskUsage = (): string =>
  t(`Usage: explain-attention mask FILE [--name NAME] [--json]

Says of each mask in FILE (a matrix of 0 and 1, of True and False, or of 0 and −∞) what it hides and shows: in PyTorch’s scaled_dot_product_attention,
in nn.MultiheadAttention, in Hugging Face, in Keras, and added to scores. Of Python code also the masks that it computes.

Options:
  --name NAME  only the mask of this name
  --json       {"masks": [{"name", "line", "kind", "rows", "columns", "readings": [{"conventions", "shown", "words", "picture"}], "question"}]}

Exit status: 0; 2 bad input, or no mask.
`);

interface Named {
  readonly name: string;
  readonly line: number;
  readonly rows: readonly (readonly number[])[];
}

/** Runs the command with the words after `mask`. */
export function readMasks(words: readonly string[]): Outcome {
  if (words.includes('--help') || words.includes('-h')) return { status: 0, out: maskUsage(), error: '' };
  const asked = readOptionWords(words, ['file'], ['name'], ['json']);
  if (typeof asked === 'string') return failedOutcome(2, `explain-attention mask: ${asked}\n\n${maskUsage()}`);
  const { file = '', name, json } = asked as { file?: string; name?: string; json?: string };
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return failedOutcome(2, `explain-attention mask: ${t('cannot read {0}: {1}', file, errorText(error))}\n`);
  }
  const found = [...literals(text), ...(file.endsWith('.py') ? computed(file, text) : [])];
  const wanted = found.filter((one) => name === undefined || one.name === name);
  const all = wanted.flatMap((one) => {
    const read = readMask(one.rows);
    return read ? [{ name: one.name, line: one.line, ...read }] : [];
  });
  if (all.length === 0) return failedOutcome(2, `explain-attention mask: ${t('no mask was found')}\n`);
  const out = json ? `${JSON.stringify({ masks: all })}\n` : all.map(linesOf).join('\n');
  return { status: 0, out, error: '' };
}

type Shown = ReadMask & Pick<Named, 'name' | 'line'>;

function linesOf({ name, line, readings, question }: Shown): string {
  const said = readings.map(({ names, words, picture }) => `${names.map((one) => `  ${one}\n`).join('')}    ${words.join('\n    ')}\n${picture.replace(/^/gm, '    ')}\n`); // prettier-ignore
  return `${t('{0}, line {1}', name, line)}\n${said.join('')}${question === undefined ? '' : `  ${question}\n`}`;
} // prettier-ignore

function literals(text: string): readonly Named[] {
  return parseMatrices(text).matrices.flatMap(({ name, shape, values, range, derivation }) => {
    const width = shape.at(-1) ?? 1;
    const height = shape.length > 1 ? (shape.at(-2) ?? 1) : 1;
    if (derivation !== undefined || values.length !== width * height) return [];
    const { line } = positionAt(text, range.start);
    return [{ name: name ?? t('the matrix of line {0}', line), line, rows: rowsOf(values, width) }];
  });
}

const rowsOf = (values: ArrayLike<number>, width: number): readonly (readonly number[])[] =>
  Array.from({ length: values.length / width }, (_, i) => Array.from({ length: width }, (__, j) => values[i * width + j] as number)); // prettier-ignore

/** What names of a program come to, the last time; masks of several axes by their last two where these are all. */
function computed(file: string, text: string): readonly Named[] {
  const program = runProgram(text, { files: importsBeside(file) });
  const byName = new Map<string, Named>();
  for (const { name, node, range, standIn } of program.bindings) {
    if (!node || standIn) continue;
    const dense = finish(program.look(node));
    if (!('data' in dense)) continue;
    const [height = 1, width = 1] = dense.shape.slice(-2);
    const rows = dense.shape.length >= 2 && dense.data.length === height * width && width > 1 ? rowsOf(dense.data, width) : undefined; // prettier-ignore
    if (rows && maskKindOf(rows)) byName.set(name, { name, line: positionAt(text, range.start).line, rows });
  }
  return [...byName.values()];
}
