import { decodeNumber, planOf, type AttentionSpec, type SpecNumber, type Step } from '../../engine/index';
import { pathOf, withEdits } from '../choices';
import type { PageMessage, Rewritten, SentNumbers } from '../protocol';
import type { Asked } from './app-state';

/** The input's given matrices that the reader edited. Only these can be written back: drawn and derived ones are in no document. */
function givenSteps({ explanation: { spec }, switches: { edits } }: Asked): readonly Step[] {
  const planned = edits.length ? planOf(spec) : undefined;
  if (!planned?.ok) return [];
  const isGiven = ({ id, call }: Step): boolean =>
    (call.op === 'given' || call.op === 'givenMask') && edits.some(({ step }) => step === id);
  return planned.value.steps.filter(isGiven);
}

/** The input with the edits in its given matrices, as it will be once they are in the document. */
export function writtenSpec(asked: Asked): AttentionSpec {
  const ids = new Set(givenSteps(asked).map(({ id }) => id));
  const { explanation, switches } = asked;
  return withEdits(
    explanation.spec,
    switches.edits.filter(({ step }) => ids.has(step)),
  ).spec;
}

/** Whether there are edits that could be written back to the input's document. */
export const canWriteBack = (asked: Asked): boolean =>
  asked.explanation.source.uri !== undefined &&
  asked.explanation.source.textHash !== undefined &&
  givenSteps(asked).length > 0;

/** Asks the host to put the changed matrices into their document. */
export function writeBackMessage(asked: Asked): Extract<PageMessage, { type: 'writeBack' }> {
  const { explanation } = asked;
  const written = writtenSpec(asked);
  const matrices = givenSteps(asked).map((step): Rewritten => {
    const [was, now] = [explanation.spec, written].map((spec) => numbersAt(spec, pathOf(step)));
    return { role: step.id, symbol: step.symbol, shape: step.shape, was: was ?? [], now: now ?? [] };
  });
  return { type: 'writeBack', textHash: explanation.source.textHash ?? '', matrices };
}

function numbersAt(spec: AttentionSpec, path: string): SentNumbers {
  const matrix = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], spec);
  const numbers = [matrix].flat(8) as SpecNumber[];
  return numbers.length > mostInJson ? Float64Array.from(numbers, decodeNumber) : numbers;
}

/** Numbers that are sent one by one. */
const mostInJson = 10_000;
