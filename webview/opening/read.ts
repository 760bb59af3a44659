import type { HeadEvidence, Model, Step } from '../../engine/index';
import type { TraceHandle } from '../trace';
import { weightsOfLayer, type HeadWeights } from './question';

/** The weights of every head that the plan has, by layer and head. */
export async function readHeads(trace: TraceHandle, model: Model): Promise<readonly HeadWeights[]> {
  const found = model.evidence.map(async (evidence) => {
    const step = weightsOfLayer(trace.spec, trace.plan, evidence.layer);
    return step ? [await readHead(trace, step, evidence)] : [];
  });
  return (await Promise.all(found)).flat();
}

async function readHead(trace: TraceHandle, step: Step, evidence: HeadEvidence): Promise<HeadWeights> {
  const { max } = await trace.read(step.id, { head: evidence.head });
  return { step, evidence, values: Float64Array.from(max) };
}

/** How likely each word of the vocabulary is to follow a row, the likeliest first. */
export async function readNext(trace: TraceHandle, row: number, most: number): Promise<readonly NextToken[]> {
  const step = trace.plan.steps.find(({ id }) => id === 'probabilities');
  if (!step) return [];
  const { max } = await trace.read(step.id, { rows: [row, row + 1] });
  const labels = step.columnLabels;
  return Array.from(max, (share, column) => ({ share, column, text: labels[column] ?? '' }))
    .sort((a, b) => b.share - a.share)
    .slice(0, most);
}

export interface NextToken {
  readonly text: string;
  readonly share: number;
  readonly column: number;
}
