import { t } from '../text';
import { named, type ScoredHead, type ScoredKind } from './evidence';

/** Kinds of heads in the order of lists. */
export const headKinds = ['induction', 'duplicate', 'previous', 'next', 'self', 'sink'] as const satisfies readonly ScoredKind[]; // prettier-ignore

/** What a head of a kind looks at. */
export function kindTitle(kind: ScoredKind): string {
  switch (kind) {
    case 'induction':
      return t('induction: what followed the same token earlier');
    case 'duplicate':
      return t('duplicate: the same token earlier');
    case 'previous':
      return t('previous: the token before');
    case 'next':
      return t('next: the token after');
    case 'self':
      return t('self: the own token');
    case 'sink':
      return t('sink: the first token');
  }
}

/** Whether a head that is named by something else rests mostly on the first token too. */
export const restsOnFirst = ({ kind, scores }: ScoredHead): boolean =>
  kind !== 'none' && kind !== 'sink' && scores.sink >= named;
