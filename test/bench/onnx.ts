// The few fields of ONNX's protobuf (onnx.proto3) that a graph of float32 matrices needs: onnxruntime-web takes a model and nothing else.

export interface Node {
  readonly op: string;
  readonly inputs: readonly string[];
  /** Several of an operation such as Split. */
  readonly output: string | readonly string[];
  /** Integers by name; a list becomes INTS. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

export interface Graph {
  readonly nodes: readonly Node[];
  /** Shapes by name. */
  readonly inputs: Readonly<Record<string, readonly number[]>>;
  readonly outputs: Readonly<Record<string, readonly number[]>>;
  readonly scalars?: Readonly<Record<string, number>>;
  /** Integers by name, such as the shape that Reshape takes. */
  readonly integers?: Readonly<Record<string, readonly number[]>>;
  /** Matrices in a file beside the model: their first byte there. */
  readonly weights?: Readonly<Record<string, { readonly shape: readonly number[]; readonly at: number }>>;
}

/** The name by which a session is given the file of `weights`. */
export const weightsFile = 'weights';

type Bytes = readonly number[];

/** A model of opset 17. */
export function modelOf({ nodes, inputs, outputs, scalars = {}, integers = {}, weights = {} }: Graph): Uint8Array {
  const graph = [
    ...nodes.flatMap((node) => message(1, nodeOf(node))),
    ...text(2, 'graph'),
    ...Object.entries(scalars).flatMap(([name, value]) => message(5, scalarOf(name, value))),
    ...Object.entries(integers).flatMap(([name, values]) => message(5, integersOf(name, values))),
    ...Object.entries(weights).flatMap(([name, weight]) => message(5, weightOf(name, weight))),
    ...Object.entries(inputs).flatMap(([name, shape]) => message(11, valueOf(name, shape))),
    ...Object.entries(outputs).flatMap(([name, shape]) => message(12, valueOf(name, shape))),
  ];
  return Uint8Array.from([...integer(1, 8), ...message(7, graph), ...message(8, integer(2, 17))]);
}

const nodeOf = ({ op, inputs, output, attributes = {} }: Node): Bytes => [
  ...inputs.flatMap((name) => text(1, name)),
  ...[output].flat().flatMap((name) => text(2, name)),
  ...text(4, op),
  ...Object.entries(attributes).flatMap(([name, value]) => message(5, attributeOf(name, value))),
];

const attributeOf = (name: string, value: number | readonly number[]): Bytes => [
  ...text(1, name),
  ...(typeof value === 'number' ? integer(3, value) : value.flatMap((i) => integer(8, i))),
  ...integer(20, typeof value === 'number' ? 2 : 7),
];

const float = 1;

const scalarOf = (name: string, value: number): Bytes => [
  ...integer(2, float),
  ...text(8, name),
  ...message(9, [...new Uint8Array(Float32Array.of(value).buffer)]),
];

const weightOf = (name: string, { shape, at }: { readonly shape: readonly number[]; readonly at: number }): Bytes => {
  const bytes = shape.reduce((a, b) => a * b, 4);
  const entries = { location: weightsFile, offset: String(at), length: String(bytes) };
  return [
    ...shape.flatMap((n) => integer(1, n)),
    ...integer(2, float),
    ...text(8, name),
    ...Object.entries(entries).flatMap(([key, value]) => message(13, [...text(1, key), ...text(2, value)])),
    ...integer(14, 1),
  ];
};

const integersOf = (name: string, values: readonly number[]): Bytes => [
  ...integer(1, values.length),
  ...integer(2, 7),
  ...text(8, name),
  ...message(9, [...new Uint8Array(BigInt64Array.from(values, BigInt).buffer)]),
];

function valueOf(name: string, shape: readonly number[]): Bytes {
  const dimensions = shape.flatMap((n) => message(1, integer(1, n)));
  return [...text(1, name), ...message(2, message(1, [...integer(1, float), ...message(2, dimensions)]))];
}

const text = (field: number, value: string): Bytes => message(field, [...new TextEncoder().encode(value)]);

const message = (field: number, bytes: Bytes): Bytes => [
  ...varint((field << 3) | 2),
  ...varint(bytes.length),
  ...bytes,
];

const integer = (field: number, value: number): Bytes => [...varint(field << 3), ...varint(value)];

// Attributes may be negative (axis −1): ten bytes of two's complement.
function varint(value: number): Bytes {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}
