/**
 * Functions of NumPy, PyTorch and Python's own library: one row each, with the names it goes by, its signature, what it computes, where its
 * definition stands, and what it is compared with in tests. Modules are named as people import them: `np`, `torch`, `nn`, `F`, `init`, `math`;
 * methods stand under `Tensor` and `ndarray`.
 */
import { t } from '../../text';
import { cause, none, raise, type Machine, builtin, type Arguments, type Run, type Value } from '../machine';
import { into, Open } from '../evaluate';
import { Ended, type Cause, type Library } from '../tensor';
import { drawingFrom } from './own-streams';

/** What a row is compared with: a call of the installed library, or the published definition, transcribed. */
export type Oracle = 'numpy' | 'torch' | 'python' | 'transcribed';

export interface Call {
  readonly m: Machine;
  readonly library: Library;
  readonly name: string;
  /** The argument for a parameter; undefined where none is given. */
  readonly get: (parameter: string) => Value | undefined;
  /** What a starred parameter took. */
  readonly rest: readonly Value[];
  readonly keywords: ReadonlyMap<string, Value>;
}

export interface Row {
  readonly names: string;
  readonly signature: string;
  readonly run: (call: Call) => Run<Value>;
  readonly source: string;
  readonly oracle: Oracle;
  /** An attribute, not a method. */
  readonly property?: boolean;
}

/** What a function is told that is not known: its result is not known either. */
export class NotFollowed extends Ended {
  constructor(readonly why: Cause) {
    super(why.text);
  }
}

interface Parameter {
  readonly names: readonly string[];
  readonly required: boolean;
  readonly positional: boolean;
  readonly starred: boolean;
}

const signatures = new Map<string, readonly Parameter[]>();

/** `input, dim|axis=, *, keepdim=`: alternatives by `|`, optional ones by `=`, `*name` takes the rest. */
function parametersOf(signature: string): readonly Parameter[] {
  const known = signatures.get(signature);
  if (known) return known;
  let positional = true;
  const made = signature.split(',').flatMap((word): Parameter[] => {
    const text = word.trim();
    if (text === '') return [];
    if (text === '*') {
      positional = false;
      return [];
    }
    const starred = text.startsWith('*');
    const names = text.replace(/^\*+|=$/g, '').split('|');
    return [{ names, required: !text.endsWith('=') && !starred, positional, starred }];
  });
  signatures.set(signature, made);
  return made;
}

const ignored = new Set(
  'out device requires_grad layout pin_memory memory_format non_blocking copy order casting generator inplace like subok'.split(
    ' ',
  ),
);
/** What functions of the libraries take besides, which is not followed. */
const notTaken = new Set(
  'where dtype initial mean keepdims stable dim1 dim2 axis1 axis2 sparse_grad mode ndmin shape retstep equal_nan create_graph inputs start output_size beta threshold'.split(
    ' ',
  ),
);

/** Arguments by the names of the row's parameters. */
function boundTo(
  m: Machine,
  row: Row,
  name: string,
  { positional, keywords }: Arguments,
): { values: Map<string, Value>; rest: Value[] } {
  const parameters = parametersOf(row.signature);
  const values = new Map<string, Value>();
  const rest: Value[] = [];
  const places = parameters.filter((parameter) => parameter.positional);
  const star = places.findIndex(({ starred }) => starred);
  positional.forEach((value, i) => {
    const place = star >= 0 && i >= star ? undefined : places[i];
    if (place) values.set(place.names[0] as string, value);
    else if (star >= 0) rest.push(value);
    else
      raise('TypeError', `${name}() takes ${places.length} positional arguments but ${positional.length} were given`);
  });
  for (const [keyword, value] of keywords) {
    const parameter = parameters.find(({ names }) => names.includes(keyword));
    if (parameter) values.set(parameter.names[0] as string, value);
    else if (keyword === 'where' && keywords.has('out')) continue;
    else if (notTaken.has(keyword)) notFollowed(m, t('{0} is not followed', `${name}(${keyword}=)`));
    else if (!ignored.has(keyword) && !row.signature.includes('**'))
      raise('TypeError', `${name}() got an unexpected keyword argument '${keyword}'`);
  }
  for (const { names, required } of parameters)
    if (required && !values.has(names[0] as string))
      raise('TypeError', `${name}() missing required argument: '${names[0]}'`);
  return { values, rest };
}

const libraryOf = (name: string): Library => (/^(?:np|ndarray|jax)\./.test(name) ? 'numpy' : 'torch');

/** A row as something that a program can call by one of its names. */
export function callable(m: Machine, row: Row, name: string): Value {
  const library = libraryOf(name);
  const call = builtin(name, function* (args) {
    const { keywords } = args;
    const outer = m.via;
    m.via ??= name;
    const own = keywords.get('generator') ?? none;
    try {
      const { values, rest } = boundTo(m, row, name.slice(name.lastIndexOf('.') + 1), args);
      const get = (parameter: string): Value | undefined => values.get(parameter);
      const run = (): Run<Value> => row.run({ m, library, name, get, rest, keywords });
      const made = yield* own.kind === 'none' ? run() : drawingFrom(m, own, run);
      const grad = keywords.get('requires_grad');
      if (made.kind === 'tensor' && grad?.kind === 'bool') made.grad = grad.value;
      const out = get('out') ?? keywords.get('out') ?? keywords.get('inplace');
      return out
        ? yield* written(m, out.kind === 'bool' && out.value ? get('input') : out, made, keywords.get('where'))
        : made;
    } catch (error) {
      if (error instanceof NotFollowed) return { kind: 'unknown', cause: error.why };
      if (error instanceof Open) return error.value;
      throw error;
    } finally {
      m.via = outer;
    }
  });
  return row.property ? { kind: 'property', getter: call } : call;
}

/** What stands in `out` is the result then, where a mask says so. */
function* written(m: Machine, out: Value | undefined, made: Value, where: Value | undefined): Run<Value> {
  const choose = where && out?.kind === 'tensor' ? m.library(m, 'np.where') : undefined;
  if (!choose || !where || !out) return into(m, out, made);
  return into(m, out, yield* m.evaluator.call(m, choose, { positional: [where, made, out], keywords: new Map() }));
}

export const notFollowed = (m: Machine, text: string): never => {
  throw new NotFollowed(cause(m, text));
};

/** Rows by each of their names. */
export function byName(rows: readonly Row[]): ReadonlyMap<string, Row> {
  const found = new Map<string, Row>();
  for (const row of rows)
    for (const name of row.names.split(' ')) {
      if (found.has(name)) throw new Error(`two rows are called ${name}`);
      found.set(name, row);
    }
  return found;
}
