/** Reads the names of a selection, and the name at a place, by following the program that stands there. */
import {
  isListName,
  linePlaces,
  placesOf,
  roleOf,
  scanCandidatesPaced,
  scannerOf,
  type Above,
  type Candidate,
  type MatrixFormat,
  type Meaning,
  type NameAt,
  type NamedValue,
  type NamedValues,
  type ParsedMatrix,
} from '../../parse';
import { ownNames, t, type Paced, type Problem, type TextRange } from '../../text';
import { constant, float, int, list, loseStreams, newTensor, type Machine, type Value } from '../machine';
import { readingProgram, type Given, type Program } from '../program';
import { bodiesOf, rangeOf, readProgram, type Statement, type Unit } from '../syntax';
import type { Cause, DType, Library } from '../tensor';
import { assignmentsOf, dotted, isCompound, isLiteral, partsOf, type Assignment } from './assignments';
import { derivation, derivationOf, type Derived } from './derivation';
import { meaningOf, type About } from './meaning';
import { pythonText, type PythonText } from './python-text';

/** Most names without a role whose values are looked at. */
const mostOthers = 40;

/** Steps of a program that is read for its names. */
const steps = 300_000;

interface Opened extends Derived {
  readonly python: PythonText;
  /** Literals that cannot be read. */
  readonly broken: readonly Candidate[];
  readonly printed: readonly (Derived['printed'][number] & { readonly matrix: ParsedMatrix })[];
  readonly shift: number;
  readonly formats: Readonly<Record<Library, MatrixFormat>>;
  /** Where the Python ends. */
  readonly end: number;
}

/** The names of a selection and of the text above it, in the order in which they were last assigned. */
export function* namesOf(text: string, above: Above | undefined): Paced<NamedValues> {
  const shift = above?.before.length ?? 0;
  const open = yield* opened((above?.before ?? '') + text, above, {
    at: shift,
    end: shift + text.length,
    isSelection: true,
  });
  const found = lastOf(open);
  let others = 0;
  const names: NamedValue[] = [];
  for (const one of found) {
    const isOwn = one.range.start >= shift;
    const hasRole = roleOf(one.name) !== undefined || isListName(one.name);
    const isAsked = hasRole || isPlain(valueOf(open.program, one.name)) || (isOwn && others++ < mostOthers);
    const meaning = isAsked ? yield* meaningAt(open, one) : undefined;
    names.push({ ...described(one), ...(meaning ? { meaning } : {}) });
  }
  const expression = names.some(({ range }) => range.start >= shift) ? undefined : yield* expressionOf(open);
  return { names, ...(expression ? { expression } : {}) };
}

const isPlain = (value: Value | undefined): boolean =>
  value?.kind === 'int' || value?.kind === 'float' || value?.kind === 'bool';

interface Last {
  readonly name: string;
  /** In the text. */
  readonly range: TextRange;
  readonly statement: TextRange;
  readonly value?: TextRange;
  readonly isComputed: boolean;
  readonly assignment?: Assignment;
  readonly printed?: ParsedMatrix;
}

const described = ({ name, range, statement, value, isComputed }: Last): NamedValue => ({
  name,
  range,
  statement,
  ...(value ? { value } : {}),
  isComputed,
});

/** What each name was last assigned, in the order of the text. */
function lastOf(open: Opened): readonly Last[] {
  const { assignments, inText } = open;
  const all: Last[] = assignments.map((assignment) => {
    const { name, range, statement, source, value } = assignment;
    return {
      name,
      range: inText(range),
      statement: inText(statement),
      ...(value ? { value: inText(rangeOf(source, value)) } : {}),
      isComputed: !assignment.inBlock && (value ? isCompound(value) && !isLiteral(value) : true),
      assignment,
    };
  });
  for (const { name, range, matrix, start } of open.printed)
    if (start < open.end) all.push({ name, range, statement: { start: range.start, end: matrix.range.end }, value: matrix.range, isComputed: false, printed: matrix }); // prettier-ignore
  all.sort((a, b) => a.range.start - b.range.start);
  return [...new Map(all.map((one) => [one.name, one])).values()].sort((a, b) => a.range.start - b.range.start);
}

function* opened(
  whole: string,
  above: Above | undefined,
  reach: { at: number; end: number; isSelection: boolean },
  until?: number,
): Paced<Opened> {
  const shift = above?.before.length ?? 0;
  const places = linePlaces(whole, placesOf(above));
  const before = shift > 0 ? yield* scanCandidatesPaced(scannerOf(whole, 0, lineStart(whole, shift))) : [];
  const candidates = [...before, ...(yield* scanCandidatesPaced(scannerOf(whole, shift, whole.length)))];
  const printed = candidates.filter((one) => !isPython(whole, one));
  const python = pythonText(whole, {
    ...reach,
    withoutLine: reach.isSelection,
    isCut: above?.cut === true,
    masked: printed.map(({ matrix, whole: { start, end } }) => ({ start: matrix?.nameRange?.start ?? start, end })),
    placeOf: places.placeOf,
  });
  const stop = until === undefined ? python.text.length : until;
  const text = python.text.slice(0, stop);
  const inText = ({ start, end }: TextRange): TextRange => ({ start: python.toText(start), end: python.toText(end) });
  const inPython = printed.map((one) => ({ one, start: python.toPython(one.matrix?.nameRange?.start ?? one.whole.start) })); // prettier-ignore
  const digits = digitsIn(whole);
  const given: Given[] = [
    ...(/\bself\.\w/.test(text) ? [{ start: 0, bind: bindSelf }] : []),
    ...inPython.flatMap(({ one, start }) => (start < stop ? givenBy(one, start, digits) : [])),
    ...python.lost.map(({ start, name, why, range }) => ({ start, bind: losing(name, { text: why, range: inPythonOf(python, range) }) })), // prettier-ignore
    ...python.loops.map(({ start, range }) => ({ start: start + 1, bind: losingDraws(python, range, whole) })),
  ];
  const program = yield* readingProgram(text, { standIns: false, isPart: true, given, steps });
  const named = inPython.flatMap(({ one: { matrix, name }, start }) =>
    matrix && name !== undefined && !matrix.expression ? [{ name, start, range: matrix.nameRange ?? matrix.range, matrix }] : [],
  ); // prettier-ignore
  const draws = new Map(program.graph.nodes.flatMap(({ operation, range, attributes: { origin = '' } }) => (operation === 'draw' ? [[range.start, { end: range.end, origin }] as const] : []))); // prettier-ignore
  const assignments = assignmentsOf(program.units);
  return {
    text: whole,
    program,
    assignments,
    places,
    inText,
    printed: named,
    python,
    broken: candidates.filter(({ problems }) => problems.length > 0),
    shift,
    draws,
    end: stop,
    formats: formatsIn(whole),
  };
}

const inPythonOf = (python: PythonText, { start, end }: TextRange): TextRange => ({
  start: python.toPython(start),
  end: python.toPython(end),
});

const lineStart = (text: string, offset: number): number =>
  Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;

const inPythonsWords: ReadonlySet<MatrixFormat> = new Set(['brackets', 'numpy', 'torch', 'tensorflow', 'jax']);

/** Whether a literal and its name are a part of Python's syntax. */
function isPython(text: string, { matrix, whole }: Candidate): boolean {
  if (!matrix) return true;
  if (!inPythonsWords.has(matrix.format)) return false;
  const start = matrix.nameRange?.start ?? whole.start;
  const before = text.slice(lineStart(text, start), start);
  const between = text.slice(matrix.nameRange?.end ?? start, Math.min(matrix.range.start, start + 400));
  return before.trim() !== '' || /(?:^|[^<=>])=(?![>=])/.test(between) || !matrix.nameRange;
}

const identifier = /^[\p{L}_][\p{L}\d_]*$/u;

/** A matrix that stands under its name. Where Python assigns it, its statement comes right behind. */
function givenBy({ matrix, name, problems }: Candidate, start: number, digits: Digits): readonly Given[] {
  if (name === undefined || !identifier.test(name)) return [];
  if (matrix && !matrix.expression)
    return [{ start, bind: (m) => m.globals.names.set(name, valueIn(m, matrix, digits)) }];
  const [problem] = problems;
  const why = problem?.message ?? t('{0} is part of an expression, which is not computed', name);
  return [{ start, bind: ({ globals: { names } }) => names.has(name) && names.set(name, { kind: 'unknown', cause: { text: why, range: { start, end: start } } }) }]; // prettier-ignore
}

/** Whose digits are printed without a word about that: those of the library that the code uses. */
interface Digits {
  readonly library: Library;
  readonly dtype: DType;
}

const digitsIn = (text: string): Digits =>
  /\b(?:tf|torch)\./.test(text) && !/\bnp\.(?!random)/.test(text)
    ? { library: 'torch', dtype: 'float32' }
    : { library: 'numpy', dtype: 'float64' };

const printedDigits: ReadonlySet<MatrixFormat> = new Set(['printed', 'table', 'labelled-table']);
const libraries: Partial<Record<MatrixFormat, Library>> = {
  numpy: 'numpy',
  jax: 'numpy',
  torch: 'torch',
  tensorflow: 'torch',
};
const types = ownNames<DType>({ float32: 'float32', int64: 'int64', int32: 'int32', bool: 'bool', int: 'int64' }); // prettier-ignore

/** A literal as a value: of no library that is followed it is a list. */
function valueIn(m: Machine, { format, shape, values, dtype }: ParsedMatrix, digits: Digits): Value {
  const isPrinted = printedDigits.has(format);
  const library = isPrinted ? digits.library : libraries[format];
  if (!library) return listOf(shape, values, 0);
  const type = dtype === undefined ? (isPrinted ? digits.dtype : 'float64') : (types[dtype] ?? 'float64');
  const held = type === 'float32' ? values.map(Math.fround) : values;
  return newTensor(library, constant(m, shape, type, held));
}

function listOf(shape: readonly number[], values: Float64Array, from: number): Value {
  const [size = 1, ...rest] = shape;
  const step = rest.reduce((a, b) => a * b, 1);
  const items = Array.from({ length: size }, (_, i) => {
    const at = from + i * step;
    if (rest.length > 0) return listOf(rest, values, at);
    const x = values[at] ?? NaN;
    return Number.isInteger(x) ? int(x) : float(x);
  });
  return list(items);
}

const losing =
  (name: string, cause: Cause) =>
  ({ globals: { names } }: Machine): void =>
    void (identifier.test(name) && names.set(name, { kind: 'unknown', cause }));

const losingDraws =
  (python: PythonText, range: TextRange, text: string) =>
  (m: Machine): void =>
    loseStreams(m, { text: text.slice(range.start, range.end).trim(), range: inPythonOf(python, range) });

/** What methods of a class that cannot be seen assign to. */
function bindSelf(m: Machine): void {
  m.globals.names.set('self', { kind: 'class', name: 'self', bases: [], attributes: new Map() });
}

/** What a name stands for at the end; of `self.W_q` the attribute. */
function valueOf({ names }: Program, name: string): Value | undefined {
  const [root = '', ...path] = name.split('.');
  let value = names.get(root);
  for (const part of path) value = value?.kind === 'class' || value?.kind === 'instance' ? value.attributes.get(part) : undefined; // prettier-ignore
  return value;
}

const inSelection = ({ start, end }: TextRange, shift: number): TextRange => ({
  start: Math.max(0, start - shift),
  end: Math.max(0, end - shift),
});

function* meaningAt(open: Opened, last: Last): Paced<Meaning | undefined> {
  const { program, shift } = open;
  const { name, range, statement, assignment, printed } = last;
  if (printed) return { kind: 'matrix', matrix: { ...printed, range: inSelection(statement, shift), nameRange: inSelection(range, shift) } }; // prettier-ignore
  const value = valueOf(program, name);
  if (!value || !assignment) return undefined;
  if (assignment.loop !== undefined && value.kind === 'tensor') return runOfLoop(open, last, assignment.loop);
  const broken = last.value && open.broken.find((one) => isInside(one.whole, statement))?.problems[0]; // prettier-ignore
  if (broken && value.kind === 'unknown') return { kind: 'problem', problem: { ...broken, range: inSelection(broken.range ?? statement, shift) } }; // prettier-ignore
  const about = aboutOf(open, { start: statement.start, end: statement.end });
  return yield* meaningOf(program, value, { ...about, name, nameRange: inSelection(range, shift), derivation: () => derivationOf(open, assignment) }); // prettier-ignore
}

/** What each run of a loop makes anew is not the matrix that its name means. */
function runOfLoop({ places, shift, inText }: Opened, { name, statement }: Last, loop: number): Meaning {
  const place = places.placeOf(inText({ start: loop, end: loop }).start);
  const message = t('{0} differs from run to run of the {1} in {2}', name, 'for', place);
  const hint = t('Run the code, print the matrix and select what is printed.');
  return { kind: 'problem', problem: { code: 'expression', message, hint, range: inSelection(statement, shift) } };
}

const isInside = (a: TextRange, b: TextRange): boolean => a.start >= b.start && a.end <= b.end;

function aboutOf(open: Opened, statement: TextRange): About {
  return {
    statement: inSelection(statement, open.shift),
    format: (library) => open.formats[library],
    problemOf: (cause) => problemOf(open, cause, statement),
  };
}

/** TensorFlow is read as PyTorch and JAX as NumPy: which it is, the text says. */
const formatsIn = (text: string): Opened['formats'] => ({
  torch: /\btf\.|\btensorflow\b/.test(text) && !/\btorch\./.test(text) ? 'tensorflow' : 'torch',
  numpy: /\bjnp\.|\bjax\./.test(text) && !/\bnp\./.test(text) ? 'jax' : 'numpy',
});

/** Why a value is not known. What stands above the selection is told at the statement that runs into it. */
function problemOf({ text, shift, inText }: Opened, cause: Cause, statement: TextRange): Problem {
  const range = inText(cause.range);
  const place = range.start >= shift ? range : statement;
  const found = wordsOf(cause.text, text.slice(range.start, range.end));
  return { ...found, range: inSelection(place, shift) };
}

function wordsOf(text: string, written: string): Problem {
  const print = t('Run the code, print the matrix and select what is printed.');
  if (text === t('without a seed each run draws other numbers')) {
    const callee = written.split('(')[0] ?? written;
    const seed = /^(?:torch|nn|F)\b/.test(callee) ? 'torch.manual_seed(…)' : 'np.random.seed(…)';
    return {
      code: 'unseeded',
      message: t('{0}(…) without a seed above it: its numbers are other ones in each run', callee),
      hint: t('Put {0} above it, or run the code, print the matrix and select what is printed.', seed),
    };
  }
  const [, name] = /^NameError: name '(.+)' is not defined$/.exec(text) ?? [];
  if (name !== undefined)
    return {
      code: 'expression',
      message: t('{0} is not defined above', name),
      hint: t('Select the lines that assign it as well, or run the code, print the matrix and select what is printed.'),
    };
  const isOfDraws = text.startsWith(t('what is drawn after this is not known: {0}', ''));
  return { code: isOfDraws ? 'draws' : 'expression', message: text, hint: print };
}

/** The selection as one expression with a name of the text above in it, or a call. */
function* expressionOf(open: Opened): Paced<Meaning | undefined> {
  const { program, python, shift } = open;
  const from = python.toPython(shift);
  const own = program.units.flatMap(({ source, body }) => body.map((statement) => ({ source, statement, range: rangeOf(source, statement) }))); // prettier-ignore
  const [only, second] = own.filter(({ range }) => range.start >= from);
  if (!only || second || only.statement.nodeType !== 'Expr' || !isFollowed(open, only.statement.value))
    return undefined;
  const skipped = program.notes.some(({ kind, range }) => kind === 'skipped' && range.start >= from);
  if (skipped) return undefined;
  const { source, range } = only;
  const statement = open.inText(range);
  const about = aboutOf(open, statement);
  const failed = program.notes.find((note) => note.kind === 'error' && isInside(note.range, range));
  if (failed) return { kind: 'problem', problem: about.problemOf(failed) };
  const [value] = program.outputs.findLast((output) => isInside(output.range, range))?.parts ?? [];
  const parts = [only.statement.value];
  return value && (yield* meaningOf(program, value, { ...about, derivation: () => derivation(open, { source, parts }, range) })); // prettier-ignore
}

const modules = /^(?:np|numpy|torch|nn|F|tf|tensorflow|jax|jnp|math|scipy|array|tensor)$/;

/** Whether a name of the program, or a call of a module's function, stands in an expression. */
function isFollowed(open: Opened, node: Parameters<typeof partsOf>[0]): boolean {
  if (node.nodeType === 'Tuple' && node.elts.length > 1) return false;
  const path = dotted(node);
  const isNamed = path !== undefined && (open.assignments.some(({ name }) => name === path) || open.printed.some(({ name }) => name === path)); // prettier-ignore
  if (isNamed) return true;
  const callee = node.nodeType === 'Call' ? (dotted(node.func) ?? '').split('.')[0] : undefined;
  if (callee !== undefined && (modules.test(callee) || open.program.names.get(callee)?.kind === 'module')) return true;
  return partsOf(node).some((part) => isFollowed(open, part));
}

/** How far after a name its statement is read. */
const longestStatement = 20_000;

/** What the name at an offset stands for there: as a target what it becomes, elsewhere what it was before. */
export function* nameAt(text: string, offset: number, above: Above | undefined): Paced<NameAt> {
  const word = wordAt(text, offset);
  if (!word) return undefined;
  const shift = above?.before.length ?? 0;
  const at = shift + word.start;
  const whole = (above?.before ?? '') + text;
  const name = text.slice(word.start, word.end);
  const reach = { at, end: Math.min(whole.length, at + longestStatement), isSelection: false };
  const first = yield* opened(whole, above, reach, 0);
  const lost = first.python.lost.find((one) => one.name === name && one.range.start <= at && at < one.range.end);
  if (lost) return { problems: [{ code: 'expression', message: lost.why, range: word }] };
  const place = first.python.toPython(at);
  const { units } = yield* readProgram(first.python.text, false);
  const found = statementAt(units, place, name);
  if (!found) return undefined;
  const open = yield* opened(whole, above, reach, found.isTarget ? found.end : found.start);
  const last = lastOf(open).find((one) => one.name === name);
  const meaning = last ? yield* meaningAt(open, last) : yield* lostMeaning(open, name, word);
  if (meaning?.kind === 'problem') return { problems: [{ ...meaning.problem, range: meaning.problem.range ?? word }] };
  if (!last || meaning?.kind !== 'matrix' || isSettings(meaning.matrix)) return undefined;
  const isOwn = last.range.start >= shift;
  return {
    matrix: meaning.matrix,
    range: word,
    line: open.places.ownLineOf(last.range.start) + (above?.line ?? 1) - 1,
    ...(isOwn ? { definedAt: inSelection(last.range, shift) } : {}),
  };
}

/** A parameter, the variable of a loop: no statement that is read assigns it. */
function* lostMeaning(open: Opened, name: string, word: TextRange): Paced<Meaning | undefined> {
  const value = valueOf(open.program, name);
  const isLost = value?.kind === 'unknown' && open.python.lost.some((one) => one.name === name);
  yield;
  return isLost
    ? { kind: 'problem', problem: { code: 'expression', message: value.cause.text, range: word } }
    : undefined;
}

/** `version = (1, 0)`, `sizes = [2, 3]`: a flat list of Python under a name without a role. */
const isSettings = ({ format, shape, role }: ParsedMatrix): boolean =>
  format === 'brackets' && shape.length === 1 && role === undefined;

interface Found extends TextRange {
  readonly isTarget: boolean;
}

/** The innermost statement around a name that stands as one at an offset, and not in a string or a comment. */
function statementAt(units: readonly Unit[], offset: number, name: string): Found | undefined {
  const unit = units.findLast(({ source }) => source.base <= offset);
  if (!unit) return undefined;
  const { source } = unit;
  const around = (list: readonly Statement[]): Statement | undefined =>
    list.find((one) => rangeOf(source, one).start <= offset && offset < rangeOf(source, one).end);
  let found = around(unit.body);
  for (let inner = found; inner; inner = around(bodiesOf(inner).flat())) found = inner;
  if (!found) return undefined;
  const targets = assignmentsOf([{ source, body: [found], whole: true }]);
  const own = targets.find(({ name: other, range }) => other === name && range.start <= offset && offset < range.end);
  const range = rangeOf(source, found);
  if (own) return { start: range.start, end: Math.max(range.end, own.statement.end), isTarget: true };
  return expressionsOf(found).some((node) => isNamed(node)) ? { ...range, isTarget: false } : undefined;

  function isNamed(node: Parameters<typeof partsOf>[0]): boolean {
    const at = rangeOf(source, node);
    if (offset < at.start || offset >= at.end) return false;
    return dotted(node) === name || partsOf(node).some(isNamed);
  }
}

type Expression = Parameters<typeof partsOf>[0];

/** Expressions right in a statement. */
const expressionsOf = (statement: Statement): readonly Expression[] =>
  Object.values(statement)
    .flatMap((one: unknown) => (Array.isArray(one) ? one : [one]))
    .filter(isExpression);

const isExpression = (one: unknown): one is Expression =>
  typeof one === 'object' && one !== null && 'nodeType' in one && 'col_offset' in one;

/** The dotted word at an offset, up to and with the part that the offset stands in; undefined in none. */
function wordAt(text: string, offset: number): TextRange | undefined {
  const before =
    /(?:[\p{L}_][\p{L}\d_]*\.)*[\p{L}\d_]*$/u.exec(text.slice(Math.max(0, offset - 80), offset))?.[0] ?? '';
  const after = /^[\p{L}\d_]{0,80}/u.exec(text.slice(offset, offset + 80))?.[0] ?? '';
  const word = (before + after).replace(/^[\d.]+/, '');
  const end = offset + after.length;
  return word === '' ? undefined : { start: end - word.length, end };
}
