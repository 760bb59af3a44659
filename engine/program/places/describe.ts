/** What a place came to, in words: shapes as the code names them, Python's own text of plain values. */
import { t } from '../../text';
import { plainText } from '../evaluate';
import { type Cause, type Node, formatDim, formatShape, type Shape, defaultOf, type Library } from '../tensor';
import { type Seen, type Snapshot, typeName } from '../machine';

export interface SeenTensor {
  readonly node: Node;
  readonly library: Library;
  readonly type: string;
}

/** The tensor that a place is; also one that stands in for an argument, once its use says so. */
export function tensorOf(snapshot: Snapshot): SeenTensor | undefined {
  if (snapshot.kind === 'tensor') return snapshot;
  const stands = snapshot.kind === 'plain' && snapshot.value.kind === 'unknown' && snapshot.value.standIn?.tensor;
  return stands ? { node: stands.node, library: stands.library, type: typeName(stands) } : undefined;
}

/** The number type where it is not the one that a library's floats have anyhow. */
export const unusualType = ({ node: { dtype }, library }: SeenTensor): string =>
  dtype === defaultOf(library, 'float') ? '' : dtype;

/** `6×6`; a vector's as Python writes it, `(6,)`: a number alone looks like a value. */
export const sizesText = (shape: Shape): string =>
  shape.length === 1 ? `(${formatShape(shape)},)` : formatShape(shape);

/** `6×6`, `6×6 int64`. */
function tensorShape(tensor: SeenTensor): string | undefined {
  const { shape } = tensor.node;
  return shape && [sizesText(shape), unusualType(tensor)].filter(Boolean).join(' ');
}

/** Shapes in a container that are written out one by one. */
const mostListed = 3;

/** Of a tensor its shape, of several those, of a layer its weight's; undefined for what has none. */
export function shapeText(snapshot: Snapshot): string | undefined {
  const tensor = tensorOf(snapshot);
  if (tensor) return tensorShape(tensor);
  if (snapshot.kind === 'object') {
    const weight = snapshot.fields.find(([name]) => name === 'weight');
    return weight && shapeText(weight[1]);
  }
  if (snapshot.kind !== 'items' || snapshot.items.length === 0 || snapshot.unsure) return undefined;
  const shapes = snapshot.items.map(([, item]) => (tensorOf(item) ? shapeText(item) : undefined));
  if (shapes.includes(undefined)) return undefined;
  if (snapshot.count <= mostListed) return `(${shapes.join(', ')})`;
  const alike = snapshot.items.length === snapshot.count && shapes.every((shape) => shape === shapes[0]);
  return alike ? t('{0} tensors {1}', snapshot.count, shapes[0]) : undefined;
}

/** Longest text of a value. */
const longest = 400;

/** Python's `repr`, with a tensor as its shape; `…` for what is not shown, `?` for what is not known. */
export const valueText = (snapshot: Snapshot): string => cut(textOf(snapshot));

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

function textOf(snapshot: Snapshot): string {
  switch (snapshot.kind) {
    case 'tensor':
      return `${snapshot.type}(${shapeText(snapshot) ?? '?'})`;
    case 'plain':
      return plain(snapshot);
    case 'object': {
      const fields = snapshot.fields.map(([name, field]) => `${name}=${textOf(field)}`);
      return `${snapshot.type}(${[...fields, ...(snapshot.whole || fields.length === 0 ? [] : ['…'])].join(', ')})`;
    }
    case 'items':
      return itemsText(snapshot);
  }
}

function plain(snapshot: Snapshot & { kind: 'plain' }): string {
  const { value } = snapshot;
  if (value.kind === 'symbol') return formatDim(value.dim);
  const tensor = tensorOf(snapshot);
  if (tensor) return `${tensor.type}(${tensorShape(tensor) ?? '?'})`;
  return value.kind === 'unknown' ? '?' : (plainText(value, true) ?? typeName(value));
}

const brackets = { list: '[]', tuple: '()', set: '{}', dict: '{}' } as const;

function itemsText({ type, items, count, isSize }: Snapshot & { kind: 'items' }): string {
  if (type === 'set' && count === 0) return 'set()';
  const [open, close] = [...brackets[type]] as [string, string];
  const parts = items.map(([key, item]) => (key ? `${textOf(key)}: ${textOf(item)}` : textOf(item)));
  const rest = items.length < count ? ['…'] : [];
  const inner = [...parts, ...rest].join(', ') + (type === 'tuple' && count === 1 ? ',' : '');
  return isSize ? `torch.Size([${[...parts, ...rest].join(', ')}])` : `${open}${inner}${close}`;
}

/** Why it is not known, or known in shape only. */
export function whyOf(snapshot: Snapshot): Cause | undefined {
  const tensor = tensorOf(snapshot);
  if (tensor) return tensor.node.why;
  if (snapshot.kind === 'items') return snapshot.unsure;
  if (snapshot.kind !== 'plain') return undefined;
  return snapshot.value.kind === 'unknown' || snapshot.value.kind === 'symbol' ? snapshot.value.cause : undefined;
}

/** How sure what is shown is. */
export type State = 'known' | 'shape' | 'unknown';

export function stateOf(snapshot: Snapshot): State {
  const tensor = tensorOf(snapshot);
  if (tensor) return !tensor.node.why ? 'known' : tensor.node.shape ? 'shape' : 'unknown';
  if (snapshot.kind === 'plain') return snapshot.value.kind === 'unknown' ? 'unknown' : 'known';
  return snapshot.kind === 'items' && snapshot.unsure ? 'unknown' : 'known';
}

/** Shapes that a place had before its last one. */
export function otherShapes({ shapes, snapshot }: Seen): readonly string[] {
  const last = tensorOf(snapshot)?.node.shape;
  return (last ? shapes.slice(0, -1) : shapes).map(sizesText);
}
