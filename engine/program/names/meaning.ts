/** What a value of a program is as a matrix or a number of a selection, or why it is neither. */
import { roleOf, type MatrixFormat, type Meaning, type ParsedMatrix } from '../../parse';
import { t, type Paced, type Problem, type TextRange } from '../../text';
import { isKnownShape, type Cause, type Library } from '../tensor';
import type { Value } from '../machine';
import type { Program } from '../program';

/** Longest side and size of what is shown. */
const mostElements = 1_000_000;
const mostAxes = 4;

/** A value's place in the selection, and how it came about. */
export interface About {
  readonly name?: string;
  readonly nameRange?: TextRange;
  readonly statement: TextRange;
  readonly derivation?: () => string | undefined;
  readonly format: (library: Library) => MatrixFormat;
  readonly problemOf: (cause: Cause) => Problem;
}

export function* meaningOf(program: Program, value: Value, about: About): Paced<Meaning> {
  const refused = (cause: Cause): Meaning => ({ kind: 'problem', problem: about.problemOf(cause) });
  switch (value.kind) {
    case 'int':
      return typeof value.value === 'bigint' ? { kind: 'other' } : { kind: 'number', value: value.value, type: 'int' };
    case 'float':
      return { kind: 'number', value: value.value, type: 'float' };
    case 'bool':
      return { kind: 'number', value: Number(value.value), type: 'bool' };
    case 'unknown':
    case 'symbol':
      return refused(value.cause);
    case 'tensor':
    case 'list':
    case 'tuple': {
      const found = yield* numbersOf(program, value);
      if (!found) return { kind: 'other' };
      return 'text' in found ? refused(found) : { kind: 'matrix', matrix: matrixOf(found, value, about) };
    }
    default:
      return { kind: 'other' };
  }
}

interface Numbers {
  readonly shape: readonly number[];
  readonly values: Float64Array;
  readonly dtype?: string;
}

function matrixOf({ shape, values, dtype }: Numbers, value: Value, about: About): ParsedMatrix {
  const { name, nameRange, statement } = about;
  const derivation = about.derivation?.();
  return {
    shape: shape.length === 0 ? [1] : shape,
    values,
    format: value.kind === 'tensor' ? about.format(value.library) : 'brackets',
    range: statement,
    ...(dtype === undefined ? {} : { dtype }),
    ...(name === undefined ? {} : { name, ...roleOf(name) }),
    ...(nameRange ? { nameRange } : {}),
    ...(derivation === undefined ? {} : { derivation }),
  };
}

/** The numbers of a tensor, or of a list of numbers, lists and tensors of one shape. */
function* numbersOf(program: Program, value: Value): Paced<Numbers | Cause | undefined> {
  if (value.kind === 'tensor') return yield* tensorNumbers(program, value);
  if ((value.kind !== 'list' && value.kind !== 'tuple') || value.items.length === 0) return undefined;
  const parts: Numbers[] = [];
  for (const item of value.items) {
    const part = item.kind === 'int' || item.kind === 'float' || item.kind === 'bool' ? single(item.value) : yield* numbersOf(program, item); // prettier-ignore
    if (!part || 'text' in part) return part;
    parts.push(part);
  }
  const [{ shape } = single(0)] = parts;
  if (parts.some((part) => part.shape.join() !== shape.join())) return undefined;
  const length = parts.reduce((sum, { values }) => sum + values.length, 0);
  if (length > mostElements || shape.length >= mostAxes) return undefined;
  const values = new Float64Array(length);
  let at = 0;
  for (const part of parts) {
    values.set(part.values, at);
    at += part.values.length;
  }
  return { shape: [value.items.length, ...shape], values };
}

const single = (value: number | bigint | boolean): Numbers => ({ shape: [], values: Float64Array.of(Number(value)) });

function* tensorNumbers(program: Program, tensor: Extract<Value, { kind: 'tensor' }>): Paced<Numbers | Cause> {
  const node = program.current(tensor);
  const { shape } = node;
  if (shape && isKnownShape(shape) && (shape.length > mostAxes || shape.reduce((a, b) => a * b, 1) > mostElements)) {
    const sides = shape.join('×');
    return { text: t('{0} is more than is computed (1,000,000 numbers, 4 dimensions)', sides), range: node.range };
  }
  if (node.why) return node.why;
  const dense = yield* program.look(node);
  return 'text' in dense ? dense : { shape: dense.shape, values: dense.data, dtype: node.dtype };
}
