/**
 * A Python program, read and not run: what its names come to, as values, shapes or reasons, and the graph of what it computes with tensors.
 * This room is a bundle of its own: `engine/index.ts` does not export it.
 */
import { t, finish, type Paced, type TextRange } from '../text';
import {
  attribute,
  setAttribute,
  makeBuiltins,
  numberIn,
  call,
  newFrame,
  exceptionOf,
  exceptionText,
  evaluate,
  importedNames,
  itemsOf,
  shownParts,
  binary,
  compare,
  equalTo,
  truthOf,
  runBody,
  standInCalls,
  type Readings,
  textOf,
  watch,
} from './evaluate';
import { type Graph, type Node, Raised, newAllowance, type Dense } from './tensor';
import { aliasOf, find, isLibrary, membersOf } from './libraries/index';
import {
  asPrinted,
  newKeptLeaves,
  type KeptDraws,
  type KeptLeaves,
  look,
  loseStreams,
  note,
  PythonError,
  Stopped,
  type Binding,
  type Evaluator,
  type ImportedFile,
  type Machine,
  type Note,
  type Output,
  type Seen,
  nodeOf,
  typeName,
  type Run,
  type TensorValue,
  type Value,
} from './machine';
import { samplesOf, type Refusal } from './samples/index';
import { assignedNames, readProgram, type Skipped, type Unit, rangeOf, sourceOf, type Statement } from './syntax';

export interface ProgramOptions {
  /** Python's steps before a program is stopped. */
  readonly steps?: number;
  /** Random numbers that are drawn before draws are known in shape only. */
  readonly draws?: number;
  /** A module that the program imports, if there is such a file; `..layers` for one relative to the program. */
  readonly files?: (module: string) => ImportedFile | undefined;
  /** Whether classes and functions that are never called are read with stand-in arguments; they are by default. */
  readonly standIns?: boolean;
  /** Statements of an earlier reading: those whose text stayed are not parsed again. */
  readonly before?: readonly Unit[];
  /** Whether what each expression came to is kept (`Program.seen`). */
  readonly watch?: boolean;
  /** What a notebook printed of draws without a seed. */
  readonly kept?: KeptDraws;
  /** What is known besides the statements, in the order of the text: each takes effect before the first statement behind it. */
  readonly given?: readonly Given[];
  /** Runs instead of the statements in their order: what a process that is stopped has run of them, with its values. */
  readonly enter?: (m: Machine, units: readonly Unit[]) => Run<void>;
  /** Whether the text is a part of a program: what it calls and does not define may draw. */
  readonly isPart?: boolean;
}

/** A name that no statement binds: a matrix that is printed under it; a name of which is known that it is not known. */
export interface Given {
  readonly start: number;
  readonly bind: (m: Machine) => void;
}

export interface Program {
  /** Names in the order in which they were bound, with what they then were. */
  readonly bindings: readonly Binding[];
  /** What names were bound to where stand-in sizes and numbers were tried: they name steps, and are no values of the code. */
  readonly sampleBindings: readonly Binding[];
  /** Definitions for which nothing can stand in, and why. */
  readonly refusals: readonly Refusal[];
  /** Module-level names at the end. */
  readonly names: ReadonlyMap<string, Value>;
  readonly graph: Graph;
  readonly outputs: readonly Output[];
  readonly notes: readonly Note[];
  /** The statements, in the order of the text. */
  readonly units: readonly Unit[];
  /** What each expression and each bound name came to; empty unless it was asked for. */
  readonly seen: ReadonlyMap<object, Seen>;
  /** Nodes from this one on come from a reading with stand-in arguments. */
  readonly firstStandIn: number;
  /** A tensor as it is at the end: what was written to it or to views of it included. */
  readonly current: (tensor: TensorValue) => Node;
  /** Leaves whose values only a run knows, and those that took what a notebook printed of them. */
  readonly kept: Pick<KeptLeaves, 'keys' | 'used' | 'stays'>;
  /** A node's values, when they are looked at. */
  readonly look: (node: Node) => Paced<Dense | { readonly text: string; readonly range: TextRange }>;
}

/** Lines of a notebook that bind no name: a command of the system, a magic that runs no other file. */
const bindsNothing = /^(?:!|%%?(?!run\b|load\w*\b|pylab\b|store\b|macro\b)\w)/;

/** Where Python raises. Below a line that was not read an exception may be our own doing: a name that it would have bound. */
export function raisedIn(text: string, { notes }: Pick<Program, 'notes'>): readonly Note[] {
  const lost = notes.find(({ kind, range }) => kind === 'skipped' && !bindsNothing.test(text.slice(range.start, range.end))); // prettier-ignore
  // A program that ends by itself may do so for want of a card or a file.
  return notes.filter(({ kind, text: said, range }) => kind === 'error' && !/\b(?:SystemExit|KeyboardInterrupt)\b/.test(said) && !(lost && lost.range.start < range.start)); // prettier-ignore
}

const stepLimit = 300_000;
/** Left for what is never called, also where the program itself was stopped. */
const standInSteps = 40_000;
const drawLimit = 4_000_000;

const evaluator: Evaluator = {
  evaluate,
  call,
  attribute,
  setAttribute,
  items: itemsOf,
  truth: truthOf,
  text: textOf,
  binary,
  compare,
  equal: equalTo,
  typeName,
  number: numberIn,
  bound: (m, source, place, name, value) => {
    const tensor = value.kind === 'tensor' ? { node: nodeOf(m, value) } : {};
    watch(m, source, place, value, 'bound');
    (m.sampling ? m.sampleBindings : m.bindings).push({
      name,
      range: rangeOf(source, place),
      value,
      stack: m.stack,
      standIn: m.standIn,
      ...tensor,
    });
  },
  echo: (m, source, place, value) => {
    const range = rangeOf(source, place);
    m.outputs.push({ range, by: range, parts: shownParts(m, value), printed: false });
  },
  importFile,
};

function* importFile(m: Machine, name: string): Run<Value | undefined> {
  const file = m.files(name);
  if (!file) return undefined;
  const names = new Map<string, Value>();
  const module: Value = { kind: 'module', name, names };
  m.modules.set(name, module);
  const { units } = yield* readProgram(file.text, false);
  const outer = m.importing;
  m.importing = { name, isPackage: file.isPackage };
  for (const { source, body } of units) {
    const base = newFrame({ outer: undefined, source, globals: m.globals });
    const frame = Object.assign(base, { names, globals: base, isFile: true });
    try {
      yield* runBody(m, body, frame);
    } catch (error) {
      if (!(error instanceof Raised || error instanceof PythonError)) throw error;
      note(m, 'error', `${name}: ${exceptionText(exceptionOf(m, error))}`);
    }
  }
  m.importing = outer;
  return module;
}

function machineFor(options: ProgramOptions): Machine {
  const source = sourceOf('');
  const globals = newFrame({ outer: undefined, source, globals: undefined as never });
  Object.assign(globals, { globals });
  const m: Machine = {
    graph: { nodes: [] },
    notes: [],
    outputs: [],
    bindings: [],
    allowance: newAllowance(),
    streams: {},
    globals,
    builtins: new Map(),
    modules: new Map(),
    entered: new Set(),
    defined: new Set(),
    steps: options.steps ?? stepLimit,
    statements: 0,
    floats: 'float32',
    draws: options.draws ?? drawLimit,
    here: { start: 0, end: 0 },
    stack: [],
    via: undefined,
    standIn: false,
    sampling: false,
    sampleBindings: [],
    raisedInSample: [],
    depth: 0,
    active: new Map(),
    journal: undefined,
    unsure: 0,
    trained: 0,
    noted: new Set(),
    seen: options.watch ? new Map() : undefined,
    sampleSeen: undefined,
    forced: undefined,
    binds: () => true,
    unknowns: 0,
    evaluator,
    library: find,
    found: new Map(),
    preludes: new Map(),
    isLibrary,
    alias: aliasOf,
    members: (module) => membersOf(m, module),
    unsureLoop: undefined,
    mayHaveEnded: false,
    shortened: 0,
    ranks: new Map(),
    unsureTurns: 20,
    lost: undefined,
    star: undefined,
    openLibrary: { text: t('it is not known here'), range: { start: 0, end: 0 } },
    handling: [],
    files: options.files ?? (() => undefined),
    importing: undefined,
    kept: newKeptLeaves(options.kept),
  };
  makeBuiltins(m);
  return m;
}

/** A program whose lines are read, and what is still to be tried with sizes and numbers that stand in. */
export interface OpenedProgram {
  /** It lacks the samples, their names and their refusals until `sampling` has come to its end; what its lines are does not change by then. */
  readonly program: Program;
  readonly sampling: Paced<void>;
}

/** Reads a program with places to stop. Never throws for what is in the text. */
export function* readingProgram(text: string, options: ProgramOptions = {}): Paced<Program> {
  const { program, sampling } = yield* openingProgram(text, options);
  yield* sampling;
  return program;
}

/** The same in two parts: what each line comes to, then the samples, for which shapes need not wait. */
export function* openingProgram(text: string, options: ProgramOptions = {}): Paced<OpenedProgram> {
  const m = machineFor(options);
  const { units, skipped } = yield* readProgram(text, true, options.before);
  m.binds = bindsIn(units);
  for (const { text: why, range } of skipped) note(m, 'skipped', why, range);
  const refusals: Refusal[] = [];
  const lost = skipped.map((one) => ({ start: one.range.start, bind: losing(text, one) }));
  const given = [...lost, ...(options.given ?? [])].sort((a, b) => a.start - b.start);
  const { enter } = options;
  if (enter) yield* untilStopped(m, () => enter(m, units));
  else yield* runUnits(m, units, given, options.isPart);
  const firstStandIn = m.graph.nodes.length;
  let readings: Readings | undefined;
  if (options.standIns !== false)
    yield* untilStopped(m, function* () {
      m.steps = Math.max(m.steps, Math.min(standInSteps, options.steps ?? standInSteps));
      readings = yield* standInCalls(m, units);
    });
  for (const { range } of m.kept?.used.keys() ?? []) note(m, 'assumed', asPrinted(), range);
  const program = programOf(m, units, refusals, firstStandIn);
  return { program, sampling: sampling(m, units, readings, refusals) };
}

function* sampling(
  m: Machine,
  units: readonly Unit[],
  readings: Readings | undefined,
  refusals: Refusal[],
): Paced<void> {
  if (readings) yield* untilStopped(m, () => samplesOf(m, units, readings, refusals));
}

function programOf(m: Machine, units: readonly Unit[], refusals: readonly Refusal[], firstStandIn: number): Program {
  const { bindings, graph, outputs, notes } = m;
  return {
    bindings,
    sampleBindings: m.sampleBindings,
    refusals,
    names: m.globals.names,
    graph,
    outputs,
    notes,
    units,
    seen: m.seen ?? new Map<object, Seen>(),
    firstStandIn,
    current: (tensor) => nodeOf(m, tensor),
    kept: m.kept ?? newKeptLeaves(),
    look: (node) => look(m, node),
  };
}

const assigned =
  /^((?:[\p{L}_][\p{L}\d_]*[ \t]*,[ \t]*)*[\p{L}_][\p{L}\d_]*)[ \t]*(?:\[[^\]\n]*\][ \t]*)?[-+*/@]?=(?!=)/u;

/** What a line that is not read assigns is not known from there on. */
const losing =
  (text: string, { text: why, range }: Skipped, cause = range) =>
  ({ globals: { names } }: Machine): void => {
    const [, targets = ''] = assigned.exec(text.slice(range.start, range.end)) ?? [];
    for (const name of targets.split(/[ \t]*,[ \t]*/))
      if (names.has(name)) names.set(name, { kind: 'unknown', cause: { text: why, range: cause } });
  };

/** Looked for when it is first asked. */
function bindsIn(units: readonly Unit[]): (name: string) => boolean {
  let bound: Set<string> | undefined;
  return (name) => {
    if (!bound) {
      bound = new Set();
      for (const { body } of units) importedNames(body, assignedNames(body, bound));
    }
    return bound.has(name);
  };
}

/** Of all steps, this part is left for what comes after a statement that was stopped: training, a search without end. */
const afterStop = 0.2;

function* runUnits(m: Machine, units: readonly Unit[], given: readonly Given[], isPart = false): Run<void> {
  let next = 0;
  const giveUpTo = (offset: number): void => {
    for (let one = given[next]; one && one.start <= offset; one = given[next]) {
      next++;
      one.bind(m);
    }
  };
  const reserve = Math.floor(m.steps * afterStop);
  m.steps -= reserve;
  let stops = 0;
  for (const unit of units) {
    giveUpTo(unit.source.base);
    if (stops > 1)
      note(m, 'stopped', t('not read: what stands before it takes more steps than are followed'), unitRange(unit)); // prettier-ignore
    else if (!(yield* untilStopped(m, () => runUnit(m, unit, isPart)))) {
      forgetNames(m, unit);
      if (++stops === 1) m.steps = reserve;
    }
  }
  giveUpTo(Infinity);
}

const unitRange = ({ source }: Unit): TextRange => ({ start: source.base, end: source.base + source.text.length });

/** What a statement would have bound that was not read to its end. */
function forgetNames(m: Machine, unit: Unit): void {
  const cause = { text: t('stopped here: the program takes more steps than are followed'), range: m.here };
  for (const name of assignedNames(unit.body)) m.globals.names.set(name, { kind: 'unknown', cause });
}

/** Whether it came to its end. */
function* untilStopped(m: Machine, run: () => Run<void>): Run<boolean> {
  try {
    yield* run();
    return true;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    note(m, 'stopped', t('stopped here: the program takes more steps than are followed'));
    Object.assign(m, { stack: [], depth: 0, via: undefined, journal: undefined, unsureLoop: undefined });
    return false;
  }
}

/** All of it at once. */
export const runProgram = (text: string, options: ProgramOptions = {}): Program =>
  finish(readingProgram(text, options));

/** One top-level statement. Where Python would stop, the rest goes on without the names that it binds. */
function* runUnit(m: Machine, { source, body }: Unit, isPart = false): Run<void> {
  const frame = Object.assign(m.globals, { source });
  for (const statement of body) {
    try {
      yield* runBody(m, [statement], frame);
    } catch (error) {
      if (!(error instanceof Raised || error instanceof PythonError)) throw error;
      const range = error.range ?? m.here;
      const message = exceptionText(exceptionOf(m, error));
      note(m, 'error', message, range);
      // The line that called it stands elsewhere, perhaps in a cell of its own.
      const whole = rangeOf(source, statement);
      if (range.start < whole.start || range.start >= whole.end) note(m, 'unknown', message, whole);
      for (const name of assignedNames([statement]))
        m.globals.names.set(name, { kind: 'unknown', cause: { text: message, range } });
      if (isPart) losing(source.text, { text: message, range: { start: whole.start - source.base, end: whole.end - source.base } }, range)(m); // prettier-ignore
      if (isPart && calls(source, statement)) loseStreams(m, { text: message, range });
    }
    Object.assign(m, { stack: [], depth: 0, via: undefined, journal: undefined, unsure: 0, unsureLoop: undefined });
  }
}

/** Whether a statement that could not be run calls something. */
const calls = (source: Unit['source'], statement: Statement): boolean => {
  const { start, end } = rangeOf(source, statement);
  return /[\p{L}\d_\])]\(/u.test(source.text.slice(start - source.base, end - source.base));
};

export {
  formatDim,
  formatShape,
  isKnownShape,
  type Dim,
  type Shape,
  type Attributes,
  type Cause,
  type Graph,
  type Node,
  type Dense,
} from './tensor';
export { rows } from './libraries/index';
export {
  typeName,
  type Binding,
  type ImportedFile,
  type Note,
  type Output,
  type TensorValue,
  type Value,
} from './machine';
