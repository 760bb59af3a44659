/** The code doctor: where an attention of a program departs from attention, with the numbers that show it and, where it is certain, what to write instead. */
import { t, type Paced, type TextRange } from '../../text';
import { standInSeed, namerOf, newSource, numbersOf, tooLarge, type Source, type Written } from '../explain';
import { type Node, newAllowance } from '../tensor';
import { raisedIn, readingProgram, type Program, type ProgramOptions } from '../program';
import { arranged, isInOrder, findingAttention, isSample, type Attention } from '../recognise';
import { factsOf, standardOf, type Facts } from './facts';
import {
  findAll,
  findInNumbers,
  findUnnormalised,
  type Compared,
  type Edit,
  type Found,
  type Mend,
} from './find/index';
import { isIgnored } from './ignored';
import { rules, type RuleId, type Severity } from './rules';

/** Plain data: what an editor or a terminal shows. */
export interface Finding {
  readonly rule: RuleId;
  readonly severity: Severity;
  readonly range: TextRange;
  /** With the numbers before and after. */
  readonly message: string;
  readonly source: string;
  /** What is mended by certainty: the program was read with it, and the finding is gone. */
  readonly mend?: Mend;
  /** The attention's number among all of the program; −1 where it is none, for want of a softmax. */
  readonly which: number;
}

export interface Diagnosis {
  readonly findings: readonly Finding[];
  /** Attentions whose numbers were computed and compared. */
  readonly computed: number;
  /** At how many places of the text these stand: the layers of a model share one. */
  readonly places: number;
  /** All that were found. */
  readonly attentions: number;
  /** Where Python would stop, in its words; where no attention was found and it would not, what was not followed first. */
  readonly causes: readonly Cause[];
}

/** Why a part of a program was not diagnosed. */
export interface Cause {
  readonly kind: 'error' | 'unknown';
  readonly text: string;
  readonly range: TextRange;
  /** What a comment that keeps an error silent calls it. */
  readonly rule?: 'python-error';
}

interface Located extends Omit<Finding, 'mend'> {
  readonly mends: readonly Mend[];
}

/** Programs that are read anew with a mend in place, and their characters together, at most: some seconds. */
const most = { tried: 24, characters: 120_000, causes: 5 };

/** What is wrong with a program's attentions. `written`: numbers that take the place of unseeded draws. */
export function* diagnosing(
  text: string,
  program: Program,
  attentions: readonly Attention[],
  options: ProgramOptions = {},
  written: Written = new Map(),
): Paced<Diagnosis> {
  const before = yield* examining(text, program, attentions, written);
  const { found, computed, places } = before;
  const findings: Finding[] = [];
  let left = Math.min(most.tried, Math.ceil(most.characters / (text.length + 1)));
  for (const { mends, ...one } of found) {
    let mend: Mend | undefined;
    for (const candidate of mends) {
      if (mend || left <= 0) break;
      left--;
      if (yield* isCured(text, candidate, one, before, program, options)) mend = candidate;
    }
    findings.push(mend ? { ...one, range: rangeOf(one, mend), mend } : one);
  }
  return {
    findings,
    computed,
    places,
    attentions: attentions.length,
    causes: causesOf(text, program, attentions.length),
  };
}

/** A helper of the code's own takes its axis from a call: what is wrong stands there. */
function rangeOf({ rule, range }: Pick<Located, 'rule' | 'range'>, { edits: [edit, ...more] }: Mend): TextRange {
  const isElsewhere = edit && more.length === 0 && (edit.range.end <= range.start || edit.range.start >= range.end);
  return rule === 'softmax-axis' && isElsewhere ? edit.range : range;
}

const pythonError = 'python-error';

function causesOf(text: string, program: Program, attentions: number): readonly Cause[] {
  const errors = raisedIn(text, program).flatMap(({ text: said, range }) =>
    isIgnored(text, pythonError, range)
      ? []
      : [{ kind: 'error' as const, text: said, range, rule: pythonError } as const],
  );
  if (errors.length > 0 || attentions > 0) return errors.slice(0, most.causes);
  const { notes, refusals } = program;
  const unknown = [...notes.filter(({ kind }) => kind === 'unknown' || kind === 'stopped'), ...refusals];
  return unknown.slice(0, 1).map(({ text, range }) => ({ kind: 'unknown', text, range }));
}

/** Reads a program and diagnoses it. */
export function* diagnosingText(text: string, options: ProgramOptions = {}): Paced<Diagnosis> {
  const program = yield* readingProgram(text, options);
  return yield* diagnosing(text, program, yield* findingAttention(program.graph), options);
}

interface Examined {
  readonly found: readonly Located[];
  readonly computed: number;
  readonly places: number;
  /** Those that hide exactly the keys after each query. */
  readonly causal: number;
}

function* examining(
  text: string,
  program: Program,
  attentions: readonly Attention[],
  written: Written = new Map(),
): Paced<Examined> {
  const found = new Map<string, Located>();
  const places = new Set<string>();
  let [computed, causal] = [0, 0];
  const [forwards, backwards]: [Node[], Map<string, Node>] = [[], new Map()];
  for (const [which, attention] of lastOfEach(attentions)) {
    const seen = yield* examined(text, program, attention, written);
    if (!seen) continue;
    computed++;
    if (seen.isCausal && ++causal) forwards.push(attention.last);
    places.add(`${attention.site.weights.range.start}`);
    for (const one of seen.found) {
      const key = keyOf(one);
      if (one.rule === 'mask-inverted') backwards.set(key, attention.last);
      if (!found.has(key) && !isIgnored(text, one.rule, one.range)) found.set(key, { ...one, which });
    }
  }
  for (const [key, one] of backwards) if (forwards.some((other) => meet(program.graph.nodes, one, other))) found.delete(key); // prettier-ignore
  for (const one of yield* withoutSoftmax(text, program, written)) if (!found.has(keyOf(one)) && !isIgnored(text, one.rule, one.range)) found.set(keyOf(one), { ...one, which: -1 }); // prettier-ignore
  // Loops over numbers leave no attention in the graph that could be computed.
  const loops = computed === 0 && found.size === 0 && /\bfor\b/.test(text) ? yield* findInNumbers(program) : [];
  for (const { rule, range, message } of loops)
    if (!isIgnored(text, rule, range)) found.set(keyOf({ rule, range }), { ...rules[rule], rule, range, message, mends: [], which: -1 }); // prettier-ignore
  return {
    found: [...found.values()].sort((a, b) => a.range.start - b.range.start),
    computed,
    places: places.size,
    causal,
  };
}

/** Whether both are joined or added, and neither is made of the other: two directions of one text. */
function meet(nodes: readonly Node[], a: Node, b: Node): boolean {
  const [ofA, ofB] = [new Set([a]), new Set([b])];
  for (const node of nodes)
    for (const of of [ofA, ofB]) if (node.operands.some((operand) => of.has(operand))) of.add(node);
  const joined = [...ofA].find((node) => ofB.has(node));
  return !ofA.has(b) && !ofB.has(a) && (joined?.operation === 'concat' || joined?.operation === 'add');
}

const keyOf = ({ rule, range }: Pick<Located, 'rule' | 'range'>): string => `${rule} ${range.start} ${range.end}`;

/** Weights that no softmax made, with numbers that stand in where the code does not say its own. */
function* withoutSoftmax(text: string, program: Program, written: Written): Paced<readonly Omit<Located, 'which'>[]> {
  const namer = namerOf(text, program);
  const sources = new Map<Node, Source>();
  const sourceOf = (node: Node): Source | undefined => {
    const source = tooLarge(node, new Set(), newAllowance()) ? undefined : newSource(standInSeed, newAllowance(), new Set(), written);
    if (source) sources.set(node, source);
    return source;
  };
  const located: Omit<Located, 'which'>[] = [];
  for (const one of yield* findUnnormalised(program.graph, text, (node) => namer.name(node, ''), sourceOf)) {
    const source = sources.get(one.node);
    const standsIn = one.node.sample ? 'sample' : source && (yield* numbersOf(source, one.node))?.standIn ? 'draw' : undefined;
    located.push(locatedOf(one, one.node, one.compared, standsIn));
  }
  return located;
} // prettier-ignore

/** Layers of a model that a loop calls are one; the last call stands for all, and beside one of a single query the last of several: a prompt before its steps. */
function lastOfEach(attentions: readonly Attention[]): Iterable<readonly [number, Attention]> {
  const byCalls = new Map<string, readonly [number, Attention]>();
  const ofSeveral = new Map<string, readonly [number, Attention]>();
  for (const [which, attention] of attentions.entries()) {
    const { range, stack, shape } = attention.site.weights;
    const key = [range, ...stack].map(({ start, end }) => `${start}-${end}`).join();
    byCalls.delete(key);
    const one = [which, attention] as const;
    byCalls.set(key, one);
    if (shape?.at(-2) !== 1) ofSeveral.set(key, one);
  }
  return new Set([...byCalls].flatMap(([key, one]) => [one, ofSeveral.get(key) ?? one]));
}

/** Undefined where its numbers cannot be had, or where sizes that stand in keep an axis that the code takes for one of 1. */
function* examined(text: string, program: Program, own: Attention, written: Written): Paced<{ readonly found: readonly Omit<Located, 'which'>[]; readonly isCausal: boolean } | undefined> {
  const isOrdered = isInOrder(own) && own.keys === 'rows';
  const ordered = isOrdered ? undefined : arranged(program.graph, own);
  if (!isOrdered && !ordered) return undefined;
  const attention = ordered?.attention ?? own;
  const edge = new Set(tooLarge(attention.last, new Set(), newAllowance()) ? attention.starts : []);
  if (edge.size > 0 && tooLarge(attention.last, edge, newAllowance())) return undefined;
  const facts = yield* factsOf(attention, newSource(standInSeed, newAllowance(), edge, written), own.keys === 'columns');
  if (!facts) return undefined;
  if (isSample(own) && [attention.site.weights, ...facts.way.map(({ node }) => node)].some(({ range }) => /(?<!un)squeeze\(/.test(text.slice(range.start, range.end)))) return undefined;
  const namer = namerOf(text, ordered ? { ...program, graph: ordered.graph } : program);
  const standsIn = isSample(own) ? 'sample' : (yield* numbersOf(facts.source, attention.site.weights))?.standIn ? 'draw' : undefined;
  const original = (node: Node): Node => ordered?.originals.get(node) ?? node;
  const found: Omit<Located, 'which'>[] = [];
  for (const one of yield* findAll(facts, text, (ordered?.graph ?? program.graph).nodes, (node) => namer.name(original(node), ''))) {
    const hidden = one.hidden ?? (one.swapped && facts.hidden);
    const compared = hidden && (yield* comparedWith(one.swapped ? swapped(facts) : facts, hidden));
    if (hidden && !compared) continue;
    found.push(locatedOf(one, original(one.node), compared, standsIn));
  }
  return { found, isCausal: isCausal(facts) };
} // prettier-ignore

const isCausal = ({ hidden, own: { n, m } }: Facts): boolean =>
  n > 1 && hidden.every((x, i) => (x === 1) === i % m > Math.floor(i / m) % n);

function locatedOf({ rule, message, mends, range }: Found, node: Node, compared: Compared | undefined, standsIn: 'sample' | 'draw' | undefined): Omit<Located, 'which'> {
  const { severity, source } = rules[rule];
  const said = [message, ...(compared ? [wordsOf(compared)] : []), ...(compared && standsIn ? [standInWords(standsIn)] : [])];
  return { rule, severity, source, range: range ?? node.range, message: said.join(' '), mends };
} // prettier-ignore

const standInWords = (by: 'sample' | 'draw'): string =>
  by === 'sample'
    ? t('The numbers stand in: no line calls this code.')
    : t('The numbers stand in: the code does not say its own, such as draws without a seed.');

const wordsOf = ({ at: [i, j], own, standard }: Compared): string =>
  t('Query {0} gives key {1} the weight {2}, in standard attention {3}.', i, j, rounded(own), rounded(standard));

const rounded = (x: number): string => (Number.isFinite(x) ? x.toFixed(4) : String(x).toLowerCase());

/** As many queries as keys: else Python would have refused. */
const swapped = (facts: Facts): Facts => ({ ...facts, own: { ...facts.own, q: facts.own.k, k: facts.own.q } });

/** The weight that differs most; undefined where none does. */
function* comparedWith(facts: Facts, hidden: Float64Array): Paced<Compared | undefined> {
  const standard = yield* standardOf(facts, hidden);
  if (standard?.weights.length !== facts.used.length) return undefined;
  const { n, m } = facts.own;
  let [at, most] = [-1, 1e-4];
  for (let i = 0; i < facts.used.length; i++) {
    // The first input and head, which is shown first, if it has one.
    if (i === n * m && at >= 0) break;
    const [own, other] = [facts.used[i] as number, standard.weights[i] as number];
    const difference = Math.abs(own - other);
    if (difference > most) [at, most] = [i, difference];
    else if (at < 0 && Number.isNaN(own) && !Number.isNaN(other)) at = i;
  }
  if (at < 0) return undefined;
  return { at: [Math.floor(at / m) % n, at % m], own: facts.used[at] as number, standard: standard.weights[at] as number }; // prettier-ignore
}

/** Whether the program, read with a mend in place, has one finding less of the rule and none that it had not. */
function* isCured(text: string, { edits }: Mend, { rule }: { readonly rule: RuleId }, before: Examined, own: Program, options: ProgramOptions): Paced<boolean> {
  const mended = edited(text, edits);
  const program = yield* readingProgram(mended, { ...options, watch: false });
  // A statement that no longer parses is passed by, and what is wrong in it with it.
  if (program.notes.length > own.notes.length) return false;
  const { found, computed, causal } = yield* examining(mended, program, yield* findingAttention(program.graph));
  const count = (of: RuleId, all: readonly Located[]): number => all.filter((one) => one.rule === of).length;
  // A triangle that is turned may still begin at a wrong diagonal.
  if (isOfTriangle(rule) && causal <= before.causal) return false;
  return computed > 0 && count(rule, found) < count(rule, before.found) && found.every((one) => one.severity !== 'warning' || count(one.rule, found) <= count(one.rule, before.found)); // prettier-ignore
} // prettier-ignore

const isOfTriangle = (rule: RuleId): boolean => rule === 'mask-inverted' || rule === 'mask-off-by-one';

/** A text with parts of it written otherwise. */
export function edited(text: string, edits: readonly Edit[]): string {
  let out = text;
  for (const { range, text: to } of [...edits].sort((a, b) => b.range.start - a.range.start))
    out = out.slice(0, range.start) + to + out.slice(range.end);
  return out;
}

export { isRule, ruleIds, rules, severities, type RuleId, type Severity } from './rules';
export type { Edit, Mend } from './find/index';
