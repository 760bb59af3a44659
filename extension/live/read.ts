import * as vscode from 'vscode';
import { formatShape, numbersIn, sizeOfType, type Problem, type ReadProgress, type Result } from '../../engine/index';
import { answerIn, bytesCall, infoCall, readerCall, type Selection, type Target } from './expression';
import { infoFrom, type LiveInfo, type TensorInfo } from './live-value';

/** A stopped process or a kernel: what evaluates an expression there. */
export interface LiveProcess {
  /** The text that the expression comes to. Rejects with why there is none. */
  evaluate(expression: string, token?: vscode.CancellationToken): Promise<string>;
}

/**
 * Numbers in one request. 128 Ki of them take about 0.1 s; four million in one were never answered and blocked the session, so there is no request
 * for more, whatever is read.
 */
export const numbersAtOnce = 1 << 17;
const bytesAtOnce = 1 << 19;

const problem = (code: string, message: string, hint?: string): Result<never> => ({
  ok: false,
  problems: [{ code, message, ...(hint === undefined ? {} : { hint }) }],
});
const cancelled = problem('cancelled', 'cancelled');

async function answered(
  process: LiveProcess,
  expression: string,
  token?: vscode.CancellationToken,
): Promise<Result<Uint8Array>> {
  let text: string;
  try {
    text = await process.evaluate(expression, token);
  } catch (error) {
    if (token?.isCancellationRequested) return cancelled;
    return problem('process', vscode.l10n.t('the process gave no value: {0}', error instanceof Error ? error.message : String(error))); // prettier-ignore
  }
  if (token?.isCancellationRequested) return cancelled;
  const answer = answerIn(text);
  return 'bytes' in answer
    ? { ok: true, value: answer.bytes }
    : problem('process', vscode.l10n.t('the process gave no value: {0}', answer.why));
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/** What is known of names and of their attributes, by path, in one evaluation. `deep`: with what objects have. */
export async function describePaths(
  process: LiveProcess,
  paths: readonly string[],
  mode: 'describe' | 'deep' = 'describe',
  token?: vscode.CancellationToken,
): Promise<Result<ReadonlyMap<string, LiveInfo>>> {
  if (paths.length === 0) return { ok: true, value: new Map() };
  return described(await answered(process, readerCall(mode, paths), token));
}

/** The tensors that the frame's own names are. */
export const describeTensors = async (
  process: LiveProcess,
  token?: vscode.CancellationToken,
): Promise<Result<ReadonlyMap<string, LiveInfo>>> =>
  described(await answered(process, readerCall('tensors', []), token));

function described(reply: Result<Uint8Array>): Result<ReadonlyMap<string, LiveInfo>> {
  if (!reply.ok) return reply;
  const found = new Map<string, LiveInfo>();
  for (const [path, value] of Object.entries((jsonIn(reply.value) ?? {}) as Record<string, unknown>)) {
    const info = infoFrom(value);
    if (info) found.set(path, info);
  }
  return { ok: true, value: found };
}

/** What is known of one value. */
export async function describeTarget(
  process: LiveProcess,
  target: Target,
  token?: vscode.CancellationToken,
): Promise<Result<LiveInfo>> {
  const reply = await answered(process, infoCall(target), token);
  if (!reply.ok) return reply;
  const json = jsonIn(reply.value);
  const info = infoFrom('path' in target ? (json as Record<string, unknown> | undefined)?.[target.path] : json);
  return info ? { ok: true, value: info } : problem('process', vscode.l10n.t('the process answered in another way than expected')); // prettier-ignore
}

export interface LiveNumbers {
  readonly shape: readonly number[];
  readonly values: Float64Array;
  readonly notes: readonly string[];
  /** As the process has them, for a test that compares them by their hash. */
  readonly bytes: Uint8Array;
}

const countOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** The shape that indexes and ranges leave. */
export function shapeOfSelection(shape: readonly number[], selection: Selection): readonly number[] {
  return shape.flatMap((size, axis) => {
    const one = selection[axis];
    if (one === undefined) return [size];
    return typeof one === 'number' ? [] : [Math.max(0, Math.min(one[1], size) - one[0])];
  });
}

/** Why the numbers of a tensor are not read, as a problem that names it; undefined where they are. */
export function whyUnread(name: string, info: LiveInfo): Problem | undefined {
  if (info.kind === 'missing') return { code: 'gone', message: vscode.l10n.t('{0} has no value at the stop, or a property computes it, which is not run', name) }; // prettier-ignore
  if (info.kind !== 'tensor') return { code: 'type', message: vscode.l10n.t('{0} is of the type {1}, expected a tensor, an array or a list of numbers', name, info.type) }; // prettier-ignore
  const { no, shape, dtype = '?', type } = info;
  if (no === undefined && shape) return undefined;
  const whole = `${shape ? `${formatShape(shape)} ` : ''}${dtype}`;
  return { code: 'dtype', message: vscode.l10n.t('{0} ({1}, {2}): {3}', name, type, whole, reasonOf(no ?? '', dtype)), ...(no === 'quantized' && { hint: vscode.l10n.t('Read {0}.dequantize() as a selection.', name) }) }; // prettier-ignore
}

function reasonOf(no: string, dtype: string): string {
  const { t } = vscode.l10n;
  switch (no) {
    case 'quantized':
      return t('a quantised tensor holds whole numbers with a scale, which are not read');
    case 'meta':
      return t('a tensor on the device "meta" has a shape and no numbers');
    case 'wrapped':
      return t('its class computes its numbers itself, which is not run');
    case 'tracer':
    case 'symbolic':
    case 'functorch':
      return t('it has no numbers yet: the library is following the code');
    case 'masked':
      return t('a masked array is not read: what its mask hides would be shown');
    case 'ragged':
      return t('its lists are not all of one length');
    case 'long':
      return t('it is too long a list');
    case 'objects':
      return t('it holds other things than numbers');
    case 'dtype':
      return t('numbers of the type {0} are not read', dtype);
    default:
      return t('the layout {0} is not read', no);
  }
}

/** The numbers of a tensor or a part of it, one request after the other. */
export async function readNumbers(
  process: LiveProcess,
  target: Target,
  info: TensorInfo,
  selection: Selection = [],
  watch: ReadProgress & { readonly token?: vscode.CancellationToken } = {},
): Promise<Result<LiveNumbers>> {
  const name = 'path' in target ? target.path : target.expression;
  const type = info.wire ?? info.dtype ?? '';
  const size = sizeOfType(type);
  const unread = whyUnread(name, info);
  if (unread || size === undefined || !info.shape) return { ok: false, problems: [unread ?? { code: 'dtype', message: reasonOf('dtype', type) }] }; // prettier-ignore
  const shape = shapeOfSelection(info.shape, selection);
  const count = countOf(shape);
  const atOnce = Math.min(numbersAtOnce, bytesAtOnce / size);
  const bytes = new Uint8Array(count * size);
  for (let start = 0; start < count; start += atOnce) {
    if (watch.cancelled?.() || watch.token?.isCancellationRequested) return cancelled;
    const wanted = Math.min(atOnce, count - start);
    const part = await answered(process, bytesCall(target, selection, start, wanted), watch.token);
    if (!part.ok) return part;
    if (part.value.length !== wanted * size)
      return problem('truncated', vscode.l10n.t('{0}: the process gave {1} bytes from number {2} on, expected {3}', name, part.value.length, start, wanted * size)); // prettier-ignore
    bytes.set(part.value, start * size);
    watch.progress?.((start + wanted) / count);
  }
  const numbers = numbersIn(type, bytes);
  if (!numbers) return { ok: false, problems: [{ code: 'dtype', message: reasonOf('dtype', type) }] };
  const notes = numbers.rounded
    ? [vscode.l10n.t('some 64-bit integers are rounded: a float64 does not hold them')]
    : [];
  return { ok: true, value: { shape, values: numbers.values, notes, bytes } };
}
