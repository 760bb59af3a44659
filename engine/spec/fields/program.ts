import { t, type Role } from '../../text';
import {
  expected,
  flag,
  ids,
  listOf,
  number,
  oneOf,
  record,
  tagged,
  tensor,
  text,
  texts,
  type Kind,
  type TypeOf,
} from '../kinds';
import type { SpecNumber } from '../matrix';

/*
 * A start that is a program's own steps, in the order in which it computed them, each with the place in the text that it comes from. The text itself is not in it.
 */

const role: Kind<Role> = oneOf(
  'token', 'x', 'position', 'query', 'key', 'value', 'scores', 'mask', 'weights', 'output', 'parameter',
); // prettier-ignore

const fill: Kind<SpecNumber> = {
  check: expected(
    () => t('a number'),
    (v) => (typeof v === 'number' && Number.isFinite(v)) || v === 'inf' || v === '-inf' || v === 'nan' || v === '-0',
  ),
  schema: () => ({ $ref: '#/$defs/number' }),
};

/** What every step has. */
const own = {
  /** Letters and digits; those of an explanation (`q`, `scores`, `weights`, …) where it plays that part. */
  id: text,
  /** What the code calls it. */
  name: text,
  role,
} as const;

const place = {
  /** Line in the text, from 1. */
  line: number,
  /** Start and end of the expression in the text, in UTF-16 offsets, half-open. */
  range: ids,
} as const;

const from = { ...own, operands: texts } as const;

export const programStep = tagged('op', {
  /** Numbers that the program has, or that stand in for what it does not say. */
  given: {
    required: { ...own, values: tensor },
    optional: {
      ...place,
      /** `computed`: by the program, from what is not followed step by step. `drawn`: by a seeded generator. `stand-in`: not the code's own. `live`: of a process that had stopped. */
      origin: oneOf('literal', 'computed', 'drawn', 'stand-in', 'live'),
      /** 1 where a key is hidden. */
      hides: flag,
      /** Computed from numbers that stand in. */
      standsIn: flag,
    },
    describe: () => t('Numbers of the program.'),
  },
  matmul: { required: { ...from, transposeB: flag }, optional: place },
  add: { required: from, optional: place },
  combine: { required: { ...from, sign: oneOf('−', '×', '÷') }, optional: place },
  scale: { required: { ...from, by: number }, optional: place },
  divide: { required: { ...from, by: number }, optional: place },
  mask: { required: { ...from, fill }, optional: place },
  softmax: { required: from, optional: place },
  exponential: { required: from, optional: place },
  reduce: { required: { ...from, of: oneOf('sum', 'max'), over: oneOf('row', 'column', 'matrix') }, optional: place },
  /** Each cell alone. */
  apply: { required: { ...from, of: oneOf('square', 'root', 'inverseRoot', 'inverse', 'tanh') }, optional: place },
  /** One after the other along an axis, counted from the end: 1 is that of columns. */
  join: { required: { ...from, axis: number }, optional: place },
  splitHeads: { required: { ...from, heads: number }, optional: place },
  concatHeads: { required: from, optional: place },
  repeatHeads: { required: { ...from, times: number }, optional: place },
  /** Cells at other places: of each the place in row-major order, where no strides say it. */
  pick: { required: { ...from, shape: ids, places: ids }, optional: place },
  /** Cells at other places, as a view by strides has them. */
  rearrange: { required: { ...from, shape: ids, strides: ids, offset: number }, optional: place },
} as const);

export type ProgramStep = TypeOf<typeof programStep>;

/** Queries and keys: rows and columns of the weights. */
const tokens = record({ required: { queries: number, keys: number } });

export const programStart = {
  required: { steps: listOf(programStep), tokens, dtype: oneOf('float64', 'float32', 'float16', 'bfloat16') },
  optional: {
    /** Of stand-in numbers. */
    seed: number,
    /** The line in which the process had stopped whose values these are, from 1. */
    stopped: number,
    /** Over what the code's weights sum to 1, where that is not the keys of a query. */
    sumsOver: oneOf('queries', 'matrix', 'other'),
  },
  describe: () => t('The steps of a program, in the order in which it computed them.'),
} as const;

/** What other fields of a spec say where the steps are a program's: nothing. */
export const programRest = { scale: 'none', projections: { from: 'none' }, mask: 'none' } as const;

/** Steps that a program may have, and numbers that it may give. */
export const programLimit = { steps: 400, numbers: 1 << 20 } as const;
