import { layerCount, plainText, say, t, type AttentionSpec, type HeadChange, type Sentence } from '../../engine/index'; // prettier-ignore
import { h, percent } from '../draw';
import { createThumbnail } from '../heatmap';
import { leadingIndex, sliceRequest, type TraceHandle } from '../trace';
import { headButton as headPicture } from './head-button';
import { exchangedWith } from './focus';
import { bestIn, costliest, focusAt, kindWords, tokenNames, type Focus, type HeadWeights } from './question';

/* Every head as a small picture, and what can be done with one: taken away, or given another head's weights. */

const isOf = ({ head, layer = 1 }: HeadChange, { evidence }: HeadWeights): boolean =>
  head === evidence.head && layer === evidence.layer + 1;

/** Takes the head away, or puts it back; and gives it another head's weights. */
export function removal(
  spec: AttentionSpec,
  { head }: Focus,
  onHeads: (changes: readonly HeadChange[]) => void,
  verdict: HTMLElement,
): HTMLElement {
  const changes = spec.headChanges ?? [];
  const others = changes.filter((one) => !isOf(one, head));
  const own = changes.find((one) => isOf(one, head));
  const at = { head: head.evidence.head, ...(layerCount(spec) > 1 && { layer: head.evidence.layer + 1 }) };
  const action = (label: string, key: string, next: readonly HeadChange[]): HTMLElement => {
    const button = h('button', { type: 'button', class: 'opening-button', 'data-key': key }, label);
    button.addEventListener('click', () => onHeads(next));
    return button;
  };
  const isRemoved = own !== undefined && own.weightsOf === undefined;
  const says = !own ? '' : isRemoved ? t('Head {0} is removed: each row of its output is now the mean of its rows, the same for every token.', at.head) : t('Head {0} looks where head {1} looks; its values stay its own.', at.head, own.weightsOf ?? 0);
  const patches = Array.from({ length: spec.heads }, (_, i) => i).filter((i) => i !== at.head);
  const pick = h('select', { class: 'opening-select', 'data-key': 'patch', 'aria-label': t('Let this head look where another looks') }, h('option', { value: '' }, own?.weightsOf === undefined ? t('Let it look where another head looks…') : t('Where it looks itself')), ...patches.map((i) => h('option', { value: i, selected: own?.weightsOf === i }, t('Where head {0} looks', i)))) as HTMLSelectElement;
  pick.addEventListener('change', () => onHeads(pick.value === '' ? others : [...others, { ...at, weightsOf: Number(pick.value) }]));
  return h(
    'div',
    { class: 'opening-removal' },
    isRemoved ? action(t('Put head {0} back', at.head), 'removal', others) : action(t('Remove head {0}', at.head), 'removal', [...others, at]),
    pick,
    others.length ? action(t('Undo all changes of heads'), 'all', []) : undefined,
    says ? h('p', { class: 'opening-removed' }, says) : undefined,
    verdict,
  );
} // prettier-ignore

/** Which heads are changed, in view wherever the reader is: without it numbers of a changed model would be taken for those of the model. */
export function changedHeads(
  { headChanges = [] }: AttentionSpec,
  onHeads: (changes: readonly HeadChange[]) => void,
): HTMLElement | undefined {
  if (headChanges.length === 0) return undefined;
  const each = headChanges.map(({ head, layer = 1, weightsOf }) =>
    weightsOf === undefined ? t('head {0} of layer {1} is removed', head, layer - 1) : t('head {0} of layer {1} looks where head {2} looks', head, layer - 1, weightsOf),
  );
  const undo = h('button', { type: 'button', class: 'text-link', 'data-key': 'undo-changes' }, t('Undo'));
  undo.addEventListener('click', () => onHeads([]));
  return h('p', { class: 'opening-changes' }, t('All numbers here are of a changed model: {0}.', each.join('; ')), ' ', undo);
} // prettier-ignore

/** Said beside a head's own weights where another head's are taken instead: what those give its key. */
export function exchangedWords(
  { spec, plan }: TraceHandle,
  heads: readonly HeadWeights[],
  { head, row, key }: Focus,
): Sentence | undefined {
  const by = exchangedWith(spec, head);
  const other = heads.find(({ step, evidence }) => step.id === head.step.id && evidence.head === by);
  if (by === undefined || !other) return undefined;
  const share = other.values[row * (other.step.shape.at(-1) ?? 0) + key] ?? NaN;
  const token = tokenNames(plan.tokens)[key] ?? '';
  return say('These are the head’s own weights. Those of head {0} are used instead; they give {1} {2}.', by, { kind: 'token', token, role: 'key', axis: 'column' }, percent(share));
} // prettier-ignore

/** Every head as a small picture with its measured kind, a row for each layer. */
export function headGrid(
  trace: TraceHandle,
  heads: readonly HeadWeights[],
  focus: Focus,
  again: (next: Focus) => void,
): HTMLElement {
  const layers = [...new Set(heads.map(({ evidence }) => evidence.layer))];
  const measured = focus.head.isMeasured;
  const counted = measured && h('p', { class: 'opening-counted' }, t('Bold: the pattern that was clearest in each head, measured on other text, and its score (at most 1). Below: where it does so most clearly in this text, or what its removal costs. Layers and heads count from 0, as in PyTorch.'));
  const rows = layers.map((layer) => {
    const own = heads.filter(({ evidence }) => evidence.layer === layer);
    const buttons = own.map((head) => headButton(trace, head, head === focus.head, (best) => again(best ?? focusAt(head, focus.row))));
    return h('div', { class: 'opening-layer' }, measured && h('span', { class: 'opening-layer-name' }, t('Layer {0}', layer)), h('div', { class: 'opening-layer-heads' }, ...buttons));
  });
  const label = measured ? t('Heads, by what each was measured to do') : t('Heads');
  return h('div', { class: 'opening-heads', role: 'group', 'aria-label': label }, counted, ...rows);
} // prettier-ignore

function headButton(
  trace: TraceHandle,
  head: HeadWeights,
  isShown: boolean,
  onPick: (best: Focus | undefined) => void,
): HTMLElement {
  const { step, evidence } = head;
  const change = trace.spec.headChanges?.find((one) => isOf(one, head));
  const kind = head.isMeasured ? plainText(kindWords(evidence.kind)) : '';
  const pointed = evidence.pointed ? t('trained to point') : '';
  const lead = leadingIndex(trace, step, { batch: head.batch, head: evidence.head });
  const read = (request: object) => trace.read(step.id, { ...request, ...sliceRequest(lead) });
  const picture = createThumbnail(step, read, { width: 44, height: 44 });
  const score = evidence.kind === 'none' ? '' : evidence.score.toFixed(2);
  const says = change?.weightsOf === undefined ? t('removed') : t('looks where head {0} looks', change.weightsOf);
  const { tokens } = trace.plan;
  const names = tokenNames(tokens);
  const best = bestIn(head, tokens);
  const here = best
    ? t('here: {0} → {1} {2}', names[best.row] ?? '', names[best.key] ?? '', percent(best.weight))
    : evidence.kind === 'none'
      ? costliest(evidence)
      : t('no clear case here');
  const button = headPicture({
    picture,
    name: t('Head {0}', evidence.head),
    kind: `${kind}${score ? ` ${score}` : ''}`,
    notes: [
      head.isMeasured ? h('span', {}, here) : undefined,
      pointed ? h('span', { class: 'opening-pointed' }, pointed) : undefined,
      change ? h('span', { class: 'opening-changed' }, says) : undefined,
    ],
    attributes: { 'aria-pressed': String(isShown), 'data-key': `head-${evidence.layer}-${evidence.head}` },
  });
  button.addEventListener('click', () => onPick(best));
  return button;
}
