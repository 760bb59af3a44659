import { ok, type Result } from '../../text';
import {
  digitsOf,
  dtypeOf,
  identifier,
  isBool,
  isWhole,
  nested,
  printed,
  rowsOf,
  type Printable,
  type Printed,
} from './notation';

const python = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const javascript = new Set(
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'.split(
    ' ',
  ),
);

/** A Python float: `1.0`, so that whole numbers do not make an integer array. */
const pythonFloat = (x: number, words: Parameters<typeof digitsOf>[1]): string => {
  const text = digitsOf(x, words);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
};

const pythonNumber =
  (matrix: Printable, words: Parameters<typeof digitsOf>[1]) =>
  (x: number): string => {
    const dtype = dtypeOf(matrix);
    if (dtype === 'bool') return x === 0 ? 'False' : 'True';
    return /^u?int/.test(dtype) ? String(x) : pythonFloat(x, words);
  };

const assignment = (name: string | undefined, value: string, prefix = ''): string =>
  name === undefined ? value : `${prefix}${name} = ${value}`;

/** `Q = np.array([[1.0, 2.0]])`, with a dtype unless it is float64 or bool. NumPy has no bfloat16; float32 holds its values. */
export function toNumpy(matrix: Printable): Result<Printed> {
  const numbers = pythonNumber(matrix, { nan: 'np.nan', inf: 'np.inf', minus: '-np.inf' });
  const stated = dtypeOf(matrix);
  const dtype = stated === 'bfloat16' ? 'float32' : stated;
  const start = assignment(identifier(matrix.name, python), 'np.array(');
  const type = dtype === 'float64' || dtype === 'bool' ? '' : `, dtype=np.${dtype}`;
  const note = stated === 'bfloat16' ? ['NumPy has no bfloat16: it is float32, which holds the same numbers.'] : [];
  return ok(printed(`${start}${nested(matrix, numbers, ' '.repeat(start.length))}${type})`, ...note));
}

/** `Q = torch.tensor([[1.0, 2.0]], dtype=torch.float64)`; without a dtype for float32 and bool, PyTorch's defaults. */
export function toTorch(matrix: Printable): Result<Printed> {
  const numbers = pythonNumber(matrix, { nan: "float('nan')", inf: "float('inf')", minus: "float('-inf')" });
  const dtype = dtypeOf(matrix);
  const start = assignment(identifier(matrix.name, python), 'torch.tensor(');
  const type = dtype === 'float32' || dtype === 'bool' ? '' : `, dtype=torch.${dtype}`;
  return ok(printed(`${start}${nested(matrix, numbers, ' '.repeat(start.length))}${type})`));
}

/** `const Q = [[1, 2]];` */
export function toJavaScript(matrix: Printable): Result<Printed> {
  const isTruth = isBool(matrix) && isWhole(matrix.values);
  const number = (x: number): string =>
    isTruth
      ? String(x !== 0)
      : Object.is(x, -0)
        ? '-0'
        : digitsOf(x, { nan: 'NaN', inf: 'Infinity', minus: '-Infinity' });
  const start = assignment(identifier(matrix.name, javascript), '', 'const ');
  return ok(printed(`${start}${nested(matrix, number, ' '.repeat(start.length))}${start === '' ? '' : ';'}`));
}

/** Nested arrays. JSON has no NaN or infinity: they are written as Python's json module does, `NaN` and `-Infinity`. */
export function toJson(matrix: Printable): Result<Printed> {
  const isTruth = isBool(matrix) && isWhole(matrix.values);
  const number = (x: number): string =>
    isTruth ? String(x !== 0) : digitsOf(x, { nan: 'NaN', inf: 'Infinity', minus: '-Infinity' });
  const text = nested(matrix, number, '');
  const note = /[NI]/.test(text)
    ? ['JSON has no NaN and infinities: they are written as Python’s json writes and reads them.']
    : [];
  return ok(printed(text, ...note));
}

/** `Q = [1 2; 3 4];`. More than two dimensions are a permuted list, so that `Q(i, j, k)` is NumPy's `Q[i-1, j-1, k-1]`. */
export function toMatlab(matrix: Printable): Result<Printed> {
  const isTruth = isBool(matrix) && isWhole(matrix.values);
  const number = (x: number): string =>
    isTruth ? String(x !== 0) : digitsOf(x, { nan: 'NaN', inf: 'Inf', minus: '-Inf' });
  const name = identifier(matrix.name, new Set())?.replace(/^_+/, 'm_');
  const end = name === undefined ? '' : ';';
  if (matrix.shape.length > 2) return ok(printed(`${assignment(name, permuted(matrix, number))}${end}`));
  const rows = rowsOf(matrix, 'MATLAB', number);
  if (!rows.ok) return rows;
  const start = assignment(name, '[');
  const lines = rows.value.map((row) => row.join(' ')).join(`;\n${' '.repeat(start.length)}`);
  return ok(printed(`${start}${lines}]${end}`));
}

/** A row-major list with its shape reversed and permuted back: MATLAB stores arrays column-major. */
function permuted({ shape, values }: Printable, number: (x: number) => string): string {
  const list = Array.from({ length: values.length }, (_, i) => number(values[i] ?? NaN)).join(' ');
  const order = shape.map((_, i) => shape.length - i).join(' ');
  return `permute(reshape([${list}], [${[...shape].reverse().join(' ')}]), [${order}])`;
}
