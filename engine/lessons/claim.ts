import { t, fail, ok, type Result } from '../text';
import { propertyOf, type Property } from '../explain';
import { decodeNumber, type SpecNumber } from '../spec';
import { formatShape } from '../math';
import type { AttentionTrace } from '../run';
import {
  expected,
  finite,
  listOf,
  oneOf,
  positive,
  tagged,
  text,
  booleanValue,
  wholeNumber,
  type Check,
} from './fields';
import { cellsOf, partFields, quantity, stepNamed, valueOf, type Quantity } from './quantity';

/** A statement about a block that the engine can decide. `holds: false` negates it. */
export type Claim = { readonly about?: string; readonly holds?: boolean } & (
  | {
      readonly is: 'equal' | 'less' | 'more';
      readonly value: Quantity;
      readonly to: number | Quantity;
      readonly tolerance?: number;
    }
  | { readonly is: 'shape'; readonly step: string; readonly shape: readonly number[] }
  /** The printed numbers of a step, or of one of its rows. */
  | {
      readonly is: 'shows';
      readonly step: string;
      readonly row?: number;
      readonly head?: number;
      readonly numbers: readonly SpecNumber[];
      readonly tolerance?: number;
    }
  | { readonly is: 'property'; readonly property: Property['id'] }
  /** The product of two steps exists, and has the given shape, if any. */
  | { readonly is: 'product'; readonly of: readonly [string, string]; readonly shape?: readonly number[] }
  /** A name that the lines of a program assign, import or define. */
  | { readonly is: 'assigned'; readonly name: string; readonly in: readonly string[] }
);

const properties = ['rows-sum-to-1', 'scores-symmetric', 'weights-symmetric', 'causal', 'permutation-equivariant'];
const common = { about: text, holds: booleanValue };
const number = expected(
  () => t('a number, "inf", "-inf" or "nan"'),
  (v) => typeof v === 'number' || v === 'inf' || v === '-inf' || v === 'nan' || v === '-0',
);
const numberOrQuantity: Check = (value, path, problems) =>
  (typeof value === 'object' && value !== null ? quantity : finite)(value, path, problems);
const compared = { required: { value: quantity, to: numberOrQuantity }, optional: { ...common, tolerance: positive } };

export const claim: Check = tagged('is', {
  equal: compared,
  less: compared,
  more: compared,
  shape: { required: { step: text, shape: listOf(wholeNumber, 1) }, optional: common },
  shows: {
    required: { step: text, numbers: listOf(number, 1) },
    optional: { ...common, row: partFields.row, head: partFields.head, tolerance: positive },
  },
  property: { required: { property: oneOf(...properties) }, optional: common },
  product: {
    required: { of: expected(() => t('two steps'), (v) => Array.isArray(v) && v.length === 2 && v.every((s) => typeof s === 'string')) },
    optional: { ...common, shape: listOf(wholeNumber, 1) },
  },
  assigned: { required: { name: text, in: listOf(text, 1) }, optional: { holds: booleanValue } },
}); // prettier-ignore

/** Returns the trace of a block; without an id, of the block that the question is about. */
export type Traces = (id?: string) => Result<AttentionTrace>;

/** Whether a claim is true. A Problem if it cannot be decided: an unknown step, or two values too close to compare. */
export function decideClaim(claimed: Claim, traces: Traces): Result<boolean> {
  if (claimed.is === 'assigned') return ok(assigns(claimed.in, claimed.name) === (claimed.holds ?? true));
  const trace = traces(claimed.about);
  if (!trace.ok) return trace;
  const found = decideOnTrace(claimed, trace.value, traces);
  return found.ok ? ok(found.value === (claimed.holds ?? true)) : found;
}

type AboutTrace = Exclude<Claim, { readonly is: 'assigned' }>;

function decideOnTrace(claimed: AboutTrace, trace: AttentionTrace, traces: Traces): Result<boolean> {
  switch (claimed.is) {
    case 'shape': {
      const step = stepNamed(trace, claimed.step);
      return step.ok ? ok(formatShape(step.value.shape) === formatShape(claimed.shape)) : step;
    }
    case 'shows':
      return showsNumbers(claimed, trace);
    case 'property': {
      const property = propertyOf(trace, claimed.property);
      return property ? ok(property.holds) : fail({ code: 'no-meaning', message: t('{0} has no meaning here', claimed.property) });
    }
    case 'product':
      return productFits(claimed, trace);
    default:
      return compare(claimed, traces);
  }
} // prettier-ignore

function showsNumbers(claimed: Extract<Claim, { is: 'shows' }>, trace: AttentionTrace): Result<boolean> {
  const cells = cellsOf(trace, claimed);
  if (!cells.ok) return cells;
  const { numbers, step } = claimed;
  if (cells.value.length !== numbers.length)
    return fail({ code: 'shape-mismatch', message: t('{0} numbers for {1} cells of {2}', numbers.length, cells.value.length, step) });
  const within = claimed.tolerance ?? shownTolerance(numbers);
  return ok(cells.value.every(({ value }, i) => isNear(value, decodeNumber(numbers[i] as SpecNumber), within)));
} // prettier-ignore

/** Half a unit of the last written digit, as printed numbers are rounded. */
export function shownTolerance(numbers: readonly SpecNumber[]): number {
  const places = numbers.map((x) => String(x).split('.')[1]?.length ?? 0);
  return 0.5 * Number(`1e-${Math.min(15, Math.max(0, ...places))}`);
}

/** Whether two numbers differ by at most the tolerance, allowing for rounding of the difference. NaN equals NaN. */
export const isNear = (a: number, b: number, within: number): boolean =>
  Object.is(a, b) || a === b || Math.abs(a - b) <= within * (1 + 1e-9);

function productFits(claimed: Extract<Claim, { is: 'product' }>, trace: AttentionTrace): Result<boolean> {
  const [first, second] = claimed.of.map((id) => stepNamed(trace, id));
  if (!first?.ok) return first ?? ok(false);
  if (!second?.ok) return second ?? ok(false);
  const [a, b] = [first.value.shape, second.value.shape];
  const shape = [a.at(-2) ?? 0, b.at(-1) ?? 0];
  const asSaid = claimed.shape === undefined || formatShape(shape) === formatShape(claimed.shape);
  return ok(a.at(-1) === b.at(-2) && asSaid);
}

function compare(claimed: Extract<Claim, { is: 'equal' | 'less' | 'more' }>, traces: Traces): Result<boolean> {
  const [left, right] = [numberOf(claimed.value, claimed, traces), numberOf(claimed.to, claimed, traces)];
  if (!left.ok) return left;
  if (!right.ok) return right;
  const within = claimed.tolerance ?? 1e-9 * Math.max(1, Math.abs(left.value), Math.abs(right.value));
  const same = isNear(left.value, right.value, within);
  if (claimed.is === 'equal') return ok(same);
  if (left.value === right.value) return ok(false);
  if (same || Number.isNaN(left.value + right.value))
    return fail({ code: 'tie', message: t('{0} and {1} are too near to say which is more', left.value, right.value) });
  return ok(claimed.is === 'less' ? left.value < right.value : left.value > right.value);
}

function numberOf(given: number | Quantity, claimed: Claim, traces: Traces): Result<number> {
  if (typeof given === 'number') return ok(given);
  const trace = traces(given.about ?? claimed.about);
  return trace.ok ? valueOf(trace.value, given) : trace;
}

/** Whether Python code binds a name: `a = …`, `a, b = …`, `def a(…)`, `import … as a`, `for a in …`. */
function assigns(lines: readonly string[], name: string): boolean {
  return lines.some((line) => {
    const [left = '', right] = line.slice(0, 400).split(/(?<![=!<>+\-*/])=(?!=)/, 2);
    const said = /^\s*(?:(?:def|class|import|from)\b(.*)|for\b(.*?)\bin\b)/.exec(left);
    const given = right === undefined ? (said?.[1] ?? said?.[2] ?? '') : left;
    return given.split(/[^\w]+/).includes(name);
  });
}
