/** The state of one program that is followed: what all parts of the evaluation share. */
import { t, type TextRange } from '../../text';
import { type Cause, type Graph, type Node, type Dense, type DType, Ended, Raised, type Allowance } from '../tensor';
import type { RandomStream, TorchStream } from '../../random';
import { type Expression, type Place, rangeOf, type Source } from '../syntax';
import type { ByProcessor, KeptLeaves } from './kept';
import type { SeenPlaces } from './seen';
import type { Arguments, Frame, Instance, Run, TensorValue, Unknown, Value } from './values';

/** Something that a reader should know of: what is not followed, where Python would stop, what is assumed. */
export interface Note {
  readonly kind: 'unknown' | 'error' | 'skipped' | 'assumed' | 'stopped';
  readonly text: string;
  readonly range: TextRange;
}

/** One call of `print`, or the value of a cell's last line. */
export interface Output {
  readonly range: TextRange;
  /** The top-level call that led there: a notebook keeps what a function prints with the cell that calls it. */
  readonly by: TextRange;
  readonly parts: readonly Value[];
  /** Undefined where a value is a tensor or not known: then `parts` says which. */
  readonly text?: string;
  /** By `print`, not as the value of a statement. */
  readonly printed: boolean;
}

/** A name that was bound, as often as it was. */
export interface Binding {
  readonly name: string;
  readonly range: TextRange;
  readonly value: Value;
  readonly node?: Node;
  /** The function in which it is a local name, by its calls, outermost first. */
  readonly stack: readonly TextRange[];
  /** From a run with stand-in arguments. */
  readonly standIn: boolean;
}

/** Somewhere that a value is kept: a name, an attribute, an entry, a storage. */
export interface Slot {
  /** The same for the same place. */
  readonly owner: object;
  readonly key: string;
  readonly get: () => Value | undefined;
  readonly set: (value: Value | undefined) => void;
}

export interface Change {
  readonly slot: Slot;
  readonly before: Value | undefined;
}

/** What was changed since a branch or block began. */
export interface Journal {
  readonly changes: Change[];
  outer: Journal | undefined;
}

/** To be said before a slot changes. */
export function recordChange(m: Machine, slot: () => Slot): void {
  if (!m.journal) return;
  const place = slot();
  m.journal.changes.push({ slot: place, before: place.get() });
}

export interface Streams {
  torch?: TorchStream | undefined;
  numpy?: RandomStream | undefined;
  /** PyTorch's stream behind dropout, for each way in which processors draw that. */
  behindDropout?: ByProcessor<TorchStream> | undefined;
  /** Why draws are not known although there was a seed: something that is not followed may have drawn. */
  lost?: Cause | undefined;
  /** TensorFlow or MLX was given a seed. */
  elsewhere?: true;
}

/** Something is called that is not followed: where the streams stand after it is not known. */
export function loseStreams(m: Machine, what: Cause): void {
  // Numbers that stand in are from a seed of ours, whatever draws beside them.
  if (m.sampling) return;
  m.streams.behindDropout = undefined;
  if (!m.streams.torch && !m.streams.numpy) return;
  Object.assign(m.streams, { torch: undefined, numpy: undefined });
  m.streams.lost = lostAfter(what);
}

const lostAfter = ({ text, range }: Cause): Cause => ({
  text: t('what is drawn after this is not known: {0}', text),
  range,
});

/** A draw or a seed where it is not known whether the program comes: what is drawn from here on is not known. */
export function drawnUnsure(m: Machine): boolean {
  if (m.unsure > 0) {
    const why = cause(m, t('which way the code goes here is not known'));
    Object.assign(m.streams, { torch: undefined, numpy: undefined, behindDropout: undefined, lost: lostAfter(why) });
  }
  return m.unsure > 0;
}

/** A file that a program imports. */
export interface ImportedFile {
  readonly text: string;
  /** `__init__.py`: what it imports relative to itself lies in its folder. */
  readonly isPackage: boolean;
}

export interface Machine {
  readonly graph: Graph;
  readonly notes: Note[];
  readonly outputs: Output[];
  readonly bindings: Binding[];
  readonly allowance: Allowance;
  readonly streams: Streams;
  readonly globals: Frame;
  readonly builtins: Map<string, Value>;
  readonly modules: Map<string, Value>;
  /** Functions that were entered at least once, by their syntax. */
  readonly entered: Set<object>;
  /** What `def` and `class` bound to names of the text, in order; a later cell may have bound the name again. */
  readonly defined: Set<Value>;
  /** Steps left. */
  steps: number;
  /** Statements since the last place to stop. */
  statements: number;
  /** PyTorch's floats of which no type is said. */
  floats: DType;
  /** Numbers that may still be drawn. */
  draws: number;
  /** The expression of the text that is evaluated; of what a library or an imported file computes, the call that led there. */
  here: TextRange;
  /** The calls that led there, outermost first. */
  stack: readonly TextRange[];
  /** The library's function that is evaluated, if one is. */
  via: string | undefined;
  /** Stand-in arguments are read: what no call reaches. */
  standIn: boolean;
  /** Sizes and numbers stand in for arguments: what is computed now is a sample. */
  sampling: boolean;
  /** What names are bound to in samples. */
  readonly sampleBindings: Binding[];
  /** What PyTorch raises of the sample whatever its sizes; the sample goes on. */
  readonly raisedInSample: Note[];
  /** Functions that are open, one within the other. */
  depth: number;
  /** Functions that run, by their syntax, each with the journal of the branch that called it. */
  readonly active: Map<object, readonly (Journal | undefined)[]>;
  /** What undoes the assignments of a branch that may not be taken. */
  journal: Journal | undefined;
  /** Branches that may not be taken, one within the other: what is drawn there is not known, nor what is drawn later. */
  unsure: number;
  /** Steps of training so far: what they do to parameters is not followed. */
  trained: number;
  /** Notes that were made, by kind, place and text: each is made once. */
  readonly noted: Set<string>;
  /** What places of the text came to; undefined where nobody asks. */
  readonly seen: SeenPlaces | undefined;
  /** The same while a sample is computed; what it says is taken over where the code itself says less. */
  sampleSeen: SeenPlaces | undefined;
  /** Ways that a sample takes at conditions on switches, by the statement. */
  forced: ReadonlyMap<object, boolean> | undefined;
  /** Whether the text binds a name at its top level or imports it, anywhere. */
  binds: (name: string) => boolean;
  /** How often something was not followed. */
  unknowns: number;
  readonly evaluator: Evaluator;
  /** What a library has by a full name: `torch.nn.Linear`, `Tensor.softmax`. */
  readonly library: (m: Machine, name: string) => Value | undefined;
  /** What was looked up so far. */
  readonly found: Map<string, Value>;
  /** Frames of the definitions in Python, by module. */
  readonly preludes: Map<string, Frame>;
  /** Files that were handed over. */
  readonly files: (module: string) => ImportedFile | undefined;
  /** The file whose statements run; undefined in the program itself. */
  importing: { readonly name: string; readonly isPackage: boolean } | undefined;
  readonly isLibrary: (module: string) => boolean;
  /** The name under which the table has a module: `torch.nn.modules.linear` is `torch.nn`. */
  readonly alias: (module: string) => string;
  /** What a notebook printed of leaves whose values only a run knows. */
  readonly kept?: KeptLeaves;
  /** All that a library's module has, by name. */
  readonly members: (module: string) => Iterable<readonly [string, Value]>;
  /** Why the loop that runs may have ended before this turn; undefined where that is known. */
  unsureLoop: Cause | undefined;
  /** Whether a way that was not taken, since it raises, raises `StopIteration`: what is walked over may have ended. */
  mayHaveEnded: boolean;
  /** Loops that are open of which all turns that are left are read as one. */
  shortened: number;
  /** Turns of such loops, of all together, that are still read. */
  unsureTurns: number;
  /** Axes that stand-in arguments were found to have, by their names. */
  readonly ranks: Map<string, number>;
  /** A module whose names were all imported and are not all known here. */
  star: string | undefined;
  /** Why an entry may have been written that is not seen: into a container of which it is not known which it is. */
  lost: Cause | undefined;
  /** The cause of classes of a library that have more members than are followed. */
  readonly openLibrary: Cause;
  /** Exceptions that are being handled. */
  readonly handling: Instance[];
}

/** What libraries ask of the evaluation, which imports them. */
export interface Evaluator {
  readonly evaluate: (m: Machine, node: Expression, frame: Frame) => Run<Value>;
  readonly call: (m: Machine, callee: Value, args: Arguments) => Run<Value>;
  readonly attribute: (m: Machine, value: Value, name: string) => Run<Value | undefined>;
  readonly setAttribute: (m: Machine, value: Value, name: string, to: Value) => Run<void>;
  readonly items: (m: Machine, value: Value) => Run<readonly Value[] | undefined>;
  readonly truth: (m: Machine, value: Value) => Run<boolean | undefined>;
  readonly text: (m: Machine, value: Value, asRepr: boolean) => Run<string | undefined>;
  readonly binary: (m: Machine, operator: string, a: Value, b: Value) => Run<Value>;
  readonly compare: (m: Machine, operator: string, a: Value, b: Value) => Run<Value>;
  /** Whether two values are equal; undefined where that is not known. */
  readonly equal: (m: Machine, a: Value, b: Value) => Run<boolean | undefined>;
  readonly typeName: (value: Value) => string;
  /** A statement that is an expression: a notebook shows the last one's value. */
  readonly echo: (m: Machine, source: Source, place: Place, value: Value) => void;
  readonly importFile: (m: Machine, name: string) => Run<Value | undefined>;
  /** A tensor of one element as a Python number; itself where that is not known. */
  readonly number: (m: Machine, value: TensorValue) => Run<Value>;
  /** Notes that a name was bound. */
  readonly bound: (m: Machine, source: Source, place: Place, name: string, value: Value) => void;
}

/** Stops the whole program: its budget is spent. */
export class Stopped extends Error {}

/** An exception of the program's own. */
export class PythonError extends Ended {
  constructor(
    readonly value: Instance,
    readonly range: TextRange,
  ) {
    super(value.of.name);
  }
}

export const raise = (type: string, message: string): never => {
  throw new Raised(type, message);
};

/** From here on this expression is meant, if a person wrote it. */
export function at(m: Machine, source: Source, place: Place): void {
  if (source.own) m.here = rangeOf(source, place);
}

export const cause = (m: Pick<Machine, 'here'>, text: string): Cause => ({ text, range: m.here });

/** A value that is not known, and the note that says why: once for each place and reason. */
export function unknown(m: Machine, text: string, type?: Unknown['type']): Unknown {
  const why = cause(m, text);
  m.unknowns++;
  note(m, 'unknown', text);
  return type ? { kind: 'unknown', cause: why, type } : { kind: 'unknown', cause: why };
}

export function note(m: Machine, kind: Note['kind'], text: string, range: TextRange = m.here): void {
  const key = `${kind} ${range.start} ${text}`;
  if (m.sampling || m.noted.has(key)) return;
  m.noted.add(key);
  m.notes.push({ kind, text, range });
}

/** The same value again, without a new cause. */
export const still = ({ cause, library, self }: Unknown, type?: Unknown['type']): Unknown => ({
  kind: 'unknown',
  cause,
  ...(type ? { type } : {}),
  ...(library === undefined ? {} : { library }),
  ...(self && { self }),
});

/** Counts a step; ends the program where none are left. */
export function step(m: Machine): void {
  if (--m.steps < 0) throw new Stopped();
}

/** Statements from one place to stop to the next: a stop goes through every call that is open, so one at each would cost more than they do. */
const statementsAtOnce = 16;

/** Whether it is time for a place to stop. */
export function isTimeToStop(m: Machine): boolean {
  m.statements = (m.statements + 1) % statementsAtOnce;
  return m.statements === 0;
}

export const isCause = (found: Dense | Cause): found is Cause => !('data' in found);
