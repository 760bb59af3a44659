import type { CallOf, OnGpu, OperationName } from '../../../plan';

type Shape = readonly number[];

/** Parameters and size of one launch of a kernel. */
export interface Dispatch {
  /** The shader's `Params` as 32-bit words. A float is stored as its bits (see `floatBits`). */
  readonly params: Uint32Array<ArrayBuffer>;
  /** How many workgroups; folded into two dimensions by the caller (see `groupIndex`). */
  readonly groups: number;
}

/** WGSL with entry point `main`; compiled once for a device under its name. */
export interface Shader {
  readonly name: string;
  readonly code: string;
}

/** What a kernel is compiled for. */
export interface Target {
  /** Whether workgroup memory is worth its barriers: on a graphics card, not where software plays one. */
  readonly tiled: boolean;
}

/** A shader and how to launch it for a call with operands of these shapes and a result of `shape`. */
export interface Kernel<O extends OperationName> {
  /**
   * WGSL with entry point `main`. Bindings of group 0: 0 the parameters, 1 … the operands that are read, last the result. A function
   * where the shader depends on the shapes.
   */
  readonly shader: string | ((call: CallOf<O>, operands: readonly Shape[], shape: Shape, target: Target) => Shader);
  /** Which operands it reads, in binding order. */
  readonly reads: readonly number[];
  readonly dispatch: (call: CallOf<O>, operands: readonly Shape[], shape: Shape, target: Target) => Dispatch;
}

/**
 * What a launch binds after its parameters: an operand by its index, the step's result, the output of fused attention, or a scratch
 * buffer that passes values between launches.
 */
export type Binding = number | 'result' | 'output' | 'scratch';

export interface Launch extends Dispatch {
  readonly shader: Shader;
  readonly binds: readonly Binding[];
}

/** Launches in order. `scratch`: number of float32 values of the buffer that they share. */
export interface Launches {
  readonly list: readonly Launch[];
  readonly scratch?: number;
}

/** A kernel of several launches. */
export interface MultiLaunchKernel<O extends OperationName> {
  /** Which operands it reads. */
  readonly reads: readonly number[];
  readonly launches: (call: CallOf<O>, operands: readonly Shape[], shape: Shape) => Launches;
}

/** A kernel's launches. Operand numbers in `binds` are indices into `reads`. */
export function launchesOf<O extends OperationName>(
  kernel: Kernel<O> | MultiLaunchKernel<O>,
  call: CallOf<O>,
  operands: readonly Shape[],
  shape: Shape,
  target: Target,
): Launches {
  if ('launches' in kernel) return kernel.launches(call, operands, shape);
  const { shader } = kernel;
  const made =
    typeof shader === 'string'
      ? { name: (call as { readonly op: string }).op, code: shader }
      : shader(call, operands, shape, target);
  const binds = [...kernel.reads.map((_, i) => i), 'result' as const];
  return { list: [{ shader: made, binds, ...kernel.dispatch(call, operands, shape, target) }] };
}

/** A kernel for each operation that is declared to have one: a missing one does not compile. */
export type GpuKernels = {
  readonly [O in OperationName as OnGpu[O] extends 'kernel' ? O : never]: Kernel<O> | MultiLaunchKernel<O>;
};

/** The IEEE 754 bits of a number rounded to float32. */
export const floatBits = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0] ?? 0;

const largest = 3.4028234663852886e38;

/** Clamps a finite number to the range of float32. Infinities and NaN stay. */
export const saturate = (x: number): number => (Number.isFinite(x) ? Math.max(-largest, Math.min(largest, x)) : x);

export const uint32s = (...values: readonly number[]): Uint32Array<ArrayBuffer> => Uint32Array.from(values);

/** The numbers 0 … n − 1, to generate unrolled code. */
export const indices = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);

/** Threads of a workgroup in element-wise kernels. */
export const workgroupSize = 256;

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
