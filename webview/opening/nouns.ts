/* Whether what a head looks at can be what it was measured to find. No claim is made of a row in which it looks at something else. */

/** The plural of each noun that has one of its own. */
const irregular: Readonly<Record<string, string>> = { man: 'men', woman: 'women', child: 'children', mouse: 'mice', knife: 'knives', wolf: 'wolves', shelf: 'shelves' }; // prettier-ignore

/** Verbs that the same ending makes singular: `run`, `runs`. */
const verbs: ReadonlySet<string> = new Set(['come', 'do', 'follow', 'go', 'jump', 'know', 'like', 'love', 'need', 'run', 'see', 'sleep', 'walk', 'want']); // prettier-ignore

const pluralsOf = (noun: string): readonly string[] =>
  irregular[noun]
    ? [irregular[noun]]
    : [`${noun}s`, `${noun}es`, noun.replace(/y$/, 'ies')].filter((it) => it !== noun);

const known = new WeakMap<readonly string[], ReadonlyMap<string, 'one' | 'many'>>();

/** The number of each noun of which a vocabulary has both numbers. */
export function numbersIn(vocabulary: readonly string[]): ReadonlyMap<string, 'one' | 'many'> {
  const found = known.get(vocabulary);
  if (found) return found;
  const words = new Set(vocabulary);
  const numbers = new Map<string, 'one' | 'many'>();
  for (const noun of vocabulary) {
    // `i` is no noun for `is`.
    const plural = noun.length < 3 || verbs.has(noun) ? undefined : pluralsOf(noun).find((it) => words.has(it));
    if (plural === undefined) continue;
    numbers.set(noun, 'one');
    numbers.set(plural, 'many');
  }
  known.set(vocabulary, numbers);
  return numbers;
}

const ofVerb: Readonly<Record<string, 'one' | 'many'>> = { is: 'one', was: 'one', has: 'one', are: 'many', were: 'many', have: 'many' }; // prettier-ignore

/** Whether a verb agrees with a noun in number. */
export function agrees(vocabulary: readonly string[], verb: string | undefined, noun: string | undefined): boolean {
  const wanted = ofVerb[verb?.toLowerCase() ?? ''];
  return wanted !== undefined && numbersIn(vocabulary).get(noun?.toLowerCase() ?? '') === wanted;
}

/** Names, people and animals that a pronoun of one gender can stand for, and those that both can: judged by hand. */
const meant: Readonly<Record<'he' | 'she' | 'both', ReadonlySet<string>>> = {
  he: new Set('adam ben daniel david fred george jack james john mark max paul peter sam tom boy brother father grandfather king man prince son uncle'.split(' ')),
  she: new Set('alice anna emma eva helen jane julia kate lily lucy maria mary nora rose sara susan aunt daughter girl grandmother hen mother princess queen sister woman'.split(' ')),
  both: new Set('baby baker bear bird cat child cow doctor dog donkey driver duck elephant farmer fish fox friend frog goat horse kitten lion monkey mouse nurse pig puppy rabbit sailor student teacher tiger wolf'.split(' ')),
}; // prettier-ignore

/** Whether `he` or `she` can stand for a word: for one person or animal that it fits. */
export function canBeMeant(pronoun: string | undefined, word: string | undefined): boolean {
  const [asks, lower] = [pronoun?.toLowerCase(), word?.toLowerCase() ?? ''];
  if (asks !== 'he' && asks !== 'she') return false;
  return meant[asks].has(lower) || meant.both.has(lower);
}
