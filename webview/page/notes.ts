import { isFollowed, t, type Plan, type StatedField, type Sentence } from '../../engine/index';
import { editedOf, specOf, type Asked } from '../session';
import { tokenizedBy } from '../choices';

/** What was inferred on the way, left out of a tokenizer's file, or asked for and of no effect. */
export const notesOf = (asked: Asked, plan: Plan): readonly (string | Sentence)[] => [
  ...asked.explanation.notes,
  ...(asked.explanation.said ?? []).flatMap((one) =>
    one.followed !== undefined && isFollowed(one, specOf(asked)) ? one.followed : [],
  ),
  ...otherMask(asked),
  ...(tokenizedBy(asked.cuts, asked.switches.tokenizer)?.notes ?? []),
  ...editedOf(asked).idle.map(({ message }) => message),
  ...plan.noteSentences,
];

/** What the source says of the spec and the spec has otherwise. */
export const offersOf = (asked: Asked): readonly StatedField[] =>
  (asked.explanation.said ?? []).filter((one) => !isFollowed(one, specOf(asked)));

/** What was inferred of a mask does not hold once the reader reads it the other way round. */
function otherMask({ explanation, switches }: Asked): readonly string[] {
  const [own, now] = [explanation.spec.mask, switches.mask];
  const flags = typeof own === 'object' && typeof now === 'object' && own.kind === 'boolean' && now.kind === 'boolean';
  if (!flags || own.trueMeans === now.trueMeans) return [];
  return now.trueMeans === 'hidden'
    ? [t('You read the mask the other way round: a 1 (True) is hidden.')]
    : [t('You read the mask the other way round: a 1 (True) may be seen.')];
}
