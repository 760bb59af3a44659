import { t } from '../text/l10n';
import { nearest } from '../text/nearest';
import { fail, ok, type Problem, type Result } from '../text/problems';
import { generators } from '../random/index';
import { checkSpec } from './shapes';
import { mostProblems } from './shapes/checker';
import type { AttentionSpec } from './spec';
import { encodingNames } from '../tokens/encodings';

/**
 * Any JSON value to a spec. Every problem names the path, what was found and what was expected; unknown fields are
 * named with the nearest known one. Never throws.
 */
export function validateSpec(json: unknown): Result<AttentionSpec> {
  const problems: Problem[] = [];
  record(specFields)(json, '', problems);
  if (problems.length) return fail(...problems);
  const spec = json as AttentionSpec;
  const unfit = checkSpec(spec);
  return unfit.length ? fail(...unfit) : ok(spec);
}

type Check = (value: unknown, path: string, problems: Problem[]) => void;

const expected =
  (what: () => string, accepts: (value: unknown) => boolean): Check =>
  (value, path, problems) => {
    if (!accepts(value) && problems.length < mostProblems)
      problems.push({
        code: 'field',
        path,
        message: t('{0}: expected {1}, found {2}', path || 'spec', what(), show(value)),
      });
  };

function show(value: unknown): string {
  if (value === undefined) return t('nothing');
  if (Array.isArray(value)) return t('an array of {0}', value.length);
  if (typeof value === 'object' && value !== null) return t('an object');
  const text = typeof value === 'string' ? `"${value}"` : String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

const oneOf = (...values: readonly unknown[]): Check =>
  expected(
    () =>
      values
        .map((v) => (typeof v === 'string' ? `"${v}"` : String(v)))
        .reduce((some, one) => t('{0} or {1}', some, one)),
    (v) => values.includes(v),
  );
const number = expected(
  () => t('a number'),
  (v) => typeof v === 'number',
);
const text = expected(
  () => t('a text'),
  (v) => typeof v === 'string',
);
const specNumber = (v: unknown): boolean =>
  typeof v === 'number' ? Number.isFinite(v) : v === 'inf' || v === '-inf' || v === 'nan' || v === '-0';

/** As the schema has it; which seeds a generator takes is its own to say. */
const seed = expected(
  () => t('a number, or decimal digits in a text'),
  (v) => typeof v === 'number' || (typeof v === 'string' && /^-?\d{1,1000}$/.test(v)),
);

const matrix: Check = (value, path, problems) => {
  if (!Array.isArray(value))
    return expected(
      () => t('rows of numbers'),
      () => false,
    )(value, path, problems);
  value.forEach((row: unknown, i) => {
    const at = `${path}[${i}]`;
    if (!Array.isArray(row))
      return expected(
        () => t('a row of numbers'),
        () => false,
      )(row, at, problems);
    const bad = row.findIndex((x) => !specNumber(x));
    if (bad >= 0)
      expected(
        () => t('a finite number, "inf", "-inf", "nan" or "-0"'),
        () => false,
      )(row[bad], `${at}[${bad}]`, problems);
  });
};

const texts: Check = expected(
  () => t('a list of texts'),
  (v) => Array.isArray(v) && v.every((x) => typeof x === 'string'),
);

interface Fields {
  readonly required: { readonly [name: string]: Check };
  readonly optional?: { readonly [name: string]: Check };
}

function record({ required, optional = {} }: Fields): Check {
  const known = [...Object.keys(required), ...Object.keys(optional)];
  return (value, path, problems) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return expected(
        () => t('an object'),
        () => false,
      )(value, path, problems);
    }
    const fields = value as Record<string, unknown>;
    const at = (name: string): string => (path ? `${path}.${name}` : name);
    for (const name of Object.keys(fields)) {
      if (!known.includes(name)) problems.push(unknownField(at(name), name, known));
    }
    for (const [name, check] of Object.entries(required)) check(own(fields, name), at(name), problems);
    for (const [name, check] of Object.entries(optional)) {
      if (own(fields, name) !== undefined) check(own(fields, name), at(name), problems);
    }
  };
}

const own = (fields: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

function unknownField(path: string, name: string, known: readonly string[]): Problem {
  const meant = nearest(name, known);
  const hint = meant !== undefined ? t('Did you mean {0}?', meant) : t('Known fields: {0}.', known.join(', '));
  return { code: 'unknown-field', path, message: t('{0}: unknown field', path), hint };
}

/** An object whose field `tag` decides which of the shapes it has. */
function tagged(
  tag: string,
  shapes: { readonly [value: string]: Fields | ((fields: Readonly<Record<string, unknown>>) => Fields) },
): Check {
  return (value, path, problems) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const found = isObject ? own(value as Record<string, unknown>, tag) : undefined;
    const shape = typeof found === 'string' && Object.hasOwn(shapes, found) ? shapes[found] : undefined;
    const pick = oneOf(...Object.keys(shapes));
    if (!isObject)
      return expected(
        () => t('an object'),
        () => false,
      )(value, path, problems);
    if (!shape) return pick(found, `${path}.${tag}`, problems);
    const fields = typeof shape === 'function' ? shape(value as Record<string, unknown>) : shape;
    record({ ...fields, required: { [tag]: pick, ...fields.required } })(value, path, problems);
  };
}

/** Rows of numbers, or such for each head (and each batch). */
const heads: Check = (value, path, problems) => {
  const deeper = Array.isArray(value) && Array.isArray(value[0]) && Array.isArray((value[0] as unknown[])[0]);
  if (!deeper) return matrix(value, path, problems);
  (value as unknown[]).forEach((v, i) => {
    if (path.length < 200) heads(v, `${path}[${i}]`, problems);
    else problems.push({ code: 'field', path, message: t('{0}: nested too deeply', path) });
  });
};

const numbers: Check = (value, path, problems) => {
  if (!Array.isArray(value))
    return expected(
      () => t('a list of numbers'),
      () => false,
    )(value, path, problems);
  const bad = value.findIndex((x) => !specNumber(x));
  if (bad >= 0)
    expected(
      () => t('a finite number, "inf", "-inf", "nan" or "-0"'),
      () => false,
    )(value[bad], `${path}[${bad}]`, problems);
};

const flag = expected(
  () => t('true or false'),
  (v) => typeof v === 'boolean',
);

/** One of some words, or an object of the given shape. */
const wordOr =
  (object: Check, ...allowed: readonly string[]): Check =>
  (value, path, problems) => {
    (typeof value === 'object' && value !== null ? object : oneOf(...allowed))(value, path, problems);
  };

const splitters = ['words', 'characters', 'bytes'];

/** [id, start, end], then how the token is written, then true where it is special. */
const piece: Check = (value, path, problems) => {
  const fields = Array.isArray(value) ? (value as unknown[]) : [];
  const [id, from, to, written = '', special = true] = fields;
  const fits = [id, from, to].every((x) => typeof x === 'number') && typeof written === 'string' && special === true;
  expected(
    () => '[id, start, end, written?, special?]',
    () => fits && fields.length <= 5,
  )(value, path, problems);
};

const pieces: Check = (value, path, problems) => {
  if (!Array.isArray(value) || value.length === 0)
    return expected(
      () => t('pieces'),
      () => false,
    )(value, path, problems);
  (value as unknown[]).forEach((p, i) => piece(p, `${path}[${i}]`, problems));
};

const start = tagged('from', {
  text: ({ tokenizer }) => ({
    required: { text, tokenizer: wordOr(record({ required: { file: text } }), ...splitters, ...encodingNames) },
    optional: {
      pieces: splitters.includes(tokenizer as string)
        ? expected(
            () => t('no pieces: nothing decides them'),
            () => false,
          )
        : pieces,
    },
  }),
  ids: { required: { ids: numbers } },
  x: { required: { x: heads }, optional: { context: heads } },
  qkv: { required: { q: heads, k: heads }, optional: { v: heads } },
  scores: { required: { scores: heads, dK: number }, optional: { v: heads } },
  weights: { required: { weights: heads, v: heads } },
});

const embedding = tagged('from', { random: { required: {} }, given: { required: { table: matrix } } });

const projections = tagged('from', {
  none: { required: {} },
  random: { required: { dK: number, dV: number }, optional: { bias: flag } },
  given: {
    required: { wq: matrix, wk: matrix, wv: matrix },
    optional: { bq: numbers, bk: numbers, bv: numbers },
  },
});

const outputProjection = tagged('from', {
  none: { required: {} },
  random: { required: {}, optional: { bias: flag } },
  given: { required: { wo: matrix }, optional: { bo: numbers } },
});

const scale = wordOr(record({ required: { divideBy: number } }), 'sqrt_d_k', 'none', 'sqrt_d_model');

const positions = wordOr(
  record({ required: { learned: matrix } }),
  'none', 'sinusoidal-interleaved', 'sinusoidal-concatenated', 'learned-random', 'rope-interleaved', 'rope-half', 'alibi',
); // prettier-ignore

const mask = wordOr(
  tagged('kind', {
    causal: { required: { alignment: oneOf('start', 'end') } },
    padding: { required: { visible: number } },
    window: { required: { size: number, causal: flag } },
    boolean: { required: { values: heads, trueMeans: oneOf('hidden', 'visible') } },
    additive: { required: { values: heads } },
  }),
  'none',
  'causal',
);

const maskFill: Check = (value, path, problems) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) oneOf('-inf', 'min')(value, path, problems);
};

const specFields: Fields = {
  required: {
    version: oneOf(1),
    dtype: oneOf('float64', 'float32'),
    start,
    dModel: number,
    positions,
    projections,
    convention: oneOf('XW', 'XWT'),
    heads: number,
    scale,
    mask,
    maskFill,
    random: record({ required: { generator: oneOf(...generators), seed } }),
  },
  optional: {
    embedding,
    kvHeads: number,
    outputProjection,
    softcap: number,
    temperature: number,
    fullyMasked: oneOf('nan', 'zero'),
    labels: record({ required: {}, optional: { queries: texts, keys: texts } }),
  },
};
