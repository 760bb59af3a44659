import { t } from '../../engine/index';
import type { Session } from '../session';
import type { Progress } from './problems';

/** How long a computation may take before its progress is shown, in milliseconds. */
const patience = 150;

let waitingSince: number | undefined;

/** Shows the progress notice if the computation has run for longer than `patience`. */
export function renderProgress(progress: Progress, session: Session): void {
  if (!session.previousState) {
    waitingSince = undefined;
    return progress.hide();
  }
  waitingSince ??= performance.now();
  // An empty page says at once what it waits for.
  const isEmpty = session.shown === undefined;
  if (isEmpty) return progress.show(progressText(session), true);
  const left = patience - (performance.now() - waitingSince);
  if (left > 0) setTimeout(() => session.changed(), left);
  else progress.show(progressText(session), false);
}

function progressText({ progress }: Session): string {
  if (!progress) return t('Computing');
  if ('doing' in progress) return progress.doing;
  const { step, done, total } = progress;
  return done < total ? t('Computing {0} ({1} of {2})', step, done + 1, total) : t('Computed');
}
