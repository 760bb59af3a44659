/**
 * An attention of a program as a spec whose steps are the code's own: run again by a plan's operations and compared, number by number, with
 * what the program computed. A step that does not agree is given as the program has it.
 */
import { t, type Paced, fail, ok, type Problem, type Result } from '../../text';
import { planOf } from '../../plan';
import { runReferencePaced, valuesOf as traceValues, type AttentionTrace } from '../../run';
import { matrixDefaults, programRest, type AttentionSpec } from '../../spec';
import { type Graph, type Node, formatShape, isHalf, newAllowance } from '../tensor';
import type { Program } from '../program';
import {
  comesFrom,
  type Attention,
  type PartName,
  arranged,
  hasTooManyNumbers,
  isInOrder,
  mostNumbers,
  type Arranged,
} from '../recognise';
import { endingBefore, withinLimit } from './large';
import { lower } from './lower';
import { matrixShape, NoNumbers, type Lowering } from './steps';
import { sampleSeed } from '../samples/index';
import { namerOf, type Named, type Namer } from './names';
import { inShownOrder } from './order';
import { newSource, numbersOf, tooLarge, type Source, type Written } from './values';

export interface Explained {
  readonly spec: AttentionSpec;
  /** Steps that are given although a plan has their operation, since it computes other numbers. */
  readonly replaced: readonly string[];
  /** What is left out because it is too large, and axes in another order than the code's. */
  readonly said: readonly Problem[];
  /** The step that has a node's numbers. */
  readonly steps: ReadonlyMap<Node, string>;
  /** What was explained, and where its numbers come from. */
  readonly shown: Attention;
  readonly source: Source;
}

/** What is asked of a program, or of formulas that are one. */
export type Explainable = Named & Pick<Program, 'refusals'> & { readonly written?: Written };

/** The seed of stand-in numbers, where nobody asks for another. */
export const standInSeed = sampleSeed;

/** The spec of an attention of a program that was read from `text`. */
export function* explaining(
  text: string,
  program: Explainable,
  attention: Attention,
  seed = standInSeed,
): Paced<Result<Explained>> {
  const ordered = isInOrder(attention) ? undefined : arranged(program.graph, attention);
  if (!isInOrder(attention) && !ordered) return fail(notThere(attention.site.weights, orderReason(attention)));
  return yield* explainingInOrder(text, program, attention, ordered, seed);
}

function* explainingInOrder(
  text: string,
  whole: Explainable,
  own: Attention,
  ordered: Arranged | undefined,
  seed: number,
): Paced<Result<Explained>> {
  const attention = ordered?.attention ?? own;
  const program = ordered ? { ...whole, graph: ordered.graph } : whole;
  const namer = namerFor(text, whole, ordered);
  const { last, starts } = attention;
  // Of a deep model what the attention is given stands in itself: its layers before would be drawn and computed for it alone.
  const edge = new Set(tooLarge(last, new Set(), newAllowance()) ? starts : []);
  const still = edge.size > 0 ? tooLarge(last, edge, newAllowance()) : undefined;
  if (still?.shape) return fail(notThere(still, t('too much to compute here: {0}', formatShape(still.shape))));
  if (hasTooManyNumbers(attention)) return fail(notThere(attention.site.weights, t('the program’s steps have more than {0} numbers', mostNumbers))); // prettier-ignore
  const source = newSource(seed, newAllowance(), edge, whole.written);
  const given = new Set<Node>();
  let { attention: shown, note: left } = withinLimit(attention);
  for (;;) {
    const made = yield* specOf(namer, program, shown, source, given, seed);
    if (!made.ok) return made;
    const { spec, nodes, steps } = made.value;
    const plan = planOf(spec);
    if (!plan.ok) return plan;
    const trace = yield* runReferencePaced(spec, plan.value);
    if (!trace.ok) return trace;
    const wrong = yield* firstOther(trace.value, nodes, source);
    for (const [here, there] of wrong ? [] : (ordered?.sums ?? []))
      if (!(yield* sameNumbers(source, here, there))) return fail(notThere(own.site.weights, orderReason(own)));
    if (!wrong)
      return ok({
        spec,
        steps: ordered ? withOriginals(steps, ordered) : steps,
        shown,
        source,
        replaced: [...nodes].flatMap(([id, node]) => (given.has(node) ? [id] : [])),
        said: [...(left ? [left] : []), ...(ordered ? [axesNote(own, attention)] : [])],
      });
    // What is computed in float32 is given where it is rounded: a step of half precision cannot hold it.
    const held = roundedFrom(program.graph, wrong, shown.last, given);
    const before = held === shown.last ? endingBefore(shown) : undefined;
    if (before) ({ attention: shown, note: left } = before);
    else if (held) given.add(held);
    if (held) continue;
    if (given.has(wrong)) return fail(notThere(wrong, t('its numbers do not come out as the program’s')));
    given.add(wrong);
  }
}

function roundedFrom({ nodes }: Graph, of: Node, { dtype }: Node, given: ReadonlySet<Node>): Node | undefined {
  if (of.dtype === dtype || !isHalf(dtype)) return undefined;
  return nodes.find((node) => node.id > of.id && node.operation === 'cast' && node.dtype === dtype && !given.has(node) && comesFrom(node, of)); // prettier-ignore
}

const orderReason = ({ apart, site }: Attention): string =>
  apart ? t('its queries and keys are not the last two axes of its weights') : shapeReason(site.weights);

/** A node that stands for one of the code's is called as that one. */
function namerFor(text: string, program: Explainable, ordered: Arranged | undefined): Namer {
  const namer = namerOf(text, program);
  if (!ordered) return namer;
  return { ...namer, name: (node, otherwise) => namer.name(ordered.originals.get(node) ?? node, otherwise) };
}

/** The steps of the code's own nodes too, where their cells stand at the same places. */
function withOriginals(steps: ReadonlyMap<Node, string>, { originals, moved }: Arranged): ReadonlyMap<Node, string> {
  const own = [...steps].flatMap(([node, id]) => {
    const original = originals.get(node);
    return original && !moved.has(original) ? [[original, id] as const] : [];
  });
  return new Map([...steps, ...own]);
}

function* sameNumbers(source: Source, a: Node, b: Node): Paced<boolean> {
  const [x, y] = [yield* numbersOf(source, a), yield* numbersOf(source, b)];
  if (!x || !y || x.dense.data.length !== y.dense.data.length) return false;
  return x.dense.data.every((value, i) => Object.is(value, y.dense.data[i]) || value === y.dense.data[i]);
}

const axesNote = ({ site }: Attention, shown: Attention): Problem => ({
  code: 'program-assumed',
  message: t('The weights have the axes {0} in the code; they are shown as {1}, queries by keys last.', formatShape(site.weights.shape ?? []), formatShape(shown.site.weights.shape ?? [])), // prettier-ignore
  range: site.weights.range,
});

interface Made {
  readonly spec: AttentionSpec;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly steps: ReadonlyMap<Node, string>;
}

function* specOf(
  namer: Namer,
  program: Explainable,
  attention: Attention,
  source: Source,
  given: ReadonlySet<Node>,
  seed: number,
): Paced<Result<Made>> {
  const { last, starts, site } = attention;
  const grid = matrixShape(site.weights);
  if (!grid) return fail(notRun(program, site.weights) ?? notThere(site.weights, shapeReason(site.weights)));
  const l: Lowering = {
    source, namer, parts: partsByNode(attention), shared: sharedNodes(attention), layers: attention.layers, starts: new Set(starts),
    core: coreOf(program, starts, last), given, steps: [], shapes: new Map(), ids: new Map(), masks: new Map(), nodes: new Map(), dtype: last.dtype,
  }; // prettier-ignore
  try {
    yield* lower(l, last);
  } catch (error) {
    if (error instanceof NoNumbers) {
      const { shape } = error.node;
      const isLarge = shape !== undefined && source.tooMuch.has(error.node);
      const reason = isLarge ? t('too much to compute here: {0}', formatShape(shape)) : shapeReason(error.node);
      return fail(notThere(error.node, reason));
    }
    throw error;
  }
  const [queries = 1, keys = 1] = attention.keys === 'rows' ? grid.slice(-2) : grid.slice(-2).reverse();
  const sumsOver = sumsOverOf(attention);
  const dtype = floats.find((one) => one === last.dtype) ?? 'float32';
  const start = { from: 'program', dtype, steps: inShownOrder(l.steps), tokens: { queries, keys }, ...(l.steps.some(standsIn) && { seed }), ...(sumsOver && { sumsOver }) } as const; // prettier-ignore
  const heads = Math.min(256, Math.max(1, attention.heads ?? 1));
  const spec: AttentionSpec = {
    ...matrixDefaults,
    ...programRest,
    dtype,
    start,
    heads,
  };
  return ok({ spec, nodes: l.nodes, steps: l.ids });
}

/** Number types that steps are computed in. */
const floats = ['float64', 'float32', 'float16', 'bfloat16'] as const;

const standsIn = (step: Lowering['steps'][number]): boolean =>
  step.op === 'given' && (step.origin === 'stand-in' || step.standsIn === true);

const partsByNode = ({ parts }: Attention): ReadonlyMap<Node, PartName> => {
  const found = new Map<Node, PartName>();
  for (const [name, node] of Object.entries(parts) as [PartName, Node][]) if (!found.has(node)) found.set(node, name);
  return found;
};

function sharedNodes({ parts }: Attention): ReadonlySet<Node> {
  const nodes = Object.values(parts);
  return new Set(nodes.filter((node, i) => nodes.indexOf(node) !== i));
}

/** What follows from the starts, up to the last node. */
function coreOf({ graph }: Explainable, starts: readonly Node[], last: Node): ReadonlySet<Node> {
  const core = new Set<Node>(starts);
  for (const node of graph.nodes) {
    if (node.id > last.id) break;
    if (node.operands.some((operand) => core.has(operand))) core.add(node);
  }
  return core;
}

function sumsOverOf({ normalised, site: { axes } }: Attention): 'queries' | 'matrix' | 'other' | undefined {
  if (normalised !== false) return undefined;
  return axes?.length === 1 ? 'queries' : axes?.length === 2 ? 'matrix' : 'other';
}

/** The first node whose step has other numbers than the program. */
function* firstOther(trace: AttentionTrace, nodes: ReadonlyMap<string, Node>, source: Source): Paced<Node | undefined> {
  for (const step of trace.plan.steps) {
    const node = nodes.get(step.id);
    const own = node && (yield* numbersOf(source, node));
    if (!node || !own) continue;
    const values = traceValues(trace, step);
    const { data } = own.dense;
    const same =
      values.length === data.length &&
      values.every((x, i) => x === data[i] || (Number.isNaN(x) && Number.isNaN(data[i])));
    if (!same) return node;
    yield;
  }
  return undefined;
}

/** Nothing can stand in for what no call gives: the first cause. */
function notRun({ refusals }: Explainable, { range }: Node): Problem | undefined {
  const refusal = refusals.find(({ root }) => root.start <= range.start && range.end <= root.end);
  return refusal && refused(refusal);
}

export const refused = ({ text, range }: Program['refusals'][number]): Problem => ({
  code: 'not-followed',
  message: t('this attention is not explained: no stand-in sizes were found with which it runs: {0}', text),
  range,
});

const shapeReason = (node: Node): string =>
  node.why?.text ??
  (node.shape && node.shape.length > 4 ? t('it has more than four axes') : t('its shape is not known'));

const notThere = (node: Node, reason: string): Problem => ({
  code: 'not-followed',
  message: t('this attention is not explained: {0}', reason),
  range: node.why?.range ?? node.range,
});
