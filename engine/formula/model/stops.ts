/** The way through a document from top to bottom: one stop after the other, each with its step and what is said of it. */
import { positionAt, t, type TextRange } from '../../text';
import { mainOf, sayOf } from './places';
import type { DocumentPlace, DocumentStop, ModelledAttention, PlacePart } from './types';

export function stopsOf(
  text: string,
  attentions: readonly (ModelledAttention | undefined)[],
  chosen: number,
  places: readonly DocumentPlace[],
): readonly DocumentStop[] {
  const own = attentions[chosen];
  const all = places.flatMap((place): readonly PlacePart[] => {
    if (!place.isStop) return [];
    const parts = place.parts.filter(({ attention }) => attention === place.attention);
    const isOwn = own?.from === 'formula' && place.kind === 'formula' && place.attention === chosen;
    return isOwn && parts.some(({ range }) => within(range, own.span)) ? inOrder(parts, attentions) : topmost(parts, attentions); // prettier-ignore
  });
  const seen = all.filter((part, i) => !isRepeated(all[i - 1], part));
  return seen.map((part) => ({
    range: part.range,
    kind: part.kind,
    attention: part.attention,
    step: part.step,
    ...cellOf(part),
    says: `${t('Line {0}.', positionAt(text, part.range.start).line)} ${sayOf(attentions, part)}`,
  }));
}

const within = (inner: TextRange, outer: TextRange): boolean => outer.start <= inner.start && inner.end <= outer.end;

const isRepeated = (before: PlacePart | undefined, part: PlacePart): boolean =>
  before?.step === part.step &&
  before.kind === part.kind &&
  part.kind !== 'numbers' &&
  before.attention === part.attention;

/** Each step of a formula, in the order in which it is computed: what is inside comes first. */
function inOrder(
  parts: readonly PlacePart[],
  attentions: readonly (ModelledAttention | undefined)[],
): readonly PlacePart[] {
  const at = ({ attention, step }: PlacePart): number => attentions[attention]?.plan.steps.findIndex(({ id }) => id === step) ?? 0; // prettier-ignore
  const first = parts.filter((part, i) => parts.findIndex(({ step }) => step === part.step) === i);
  return first.sort((a, b) => at(a) - at(b));
}

/** Parts that are inside no other part. */
function topmost(
  parts: readonly PlacePart[],
  attentions: readonly (ModelledAttention | undefined)[],
): readonly PlacePart[] {
  const found: PlacePart[] = [];
  let rest = parts;
  while (rest.length > 0) {
    const main = mainOf(rest, attentions);
    found.push(main);
    rest = rest.filter(({ range }) => range.end <= main.range.start || main.range.end <= range.start);
  }
  return found.sort((a, b) => a.range.start - b.range.start);
}

function cellOf({ match }: PlacePart): Pick<DocumentStop, 'cell' | 'head'> {
  const { form, at: [first = 0, second = 0] = [], head } = match ?? {}; // prettier-ignore
  const of = head === undefined ? {} : { head };
  if (form === 'cell') return { ...of, cell: [first, second] };
  if (form === 'row') return { ...of, cell: [first, 0] };
  return form === 'column' ? { ...of, cell: [0, first] } : of;
}
