import { t, fail, ok, type Result } from '../text';
import { formatShape } from '../math';
import { numpyType, type NamedType } from './dtypes';
import { decodeSelection, selectionOf, type Layout } from './layout';
import { readLiteral, type Literal } from './python-literal';
import { bytesOf, failAt, problemAt, readBytes, truncated, viewOf, type ByteSource, type FileProblem } from './source';
import { countOf, rankLimit, type TensorEntry, type TensorFile } from './tensor-file';

/** The header of a `.npy` file. */
export interface NpyHeader {
  readonly type: NamedType;
  readonly shape: readonly number[];
  readonly columnsFirst: boolean;
  /** Offset of the dtype string in the header. */
  readonly typeAt: number;
  /** Offset of the first number. */
  readonly data: number;
  /** Length of the numbers in bytes; NaN if the size of one number is unknown. */
  readonly length: number;
}

/** Length of `\x93NUMPY`, two bytes of version, and a header length of four bytes (version 1 has two). */
export const npyPrefix = 12;
/** Far more than a header needs: NumPy itself reads at most 10,000 bytes by default. */
const headerLimit = 65536;
const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** Offset of the end of the header, from the first `npyPrefix` bytes of a file (or all of a shorter one). */
export function npyDataStart(bytes: Uint8Array): Result<number> {
  const wrong = magic.findIndex((byte, i) => bytes[i] !== byte);
  if (wrong >= 0 && wrong < bytes.length)
    return failAt('magic', wrong, t('no .npy file: it should begin with \\x93NUMPY'));
  if (bytes.length < 10) return fail(truncated(bytes.length, t('a .npy header needs at least 10 bytes')));
  const [major, minor] = [bytes[6] as number, bytes[7] as number];
  if (major < 1 || major > 3 || minor !== 0)
    return failAt('version', 6, t('.npy version {0}.{1}, expected 1.0, 2.0 or 3.0', major, minor));
  if (major > 1 && bytes.length < npyPrefix)
    return fail(truncated(bytes.length, t('the length of the header needs 4 bytes')));
  const view = viewOf(bytes);
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > headerLimit)
    return failAt('header', 8, t('the header has {0}, the limit is {1}', bytesOf(length), headerLimit));
  return ok((major === 1 ? 10 : npyPrefix) + length);
}

/** Parses a header; `bytes` start at the beginning of the file and include the whole header. */
export function parseNpyHeader(bytes: Uint8Array): Result<NpyHeader> {
  const found = npyDataStart(bytes);
  if (!found.ok) return found;
  const data = found.value;
  if (bytes.length < data) return fail(truncated(bytes.length, t('the header needs {0}', bytesOf(data))));
  const version = bytes[6] as number;
  const start = version === 1 ? 10 : npyPrefix;
  const text = decodeHeader(bytes.subarray(start, data), version === 3);
  if (text === undefined) return failAt('header', start, t('the header is no UTF-8'));
  const literal = readLiteral(text, start);
  return literal.ok ? headerOf(literal.value, data) : literal;
}

/** Versions 1 and 2 are Latin-1, version 3 is UTF-8. Offsets in messages assume one byte for each character. */
function decodeHeader(bytes: Uint8Array, utf8: boolean): string | undefined {
  if (!utf8) return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const fields = ['descr', 'fortran_order', 'shape'];

function headerOf(literal: Literal, data: number): Result<NpyHeader> {
  if (literal.kind !== 'dict')
    return failAt('header', literal.at, t('the header is a {0}, expected a dict', literal.kind));
  const keys = literal.entries.map(([key]) => key);
  if ([...keys].sort().join() !== fields.join())
    return failAt(
      'header',
      literal.at,
      t('the header has {0}, expected {1}', keys.join(', ') || t('nothing'), fields.join(', ')),
    );
  const entry = (key: string): Literal => literal.entries[keys.indexOf(key)]?.[1] ?? literal;
  const type = typeOf(entry('descr'));
  if (!type.ok) return type;
  const order = entry('fortran_order');
  if (order.kind !== 'flag')
    return failAt('header', order.at, t('fortran_order is a {0}, expected True or False', order.kind));
  const shape = shapeOf(entry('shape'));
  if (!shape.ok) return shape;
  const length = countOf(shape.value) * (type.value.size ?? NaN);
  if (!Number.isSafeInteger(length) && type.value.stored)
    return failAt('shape', entry('shape').at, t('shape {0} has too many numbers', formatShape(shape.value)));
  return ok({
    type: type.value,
    shape: shape.value,
    columnsFirst: order.value,
    typeAt: entry('descr').at,
    data,
    length,
  });
}

function typeOf(descr: Literal): Result<NamedType> {
  if (descr.kind === 'list')
    return failAt(
      'dtype',
      descr.at,
      t('structured dtypes are not read'),
      t('Save one field: np.save(file, x["field"]).'),
    );
  if (descr.kind !== 'text')
    return failAt('dtype', descr.at, t("descr is a {0}, expected a text such as '<f8'", descr.kind));
  const type = numpyType(descr.value);
  return type
    ? ok(type)
    : failAt(
        'dtype',
        descr.at,
        t("descr {0} is no dtype, expected one such as '<f8'", JSON.stringify(descr.value.slice(0, 40))),
      );
}

function shapeOf(literal: Literal): Result<readonly number[]> {
  if (literal.kind !== 'tuple') return failAt('shape', literal.at, t('shape is a {0}, expected a tuple', literal.kind));
  if (literal.items.length > rankLimit)
    return failAt('shape', literal.at, t('{0} dimensions, the limit is {1}', literal.items.length, rankLimit));
  const shape: number[] = [];
  for (const item of literal.items) {
    if (item.kind !== 'number' || item.value < 0 || !Number.isSafeInteger(item.value))
      return failAt('shape', item.at, t('a size in shape should be a whole number from 0'));
    shape.push(item.value);
  }
  return ok(shape);
}

/** The Problem of a type that cannot be read, located in the file. */
export const typeProblem = ({ type, typeAt }: NpyHeader): FileProblem | undefined =>
  type.problem && problemAt(type.problem.code, typeAt, type.problem.message, type.problem.hint);

/**
 * Opens a `.npy` file (NEP 1), versions 1 to 3; reads the header only. The header is parsed, never evaluated, and the file's length must be
 * exactly what it announces.
 */
export async function openNpy(source: ByteSource): Promise<Result<TensorFile>> {
  const header = await readHeader(source);
  if (!header.ok) return header;
  const { type, shape, columnsFirst, data, length } = header.value;
  const problem = typeProblem(header.value);
  const misfit = problem ? undefined : checkLength(source.size, header.value);
  if (misfit) return fail(misfit);
  const end = Number.isNaN(length) ? source.size : data + length;
  const entry: TensorEntry = {
    name: '',
    shape,
    dtype: type.name,
    byteRange: { start: data, end },
    ...(problem ? { problem } : {}),
  };
  return ok({
    format: 'npy',
    metadata: {},
    tensors: [entry],
    async read(name, slice, watch) {
      if (name !== '') return fail(noTensor(name));
      if (!type.stored) return fail(problem ?? noTensor(name));
      const layout: Layout = { type: { ...type, stored: type.stored }, shape, columnsFirst };
      const selection = selectionOf(layout, name, slice);
      if (!selection.ok) return selection;
      const { start, end: stop } = selection.value.bytes;
      const bytes = await readBytes(source, data + start, data + stop, t('the array'));
      return bytes.ok ? decodeSelection(layout, selection.value, bytes.value, watch) : bytes;
    },
  });
}

async function readHeader(source: ByteSource): Promise<Result<NpyHeader>> {
  const first = await readBytes(source, 0, Math.min(source.size, npyPrefix), t('the header'));
  if (!first.ok) return first;
  const end = npyDataStart(first.value);
  if (!end.ok) return end;
  const bytes = await readBytes(source, 0, end.value, t('the header'));
  return bytes.ok ? parseNpyHeader(bytes.value) : bytes;
}

/** The problem if the number of bytes after a header is wrong. `size` is the length of header and numbers together. */
export function checkLength(size: number, { type, shape, data, length }: NpyHeader): FileProblem | undefined {
  const expected = data + length;
  const dims = formatShape(shape);
  if (size < expected)
    return truncated(
      size,
      t(
        '{0} {1} needs {2} from byte {3} on: {4} are missing',
        type.name,
        dims,
        bytesOf(length),
        data,
        bytesOf(expected - size),
      ),
    );
  if (size === expected) return undefined;
  const more = t(
    '{0} after the array, which ends here: {1} {2} needs {3} from byte {4} on',
    bytesOf(size - expected),
    type.name,
    dims,
    bytesOf(length),
    data,
  );
  return problemAt('surplus', expected, more, t('One np.save for each file.'));
}

export const noTensor = (name: string) => ({
  code: 'missing',
  message: t('no tensor {0} in the file', JSON.stringify(name)),
});
