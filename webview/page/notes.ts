import { isFollowed, t, type Plan, type Sentence } from '../../engine/index';
import { editedOf, specOf, type Asked } from '../session';
import { tokenizedBy } from '../choices';
import type { Offer, Turn } from './problems';

/** Notes on what was inferred, on unused parts of a tokenizer file, and on settings without effect. */
export const notesOf = (asked: Asked, plan: Plan): readonly (string | Sentence)[] => [
  ...asked.explanation.notes,
  ...(asked.explanation.said ?? []).flatMap((one) =>
    one.followed !== undefined && isFollowed(one, specOf(asked)) ? one.followed : [],
  ),
  ...otherMask(asked),
  ...(tokenizedBy(asked.cuts, asked.switches.tokenizer)?.notes ?? []),
  ...editedOf(asked).idle.map(({ message }) => message),
  ...plan.noteSentences.filter((_, i) => !isCorrected(plan, i)),
];

/** Whether a note stands with the button that mends what it says. */
const isCorrected = ({ notes, corrections = [] }: Plan, i: number): boolean =>
  corrections.some(({ message }) => message === notes[i]?.message);

/** Fields that the source states otherwise than the spec has them, and what would mend what the plan's notes say. */
export const offersOf = (asked: Asked, { corrections = [] }: Plan): readonly Offer[] => [
  ...(asked.explanation.said ?? []).filter((one) => !isFollowed(one, specOf(asked))),
  ...corrections.map(({ message, action, change }) => ({ otherwise: message, action, change })),
];

/** Standard attention beside a program's, or the way back. With a checked result both stand with what was found of it. */
export const turnOf = ({ explanation: { beside, turnedFrom, checked } }: Asked): Turn | undefined =>
  checked || turnedFrom?.checked
    ? undefined
    : turnedFrom
      ? (backOf(turnedFrom) ?? {
          says: t('Standard attention of the code’s queries, keys and values.'),
          action: t('Back to the code'),
        })
      : beside && { says: beside.says, action: beside.links?.there ?? t('Show standard attention') };

const backOf = ({ beside }: Asked['explanation']): Turn | undefined =>
  beside?.links && { says: beside.links.says, action: beside.links.back };

/** A note if the reader has inverted the meaning of a boolean mask: what was inferred of it no longer holds. */
function otherMask({ explanation, switches }: Asked): readonly string[] {
  const [own, now] = [explanation.spec.mask, switches.mask];
  const flags = typeof own === 'object' && typeof now === 'object' && own.kind === 'boolean' && now.kind === 'boolean';
  if (!flags || own.trueMeans === now.trueMeans) return [];
  return now.trueMeans === 'hidden'
    ? [t('You read the mask the other way round: a 1 (True) is hidden.')]
    : [t('You read the mask the other way round: a 1 (True) may be seen.')];
}
