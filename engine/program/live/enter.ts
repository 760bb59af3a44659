/** Runs the function in which a process has stopped, or the module, with the values that its names have there. */
import { t } from '../../text';
import { newFrame, runBody, exceptionOf, exceptionText } from '../evaluate';
import { note, nodeOf, PythonError, type Frame, type Machine, type Run, type Value } from '../machine';
import { throughMoves } from '../recognise';
import { bodiesOf, rangeOf, type Statement, type tree, type Unit } from '../syntax';
import { Raised, type Node } from '../tensor';
import type { LiveInfo, LiveTensorInfo } from './info';
import { bodyAround, changedBy, functionAt, linesIn, ranBefore, type LinesOf, type Placed } from './lines';
import { dtypeOf, leafIn, tensorOf, valueIn, type Leaves } from './values';

/** A name that the program computes and the process has too. */
export interface Check {
  readonly path: string;
  readonly node: Node;
  readonly info: LiveTensorInfo;
  /** The statement that bound it last. */
  readonly line: number;
}

export interface Entered extends Leaves {
  readonly checks: Check[];
  /** Names that took the value of the process although the code computes another: their shape or number type differs. */
  readonly others: { readonly path: string; readonly line: number; readonly here: string; readonly there: string }[];
}

interface Walk {
  readonly m: Machine;
  readonly entered: Entered;
  readonly frame: Frame;
  readonly linesOf: LinesOf;
  /** By path, the last statement before the stop that changes it. */
  readonly last: ReadonlyMap<string, Statement>;
}

export const entering = (entered: Omit<Entered, 'changed'>, into: (whole: Entered) => void) =>
  function* enter(m: Machine, units: readonly Unit[]): Run<void> {
    const { line, text } = entered.stopped;
    const linesOf = linesIn(text);
    const own = functionAt(units, line, linesOf);
    const all = units.flatMap(({ source, body }) => body.map((statement) => ({ source, statement })));
    const body = own ? own.node.body.map((statement) => ({ source: own.source, statement })) : all;
    const ran = ranBefore(body, line, linesOf);
    const last = new Map(ran.flatMap(({ statement }) => [...changedBy(statement)].map((path) => [path, statement] as const)));
    for (const path of leftByTurns(body, line, linesOf)) last.delete(path);
    const whole: Entered = { ...entered, changed: new Set([...last.keys(), ...leftByTurns(body, line, linesOf)]) };
    into(whole);
    if (own) for (const placed of all) if (defines(placed.statement)) yield* runOne(m, placed, m.globals);
    const frame = own ? newFrame({ outer: m.globals, globals: m.globals, source: own.source }) : m.globals;
    const walk: Walk = { m, entered: whole, frame, linesOf, last };
    yield* bindNames(walk, own ? { source: own.source, statement: own.node } : all[0]);
    yield* walking(walk, body);
  }; // prettier-ignore

/** What a module is needed for: what it imports and defines. What it computes is known by its names. */
function defines(statement: Statement): boolean {
  if (['Import', 'ImportFrom', 'FunctionDef', 'AsyncFunctionDef', 'ClassDef', 'Try'].includes(statement.nodeType)) return true; // prettier-ignore
  return statement.nodeType === 'Assign' && !calls((statement as tree.Assign).value);
}

function calls(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(calls);
  if (typeof node !== 'object' || node === null) return false;
  return (node as { nodeType?: string }).nodeType === 'Call' || Object.values(node).some(calls);
}

/** Names whose values no statement before the stop changes have them from the start. */
function* bindNames({ m, entered, frame }: Walk, first: Placed | undefined): Run<void> {
  if (!first) return;
  Object.assign(frame, { source: first.source });
  m.here = rangeOf(first.source, headOf(first.statement));
  for (const [name, info] of Object.entries(entered.stopped.names)) {
    const cause = { text: t('its value before the stop is gone'), range: m.here };
    const value = entered.changed.has(name) ? ({ kind: 'unknown', cause } as const) : yield* valueIn(m, entered, name, info);
    if (value) frame.names.set(name, value);
    if (value?.kind === 'tensor') m.evaluator.bound(m, first.source, headOf(first.statement), name, value);
  }
} // prettier-ignore

/** The head of a function, where its parameters stand. */
function headOf(statement: Statement): Statement {
  if (statement.nodeType !== 'FunctionDef' && statement.nodeType !== 'AsyncFunctionDef') return statement;
  const { col_offset, lineno } = statement;
  return { ...statement, end_lineno: lineno, end_col_offset: col_offset + 3 } as Statement;
}

/** Whether the statements behind these are reached. */
function* walking(walk: Walk, body: readonly Placed[]): Run<boolean> {
  const { line } = walk.entered.stopped;
  for (const placed of body) {
    const [first, last] = walk.linesOf(placed);
    const inner = first < line && line <= last ? bodyAround(placed, line, walk.linesOf) : undefined;
    if (inner) {
      yield* bindTargets(walk, placed);
      const goesOn = yield* walking(walk, inner.map((statement) => ({ source: placed.source, statement }))); // prettier-ignore
      // What stands behind a loop is not reached with the values of this turn.
      if (!goesOn || isLoop(placed.statement)) return false;
      continue;
    }
    const returned = yield* runOne(walk.m, placed, walk.frame);
    if (last < line) yield* takeOver(walk, placed);
    else if (returned) return false;
  }
  return true;
}

/** The variables of a loop, or of `with … as`; and what the turns of a loop before this one have left. */
function* bindTargets(walk: Walk, placed: Placed): Run<void> {
  const { m, entered, frame, linesOf } = walk;
  const { source, statement } = placed;
  const { target, items = [] } = statement as {
    readonly target?: tree.Expression;
    readonly items?: tree.With['items'];
  };
  m.here = rangeOf(source, statement);
  const targets = changedBy([target, items.map((one) => one.optional_vars)]);
  const cause = { text: t('its value before the stop is gone'), range: m.here };
  const ran = ranBefore([placed], entered.stopped.line, linesOf);
  const thisTurn = new Set(ran.flatMap((one) => [...changedBy(one.statement)]));
  const paths = isLoop(statement) ? new Set([...targets, ...changedBy(bodiesOf(statement))]) : targets;
  for (const path of paths) {
    const value = thisTurn.has(path)
      ? undefined
      : yield* valueIn(m, entered, path, infoOf(entered.stopped.names, path));
    setValue(frame, path, value ?? { kind: 'unknown', cause });
    if (value?.kind === 'tensor') m.evaluator.bound(m, source, statement, path, value);
  }
}

const isLoop = ({ nodeType }: Statement): boolean => ['For', 'AsyncFor', 'While'].includes(nodeType);

/** Of loops in which the stop stands, what their statements from there on change: an earlier turn may have done that. */
function leftByTurns(body: readonly Placed[], line: number, linesOf: LinesOf): ReadonlySet<string> {
  const found = new Set<string>();
  for (const placed of body) {
    const [first, last] = linesOf(placed);
    const inner = first < line && line <= last ? bodyAround(placed, line, linesOf) : undefined;
    if (!inner) continue;
    const own = inner.map((statement) => ({ source: placed.source, statement }));
    if (isLoop(placed.statement)) {
      const thisTurn = new Set(ranBefore(own, line, linesOf).flatMap(({ statement }) => [...changedBy(statement)]));
      for (const path of changedBy(bodiesOf(placed.statement))) if (!thisTurn.has(path)) found.add(path);
    }
    for (const path of leftByTurns(own, line, linesOf)) found.add(path);
  }
  return found;
}

/** One statement. Where Python would stop, the rest goes on without what it assigns. Whether it returns. */
function* runOne(m: Machine, { source, statement }: Placed, frame: Frame): Run<boolean> {
  Object.assign(frame, { source });
  try {
    return (yield* runBody(m, [statement], frame))?.kind === 'return';
  } catch (error) {
    if (!(error instanceof Raised || error instanceof PythonError)) throw error;
    const range = error.range ?? m.here;
    const text = exceptionText(exceptionOf(m, error));
    note(m, 'error', text, range);
    for (const path of changedBy(statement)) frame.names.set(path, { kind: 'unknown', cause: { text, range } });
    return false;
  } finally {
    Object.assign(m, { stack: [], depth: 0, via: undefined, journal: undefined, unsure: 0, unsureLoop: undefined });
  }
}

/** What a statement changed last before the stop is known of the process too: its value is taken where the code does not give it, else compared. */
function* takeOver(walk: Walk, { source, statement }: Placed): Run<void> {
  const { m, entered, last } = walk;
  for (const path of changedBy(statement)) {
    if (last.get(path) !== statement) continue;
    const info = infoOf(entered.stopped.names, path);
    if (!info || info.kind === 'missing' || info.kind === 'other') continue;
    m.here = rangeOf(source, statement);
    const here = valueOf(walk.frame, path);
    const line = walk.linesOf({ source, statement })[0];
    if (info.kind === 'tensor' && info.library !== 'list') takeTensor(walk, { source, statement }, path, info, here, line);
    else if (!here || here.kind === 'unknown') setValue(walk.frame, path, yield* valueIn(m, entered, path, info));
  }
} // prettier-ignore

function takeTensor(walk: Walk, placed: Placed, path: string, info: LiveTensorInfo, here: Value | undefined, line: number): void {
  const { m, entered, frame } = walk;
  const node = here?.kind === 'tensor' ? nodeOf(m, here) : undefined;
  const [mine, theirs] = [node && inWords(node), `${info.shape?.join('×') ?? '?'} ${info.dtype ?? ''}`];
  const isKnown = node !== undefined && (!node.why || node.why === entered.pending);
  if (isKnown && mine === theirs && !isLeaf(entered, node)) {
    entered.checks.push({ path, node, info, line });
    return;
  }
  const leaf = dtypeOf(info) && leafIn(m, entered, path, info);
  if (!leaf) return;
  if (isKnown && mine !== undefined && mine !== theirs) entered.others.push({ path, line, here: mine, there: theirs });
  const taken = tensorOf(info, leaf);
  setValue(frame, path, taken);
  m.evaluator.bound(m, placed.source, placed.statement, path, taken);
} // prettier-ignore

/** Numbers that no statement computes: drawn, or made of constants. Those of the process are right; what it told already is compared only. */
const isLeaf = ({ paths }: Entered, node: Node): boolean =>
  throughMoves(node).operands.length === 0 && !paths.has(throughMoves(node));

const inWords = ({ shape, dtype }: Node): string => `${shape?.join('×') ?? '?'} ${dtype}`;

function infoOf(names: Readonly<Record<string, LiveInfo>>, path: string): LiveInfo | undefined {
  const [root = '', ...rest] = path.split('.');
  let info = names[root];
  for (const name of rest) info = info?.kind === 'object' ? info.has[name] : undefined;
  return info;
}

function valueOf({ names }: Frame, path: string): Value | undefined {
  const [root = '', ...rest] = path.split('.');
  let value = names.get(root);
  for (const name of rest) value = value?.kind === 'instance' ? value.attributes.get(name) : undefined;
  return value;
}

function setValue(frame: Frame, path: string, value: Value | undefined): void {
  if (!value) return;
  const at = path.lastIndexOf('.');
  if (at < 0) frame.names.set(path, value);
  else {
    const owner = valueOf(frame, path.slice(0, at));
    if (owner?.kind === 'instance') owner.attributes.set(path.slice(at + 1), value);
  }
}
