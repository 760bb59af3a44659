import { layerCount, say, shownLayer, t, type Sentence, type SentencePlace, type Step } from '../../engine/index';
import { h, prose } from '../draw';
import { leadingIndex, stepOf, type TraceHandle } from '../trace';
import { answerAt } from './along';
import { tokenNames, type Focus } from './question';
import type { OpenCell } from './road';

/* The way from what a row took home to the token that is expected after it: which steps lie between, and what each does with the row. */

/** Steps of the layer that is asked about, and those behind all layers. */
const [inLayer, behind] = [
  ['patched', 'headOutputs', 'headsLeft', 'output', 'residual', 'blockOutput'],
  ['logits', 'probabilities'],
] as const;

/** One step of the way: its name leads to the row there. */
export async function onwardOf(trace: TraceHandle, focus: Focus, open: OpenCell): Promise<HTMLElement> {
  const items = await Promise.all(wayOf(trace, focus).map(({ step, says }) => itemOf(trace, step, focus, open, says)));
  return h('ol', { class: 'opening-onward', 'aria-label': t('On to the next word') }, ...items);
}

interface Stop {
  readonly step: Step;
  /** What is said of it, where that is not what the step says about the question. */
  readonly says?: Sentence;
}

function wayOf({ spec, plan }: TraceHandle, { head, row }: Focus): readonly Stop[] {
  const [asked, layers] = [head.evidence.layer + 1, layerCount(spec)];
  const of = (id: string, layer: number): Step | undefined =>
    stepOf(plan, layer === Math.min(shownLayer(spec), layers) ? id : `layer${layer}_${id}`);
  const query: SentencePlace = { kind: 'token', token: tokenNames(plan.tokens)[row] ?? '', role: 'query', axis: 'row' };
  const stop = (step: Step | undefined, says?: Sentence): Stop[] => (step ? [{ step, ...(says && { says }) }] : []);
  const later = Array.from({ length: layers - asked }, (_, i) => asked + 1 + i);
  return [
    ...inLayer.flatMap((id) => stop(of(id, asked))),
    ...later.flatMap((layer) =>
      stop(of('blockOutput', layer), say('Layer {0} does all this once more, with the row that {1} has now.', layer - 1, query)),
    ),
    ...behind.flatMap((id) => stop(stepOf(plan, id))),
  ]; // prettier-ignore
}

async function itemOf(
  trace: TraceHandle,
  step: Step,
  focus: Focus,
  open: OpenCell,
  says: Sentence | undefined,
): Promise<HTMLElement> {
  const said = says ?? (await answerAt(trace, step, focus));
  const lead = leadingIndex(trace, step, { batch: focus.head.batch, head: focus.head.evidence.head });
  const name = h('button', { type: 'button', class: 'text-link', 'data-key': `onward-${step.id}` }, step.words.name);
  name.addEventListener('click', () => open(step.id, [focus.row, 0], lead));
  return h('li', {}, name, ': ', ...prose(said, { plan: trace.plan }));
}
