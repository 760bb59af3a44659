/** What stands at an offset of a program: its shape, its number type, its values as far as they follow, and why they do not. */
import { statisticsOf, type Statistics } from '../../explain';
import { t, type Paced, type TextRange } from '../../text';
import { type Cause, NotComputed, type Dense, isKnownShape, Raised, valuesOf, type Allowance } from '../tensor';
import { nodesOf } from '../explain';
import type { Program } from '../program';
import type { Attention } from '../recognise/index';
import { type Seen, typeName } from '../machine';
import { rangeOf } from '../syntax';
import { coreOf, titleOf } from './attentions';
import { otherShapes, shapeText, sizesText, stateOf, tensorOf, unusualType, valueText, whyOf, type SeenTensor, type State } from './describe'; // prettier-ignore

/** One matrix of a tensor: its last two axes. */
export interface Part {
  readonly shape: readonly number[];
  /** Row-major. */
  readonly values: Float64Array;
  /** `attn[0, 0]` where it is not the whole tensor; `[:256, :256]` where it is not even a whole matrix. */
  readonly index?: string;
}

export interface ValueAt {
  /** The name or expression, and what the code says there. */
  readonly range: TextRange;
  readonly text: string;
  readonly state: State;
  /** Why it is not known, or in shape only, and where that began. */
  readonly why?: Cause;
  /** Known if this holds: dropout that is passed by. */
  readonly assumes?: Cause;
  /** No line calls this: it was read with stand-in arguments. */
  readonly standIn: boolean;
  /** Sizes and numbers stand in: they are a sample's, from a seed. */
  readonly sample: boolean;
  /** How often this was reached; the last time is shown. */
  readonly times: number;
  /** Shapes that it had before. */
  readonly before: readonly string[];
  /** Of a tensor: `6×6`; `B×T×C` where sizes are known by name. Undefined: not even its axes are known. */
  readonly shape?: string;
  readonly dtype?: string;
  /** The number type is not what the library's floats have anyhow. */
  readonly unusual?: boolean;
  /** Of all numbers of the tensor. */
  readonly statistics?: Statistics & { readonly zeros: number };
  readonly part?: Part;
  /** The attention of which it is a part: the last one computed that has it among its steps. */
  readonly attention?: { readonly title: string; readonly range: TextRange };
  /** Python's text of what is no tensor. */
  readonly words?: string;
  /** Python's name of its type. */
  readonly type?: string;
}

/** Work and numbers that looking at one value may take: some tenths of a second. */
const allowance = (): Allowance => ({ work: 5e7, numbers: 4e6 });

/** Rows and columns that are given of a matrix. */
const mostRows = 256;

/** The smallest expression or name at an offset that was reached. */
export function* valueAt(
  text: string,
  program: Program,
  offset: number,
  attentions: readonly Attention[] = [],
): Paced<ValueAt | undefined> {
  const found = placeAt(text, program, offset);
  if (!found) return undefined;
  const value = yield* described(text, found.seen, found.range);
  const node = tensorOf(found.seen.snapshot)?.node;
  const part = node && attentions.findLast((attention) => nodesOf(program.graph, attention).includes(node));
  return part ? { ...value, attention: { title: yield* titleOf(part), range: coreOf(part).range } } : value;
}

interface Place {
  readonly seen: Seen;
  readonly range: TextRange;
}

/** The smallest expression or name at a caret: behind a name it means the name. */
export function placeAt(text: string, program: Program, offset: number): Place | undefined {
  const isBehind = /\w/.test(text[offset - 1] ?? '') && !/\w/.test(text[offset] ?? '');
  return seenAt(program, isBehind ? offset - 1 : offset);
}

export function seenAt({ seen: all }: Program, offset: number): Place | undefined {
  let best: Place | undefined;
  for (const seen of all.values()) {
    const { base, text } = seen.source;
    if (offset < base || offset >= base + text.length) continue;
    const range = rangeOf(seen.source, seen.place);
    const holds = range.start <= offset && offset < range.end;
    // Of one place that is read and then bound, `x += 1`, the later is meant.
    if (holds && (!best || range.end - range.start <= best.range.end - best.range.start)) best = { seen, range };
  }
  return best;
}

function* described(text: string, seen: Seen, place: TextRange): Paced<ValueAt> {
  const { snapshot, standIn, sample = false, times } = seen;
  const range = withoutAnnotation(text, place);
  const why = whyOf(snapshot);
  const common = {
    range,
    text: text.slice(range.start, range.end),
    state: stateOf(snapshot),
    ...(why && { why }),
    standIn,
    sample,
    times,
    before: otherShapes(seen),
  };
  const tensor = tensorOf(snapshot);
  if (tensor) return yield* withNumbers(common, tensor);
  const shape = shapeText(snapshot);
  return { ...common, words: valueText(snapshot), type: typeOf(seen), ...(shape !== undefined && { shape }) };
}

/** `x: Tensor` is called `x`. */
function withoutAnnotation(text: string, { start, end }: TextRange): TextRange {
  const colon = /^[A-Za-z_]\w*(?=\s*:)/.exec(text.slice(start, end));
  return { start, end: colon ? start + colon[0].length : end };
}

function typeOf({ snapshot }: Seen): string {
  if (snapshot.kind === 'plain') return snapshot.value.kind === 'unknown' ? (snapshot.value.type ?? '') : typeName(snapshot.value); // prettier-ignore
  return snapshot.type;
}

function* withNumbers(common: Omit<ValueAt, 'shape' | 'dtype'>, tensor: SeenTensor): Paced<ValueAt> {
  const { node } = tensor;
  const about = {
    ...common,
    ...(node.shape && { shape: sizesText(node.shape) }),
    ...(node.typeOpen ? {} : { dtype: node.dtype }),
    unusual: unusualType(tensor) !== '',
    type: tensor.type,
    ...(node.assumes && { assumes: node.assumes }),
  };
  if (node.why || !node.shape || !isKnownShape(node.shape)) return about;
  try {
    const dense = yield* valuesOf(node, allowance());
    if (!dense) return { ...about, state: 'shape' };
    return { ...about, statistics: numbersOf(dense), part: partOf(dense) };
  } catch (error) {
    if (error instanceof NotComputed) return { ...about, state: 'shape', why: { text: t('too much to compute here: {0}', error.message), range: node.range } }; // prettier-ignore
    if (error instanceof Raised) return { ...about, state: 'shape', why: { text: `${error.type}: ${error.message}`, range: node.range } }; // prettier-ignore
    throw error;
  }
}

function numbersOf({ data }: Dense): Statistics & { zeros: number } {
  let zeros = 0;
  for (const x of data) if (x === 0) zeros++;
  return { ...statisticsOf(data), zeros };
}

/** The last two axes, of the first batch and head. */
function partOf({ data, shape }: Dense): Part {
  const own = shape.slice(-2);
  const [rows, columns] = own.length === 2 ? (own as [number, number]) : [1, own[0] ?? 1];
  const [high, wide] = [Math.min(rows, mostRows), Math.min(columns, mostRows * (rows === 1 ? mostRows : 1))];
  const values = new Float64Array(high * wide);
  for (let i = 0; i < high; i++) values.set(data.subarray(i * columns, i * columns + wide), i * wide);
  const index = [
    ...shape.slice(0, -2).map(() => '0'),
    ...(high < rows || wide < columns ? (own.length === 2 ? [`:${high}`, `:${wide}`] : [`:${wide}`]) : []),
  ];
  const cut = own.length === 2 ? [high, wide] : own.length === 1 ? [wide] : [];
  return { shape: cut, values, ...(index.length > 0 && { index: index.join(', ') }) };
}
