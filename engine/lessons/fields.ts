import { t, nearest, type Problem } from '../text';

/** Checks a field's value and adds Problems with its path. */
export type Check = (value: unknown, path: string, problems: Problem[]) => void;

export const expected =
  (what: () => string, accepts: (value: unknown) => boolean): Check =>
  (value, path, problems) => {
    if (accepts(value)) return;
    const message = t('{0}: expected {1}, found {2}', path || t('the block'), what(), showJson(value));
    problems.push({ code: 'field', path, message });
  };

/** A JSON value, shortened for a message. */
function showJson(value: unknown): string {
  if (value === undefined) return t('nothing');
  if (Array.isArray(value)) return t('an array of {0}', value.length);
  if (typeof value === 'object' && value !== null) return t('an object');
  const text = typeof value === 'string' ? `"${value}"` : String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

export const text = expected(
  () => t('a text'),
  (v) => typeof v === 'string',
);
export const filledText = expected(
  () => t('a text that is not empty'),
  (v) => typeof v === 'string' && v.trim() !== '',
);
export const booleanValue = expected(
  () => t('true or false'),
  (v) => typeof v === 'boolean',
);
export const finite = expected(
  () => t('a number'),
  (v) => typeof v === 'number',
);
const isWhole = (v: unknown): boolean => typeof v === 'number' && Number.isInteger(v) && v >= 0;
export const wholeNumber = expected(() => t('a whole number from 0'), isWhole);
export const positive = expected(
  () => t('a number above 0'),
  (v) => typeof v === 'number' && v > 0,
);
/** The number of requested digits after the point. */
export const digits = expected(
  () => t('a whole number from 0 to 12'),
  (v) => isWhole(v) && (v as number) <= 12,
);
/** [row, column], or [head, row, column], or [batch, head, row, column]. */
export const cell = expected(
  () => t('[row, column], counted from 0'),
  (v) => Array.isArray(v) && v.length >= 2 && v.length <= 4 && v.every(isWhole),
);
export const oneOf = (...values: readonly string[]): Check =>
  expected(
    () => values.map((v) => `"${v}"`).reduce((some, one) => t('{0} or {1}', some, one)),
    (v) => typeof v === 'string' && values.includes(v),
  );

export const listOf =
  (each: Check, least = 0): Check =>
  (value, path, problems) => {
    if (!Array.isArray(value) || value.length < least)
      return expected(
        () => (least ? t('a list of at least {0}', least) : t('a list')),
        () => false,
      )(value, path, problems);
    (value as unknown[]).forEach((v, i) => each(v, `${path}[${i}]`, problems));
  };

export interface Fields {
  readonly required: Readonly<Record<string, Check>>;
  readonly optional?: Readonly<Record<string, Check>>;
}

const ownField = (fields: object, name: string): unknown =>
  Object.hasOwn(fields, name) ? (fields as Record<string, unknown>)[name] : undefined;
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const anObject = expected(() => t('an object'), isObject);

export const record =
  ({ required, optional = {} }: Fields): Check =>
  (value, path, problems) => {
    if (!isObject(value)) return anObject(value, path, problems);
    const known = [...Object.keys(required), ...Object.keys(optional)];
    const at = (name: string): string => (path ? `${path}.${name}` : name);
    for (const name of Object.keys(value))
      if (!known.includes(name)) problems.push(unknownField(at(name), name, known));
    for (const [name, check] of Object.entries(required)) check(ownField(value, name), at(name), problems);
    for (const [name, check] of Object.entries(optional))
      if (ownField(value, name) !== undefined) check(ownField(value, name), at(name), problems);
  };

/** The fields of an object, when they depend on its other fields. */
export type FieldsOf = (given: Readonly<Record<string, unknown>>) => Fields;

/** Checks an object whose fields depend on its content. */
export const recordOf =
  (fields: FieldsOf): Check =>
  (value, path, problems) => {
    const given = isObject(value) ? (value as Record<string, unknown>) : {};
    record(fields(given))(value, path, problems);
  };

/** Checks an object whose field `tag` determines its other fields. */
export const tagged =
  (tag: string, shapes: Readonly<Record<string, Fields | FieldsOf>>): Check =>
  (value, path, problems) => {
    if (!isObject(value)) return anObject(value, path, problems);
    const found = ownField(value, tag);
    const pick = oneOf(...Object.keys(shapes));
    const shape = typeof found === 'string' && Object.hasOwn(shapes, found) ? shapes[found] : undefined;
    if (!shape) return pick(found, path ? `${path}.${tag}` : tag, problems);
    const fields = typeof shape === 'function' ? shape(value as Record<string, unknown>) : shape;
    record({ ...fields, required: { [tag]: pick, ...fields.required } })(value, path, problems);
  };

function unknownField(path: string, name: string, known: readonly string[]): Problem {
  return {
    code: 'unknown-field',
    path,
    message: t('{0}: unknown field', path.slice(0, 80)),
    hint: nearestHint(name, known),
  };
}

/** `Did you mean prompt?`, or the list of known names. */
export function nearestHint(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant !== undefined ? t('Did you mean {0}?', meant) : t('Known: {0}.', known.join(', '));
}
