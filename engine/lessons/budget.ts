import type { Plan } from '../plan';
import { backgroundBudget } from '../run';
import type { AttentionSpec } from '../spec';

/** What a block that a trained model reads may cost: sixty tokens by the models of the extension. */
const modelBudget = { work: 8 * backgroundBudget.work, bytes: 2 * backgroundBudget.bytes } as const;

/** The most multiply-adds and bytes that a block of a lesson computes. */
export const blockBudget = ({ model }: AttentionSpec): { readonly work: number; readonly bytes: number } =>
  model ? modelBudget : backgroundBudget;

/** Whether a lesson computes a block. */
export function fitsLesson(spec: AttentionSpec, { multiplyAdds, bytes }: Plan): boolean {
  const most = blockBudget(spec);
  return multiplyAdds <= most.work && bytes <= most.bytes;
}
