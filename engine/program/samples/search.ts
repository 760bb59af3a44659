/** Sizes and forms that stand in, solved by trying: the nearest to the usual first, then what an exception of Python's says was expected. */
import { t } from '../../text';
import type { Readings } from '../evaluate';
import type { Machine, Run } from '../machine';
import { choicesFromException, deepRun, guessedChoices, withOneLayer, withSettersFirst } from './after-exception';
import { attempt, type Budget, type Failed, type Root, type Worked } from './attempt';
import type { Choice } from './values';

/** Most attempts that end with the same text: other sizes will not change it. */
const mostAlike = 12;
/** Most attempts after a run that ended without attention. */
const attemptsAfterEnd = 6;

export interface Searched {
  readonly found: Failed | Worked;
  readonly spent: number;
  /** The one that worked, else the first. */
  readonly choice: Choice;
}

/** A choice that is still to be tried. */
interface Pending {
  readonly choice: Choice;
  /** Whether it follows from the exception's text; others are guesses. */
  readonly fromException: boolean;
  /** How many of Python's steps the run took that it comes from. */
  readonly reached: number;
}

/** Choices that follow from an exception come before guesses, and among them those of the run that got furthest; guesses keep their order. */
function next(pending: Pending[]): Pending | undefined {
  let best = 0;
  for (let i = 1; i < pending.length; i++) if (isBefore(pending[i] as Pending, pending[best] as Pending)) best = i;
  return pending.splice(best, 1)[0];
}

const isBefore = (a: Pending, b: Pending): boolean =>
  a.fromException === b.fromException ? a.fromException && a.reached > b.reached : a.fromException;

/** Tries what is nearest to the usual first, until one attempt comes to its end, or nothing is left to try. */
export function* searched(
  m: Machine,
  readings: Readings,
  root: Root,
  most: number,
  budget: Budget,
  start: Choice = { sizes: {}, forms: {} },
  shapesOnly = false,
): Run<Searched> {
  const pending: Pending[] = [{ choice: start, fromException: true, reached: 0 }];
  const seen = new Set([keyOf(start)]);
  let [cause, spent]: [Failed | undefined, number] = [undefined, 0];
  const texts = new Map<string, number>();
  let limit = most;
  const add = (choice: Choice, fromException: boolean, reached: number): void => {
    const key = keyOf(choice);
    // A guess that an exception now suggests too moves ahead.
    const guess =
      fromException && seen.has(key) ? pending.findIndex((one) => !one.fromException && keyOf(one.choice) === key) : -1;
    if (guess >= 0) pending.splice(guess, 1);
    if (guess >= 0 || !seen.has(key)) pending.push({ choice, fromException, reached });
    seen.add(key);
  };
  for (let at = next(pending); at && spent < limit && budget.steps > 0; at = next(pending)) {
    const { choice } = at;
    spent++;
    const before = budget.steps;
    const found = yield* attempt(m, readings, root, choice, budget, shapesOnly);
    if ('attentions' in found) return { found, spent, choice };
    // A run that ended says more than one that an exception stopped.
    if (!cause || (found.ran && !cause.ran)) cause = found;
    const times = (texts.get(found.text) ?? 0) + 1;
    texts.set(found.text, times);
    const first = withSettersFirst(choice, found, root);
    if ((found.lasts && first.length === 0) || times >= mostAlike) break;
    const reached = before - budget.steps;
    const chosen = choicesFromException(choice, found, root);
    // Which of several words is meant says more than other sizes do.
    const asksWord = chosen.some(({ settings }) => (settings?.size ?? 0) > (choice.settings?.size ?? 0));
    if (found.ran && !asksWord) limit = Math.min(limit, spent + (reached > deepRun ? 1 : attemptsAfterEnd));
    // If a run is too long with one layer too, other sizes will not help.
    if (found.endless && withOneLayer(choice, root, reached).length === 0) break;
    const light = withOneLayer(choice, root, reached);
    if (light.length > 0) pending.length = 0;
    for (const one of light.length > 0 ? light : [...first, ...chosen]) add(one, true, reached);
    for (const one of light.length > 0 || found.lasts ? [] : guessedChoices(choice, found)) add(one, false, reached);
  }
  return { found: cause ?? notTried(root), spent, choice: start };
}

const keyOf = ({ settings, forced, forms, ...rest }: Choice): string =>
  JSON.stringify([rest, Object.entries(forms).sort(byName), settings && [...settings], forced?.size]);

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

const notTried = ({ range }: Root): Failed => ({
  text: t('what stands before it took all the steps that are tried'),
  range: { start: range.start, end: range.start },
  made: new Map(),
  asked: new Map(),
  masks: false,
});
