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

/** Words that no pronoun stands for. */
const closed: ReadonlySet<string> = new Set('<s> <unknown> . , ? a and are because behind beside by each every from he her him his i in into is it near of on or she so that the them there they this to under was we were what when where who why with'.split(' ')); // prettier-ignore

/** Whether a pronoun can stand for a word: neither a little word nor several. */
export function canBeMeant(vocabulary: readonly string[], word: string | undefined): boolean {
  const lower = word?.toLowerCase() ?? '';
  return lower !== '' && !closed.has(lower) && numbersIn(vocabulary).get(lower) !== 'many';
}
