import { ok, type Result } from '../../text';
import { digitsOf, printed, rowsOf, type Printable, type Printed } from './notation';

const plainNumber = (x: number): string => digitsOf(x, { nan: 'nan', inf: 'inf', minus: '-inf' });

/** CSV (RFC 4180, but lines end with a line feed); labels, if any, are the first column and the first line. */
export function toCsv(matrix: Printable): Result<Printed> {
  const rows = rowsOf(matrix, 'CSV', plainNumber);
  if (!rows.ok) return rows;
  const { head, body } = usableLabels(matrix, rows.value, csvField);
  return ok(printed([...(head ? [head] : []), ...body].map((row) => row.join(',')).join('\n') + '\n'));
}

const csvField = (label: string): string =>
  /[",\r\n]|^\s|\s$/.test(label) ? `"${label.replaceAll('"', '""')}"` : label;

/** A table in GitHub's Markdown. Its header line is mandatory and empty without column labels. */
export function toMarkdown(matrix: Printable): Result<Printed> {
  const rows = rowsOf(matrix, 'Markdown', plainNumber);
  if (!rows.ok) return rows;
  const { head, body } = usableLabels(matrix, rows.value, markdownCell);
  const width = body[0]?.length ?? 0;
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const first = line(head ?? Array.from({ length: width }, () => ' '));
  return ok(printed([first, `|${' ---: |'.repeat(width)}`, ...body.map(line)].join('\n') + '\n'));
}

const markdownCell = (label: string): string => label.replace(/[\\|]/g, '\\$&').replace(/\s+/g, ' ');

interface Labelled {
  readonly head: readonly string[] | undefined;
  readonly body: readonly (readonly string[])[];
}

/** Labels are used only if there are as many as rows or columns. */
function usableLabels(
  matrix: Printable,
  rows: readonly (readonly string[])[],
  escape: (label: string) => string,
): Labelled {
  const { rowLabels, columnLabels } = matrix;
  const side = rowLabels?.length === rows.length ? rowLabels.map(escape) : undefined;
  const top = columnLabels?.length === rows[0]?.length ? columnLabels?.map(escape) : undefined;
  return {
    head: top && (side ? ['', ...top] : top),
    body: rows.map((row, i) => (side ? [side[i] ?? '', ...row] : row)),
  };
}

/** `Q = \begin{bmatrix} … \end{bmatrix}` (amsmath). Numbers are written without an exponent up to 21 digits, then as powers of ten. */
export function toLatex(matrix: Printable): Result<Printed> {
  const rows = rowsOf(matrix, 'a LaTeX matrix', latexNumber);
  if (!rows.ok) return rows;
  const name = matrix.name === undefined ? '' : `${latexName(matrix.name)} = `;
  const lines = rows.value.map((row) => `  ${row.join(' & ')}`).join(' \\\\\n');
  return ok(printed(`${name}\\begin{bmatrix}\n${lines}\n\\end{bmatrix}`));
}

function latexNumber(x: number): string {
  const text = digitsOf(x, { nan: '\\mathrm{NaN}', inf: '\\infty', minus: '-\\infty' });
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  return Math.abs(Number(exponent)) <= 21
    ? writtenOut(mantissa, Number(exponent))
    : `${mantissa} \\times 10^{${exponent}}`;
}

/** Writes `1.5e-7` as `0.00000015`: the same digits with the point moved. */
function writtenOut(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.');
  const digits = whole + fraction;
  const point = whole.length + exponent;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits + '0'.repeat(point - digits.length);
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** `W_q` as `W_{q}`, `x_1` as `x_{1}`, other words upright: `\mathrm{self.mask}`. */
function latexName(written: string): string {
  const name = written.replace(/[₀-₉]/g, (digit) => String(digit.charCodeAt(0) - 0x2080));
  const [, symbol, below, beside] = /^([A-Za-z])(?:_([A-Za-z0-9]{1,8})|(\d{1,4}|(?<=[WAb])[qkvo]))?$/.exec(name) ?? [];
  const index = below ?? beside;
  if (symbol !== undefined) return index === undefined ? symbol : `${symbol}_{${index}}`;
  return `\\mathrm{${name.replace(/[\\{}$&#^_~%]/g, (c) => latexEscapes[c] ?? `\\${c}`)}}`;
}

const latexEscapes: Readonly<Record<string, string>> = { '\\': '\\backslash{}', '^': '\\hat{}', '~': '\\sim{}' };
