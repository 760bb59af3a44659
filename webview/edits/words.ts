import {
  planOf,
  say,
  sentencesAt,
  t,
  type AttentionSpec,
  type Plan,
  type Step,
  type StepSentences,
} from '../../engine/index';
import { exactNumber } from '../draw';
import { shownNames, stepOf, type Cell } from '../trace';
import { editedOf, uneditedOf, type Asked } from '../session';

/*
 * Editing a drawn or derived matrix makes it a given matrix of the spec, and also those that the same generator draws after it. The reader gave
 * none of them, so the words here say that they were drawn, and what was edited.
 */

/** The explanation without its edits. */
interface Unedited {
  readonly spec: AttentionSpec;
  readonly plan: Plan;
}

const plans = new WeakMap<Asked, Unedited | undefined>();

function unedited(asked: Asked): Unedited | undefined {
  if (editedOf(asked).was.size === 0) return undefined;
  if (plans.has(asked)) return plans.get(asked);
  const spec = uneditedOf(asked);
  const planned = planOf(spec);
  const made = planned.ok ? { spec, plan: planned.value } : undefined;
  plans.set(asked, made);
  return made;
}

/** A step's words if the explanation has edits that affect them; undefined if the engine's own words hold. */
export function editedWords(asked: Asked, plan: Plan, step: Step, cell: Cell): StepSentences | undefined {
  const before = unedited(asked);
  const own = before && stepOf(before.plan, step.id);
  const cells = editedCells(asked, step);
  if (!own || (own.call.op === step.call.op && cells.length === 0)) return undefined;
  const words = sentencesAt({ spec: before.spec, plan: before.plan }, own, cell);
  return cells.length
    ? { ...words, what: say('{0} You then changed {1}.', words.what, named(plan, step, cells)) }
    : words;
}

/** Where the value of a source's cell comes from, if its matrix is given only because of edits; else undefined. */
export function originOf(asked: Asked, step: Step, offset: number): string | undefined {
  const before = unedited(asked);
  const own = before && stepOf(before.plan, step.id);
  const was = editedOf(asked).was.get(step.id)?.get(offset);
  if (!own || (step.call.op !== 'given' && step.call.op !== 'givenMask')) return undefined;
  const drawn = own.call.op === 'random';
  if (was !== undefined)
    return drawn
      ? t('You entered this number; it was drawn as {0}.', exactNumber(was))
      : t('You entered this number; before, it was {0}.', exactNumber(was));
  return drawn ? t('Drawn at random, and kept as it was drawn while you changed other cells.') : undefined;
}

const editedCells = (asked: Asked, { id }: Step): readonly number[] => [...(editedOf(asked).was.get(id)?.keys() ?? [])];

const maxNamed = 3;

/** `W_q[3, 2], W_q[0, 1] and 4 more cells` */
function named(plan: Plan, step: Step, offsets: readonly number[]): string {
  const [rows, columns] = [step.shape.at(-2) ?? 1, step.shape.at(-1) ?? 1];
  const names = offsets.slice(0, maxNamed).map((offset) => {
    const cell: Cell = [Math.floor(offset / columns) % rows, offset % columns];
    return `${step.symbol}[${shownNames(plan, step, cell).join(', ')}]`;
  });
  const more = offsets.length - names.length;
  if (more === 1) return t('{0} and 1 more cell', names.join(', '));
  if (more > 0) return t('{0} and {1} more cells', names.join(', '), more);
  return names.length > 1 ? t('{0} and {1}', names.slice(0, -1).join(', '), names.at(-1) ?? '') : names.join();
}
