/**
 * Classes and functions that no line calls (or only with what is not known), run with sizes and numbers that stand in: so that the attention in
 * them has steps that can be looked at. Sizes are solved by trying: the first run names shapes (`evaluate/uncalled.ts`), names say how large they
 * usually are, and where Python would refuse a shape, another one is tried.
 */
import { t } from '../../text/l10n';
import type { TextRange } from '../../text/problems';
import { definitionsOf, isOwn, type Readings } from '../evaluate/uncalled';
import type { Machine } from '../machine';
import { isTooLarge } from '../recognise/effort';
import { findingAttention, type Attention } from '../recognise/index';
import type { Unit } from '../syntax/parse';
import { mayAttend, namesWeights } from '../vocabulary';
import type { ClassValue, FunctionValue, Run, Value } from '../values';
import { attempt, hasShape, isIn, newBudget, type Budget, type Failed, type Root, type Worked } from './attempt';
import { maskKinds, type Choice, type Form } from './values';
import { namesIds, usual } from './sizes';

export { sampleSeed } from './attempt';

/** Why nothing can stand in: of a definition's text the first cause, where it stands. */
export interface Refusal {
  readonly root: TextRange;
  readonly text: string;
  readonly range: TextRange;
}

/** Attempts for one definition, and for a whole program. */
const [attemptsEach, attemptsInAll] = [40, 160];
/** Attempts that all end the same way: what is missing is no size. */
const mostAlike = 12;
/** Of what only calls attention, such as a whole model. */
const attemptsOfCallers = 12;
/** After one that came to its end without attention. */
const attemptsAfterEnd = 6;

/** Adds what nothing can stand in for to `refusals`. */
export function* samplesOf(m: Machine, units: readonly Unit[], readings: Readings, refusals: Refusal[]): Run<void> {
  let left = attemptsInAll;
  const budget = newBudget();
  const known = [...(yield* findingAttention(m.graph))];
  const roots = definitionsOf(m, units).flatMap((value) => rootOf(value) ?? []);
  const names = [...attentive(roots), ...importedAttentive(m)];
  for (const root of roots) {
    if (!isWanted(known, root, names)) continue;
    let first: Failed | undefined;
    const methods = methodsOf(root);
    if (methods.length === 0) refusals.push({ root: root.range, text: t('no line calls this'), range: root.range });
    for (const one of methods) {
      const most = Math.min(left, mayAttend(root.text) ? attemptsEach : attemptsOfCallers);
      const { found, spent } = yield* searched(m, readings, one, most, budget);
      left -= spent;
      if ('attentions' in found) {
        known.push(...found.attentions);
        first = undefined;
        break;
      }
      first ??= found;
    }
    if (first) refusals.push({ root: root.range, text: first.text, range: first.range });
  }
}

function rootOf(value: FunctionValue | ClassValue): Root | undefined {
  const source = value.kind === 'function' ? value.source : [...value.attributes.values()].find(isOwn)?.source;
  if (!source) return undefined;
  return { value, text: source.text, range: { start: source.base, end: source.base + source.text.length } };
}

/** Names of the definitions that have attention's words themselves. */
const attentive = (roots: readonly Root[]): readonly string[] =>
  roots.flatMap(({ text, value }) => (mayAttend(text) ? [value.name] : []));

/** Names of what comes from another file and has attention's words, itself or in what it names. */
function importedAttentive(m: Machine): readonly string[] {
  const members = [...m.globals.names].flatMap(([name, value]): readonly (readonly [string, Value])[] =>
    value.kind === 'module' && value.names ? [...value.names] : [[name, value]],
  );
  return members.flatMap(([name, value]) => (isAttentive(value, new Set()) ? [name] : []));
}

function isAttentive(value: Value, seen: Set<Value>): boolean {
  if (seen.has(value) || seen.size > 40) return false;
  seen.add(value);
  const functions = value.kind === 'function' ? [value] : value.kind === 'class' ? [...value.attributes.values()].flatMap((one) => (one.kind === 'function' ? [one] : [])) : []; // prettier-ignore
  const [first] = functions;
  if (!first || first.source.own || !first.closure.globals.isFile) return false;
  if (mayAttend(first.source.text)) return true;
  const called = new Set(first.source.text.match(/\b[A-Za-z_]\w*(?=\s*\()/g));
  return [...called].some((name) => {
    const other = first.closure.globals.names.get(name);
    return other !== undefined && isAttentive(other, seen);
  });
}

/** Whether attention is in it, or is called from it, that has no numbers yet, or more than can be given. */
function isWanted(known: readonly Attention[], { value, text, range }: Root, names: readonly string[]): boolean {
  const calls = names.some((name) => name !== value.name && new RegExp(`(?<!\\b(?:def|class)\\s+)\\b${name}\\s*\\(`).test(text)); // prettier-ignore
  if (!mayAttend(text) && !calls) return false;
  return !known.some((attention) => isIn(attention, range) && hasShape(attention) && !isTooLarge(attention));
}

/** What is called of a class: `forward`, then what has attention's words. */
function methodsOf(root: Root): readonly Root[] {
  if (root.value.kind === 'function') return [root];
  const methods = [...root.value.attributes.values()].filter(isOwn);
  const first = methods.filter(({ name }) => name === 'forward' || name === '__call__' || name === 'call');
  const worded = methods.filter((one) => !first.includes(one) && one.name !== '__init__' && namesWeights(one.source.text)); // prettier-ignore
  return [...first, ...worded].slice(0, 4).map((method) => ({ ...root, method }));
}

interface Searched {
  readonly found: Failed | Worked;
  readonly spent: number;
}

/** Tries what is nearest to the usual first, until one attempt comes to its end, or nothing is left to try. */
function* searched(m: Machine, readings: Readings, root: Root, most: number, budget: Budget): Run<Searched> {
  const start: Choice = { sizes: {}, forms: {} };
  const pending: Choice[] = [start];
  const seen = new Set([JSON.stringify(start)]);
  let [first, spent]: [Failed | undefined, number] = [undefined, 0];
  const texts = new Map<string, number>();
  let limit = most;
  for (let choice = pending.shift(); choice && spent < limit && budget.steps > 0; choice = pending.shift()) {
    spent++;
    const found = yield* attempt(m, readings, root, choice, budget);
    if ('attentions' in found) return { found, spent };
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
  return { found: first ?? notTried(root), spent };
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
