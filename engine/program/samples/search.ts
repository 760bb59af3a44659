/** Sizes and forms that stand in, solved by trying: the nearest to the usual first, then what an exception of Python's says was expected. */
import { t } from '../../text';
import type { Readings } from '../evaluate';
import type { Machine, Run } from '../machine';
import { attempt, type Budget, type Failed, type Root, type Worked } from './attempt';
import { namesIds, usual } from './sizes';
import { maskKinds, type Choice, type Form } from './values';

/** Attempts that all end the same way: what is missing is no size. */
const mostAlike = 12;
/** After one that came to its end without attention. */
const attemptsAfterEnd = 6;

export interface Searched {
  readonly found: Failed | Worked;
  readonly spent: number;
  /** The one that worked, else the first. */
  readonly choice: Choice;
}

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
  const pending: Choice[] = [start];
  const seen = new Set([JSON.stringify(start)]);
  let [first, spent]: [Failed | undefined, number] = [undefined, 0];
  const texts = new Map<string, number>();
  let limit = most;
  for (let choice = pending.shift(); choice && spent < limit && budget.steps > 0; choice = pending.shift()) {
    spent++;
    const found = yield* attempt(m, readings, root, choice, budget, shapesOnly);
    if ('attentions' in found) return { found, spent, choice };
    first ??= found;
    if (found.ran) limit = Math.min(limit, spent + attemptsAfterEnd);
    const times = (texts.get(found.text) ?? 0) + 1;
    texts.set(found.text, times);
    if (found.lasts || (texts.size === 1 && times >= mostAlike)) break;
    for (const next of others(choice, found)) {
      const key = JSON.stringify(next);
      if (!seen.has(key)) pending.push(next);
      seen.add(key);
    }
  }
  return { found: first ?? notTried(root), spent, choice: start };
}

const notTried = ({ range }: Root): Failed => ({
  text: t('what stands before it took all the steps that are tried'),
  range: { start: range.start, end: range.start },
  made: new Map(),
  asked: new Map(),
  masks: false,
});

const withForm = (choice: Choice, name: string, form: Form): Choice => ({
  ...choice,
  forms: { ...choice.forms, [name]: { ...choice.forms[name], ...form } },
});

const withSize = (choice: Choice, name: string, size: number): Choice => ({
  ...choice,
  sizes: { ...choice.sizes, [name]: size },
});

/** `MHA.__init__() missing 2 required positional arguments: 'num_heads' and 'key_dim'`: of what a constructor hands on. */
function missing({ extra = [], ...choice }: Choice, text: string): readonly Choice[] {
  const named = text.includes('__init__() missing') ? [...text.matchAll(/'(\w+)'/g)].flatMap(([, name = '']) => name) : []; // prettier-ignore
  const fresh = named.filter((name) => !extra.includes(name));
  return fresh.length > 0 ? [{ ...choice, extra: [...extra, ...fresh] }] : [];
}

/** What to try after a refusal, by what it says. */
function others(choice: Choice, failed: Failed): readonly Choice[] {
  const tensors = [...failed.made].filter(([, { mask }]) => !mask);
  const masks = [...failed.made].filter(([, { mask }]) => mask);
  const open = tensors.filter(([, one]) => one.open);
  if (failed.masks) return masks.flatMap(([name]) => maskKinds.map((mask) => withForm(choice, name, { mask })));
  const found: Choice[] = [...missing(choice, failed.text)];
  found.push(...otherPictures(choice, failed));
  if (uneven(failed.text) && !choice.even) found.push({ ...choice, even: true });
  if (masks.length > 0 && /must match|broadcast|Dimension out of range/.test(failed.text))
    for (const rank of [3, -1]) found.push(masks.reduce((all, [name]) => withForm(all, name, { rank }), choice));
  // A mask of one cell, which hides nothing, fits whatever it is put over.
  if (masks.length > 0 && /broadcast|must match/.test(failed.text)) found.push(masks.reduce((all, [name]) => withForm(all, name, { rank: 0, mask: 'all' }), choice)); // prettier-ignore
  for (const [has, wants] of mismatches(failed.text)) {
    const fits = tensors.filter(([, { shape }]) => shape.at(-1) === has);
    if (fits.length > 1) found.push(fits.reduce((all, [name]) => withForm(all, name, { last: wants }), choice));
    for (const [name] of fits) found.push(withForm(choice, name, { last: wants }));
    for (const [name, size] of failed.asked) if (size === has) found.push(withSize(choice, name, wants));
  }
  if (/'(?:int|float)' object (?:has no attribute|is not)/.test(failed.text)) for (const [name] of failed.asked) for (const is of ['pair', 'tensor'] as const) if (!choice.forms[name]?.is) found.push(withForm(choice, name, { is })); // prettier-ignore
  if (/same dtype|long long/.test(failed.text)) for (const [name] of tensors) if (namesIds(name) && choice.forms[name]?.ids !== false) found.push(withForm(choice, name, { ids: false })); // prettier-ignore
  if (/[Ll]ong|[Ii]nt|indices|index/.test(failed.text)) for (const [name] of tensors) found.push(withForm(choice, name, { ids: true })); // prettier-ignore
  for (const rank of [2, 3, 4, 1]) {
    if (open.length > 1) found.push(open.reduce((all, [name]) => withForm(all, name, { rank }), choice));
    for (const [name] of open) found.push(withForm(choice, name, { rank }));
  }
  for (const [name] of masks) {
    for (const rank of [3, 4, -1, 1]) found.push(withForm(choice, name, { rank }));
    for (const mask of maskKinds) found.push(withForm(choice, name, { mask }));
  }
  for (const [name, size] of failed.asked)
    for (const other of [usual.width, usual.head, usual.queries, usual.heads, 1])
      if (other !== size) found.push(withSize(choice, name, other));
  return found;
}

/** Axes and channels that a layer of pictures says it expected; larger widths where an eighth of one is nothing. */
function otherPictures(choice: Choice, { text, made, asked, empty }: Failed): readonly Choice[] {
  const tensors = [...made].filter(([, { mask }]) => !mask);
  const [, wanted] = /unpack \(expected (\d+), got \d+\)|Expected (?:4)D tensor/.exec(text) ?? [];
  const rank = text.includes('Expected 4D') ? 4 : Number(wanted);
  if (rank > 0 && rank < 6) return tensors.filter(([, { shape }]) => shape.length !== rank).map(([name]) => withForm(choice, name, { rank })); // prettier-ignore
  const [, channels, got] = /to have (\d+) channels, but got (\d+)/.exec(text) ?? [];
  if (channels !== undefined) {
    const fits = tensors.filter(([, { shape }]) => shape[1] === Number(got) || shape.length < 4);
    const wide = [...asked].filter(([, size]) => size === Number(channels)).map(([name]) => withSize(choice, name, 64));
    return [...wide.map((one) => [one, 64] as const), [choice, Number(channels)] as const].flatMap(([one, count]) =>
      fits.map(([name, { shape }]) =>
        withForm(one, name, { channels: count, ...(shape.length < 4 ? { rank: 4 } : {}) }),
      ),
    );
  }
  if (empty !== true) return [];
  return [...asked].flatMap(([name, size]) => (size >= 3 && size < 16 ? [16, 64].map((more) => withSize(choice, name, more)) : [])); // prettier-ignore
}

/** As many queries as there are keys was expected. */
const uneven = (text: string): boolean =>
  new RegExp(`\\b${usual.queries}\\b.*\\b${usual.keys}\\b|\\b${usual.keys}\\b.*\\b${usual.queries}\\b`).test(text); // prettier-ignore

/** Pairs of sizes that an exception says do not fit each other. */
function mismatches(text: string): readonly (readonly [has: number, wants: number])[] {
  const product = /\(\d+x(\d+) and (\d+)x\d+\)/.exec(text);
  const pairs = product ? [product] : [...text.matchAll(/\((\d+)\) must match .*?\((\d+)\)/g), ...text.matchAll(/size (\d+) is different from (\d+)/g)]; // prettier-ignore
  return pairs.flatMap(([, a, b]) => [[Number(a), Number(b)], [Number(b), Number(a)]] as const); // prettier-ignore
}
