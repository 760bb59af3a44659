/** The words of which Python's own `random` makes its numbers, each by its place: so a branch that is undone leaves the stream as it was. */
import { t } from '../../text';
import { nextWord, twisterFromWords, type MersenneTwister } from '../../random';
import { cause, int, type Machine, type Value } from '../machine';

let last: { readonly key: string; readonly twister: MersenneTwister; at: number } | undefined;

function wordAt(words: readonly number[], at: number): number {
  const key = words.join();
  if (last?.key !== key || last.at > at) last = { key, twister: twisterFromWords(words), at: 0 };
  while (last.at < at) skip(last);
  return skip(last);
}

function skip(stream: NonNullable<typeof last>): number {
  stream.at++;
  return nextWord(stream.twister);
}

/** The word of a generator whose seed has these words; None is one without a seed. */
export function word(m: Machine, key: Value, at: Value): Value {
  if (key.kind === 'unknown' || at.kind === 'unknown') return key.kind === 'unknown' ? key : at;
  const words =
    key.kind === 'list' && !key.unsure ? key.items.map((one) => (one.kind === 'int' ? Number(one.value) : -1)) : [];
  return words.length > 0 && !words.includes(-1) && at.kind === 'int'
    ? int(wordAt(words, Number(at.value)))
    : undrawn(m, '');
}

/** What is not drawn here: without a seed, from one that is no whole number, behind a distribution that is not followed; or a function that changes the order of what it is given. */
export function undrawn(m: Machine, what: string): Value {
  const why = what === 'seed' ? t('what {0} draws from a seed is not computed here', 'random') : t('without a seed each run draws other numbers'); // prettier-ignore
  return { kind: 'unknown', cause: cause(m, why), library: 'random', ...(what === 'shuffle' && { changes: 'order' }) };
}
