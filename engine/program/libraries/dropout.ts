/** Dropout in training: passed by and named; what a seed draws for it is kept, to be compared with what was printed. */
import { t } from '../../text';
import { realOf } from '../evaluate';
import {
  addNode,
  cause,
  drawnUnsure,
  note,
  newTensor,
  nodeOf,
  float,
  type ByProcessor,
  type Run,
  type Value,
} from '../machine';
import { copyTorch, drawIntelBernoulli, drawTorchBernoulli, type TorchStream } from '../../random';
import { type Cause, count, isElementwise, isKnownShape, type Node } from '../tensor';
import { tensorArgument } from './support';
import type { Call } from './table';

/** Dropout in training draws which elements go; what is computed here goes on without it, and says so. */
export function* dropout(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const node = nodeOf(call.m, tensor);
  const p = realOf(call.get('p') ?? float(0.5));
  const mode = call.get('training');
  const training = mode ? yield* call.m.evaluator.truth(call.m, mode) : true;
  if (training === false || p === 0)
    return newTensor(
      'torch',
      addNode(call.m, 'reshape', {
        operands: [node],
        attributes: { ...(node.shape ? { shape: node.shape } : {}), origin: 'dropout' },
        shape: node.shape,
        dtype: node.dtype,
        why: node.why,
      }),
    );
  const assumes: Cause = cause(
    call.m,
    t('dropout of {0} is on here and draws which numbers become 0: what follows is computed without it', p ?? 'p'),
  );
  note(call.m, 'assumed', assumes.text);
  const { own, intel } = p === undefined ? {} : drawnStays(call, node, p);
  // The stream goes on from a place that depends on the processor.
  call.m.streams.torch = undefined;
  call.m.streams.behindDropout = { ...(own && { own: own.stream }), ...(intel && { intel: intel.stream }) };
  call.m.streams.lost = assumes;
  const passed = addNode(call.m, 'reshape', {
    operands: [node],
    attributes: {
      ...(node.shape ? { shape: node.shape } : {}),
      ...(p === undefined ? {} : { value: p }),
      origin: 'dropout',
    },
    shape: node.shape,
    dtype: node.dtype,
    why: node.why,
    assumes,
  });
  call.m.kept?.stays.set(passed, { ...(own && { own: own.stays }), ...(intel && { intel: intel.stays }) });
  return newTensor('torch', passed);
}

type Drawn = ByProcessor<{ readonly stream: TorchStream; readonly stays: Uint8Array }>;

/**
 * Which elements dropout keeps, in the order of memory. It depends on the processor, so these are compared with what was printed and claimed
 * nowhere else; on a GPU others are drawn.
 */
function drawnStays({ m }: Call, node: Node, p: number): Drawn {
  const { shape } = node;
  const { torch, behindDropout } = m.streams;
  if (drawnUnsure(m) || m.sampling || m.standIn || !shape || !isKnownShape(shape)) return {};
  const size = count(shape);
  if (!(p > 0 && p < 1) || 3 * size > m.draws || !isInOrder(node)) return {};
  m.draws -= 3 * size;
  const { own, intel }: ByProcessor<TorchStream> = torch ? { own: torch, intel: torch } : (behindDropout ?? {});
  const wide = node.dtype === 'float64';
  return {
    ...(own && { own: { ...drawn(own, size, 1 - p, drawTorchBernoulli) } }),
    ...(intel && !wide && { intel: { ...drawn(intel, size, 1 - p, drawIntelBernoulli) } }),
  };
}

function drawn(from: TorchStream, size: number, p: number, draw: typeof drawTorchBernoulli): { stream: TorchStream; stays: Uint8Array } {
  const stream = copyTorch(from);
  return { stream, stays: draw(stream, size, p) };
} // prettier-ignore

/** Whether PyTorch has its elements in memory row by row: elementwise functions keep the order of what is permuted. */
function isInOrder({ operation, operands }: Node): boolean {
  if (['permute', 'strided', 'einsum', 'diagonal'].includes(operation)) return false;
  const keeps = isElementwise(operation) || ['cast', 'reshape', 'slice', 'expand', 'write'].includes(operation);
  return !keeps || operands.every(isInOrder);
}
