import type { CallOf, OperationName } from '../../operations';

type Shape = readonly number[];

/** One launch of a kernel. */
export interface Dispatch {
  /** The words of the shader's `Params`. A float travels as its bits (see `floatBits`). */
  readonly params: Uint32Array<ArrayBuffer>;
  /** How many workgroups; folded into two dimensions by the caller (see `groupIndex`). */
  readonly groups: number;
}

/** A shader and how to launch it for a call with operands of these shapes and a result of `shape`. */
export interface Kernel<O extends OperationName> {
  /** WGSL with entry point `main`. Bindings of group 0: 0 the parameters, 1 … the operands that are read, last the result. */
  readonly shader: string;
  /** Which operands it reads, in binding order. */
  readonly reads: readonly number[];
  readonly dispatch: (call: CallOf<O>, operands: readonly Shape[], shape: Shape) => Dispatch;
}

/** The result is the first operand's own buffer: nothing is copied. */
export const alias = 'alias';

/** One kernel an operation: a missing one does not compile. */
export type GpuKernels = { readonly [O in OperationName]: Kernel<O> | typeof alias };

/** The bits of a float32, and whatever is not finite as IEEE 754 has it. */
export const floatBits = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0] ?? 0;

const largest = 3.4028234663852886e38;

/** A finite number beyond float32 as the largest or lowest float32; infinities stay. */
export const saturate = (x: number): number => (Number.isFinite(x) ? Math.max(-largest, Math.min(largest, x)) : x);

export const words = (...values: readonly number[]): Uint32Array<ArrayBuffer> => Uint32Array.from(values);

/** Threads of a workgroup in element-wise kernels. */
export const lanes = 256;

/**
 * WGSL: the parameters of every entry point and `groupIndex()`. A dispatch takes 65,535 workgroups a dimension, so more
 * are folded into rows; the last row may hold groups past the end, which the kernels leave at once.
 */
export const gridParameters = /* wgsl */ `
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
`;
export const groupIndex = 'group.y * groups.x + group.x';
