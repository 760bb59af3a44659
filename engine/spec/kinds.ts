import { t, nearest, type Problem } from '../text';
import { mostProblems } from './limits';
import type { SpecHeads, SpecMatrix, SpecNumber } from './matrix';

/*
 * What a value of a spec can be. A kind is said once and is three things: the check of the validator, the JSON schema, and (`TypeOf`)
 * the TypeScript type. Kinds know nothing of other fields; limits and shapes are checked once all kinds fit.
 */

export type Check = (value: unknown, path: string, problems: Problem[]) => void;

/** A JSON schema (draft 2020-12). */
export type Schema = Readonly<Record<string, unknown>>;

export interface Kind<T> {
  readonly check: Check;
  /** Made when it is asked for, since its descriptions are in the reader's language. */
  readonly schema: () => Schema;
  /** Never there: it carries the type. */
  readonly type?: T;
}

/** The TypeScript type of a kind. */
export type TypeOf<K> = K extends Kind<infer T> ? T : never;

export type Kinds = Readonly<Record<string, Kind<unknown>>>;

/** The fields of an object. */
export interface Shape {
  readonly required: Kinds;
  readonly optional?: Kinds;
  /** For the schema. */
  readonly describe?: () => string;
}

type Flat<T> = { [K in keyof T]: T[K] };
type Required<K> = { readonly [F in keyof K]: TypeOf<K[F]> };
type Optional<K> = { readonly [F in keyof K]?: TypeOf<K[F]> };

/** The TypeScript type of an object of a shape. */
export type RecordOf<S extends Shape> = Flat<
  Required<S['required']> & (S extends { readonly optional: infer O } ? Optional<O> : unknown)
>;

// --- values -----------------------------------------------------------------------

export const expected =
  (what: () => string, accepts: (value: unknown) => boolean): Check =>
  (value, path, problems) => {
    if (!accepts(value) && problems.length < mostProblems) {
      const message = t('{0}: expected {1}, found {2}', path || 'spec', what(), show(value));
      problems.push({ code: 'field', path, message });
    }
  };

/** That a value is not what it should be. */
function refuse(what: () => string, value: unknown, path: string, problems: Problem[]): void {
  expected(what, () => false)(value, path, problems);
}

function show(value: unknown): string {
  if (value === undefined) return t('nothing');
  if (Array.isArray(value)) return t('an array of {0}', value.length);
  if (typeof value === 'object' && value !== null) return t('an object');
  const text = typeof value === 'string' ? `"${value}"` : String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

const plain = <T>(what: () => string, accepts: (value: unknown) => boolean, schema: Schema): Kind<T> => ({
  check: expected(what, accepts),
  schema: () => schema,
});

export const number = plain<number>(
  () => t('a number'),
  (v) => typeof v === 'number',
  { type: 'number' },
);
export const text = plain<string>(
  () => t('a text'),
  (v) => typeof v === 'string',
  { type: 'string' },
);
export const flag = plain<boolean>(
  () => t('true or false'),
  (v) => typeof v === 'boolean',
  { type: 'boolean' },
);
export const texts = plain<readonly string[]>(
  () => t('a list of texts'),
  (v) => Array.isArray(v) && v.every((x) => typeof x === 'string'),
  { type: 'array', items: { type: 'string' } },
);

/** A list of what a kind has. */
export const listOf = <T>(kind: Kind<T>): Kind<readonly T[]> => ({
  check: (value, path, problems) => {
    if (!Array.isArray(value)) return refuse(() => t('a list'), value, path, problems);
    value.forEach((one, i) => {
      if (problems.length < mostProblems) kind.check(one, `${path}[${i}]`, problems);
    });
  },
  schema: () => ({ type: 'array', items: kind.schema() }),
});

/** One of some words or numbers. */
export const oneOf = <const V extends readonly (string | number)[]>(...values: V): Kind<V[number]> => ({
  check: expected(
    () =>
      values
        .map((v) => (typeof v === 'string' ? `"${v}"` : String(v)))
        .reduce((some, one) => t('{0} or {1}', some, one)),
    (v) => values.includes(v as V[number]),
  ),
  schema: () => (values.length === 1 ? { const: values[0] } : { enum: values }),
});

/** One of some words, or what another kind has. */
export const wordOr = <const V extends readonly string[], T>(words: V, other: Kind<T>): Kind<V[number] | T> => {
  const word = oneOf(...words);
  return {
    check: (value, path, problems) => {
      (typeof value === 'object' && value !== null ? other : word).check(value, path, problems);
    },
    schema: () => ({ oneOf: [word.schema(), ...alternativesOf(other)] }),
  };
};

/** Alternatives of alternatives are alternatives. */
function alternativesOf(kind: Kind<unknown>): readonly unknown[] {
  const schema = kind.schema();
  return Array.isArray(schema['oneOf']) ? (schema['oneOf'] as unknown[]) : [schema];
}

// --- numbers ----------------------------------------------------------------------

const specNumber = (v: unknown): boolean =>
  typeof v === 'number' ? Number.isFinite(v) : v === 'inf' || v === '-inf' || v === 'nan' || v === '-0';

const aNumber = (): string => t('a finite number, "inf", "-inf", "nan" or "-0"');

function checkRow(row: readonly unknown[], path: string, problems: Problem[]): void {
  const bad = row.findIndex((x) => !specNumber(x));
  if (bad >= 0) refuse(aNumber, row[bad], `${path}[${bad}]`, problems);
}

const checkMatrix: Check = (value, path, problems) => {
  if (!Array.isArray(value)) return refuse(() => t('rows of numbers'), value, path, problems);
  value.forEach((row: unknown, i) => {
    const at = `${path}[${i}]`;
    if (Array.isArray(row)) checkRow(row, at, problems);
    else refuse(() => t('a row of numbers'), row, at, problems);
  });
};

const checkNumbers: Check = (value, path, problems) => {
  if (Array.isArray(value)) checkRow(value, path, problems);
  else refuse(() => t('a list of numbers'), value, path, problems);
};

/** Rows of numbers, or such for each head (and each batch). */
const checkTensor: Check = (value, path, problems) => {
  const deeper = Array.isArray(value) && Array.isArray(value[0]) && Array.isArray((value[0] as unknown[])[0]);
  if (!deeper) return checkMatrix(value, path, problems);
  (value as unknown[]).forEach((v, i) => {
    if (path.length < 200) checkTensor(v, `${path}[${i}]`, problems);
    else problems.push({ code: 'field', path, message: t('{0}: nested too deeply', path) });
  });
};

const defined =
  (name: string): (() => Schema) =>
  () => ({ $ref: `#/$defs/${name}` });

export const matrix: Kind<SpecMatrix> = { check: checkMatrix, schema: defined('matrix') };
export const tensor: Kind<SpecHeads> = { check: checkTensor, schema: defined('tensor') };
export const row: Kind<readonly SpecNumber[]> = { check: checkNumbers, schema: defined('row') };
export const ids: Kind<readonly number[]> = {
  check: checkNumbers,
  schema: () => ({ type: 'array', items: { $ref: '#/$defs/number' } }),
};

/** What the schemas of numbers refer to. */
export const definitions = (): Schema => ({
  number: { oneOf: [{ type: 'number' }, { enum: ['inf', '-inf', 'nan', '-0'] }] },
  row: { type: 'array', items: { $ref: '#/$defs/number' } },
  matrix: { type: 'array', items: { $ref: '#/$defs/row' } },
  tensor: {
    description: t('Rows of numbers; or such for each head, and for each batch.'),
    anyOf: [
      { $ref: '#/$defs/matrix' },
      { type: 'array', items: { $ref: '#/$defs/matrix' } },
      { type: 'array', items: { type: 'array', items: { $ref: '#/$defs/matrix' } } },
    ],
  },
});

// --- objects ----------------------------------------------------------------------

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (fields: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

function checkShape({ required, optional = {} }: Shape): Check {
  const known = [...Object.keys(required), ...Object.keys(optional)];
  return (value, path, problems) => {
    if (!isObject(value)) return refuse(() => t('an object'), value, path, problems);
    const at = (name: string): string => (path ? `${path}.${name}` : name);
    for (const name of Object.keys(value)) {
      if (!known.includes(name)) problems.push(unknownField(at(name), name, known));
    }
    for (const [name, kind] of Object.entries(required)) kind.check(own(value, name), at(name), problems);
    for (const [name, kind] of Object.entries(optional)) {
      if (own(value, name) !== undefined) kind.check(own(value, name), at(name), problems);
    }
  };
}

function unknownField(path: string, name: string, known: readonly string[]): Problem {
  const meant = nearest(name, known);
  const hint = meant !== undefined ? t('Did you mean {0}?', meant) : t('Known fields: {0}.', known.join(', '));
  return { code: 'unknown-field', path, message: t('{0}: unknown field', path), hint };
}

export function shapeSchema({ required, optional = {}, describe }: Shape): Schema {
  const entries = [...Object.entries(required), ...Object.entries(optional)];
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, kind]) => [name, kind.schema()])),
    required: Object.keys(required),
    additionalProperties: false,
    ...(describe ? { description: describe() } : {}),
  };
}

/** An object: unknown fields are named with the nearest known one. */
export const record = <S extends Shape>(shape: S): Kind<RecordOf<S>> => ({
  check: checkShape(shape),
  schema: () => shapeSchema(shape),
});

/** Shapes of one tag that another field tells apart. */
export interface Variants {
  /** What the validator holds an object to, by what else it has. */
  readonly pick: (fields: Readonly<Record<string, unknown>>) => Shape;
  /** Each as the schema and the type have it. */
  readonly each: readonly Shape[];
}

type Tagged<Tag extends string, V, S> = Flat<{ readonly [T in Tag]: V } & (S extends Shape ? RecordOf<S> : unknown)>;
type EachOf<S> = S extends { readonly each: readonly (infer E)[] } ? E : S;
type TaggedOf<Tag extends string, S> = {
  [V in keyof S]: EachOf<S[V]> extends infer E ? (E extends Shape ? Tagged<Tag, V, E> : never) : never;
}[keyof S];

const withTag = (tag: string, kind: Kind<unknown>, shape: Shape): Shape => ({
  ...shape,
  required: { [tag]: kind, ...shape.required },
});

/** An object whose field `tag` decides which of the shapes it has. */
export function tagged<const Tag extends string, const S extends Readonly<Record<string, Shape | Variants>>>(
  tag: Tag,
  shapes: S,
): Kind<TaggedOf<Tag, S>> {
  const pick = oneOf(...Object.keys(shapes));
  return {
    check: (value, path, problems) => {
      if (!isObject(value)) return refuse(() => t('an object'), value, path, problems);
      const found = own(value, tag);
      const shape = typeof found === 'string' && Object.hasOwn(shapes, found) ? shapes[found] : undefined;
      if (!shape) return pick.check(found, `${path}.${tag}`, problems);
      checkShape(withTag(tag, pick, 'pick' in shape ? shape.pick(value) : shape))(value, path, problems);
    },
    schema: () => ({
      oneOf: Object.entries(shapes).flatMap(([name, shape]) =>
        ('each' in shape ? shape.each : [shape]).map((one) => shapeSchema(withTag(tag, oneOf(name), one))),
      ),
    }),
  };
}
