/**
 * Classes and functions that no line calls (or only with what is not known), run with sizes and numbers that stand in: so that the attention in
 * them has steps that can be looked at. Sizes are solved by trying: the first run names shapes (`evaluate/uncalled.ts`), names say how large they
 * usually are, and where Python would refuse a shape, another one is tried.
 */
import { t, type TextRange } from '../../text';
import { bare, definitionsOf, isOwn, type Readings } from '../evaluate';
import type { Machine, ClassValue, FunctionValue, Run, Value } from '../machine';
import {
  averagesIn,
  noProduct,
  comesFromScores,
  unfollowed,
  isTooLarge,
  findingAttention,
  type Attention,
} from '../recognise';
import { type Unit } from '../syntax';
import { mayAttend, namesWeights } from '../../python';
import { bodyText, hasShape, isIn, newBudget, type Failed, type Root } from './attempt';
import { searched } from './search';
import { shapesOf, type Sampled } from './shapes';

export { sampleSeed } from './attempt';

/** Why no arguments could be made up for a definition: the first cause, and where it stands. */
export interface Refusal {
  readonly root: TextRange;
  readonly text: string;
  readonly range: TextRange;
}

/** Most attempts for one definition, and for a whole program. */
const [attemptsEach, attemptsInAll] = [40, 160];
/** Most attempts for definitions that only call attention, such as a whole model. */
const attemptsOfCallers = 12;

/** Runs the definitions that no line calls. Those for which no arguments could be made up are added to `refusals`. */
export function* samplesOf(m: Machine, units: readonly Unit[], readings: Readings, refusals: Refusal[]): Run<void> {
  let left = attemptsInAll;
  const budget = newBudget();
  const known = [...(yield* findingAttention(m.graph))];
  const roots = definitionsOf(m, units).flatMap((value) => rootOf(value) ?? []);
  const names = [...attentive(roots), ...importedAttentive(m)];
  const sampled: Sampled[] = [];
  for (const root of roots) {
    if (!isWanted(known, root, names)) {
      sampled.push({ root });
      continue;
    }
    let [first, worked]: [Failed | undefined, boolean] = [undefined, false];
    const methods = methodsOf(root);
    if (methods.length === 0) refusals.push({ root: root.range, text: t('no line calls this'), range: root.range });
    for (const one of methods) {
      const most = Math.min(left, mayAttend(root.text) ? attemptsEach : attemptsOfCallers);
      const { found, spent, choice } = yield* searched(m, readings, one, most, budget);
      left -= spent;
      if ('attentions' in found) {
        known.push(...found.attentions);
        sampled.push({ root, worked: { root: one, choice } });
        first = undefined;
        worked = true;
        // Of a class that goes step by step a later method may sum the values.
        if (!choice.before || found.attentions.some(({ parts }) => parts.output)) break;
        continue;
      }
      if (!worked) first ??= found;
    }
    if (first) refusals.push({ root: root.range, text: first.text, range: first.range });
    if (first) sampled.push({ root, refused: true });
  }
  // Computed within what was refused before: a decoder sums by the weights of a class of its own.
  const open = refusals.filter(({ root }) => !known.some((one) => one.site.weights.sample && isIn(one, root)));
  refusals.splice(0, Infinity, ...open, ...idleLayers(m, units));
  for (const node of yield* averagesIn(m.graph)) {
    const { range } = node;
    if (!refusals.some(({ root }) => root.start <= range.start && range.end <= root.end))
      refusals.push({ root: range, range, text: comesFromScores(node) ? unfollowed() : noProduct() }); // prettier-ignore
  }
  if (m.seen) yield* shapesOf(m, units, readings, sampled);
}

/** Layers with attention of a library that a line makes and nothing calls, so that nobody knows what is given to them. */
function idleLayers(m: Machine, units: readonly Unit[]): readonly Refusal[] {
  const made = m.bindings.filter(({ value, stack }) => stack.length === 0 && value.kind === 'instance' && layers.test(value.of.name) && isOfLibrary(value.of)); // prettier-ignore
  if (made.length === 0) return [];
  const text = units.map(({ source }) => source.text).join('\n');
  return made.flatMap(({ name, range }): readonly Refusal[] => {
    if (name.length > 60) return [];
    // Printed, counted or shown it is not called.
    const elsewhere = text.replace(new RegExp(`\\b${name}\\s*=(?!=)|^\\s*${name}\\s*$|\\b(?:print|summary|display|sum|len)\\((?:model=)?${name}\\b|\\b${name}\\.__\\w+__`, 'gm'), ''); // prettier-ignore
    return new RegExp(`\\b${name}\\b`).test(elsewhere) ? [] : [{ root: range, text: t('no line calls this'), range }];
  });
}

const layers = /^(?:Multi[hH]eadAttention|Transformer|Transformer(?:Encoder|Decoder)(?:Layer)?)$/;

const isOfLibrary = ({ attributes }: ClassValue): boolean =>
  ![...attributes.values()].some((value) => value.kind === 'function' && value.source.own);

function rootOf(value: FunctionValue | ClassValue): Root | undefined {
  const source =
    value.kind === 'function' ? value.source : [...value.attributes.values()].map(bare).find(isOwn)?.source;
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
  const calls = names.some((name) => name !== value.name && new RegExp(`(?<!\\b(?:def|class)\\s+)\\b${name}\\s*\\(`, 'i').test(text)); // prettier-ignore
  const isNamed = value.kind === 'function' && /attention/i.test(value.name);
  if (!mayAttend(text) && !calls && !isNamed) return false;
  return !known.some((attention) => isIn(attention, range) && hasShape(attention) && !isTooLarge(attention));
}

/** The methods of a class that are run: `forward`, then those that name queries, keys or weights. */
function methodsOf(root: Root): readonly Root[] {
  if (root.value.kind === 'function') return [root];
  const methods = [...root.value.attributes.values()].filter(isOwn);
  const first = methods.filter(({ name }) => name === 'forward' || name === '__call__' || name === 'call');
  const worded = methods.filter((one) => !first.includes(one) && one.name !== '__init__' && namesWeights(bodyText(one))); // prettier-ignore
  const free = [...root.value.attributes.values()]
    .filter(({ kind }) => kind === 'static')
    .map(bare)
    .filter(isOwn);
  return [
    ...[...first, ...worded].slice(0, 4).map((method) => ({ ...root, method })),
    // A function that only stands in a class.
    ...free.filter((one) => namesWeights(bodyText(one))).slice(0, 4).map((value) => ({ ...root, value })),
  ]; // prettier-ignore
}
