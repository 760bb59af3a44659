import { namesApart, t, type Step } from '../../engine/index';
import type { Guess } from '../choices';
import { h, typeset } from '../draw';
import { isTransposed, sliceRequest, type TraceHandle } from '../trace';

/* A question that is answered by choosing: which number of the row is the largest, whether a number is above zero, or above the even share. */

type Asks = NonNullable<Guess['asks']>;

interface Asked {
  readonly trace: TraceHandle;
  readonly step: Step;
  readonly index: readonly number[];
}

/** Most columns that are offered as the largest. */
const most = 8;

/** What is asked of a cell, and the answers to choose from; undefined of ids and masks. */
function choiceOf({ trace, step, index }: Asked): { readonly asks: Asks; readonly question: string; readonly options: readonly string[] } | undefined {
  const columns = step.shape.at(-1) ?? 0;
  if (step.kind !== 'signed' && step.kind !== 'weights') return undefined;
  // Columns that are no tokens would tell the width, which can be asked too.
  const areTokens = trace.plan.keyTokens.length === columns && step.columnLabels.every((label, i) => label === trace.plan.keyTokens[i]?.text);
  if (areTokens && columns > 1 && columns <= most) {
    const row = namesApart(step.rowLabels)[index.at(-2) ?? 0] ?? '';
    const question = isTransposed(trace.plan, step) ? t('Which number of column {0} is the largest?', row) : t('Which number of row {0} is the largest?', row);
    return { asks: 'largest', question, options: namesApart(step.columnLabels).slice(0, columns) };
  }
  if (step.kind === 'signed') return { asks: 'sign', question: t('Is this number above zero?'), options: [t('above'), t('not above')] };
  return { asks: 'share', question: t('Is this weight above the even share of its row?'), options: [t('above'), t('not above')] };
} // prettier-ignore

/** The answers as buttons; nothing where a choice makes no sense. */
export function choiceForm(asked: Asked, onGuess: (guess: Guess) => void): HTMLElement | undefined {
  const choice = choiceOf(asked);
  if (!choice) return undefined;
  const { asks, question, options } = choice;
  const buttons = options.map((option, at) => {
    const button = h('button', { type: 'button', class: 'predict-option' }, option);
    const answered = async (): Promise<void> => {
      const right = (await rightOptions(asked, asks)).includes(at);
      onGuess({ step: asked.step.id, index: asked.index, asks, said: option, right });
    };
    button.addEventListener('click', () => void answered().catch(() => undefined));
    return button;
  });
  return h(
    'div',
    { class: 'predict-choice', role: 'group', 'aria-label': question },
    h('p', {}, ...typeset(question)),
    h('div', { class: 'predict-options' }, ...buttons),
  );
}

/** What was asked, and the right answer, for a guess that was chosen. */
export async function choiceTruth(asked: Asked): Promise<readonly [question: string, is: string]> {
  const choice = choiceOf(asked);
  if (!choice) return ['', ''];
  const right = await rightOptions(asked, choice.asks);
  return [choice.question, right.map((at) => choice.options[at] ?? '').join(', ')];
}

/** Which options are right: several where the largest is there more than once. */
async function rightOptions({ trace, step, index }: Asked, asks: Asks): Promise<readonly number[]> {
  const [row = 0, column = 0] = index.slice(-2);
  const { max } = await trace.read(step.id, { rows: [row, row + 1], ...sliceRequest(index.slice(0, -2)) });
  const value = max[column] ?? NaN;
  if (asks === 'sign') return [value > 0 ? 0 : 1];
  if (asks === 'share') return [value > 1 / max.length ? 0 : 1];
  const largest = Math.max(...max);
  return [...max.keys()].filter((at) => max[at] === largest);
}
