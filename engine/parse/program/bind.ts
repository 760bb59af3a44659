import { t } from '../../text/l10n';
import type { Problem, TextRange } from '../../text/problems';
import type { Stream } from './draws';
import { isKnownDraw } from './draws';
import { wholeName } from './evaluate';
import { changesArguments, drawOf, isHarmless, isHarmlessMethod, knownFunction } from './modules';
import {
  addEntry,
  anything,
  changeInPlace,
  loseName,
  mostRoots,
  placeOf,
  type Binding,
  type Program,
  type StreamState,
} from './scope';
import { dotted, partsOf, type Attribute, type Call, type Name, type Node } from './tree';

/**
 * Sets what the names and draws of an expression stand for here, in the order in which Python evaluates them.
 * Returns the entries that it needs.
 */
export function resolve(program: Program, node: Node, statement: TextRange): number[] {
  const needs: number[] = [];
  walk(program, node, { statement, needs, inner: false, from: 0 });
  return needs;
}

interface Walk {
  readonly statement: TextRange;
  readonly needs: number[];
  /** In something that may run any number of times: a lambda, a comprehension, one side of a condition. */
  readonly inner: boolean;
  /** Where in `needs` begins what the parts of this node need. */
  readonly from: number;
}

function walk(program: Program, node: Node, at: Walk): void {
  program.steps++;
  if (node.kind === 'name') return link(program, node, node.name, at);
  if (node.kind === 'attribute' && linkDotted(program, node, at)) return;
  const inner = at.inner || node.kind === 'other' || (node.kind === 'binary' && /^(?:and|or)$/.test(node.operator));
  const from = at.needs.length;
  for (const part of partsOf(node)) walk(program, part, inner === at.inner ? at : { ...at, inner });
  if (node.kind === 'call') linkCall(program, node, { ...at, from });
}

function link(program: Program, node: Name | Attribute, name: string, { needs }: Walk): void {
  const binding = program.names.get(name);
  if (!binding) return;
  node.entry = binding.entry;
  needs.push(binding.entry);
}

/** `self.W_q`, when it was assigned as a whole. */
function linkDotted(program: Program, node: Attribute, at: Walk): boolean {
  const path = dotted(node);
  if (path === undefined || !program.names.has(path)) return false;
  link(program, node, path, at);
  return true;
}

const seeds = new Map<string, 'numpy' | 'torch'>([
  ['numpy.random.seed', 'numpy'],
  ['torch.manual_seed', 'torch'],
  ['torch.random.manual_seed', 'torch'],
]);
const makers = new Map<string, Stream['of']>([
  ['numpy.random.RandomState', 'numpy.RandomState'],
  ['numpy.random.default_rng', 'numpy.default_rng'],
]);

/** Seeds, draws, and calls that may draw or change what they are given. */
function linkCall(program: Program, node: Call, at: Walk): void {
  const name = wholeName(node.of, program.aliases);
  const method = node.of.kind === 'attribute' ? node.of.name : undefined;
  const owner = node.of.kind === 'attribute' ? bindingOf(program, node.of.of) : undefined;
  if (name !== undefined) return linkFunction(program, node, name, at);
  if (owner?.stream && method !== undefined) return linkDraw(program, node, owner.stream, method, at);
  if (node.of.kind === 'attribute' && node.of.of.kind === 'call' && node.of.of.entry !== undefined) {
    const stream = streamOf(program, node.of.of);
    if (stream && method !== undefined) return linkDraw(program, node, stream, method, at);
  }
  if (method !== undefined && node.of.kind === 'attribute' && node.of.entry === undefined) {
    if (isHarmlessMethod(method)) return;
    const target = dotted(node.of.of);
    if (target !== undefined && program.names.has(target)) loseChanged(program, target, method, at.statement);
    if (listMethods.has(method)) return;
    return risk(program, node, at);
  }
  const body = bindingOf(program, node.of)?.body;
  if (body && body.risk === undefined) return body.changes ? caution(program, node, at) : undefined;
  risk(program, node, at);
  caution(program, node, at);
}

const listMethods = new Set(
  'append extend insert pop remove clear sort reverse update add fill_ zero_ copy_ fill setdefault masked_fill_'.split(
    ' ',
  ),
);

function loseChanged(program: Program, name: string, method: string, at: TextRange): void {
  changeInPlace(program, name, at);
  loseName(
    program,
    name,
    at,
    t('{0} is changed by .{1}(…) in {2}, which is not computed', name, method, placeOf(program, at.start)),
  );
}

const bindingOf = (program: Program, node: Node): Binding | undefined => {
  const path = dotted(node);
  return path === undefined ? undefined : program.names.get(path);
};

function linkFunction(program: Program, node: Call, name: string, at: Walk): void {
  const seed = seeds.get(name);
  const maker = makers.get(name);
  if (seed) {
    const of = seed === 'numpy' ? 'numpy.RandomState' : 'torch';
    program.streams[seed] = { of, last: addSeed(program, node, of, at) };
    return at.inner ? lose(program, program.streams[seed], node, at) : undefined;
  }
  if (maker) {
    node.entry = addSeed(program, node, maker, at);
    at.needs.push(node.entry);
    return;
  }
  const drawn = drawOf(name);
  if (drawn) {
    const stream = program.streams[drawn.of];
    if (stream) return linkDraw(program, node, stream, drawn.method, at);
    return unseeded(program, node, drawn.of, at);
  }
  if (knownFunction(name) || isHarmless(name)) return;
  if (changesArguments(name)) for (const { value } of node.args) loseArgument(program, value, name, at.statement);
  risk(program, node, at);
  caution(program, node, at);
}

function loseArgument(program: Program, value: Node, name: string, at: TextRange): void {
  const path = dotted(value);
  if (path !== undefined && program.names.has(path)) loseChanged(program, path, name, at);
}

function addSeed(program: Program, node: Call, of: Stream['of'], { statement, needs, from }: Walk): number {
  return addEntry(program, { work: { kind: 'seed', of, node }, needs: needs.slice(from), statement });
}

function unseeded(program: Program, node: Call, of: 'numpy' | 'torch', at: Walk): void {
  const seed = of === 'numpy' ? 'np.random.seed(…)' : 'torch.manual_seed(…)';
  const problem: Problem = {
    code: 'unseeded',
    message: t('{0}(…) without a seed above it: its numbers are other ones in each run', dotted(node.of)),
    hint: t('Put {0} above it, or run the code, print the matrix and select what is printed.', seed),
    range: { start: node.start, end: node.end },
  };
  node.entry = addEntry(program, { work: { kind: 'lost', problem }, statement: at.statement });
  at.needs.push(node.entry);
}

/** The generator that a call made: `np.random.default_rng(3)`. */
export function streamOf(program: Program, node: Node): StreamState | undefined {
  if (node.kind === 'name' || node.kind === 'attribute') return bindingOf(program, node)?.stream;
  if (node.kind !== 'call' || node.entry === undefined) return undefined;
  const work = program.entries[node.entry]?.work;
  return work?.kind === 'seed' ? { of: work.of, last: node.entry } : undefined;
}

function linkDraw(program: Program, node: Call, stream: StreamState, method: string, at: Walk): void {
  if (at.inner || !isKnownDraw(stream.of, method)) {
    lose(program, stream, node, at);
    node.entry = stream.last;
    at.needs.push(stream.last);
    return;
  }
  node.entry = addEntry(program, {
    work: { kind: 'draw', node, method, before: stream.last },
    needs: [stream.last, ...at.needs.slice(at.from)],
    statement: at.statement,
  });
  at.needs.push(node.entry);
  stream.last = node.entry;
}

function lose(program: Program, stream: StreamState, node: Node, at: Walk): void {
  const what = shortText(program, node);
  const place = placeOf(program, node.start);
  stream.last = addLost(
    program,
    node,
    at,
    at.inner
      ? t('{0} in {1} may draw any number of times: draws after it are not known', what, place)
      : t('{0} in {1} is not drawn here: draws after it are not known', what, place),
  );
}

function addLost(program: Program, node: TextRange, at: Walk, message: string): number {
  const hint = t('Run the code, print the matrix and select what is printed.');
  const problem: Problem = { code: 'draws', message, hint, range: { start: node.start, end: node.end } };
  return addEntry(program, { work: { kind: 'lost', problem }, statement: at.statement });
}

/** A call that nobody knows: it may draw from any stream that it can reach. */
function risk(program: Program, node: Call, at: Walk): void {
  const { numpy, torch } = program.streams;
  const given = node.args.flatMap(({ value }) => bindingOf(program, value)?.stream ?? []);
  for (const stream of new Set([numpy, torch, ...given]))
    if (stream) mayDraw(program, stream, shortText(program, node), node, at);
}

function mayDraw(program: Program, stream: StreamState, what: string, node: TextRange, at: Walk): void {
  const message = t(
    '{0} in {1} may draw from {2}: draws after it are not known',
    what,
    placeOf(program, node.start),
    stream.of,
  );
  // One such call is enough; the first is the one to name.
  if (program.entries[stream.last]?.work.kind !== 'lost') stream.last = addLost(program, node, at, message);
}

/** A block that is not run may draw. */
export function riskOfBlock(program: Program, what: string, at: TextRange): void {
  const { numpy, torch } = program.streams;
  const walked: Walk = { statement: at, needs: [], inner: false, from: 0 };
  for (const stream of [numpy, torch, ...program.live]) if (stream) mayDraw(program, stream, what, at, walked);
  program.live.clear();
}

/** `plot(…)`, at most 40 characters of it. */
function shortText(program: Program, node: Node): string {
  const callee = node.kind === 'call' ? dotted(node.of) : undefined;
  if (callee !== undefined && callee.length < 40) return `${callee}(…)`;
  const text = program.text.slice(node.start, Math.min(node.end, node.start + 40)).replace(/\s+/g, ' ');
  return node.end - node.start > 40 ? `${text}…` : text;
}

/** Whoever is given to an unknown function may be changed by it. */
function caution(program: Program, node: Call, { statement }: Walk): void {
  for (const { value } of node.args) {
    const path = dotted(value);
    const binding = path === undefined ? undefined : program.names.get(path);
    if (path === undefined || !binding || binding.caution !== undefined) continue;
    const caution = t('{0}, {1}', shortText(program, node), placeOf(program, statement.start));
    program.names.set(path, { ...binding, caution });
  }
}

const viewing = new Set(
  'T mT reshape view transpose permute squeeze unsqueeze t ravel flatten swapaxes detach numpy contiguous data cpu to expand_dims asarray ascontiguousarray as_tensor from_numpy real'.split(
    ' ',
  ),
);

/** The memory that a value may share with names: that of what it is a view of; its own for everything computed. */
export function rootsOf(program: Program, node: Node): readonly number[] | undefined {
  switch (node.kind) {
    case 'name':
      return bindingOf(program, node)?.roots;
    case 'attribute':
      return bindingOf(program, node)?.roots ?? (viewing.has(node.name) ? rootsOf(program, node.of) : undefined);
    case 'subscript':
      return rootsOf(program, node.of);
    case 'call':
      return rootsOfCall(program, node);
    case 'list':
    case 'tuple':
      return joined(node.items.map((part) => rootsOf(program, part)));
    default:
      return undefined;
  }
}

function rootsOfCall(program: Program, node: Call): readonly number[] | undefined {
  const name = dotted(node.of) ?? '';
  const last = node.of.kind === 'attribute' ? node.of.name : name;
  if (!viewing.has(last) && !/Parameter$/.test(last)) return undefined;
  const of = node.of.kind === 'attribute' ? rootsOf(program, node.of.of) : undefined;
  return joined([of, ...node.args.map((a) => rootsOf(program, a.value))]);
}

function joined(parts: readonly (readonly number[] | undefined)[]): readonly number[] | undefined {
  const all = new Set<number>();
  for (const part of parts) {
    for (const root of part ?? []) all.add(root);
    if (all.size > mostRoots) return anything;
  }
  return all.size > 0 ? [...all] : undefined;
}
